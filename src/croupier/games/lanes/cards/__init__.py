"""The cards of Lanes: card sets read from JSON, decks and hands, their words, and the row that the rules read."""
