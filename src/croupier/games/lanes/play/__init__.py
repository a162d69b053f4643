"""Play: boards, positions, the match of two, what is legal, what everybody saw, scores."""
