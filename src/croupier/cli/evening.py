"""Several matches in a row at the terminal, each with a seed and a record of its own, until the player leaves."""

from __future__ import annotations

from collections.abc import Sequence
from shlex import quote
from typing import Any, NoReturn

import click
from msgspec.structs import replace
from rich.console import Console
from rich.text import Text

from croupier.cli.bankroll import HouseClient
from croupier.cli.errors import INTERRUPTED, clean, one_line
from croupier.cli.files import Folder, ResumedMatch, data_folder, write_file
from croupier.cli.prompt import LEAVING, Ask
from croupier.cli.seats import Seating
from croupier.cli.show import print_json, result_data, say
from croupier.cli.start_match import PlayRequest, draw_seeds, offer_deposit, open_with, stake_of
from croupier.cli.terminal_game import Sitting
from croupier.engine import Action, make_record, state_digest, write_record
from croupier.house import HouseGame
from croupier.rng import SESSION_MAX

AGAIN_KEYS = "Enter: the same again; a bet or an action: a new round that begins with it; new: a new round; q: leave"


class Evening:
    """Matches of one game among the same players. `play` returns when they leave."""

    def __init__(
        self, console: Console, ask: Ask, wish: PlayRequest, seating: Seating, *, record: str | None, quiet: bool
    ) -> None:
        self.console = console
        self.ask = ask
        self.wish = wish
        self.seating = seating
        self.file = record
        self.quiet = quiet
        self.has_people = len(seating.bots) < len(seating.players)
        self._kept_at: str | None = None  # where the record of the last match is

    def play(self, kept: ResumedMatch) -> None:
        """Play a match and, where people play, others after it as long as they like."""
        if self.has_people:
            say(self.console, f"{kept.client.game.name}. Type ? for the keys, q to quit.", "dim")
        following: tuple[ResumedMatch, Sequence[Action], Sequence[str]] | None = (kept, (), ())
        while following is not None:
            is_over = self._play_one(*following)
            following = self._again(following[0]) if is_over and self.has_people else None
        self._tell_record()

    def _play_one(self, kept: ResumedMatch, first: Sequence[Action], typed: Sequence[str]) -> bool:
        """Play a match, keep the record whatever happens, tell the end; return whether it was played to its end."""
        client = kept.client
        status = self.console.status("")

        def thinking(share: float) -> None:
            """Show how far a bot is with its thinking, and nothing when it is done."""
            status.update(f"[dim]thinking, {share:.0%}[/]")
            (status.stop if share >= 1 else status.start)()

        is_shown = self.console.is_terminal and not self.quiet
        bots = self.seating.find_bots(client.game, self.wish.think, thinking if is_shown else None)
        sitting = Sitting(
            self.console, client, bots, self.ask, quiet=self.quiet, commitments=kept.commitments, typed=typed
        )
        stopped: KeyboardInterrupt | None = None
        try:
            sitting.play(first)
        except EOFError:
            self.console.print()
        except KeyboardInterrupt as stop:
            self.console.print()
            stopped = stop
        finally:
            status.stop()
            seen, is_over = len(client.get_log()), client.get_state().status == "finished"
            if isinstance(client, HouseClient):
                client.abandon()
            is_void = not client.get_log() or (isinstance(client, HouseClient) and client.is_void)
            if self.file is not None and not (is_void and self._kept_at):  # nothing was played after the match kept
                write_file(self.file, _record_bytes(kept))
                self._kept_at = self.file
        if self.wish.silent:
            if stopped is not None:
                raise stopped
            print_json(_summary(kept, self.file))
            return is_over
        sitting.tell_end(seen)
        self._tell_chips(kept)
        if self.file is None and self.has_people and client.get_state().status == "finished":
            self._keep_last(kept)
        if stopped is not None:
            self._leave()
        return is_over

    # Between two matches.

    def _again(self, kept: ResumedMatch) -> tuple[ResumedMatch, Sequence[Action], Sequence[str]] | None:
        """Return the next match, the bets to begin with and what was typed for it; None where the players leave.

        Its seed is drawn, and committed to, before anybody says what they will do.
        """
        client, game = kept.client, kept.client.game
        bankroll = client.bankroll if isinstance(client, HouseClient) else None
        last = client.base.rng_state.session_id
        session_id = bankroll.next_session if bankroll and self.wish.session is None else last % SESSION_MAX + 1
        self.wish = replace(self.wish, options=client.base.options)  # as they were where the match was loaded
        seeds = draw_seeds(self.console, self.wish, session_id, when="next ")
        try:
            line = self._heard(bankroll is not None)
            if line is None:
                return None
            if bankroll is not None:
                assert isinstance(game, HouseGame)
                self.wish = replace(self.wish, modifiers=tuple(name for name in self.wish.modifiers if name == "super"))
                if not offer_deposit(self.console, self.ask, bankroll, max(1, stake_of(game, self.wish))):
                    return None
        except EOFError:
            self.console.print()
            return None
        except KeyboardInterrupt:
            self.console.print()
            self._leave()
        same = client.bets() if isinstance(client, HouseClient) and not line else ()
        return (
            open_with(game, self.seating, self.wish, seeds, bankroll),
            same,
            (line,) if line not in ("", "new") else (),
        )

    def _heard(self, is_for_chips: bool) -> str | None:
        """Return what is typed after a match; None where the players leave."""
        same = "Enter deals again with the same bets" if is_for_chips else "Enter plays again"
        while True:
            line = self.ask(f"{same}, q leaves> ")
            if line.lower() in (*LEAVING, "n", "no"):
                return None
            if line.lower() not in ("?", "help"):
                return "" if line.lower() in ("y", "yes", "again") else line
            say(self.console, AGAIN_KEYS, "dim")

    def _leave(self) -> NoReturn:
        """End after Ctrl-C, having told where the record is."""
        self._tell_record()
        raise click.exceptions.Exit(INTERRUPTED)

    # What is told and kept.

    def _tell_record(self) -> None:
        """Say how the last match can be checked: a line to copy, so it is not wrapped."""
        if self._kept_at is not None and not self.wish.silent:
            line = Text(clean(f"check it with: croupier verify {quote(self._kept_at)}"), "dim")
            self.console.print(line, soft_wrap=True)

    def _tell_chips(self, kept: ResumedMatch) -> None:
        """Say what the session did to the bankroll; and, where it is wanted, the dealer's part of the seed."""
        client, pair = kept.client, kept.commitments
        if isinstance(client, HouseClient):
            if client.is_void:
                say(self.console, "nothing was dealt: your chips are back")
            done = client.completed
            if done is not None and (done.was_shielded or done.was_doubled):
                held = "your shield held: nothing is lost"
                say(self.console, held if done.was_shielded else "your double pays the profit twice")
            say(self.console, f"you have {client.bankroll.chips:,} chips", "bold")
        if self.wish.verbose and pair is not None and client.get_state().status == "finished":
            say(self.console, f"server seed {pair.server_seed}: its SHA-256 is the commitment", "dim")

    def _keep_last(self, kept: ResumedMatch) -> None:
        """Keep the record of a match nobody asked a record of: whoever doubts the dice afterwards can still check."""
        if kept.client.base.version > 0:
            return
        folder = Folder(data_folder() / "last")
        game_id = kept.client.game.id
        try:
            folder[game_id] = _record_bytes(kept)
        except OSError as error:
            say(self.console, f"no record was kept: {one_line(str(error))}", "dim")
            return
        self._kept_at = str(folder.file(game_id))


def _record_bytes(kept: ResumedMatch) -> bytes:
    client = kept.client
    return write_record(make_record(client.game, client.base, client.get_log(), commitments=kept.commitments))


def _summary(kept: ResumedMatch, record: str | None) -> dict[str, Any]:
    state = kept.client.get_state()
    return {
        "game": state.game_id,
        "players": state.players,
        "version": state.version,
        "status": state.status,
        "result": result_data(state.result),
        "seed": state.rng_state.seed,
        "commitments": kept.commitments,
        "digest": state_digest(state),
        "record": record,
    }
