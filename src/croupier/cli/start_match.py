"""Start a match at the terminal: from what the player asks for, or from one that was left."""

from __future__ import annotations

import secrets
from typing import Any

import click
import msgspec
from rich.console import Console
from rich.text import Text

from croupier.cli.bankroll import Bankroll, HouseClient, HouseRefusal
from croupier.cli.errors import Usage, one_line
from croupier.cli.files import ResumedMatch, now_ms, open_match
from croupier.cli.inputs import read_seed
from croupier.cli.prompt import LEAVING, Ask, numbered, offer
from croupier.cli.seats import Seating, seat_again, take_seats
from croupier.cli.show import plain_table, say
from croupier.engine import Game, MatchClient, get_game, list_games
from croupier.errors import CroupierError, UnknownGame
from croupier.fairness import SeedPair
from croupier.house import HouseGame
from croupier.house.execute import DEPOSIT_MAX

STAKE_USUAL = 10


class PlayRequest(msgspec.Struct, frozen=True):
    """Request for a match as the player typed it; None and nothing mean the default."""

    game: str | None = None
    seed: str | None = None
    client_seed: str | None = None
    session: int | None = None
    names: tuple[str, ...] = ()
    seats: int | None = None
    bots: tuple[str, ...] = ()
    auto: str | None = None
    options: Any = {}
    silent: bool = False
    """Whether nothing is shown but JSON at the end."""
    verbose: bool = False
    """Whether commitments and seeds are shown."""
    stake: int | None = None
    deposit: int | None = None
    modifiers: tuple[str, ...] = ()
    think: float = 0.0
    """How many seconds bots that search may think about a move; 0 for no limit."""


class Seeds(msgspec.Struct, frozen=True):
    """Seeds of a match: both parts where there are two, the seed they make, and the session's number."""

    pair: SeedPair | None
    seed: bytes
    session_id: int


def open_new(console: Console, ask: Ask, wish: PlayRequest) -> tuple[ResumedMatch, Seating]:
    """Return a new match and who plays it. The dealer is committed to its seed before anything is dealt."""
    # A mistake in the arguments is told before there is a menu.
    ready = None if wish.game is None else _sit(get_game(wish.game), wish)
    game, seating = ready or _sit(_choose_game(console, ask), wish)
    session_id = wish.session or 0
    bankroll = None
    if isinstance(game, HouseGame):
        bankroll = _bankroll(console, ask, game, seating, wish)
        session_id = bankroll.next_session if wish.session is None else wish.session
    elif wish.stake is not None or wish.deposit is not None or wish.modifiers:
        raise Usage(f"{game.name} is not played for chips")
    opened = open_with(game, seating, wish, draw_seeds(console, wish, session_id), bankroll)
    if bankroll is not None and not wish.silent:
        say(console, f"session {session_id}; you have {bankroll.chips:,} chips besides what is on the table")
    return opened, seating


def open_with(
    game: Game[Any], seating: Seating, wish: PlayRequest, seeds: Seeds, bankroll: Bankroll | None
) -> ResumedMatch:
    """Return a match that is played with these seeds; one against the house is paid from the bankroll."""
    if bankroll is None:
        client: MatchClient[Any] = MatchClient.start(
            game, seating.players, seed=seeds.seed, clock=now_ms, session_id=seeds.session_id, options=wish.options
        )
    else:
        assert isinstance(game, HouseGame)
        client = HouseClient(
            game,
            bankroll,
            seed=seeds.seed,
            session_id=seeds.session_id,
            stake=stake_of(game, wish),
            options=wish.options,
            modifiers=wish.modifiers,
        )
    return ResumedMatch(client, seeds.pair)


def stake_of(game: HouseGame[Any], wish: PlayRequest) -> int:
    """Return what a session begins with."""
    usual = STAKE_USUAL if game.opens_with_stake else 0
    return usual if wish.stake is None else wish.stake


def _bankroll(console: Console, ask: Ask, game: HouseGame[Any], seating: Seating, wish: PlayRequest) -> Bankroll:
    """Return the player's chips; somebody who has too few is asked whether they want more."""
    bankroll = Bankroll(seating.players[0].id)
    if wish.deposit is not None:
        bankroll.deposit(wish.deposit)
    elif not wish.silent and not seating.bots:
        offer_deposit(console, ask, bankroll, max(1, stake_of(game, wish)))
    return bankroll


def offer_deposit(console: Console, ask: Ask, bankroll: Bankroll, wanted: int) -> bool:
    """Tell whether there are as many chips as wanted, offering the day's deposit to whoever has fewer."""
    if bankroll.chips >= wanted:
        return True
    say(console, f"you have {bankroll.chips:,} chips, and {wanted:,} are needed", "bold")
    if ask(f"Enter takes the {DEPOSIT_MAX:,} chips of today, q leaves> "):
        return False
    try:
        bankroll.deposit(DEPOSIT_MAX)
    except HouseRefusal:
        say(console, "no: today's chips are taken; there are more tomorrow", "red")
        return False
    say(console, f"you have {bankroll.chips:,} chips", "bold")
    return True


def go_on(console: Console, slot_or_file: str, wish: PlayRequest) -> tuple[ResumedMatch, Seating]:
    """Return a match that was left, and who plays on. Its game, seats, seed and options are what they are."""
    fixed = {"GAME": wish.game, "--seed": wish.seed, "--client-seed": wish.client_seed, "--session": wish.session}
    others = {"--players": wish.names or None, "--seats": wish.seats, "--option": wish.options or None}
    chips = {"--stake": wish.stake, "--deposit": wish.deposit, **{f"--{name}": name for name in wish.modifiers}}
    given = [name for name, value in (fixed | others | chips).items() if value is not None]
    if given:
        raise Usage(f"--load goes on with a match as it is; {' and '.join(given)} cannot change it")
    kept = open_match(slot_or_file)
    seating = seat_again(kept.client.game, kept.client.get_state(), bots=wish.bots, auto=wish.auto or "")
    if kept.commitments is not None and wish.verbose and not wish.silent:
        say(console, f"commitment {kept.commitments.commitment}, given when the match began")
    return kept, seating


def _sit(game: Game[Any], wish: PlayRequest) -> tuple[Game[Any], Seating]:
    """Return the game and who plays it, or raise what is wrong with the bots or the options."""
    seating = take_seats(game, names=wish.names, seats=wish.seats, bots=wish.bots, auto=wish.auto or "")
    seating.find_bots(game)
    game.read_options(wish.options)
    return game, seating


def draw_seeds(console: Console, wish: PlayRequest, session_id: int, *, when: str = "") -> Seeds:
    """Return the seeds of a match: both parts, the dealer's committed to before anything is dealt, or a fixed one."""
    if wish.seed is not None:
        if wish.client_seed is not None:
            raise Usage("--seed fixes the whole seed: there is no part left for --client-seed")
        fixed = read_seed(wish.seed)
        if not wish.silent and not when:
            say(console, f"seed {wish.seed}, fixed: the same actions give the same game", "dim")
        return Seeds(None, fixed, session_id)
    mine = secrets.token_hex(16) if wish.client_seed is None else wish.client_seed
    pair = SeedPair.of(secrets.token_bytes(32), mine.encode(errors="surrogateescape"), session_id)
    if wish.verbose and not wish.silent:
        drawn = ", drawn for you" if wish.client_seed is None else ""
        say(console, f"{when}commitment {pair.commitment}")
        say(console, f"your seed {mine}{drawn}", "dim")
    return Seeds(pair, pair.match_seed(session_id), session_id)


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
    offer(by_name)
    while True:
        line = ask("which game? ").lower()
        if line in LEAVING:
            raise click.exceptions.Exit
        if not line and len(games) == 1:
            return games[0]
        if (index := numbered(line, len(games))) is not None:
            return games[index]
        meant = [by_name[line]] if line in by_name else [game for game in games if line and game.id.startswith(line)]
        if len(meant) == 1:
            return meant[0]
        say(console, f"choose 1 to {len(games)}, or q to quit", "dim")
