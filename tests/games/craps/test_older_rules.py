"""Craps by its first rules: matches begun under them go on, and their records verify, in either game."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from croupier.engine import (
    LogEntry,
    act,
    apply_action,
    create_match,
    deserialize_match,
    get_game,
    make_record,
    read_record,
    serialize_match,
    verify,
    write_record,
)

PLAY = {
    "craps": [act("place", bet="buy:6", stake=20)],
    "craps-table": [act("buy_in", chips=500), act("place", bet="buy:6", stake=20)],
}
LOOSE = [act("raise", bet="yes:6", stake=10), act("lower", bet="place:6", stake=5), act("remove", bet="yes:6")]


def begun(game_id: str, rules_version: int) -> Any:
    match = create_match(get_game(game_id), ["ann"], seed=7, host=get_game(game_id).terms(0, False))
    return replace(match, rules_version=rules_version)


@pytest.mark.parametrize("game_id", PLAY)
def test_by_the_first_rules_a_number_has_one_bet_under_both_names(game_id: str) -> None:
    game = get_game(game_id)
    start = match = begun(game_id, 1)
    log = []
    for action in [*PLAY[game_id], *LOOSE]:
        match = deserialize_match(serialize_match(match))
        answer = apply_action(game, match, action)
        assert answer.ok, answer
        match = answer.state
        log.append(LogEntry(answer.action, match.version))
    data = write_record(make_record(game, start, log))

    assert match.rules_version == read_record(data).rules_version == 1
    assert verify(data).ok
    unknown = replace(read_record(data), rules_version=3)
    assert "follows version 3 of the rules" in str(verify(write_record(unknown)).problem)


@pytest.mark.parametrize("game_id", PLAY)
@pytest.mark.parametrize("action", LOOSE)
def test_a_new_match_takes_a_bet_by_its_own_name_alone(game_id: str, action: Any) -> None:
    game, match = get_game(game_id), begun(game_id, get_game(game_id).rules_version)
    for each in PLAY[game_id]:
        match = apply_action(game, match, each).state

    refused: Any = apply_action(game, match, action)
    assert (refused.ok, refused.code) == (False, "not_placed")
    own = replace(action, payload={**action.payload, "bet": "buy:6"})
    assert apply_action(game, match, own).ok
