"""Ann and Bob play Shut the Box over a host that neither of them trusts.

Run it in an empty folder: it writes table.json, the transcript of the dice, and match.json, the record of the match.
"""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from croupier import MatchClient, act, create_match, get_game
from croupier.engine import Action, canonical, legal_actions, make_record, state_digest, write_record
from croupier.fairness.dice import (
    Contributor,
    DiceHost,
    Ed25519Signer,
    Ed25519Verifier,
    Event,
    HashChain,
    Rolled,
    Stakes,
    Terms,
    write_transcript,
)

SESSION = 7


def open_host() -> DiceHost:
    signer, chain = Ed25519Signer(os.urandom(32)), HashChain.make(os.urandom(32), 100)
    terms = Terms(
        name="ann against bob",
        session_id=SESSION,
        table_key=signer.key,
        chain_end=chain.end,
        rounds_max=100,
        dice=0,  # the seeds are for a match; a table of nothing but dice would show them
        fee=5,
    )
    return DiceHost(terms, signer, Ed25519Verifier(), chain)


def open_player(terms: Terms) -> Contributor:
    return Contributor(terms, Ed25519Signer(os.urandom(32)), Ed25519Verifier(), entropy=os.urandom)


def copy_of_the_match() -> MatchClient[Any]:
    game = get_game("shut-the-box")
    return MatchClient(game, create_match(game, ["ann", "bob"], seed=b"", session_id=SESSION))


def what_i_see(client: MatchClient[Any]) -> Stakes:
    """Return what is fixed before a roll, from one's own copy of the match."""
    match = client.get_state()
    roll = Action("roll", {}, match.turn.current)
    return Stakes(match.version + 1, state=state_digest(match), action=canonical(roll).decode())


def deliver(host: DiceHost, players: Iterable[Contributor], events: Iterable[Event], now: int) -> Rolled | None:
    """Carry messages to and fro until nobody has anything to say; return the roll, if there was one."""
    waiting, rolled = list(events), None
    while waiting:
        event = waiting.pop(0)
        for player in players:
            for message in player.receive(event, now).send:
                answer = host.receive(message, now)
                rolled = answer.rolled or rolled
                waiting += answer.send
    return rolled


def play(folder: Path) -> None:
    host = open_host()
    terms = host.table.terms
    players = [open_player(terms), open_player(terms)]
    for player in players:
        deliver(host, players, host.receive(player.join(chips=50), now=0).send, now=0)
    mine, *theirs = copies = [copy_of_the_match() for _ in range(3)]
    while mine.get_state().status == "active":
        if mine.get_state().turn.phase == "roll":
            for player, copy in zip(players, theirs, strict=True):
                player.expect(what_i_see(copy))
            rolled = deliver(host, players, host.lock(what_i_see(mine), now=0).send, now=0)
            assert rolled is not None
            action, seed = act("roll"), rolled.seed
        else:
            action, seed = legal_actions(mine.game, mine.get_state())[0], None
        for copy in copies:
            copy.dispatch(action, seed=seed)
    host.end(now=0)
    (folder / "table.json").write_bytes(write_transcript(host.transcript()))
    (folder / "match.json").write_bytes(write_record(make_record(mine.game, mine.base, mine.get_log())))


if __name__ == "__main__":
    play(Path())
