"""Play: boards, positions, states and views of a match, legality, public events, scores."""
