"""Bots by name, and one decision of a bot: at a table an illegal choice is replaced, in a simulation it is an error."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from msgspec.structs import replace

from croupier.bots.errors import IllegalChoice, UnknownBot
from croupier.bots.playouts import monte_carlo
from croupier.bots.search import expectimax, greedy
from croupier.bots.simple import first_bot, random_bot
from croupier.bots.thinking import THINKING, Thinking
from croupier.bots.tree import SEARCHING, tree_search
from croupier.engine import Action, Bot, Game, Match, apply_action, legal_actions, view_for
from croupier.engine.transition import THROW_AWAY_SEED
from croupier.fairness import derive
from croupier.rng import GameRng

GENERIC: Mapping[str, Callable[[Game[Any]], Bot]] = MappingProxyType(
    {
        "random": lambda game: random_bot,
        "first": lambda game: first_bot,
        "greedy": greedy,
        "monte_carlo": monte_carlo,
        "expectimax": expectimax,
        "tree_search": tree_search,
    }
)
"""The bots that play any game, from the simplest to the most thorough: name -> a function from the game to its bot."""

PLAYING_OUT: Mapping[str, tuple[Callable[..., Bot], Thinking]] = MappingProxyType(
    {"monte_carlo": (monte_carlo, THINKING), "tree_search": (tree_search, SEARCHING)}
)
"""Those that play matches out in their heads, and how long they think unless told otherwise."""


def bot_names(game: Game[Any]) -> tuple[str, ...]:
    """Return the names of all bots that play the game: its own, then those that play any."""
    return tuple(dict.fromkeys((*game.bots, *GENERIC)))


def find_bot(
    game: Game[Any],
    name: str,
    *,
    seconds: float = 0.0,
    clock: Callable[[], float] | None = None,
    on_progress: Callable[[float], object] | None = None,
) -> Bot:
    """Return the bot of that name; a game's own bot goes before one that plays any game.

    A host with a clock may say how many seconds a decision may take of a bot that plays matches out, and be told how
    far it is (`Thinking`); other bots do not think by the clock.
    """
    if name in game.bots:
        return game.bots[name]
    if name in PLAYING_OUT:
        make, usual = PLAYING_OUT[name]
        return make(game, thinking=replace(usual, seconds=seconds, clock=clock, on_progress=on_progress))
    if name in GENERIC:
        return GENERIC[name](game)
    raise UnknownBot(f"{game.name} has no bot {name!r}; there are {', '.join(bot_names(game))}")


def bot_stream(seed: bytes, player_id: str, version: int) -> GameRng:
    """Return the stream of one decision: of the bot that sits there, at that version of the match.

    The seed is the bots' own, never that of a match, whose draws it would tell.
    """
    return GameRng.new(derive(seed, f"bot/{player_id}"), 0, version)


def bot_action(game: Game[Any], match: Match[Any], bot: Bot, player_id: str, seed: bytes) -> Action | None:
    """Return what the bot says for a player, legal or not; None, without asking it, where there is nothing to do."""
    legal = legal_actions(game, match, player_id)
    return _ask(game, match, bot, player_id, seed, legal) if legal else None


def pick_bot_action(game: Game[Any], match: Match[Any], bot: Bot, player_id: str, seed: bytes) -> Action | None:
    """Return the bot's choice if it is legal, else the first legal action, else None. The player is filled in.

    So no bot stops a table. Figures of a bot are its own: `play_out` and all that simulates raise `IllegalChoice`.
    """
    legal = legal_actions(game, match, player_id)
    try:
        return choose(game, match, bot, player_id, seed, legal) if legal else None
    except IllegalChoice:
        return legal_actions(game, match, player_id)[0]  # listed anew: the bot may have scribbled on its list


def choose(
    game: Game[Any], match: Match[Any], bot: Bot, player_id: str, seed: bytes, legal: tuple[Action, ...]
) -> Action:
    """Return the bot's choice for a player who has legal actions, or raise `IllegalChoice`. The player is filled in.

    What a bot says is tried like `legal_actions` tries: with a stream that tells nothing of the real one. It need not
    be listed (a stake within a range is not), but what hosts say, such as `leave`, is not for bots to say.
    """
    said = _ask(game, match, bot, player_id, seed, legal)
    why = "an action of the game for its own seat is wanted"
    if isinstance(said, Action) and said.type in game.actions and said.player_id in (None, player_id):
        answer = apply_action(game, match, Action(said.type, said.payload, player_id), seed=THROW_AWAY_SEED)
        if answer.ok:
            return answer.action
        why = answer.error
    raise IllegalChoice(f"{game.name}: the bot of {player_id} made no legal move but {said!r:.80}: {why}")


def _ask(
    game: Game[Any], match: Match[Any], bot: Bot, player_id: str, seed: bytes, legal: tuple[Action, ...]
) -> Action:
    view = view_for(game, match, player_id)
    # A copy where the state could be changed in place: what a bot does to it is not done to the match.
    view = replace(view, game=game.shape.hand_out(view.game))
    return bot(view, legal, bot_stream(seed, player_id, match.version))
