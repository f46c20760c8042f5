"""Turn the text of an order file into values with positions, and back into a template."""
