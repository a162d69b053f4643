"""Shared dice and a match: the seeds of the rounds are the seeds of the record, move for move."""

from __future__ import annotations

from typing import Any

import msgspec

from croupier.engine import (
    MatchClient,
    act,
    canonical,
    create_match,
    get_game,
    legal_actions,
    make_record,
    state_digest,
    verify,
)
from croupier.fairness.dice import verify_transcript
from croupier.transcripts import record_problem
from tools.adversaries import MacVerifier


def play_a_match(table) -> tuple[MatchClient[Any], list[Any]]:
    """Play Shut the Box with dice from the table: a round for every roll, none for shutting tiles."""
    game = get_game("shut-the-box")
    match = create_match(game, ["ann", "bob"], seed=b"nothing is drawn from this", session_id=9)
    client = MatchClient(game, match)
    rolls: list[Any] = []
    while client.get_state().status == "active" and len(rolls) < 6:
        state = client.get_state()
        if state.turn.phase == "roll":
            action = act("roll")
            kept = msgspec.structs.replace(action, player_id=state.turn.current)
            answer = table.roll(
                move_number=state.version + 1, state=state_digest(state), action=canonical(kept).decode()
            )
            rolls.append(answer.rolled)
            assert client.dispatch(action, seed=answer.rolled.seed).ok
        else:
            assert client.dispatch(legal_actions(client.game, state)[0]).ok
    return client, rolls


def test_a_match_draws_from_the_seeds_of_the_table_and_its_record_says_so(sitting):
    table = sitting(dice=0)
    client, rolls = play_a_match(table)
    record = make_record(client.game, client.base, client.get_log())

    assert verify(record).ok
    assert [seed for seed in record.seeds if seed] == [roll.seed.hex() for roll in rolls]
    verdict = verify_transcript(table.host.transcript(), verifier=MacVerifier())
    assert verdict.ok
    assert record_problem(table.host.transcript(), verdict.rolls, record) is None


def test_a_record_with_other_seeds_than_the_rounds_is_found(sitting):
    table = sitting(dice=0)
    client, rolls = play_a_match(table)
    record = make_record(client.game, client.base, client.get_log())
    transcript = table.host.transcript()
    first, second = [move for move, seed in enumerate(record.seeds) if seed][:2]

    def changed(**fields):
        return record_problem(transcript, rolls, msgspec.structs.replace(record, **fields))

    def problem(rolls) -> str:
        return record_problem(transcript, rolls, record) or ""

    def swapped(values, one, other):
        values = list(values)
        values[one], values[other] = values[other], values[one]
        return tuple(values)

    assert "the record is of 8" in changed(session_id=8)
    assert "round 1: it gives move 1 the seed" in changed(seeds=swapped(record.seeds, first, second))
    assert "the record has none" in changed(seeds=("", *record.seeds[1:]))
    extra = tuple(seed or "aa" for seed in record.seeds)
    assert "has a seed that no round made" in changed(seeds=extra)
    assert "locked over another state" in changed(digests=("00" * 32, *record.digests[1:]))
    assert "locked for another action" in changed(actions=(act("shut", tiles=[1]), *record.actions[1:]))
    assert "the record has 0" in changed(actions=(), seeds=())
    assert "does not come after" in problem([rolls[0], rolls[0]])
    sealed = [msgspec.structs.replace(rolls[0], seed=b"")]
    assert "has not opened its chain" in problem(sealed)


def test_setting_up_can_have_a_round_of_its_own(sitting):
    """Move 0: a game that deals when it is set up takes the seed of the match from a round."""
    table = sitting(["ann"], dice=0)
    seed = table.roll(move_number=0).rolled.seed
    game = get_game("shut-the-box")
    client = MatchClient(game, create_match(game, ["ann"], seed=seed, session_id=9))
    record = make_record(game, client.base, client.get_log())
    transcript = table.host.transcript()
    rolls = verify_transcript(transcript, verifier=MacVerifier()).rolls

    assert record_problem(transcript, rolls, record) is None
    other = msgspec.structs.replace(record, seed="00")
    assert "round 1" in (record_problem(transcript, rolls, other) or "")
