"""The games that come with the adjudicator; each is found by its entry point."""
