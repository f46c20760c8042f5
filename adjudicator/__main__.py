"""Run the program: python -m adjudicator."""

from .cli.main import main

main()
