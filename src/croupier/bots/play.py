"""`play_out`: a whole match between bots, from its seed to its end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

from croupier.bots.choosing import choose, find_bot
from croupier.bots.errors import NoEnd
from croupier.bots.turn_order import last_asked, next_to_act
from croupier.engine import Accepted, Bot, Game, MatchClient, Player, create_match, state_digest
from croupier.errors import BadPlayers, GameFault
from croupier.fairness import derive
from croupier.rng import draw_seed, seed_bytes

S = TypeVar("S")

AnyBot: TypeAlias = Bot | str
"""A bot, or the name of one."""

Bots: TypeAlias = Mapping[str, AnyBot] | Sequence[AnyBot]
"""Bots of a match: by player id, or in the order of the seats."""

LIMIT = 10_000


def play_out(
    game: Game[S],
    bots: Bots,
    seed: bytes | int | str | None = None,
    *,
    session_id: int = 0,
    options: Any = None,
    players: Iterable[str | Player] | None = None,
    limit: int = LIMIT,
    bot_seed: bytes | int | str | None = None,
    host: Any = None,
    on_step: Callable[[Accepted[S]], object] | None = None,
) -> MatchClient[S]:
    """Return a finished match between bots, with its log: the same from the same seed, wherever it is played.

    Without a seed one is drawn from the system; the match keeps it, and its record tells it.
    Without `players` the ids are those of the bots, or p0, p1 and so on by seat. A turn begins with whose go it is;
    within it all who may act are asked in rotation. `on_step` gets every accepted action. Bots draw from streams of
    `bot_seed`; without it, of a hash of the match's seed, from which there is no way back to the seed. A match that
    is still on after `limit` actions is `NoEnd`, a choice that is not legal `IllegalChoice`. `host` is what the match
    starts with: against the house, `Terms`.

    >>> from croupier.games.shut_the_box import ShutTheBox
    >>> client = play_out(ShutTheBox(), ["random", "fewest_tiles"], bytes(32))
    >>> client.get_state().status
    'finished'
    """
    seed = draw_seed() if seed is None else seed_bytes(seed)
    by_id = by_player(game, bots)
    if players is None:
        players = [Player(player_id, player_id, seat, is_bot=True) for seat, player_id in enumerate(by_id)]
    match = create_match(game, players, seed=seed, session_id=session_id, options=options, host=host)
    ids = [player.id for player in match.players]
    if not isinstance(bots, Mapping) and len(bots) == len(ids):
        by_id = dict(zip(ids, by_id.values(), strict=True))
    if by_id.keys() != set(ids):
        raise BadPlayers(f"every player needs a bot: seated are {ids}, there are bots for {list(by_id)}")
    own_seed = derive(seed, f"bots/{session_id}") if bot_seed is None else seed_bytes(bot_seed)
    client = MatchClient(game, match)
    last: str | None = None
    for _ in range(limit):
        if match.status == "finished":
            return client
        player_id, legal = next_to_act(game, match, last)
        chosen = choose(game, match, by_id[player_id], player_id, own_seed, legal)
        answer = client.dispatch(chosen)
        if not answer.ok:
            raise GameFault(f"{game.id}: {chosen.type} is legal, but refused: {answer.error}", state_digest(match))
        if on_step is not None:
            on_step(answer)
        last = last_asked(match, answer.state, player_id)
        match = answer.state
    if match.status == "active":
        raise NoEnd(f"{game.name} is still on after {limit} actions; raise the limit if that is right", client)
    return client


def by_player(game: Game[Any], bots: Bots) -> dict[str, Bot]:
    """Return the bots by player id, names looked up; those without ids are p0, p1 and so on."""
    if isinstance(bots, str):
        raise BadPlayers(f"bots is a list of bots or names, got the text {bots!r}")
    return {player_id: find_bot(game, bot) if isinstance(bot, str) else bot for player_id, bot in by_seat(bots).items()}


def by_seat(bots: Bots) -> Mapping[str, AnyBot]:
    """Return the bots by player id, as they were given; those without ids are p0, p1 and so on."""
    return bots if isinstance(bots, Mapping) else {f"p{seat}": bot for seat, bot in enumerate(bots)}
