"""Every trigger and operation of the specification, in positions worked out by hand, under both profiles."""

from __future__ import annotations

import pytest

from croupier.games.lanes.compat import BoardState, CardHydrator, Deck, GameState, Rules, load_cards
from croupier.games.lanes.play.position import Side
from croupier.games.lanes.rules.layout import TILE_OF
from tests.games.lanes.conftest import RULES, cases, run_case

# name | set-up | plays | what both expect | what seed alone expects | what console alone expects
CASES = """
an x that kills also takes the tile | MID-2=E1:K02 | Y K03 MID-1 | MID-2=Y1 | |
an x that kills on two pawns | MID-2=E2:K02 | Y K03 MID-1 | MID-1=Y:K03(3) | MID-2=E1 | MID-2=Y2
on_play power all | TOP-1=Y1:K01, MID-2=E1:K02 | Y K47 MID-1 | TOP-1=Y:K01(2); MID-2=E:K02(3); MID-1=Y:K47(1); BOT-1=Y1 | |
on_play power allies behind the card | MID-2=Y2, TOP-1=Y1:K08, MID-1=Y1:K01, BOT-1=E1:K08 | Y K48 MID-2 | TOP-1=Y:K08(3); MID-1=Y1; BOT-1=E:K08(4); MID-2=Y:K48(5) | |
on_play power behind the card of the enemy | MID-4=E2, TOP-5=E1:K08, MID-5=E1:K01 | E K48 MID-4 | TOP-5=E:K08(3); MID-5=E1 | |
on_play destroy all takes an ally whatever its power | MID-1=Y2, MID-2=Y1:K09 | Y K40 MID-1 | MID-2=Y2; MID-1=Y:K40(3) | |
on_play destroy enemies spares allies | MID-1=Y3, TOP-1=Y1:K08, BOT-1=E1:K09 | Y K41 MID-1 | TOP-1=Y:K08(4); BOT-1=Y1; MID-2=Y1 | |
on_play spawn with on_spawned by rank | MID-1=Y2, BOT-1=Y3, TOP-2=Y2 | Y K34 MID-1 | TOP-1=Y:K35(2); TOP-2=Y:K35(4); BOT-1=Y:K35(6); MID-1=Y:K34(3); MID-5=E1 | |
on_play spawn of the enemy | MID-5=E2, BOT-5=E3 | E K34 MID-5 | TOP-5=E:K35(2); BOT-5=E:K35(6); TOP-1=Y1 | |
on_play spawn of another token for each rank whose auras meet | MID-1=Y3, BOT-1=Y2 | Y K42 MID-1 | TOP-1=Y:K43(3); BOT-1=Y:K44(2); MID-1=Y:K42(2) | |
on_play spawn fills no tile twice and needs none | MID-1=Y2, TOP-1=Y1:K01, BOT-1=Y1:K01 | Y K34 MID-1 | TOP-1=Y:K01(1); MID-2=N0 | |
on_play add_to_hand | start board | Y K36 MID-1, E K36 MID-5, Y K36 TOP-1 | Y hand ends with K37 K37; E hand ends with K37 | |
on_destroyed add_to_hand | MID-1=Y1:K14 | Y K21 MID-1 | Y hand ends with K15; MID-1=Y:K21(2) | |
on_destroyed add_to_hand goes to the side of the card | MID-2=E1:K14 | Y K03 MID-1 | E hand ends with K15 | |
an aura on all lowers a friend to death | TOP-1=Y1:K02 | Y K07 MID-1 | TOP-1=Y2; BOT-1=Y2; MID-1=Y:K07(2) | |
a card that arrives under a deadly aura dies but its pawns were put | MID-1=Y1:K07 | Y K02 TOP-1 | TOP-1=Y1 | TOP-2=N0 | TOP-2=Y1
a card that arrives under a deadly aura still uses its on-play ability | MID-1=Y1:K07 | Y K36 TOP-1 | TOP-1=Y1; Y hand ends with K37 | |
an aura reaches a card placed later and ends with its source | start board | Y K06 TOP-1, Y K02 MID-1, Y K21 TOP-1 | MID-1=Y:K02(2); TOP-1=Y:K21(2) | |
two auras add up | TOP-1=Y1:K06, BOT-1=Y1:K05 | Y K02 MID-1 | MID-1=Y:K02(6) | |
on_destroyed power allies spares enemies | TOP-1=Y1:K01, MID-1=Y1:K12, MID-2=E1:K02 | Y K21 MID-1 | TOP-1=Y:K01(4); MID-2=E:K02(2); MID-1=Y:K21(2) | |
a chain of explosions | MID-1=Y2, MID-2=Y1:K13, MID-3=E1:K13, MID-4=E1:K09 | Y K40 MID-1 | MID-4=E:K09(4); MID-1=Y2; MID-3=E1 | MID-2=Y1 | MID-2=Y2
watchers of deaths see what they watch | TOP-1=Y1:K16, TOP-2=Y1:K17, TOP-3=Y1:K18, TOP-5=E1:K17, MID-1=Y2, MID-2=E1:K02 | Y K40 MID-1 | TOP-1=Y:K16(1); TOP-2=Y:K17(3); TOP-3=Y:K18(3); TOP-5=E:K17(2) | |
watchers of deaths see a replaced ally | TOP-1=Y1:K16, TOP-2=Y1:K17, TOP-3=Y1:K18, TOP-5=E1:K17, MID-1=Y1:K01 | Y K21 MID-1 | TOP-1=Y:K16(3); TOP-2=Y:K17(2); TOP-3=Y:K18(3); TOP-5=E:K17(3) | |
cards of one batch do not watch each other but others count them both | TOP-1=Y1:K18, BOT-1=Y1:K18, TOP-3=Y1:K18 | Y K07 MID-1 | TOP-3=Y:K18(4); TOP-1=Y2; BOT-1=Y2 | |
watchers of plays | TOP-1=Y1:K19, TOP-5=E1:K19, BOT-1=Y1:K20 | Y K02 MID-1, E K02 MID-5 | TOP-1=Y:K19(2); TOP-5=E:K19(2); BOT-1=Y:K20(3) | |
a watcher of plays does not watch its own | MID-1=Y3, TOP-1=Y1:K19 | Y K19 MID-1 | MID-1=Y:K19(1); TOP-1=Y:K19(2) | |
spawned cards are not played but a replace card is | MID-1=Y2, TOP-3=Y1:K19 | Y K34 MID-1, Y K21 MID-1 | TOP-3=Y:K19(3) | |
on_first_enhanced | BOT-1=Y1:K25, TOP-1=Y1:K01 | Y K06 MID-1 | TOP-1=Y:K01(4); MID-1=Y:K06(4); BOT-1=Y:K25(4) | |
on_first_enhanced goes off once | BOT-1=Y1:K25, TOP-1=Y1:K01 | Y K06 MID-1, Y K21 MID-1, Y K47 MID-2 | TOP-1=Y:K01(5); MID-1=Y:K21(3); BOT-1=Y:K25(3) | |
a raise back to the printed power enhances nobody | BOT-1=Y1:K25{-1}, TOP-1=Y1:K01 | Y K47 MID-1 | BOT-1=Y:K25(2); TOP-1=Y:K01(2); MID-1=Y:K47(1) | |
on_first_enfeebled | BOT-1=Y1:K26, MID-2=E1:K08, TOP-2=E1:K02 | Y K04 MID-1 | BOT-1=Y:K26(2); MID-2=E:K08(2); TOP-2=E1 | |
on_first_enfeebled for allies | MID-1=Y1:K27, BOT-1=Y1:K01 | Y K04 TOP-1 | MID-1=Y:K27(2); BOT-1=Y:K01(5) | |
on_first_enfeebled after having been enhanced | MID-2=E1, MID-1=Y1:K27{+1}, BOT-1=Y1:K01 | E K03 MID-2 | MID-1=Y:K27(1); BOT-1=Y:K01(5) | |
death at exactly 0 comes before one-shots | MID-2=E1, MID-1=Y1:K27, BOT-1=Y1:K01 | E K03 MID-2 | MID-1=E1; BOT-1=Y:K01(1) | |
death comes before one-shots | BOT-3=E2, BOT-1=Y1:K26, MID-2=E1:K08 | E K46 BOT-3 | BOT-1=Y1; MID-2=E:K08(4) | |
a card with both one-shots | MID-2=E1, MID-1=Y1:K28, TOP-1=E1:K08 | Y K05 BOT-1, E K03 MID-2 | MID-1=Y:K28(2); TOP-1=E:K08(4); BOT-1=Y:K05(1); TOP-3=E1; BOT-3=E1 | |
one-shots that meet each other both go off | TOP-2=Y1, MID-2=Y1:K24, MID-3=E1:K24 | Y K47 TOP-2 | MID-2=Y1; MID-3=E1; TOP-2=Y:K47(1) | |
a one-shot that holds at set-up is spent | MID-2=Y1:K24{+1}, MID-3=E1:K09 | Y K47 MID-1 | MID-3=E:K09(8); MID-2=Y:K24(4) | |
on_power_reaches | MID-2=Y1:K29{+3}, TOP-1=Y1:K01, MID-3=E1:K08 | Y K47 MID-1 | MID-2=Y:K29(7); MID-1=Y:K47(3); TOP-1=Y:K01(4); MID-3=E:K08(4) | |
on_power_reaches not yet | MID-2=Y1:K29{+2}, TOP-1=Y1:K01 | Y K47 MID-1 | MID-2=Y:K29(6); MID-1=Y:K47(1); TOP-1=Y:K01(2) | |
power_per of every kind | TOP-1=Y1:K30, TOP-2=Y1:K01{+1}, TOP-3=E1:K01{+1}, MID-2=E1:K08{-1}, BOT-1=Y1:K32, BOT-2=Y1:K31, BOT-3=Y1:K33 | none | TOP-1=Y:K30(7); BOT-1=Y:K32(4); BOT-2=Y:K31(4); BOT-3=Y:K33(6) | |
power_per falls when what it counts dies | MID-1=Y2, MID-2=E1:K01{+1}, TOP-3=Y1:K31 | Y K40 MID-1 | TOP-3=Y:K31(1) | |
power_per falls when a replaced card was counted | TOP-1=Y1:K30, MID-1=Y1:K01{+3} | Y K21 MID-1 | TOP-1=Y:K30(5) | |
power_by_replaced raises allies | TOP-2=Y1:K01, MID-1=Y1:K09 | Y K22 MID-1 | TOP-2=Y:K01(9); MID-1=Y:K22(1) | |
power_by_replaced lowers all by the present power | BOT-2=E1:K09, MID-1=Y1:K08{+1} | Y K23 MID-1 | BOT-2=E:K09(3); MID-1=Y:K23(2) | |
power_by_replaced counts an aura that goes | BOT-2=E1:K09, MID-1=Y1:K01, TOP-1=Y1:K06 | Y K23 MID-1 | BOT-2=E:K09(5); MID-1=Y:K23(4) | |
a replaced aura lets its friend die before the new card stands | TOP-1=Y1:K01{-2}, MID-1=Y1:K05 | Y K21 MID-1 | TOP-1=Y2; MID-1=Y:K21(2) | |
pawns aimed at a card in an earlier play | MID-3=E1:K02, MID-2=Y1, MID-1=Y2 | Y K01 MID-2, Y K46 MID-1 | MID-2=Y:K01(1) | MID-3=Y1 | MID-3=E1
two pawns against two | MID-1=Y2, MID-2=E2 | Y K10 MID-1 | MID-2=Y2 | |
two pawns against three | MID-1=Y2, MID-2=E3 | Y K10 MID-1 | TOP-1=Y3 | MID-2=E1 | MID-2=Y3
two pawns against one | MID-1=Y2, MID-2=E1 | Y K10 MID-1 | TOP-1=Y3 | MID-2=Y2 | MID-2=Y1
the first of three single pawns against three | MID-2=E3, TOP-2=Y1, BOT-2=Y1 | Y K01 MID-1 | TOP-1=Y2 | MID-2=E2 | MID-2=Y3
the second of three single pawns against three | MID-2=E3, TOP-2=Y1, BOT-2=Y1 | Y K01 MID-1, Y K02 TOP-2 | TOP-1=Y2 | MID-2=E1 | MID-2=Y3
the third of three single pawns against three | MID-2=E3, TOP-2=Y1, BOT-2=Y1 | Y K01 MID-1, Y K02 TOP-2, Y K01 BOT-2 | TOP-1=Y2 | MID-2=Y1 | MID-2=Y3
each copy takes the loser's power | TOP-1=Y1:K39, TOP-2=Y1:K39, TOP-3=Y1:K08, TOP-5=E1:K03 | none | BOT-1=Y1 | lanes 6-3→Y 12 / 0-0→none / 0-0→none | lanes 6-3→Y 9 / 0-0→none / 0-0→none
a copy of the loser | TOP-1=Y1:K08, TOP-5=E1:K39 | none | BOT-1=Y1 | lanes 4-1→Y 4 / 0-0→none / 0-0→none | lanes 4-1→Y 5 / 0-0→none / 0-0→none
a copy in a tied lane | TOP-1=Y1:K39, TOP-5=E1:K01, MID-1=Y1:K08, MID-5=E1:K03 | none | BOT-1=Y1 | lanes 1-1→none / 4-3→Y 4 / 0-0→none | lanes 1-1→none / 4-3→Y 7 / 0-0→none
lane bonuses need a lane won | TOP-1=Y1:K38, TOP-5=E1:K38 | none | lanes 1-1→none / 0-0→none / 0-0→none; total 0-0, winner none | |
"""  # noqa: E501
ROWS = cases(CASES)
PARAMETERS = [
    pytest.param(profile, set_up, plays, "; ".join(filter(None, [both, extra])), id=f"{name}, {profile}")
    for name, set_up, plays, both, seed, console in ROWS
    for profile, extra in (("seed", seed), ("console", console))
]


@pytest.mark.parametrize(("profile", "set_up", "plays", "expected"), PARAMETERS)
def test_an_ability_does_what_is_specified(probe, profile, set_up, plays, expected):
    run_case(probe, RULES[profile], set_up, plays, expected)


def test_the_number_of_a_tile_is_found_from_its_bit():
    assert [TILE_OF[(1 << tile) % 19] for tile in range(15)] == list(range(15))


# --- What no probe card does ------------------------------------------------------------------------------------------

PLAIN = {"name": "X", "tier": "common", "cost": 1, "power": 3, "pattern": "B3P"}


def custom(*cards):
    """Return a set of cards that are plain but for what is said of them; K01 fills the decks."""
    listed = [{**PLAIN, "id": "K01"}, *({**PLAIN, **card} for card in cards)]
    return load_cards({"format": 1, "set": {"id": "custom", "version": "1"}, "cards": listed})


def on_play(do, **fields):
    return {"when": "on_play", "do": do, **fields}


SPAWN = on_play("spawn", tokens={"1": "T1", "2": "T2", "3": "T3"})
TOKENS = [{"id": f"T{rank}", "tier": "token", "power": rank} for rank in (1, 2, 3)]


def test_pawns_come_before_abilities_so_a_spawn_fills_what_the_card_claims(rules):
    cards = custom({"id": "S", "pattern": "B3P,C2P", "abilities": [SPAWN]}, *TOKENS)

    run_case(cards, rules, "start board", "Y S MID-1", "MID-2=Y:T1(1); TOP-1=Y:T2(2); BOT-1=Y:T1(1); TOP-2=N0")


def test_abilities_resolve_in_the_order_listed(rules):
    strike = on_play("destroy", who="all")
    cards = custom(
        {"id": "A", "pattern": "B3E", "abilities": [strike, SPAWN]},
        {"id": "B", "pattern": "B3E", "abilities": [SPAWN, strike]},
        *TOKENS,
    )

    run_case(cards, rules, "MID-2=Y1:K01, BOT-1=Y1:K01", "Y A MID-1", "MID-2=Y:T1(1); TOP-1=Y:T1(1)")
    run_case(cards, rules, "MID-2=Y1:K01, BOT-1=Y1:K01", "Y B MID-1", "MID-2=Y1; TOP-1=Y:T1(1)")


def test_self_names_the_card_itself(rules):
    cards = custom(
        {"id": "A", "abilities": [on_play("power", who="self", amount=2)]},
        {"id": "B", "abilities": [{"when": "while_in_play", "do": "power", "who": "self", "amount": 4}]},
        {"id": "C", "abilities": [{"when": "on_first_enfeebled", "do": "power", "who": "self", "amount": 7}]},
        {"id": "D", "pattern": "C4E", "abilities": [on_play("power", who="all", amount=-1)]},
        {"id": "E", "abilities": [on_play("destroy", who="self"), on_play("power", who="self", amount=5)]},
    )

    run_case(cards, rules, "start board", "Y A TOP-1", "TOP-1=Y:A(5); MID-1=Y1")
    run_case(cards, rules, "start board", "Y B TOP-1", "TOP-1=Y:B(7)")
    run_case(cards, rules, "MID-1=Y1:C", "Y D TOP-1", "MID-1=Y:C(9); TOP-1=Y:D(3)")
    run_case(cards, rules, "start board", "Y E TOP-1", "TOP-1=Y1")


def test_an_aura_of_its_own_goes_with_the_card(rules):
    aura = {"when": "while_in_play", "do": "power", "who": "self", "amount": 4}
    cards = custom({"id": "B", "abilities": [aura]}, {"id": "R", "cost": "replace"})

    run_case(cards, rules, "start board", "Y B TOP-1, Y R TOP-1", "TOP-1=Y:R(3)")


def test_a_card_may_do_the_same_thing_twice():
    """Every ability counts: two auras, two counts, two bonuses on one card."""
    aura = {"when": "while_in_play", "do": "power", "who": "allies", "amount": 1}
    count = {"when": "while_in_play", "do": "power_per", "count": "enhanced", "of": "allies", "amount": 1}
    bonus = {"when": "on_lane_won", "do": "score", "amount": 2}
    cards = custom({"id": "A", "pattern": "B3E", "abilities": [aura, aura, count, count, bonus, bonus]})

    run_case(
        cards,
        Rules.seed(),
        "MID-2=Y1:K01",
        "Y A MID-1",
        "MID-2=Y:K01(5); MID-1=Y:A(5); lanes 0-0→none / 10-0→Y 14 / 0-0→none",
    )


def test_sixteen_one_shots_on_one_card_go_off_together():
    shots = [{"when": "on_first_enhanced", "do": "power", "who": "allies", "amount": 1}] * 16
    cards = custom(
        {"id": "A", "pattern": "B3E", "abilities": shots},
        {"id": "B", "pattern": "C4E", "abilities": [on_play("power", who="all", amount=1)]},
    )

    state = run_case(cards, Rules.seed(), "MID-1=Y1:A, MID-2=Y1:K01", "Y B TOP-1", "MID-2=Y:K01(19); MID-1=Y:A(4)")

    card = state.board.tile_at(1, 0).card
    assert card is not None
    assert card.fired == tuple(range(16))


def test_a_replaced_power_is_cut_where_powers_could_double_for_ever():
    """No card is worth a million; cards that feed on each other would be one day, and compiled numbers end."""
    heir = on_play("power_by_replaced", who="allies", sign=1)
    cards = custom({"id": "H", "cost": "replace", "pattern": "A3E,B3E,D3E,E3E", "abilities": [heir]})
    plays = ", ".join(f"Y H MID-{1 + number % 3}" for number in range(60))

    state = run_case(cards, Rules.seed(), "MID-1=Y1:K01, MID-2=Y1:K01, MID-3=Y1:K01", plays, "TOP-1=Y1")

    powers = [state.board.power_at(1, col) for col in range(3)]
    assert 1_000_000 < max(powers) <= 2_000_003  # two heirs have come and gone since the strongest stood


def test_the_steps_taken_one_by_one_are_a_play(probe):
    """`place_card`, `apply_pawns`, `apply_effects`, `settle`, late pawns: as a game takes them, for both sides."""
    for rules in RULES.values():
        sides: tuple[tuple[Side, int, str], ...] = (("Y", 0, "you"), ("E", 4, "enemy"))
        for side, col, hook in sides:
            for card_id in ("K01", "K03", "K04", "K05", "K07", "K12", "K24", "K36", "K46", "K47"):
                board = BoardState(probe, rules)
                board.set_up("MID-1=Y2, MID-5=E2, TOP-1=Y2:K02, MID-2=E1:K02, MID-3=Y1:K24, MID-4=Y1:K02, TOP-5=E1:K16")
                hydrator = CardHydrator(probe)
                decks = [Deck([card_id] * 15) for _ in range(2)]
                state = GameState(decks[0], decks[1], hydrator, board=board, first_side=side)

                state.play_card_from_hand(side, 0, 1, col)
                board.place_card(1, col, card_id, side)
                waiting = getattr(board, f"apply_pawns_for_{hook}")(1, col)
                getattr(board, f"apply_effects_for_{hook}")(1, col)
                board.settle()
                board.apply_late_pawns(1, col, side, card_id, waiting)
                board.recompute_influence_from_deltas()

                assert board.tiles() == state.board.tiles(), (card_id, side)
                board.validate()
