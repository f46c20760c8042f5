"""The commands: the only code that prints, exits or asks the time."""
