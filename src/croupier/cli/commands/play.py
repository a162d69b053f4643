"""`croupier play`: a match in the terminal, alone, with others at one keyboard, or against bots."""

from __future__ import annotations

from shlex import quote
from typing import Any

import click
from rich.console import Console

from croupier.cli.bankroll import HouseClient
from croupier.cli.errors import INTERRUPTED, Usage, one_line
from croupier.cli.files import Folder, ResumedMatch, check_writable, data_folder, write_file
from croupier.cli.inputs import Whole, command, complete_bots, complete_games, complete_saves, pairs_option, read_pairs
from croupier.cli.prompt import Ask, asker
from croupier.cli.seats import Seating
from croupier.cli.show import make_console, print_json, result_data, say
from croupier.cli.start_match import PlayRequest, go_on, open_new
from croupier.cli.terminal_game import Sitting
from croupier.engine import make_record, state_digest, write_record

__all__ = ["play"]

MODIFIERS = ("super", "shield", "double")


@command
@click.argument("game", required=False, shell_complete=complete_games, help="The game's id; without it, a menu.")
@click.option("--seed", metavar="HEX", help="A fixed seed: the same game again, but nothing proven.")
@click.option("--client-seed", metavar="TEXT", help="Your part of the seed; random if you name none.")
@click.option("--session", metavar="N", type=int, help="The session id; the next free one if you name none.")
@click.option("--players", metavar="NAMES", help="Who plays at this keyboard, such as Ann,Bob.")
@click.option("--seats", metavar="N", type=Whole(min=1), help="How many play in all.")
@click.option("--bot", metavar="BOT", multiple=True, shell_complete=complete_bots, help="An opponent; may be repeated.")
@click.option("--auto", metavar="BOT", shell_complete=complete_bots, help="Bots on every seat, no input.")
@pairs_option
@click.option("--stake", metavar="N", type=int, help="What to sit down with at a house game; 10 if you name none.")
@click.option("--super", "super_mode", is_flag=True, help="House games: pay a fee, win more.")
@click.option("--shield", is_flag=True, help="House games: a loss costs a shield, no chips.")
@click.option("--double", is_flag=True, help="House games: a profit counts twice.")
@click.option("--deposit", metavar="N", type=int, help="House games: take up to 1,000 chips first, once a day.")
@click.option("--record", metavar="FILE", help="Write the record there at the end, or when you quit.")
@click.option("--load", metavar="SAVE", shell_complete=complete_saves, help="Go on from a save or a record.")
@click.option("-q", "--quiet", is_flag=True, help="Only the end, no line per action.")
@click.option("--json", is_flag=True, help="With --auto: print JSON at the end, nothing before.")
def play(
    game: str | None,
    seed: str | None,
    client_seed: str | None,
    session: int | None,
    players: str | None,
    seats: int | None,
    bot: tuple[str, ...],
    auto: str | None,
    option: tuple[str, ...],
    stake: int | None,
    super_mode: bool,
    shield: bool,
    double: bool,
    deposit: int | None,
    record: str | None,
    load: str | None,
    quiet: bool,
    json: bool,
) -> None:
    """Play a game in the terminal.

    The dealer's seed is committed to before anything else is shown, and yours is added to it: the record proves that
    no draw was steered. At the prompt, ? lists the rules and keys.

    With --json: game, players, version, status, result, seed, commitments, digest, record.

    Example:
      croupier play shut-the-box --bot fewest_tiles --record game.json
      croupier play shut-the-box --auto optimal_score --seed 00 --quiet
      croupier play shut-the-box --players Ann,Bob --option tile_count=12
      croupier play roulette --super --record spin.json

    """
    if json and auto is None:
        raise Usage("--json goes with --auto: a person's game is for reading")
    if "" in (auto, *bot):
        raise Usage("a bot has a name; croupier games lists them")
    if record is not None:
        check_writable(record)
    wish = PlayRequest(
        game=game,
        seed=seed,
        client_seed=client_seed,
        session=session,
        names=() if players is None else tuple(players.split(",")),
        seats=seats,
        bots=bot,
        auto=auto or "",
        options=read_pairs(option),
        silent=json,
        stake=stake,
        deposit=deposit,
        modifiers=tuple(name for name, armed in zip(MODIFIERS, (super_mode, shield, double), strict=True) if armed),
    )
    console = make_console()
    ask = asker(console)
    kept, seating = open_new(console, ask, wish) if load is None else go_on(console, load, wish)
    if record is not None and kept.client.base.version > 0:
        raise Usage(f"{load!r} has no log, so no record can be made of what led to it")
    _sit_down(console, ask, kept, seating, record, quiet=quiet or json, as_json=json)


def _sit_down(
    console: Console, ask: Ask, kept: ResumedMatch, seating: Seating, record: str | None, *, quiet: bool, as_json: bool
) -> None:
    """Play, keep the record whatever happens, and tell the end."""
    client = kept.client
    bots = seating.find_bots(client.game)
    sitting = Sitting(console, client, bots, ask, quiet=quiet, commitments=kept.commitments)
    has_people = len(bots) < len(seating.players)
    if has_people:
        say(console, f"{client.game.name}. Type ? for the rules and keys, q to quit.", "dim")
    stopped: KeyboardInterrupt | None = None
    try:
        sitting.play()
    except EOFError:
        console.print()
    except KeyboardInterrupt as stop:
        console.print()
        stopped = stop
    finally:
        seen = len(client.get_log())
        if isinstance(client, HouseClient):
            client.abandon()
        if record is not None:
            write_file(record, _record_bytes(kept))
    if as_json:
        if stopped is not None:
            raise stopped
        print_json(_summary(kept, record))
        return
    sitting.tell_end(seen)
    if isinstance(client, HouseClient):
        _tell_chips(console, client)
    if record is None and has_people and client.get_state().status == "finished" and client.base.version == 0:
        record = _keep_last(console, kept)
    _tell_proof(console, kept, record)
    if stopped is not None:
        raise click.exceptions.Exit(INTERRUPTED)


def _tell_chips(console: Console, client: HouseClient) -> None:
    """Say what the session did to the bankroll."""
    if client.is_void:
        say(console, "nothing was dealt: your chips are back")
    done = client.completed
    if done is not None and (done.was_shielded or done.was_doubled):
        say(console, "your shield held: nothing is lost" if done.was_shielded else "your double pays the profit twice")
    say(console, f"you have {client.bankroll.chips:,} chips", "bold")


def _record_bytes(kept: ResumedMatch) -> bytes:
    client = kept.client
    return write_record(make_record(client.game, client.base, client.get_log(), commitments=kept.commitments))


def _keep_last(console: Console, kept: ResumedMatch) -> str | None:
    """Keep the record of a match nobody asked a record of: whoever doubts the dice afterwards can still check."""
    folder = Folder(data_folder() / "last")
    game_id = kept.client.game.id
    try:
        folder[game_id] = _record_bytes(kept)
    except OSError as error:
        say(console, f"no record was kept: {one_line(str(error))}", "dim")
        return None
    return str(folder.file(game_id))


def _tell_proof(console: Console, kept: ResumedMatch, record: str | None) -> None:
    """Say how anyone can check the match."""
    pair, state = kept.commitments, kept.client.get_state()
    if pair is not None and state.status == "finished":
        say(console, f"server seed {pair.server_seed}: its SHA-256 is the commitment", "dim")
    if record is not None:
        say(console, f"check it with: croupier verify {quote(record)}", "dim")


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
