"""One sitting at the terminal: shows the table, asks people, lets bots play, and tells what happened."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import nullcontext
from enum import Enum
from shlex import quote
from typing import Any

from rich.console import Console
from rich.text import Text

from croupier.bots.choosing import pick_bot_action
from croupier.bots.errors import NoEnd
from croupier.bots.turn_order import next_to_act
from croupier.cli.bankroll import HouseClient
from croupier.cli.choices import advice_table, listed, show_choices
from croupier.cli.errors import clean, one_line
from croupier.cli.files import save_client
from croupier.cli.prompt import Ask, numbered, offer
from croupier.cli.rules_text import Rules
from croupier.cli.show import (
    current_view,
    in_words,
    log_lines,
    name_of,
    print_drawing,
    print_table,
    say,
    say_row,
    show_board,
)
from croupier.cli.typed import bet_names, find_key, read_line
from croupier.engine import Action, Bot, Match, MatchClient, legal_actions
from croupier.engine.legal import legal_ranges
from croupier.engine.turn import Refusal
from croupier.errors import CroupierError, GameFault
from croupier.fairness import SeedPair, derive

KEYS = (
    ("a number", "takes that choice; Enter takes the only one"),
    ("an action", "in words, such as the choices show; its beginning will do"),
    ("a bet", "and its stake, such as red 10, where there are bets"),
    ("?", "these keys"),
    ("rules", "the rules of the game, page by page"),
    ("Tab", "completes a word"),
    ("h", "a hint from the coach"),
    ("p CHOICE", "what a choice would lead to, where the game can show it"),
    ("u, r", "undo, redo"),
    ("l", "the log"),
    ("s NAME", "save, to go on later with --load NAME"),
    ("n", "leave it to the next player, where several may act"),
    ("q", "quit"),
)
HINTS = 5  # rows of advice at the table; `croupier coach` gives all
AUTO_LIMIT = 10_000


class Next(Enum):
    """Next step after an answer: ask the same player again, look at the table anew, or leave it."""

    ASK = 0
    LOOK = 1
    LEAVE = 2


class Sitting:
    """A match at a terminal. `play` returns when it is over or the players leave it."""

    def __init__(
        self,
        console: Console,
        client: MatchClient[Any],
        bots: Mapping[str, Bot],
        ask: Ask,
        *,
        quiet: bool = False,
        commitments: SeedPair | None = None,
        typed: Iterable[str] = (),
    ) -> None:
        self.console = console
        self.client = client
        self.game = client.game
        self.bots = bots
        self.ask = ask
        self.quiet = quiet
        self.commitments = commitments
        self._typed = list(typed)  # lines that were typed before this match began
        rng = client.base.rng_state
        self._bot_seed = derive(bytes.fromhex(rng.seed), f"bots/{rng.session_id}")  # as `play_out` makes it
        self._people = [player.id for player in client.base.players if player.id not in bots]
        self._hides = self.game.has_secrets and len(self._people) > 1
        self._at_screen: str | None = None
        self._seen: dict[str, int] = {}
        self._last: str | None = None  # who acted last in this turn
        keys: dict[str, Callable[[str, str], Next]] = {
            "? help": self._explain,
            "rules": self._rules,
            "h hint": self._hint,
            "p preview": self._preview,
            "u undo": self._undo,
            "r redo": self._redo,
            "l log": self._log,
            "s save": self._save,
            "n next": self._pass_on,
            "q quit exit": lambda actor, rest: Next.LEAVE,
        }
        self._bets = [name for names in bet_names(self.game).values() for name in names]
        self._commands = {word: do for words, do in keys.items() for word in words.split()}

    # The match.

    def play(self, first: Iterable[Action] = ()) -> None:
        """Play until the match is over or somebody quits; `first` is done before anybody is asked, until a refusal."""
        for action in first:
            if self.client.get_state().status != "active" or not self._do(action):
                break
        while (match := self.client.get_state()).status == "active":
            actor, legal = next_to_act(self.game, match, self._last)
            if actor in self.bots:
                self._bot_acts(match, actor)
            elif self._person_acts(match, actor, legal) is Next.LEAVE:
                return

    def _bot_acts(self, match: Match[Any], actor: str) -> None:
        if not self._people and match.version - self.client.base.version >= AUTO_LIMIT:
            raise NoEnd(f"{self.game.name}: the match is still on after {AUTO_LIMIT} actions", self.client)
        chosen = pick_bot_action(self.game, match, self.bots[actor], actor, self._bot_seed)
        if chosen is None or not self._do(chosen):
            raise GameFault(f"{self.game.id}: the bot of {actor} can do nothing")

    def _do(self, action: Action) -> bool:
        """Take an action and tell what it did; a refusal is told, too, and changes nothing."""
        before = self.client.get_state()
        answer = self.client.dispatch(action)
        if not answer.ok:
            say(self.console, f"no: {one_line(answer.error)} [{answer.code}]", "red")
            return False
        after = answer.state
        self._last = answer.action.player_id if after.turn.turn_number == before.turn.turn_number else None
        if not self.quiet:
            (line,) = log_lines(self.game, (before, after), (answer.action,))
            say(self.console, line, "dim" if action.player_id in self.bots and self._people else "bold")
        return True

    # A person's go.

    def _person_acts(self, match: Match[Any], actor: str, legal: tuple[Action, ...]) -> Next:
        self._hand_over(match, actor)
        if not self._typed:
            self._show(match, actor, legal)
        prompt = f"{name_of(match, actor)}> " if len(match.players) > 1 else "> "
        offer([*self._commands, *self.game.actions, *self._bets])
        while True:
            step = self._answer(actor, legal, self._typed.pop(0) if self._typed else self.ask(prompt))
            if step is not Next.ASK:
                self._seen[actor] = len(self.client.get_log())
                return step

    def _hand_over(self, match: Match[Any], actor: str) -> None:
        """Let the next person come to the screen before anything is shown that only they may see."""
        if self._hides and actor != self._at_screen:
            self.console.clear()
            self.ask(f"Pass the screen to {name_of(match, actor)}, then press Enter: ")
            for line in self._lines()[self._seen.get(actor, 0) :]:
                say(self.console, line, "dim")
        self._at_screen = actor

    def _show(self, match: Match[Any], actor: str, legal: tuple[Action, ...]) -> None:
        self.console.print()
        view = current_view(self.game, match, actor)
        show_board(self.console, self.game, view)
        self.console.print()
        show_choices(self.console, self.game, view, legal, legal_ranges(self.game, match, actor))

    def _answer(self, actor: str, legal: tuple[Action, ...], line: str) -> Next:
        """Do what a line says."""
        word, _, rest = line.partition(" ")
        key = find_key(word, self._commands, [*self.game.actions, *self._bets])
        if key is not None and (not rest or word.lower() in self._commands):  # the beginning of a key stands alone
            return self._commands[key](actor, rest.strip())
        action = self._read(actor, legal, line)
        if action is None:
            return Next.ASK
        try:
            done = self._do(Action(action.type, action.payload, actor))
        except GameFault as error:
            return self._reply(f"error: {one_line(str(error))} [{error.code}]", "red")
        return Next.LOOK if done else Next.ASK

    def _read(self, actor: str, legal: tuple[Action, ...], line: str) -> Action | None:
        """Return the action a line means, or say why it means none."""
        if not line and len(legal) == 1:
            return legal[0]
        choices = listed(legal)
        if not line:
            say(self.console, f"choose 1 to {len(choices)}, or ? for help" if choices else "? shows the keys", "dim")
            return None
        if (index := numbered(line, len(choices))) is not None:
            return choices[index]
        if line.isdigit() and choices:
            say(self.console, f"no: there is no choice {one_line(line)}; there are 1 to {len(choices)}", "red")
            return None
        try:
            return read_line(self.game, legal, line, current_view(self.game, self.client.get_state(), actor))
        except Refusal as no:
            say(self.console, f"no: {one_line(no.sentence)} [{no.code}]", "red")
            return None

    # What else can be typed.

    def _reply(self, text: str, style: str = "dim") -> Next:
        """Say something, and have the same player asked again."""
        say(self.console, text, style)
        return Next.ASK

    def _explain(self, actor: str, rest: str) -> Next:
        for key, meaning in KEYS:
            say_row(self.console, Text(f"{key:>10}", "bold cyan"), Text(meaning))
        return Next.ASK

    def _rules(self, actor: str, rest: str) -> Next:
        is_long = self.console.is_terminal and sys.stdin.isatty()
        with self.console.pager(styles=True) if is_long else nullcontext():
            self.console.print(Rules(self.game.rules_text()))
        return Next.ASK

    def _hint(self, actor: str, rest: str) -> Next:
        match = self.client.get_state()
        legal = legal_actions(self.game, match, actor)
        try:
            view = current_view(self.game, match, actor)
            advice = self.game.advise(view, legal, rest)
        except CroupierError as error:
            return self._reply(f"no: {one_line(str(error))} [{error.code}]", "red")
        if not advice:
            has = self.game.objectives
            return self._reply(
                "the coach has nothing to say here" if has else f"there is no coach for {self.game.name}"
            )
        print_table(self.console, advice_table(self.game, advice[:HINTS], view, exact=False), drop=("", "costs"))
        if len(advice) > HINTS:
            return self._reply(f"… and {len(advice) - HINTS} more; croupier coach lists all")
        return Next.ASK

    def _preview(self, actor: str, rest: str) -> Next:
        match = self.client.get_state()
        action = self._read(actor, legal_actions(self.game, match, actor), rest)
        if action is None:
            return Next.ASK
        try:
            shown = self.game.preview(current_view(self.game, match, actor), action)
        except Refusal as no:
            return self._reply(f"no: {one_line(no.sentence)} [{no.code}]", "red")
        if shown is None:
            return self._reply(f"{self.game.name} shows no previews")
        print_drawing(self.console, shown)
        return Next.ASK

    def _undo(self, actor: str, rest: str) -> Next:
        return self._travel(self.client.undo, self.client.redo, "undo", "back at")

    def _redo(self, actor: str, rest: str) -> Next:
        return self._travel(self.client.redo, self.client.undo, "redo", "on to")

    def _travel(self, step: Callable[[], bool], back: Callable[[], bool], name: str, words: str) -> Next:
        """Go one way until it is a person's go: what a bot did belongs to the action it answered."""
        taken = 0
        while step():
            taken += 1
            match = self.client.get_state()
            if match.status == "finished" or next_to_act(self.game, match)[0] not in self.bots:
                self._last = None
                say(self.console, f"{words} version {match.version}", "dim")
                return Next.LOOK
        for _ in range(taken):
            back()
        return self._reply(f"there is nothing to {name}")

    def _log(self, actor: str, rest: str) -> Next:
        lines = self._lines()
        first = self.client.base.version + 1
        for version, line in enumerate(lines, first):
            say_row(self.console, Text(f"{version:>4}", "dim"), Text(clean(line)))
        return Next.ASK if lines else self._reply("nothing has happened yet")

    def _lines(self) -> list[str]:
        actions = [entry.action for entry in self.client.get_log()]
        return log_lines(self.game, self.client.history(), actions)

    def _save(self, actor: str, rest: str) -> Next:
        if isinstance(self.client, HouseClient):
            return self._reply("a session for chips is not saved: play it out, or quit and it plays itself out")
        slot = rest or self.game.id
        try:
            file = save_client(slot, self.client, self.commitments)
        except (CroupierError, OSError) as error:
            return self._reply(f"not saved: {one_line(str(error))}", "red")
        say(self.console, f"saved as {slot!r} in {file}", "dim")
        return self._reply(f"go on with: croupier play --load {quote(slot)}")

    def _pass_on(self, actor: str, rest: str) -> Next:
        following, _ = next_to_act(self.game, self.client.get_state(), actor)
        if following == actor:
            return self._reply("there is nobody else to act")
        self._last = actor
        return Next.LOOK

    # The end.

    def tell_end(self, seen: int | None = None) -> None:
        """Show the last table and say how the match ended; first what happened after `seen` actions, by itself."""
        match = self.client.get_state()
        for line in [] if seen is None else self._lines()[seen:]:
            say(self.console, f"played out: {line}", "bold")
        if isinstance(self.client, HouseClient) and self.client.is_void:
            return
        if match.result is None:
            say(self.console, f"The match is not over; it stands at version {match.version}.", "dim")
            return
        if not self.quiet:
            self.console.print()
            show_board(self.console, self.game, current_view(self.game, match))
            self.console.print()
        say(self.console, in_words(match, match.result), "bold green")
        if len(match.players) > 1:
            scores = match.result.scores
            say(self.console, ", ".join(f"{name_of(match, who)} {score}" for who, score in scores.items()))
