"""`Game`: a set of rules as one class. Everything else in croupier is made from what it says here."""

from __future__ import annotations

import inspect
import re
import sys
import typing
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar, Generic, Literal, TypeVar

import msgspec
from msgspec import Struct

from croupier.engine.actions import ActionSpec, is_snake_case, specs_of
from croupier.engine.model import Action, Match, MatchResult, MatchView
from croupier.engine.plain import UNREADABLE, canonical, misread, nearest, not_plain, shown
from croupier.engine.shapes import StateShape, is_changeable, kinds_in
from croupier.engine.turn import Setup, Turn
from croupier.errors import BadGame, BadOptions
from croupier.rng import GameRng

S = TypeVar("S")

_ID = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")

Bot = Callable[[MatchView[Any], tuple[Action, ...], GameRng], Action]
"""A player that sees one view: (view, legal actions, a stream of its own) -> one of the actions."""


class NoOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """The options of a game that has none."""


class Range(Struct, frozen=True):
    """The whole numbers a payload field may take where there are too many to list: from low to high by step."""

    low: int
    high: int
    step: int = 1


class Advice(Struct, frozen=True):
    """Advice on one legal action: its worth to whoever takes it, an exact value, in words, best first in a list."""

    action: Action
    value: Any
    text: str


class Game(Generic[S]):
    """The rules of a game over a state of type S, as in `class Pig(Game[PigState])`; an instance holds nothing.

    Required: `id`, `name`, `players`, `setup`, and at least one method marked with `@action`. The state is a frozen
    struct (or plain JSON, if it must); a method gets the state and returns the next one.
    """

    id: ClassVar[str]
    """Names the game everywhere; lower case with dashes."""
    name: ClassVar[str]
    players: ClassVar[tuple[int, int]]
    """Fewest and most players."""
    description: ClassVar[str] = ""
    category: ClassVar[Literal["card", "board", "dice", "hybrid"]] = "hybrid"
    tags: ClassVar[tuple[str, ...]] = ()
    starting_phase: ClassVar[str] = "play"
    phases: ClassVar[tuple[str, ...]] = ()
    """Phases that no action names; those the actions name are known already."""
    rules_version: ClassVar[int] = 1
    """Goes up whenever some seed and actions give another outcome than before."""
    older_rules: ClassVar[tuple[int, ...]] = ()
    """Versions before it that the game still plays: actions of a match begun under one read `turn.rules_version`."""
    late_join: ClassVar[bool] = False
    """Whether players may sit down after the start; then write `on_join`."""
    Options: ClassVar[type[Struct]] = NoOptions
    bots: ClassVar[Mapping[str, Bot]] = {}
    """The game's own bots by name, besides those that play any game."""
    seat_bot: ClassVar[str] = ""
    """The bot that sits where nobody is named, at a terminal; a game without one leaves such seats to people."""
    objectives: ClassVar[tuple[str, ...]] = ()
    """Objectives of the coach, the usual first; a game without a coach has none."""
    situation_help: ClassVar[str] = ""
    """How a player describes a situation to the coach, with an example."""
    migrations: ClassVar[Mapping[int, Callable[[dict[str, Any]], dict[str, Any]]]] = {}
    """For saves: rules version n -> a function from a plain state of version n to one of version n + 1."""

    turn_type: ClassVar[type[Turn]] = Turn
    setup_type: ClassVar[type[Setup]] = Setup

    actions: ClassVar[dict[str, ActionSpec]]
    shape: ClassVar[StateShape]
    has_validate: ClassVar[bool]
    has_turn_begin: ClassVar[bool]
    has_end_if: ClassVar[bool]
    has_seal: ClassVar[bool]
    has_secrets: ClassVar[bool]
    """Whether the game hides anything from anyone: whether it has a `view` of its own."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if hasattr(cls, "id"):  # a family of games has none yet; a game that changes another may keep its id
            _complete(cls)

    # What a game writes.

    def setup(self, table: Setup) -> S:
        """Return the state the match starts with."""
        raise BadGame(f"{type(self).__name__} needs a method setup(self, table) that returns the first state")

    def validate(self, state: S, action: Action, turn: Turn) -> Any:
        """Return True, or why not (text, or a `Rules` verdict): for checks that several actions share."""
        return True

    def legal(self, state: S, turn: Turn) -> Iterable[Action]:
        """Yield what `turn.actor` might do; the engine keeps what the rules accept.

        As it stands it lists every payload of the actions whose fields have finitely many values.
        """
        for spec in self.actions.values():
            for payload in spec.candidates() or ():
                yield Action(spec.name, payload)

    def ranges(self, state: S, turn: Turn) -> Mapping[str, Mapping[str, Range]]:
        """Return the ranges of fields with too many values to list: action -> field -> range."""
        return {}

    def on_turn_begin(self, state: S, turn: Turn) -> S:
        """Return the state at the start of `turn.actor`'s turn. It may set a phase or end the game."""
        return state

    def end_if(self, state: S, turn: Turn) -> MatchResult | None:
        """Return the result if the match is over; asked after every action."""
        return None

    def on_join(self, state: S, turn: Turn) -> S:
        """Return the state after `turn.actor` sat down in the middle of a match."""
        return state

    def on_leave(self, state: S, turn: Turn) -> S:
        """Return the state after `turn.actor` left. The engine takes them out of the order and passes the turn on."""
        return state

    def auto_action(self, state: S, turn: Turn) -> Action | None:
        """Return what is done for `turn.actor` who ran out of time; None means the first legal action."""
        return None

    def view(self, state: S, viewer: str | None) -> S:
        """Return the state as `viewer` may see it (None: a spectator), secrets replaced by stand-ins."""
        return state

    def redeal(self, state: S, viewer: str | None, rng: GameRng) -> S:
        """Return a state that differs only in what `viewer` cannot know. It must also work on `viewer`'s own view."""
        return state

    def advise(self, view: MatchView[S], legal: tuple[Action, ...], objective: str = "") -> tuple[Advice, ...]:
        """Return the legal actions with their values, best first; empty where the game has no coach.

        `objective` is one of `objectives`; without one, the first.
        """
        return ()

    def objective_named(self, objective: str) -> str:
        """Return the objective of this name, or the first where there is no name."""
        objective = objective or self.objectives[0]
        if objective not in self.objectives:
            raise BadOptions(f"objective {objective!r}: {' or '.join(self.objectives)}", "$.objective")
        return objective

    def situation(self, text: str, options: Any = None) -> Match[S]:
        """Return a match in the situation a player describes, for the coach; `BadOptions` if it cannot be read."""
        raise BadOptions(f"{self.name} has no short way to describe a situation; give a record or a saved match")

    def describe(self, action: Action, before: Match[S], after: Match[S]) -> str:
        """Return one line for the log. It must hold no more than every player saw."""
        from croupier.engine.notation import format_action

        who = next((player.name or player.id for player in before.players if player.id == action.player_id), "")
        shown = Action(action.type) if self.is_secret(action) else action
        return f"{who}: {format_action(shown)}"

    def preview(self, view: MatchView[S], action: Action) -> str | None:
        """Return what an action of the viewer's would lead to, in Rich markup; None where the game shows no previews.

        It is made from the view alone, so it tells nothing that the viewer does not know.
        """
        return None

    def foresee(self, view: MatchView[S], action: Action) -> tuple[Any, tuple[str, ...]] | None:
        """Return the state as an action of the viewer's would show it to them, and what it does in words.

        None where the game foresees nothing. Like `preview` it is made from the view alone; pages draw it.
        """
        return None

    def render(self, view: MatchView[S]) -> str:
        """Return the view as text for a terminal, in Rich markup."""
        return _as_text(view.game)

    def phrase(self, view: MatchView[S], action: Action) -> str:
        """Return an action as players say it, counted as `render` shows it; empty: its name and fields will do."""
        return ""

    def understand(self, view: MatchView[S], line: str) -> Action | None:
        """Return the action that a line means in the game's own words, as `phrase` has them; None where it has none.

        The first word has been completed to the name of an action where it was the beginning of one. `refuse` says
        what cannot be read.
        """
        return None

    def rules_text(self) -> str:
        """Return the rules for people, in Markdown: the file rules.md beside the game's module, else its docstring."""
        from importlib import resources

        package = getattr(sys.modules.get(type(self).__module__), "__package__", None)
        page = resources.files(package) / "rules.md" if package else None
        if page is not None and page.is_file():
            return page.read_text(encoding="utf-8")
        return inspect.getdoc(self) or self.name

    # What the engine asks.

    def terms(self, stake: int, super_mode: bool) -> Any:
        """Return what set-up needs from its host to begin as a record says; None for games without chips."""
        return None

    def sample_terms(self) -> Any:
        """Return terms a match can begin with, for checks and demonstrations."""
        return None

    def audit(self, state: S, options: Any = None) -> str | None:
        """Return None if play can lead to the state, else what is wrong; asked wherever a stored state is read."""
        return None

    def opening(self, start: Match[S]) -> tuple[int, bool]:
        """Return what a record must say for `terms`: the opening stake, and whether it was a super session."""
        return 0, False

    def seal(self, state: S, table: Setup | Turn) -> S:
        """Return the state with what was declared on the turn, such as money; for families of games."""
        return state

    def is_secret(self, action: Action) -> bool:
        """Tell whether other players may not read the action's payload while the match is on."""
        spec = self.actions.get(action.type)
        return spec is not None and spec.secret

    def read_options(self, options: Any) -> Any:
        """Return the options as the game's struct: from None, a mapping, or the struct itself."""
        try:
            if options is None:
                options = {}
            if isinstance(options, self.Options):
                options = msgspec.to_builtins(options)  # a struct made in memory has been checked by nobody
            read = msgspec.convert(options, self.Options)
        except UNREADABLE as error:
            text, path = misread(error)
            raise BadOptions(self._option_problem(options, text, path), path) from None
        if problem := not_plain(msgspec.to_builtins(read), tuples=True):
            raise BadOptions(f"{self.name}: {problem}")
        return read

    def _option_problem(self, options: Any, text: str, path: str) -> str:
        """Return what is wrong with options: what a refused one may be, or which one was probably meant."""
        fields = {field.name: field.type for field in msgspec.inspect.type_info(self.Options).fields}  # type: ignore[attr-defined]
        name = path.removeprefix("$.")
        if name in fields:
            kind = fields[name]
            values = kind.values if isinstance(kind, msgspec.inspect.LiteralType) else ()
            allowed = f"; it is one of {', '.join(map(str, values))}" if values else ""
            return f"{self.name}: {text} for {name}{allowed}"
        unknown = [str(key) for key in options if key not in fields] if isinstance(options, dict) else []
        if path != "$" or not unknown:
            return f"{self.name}: {text} at {path}"
        meant = nearest(unknown[0], fields) or f"; it has {', '.join(fields) or 'none'}"
        return f"{self.name} has no option {shown(unknown[0])}{meant}"


def _complete(cls: type[Game[Any]]) -> None:
    """Check a game class as far as it can be checked by looking, and give it its actions and state shape."""
    name = cls.__name__
    game_id = cls.id
    if not isinstance(game_id, str) or not _ID.fullmatch(game_id):
        raise BadGame(f'{name}.id is lower-case words joined by dashes, such as "shut-the-box", not {game_id!r}')
    if not isinstance(getattr(cls, "name", None), str) or not cls.name:
        raise BadGame(f"{name}.name is what players call the game")
    players = getattr(cls, "players", None)
    if not (isinstance(players, tuple) and len(players) == 2 and all(type(n) is int for n in players)):
        raise BadGame(f"{name}.players is (fewest, most), such as (2, 4), not {players!r}")
    if not 1 <= players[0] <= players[1]:
        raise BadGame(f"{name}.players {players} must be at least 1, and not the other way round")
    if type(cls.rules_version) is not int or cls.rules_version < 1:
        raise BadGame(f"{name}.rules_version is a whole number from 1")
    cls.shape = StateShape.of(name, _state_type(cls))
    _check_options(f"{name}.Options", cls.Options)
    if not isinstance(cls.phases, tuple):
        raise BadGame(f"{name}.phases is a tuple of phases, not {cls.phases!r}")
    for phase in (cls.starting_phase, *cls.phases):
        if not is_snake_case(phase):
            raise BadGame(f"{name}: the phase {phase!r} is not lower snake_case")
    cls.actions = specs_of(cls)
    if not cls.actions:
        raise BadGame(f"{name} has no action: mark at least one method with @action")
    reachable = {phase for spec in cls.actions.values() for phase in spec.phases}
    if cls.starting_phase not in reachable and all(spec.phases for spec in cls.actions.values()):
        raise BadGame(
            f"{name}: no action can be taken in the starting phase {cls.starting_phase!r}; set starting_phase"
        )
    cls.phases = tuple(sorted({*cls.phases, cls.starting_phase, *reachable}))
    cls.has_validate = cls.validate is not Game.validate
    cls.has_turn_begin = cls.on_turn_begin is not Game.on_turn_begin
    cls.has_end_if = cls.end_if is not Game.end_if
    cls.has_seal = cls.seal is not Game.seal
    cls.has_secrets = cls.view is not Game.view
    if cls.legal is Game.legal:
        for spec in cls.actions.values():
            if spec.candidates() is None:
                raise BadGame(
                    f"{name}.{spec.name} takes more values than can be listed: write legal() to say which matter"
                )


def _check_options(owner: str, options: Any) -> None:
    if not (isinstance(options, type) and issubclass(options, Struct)):
        raise BadGame(f"{owner} is a class of its own, such as class Options(Struct), not {options!r}")
    StateShape.of(owner, options)
    if not options.__struct_config__.forbid_unknown_fields or not options.__struct_config__.frozen:
        raise BadGame(f"{owner} must be a Struct with frozen=True, forbid_unknown_fields=True")
    if any(is_changeable(kind) for kind in kinds_in(options, "the options")):
        raise BadGame(f"{owner} can be changed in place: use tuples and frozen structs for lists and dicts")


def _state_type(cls: type) -> Any:
    for base in cls.__mro__:
        for alias in vars(base).get("__orig_bases__", ()):
            origin = typing.get_origin(alias)
            if isinstance(origin, type) and issubclass(origin, Game):
                (state,) = typing.get_args(alias)
                if not isinstance(state, TypeVar):
                    return state
    raise BadGame(f"{cls.__name__}: say what the state is, as in class {cls.__name__}(Game[State])")


def _as_text(value: Any) -> str:
    from croupier.kit.markup import escape_markup  # here, because the kit is not needed to play

    return escape_markup(msgspec.json.format(canonical(value), indent=2).decode())
