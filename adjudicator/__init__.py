"""Play-by-email adjudicator: order files in, one deterministic turn, a report for every seat out."""

__version__ = "0.1.0"
