"""How a match at the terminal comes about: from what the player asks for, or from one that was left."""

from __future__ import annotations

import secrets
from typing import Any

import click
import msgspec
from rich.console import Console
from rich.text import Text

from croupier.cli.bankroll import Bankroll, HouseClient
from croupier.cli.errors import Usage, one_line
from croupier.cli.files import ResumedMatch, now_ms, open_match
from croupier.cli.inputs import read_seed
from croupier.cli.prompt import Ask, numbered
from croupier.cli.seats import Seating, seat_again, take_seats
from croupier.cli.show import plain_table, say
from croupier.engine import Game, MatchClient, get_game, list_games
from croupier.errors import CroupierError, UnknownGame
from croupier.fairness import SeedPair
from croupier.house import HouseGame

__all__ = ["PlayRequest", "go_on", "open_new"]

STAKE_USUAL = 10


class PlayRequest(msgspec.Struct, frozen=True):
    """What a player asks for; None and nothing mean whatever is usual."""

    game: str | None = None
    seed: str | None = None
    client_seed: str | None = None
    session: int | None = None
    names: tuple[str, ...] = ()
    seats: int | None = None
    bots: tuple[str, ...] = ()
    auto: str = ""
    options: dict[str, Any] = {}
    silent: bool = False
    stake: int | None = None
    deposit: int | None = None
    modifiers: tuple[str, ...] = ()


def open_new(console: Console, ask: Ask, wish: PlayRequest) -> tuple[ResumedMatch, Seating]:
    """Return a new match and who plays it. The commitment to its seed is shown before anything is dealt."""
    # A mistake in the arguments is told before there is a menu.
    ready = None if wish.game is None else _sit(get_game(wish.game), wish)
    game, seating = ready or _sit(_choose_game(console, ask), wish)
    if isinstance(game, HouseGame):
        return _open_session(console, game, seating, wish)
    if wish.stake is not None or wish.deposit is not None or wish.modifiers:
        raise Usage(f"{game.name} is not played for chips")
    session_id = wish.session or 0
    pair, fixed = _seeds(console, wish, session_id)
    seed = fixed if pair is None else pair.match_seed(session_id)
    client = MatchClient.start(
        game, seating.players, seed=seed, clock=now_ms, session_id=session_id, options=wish.options
    )
    return ResumedMatch(client, pair), seating


def _open_session(
    console: Console, game: HouseGame[Any], seating: Seating, wish: PlayRequest
) -> tuple[ResumedMatch, Seating]:
    """Return a session against the house, paid from the player's own bankroll."""
    bankroll = Bankroll(seating.players[0].id)
    if wish.deposit is not None:
        bankroll.deposit(wish.deposit)
    session_id = bankroll.next_session if wish.session is None else wish.session
    pair, fixed = _seeds(console, wish, session_id)
    usual = STAKE_USUAL if game.opens_with_stake else 0
    client = HouseClient(
        game,
        bankroll,
        seed=fixed if pair is None else pair.match_seed(session_id),
        session_id=session_id,
        stake=usual if wish.stake is None else wish.stake,
        options=wish.options,
        modifiers=wish.modifiers,
    )
    if not wish.silent:
        say(console, f"session {session_id}; you have {bankroll.chips:,} chips besides what is on the table")
    return ResumedMatch(client, pair), seating


def go_on(console: Console, slot_or_file: str, wish: PlayRequest) -> tuple[ResumedMatch, Seating]:
    """Return a match that was left, and who plays on. Its game, seats, seed and options are what they are."""
    fixed = {"GAME": wish.game, "--seed": wish.seed, "--client-seed": wish.client_seed, "--session": wish.session}
    others = {"--players": wish.names or None, "--seats": wish.seats, "--option": wish.options or None}
    given = [name for name, value in (fixed | others).items() if value is not None]
    if given:
        raise Usage(f"--load goes on with a match as it is; {' and '.join(given)} cannot change it")
    kept = open_match(slot_or_file)
    seating = seat_again(kept.client.game, kept.client.get_state(), bots=wish.bots, auto=wish.auto)
    if kept.commitments is not None and not wish.silent:
        say(console, f"commitment {kept.commitments.commitment}, given when the match began")
    return kept, seating


def _sit(game: Game[Any], wish: PlayRequest) -> tuple[Game[Any], Seating]:
    """Return the game and who plays it, or raise what is wrong with the bots or the options."""
    seating = take_seats(game, names=wish.names, seats=wish.seats, bots=wish.bots, auto=wish.auto)
    seating.find_bots(game)
    game.read_options(wish.options)
    return game, seating


def _seeds(console: Console, wish: PlayRequest, session_id: int) -> tuple[SeedPair | None, bytes]:
    """Return both parts of the seed, the commitment to the dealer's shown; or no parts, and a seed that is fixed."""
    if wish.seed is not None:
        if wish.client_seed is not None:
            raise Usage("--seed fixes the whole seed: there is no part left for --client-seed")
        fixed = read_seed(wish.seed)
        if not wish.silent:
            say(console, f"seed {wish.seed}, fixed: the same actions give the same game", "dim")
        return None, fixed
    mine = secrets.token_hex(16) if wish.client_seed is None else wish.client_seed
    pair = SeedPair.of(secrets.token_bytes(32), mine.encode(errors="surrogateescape"), session_id)
    if not wish.silent:
        drawn = ", drawn for you" if wish.client_seed is None else ""
        say(console, f"commitment {pair.commitment}")
        say(console, f"your seed {mine}{drawn}", "dim")
    return pair, b""


def _choose_game(console: Console, ask: Ask) -> Game[Any]:
    """Let the player pick from a menu of the games that load."""
    games: list[Game[Any]] = []
    menu = plain_table("", "", "")
    menu.show_header = False
    for game_id in list_games():
        try:
            game = get_game(game_id)
        except CroupierError as error:
            menu.add_row("-", Text(game_id, "red"), Text(one_line(str(error)), "dim"))
            continue
        games.append(game)
        menu.add_row(Text(str(len(games)), "bold cyan"), Text(game.name, "bold"), Text(game.description, "dim"))
    console.print()
    console.print(menu)
    console.print()
    if not games:
        raise UnknownGame("no game is installed")
    by_name = {key: game for game in games for key in (game.id, game.name.lower())}
    while True:
        line = ask("which game? ").lower()
        if line == "q":
            raise click.exceptions.Exit
        if not line and len(games) == 1:
            return games[0]
        if (index := numbered(line, len(games))) is not None:
            return games[index]
        if line in by_name:
            return by_name[line]
        say(console, f"choose 1 to {len(games)}, or q to quit", "dim")
