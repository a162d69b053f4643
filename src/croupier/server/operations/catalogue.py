"""Catalogue of games: games with the schemas of their actions, rules, what pays what, odds, and the coach."""

from __future__ import annotations

import re
import threading
from fractions import Fraction
from functools import cache
from operator import attrgetter
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from croupier.bots import bot_names
from croupier.engine import Action, Game, Match, MatchView, get_game, legal_actions, list_games, view_for
from croupier.engine.plain import UNREADABLE, canonical, misread
from croupier.engine.registry import has_game
from croupier.errors import CroupierError
from croupier.house import HouseGame
from croupier.server.operations import room_views, sessions
from croupier.server.operations import table_settings as tables
from croupier.server.operations.context import Caller, Context
from croupier.server.operations.declaration.fields import SessionId, Whole
from croupier.server.operations.declaration.operation import Later, operation
from croupier.server.problems import Problem, ensure, existing
from croupier.wire.games import (
    ActionView,
    AdviceRow,
    AdviceView,
    GameSummary,
    GameView,
    OddsView,
    PayTable,
    PreviewView,
    RulesView,
    TableView,
)

# Games.


@operation("games", "GET /games", name="list_games", role="anyone")
def list_all_games() -> tuple[GameSummary, ...]:
    """List the games."""
    found = []
    for game_id in list_games():
        try:
            found.append(_summary(get_game(game_id)))
        except CroupierError:  # a package that does not load: `croupier games` says why
            continue
    return tuple(found)


def _summary(game: Game[Any]) -> GameSummary:
    facts = (game.id, game.name, game.description, game.category, game.players, game.rules_version)
    return GameSummary(*facts, isinstance(game, HouseGame), tuple(bot_names(game)), game.objectives)


@operation("games", "GET /games/{game_id}", name="get_game", role="anyone", codes=("no_such_game",))
def find_game(game_id: str) -> GameView:
    """Look at a game: the schemas of its options and actions, and what pays what."""
    return _game_view(_game(game_id).id)


@cache
def _game_view(game_id: str) -> GameView:
    game = get_game(game_id)
    actions = {
        spec.name: ActionView(spec.phases, spec.by, spec.secret, spec.opcode, spec.doc, spec.schema())
        for spec in game.actions.values()
    }
    opens = game.opens_with_stake if isinstance(game, HouseGame) else None
    options = msgspec.json.schema(game.Options)
    return GameView(_summary(game), options, actions, opens, pay_tables(game.rules_text()))


@operation("games", "GET /games/{game_id}/rules", name="get_rules", role="anyone", codes=("no_such_game",))
def rules_of(game_id: str) -> RulesView:
    """Read the rules of a game, in Markdown."""
    game = _game(game_id)
    return RulesView(game.id, game.rules_version, game.rules_text())


def pay_tables(rules: str) -> tuple[PayTable, ...]:
    r"""Return the tables of a page of rules that say what is paid, by a column or in the heading.

    >>> pay_tables("## Bets\n| bet | pays |\n|---|---|\n| red | 1 to 1 |\n")
    (PayTable(heading='Bets', columns=('bet', 'pays'), rows=(('red', '1 to 1'),)),)
    """
    found, heading, lines = [], "", [*rules.splitlines(), ""]
    table: list[tuple[str, ...]] = []
    for line in lines:
        if line.startswith("|"):
            table.append(tuple(cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))))
            continue
        if len(table) > 2 and re.search(r"\bpays?\b", " ".join((heading, *table[0]))):
            found.append(PayTable(heading, table[0], tuple(table[2:])))
        table = []
        if line.startswith("#"):
            heading = line.lstrip("# ")
    return tuple(found)


def _game(game_id: str) -> Game[Any]:
    ensure(has_game(game_id), "no_such_game")
    return get_game(game_id)


# Tables and odds.


@operation("games", "GET /tables", role="anyone")
def list_tables(call: Context) -> tuple[TableView, ...]:
    """List the tables of the house, with their options and limits."""
    limits = attrgetter(*tables.LIMITS)
    found = tables.catalogue(call).values()
    return tuple(TableView(table.id, table.game_id, table.options, *limits(table)) for table in found)


@operation("games", "GET /games/{game_id}/odds", role="anyone", codes=("no_such_game", "no_odds", "not_found"))
def get_odds(call: Context, game_id: str, table: Whole | None = None, is_super: bool = False) -> Later[OddsView]:
    """Get the exact chances and edges of every bet, at a table or under the usual options."""
    return Later(odds_of, *table_options(call, game_id, table), is_super)


def table_options(call: Context, game_id: str, table_id: int | None) -> tuple[str, bytes]:
    """Return a game and its options as odds are asked for: those of a table, or the usual ones."""
    game = _game(game_id)
    if not isinstance(game, HouseGame):
        raise Problem("no_odds")
    if table_id is None:
        return game.id, canonical(game.read_options(None))
    table = tables.catalogue(call).get(table_id)
    if table is None or table.game_id != game.id:
        raise Problem("not_found", f"there is no table {table_id} of {game.name}")
    return game.id, canonical(table.options)


Asked = tuple[str, bytes, bool]
"""Key of counted odds: a game, its options, and whether super mode is on."""
COUNTED_MAX = 128
_counted: dict[Asked, OddsView] = {}
_counting = threading.Lock()


def odds_of(*asked: *Asked) -> OddsView:
    """Return the odds of a game under options. What nobody has counted takes up to seconds; nobody counts it twice."""
    if found := _counted.get(asked):
        return found
    with _counting:
        return _counted.get(asked) or keep_odds(asked, count_odds(*asked))


def odds_of_tables(call: Context) -> list[Asked]:
    """List the odds of every table that nobody has counted yet, those without super mode first."""
    found = {(table.game_id, canonical(table.options)): None for table in tables.catalogue(call).values()}
    return [asked for is_super in (False, True) for each in found if (asked := (*each, is_super)) not in _counted]


def keep_odds(asked: Asked, odds: OddsView) -> OddsView:
    """Keep odds that were counted, here or elsewhere, and return them."""
    if len(_counted) == COUNTED_MAX:  # of tables that were others once
        _counted.clear()
    return _counted.setdefault(asked, odds)


def count_odds(game_id: str, options: bytes, is_super: bool) -> OddsView:
    """Count the odds of a game under options, in whichever process this is."""
    game = get_game(game_id)
    assert isinstance(game, HouseGame)
    plain = msgspec.json.decode(options)
    read = game.read_options(plain)
    rows = game.super_odds(read) if is_super else game.odds(read)
    return OddsView(game.id, plain, is_super, tuple(row.plain() for row in rows))


# The coach.


class Situation(Struct, frozen=True):
    """Situation that the coach is asked about: what one player sees, and may do."""

    game: Any
    view: MatchView[Any]
    legal: tuple[Action, ...]
    objective: str


Objective = Annotated[str, Meta(max_length=32)]
"""Objective of the coach; by default the usual one of the game."""


@operation(
    "rooms", "GET /rooms/{room_id}/coach", codes=("no_such_room", "no_coach", "not_seated", "not_started", "finished")
)
def coach_room(call: Context, caller: Caller, room_id: str, objective: Objective = "") -> Later[AdviceView]:
    """Ask what each of your choices is worth, best first."""
    return Later(advise, _situation(*_seat_in(call, caller, room_id), objective))


@operation(
    "house", "GET /sessions/{session_id}/coach", codes=("no_such_session", "no_longer_kept", "no_coach", "finished")
)
def coach_session(call: Context, caller: Caller, session_id: SessionId, objective: Objective = "") -> Later[AdviceView]:
    """Ask what each of your choices is worth, best first."""
    game, match, cover = sessions.situation(call, caller, session_id)
    return Later(advise, _situation(game, match, caller.id, objective, cover))


def _seat_in(call: Context, caller: Caller, room_id: str) -> tuple[Game[Any], Match[Any], str]:
    """Return a match that is on, and who the caller is in it."""
    room = call.room(room_id)
    room_views.check_may_look(room, caller.id)
    player_id = existing(room_views.player_of(room, caller.id), "not_seated")
    ensure(room.status != "finished", "finished")
    return get_game(room.game_id), call.live(room).match, player_id


def _situation(game: Game[Any], match: Any, player_id: str, objective: str, host: Any = None) -> Situation:
    ensure(match.status != "finished", "finished")
    ensure(game.objectives, "no_coach")
    aim = objective or game.objectives[0]
    if aim not in game.objectives:
        raise Problem("bad_request", f"{game.name} has no objective {aim!r}; there are {', '.join(game.objectives)}")
    return Situation(game, view_for(game, match, player_id), legal_actions(game, match, player_id, host=host), aim)


def advise(situation: Situation) -> AdviceView:
    """Return what the coach says of a situation; nothing where it is not the player's go. It may think for a while."""
    game, view = situation.game, situation.view
    given = game.advise(view, situation.legal, situation.objective) if situation.legal else ()
    best = _number(given[0].value) if given else None
    rows = []
    for item in given:
        value = _number(item.value)
        cost = None if value is None or best is None else abs(value - best)
        rows.append(
            AdviceRow(
                item.action,
                str(item.value) if value is None else _ratio(value),
                None if value is None else float(value),
                None if cost is None else _ratio(cost),
                item.text,
            )
        )
    return AdviceView(game.id, situation.objective, view.viewer or "", view.version, tuple(rows))


# Previews.


@operation(
    "rooms", "GET /rooms/{room_id}/preview", name="preview",
    codes=("no_such_room", "no_preview", "not_seated", "not_started", "finished"),
)  # fmt: skip
def preview_in_room(
    call: Context,
    caller: Caller,
    room_id: str,
    type: Annotated[str, Meta(min_length=1, max_length=64, examples=["play"])],
    payload: Annotated[str, Meta(max_length=2048, examples=["{}"])] = "{}",
) -> PreviewView:
    """See what one of your legal actions would lead to, as far as you can know, where the game shows that."""
    game, match, player_id = _seat_in(call, caller, room_id)
    action = Action(type, _object(payload), player_id)
    view = view_for(game, match, player_id)
    if all((one.type, one.payload) != (type, action.payload) for one in legal_actions(game, match, player_id)):
        raise Problem("bad_request", f"{type} with that payload is not among what you can do now")
    after, reasons = existing(game.foresee(view, action), "no_preview")
    return PreviewView(view.version, action, after, reasons)


def _object(text: str) -> dict[str, Any]:
    try:
        return msgspec.json.decode(text, type=dict[str, Any])
    except UNREADABLE as error:
        said, where = misread(error)
        raise Problem("bad_request", f"payload: {said} at {where}") from None


def _number(value: Any) -> Fraction | None:
    return Fraction(value) if isinstance(value, (int, Fraction)) else None


def _ratio(value: Fraction) -> str:
    return f"{value.numerator}/{value.denominator}"
