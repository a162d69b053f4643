"""The names of the three card poker bets and their codes, and the qualifiers by their numbers in `rules`."""

from __future__ import annotations

from croupier.games.three_card_poker import rules

# Name -> (kind, number). The Ante opens the session; Play is the second stake, equal to it.
BETS: dict[str, tuple[int, int]] = {
    "ante": (rules.ANTE, 0),
    "play": (rules.PLAY, 0),
    "pair_plus": (rules.PAIR_PLUS, 0),
    "six_card": (rules.SIX_CARD, 0),
    "progressive": (rules.PROGRESSIVE, 0),
}
SIDE_BETS = ("pair_plus", "six_card", "progressive")

QUALIFIERS: dict[str, int] = {"queen": rules.QUEEN, "q64": rules.QUEEN_SIX_FOUR}
