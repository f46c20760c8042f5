"""What all games share: no campaign files, no clock, no network, no game."""
