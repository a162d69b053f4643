"""Shut the Box as a match: bots, coach, situations, words, and two whole matches worked out again from hashlib."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.engine import Action, Player, act, apply_action, canonical, create_match, legal_actions, view_for
from croupier.errors import BadOptions
from croupier.games.shut_the_box import odds
from croupier.games.shut_the_box.game import Box
from croupier.rng import GameRng
from tests.games.shut_the_box.matches import GAME, NINE, SCORE_33, SHUT_ALL, at, begin, boards, do, subsets

# Bots.

BOTS = ("uniform", "fewest_tiles", "highest_tile", "optimal_score", "optimal_shut")


@pytest.mark.parametrize("name", BOTS)
def test_a_bot_chooses_one_of_the_legal_actions_everywhere(name):
    bot = GAME.bots[name]
    rng = GameRng.new(b"bot", 0, 0)
    assert bot.__doc__
    for number, up in enumerate(boards(9)):
        total = number % 11 + 2 if max(up) > 6 else number % 6 + 1
        for match in (at(up, die_choice=True), at(up), at(up, total)):
            legal = legal_actions(GAME, match)
            if not legal:
                continue
            choice = bot(view_for(GAME, match, "ann"), legal, rng)
            assert canonical((choice.type, choice.payload)) in {
                canonical((listed.type, listed.payload)) for listed in legal
            }
            assert apply_action(GAME, match, choice).ok


@pytest.mark.parametrize("name", BOTS)
def test_a_bot_plays_a_match_of_several_variants_to_the_end(name):
    digits = {"die_rule": "always_two", "scoring": "digits", "rounds": 2}
    for options in ({"tile_count": 10, "die_choice": True}, digits):
        match = create_match(GAME, ["ann", "bob"], seed=b"bots", options=options)
        rng = GameRng.new(name.encode(), 0, 0)
        while match.status == "active":
            view = view_for(GAME, match, match.turn.current)
            answer = apply_action(GAME, match, GAME.bots[name](view, legal_actions(GAME, match), rng))
            assert answer.ok
            match = answer.state
        assert match.result is not None


# The coach.


ADVISED = [
    *((NINE, 7, {}), (NINE, 12, {}), ((1, 2, 3), 3, {}), ((3, 4, 7), 7, {})),
    ((1, 2, 3, 4), 5, {"die_rule": "always_two"}),
    ((1, 2, 3, 4, 5, 6), 6, {"die_choice": True}),
    ((1, 5, 9), 9, {"scoring": "digits"}),
    (tuple(range(1, 11)), 10, {"tile_count": 10}),
    *((up, None, {"die_choice": True}) for up in ((1,), (1, 2, 4), (1, 2, 3, 4, 5, 6))),  # on dice
]


@pytest.mark.parametrize("objective", ["score", "shut"])
@pytest.mark.parametrize(("up", "total", "options"), ADVISED)
def test_the_advice_on_tiles_and_dice_is_the_exact_analysis(up, total, options, objective):
    match = at(up, total or 0, **options)

    advice = GAME.advise(view_for(GAME, match, "ann"), legal_actions(GAME, match), objective)

    exact: Any = odds.analyse(up, total, objective, odds.BoardSettings(**options))
    found = [(one.action.payload["tiles" if total else "dice"], one.value) for one in advice]
    assert found == [(list(choice.tiles) if total else choice.dice, choice.value) for choice in exact]
    assert len(advice) > 0
    assert all("expected score" in one.text and "chance to shut" in one.text for one in advice)


def test_the_first_objective_is_the_one_that_goes_without_saying():
    match = at((3, 4, 7), 7)
    view, legal = view_for(GAME, match, "ann"), legal_actions(GAME, match)

    assert GAME.advise(view, legal) == GAME.advise(view, legal, "score")
    assert GAME.advise(view, legal)[0].action.payload["tiles"] == [7]
    assert GAME.advise(view, legal, "shut")[0].action.payload["tiles"] == [3, 4]
    with pytest.raises(BadOptions, match="score or shut"):
        GAME.advise(view, legal, "glory")


def test_the_coach_advises_whoever_has_the_dice_and_nobody_when_it_is_over():
    match, over = do(begin(["ann", "bob"]), *SCORE_33, (3, 4)), do(begin(), *SCORE_33)

    advice = GAME.advise(view_for(GAME, match, "ann"), legal_actions(GAME, match))

    assert {one.action.player_id for one in advice} == {"bob"}
    assert [one.value for one in advice] == [choice.value for choice in odds.analyse(NINE, 7)]
    assert GAME.advise(view_for(GAME, over, "ann"), legal_actions(GAME, over)) == ()


# Situations.


@pytest.mark.parametrize(
    ("text", "up", "total"),
    [
        ("1,2,3,7,8", (1, 2, 3, 7, 8), 0),
        ("1,2,3,7,8:10", (1, 2, 3, 7, 8), 10),
        ("8 7 1", (1, 7, 8), 0),
        ("9:9", (9,), 9),
        (" 1, 2 : 3 ", (1, 2), 3),
    ],
)
def test_a_situation_can_be_described_in_a_word(text, up, total):
    match = GAME.situation(text)

    assert match.game.boxes[0] == Box(up, sum(up))
    assert (match.game.current_sum, match.turn.phase) == (total, "shut" if total else "roll")
    assert legal_actions(GAME, match)


def test_a_situation_knows_the_options():
    match = GAME.situation("10,12", {"tile_count": 12, "scoring": "digits"})

    assert match.game.boxes[0] == Box((10, 12), 1012)
    assert match.options.tile_count == 12
    with pytest.raises(BadOptions):
        GAME.situation("1,2", {"tile_count": 11})


NO_SITUATIONS = ": 0 10 1,1 one 1,2:x 1,2: 1,2:9 9:2 9:0 9:-1 9:13 1;2 1.5 :7 1:1:1 -1"


@pytest.mark.parametrize("text", ["", "\ud800", "1" * 5_000, *NO_SITUATIONS.split()], ids=lambda text: ascii(text)[:20])
def test_an_impossible_situation_is_refused_with_help(text):
    with pytest.raises(BadOptions, match=r"give the tiles that are up|names no tile|cannot be made"):
        GAME.situation(text)


# Words.


def test_a_position_is_drawn_exactly_like_this():
    match = do(at((1, 2, 9)), (4, 5))

    assert GAME.render(view_for(GAME, match, "ann")) == "\n".join(
        [
            "[bold]ann[/bold]  score 12",
            "╭────╮╭────╮                                    ╭────╮",
            "│ [bold yellow] 1[/bold yellow] ││ [bold yellow] 2[/bold yellow] │                                    "
            "│ [bold yellow] 9[/bold yellow] │",
            "╰────╯╰────╯" + "[dim]▁▁▁▁▁▁[/dim]" * 6 + "╰────╯",
            "╭───────╮ ╭───────╮",
            "│ ●   ● │ │ ●   ● │",
            "│       │ │   ●   │   = [bold cyan]9[/bold cyan] to shut",
            "│ ●   ● │ │ ●   ● │",
            "╰───────╯ ╰───────╯",
        ]
    )


def test_the_others_are_drawn_on_a_line_each():
    match = do(begin(["ann", "bob", "cid"], rounds=2), *SHUT_ALL, Action("leave", {}, "cid"))

    blocks = GAME.render(view_for(GAME, match)).split("\n\n")

    assert blocks[0] == "[dim]ann[/dim]  score 0  total 0 after 1 of 2  [dim]up:[/dim] [green]shut![/green]"
    assert blocks[1].startswith("[bold]bob[/bold]  score 45  total 0 after 0 of 2\n╭────╮")
    assert blocks[2] == "[dim]cid (left)[/dim]  score 45  total 0 after 0 of 2  [dim]up:[/dim] 1 2 3 4 5 6 7 8 9"


def drawn(match: Any) -> str:
    """Return a match as a spectator sees it in a terminal."""
    return str(pytest.importorskip("rich.text").Text.from_markup(GAME.render(view_for(GAME, match))).plain)


@pytest.mark.parametrize("count", [9, 10, 12])
def test_every_position_can_be_drawn(count):
    match = create_match(GAME, ["ann", "bob"], seed=b"draw", options={"tile_count": count, "rounds": 2})
    while match.status == "active":
        assert "ann" in drawn(match)
        assert "bob" in drawn(match)
        match = apply_action(GAME, match, legal_actions(GAME, match)[0]).state
    assert drawn(match)


@pytest.mark.parametrize("name", ["[/]", "[/red]", "[bold]x", "a[b]c", "\\[x]", "\\"])
def test_a_players_name_is_text_not_markup(name):
    """Names come from strangers: one in square brackets must neither vanish nor break the page."""
    match = create_match(GAME, [Player("ann", name), Player("bob", name)], seed=b"")

    assert drawn(match).count(name) == 2


def test_nothing_is_secret_but_the_seed():
    match = do(begin(["ann", "bob"]), (3, 4))

    for viewer in ("ann", "bob", None):
        view = view_for(GAME, match, viewer)
        assert view.game == match.game
        assert match.rng_state.seed.encode() not in canonical(view)


# Whole matches, worked out again: the stream from hashlib, the sets by brute force, the rules from the rules page.


def faces_of(seed: bytes, session_id: int, move_number: int, count: int) -> tuple[int, ...]:
    block = sha256(seed + session_id.to_bytes(8, "big") + move_number.to_bytes(4, "big")).digest()
    fair = [byte % 6 + 1 for byte in block if byte < 252]
    return tuple(fair[:count])


def oracle_match(seed: bytes, session_id: int, count: int, rounds: int, tiles: int) -> tuple[list[Any], list[int]]:
    """Return every roll and shut of a match in which all take the first set, and the totals, by the rules page."""
    moves: list[Any] = []
    totals = [0] * count
    for _ in range(rounds):
        for player in range(count):
            up = tuple(range(1, tiles + 1))
            while up:
                dice = faces_of(seed, session_id, len(moves) + 1, 2 if max(up) > 6 else 1)
                moves.append(dice)
                sets = subsets(up, sum(dice))
                if not sets:
                    break
                moves.append(list(sets[0]))
                up = tuple(tile for tile in up if tile not in sets[0])
            totals[player] += sum(up)
    return moves, totals


def followed(seed: bytes, session_id: int, players: list[str], moves: list[Any], **options: Any) -> Any:
    """Return a match that takes these moves to its end: dice fall as they say, and sets are shut."""
    match: Any = create_match(GAME, players, seed=seed, session_id=session_id, options=options)
    for number, move in enumerate(moves, 1):
        assert match.status == "active"
        if isinstance(move, tuple):
            match = do(match, act("roll"))
            assert match.game.dice == (*move, 0)[:2], number
        else:
            assert match.turn.phase == "shut"
            match = do(match, act("shut", tiles=move))
        assert match.version == number
    assert match.status == "finished"
    return match


# Dice in brackets, tiles in square ones.
SECOND_MATCH: list[Any] = [
    *((5, 3), [1, 2, 5], (3, 4), [3, 4], (2, 6), [8], (2, 5), [7], (1, 5), [6], (4, 6), [10], (6, 2)),
    *((1, 2), [1, 2], (2, 6), [3, 5], (2, 3)),
    *((6, 6), [1, 2, 3, 6], (2, 2), [4], (4, 2)),
    *((1, 5), [1, 2, 3], (6, 1), [7], (1, 6)),
]


@pytest.mark.parametrize(
    ("seed", "session_id", "players", "rounds", "tiles", "moves", "totals"),
    [
        (bytes(32), 1, ["ann"], 1, 9, [(2, 3), [1, 4], (4, 3), [2, 5], (2, 6), [8], (5, 2), [7], (1, 6)], [18]),
        (b"second match", 77, ["ann", "bob"], 2, 12, SECOND_MATCH, [94, 132]),
    ],
)
def test_a_whole_match_is_the_one_worked_out_by_hand(seed, session_id, players, rounds, tiles, moves, totals):
    assert oracle_match(seed, session_id, len(players), rounds, tiles) == (moves, totals)

    match = followed(seed, session_id, players, moves, rounds=rounds, tile_count=tiles)

    assert [box.total for box in match.game.boxes] == totals
    assert match.result.scores == dict(zip(players, totals, strict=True))


@settings(max_examples=40)
@given(seed=st.binary(max_size=8), session=st.integers(0, 2**64 - 1), count=st.integers(1, 3), rounds=st.integers(1, 2))
def test_any_match_is_the_one_worked_out_again(seed, session, count, rounds):
    moves, totals = oracle_match(seed, session, count, rounds, 9)
    players = ["ann", "bob", "cid"][:count]
    match = followed(seed, session, players, moves, rounds=rounds)

    assert match.result.scores == dict(zip(players, totals, strict=True))
    lowest = [player for player, total in zip(players, totals, strict=True) if total == min(totals)]
    if count == 1:
        assert match.result.winners == (tuple(players) if totals == [0] else ())
    else:
        assert match.result.winners == (() if len(lowest) == count else tuple(lowest))
