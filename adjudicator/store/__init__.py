"""The campaign folder: inbox, turns, manifests, lock, undo."""
