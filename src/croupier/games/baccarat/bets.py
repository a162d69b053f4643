"""The names of the baccarat bets and their codes on the wire; no bet here carries a number."""

from __future__ import annotations

from croupier.games.baccarat import rules

# Name -> (kind, number). The codes stand in docs/protocol.md, Bets.
BETS: dict[str, tuple[int, int]] = {
    "player": (rules.PLAYER, 0),
    "banker": (rules.BANKER, 0),
    "tie": (rules.TIE, 0),
    "player_pair": (rules.PLAYER_PAIR, 0),
    "banker_pair": (rules.BANKER_PAIR, 0),
    "lucky_six": (rules.LUCKY_SIX, 0),
    "player_dragon": (rules.PLAYER_DRAGON, 0),
    "banker_dragon": (rules.BANKER_DRAGON, 0),
    "panda_eight": (rules.PANDA_EIGHT, 0),
    "perfect_pair": (rules.PERFECT_PAIR, 0),
}
NAMES: dict[tuple[int, int], str] = {code: name for name, code in BETS.items()}
