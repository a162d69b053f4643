"""`play_out`: whole matches between bots, from their seed to their end."""

from __future__ import annotations

import pytest

from croupier.bots import play_out, random_bot
from croupier.bots.errors import NoEnd
from croupier.bots.simple import first_bot
from croupier.engine import Accepted, Player, act, make_record, state_digest, verify
from croupier.errors import BadPlayers, CroupierError, GameFault
from croupier.games.casino_war import CasinoWar
from croupier.games.shut_the_box import ShutTheBox
from croupier.house import Terms

SEED = bytes(range(32))


def digests(client) -> list[str]:
    return [state_digest(state) for state in client.history()]


def winners(client):
    return client.get_state().result.winners


def test_equal_seeds_give_equal_digests_at_every_version() -> None:
    game = ShutTheBox()
    bots = ["random", "optimal_score", "first"]

    assert digests(play_out(game, bots, SEED)) == digests(play_out(game, bots, SEED))
    assert digests(play_out(game, bots, SEED))[0] != digests(play_out(game, bots, SEED, session_id=1))[0]


def test_the_match_re_executes_from_its_record() -> None:
    game = ShutTheBox()
    client = play_out(game, ["greedy", "random"], SEED, options={"rounds": 2})

    record = make_record(game, client.base, client.get_log())

    assert client.get_state().status == "finished"
    assert verify(record, game=game).ok


def test_other_luck_for_the_bots_leaves_the_dice_of_the_match_alone() -> None:
    """The first roll is the match's own: the bots' seed has no say in it."""
    game = ShutTheBox()

    matches = [play_out(game, ["random"], SEED, bot_seed=bytes([n])) for n in range(5)]

    assert len({client.goto(1).game.dice for client in matches}) == 1
    assert len({state_digest(client.get_state()) for client in matches}) > 1


def test_bots_sit_by_id_or_in_the_order_of_the_seats(tic_tac_toe) -> None:
    by_seat = play_out(tic_tac_toe, [first_bot, random_bot], SEED, players=["ann", "bob"])
    by_id = play_out(tic_tac_toe, {"bob": random_bot, "ann": first_bot}, SEED, players=["ann", "bob"])
    alone = play_out(tic_tac_toe, {"bob": "random", "ann": "first"}, SEED)

    assert digests(by_seat) == digests(by_id)
    assert [player.id for player in alone.get_state().players] == ["bob", "ann"]
    assert play_out(tic_tac_toe, ["first", "first"], SEED).get_state().players == (
        Player("p0", "p0", 0, is_bot=True),
        Player("p1", "p1", 1, is_bot=True),
    )


@pytest.mark.parametrize(
    ("bots", "players"),
    [
        (["first"], ["ann", "bob"]),
        (["first"] * 3, ["ann", "bob"]),
        (["first"], None),
        ({"ann": "first", "eve": "first"}, ["ann", "bob"]),
        ("first", None),
    ],
)
def test_a_player_without_a_bot_is_an_error(tic_tac_toe, bots, players) -> None:
    with pytest.raises(BadPlayers):
        play_out(tic_tac_toe, bots, SEED, players=players)


def test_simultaneous_choices_come_from_everybody(rock_paper_scissors) -> None:
    """Both may change their minds for ever, but each is asked once: the match takes two actions."""
    clients = [play_out(rock_paper_scissors, ["random", "random"], SEED, session_id=n) for n in range(30)]

    assert {client.get_state().version for client in clients} == {2}
    assert {winners(client) for client in clients} == {(), ("p0",), ("p1",)}
    assert [entry.action.player_id for entry in clients[0].get_log()] == ["p0", "p1"]
    assert play_out(rock_paper_scissors, ["monte_carlo", "expectimax"], SEED).get_state().version == 2


def test_a_match_that_does_not_end_says_so_and_can_be_looked_at(scribbles) -> None:
    with pytest.raises(NoEnd, match="Scribbles is still on after 25 actions") as caught:
        play_out(scribbles, ["first", "first"], SEED, limit=25)

    assert caught.value.client.get_state().version == 25
    assert caught.value.code == "no_end"
    assert isinstance(caught.value, CroupierError)


def test_a_match_may_end_with_the_very_last_action_allowed(rock_paper_scissors) -> None:
    assert play_out(rock_paper_scissors, ["first", "first"], SEED, limit=2).get_state().status == "finished"
    with pytest.raises(NoEnd):
        play_out(rock_paper_scissors, ["first", "first"], SEED, limit=1)


def test_a_match_that_is_on_with_nothing_to_do_is_a_fault_of_the_game(scribbles) -> None:
    with pytest.raises(GameFault, match="nobody has anything to do"):
        play_out(scribbles, [lambda view, legal, rng: act("stop")], SEED)


def test_every_step_of_first_against_first_is_told_until_the_diagonal_is_full(tic_tac_toe) -> None:
    """X takes 0, 2, 4, 6: the diagonal from 6 to 2 is full after seven actions."""
    steps: list[Accepted] = []

    client = play_out(tic_tac_toe, ["first", "first"], SEED, on_step=steps.append)

    assert [step.action for step in steps] == [entry.action for entry in client.get_log()]
    assert [step.state.version for step in steps] == list(range(1, client.get_state().version + 1))
    assert client.get_state().game.cells == (*"XOXOXOX", "", "")
    assert winners(client) == ("p0",)


def test_a_host_says_what_a_session_against_the_house_starts_with() -> None:
    client = play_out(CasinoWar(), ["always_war"], SEED, host=Terms(25, super_mode=True))

    assert client.base.game.money.opening == 25
    assert client.get_state().game.money.fees == 5
