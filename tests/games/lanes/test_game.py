"""Lanes as a match: turns and refusals, what each seat may see, records, text, and the simulation layer beside it."""

from __future__ import annotations

import json
from collections import Counter
from hashlib import sha256
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from rich.text import Text

from croupier.engine import (
    Action,
    Bot,
    Match,
    MatchClient,
    MatchResult,
    act,
    apply_action,
    canonical,
    create_match,
    deserialize_match,
    legal_actions,
    serialize_match,
    state_digest,
    view_for,
)
from croupier.engine.notation import parse_action
from croupier.engine.turn import Refusal
from croupier.engine.views import imagine, log_for
from croupier.errors import BadDocument, BadOptions, BadPlayers, InvalidState
from croupier.games.lanes import Lanes
from croupier.games.lanes.cards.card_set import CardSet, own_cards
from croupier.games.lanes.compat import CardHydrator, Deck, GameState, Rules, own_decks
from croupier.games.lanes.play.duel import HIDDEN, DuelView, cells_of
from croupier.games.lanes.play.position import deck_of, hand_of
from croupier.games.lanes.rules import layout
from croupier.rng import GameRng
from croupier.testing import check_game

GAME = Lanes()
SEED = bytes(range(32))


def start(seed: bytes = SEED, **options: Any) -> Match[Any]:
    return create_match(GAME, ["ann", "bob"], seed=seed, options=options)


def do(match: Match[Any], type: str, **payload: Any) -> Match[Any]:
    answer = apply_action(GAME, match, Action(type, payload))
    assert answer.ok, answer
    return answer.state


def opened(**options: Any) -> Match[Any]:
    """Return a match in which ann has kept her hand and is to play."""
    return do(start(**options), "mulligan", indices=[])


def as_ann_sees_it() -> Any:
    return view_for(GAME, opened(), "ann")


def first_play(match: Match[Any]) -> dict[str, Any]:
    """Return the payload of the first legal play."""
    return next(action.payload for action in legal_actions(GAME, match) if action.type == "play")


def play_at_random(match: Match[Any], rng: GameRng) -> list[Match[Any]]:
    """Return a match and all that follow it, to the end."""
    states = [match]
    while match.status == "active":
        match = apply_action(GAME, match, rng.pick(legal_actions(GAME, match))).state
        states.append(match)
    return states


def view_of(match: Match[Any], viewer: str | None) -> DuelView:
    view = view_for(GAME, match, viewer).game
    assert isinstance(view, DuelView)
    return view


def held_by(cells: Any, side: int) -> list[int]:
    """Return the cards in a side's hand, then those in its deck."""
    return hand_of(cells, side) + deck_of(cells, side)


def test_every_move_of_an_opening_is_said_in_words_that_mean_it():
    match = start()
    legal = legal_actions(GAME, match)

    assert len(legal) == 32
    view = view_for(GAME, match, "ann")
    for one in legal:
        meant = GAME.understand(view, GAME.phrase(view, one))
        assert meant is not None
        answer = apply_action(GAME, match, meant)
        assert answer.ok
        assert answer.action == one


@pytest.mark.parametrize(
    ("place", "words"),
    [(layout.SIDE, "no such side"), (layout.CAPTURE, "no such rules"), (layout.TRANSFER, "no such rules"),
     (layout.HANDS, "a card that does not exist"), (layout.HANDS - 1, "a card that does not exist")],
)  # fmt: skip
def test_a_saved_board_with_what_does_not_exist_is_refused(place, words):
    saved = json.loads(serialize_match(start()))
    saved["state"]["game"]["cells"][place] = 9_999

    with pytest.raises(InvalidState, match=words):
        deserialize_match(json.dumps(saved), GAME)


# --- Set-up -----------------------------------------------------------------------------------------------------------


def test_a_match_begins_with_five_cards_each_and_a_mulligan():
    match = start()
    view = view_of(match, "ann")

    assert (match.turn.current, match.turn.phase) == ("ann", "mulligan")
    assert (view.players, view.side, view.side_to_act) == (("ann", "bob"), "Y", "Y")
    assert [len(hand) for hand in view.hands] == [5, 5]
    assert view.deck_counts == (10, 10)
    assert [tile.text for tile in view.tiles[:5]] == ["Y1", "N0", "N0", "N0", "E1"]


@pytest.mark.parametrize("place", range(32))
def test_every_one_of_the_32_bytes_that_setup_draws_changes_what_is_dealt(place):
    """Two streams that agree in all but one byte: both hands and decks come out in another order."""
    first, second = bytearray(SEED), bytearray(SEED)
    second[place] ^= 1
    streams = [GameRng.from_state(bytes(block)) for block in (first, second)]
    dealt: list[Any] = [create_match(GAME, ["ann", "bob"], seed=SEED, rng=stream).game for stream in streams]

    for side in range(2):
        orders = [held_by(duel.cells, side) for duel in dealt]
        assert sorted(orders[0]) == sorted(orders[1])
        assert orders[0] != orders[1]
    assert [stream.bytes_used for stream in streams] == [32, 32]


def test_the_state_keeps_the_whole_block_of_setup_and_a_save_with_less_is_refused():
    """The first block of a stream is SHA-256(seed ‖ session id, 8 bytes ‖ move number, 4 bytes): 256 bits."""
    match = start()
    saved = json.loads(serialize_match(match))
    saved["state"]["game"]["seed"] = saved["state"]["game"]["seed"][:16]

    assert match.game.seed == sha256(SEED + bytes(12)).hexdigest()
    with pytest.raises(BadDocument, match="seed"):
        deserialize_match(json.dumps(saved), GAME)


def test_other_cards_come_for_a_mulligan_where_only_the_last_byte_of_the_stream_differs():
    """Both keep the cards of one deal, so that nothing but the seed of the state can make the difference."""
    match = start()
    other = replace(match, game=replace(match.game, seed=f"{int(match.game.seed, 16) ^ 1:064x}"))
    after = [do(each, "mulligan", indices=[0, 1, 2, 3, 4]).game.cells for each in (match, other)]

    assert held_by(after[0], 0) != held_by(after[1], 0)


def test_the_game_is_the_simulation_layers_for_the_same_decks():
    """A game of the simulation layer whose decks have the seeds of the match's has the same cards, move after move.

    Such a seed is SHA-256 of the 32 bytes that set-up drew, a zero, and `deck/` with the side, as one number.
    """
    block = sha256(SEED + bytes(12)).digest()
    seeds = [int.from_bytes(sha256(block + b"\0deck/" + side).digest(), "big") for side in (b"Y", b"E")]
    light, ruin = own_decks()[:2]
    for profile, rules in (("seed", Rules.seed()), ("console", Rules.console())):
        match = start(profile=profile)
        decks = Deck(light.cards, seeds[0]), Deck(ruin.cards, seeds[1])
        state = GameState(decks[0], decks[1], CardHydrator(own_cards()), rules=rules)
        assert list(match.game.cells) == state.cells
        rng = GameRng.new(b"moves", 0, 0)
        while match.status == "active":
            chosen = rng.pick(legal_actions(GAME, match))
            side = state.side_to_act
            if chosen.type == "mulligan":
                state.mulligan(side, chosen.payload["indices"])
            elif chosen.type == "pass":
                state.pass_turn()
            else:
                payload = chosen.payload
                state.play_card_from_hand(side, payload["hand_index"], payload["lane"], payload["col"])
                state.end_turn()
            if not state.is_game_over() and chosen.type != "mulligan" and state.turn > 2:
                state.draw_start_of_turn()
            match = apply_action(GAME, match, chosen).state
            assert list(match.game.cells) == state.cells
        score = state.score()
        assert match.result is not None
        assert match.result.scores == {"ann": score.total_you, "bob": score.total_enemy}


@pytest.mark.parametrize(
    ("options", "path", "words"),
    [
        ({"deck_y": "nobody"}, "$.deck_y", "first-light"),
        ({"deck_e": ["LW01"] * 15}, "$.deck_e", "LW01 is there 15 times"),
        ({"deck_e": ["LW01"] * 14}, "$.deck_e", "a deck is 15 cards"),
        ({"deck_y": ["nobody"] * 15, "any_deck": True}, "$.deck_y", "no card 'nobody'"),
        ({"deck_y": ["LW01"] * 16, "any_deck": True}, "$.deck_y", "a deck is 15 cards"),
        ({"profile": "arcade"}, "$.profile", "arcade"),
        ({"first_side": "N"}, "$.first_side", "no such value"),
        ({"colour": 1}, "$", "colour"),
    ],
)
def test_an_option_that_no_match_has_names_its_path(options, path, words):
    with pytest.raises(BadOptions, match=words) as caught:
        start(**options)

    assert caught.value.path == path


def test_decks_are_chosen_by_name_or_card_by_card():
    light, ruin = own_decks()[0].cards, own_decks()[1].cards
    by_name = start(deck_y="first-light", deck_e="ebb-and-ruin")
    by_card = start(deck_y=light, deck_e=list(ruin))
    equal = start(deck_y=["LW01"] * 15, any_deck=True)

    assert by_name.game.cells == by_card.game.cells == start().game.cells
    assert set(view_of(equal, "ann").hands[0]) == {"LW01"}


def test_an_option_says_which_side_begins_and_the_host_says_who():
    match = start(first_side="E")
    view = view_of(match, "ann")

    assert (view.players, view.side, view.side_to_act) == (("bob", "ann"), "E", "E")
    match = do(do(match, "mulligan", indices=[]), "pass")
    assert match.turn.current == "bob"
    assert view_of(match, "bob").side_to_act == "Y"
    match = create_match(GAME, ["ann", "bob"], seed=SEED, starting_player="bob")
    assert view_of(match, "bob").side == "Y"
    assert do(do(match, "mulligan", indices=[]), "pass").turn.current == "ann"


@pytest.mark.parametrize("players", [["ann"], ["ann", "bob", "cid"]])
def test_a_match_of_one_or_three_players_is_refused(players):
    with pytest.raises(BadPlayers):
        create_match(GAME, players, seed=SEED)


# --- Turns ------------------------------------------------------------------------------------------------------------


def test_each_player_has_a_mulligan_first_and_draws_from_the_second_turn_on():
    match = start()
    seen = []
    for _ in range(2):
        for player in ("ann", "bob"):
            seen.append((match.turn.current, match.turn.phase, len(view_of(match, player).hands[player == "bob"])))
            if match.turn.phase == "mulligan":
                match = do(match, "mulligan", indices=[0, 4])
            match = do(match, "play", **first_play(match))

    assert seen == [("ann", "mulligan", 5), ("bob", "mulligan", 5), ("ann", "play", 5), ("bob", "play", 5)]


def test_two_passes_end_the_match_in_a_draw_of_nothing():
    match = do(do(do(opened(), "pass"), "mulligan", indices=[]), "pass")

    assert match.result == MatchResult("draw", (), "both passed", {"ann": 0, "bob": 0})
    assert (match.status, legal_actions(GAME, match)) == ("finished", ())


def test_the_higher_score_wins():
    match = opened()
    first = first_play(match)
    match = do(do(match, "play", **first), "mulligan", indices=[])
    match = do(do(match, "pass"), "pass")

    assert match.result is not None
    assert match.result.winners == ("ann",)
    assert match.result.scores["ann"] == view_of(match, None).lanes[first["lane"]].power_you > 0


@pytest.mark.parametrize(
    ("position", "action", "code"),
    [
        (start, act("play", hand_index=0, lane=0, col=0), "wrong_phase"),
        (start, act("pass"), "wrong_phase"),
        (start, act("mulligan", indices=[5]), "no_such_card"),
        (start, act("mulligan", indices=[-1]), "no_such_card"),
        (start, act("mulligan", indices=[1, 1]), "card_twice"),
        (start, act("mulligan", indices=[2**40]), "no_such_card"),
        (start, act("mulligan", indices="01"), "bad_payload"),
        (start, act("mulligan", indices=[True]), "bad_payload"),
        (start, Action("mulligan", {"indices": []}, "bob"), "not_your_turn"),
        (opened, act("mulligan", indices=[]), "wrong_phase"),
        (opened, act("play", hand_index=5, lane=0, col=0), "no_such_card"),
        (opened, act("play", hand_index=-1, lane=0, col=0), "no_such_card"),
        (opened, act("play", hand_index=0, lane=3, col=0), "no_such_place"),
        (opened, act("play", hand_index=0, lane=0, col=-1), "no_such_place"),
        (opened, act("play", hand_index=0, lane=0, col=1), "cannot_play_there"),
        (opened, act("play", hand_index=0, lane=0, col=4), "cannot_play_there"),
        (opened, act("play", hand_index=0, lane=0), "bad_payload"),
        (opened, act("play", hand_index=0, lane=0, col="1"), "bad_payload"),
        (opened, act("pass", loudly=True), "bad_payload"),
        (opened, Action("pass", {}, "bob"), "not_your_turn"),
        (opened, act("resign"), "unknown_action"),
        (as_ann_sees_it, act("pass"), "is_a_view"),
    ],
    ids=lambda value: getattr(value, "__name__", str(value)),
)
def test_an_illegal_action_is_refused_with_its_code(position, action, code):
    match = position()

    answer = apply_action(GAME, match, action)

    assert not answer.ok
    assert answer.code == code
    assert answer.state is match


@pytest.mark.parametrize(
    ("places", "code"),
    {(5, 0, 0): "no_such_card", (-1, 0, 0): "no_such_card", (0, 3, 0): "no_such_place"}.items(),
)
def test_a_preview_of_an_illegal_play_is_refused_with_the_code_of_the_play(places, code):
    hand_index, lane, col = places
    with pytest.raises(Refusal) as refused:
        GAME.foresee(view_for(GAME, opened(), "ann"), act("play", hand_index=hand_index, lane=lane, col=col))

    assert refused.value.code == code


def test_a_time_out_keeps_the_hand_and_then_passes():
    match = start()
    for expected in ("play", "mulligan", "play"):
        match = do(match, "time_out")
        assert match.turn.phase == expected
    assert GAME.describe(Action("time_out", {}, "ann"), start(), do(start(), "time_out")) == (
        "out of time, ann kept the hand"
    )


def test_a_player_who_leaves_loses():
    match = opened()

    answer = apply_action(GAME, match, Action("leave", {}, "ann"))

    assert answer.ok
    assert answer.state.result is not None
    assert answer.state.result.winners == ("bob",)
    assert GAME.describe(answer.action, match, answer.state) == "ann left the table"


def test_actions_are_read_from_text():
    assert parse_action(GAME, "play 0 1 0") == act("play", hand_index=0, lane=1, col=0)
    assert parse_action(GAME, "mulligan") == act("mulligan")
    assert parse_action(GAME, "mulligan 0,3") == act("mulligan", indices=[0, 3])
    assert parse_action(GAME, "pass") == act("pass")


# --- Who sees what ----------------------------------------------------------------------------------------------------


def positions() -> list[Match[Any]]:
    """Return positions of several matches: openings, middles with known cards in hands, ends."""
    found = []
    for number in range(6):
        options = {"profile": ("seed", "console")[number % 2], "deck_y": "green-water", "deck_e": "false-lights"}
        found += play_at_random(start(bytes([number]) * 32, **options), GameRng.new(b"p", number, 0))[::3]
    return found


POSITIONS = positions()


def test_a_view_shows_ones_own_hand_and_of_the_other_only_what_abilities_put_there():
    known = 0
    for match in POSITIONS:
        for number, viewer in enumerate(("ann", "bob")):
            view = view_of(match, viewer)
            for side in range(2):
                hand = hand_of(match.game.cells, side)
                ids = [own_cards().cards[card >> 1].id for card in hand]
                if side == number:
                    assert list(view.hands[side]) == ids
                else:
                    shown = [card_id if card & 1 else HIDDEN for card, card_id in zip(hand, ids, strict=True)]
                    assert list(view.hands[side]) == shown
                    known += sum(card & 1 for card in hand)
    assert known > 3  # there are such cards in these positions


def test_a_view_holds_no_seed_and_no_order_of_a_deck():
    for match in POSITIONS:
        for viewer in ("ann", "bob", None):
            view = view_for(GAME, match, viewer)
            text = canonical(view).decode()
            assert match.game.seed not in text
            assert list(view.game.unseen[0]) == sorted(view.game.unseen[0])
            assert list(view.game.unseen[1]) == sorted(view.game.unseen[1])
            for event in view.game.happened:
                assert event.type != "draw" or event.card == ""


def test_what_is_unseen_is_the_deck_list_less_all_that_has_been_shown():
    """Worked out from the actions alone: fifteen cards, less those played from the hand that no ability put there."""
    decks = {deck.id: deck.cards for deck in own_decks()}
    for number in range(4):
        match = start(bytes([number]) * 32, deck_y="green-water", deck_e="false-lights")
        left = {"Y": list(decks["green-water"]), "E": list(decks["false-lights"])}
        rng = GameRng.new(b"q", number, 0)
        while match.status == "active":
            before = view_of(match, None)
            match = apply_action(GAME, match, rng.pick(legal_actions(GAME, match))).state
            after = view_of(match, None)
            for event in after.happened:
                side = "YE".find(event.owner)
                if event.type == "play" and event.hand_index not in before.shown[side]:
                    left[event.owner].remove(event.card)
            assert after.unseen == (tuple(sorted(left["Y"])), tuple(sorted(left["E"])))


def test_a_view_gives_back_all_cells_but_the_hidden_cards():
    for match in POSITIONS:
        for side, viewer in enumerate(("ann", "bob")):
            real = match.game.cells
            cells = cells_of(view_of(match, viewer), own_cards())
            cells[layout.HAND_ROOM] = real[layout.HAND_ROOM]  # the real one was made for more cards
            assert cells[: layout.DECKS] == list(real[: layout.DECKS])
            cells = cells_of(view_of(match, viewer), own_cards())
            assert hand_of(cells, side) == hand_of(real, side)
            for number in range(2):
                assert sorted(held_by(cells, number)) == sorted(held_by(real, number))


def test_other_deals_look_the_same_and_are_other_deals():
    rng = GameRng.new(b"deals", 0, 0)
    changed = 0
    for match in POSITIONS:
        for viewer in ("ann", "bob", None):
            view = view_for(GAME, match, viewer)
            dealt = imagine(GAME, view, rng)
            assert view_for(GAME, dealt, viewer) == view
            assert GAME.audit(dealt.game) is None
            changed += dealt.game.cells != match.game.cells
    assert changed > len(POSITIONS)


def test_every_deal_of_a_small_deck_comes_up_equally_often():
    """The other hand of five among fifteen, 3,000 deals: each card is in it a third of the time.

    Four standard errors of a third are 3.4 points; the chance that any of fifteen strays further is below 0.1 %.
    """
    match = opened()
    rng = GameRng.new(b"fair", 0, 0)
    counts: Counter[str] = Counter()
    for _ in range(3000):
        dealt = GAME.redeal(match.game, "ann", rng)
        counts.update(view_of(replace(match, game=dealt), "bob").hands[1])
    ruin = own_decks()[1].cards
    for card_id in set(ruin):
        copies = ruin.count(card_id)
        assert abs(counts[card_id] / (3000 * copies) - 1 / 3) < 0.034


def test_others_do_not_read_which_cards_were_replaced():
    client = MatchClient(GAME, start())
    client.dispatch(act("mulligan", indices=[1, 2]))

    shown = [log_for(GAME, client.get_state(), client.get_log(), who)[0].action.payload for who in ("bob", "ann")]

    assert shown == [{}, {"indices": [1, 2]}]


def test_tiles_where_a_card_may_go_are_named_in_the_view():
    for match in POSITIONS:
        if match.status == "finished" or match.turn.phase != "play":
            continue
        view = view_of(match, match.turn.current)
        named = {(place, tile) for place, tiles in enumerate(view.playable) for tile in tiles}
        legal = {
            (action.payload["hand_index"], 5 * action.payload["lane"] + action.payload["col"])
            for action in legal_actions(GAME, match)
            if action.type == "play"
        }
        assert named == legal


# --- Records and saves ------------------------------------------------------------------------------------------------


def test_an_undo_that_stops_at_what_was_revealed_does_not_cross_a_mulligan():
    client = MatchClient(GAME, start())
    client.dispatch(act("mulligan", indices=[0, 1]))

    assert not client.undo(stop_at_chance=True)
    assert client.undo()


# --- Text -------------------------------------------------------------------------------------------------------------


def test_a_rendered_view_fits_into_80_columns_and_shows_powers_and_the_hand():
    for match in POSITIONS:
        for viewer in ("ann", "bob", None):
            view = view_for(GAME, match, viewer)
            lines = [Text.from_markup(line, emoji=False).plain for line in GAME.render(view).splitlines()]
            assert max(map(len, lines)) <= 80
            board = "\n".join(lines)
            for tile in view.game.tiles:
                if tile.card is not None:
                    assert f"{tile.card.side} {tile.card.power}" in board
            assert ("@" in board) == (viewer is not None)
            if viewer is not None:
                names = [own_cards().get_card(card).name.split()[0] for card in view.game.hands[viewer == "bob"]]
                assert all(f"{place} {name}" in board for place, name in enumerate(names, 1))


def test_a_name_with_markup_in_it_stays_a_name():
    players = [{"id": "ann", "name": "[red]Ann"}, {"id": "bob", "name": "Bob\\"}]
    match = create_match(GAME, players, seed=SEED)

    plain = Text.from_markup(GAME.render(view_for(GAME, match, "ann")), emoji=False).plain

    assert "[red]Ann" in plain
    assert "Bob\\" in plain


def test_lines_of_the_log_tell_what_everybody_saw():
    match = opened()
    first = first_play(match)
    after = do(match, "play", **first)
    card = next(event for event in after.game.happened if event.type == "play")
    replaced = do(after, "mulligan", indices=[3])
    later = do(replaced, "pass")

    assert GAME.describe(act("mulligan"), start(), match) == "somebody kept the hand"
    played = GAME.describe(Action("play", first, "ann"), match, after)
    assert played.startswith(f"ann played {own_cards().get_card(card.card).name} on {card.tile}")
    assert GAME.describe(Action("mulligan", {"indices": [3]}, "bob"), after, replaced) == "bob replaced 1 card"
    assert GAME.describe(Action("pass", {}, "bob"), replaced, later) == "bob passed"


# --- Everything at random ---------------------------------------------------------------------------------------------


@given(data=st.data())
def test_any_payload_is_accepted_or_refused(data):
    match = data.draw(st.sampled_from(POSITIONS))
    number = st.one_of(st.integers(-2, 8), st.integers(), st.none(), st.booleans(), st.text(max_size=3))
    payload = data.draw(
        st.dictionaries(st.sampled_from(["hand_index", "lane", "col", "indices"]), st.one_of(number, st.lists(number)))
    )
    name = data.draw(st.sampled_from(["play", "pass", "mulligan"]))
    digest = state_digest(match)

    answer = apply_action(GAME, match, Action(name, payload))

    assert state_digest(match) == digest
    if answer.ok:
        assert GAME.audit(answer.state.game) is None
    else:
        assert answer.state is match


class ProbeLanes(Lanes):
    """The same game with the probe cards."""

    cards: CardSet
    bots: ClassVar[dict[str, Bot]] = {}

    def card_set(self) -> CardSet:
        return self.cards


def test_a_game_with_other_cards_overrides_one_method(probe):
    game = ProbeLanes()
    game.cards = probe
    ids = [card.id for card in probe if card.tier == "common"]
    options = [
        {"profile": profile, "deck_y": ids[first : first + 15], "deck_e": ids[first + 9 : first + 24]}
        for profile, first in (("seed", 0), ("console", 16))
    ]

    report = check_game(game, seeds=1, options=options)

    assert report.findings == ()
    assert report.actions > 20


def test_the_audit_finds_a_state_that_contradicts_itself():
    match = opened()
    cells = list(match.game.cells)
    cells[layout.CARDS_OF] = 4

    assert GAME.audit(replace(match.game, cells=tuple(cells))) is not None
