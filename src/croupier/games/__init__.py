"""The games, a folder each. A game imports no other game."""
