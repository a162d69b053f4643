"""`check_game`: play a game at random, many times, and hold it to every law (invariant) the engine relies on.

Each finding names the law, where it broke (seed and version, so that it can be seen again), and what to change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from typing import Any

import msgspec

from croupier.engine import (
    Accepted,
    Action,
    Game,
    LogEntry,
    Match,
    MatchClient,
    Refused,
    apply_action,
    canonical,
    create_match,
    deserialize_match,
    legal_actions,
    make_record,
    serialize_match,
    state_digest,
    verify,
    view_for,
    write_record,
)
from croupier.engine.model import HOST
from croupier.engine.notation import format_action, parse_action
from croupier.engine.plain import copy_plain
from croupier.engine.transition import THROW_AWAY_SEED, trial_turn
from croupier.engine.turn import Refusal
from croupier.engine.views import imagine, log_for
from croupier.errors import BadGame, CroupierError
from croupier.fairness import derive
from croupier.house import HouseGame
from croupier.rng import GameRng
from croupier.testing.house_laws import HouseLaws, HouseReport, law_of
from croupier.testing.watch import impure_calls

REDEALS = 3
TRIED_PER_STEP = 12
PLAYED_ON = 30
"""So many moves are made after somebody left or joined."""


class Finding(msgspec.Struct, frozen=True):
    """A law that a game breaks: its name, where it was seen, and what to change."""

    law: str
    text: str
    where: str

    def __str__(self) -> str:
        return f"[{self.law}] {self.text} ({self.where})"


class CheckReport(msgspec.Struct, frozen=True):
    """Report of `check_game`: what was played, and what was found: nothing, for a game that conforms."""

    game_id: str
    matches: int
    actions: int
    findings: tuple[Finding, ...]
    house: HouseReport | None = None
    """How many rows of the odds were counted and simulated, for a house game."""


class GameCheckFailed(CroupierError, AssertionError):
    """A game breaks laws of the engine; the sentence lists each with its fix."""

    code = "game_check_failed"

    def __init__(self, report: CheckReport) -> None:
        lines = "\n".join(f"  {number}. {finding}" for number, finding in enumerate(report.findings, 1))
        super().__init__(f"{report.game_id} breaks {len(report.findings)} laws:\n{lines}")
        self.report = report


def check_game(
    game: Game[Any],
    *,
    seeds: int = 8,
    options: Sequence[Any] = (None,),
    player_counts: Iterable[int] | None = None,
    limit: int = 2000,
    rounds: int = 4000,
    outcomes: int = 2000,
) -> CheckReport:
    """Return a report if the game keeps every law, else raise `GameCheckFailed` with what to fix.

    Every set of options is played with the fewest players, the most (up to four), or the counts given, from as
    many seeds; a match must end within `limit` actions of random play. The odds of a house game are counted where a
    round can fall in at most `outcomes` ways, and compared with `rounds` rounds in all; 0 leaves that out.
    """
    report = inspect_game(
        game, seeds=seeds, options=options, player_counts=player_counts, limit=limit, rounds=rounds, outcomes=outcomes
    )
    if report.findings:
        raise GameCheckFailed(report)
    return report


def inspect_game(
    game: Game[Any],
    *,
    seeds: int = 8,
    options: Sequence[Any] = (None,),
    player_counts: Iterable[int] | None = None,
    limit: int = 2000,
    rounds: int = 4000,
    outcomes: int = 2000,
) -> CheckReport:
    """Return what `check_game` finds, without raising."""
    if isinstance(game, type) and issubclass(game, Game):
        game = game()
    if not isinstance(game, Game):
        raise BadGame(f"check_game takes a game, such as Pig(), not {game!r}")
    fewest, most = game.players
    counts = sorted({fewest, min(most, max(4, fewest))}) if player_counts is None else list(player_counts)
    has_odds = isinstance(game, HouseGame) and rounds + outcomes > 0
    if not options or not (has_odds or (counts and seeds > 0)):
        raise BadGame(f"check_game would play nothing: seeds={seeds}, options={options}, player_counts={counts}")
    inspection = _Inspection(game, limit)
    laws = HouseLaws(game, inspection.found, rounds, outcomes) if isinstance(game, HouseGame) else None
    inspection.house = laws
    for chosen in options:
        for count in counts:
            for number in range(seeds):
                inspection.attempt(inspection.run, chosen, count, number)
        if laws is not None and has_odds:
            inspection.where = "the usual options" if chosen is None else f"options {chosen}"
            inspection.attempt(laws.check, chosen)
    inspection.conclude()
    house = None if laws is None else laws.report
    return CheckReport(game.id, inspection.matches, inspection.actions, tuple(inspection.findings.values()), house)


class _Inspection:
    """One run of the kit over one game. Each law is a method; a law that broke once is not looked at again."""

    def __init__(self, game: Game[Any], limit: int) -> None:
        self.game = game
        self.limit = limit
        self.matches = 0
        self.actions = 0
        self.findings: dict[str, Finding] = {}
        self.where = ""
        self.house: HouseLaws | None = None
        self.hides = False
        self.redeal_changed = False

    def found(self, law: str, text: str) -> None:
        self.findings.setdefault(law, Finding(law, text, self.where))

    def attempt(self, check: Callable[..., None], *given: Any) -> None:
        """Make a check. Whatever the game raises is a finding, and the checks after this one are made."""
        try:
            check(*given)
        except Exception as error:
            self.found(*law_of(error))

    def run(self, options: Any, count: int, number: int) -> None:
        """Play one match to its end and check it on the way and afterwards."""
        seed = derive(b"croupier.testing", str(number))
        self.matches += 1
        self.where = f"seed {number}, {count} players, set-up"
        players = [f"p{seat}" for seat in range(count)]
        start = self.start(players, seed, number, options)
        again = self.start(players, seed, number, options)
        if state_digest(start) != state_digest(again):
            self.found("same seed, same state", "setup gave two different states; it must depend on its table alone")
        client = self.play(start, GameRng.new(derive(seed, "choices"), number, 0))
        if client is not None:
            self.after(start, client, number)

    def start(self, players: Any, seed: bytes, session_id: int, options: Any) -> Match[Any]:
        host = self.game.sample_terms()
        return create_match(self.game, players, seed=seed, session_id=session_id, options=options, host=host)

    # During the match.

    def play(self, start: Match[Any], rng: GameRng) -> MatchClient[Any] | None:
        client = MatchClient(self.game, start)
        for _ in range(self.limit):
            match = client.get_state()
            self.where = f"{self.where.partition(', version')[0].partition(', set-up')[0]}, version {match.version}"
            self.stored(match)
            self.views(match)
            if match.status == "finished":
                return client
            choices = {player: legal_actions(self.game, match, player) for player in match.turn.order}
            everything = [action for legal in choices.values() for action in legal]
            if not everything:
                self.found(
                    "somebody can act",
                    f"nobody has a legal action in phase {match.turn.phase!r} of an active match; "
                    "legal() must name at least one, or the match must end",
                )
                return None
            self.listed(match, choices)
            self.refusals(match)
            for action in _some(everything, rng):
                self.accepted(match, action)
            for action in self.interruptions(match):
                self.interrupt(match, action)
            self.time_out(match, choices)
            self.bots(match, choices, rng)
            answer = client.dispatch(rng.pick(everything))
            if not answer.ok:
                return None  # reported by accepted()
            self.actions += 1
            self.described(match, answer)
            self.told(match, answer, choices[str(answer.action.player_id)])
        self.found(
            "the match ends", f"random play did not end within {self.limit} actions; raise limit if that is right"
        )
        return None

    def stored(self, match: Match[Any]) -> None:
        problem = self.game.shape.not_stored(match.game)
        wrong = self.game.audit(match.game, match.options)
        if self.house is not None:
            self.house.seen(match)
        if wrong:
            self.found("the books are in order", wrong)
        elif problem:
            self.found(
                "JSON both ways", f"the state does not survive JSON: {problem}; check the field types of the state"
            )
        elif deserialize_match(serialize_match(match), self.game) != match:
            self.found("JSON both ways", "a match that was saved and loaded is not equal to itself")

    def accepted(self, match: Match[Any], action: Action) -> None:
        """Every listed action is accepted, twice to the same result, and leaves what it was given alone."""
        before = state_digest(match)
        first, second = apply_action(self.game, match, action), apply_action(self.game, match, action)
        shown = format_action(action)
        if not first.ok or not second.ok:
            error = "" if first.ok else first.error
            self.found(
                "listed actions are accepted", f"legal() names {shown}, but with the real stream it is refused: {error}"
            )
            return
        if state_digest(match) != before or self.mutates(match, action):
            self.found(
                "the input is left alone",
                f"{action.type} changes the state it is given; build the next state with msgspec.structs.replace",
            )
        if state_digest(first.state) != state_digest(second.state):
            self.found(
                "same action, same state",
                f"{shown} gave two states from one match; it uses something besides state, payload and turn",
            )
        if first.state.version != match.version + 1:
            self.found("versions rise by one", f"{shown} led from version {match.version} to {first.state.version}")

    def mutates(self, match: Match[Any], action: Action) -> bool:
        """Run the action's own code on a copy that is looked at afterwards; the engine hands out copies of its own."""
        if self.game.shape.is_frozen:
            return False
        spec = self.game.actions[action.type]
        given = copy_plain(match.game)
        arguments = msgspec.structs.astuple(msgspec.convert(action.payload, spec.payload))
        turn = trial_turn(self.game, match, str(action.player_id))
        with suppress(Refusal):
            spec.method(self.game, given, turn, *arguments)
        return canonical(given) != canonical(match.game)

    def listed(self, match: Match[Any], choices: dict[str, tuple[Action, ...]]) -> None:
        """Law: legal actions are the same at a second look, can be written down and read, and leave nothing out."""
        for player, legal in choices.items():
            if legal_actions(self.game, match, player) != legal:
                self.found("legal actions are stable", "legal() named other actions at a second look")
            self.drawn(match, player)
            known = {canonical(action) for action in legal}
            for spec in self.game.actions.values():
                for payload in spec.candidates() or ():
                    trial = apply_action(self.game, match, Action(spec.name, payload, player), seed=THROW_AWAY_SEED)
                    if trial.ok and canonical(trial.action) not in known:
                        self.found(
                            "legal actions are complete",
                            f"{format_action(trial.action)} is accepted, but legal() leaves it out",
                        )
            for action in legal:
                if self.house is not None:
                    self.house.sent(action)
                try:
                    read = parse_action(self.game, format_action(action))
                except Refusal as no:
                    self.found("text both ways", f"{format_action(action)!r} cannot be read back: {no.sentence}")
                else:
                    if read.payload != action.payload:
                        self.found("text both ways", f"{format_action(action)!r} is read back as {read.payload}")

    def drawn(self, match: Match[Any], player: str) -> None:
        """Neither validate nor legal draws: they run before the move is made, and more often than once."""
        turn = trial_turn(self.game, match, player)
        candidates = list(self.game.legal(self.game.shape.hand_out(match.game), turn))
        if turn.drew:
            self.found("looking draws nothing", "legal() draws from turn.rng; draw in the action itself")
        for action in candidates if self.game.has_validate else ():
            turn = trial_turn(self.game, match, player)
            self.game.validate(self.game.shape.hand_out(match.game), action, turn)
            if turn.drew:
                self.found("looking draws nothing", "validate() draws from turn.rng; draw in the action itself")

    def refusals(self, match: Match[Any]) -> None:
        """Nonsense is refused, with the very same match."""
        nonsense: tuple[Any, ...] = (
            {"type": "no_such_action"},
            {"type": ""},
            {"payload": {}},
            "roll",
            None,
            Action(next(iter(self.game.actions)), {"no_such_field": 1}),
            Action(next(iter(self.game.actions)), {}, "a stranger"),
        )
        for action in nonsense:
            answer = apply_action(self.game, match, action)
            if answer.ok or answer.state is not match:
                self.found("nonsense is refused", f"{action!r} was not refused with the very same match")

    def time_out(self, match: Match[Any], choices: dict[str, tuple[Action, ...]]) -> None:
        for player, legal in choices.items():
            if legal and not apply_action(self.game, match, Action("time_out", {}, player)).ok:
                self.found(
                    "nobody gets stuck", "a time-out is refused; auto_action must name an action that is legal now"
                )

    def bots(self, match: Match[Any], choices: dict[str, tuple[Action, ...]], rng: GameRng) -> None:
        for name, bot in self.game.bots.items():
            for player, legal in choices.items():
                if not legal:
                    continue
                chosen = bot(view_for(self.game, match, player), legal, rng.copy())
                if not isinstance(chosen, Action):
                    self.found("bots play by the rules", f"the bot {name} answered {chosen!r}, which is no action")
                elif not apply_action(self.game, match, Action(chosen.type, chosen.payload, player)).ok:
                    self.found(
                        "bots play by the rules", f"the bot {name} chose {format_action(chosen)}, which is refused"
                    )

    def described(self, before: Match[Any], answer: Accepted[Any]) -> None:
        after = answer.state
        texts = (
            self.game.describe(answer.action, before, after),
            self.game.render(view_for(self.game, after, after.turn.current)),
            self.game.rules_text(),
        )
        if not all(isinstance(text, str) and text for text in texts):
            self.found("it can be shown", "describe(), render() and rules_text() return text")

    def told(self, before: Match[Any], answer: Accepted[Any], legal: Sequence[Action]) -> None:
        """Whoever sees no difference between two moves reads none in the log: neither in its text nor in a payload."""
        if not self.game.has_secrets:
            return
        action, after = answer.action, answer.state
        line = self.game.describe(action, before, after)
        views = {
            viewer: view_for(self.game, after, viewer)
            for viewer in (None, *(player.id for player in after.players))
            if viewer != action.player_id
        }
        for other_before, other in self.other_moves(before, answer, legal):
            if not other.ok or other.state.game == after.game:
                continue
            for viewer, view in views.items():
                if view_for(self.game, other.state, viewer) != view:
                    continue
                who = "spectators" if viewer is None else "other players"
                read = [log_for(self.game, one.state, [LogEntry(one.action, 1)], viewer) for one in (answer, other)]
                if read[0] != read[1]:
                    self.found(
                        "the log tells no secrets",
                        f"the log shows {who} the payload of {action.type}, which their view hides; "
                        "mark the action with secret=True",
                    )
                elif self.game.describe(other.action, other_before, other.state) != line:
                    self.found("the log tells no secrets", f"describe() of {action.type} tells what {who} cannot see")

    def other_moves(
        self, before: Match[Any], answer: Accepted[Any], legal: Sequence[Action]
    ) -> Iterator[tuple[Match[Any], Accepted[Any] | Refused[Any]]]:
        """Yield moves that may look like this one: after another deal, with another stream, with another payload."""
        action = answer.action
        rng = GameRng.new(THROW_AWAY_SEED, before.rng_state.session_id, before.version)
        others = [one for one in legal if one.type == action.type and one.payload != action.payload]
        if answer.state.status == "finished":
            others = []  # the log is open then
        for number in range(REDEALS):
            dealt = msgspec.structs.replace(before, game=self.game.redeal(copy_plain(before.game), None, rng))
            yield dealt, apply_action(self.game, dealt, action)
            if answer.drew:
                yield before, apply_action(self.game, before, action, seed=THROW_AWAY_SEED + bytes([number]))
            if others:
                yield before, apply_action(self.game, before, rng.pick(others))

    # What others may see.

    def views(self, match: Match[Any]) -> None:
        for viewer in (None, *(player.id for player in match.players)):
            view = view_for(self.game, match, viewer)
            shown = canonical(view)
            if match.rng_state.seed.encode() in shown:
                self.found("the seed is secret", "a view holds the seed; keep no stream or seed in the state")
            if not self.game.has_secrets:
                continue
            who = "a spectator" if viewer is None else "a player"
            self.hides = self.hides or canonical(view.game) != canonical(match.game)
            rng = GameRng.new(THROW_AWAY_SEED, match.rng_state.session_id, match.version)
            for _ in range(REDEALS):
                dealt = self.game.redeal(copy_plain(match.game), viewer, rng)
                self.redeal_changed = self.redeal_changed or dealt != match.game
                self.compare(match, view, dealt, viewer, who)
            imagined = imagine(self.game, view, rng)
            if canonical(view_for(self.game, imagined, viewer)) != shown:
                self.found(
                    "redeal works on a view",
                    f"redeal() of {who}'s view gives a state with another view; it may use no more than the view",
                )

    def compare(self, match: Match[Any], view: Any, dealt: Any, viewer: str | None, who: str) -> None:
        other = msgspec.structs.replace(match, game=dealt)
        shown, shown_other = canonical(view), canonical(view_for(self.game, other, viewer))
        if shown != shown_other:
            place = next((i for i, (a, b) in enumerate(zip(shown, shown_other, strict=False)) if a != b), len(shown))
            around = shown[max(0, place - 30) : place + 10].decode(errors="replace")
            self.found(
                "views leak nothing",
                f"{who} can tell two states apart that differ only in what is hidden, near …{around}…; "
                "replace it by a stand-in in view(), and keep counts but not names",
            )
        if viewer is not None and legal_actions(self.game, match, viewer) != legal_actions(self.game, other, viewer):
            self.found("views leak nothing", "the legal actions of a player tell what is hidden from them")

    # After the match.

    def after(self, start: Match[Any], client: MatchClient[Any], number: int) -> None:
        end = client.get_state()
        self.where = f"{self.where}, after the end"
        if legal_actions(self.game, end) or apply_action(self.game, end, client.get_log()[-1].action).ok:
            self.found("nothing after the end", "an action is accepted after the match has ended")
        digests = [state_digest(state) for state in client.history()]
        while client.undo():
            pass
        if state_digest(client.get_state()) != digests[0]:
            self.found("undo and redo", "undoing everything does not lead back to the start")
        while client.redo():
            pass
        if [state_digest(state) for state in client.history()] != digests:
            self.found("undo and redo", "redoing everything does not lead to the same states")
        middle = deserialize_match(serialize_match(client.goto(end.version // 2)), self.game)
        for entry in client.get_log()[middle.version :]:
            middle = apply_action(self.game, middle, entry.action).state
        if state_digest(middle) != digests[-1]:
            self.found("saving alters nothing", "a match saved and loaded half-way ends differently")
        record = make_record(self.game, start, client.get_log())
        outcome = verify(write_record(record), game=self.game)
        if not outcome.ok or list(record.digests) != digests:
            self.found(
                "records verify", f"the record of a match does not re-execute: {outcome.problem}; the game is not pure"
            )
        if number == 0:
            self.purity(start, client)
        half = client.goto(end.version // 2)
        self.where = f"{self.where.partition(', version')[0]}, version {half.version}"
        for action in self.interruptions(half):
            self.interrupt(half, action, PLAYED_ON)

    def purity(self, start: Match[Any], client: MatchClient[Any]) -> None:
        """Replay the match under watch; what it needs to import was imported when it was first played."""
        with impure_calls() as calls:
            seed = bytes.fromhex(start.rng_state.seed)
            self.start(start.players, seed, start.rng_state.session_id, start.options)
            state = start
            for entry in client.get_log():
                legal_actions(self.game, state)
                for player in state.players:
                    self.game.render(view_for(self.game, state, player.id))
                for player_id in state.turn.order:
                    apply_action(self.game, state, Action("time_out", {}, player_id))
                for action in self.interruptions(state):
                    apply_action(self.game, state, action)
                before, state = state, apply_action(self.game, state, entry.action).state
                self.game.describe(entry.action, before, state)
            self.bots(
                start, {one: legal_actions(self.game, start, one) for one in start.turn.order}, GameRng.new(seed, 0, 0)
            )
        for name, advice in calls.items():
            self.found(f"no {name}", f"the game calls {name}; {advice}")

    def interruptions(self, match: Match[Any]) -> list[Action]:
        """Return the actions that are in no player's list: somebody leaves or sits down, or the host acts."""
        found = [Action("leave", {}, player) for player in match.turn.order]
        if self.game.late_join:
            found.append(Action("join", {"id": "latecomer"}, "latecomer"))
        for spec in self.game.actions.values():
            if spec.by == "host":
                found += [Action(spec.name, payload, HOST) for payload in islice(spec.candidates() or (), REDEALS)]
        return found

    def interrupt(self, match: Match[Any], action: Action, moves: int = 0) -> None:
        """Apply an interruption: it is refused, or the match goes on or ends, but is never stuck in so many moves."""
        where, self.where = self.where, f"{self.where}, {action.type} by {action.player_id or 'the host'}"
        answer = apply_action(self.game, match, action)
        match = answer.state
        rng = GameRng.new(THROW_AWAY_SEED, match.rng_state.session_id, match.version)
        for _ in range(moves if answer.ok else 0):
            self.stored(match)
            self.views(match)
            if match.status == "finished":
                break
            everything = [one for player in match.turn.order for one in legal_actions(self.game, match, player)]
            if not everything:
                hook = f"; write on_{action.type}" if action.type in ("leave", "join") else ""
                self.found("nobody gets stuck", f"after {action.type} nobody can act{hook}")
                break
            match = apply_action(self.game, match, rng.pick(everything)).state
        self.where = where

    def conclude(self) -> None:
        self.where = "all matches"
        if self.hides and not self.redeal_changed:
            self.found(
                "redeal hides something",
                "view() hides things but redeal() never changes any; write redeal() so that leaks can be found",
            )


def _some(actions: list[Action], rng: GameRng) -> list[Action]:
    """Return a few of the actions, all of them where they are few."""
    if len(actions) <= TRIED_PER_STEP:
        return actions
    return [rng.pick(actions) for _ in range(TRIED_PER_STEP)]
