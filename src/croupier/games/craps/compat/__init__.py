"""The craps document's objects: `CrapsGame` and what goes with it, for scripts, notebooks and lessons.

It changes in place, knows no balances and no turns, and keeps no record; the match game, `craps-table`, has all that
and is the interface to build on. Every rule is that of the one engine: this is a shell around `CrapsTable`, `place_bet`
and `throw`. Where it differs from the document on purpose, `docs/conformance.md` says why.
"""

from croupier.games.craps.compat.bets import (
    Bet,
    BetLimits,
    BetResolution,
    BetState,
    BetType,
    CrapTokens,
    GameId,
    GamePhase,
    HopBet,
    InvalidBet,
    OddsBet,
    PeerId,
    RateLimiter,
    calculate_odds_payout,
)
from croupier.games.craps.compat.game import CrapsGame
from croupier.games.craps.compat.rolls import (
    DiceRoll,
    EntropyContribution,
    RollSequence,
    roll_dice_from_sources,
    roll_dice_secure,
)
from croupier.games.craps.layout import HISTORY_MAX as MAX_HISTORY

__all__ = [
    "MAX_HISTORY",
    "Bet",
    "BetLimits",
    "BetResolution",
    "BetState",
    "BetType",
    "CrapTokens",
    "CrapsGame",
    "DiceRoll",
    "EntropyContribution",
    "GameId",
    "GamePhase",
    "HopBet",
    "InvalidBet",
    "OddsBet",
    "PeerId",
    "RateLimiter",
    "RollSequence",
    "calculate_odds_payout",
    "roll_dice_from_sources",
    "roll_dice_secure",
]
