"""What the commands do: create, submit, run, report, undo, verify. Nothing here prints, exits or asks the time."""
