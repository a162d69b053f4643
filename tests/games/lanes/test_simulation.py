"""The simulation layer: the tests that its specification names, by those names; then the choices it leaves open."""

from __future__ import annotations

import copy
import json
import re
from ast import literal_eval
from collections import Counter
from hashlib import sha256

import pytest
from msgspec.structs import astuple

from croupier.errors import BadSeed, CroupierError
from croupier.fairness import derive
from croupier.games.lanes.compat import (
    BoardState,
    Card,
    CardDataError,
    CardHydrator,
    Deck,
    DeckError,
    GameOverError,
    GameState,
    Hand,
    HandIndexError,
    IllegalPlacement,
    PhaseError,
    Rules,
    UnknownCard,
    WrongSide,
    effect_engine,
)
from croupier.games.lanes.play.simulation import PASS
from croupier.rng import GameRng
from tests.games.lanes.conftest import make_move, place
from tests.games.scenes import play, scenes

IDS = [f"{number:03}" for number in range(1, 16)]


def a_hand(probe, *ids):
    hand = Hand(CardHydrator(probe))
    for card_id in ids:
        hand.add_card(card_id)
    return hand


def a_state(probe, player_hand, enemy_hand=("K01",), *, rules=None, board=None):
    """Return a game with these hands on a board that is set up."""
    player_deck, enemy_deck = (Deck([*hand, *["K02"] * (15 - len(hand))]) for hand in (player_hand, enemy_hand))
    ground = BoardState(probe, rules or Rules.seed())
    ground.set_up(board or "")
    cards = CardHydrator(probe)
    return GameState(player_deck, enemy_deck, cards, player_hand=player_hand, enemy_hand=enemy_hand, board=ground)


# --- Scenes: the tests that the specification names, and what it leaves open, by number -------------------------------


class Ground:
    """A game that reads steps in words: `Y 0 MID-1` plays a card of the hand, `draw`, `end`, `pass`, `mulligan Y 0 2`.

    The head has both hands, the board, the rules and who begins; `deck` deals fifteen cards by seed 11. A tile is
    named as in the specification, or by lane and column as `(0,-1)`. Errors change nothing.
    """

    def __init__(self, probe, fifteen, head):
        self.error = ""
        if head.startswith("deck"):
            is_second = "first=E" in head
            self.state = GameState.new(fifteen, fifteen, cards=probe, seed=11, first_side="E" if is_second else "Y")
            return
        hands, *options = head.split(" with ")
        player, enemy = ([] if hand == "-" else hand.split() for hand in hands.split(" / "))
        board = options[0] if options else ""
        rules = Rules.console() if board.endswith(" on the console") else None
        self.state = a_state(probe, player, enemy, rules=rules, board=board.removesuffix(" on the console"))

    def take(self, words):
        name, *rest = words
        if name in ("Y", "E"):
            lane, col = literal_eval(rest[1]) if rest[1].startswith("(") else place(rest[1])
            self.state.play_card_from_hand(name, int(rest[0]), lane, col)
            self.state.board.validate()
        elif name == "mulligan":
            self.state.mulligan(rest[0], [int(index) for index in rest[1:]])
        elif name == "clone":
            self.state = self.state.clone()
        elif name == "empty":
            self.state.player_deck.draw_n(int(rest[0]))
        elif name == "draw":
            self.drawn = self.state.draw_start_of_turn()
        else:
            {"end": self.state.end_turn, "pass": self.state.pass_turn, "skip": self.state.skip_turn}[name]()

    def refusal(self, words):
        before = self.state.state_hash()
        with pytest.raises(CroupierError) as no:
            self.take(words)
        assert self.state.state_hash() == before
        self.error = str(no.value)
        return type(no.value).__name__ + (" twice" if "twice" in str(no.value) else "")

    def look(self, path):
        state = self.state
        if re.fullmatch(r"(TOP|MID|BOT)-[1-5]", path):
            return state.board.tile_at(*place(path)).text
        if path == "powers":
            return [effect_engine.compute_effective_power(state.board, 0, col) for col in (0, 1)]
        if path == "kept":  # hand and deck, as they were dealt
            twin = GameState.new(*[state.player_deck.card_ids] * 2, cards=state.board.cards, seed=11)
            return [(one.player_hand.as_card_ids(), one.player_deck.value) for one in (state, twin)].count(
                (twin.player_hand.as_card_ids(), twin.player_deck.value)
            )
        found = {
            "now": lambda: (state.turn, state.side_to_act, state.consecutive_passes),
            "drawn": lambda: self.drawn,
            "error": lambda: self.error,
            "sizes": lambda: (
                [len(each) for each in (state.player_hand, state.enemy_hand)]
                + [each.cards_remaining() for each in (state.player_deck, state.enemy_deck)]
            ),
            "over": state.is_game_over,
            "moves": lambda: [(move.hand_index, move.lane, move.col) for move in state.legal_moves()],
            "enemy_passes": lambda: state.legal_moves("E")[-1] == PASS,
            "enemy_hand": lambda: len(state.enemy_hand),
            "last_event": lambda: state.events[-1]["type"],
            "reasons": lambda: [event["reason"] for event in state.events if event["type"] == "over"],
        }
        return found[path]()


FULL = ", ".join(f"{lane}-{col}=Y1:K08" for lane in ("TOP", "MID", "BOT") for col in range(1, 6)).partition(", ")[2]
SCENES = scenes(f"""
# an empty deck draws nothing and play goes on | deck
empty 10; skip; skip; draw; ? drawn None; ? last_event 'draw_empty'; ? over False; pass
# play phase projection correctness | K01 / K03 with MID-4=E2
## K01 is a plus and K03 has two cells behind it: worked out by hand, for both sides.
Y 0 MID-1; ? TOP-1 'Y2'; ? BOT-1 'Y2'; ? MID-2 'Y1'; ? TOP-2 'N0'; ? BOT-2 'N0'; ? MID-3 'N0'
end; E 0 MID-4; ? MID-3 'E1'; ? TOP-5 'E2'; ? BOT-5 'E2'
# turn sequencing correctness | K01 K02 / K01 K02
? now (1, 'Y', 0); draw; Y 0 TOP-1; end; ? now (2, 'E', 0); draw; E 0 TOP-5; end
? now (3, 'Y', 0); draw; Y 0 MID-1; end; ? now (4, 'E', 0); draw; E 0 MID-5; end
pass; ? now (6, 'E', 1); pass; ? now (7, 'Y', 2); ? over True
# destruction rollback correctness | K01 K02 K23 / K01 with MID-2=E1, TOP-2=Y1
## The specification's own example: E1 taken by A, then raised by B, is Y2; without A, B makes the capture: Y1.
## A is K01 on MID-1, B is K02 on TOP-2, which has MID-2 one lane below it; then A is replaced by K23, whose own pawn
## falls on BOT-1 and which lowers what stands on BOT-2: nothing.
Y 0 MID-1; ? MID-2 'Y1'; ? TOP-1 'Y2'; ? BOT-1 'Y2'; end; end
Y 0 TOP-2; ? MID-2 'Y2'; ? TOP-1 'Y2'; ? BOT-1 'Y2'; end; end
Y 0 MID-1; ? MID-2 'Y1'; ? TOP-1 'Y1'; ? BOT-1 'Y2'
# pawns stay on the console | K01 K02 K23 / K01 with MID-2=E1, TOP-2=Y1 on the console
Y 0 MID-1; end; end; Y 0 TOP-2; end; end; Y 0 MID-1; end; end; ? MID-2 'Y2'; ? TOP-1 'Y2'; ? BOT-1 'Y3'
# effective power stability across turns | K05 K01 K47 K21 / K01 with TOP-2=Y1
## An aura counts while its source stands, a lasting change for ever; turns that pass change neither.
Y 0 MID-1; ? powers [0, 0]; end; ? powers [0, 0]; end; ? powers [0, 0]
Y 0 TOP-1; ? powers [3, 0]; end; ? powers [3, 0]; end; ? powers [3, 0]
Y 0 TOP-2; ? powers [4, 1]; end; ? powers [4, 1]; end; ? powers [4, 1]
Y 0 MID-1; ? powers [2, 1]; end; ? powers [2, 1]; end; ? powers [2, 1]
# choice 8 cells off the board are dropped and a tile off it is an error | K01 / K01
Y 0 (0,-1) -> IllegalPlacement; Y 0 TOP-1; ? MID-1 'Y2'
# choice 13 a play leaves the turn open and there is one a turn | K01 K02 / K01
Y 0 TOP-1; ? now (1, 'Y', 0); ? moves []; ? enemy_passes True; Y 0 MID-1 -> PhaseError; pass -> PhaseError
draw -> PhaseError
# choice 17 the other side may begin | deck first=E
? now (1, 'E', 0); draw; ? drawn None; pass; draw; ? drawn None; ? now (2, 'Y', 1)
# choice 19 a mulligan of nothing is used up and keeps the deck | deck
mulligan Y; ? kept 2; mulligan Y 1 -> PhaseError
# choice 20 a place named twice is an error | deck
mulligan Y 1 1 -> DeckError twice
# a mulligan may wait until the side draws or acts | deck
draw; mulligan Y 0 -> PhaseError; mulligan E 0; pass; mulligan E 1 -> PhaseError
# the enemy may have a mulligan after your first turn | deck
pass; mulligan E 0 1 2; ? enemy_hand 5
# a play ends the time for a mulligan | K01 K01 / K01
Y 0 TOP-1; mulligan Y 0 -> PhaseError
# a pass ends the time for a mulligan | K01 K01 / K01
pass; mulligan Y 0 -> PhaseError
# there is one draw a turn | deck
draw; draw -> PhaseError
# after the end every action is an error | deck
pass; pass; Y 0 TOP-1 -> GameOverError; pass -> GameOverError; draw -> GameOverError; end -> GameOverError
mulligan Y 0 -> GameOverError; ? moves []
# a full board ends the game and the last turn can still be closed | K01 / K01 with {FULL}
Y 0 TOP-1; ? over True; ? reasons ['board_full']; end; end -> GameOverError
# a side without a legal move can only pass and a turn without a play is a pass | K09 / K09
? moves [(-1, -1, -1)]; end; ? now (2, 'E', 1)
# an empty hand ends nothing | - / -
? moves [(-1, -1, -1)]; ? over False
# legal moves come by hand then by tile with passing last | K02 K21 K08 / K01 with MID-1=Y2, BOT-1=Y1:K01, TOP-3=Y3
? moves [(0, 0, 0), (0, 0, 2), (0, 1, 0), (1, 2, 0), (2, 0, 2), (2, 1, 0), (-1, -1, -1)]
# A08 a new game | deck
? sizes [5, 5, 10, 10]; ? now (1, 'Y', 0)
# A10 a play between two passes counts from the beginning | K01 / K01
pass; E 0 TOP-5; end; ? now (3, 'Y', 0); pass; ? now (4, 'E', 1); ? over False
# a play between a pass and a turn without one counts from the beginning | K01 / K01
pass; E 0 TOP-5; end; end; ? now (4, 'E', 1); ? over False
# a turn without a play is a pass and two end the game | deck
? over False; draw; end; ? over False; draw; end; ? over True; ? now (3, 'Y', 2); end -> GameOverError
# a pass has ended its turn | deck
pass; end -> PhaseError
? error "the pass has ended the turn, and it is E's: pass_turn passes again"
clone; end -> PhaseError; ? now (2, 'E', 1)
## The enemy has begun its turn, and passes.
draw; end; ? over True
# A14 the legal placements of an opening hand | K01 K02 K08 K09 K21 / K01
? moves [(0, 0, 0), (0, 1, 0), (0, 2, 0), (1, 0, 0), (1, 1, 0), (1, 2, 0), (-1, -1, -1)]
# A11 an error changes nothing not even the hand | K01 K09 / K01
E 0 TOP-5 -> WrongSide; ? error 'it is the turn of Y, not of E'
Y 2 TOP-1 -> HandIndexError; Y -1 TOP-1 -> HandIndexError; Y 0 (3,0) -> IllegalPlacement
Y 0 TOP-2 -> IllegalPlacement; Y 1 TOP-1 -> IllegalPlacement; mulligan Y 2 -> HandIndexError
mulligan Z 0 -> BadOptions
""")


@pytest.mark.parametrize(("head", "scene"), SCENES)
def test_a_game_goes_as_written(probe, fifteen, head, scene):
    play(Ground(probe, fifteen, head), scene)


# --- Deck tests -------------------------------------------------------------------------------------------------------


def shuffled_by_hand(ids, seed, label):
    """Return ids in the order of the specification: Fisher-Yates from the top down over the bytes of a hash chain."""
    block = sha256(sha256(str(seed).encode() + b"\0" + label.encode()).digest() + bytes(12)).digest()
    index = 0
    mixed = list(ids)
    for last in range(len(mixed) - 1, 0, -1):
        limit = 255 - 255 % (last + 1)
        while True:
            if index == 32:
                block, index = sha256(block).digest(), 0
            byte = block[index]
            index += 1
            if byte < limit:
                break
        chosen = byte % (last + 1)
        mixed[last], mixed[chosen] = mixed[chosen], mixed[last]
    return mixed


@pytest.mark.parametrize("seed", [0, 1, 7, -3, 2**64])
def test_seeded_shuffle_determinism(seed):
    expected = shuffled_by_hand(IDS, seed, "deck")

    assert Deck(IDS, seed=seed).draw_n(15) == expected
    assert Deck(IDS, seed=seed).seed == seed


def test_the_list_a_deck_is_made_from_stays_as_it_is():
    ids = list(IDS)
    deck = Deck(ids, seed=3)

    assert ids == IDS == deck.card_ids
    deck.card_ids.append("016")
    assert deck.card_ids == IDS


def test_seeds_shuffle_differently():
    orders = {tuple(Deck(IDS, seed=seed).draw_n(15)) for seed in range(200)}

    assert len(orders) == 200


@pytest.mark.parametrize("indices", [[], [0], [4, 1], [0, 1, 2, 3, 4]])
def test_mulligan_behavior(indices):
    deck = Deck(IDS, seed=7)
    hand = deck.draw_n(5)
    left = list(deck.value.left)

    after = deck.mulligan(hand, indices)

    pool = left + [hand[slot] for slot in sorted(indices)]
    mixed = shuffled_by_hand(pool, 7, "mulligan") if indices else pool
    expected = list(hand)
    for slot in sorted(indices):
        expected[slot] = mixed.pop(0)
    assert after == expected
    assert list(deck.value.left) == mixed
    assert sorted(after + mixed) == IDS


def test_a_mulligan_favours_no_card():
    """A full mulligan over 3,000 seeds: each card is in the new hand a third of the time, within four standard errors.

    The standard error of a third is 0.86 points. The chance that one of fifteen cards strays further is below 0.1 %.
    """
    counts: Counter[str] = Counter()
    for seed in range(3000):
        deck = Deck(IDS, seed=seed)
        counts.update(deck.mulligan(deck.draw_n(5), range(5)))

    assert all(abs(counts[card_id] / 3000 - 1 / 3) < 4 * 0.0086 for card_id in IDS)


def test_draw_order_consistency():
    deck, twin = Deck(IDS, seed=4), Deck(IDS, seed=4)

    one_by_one = [deck.draw() for _ in range(6)]

    assert one_by_one == twin.draw_n(6)
    assert deck.draw_n(4) == twin.draw_n(4)
    assert deck.cards_remaining() == twin.cards_remaining() == 5
    assert deck.draw_n(0) == []
    assert len(deck.draw_n(99)) == 5
    assert (deck.draw(), deck.draw_n(3), deck.cards_remaining()) == (None, [], 0)


def test_a_card_goes_back_under_the_deck():
    deck = Deck(IDS, seed=4)
    first = deck.draw()

    deck.return_card(str(first))

    assert deck.draw_n(15)[-1] == first
    with pytest.raises(DeckError, match="full"):
        Deck(IDS).return_card("001")


def test_decks_and_hands_are_copied_whole(probe):
    deck, hand = Deck(IDS, seed=4), a_hand(probe, "K01")

    deck_copies, hand_copies = (copy.deepcopy(deck), copy.copy(deck)), (copy.deepcopy(hand), copy.copy(hand))
    deck.draw()
    hand.add_card("K02")

    assert [one.cards_remaining() for one in deck_copies] == [15, 15]
    assert [one.as_card_ids() for one in hand_copies] == [["K01"], ["K01"]]


# --- Hand tests -------------------------------------------------------------------------------------------------------


def test_removal_of_exactly_one_instance(probe):
    hand = a_hand(probe, "K01", "K02", "K01", "K01")

    removed = hand.remove_index(2)

    assert removed.id == "K01"
    assert hand.as_card_ids() == ["K01", "K02", "K01"]


def test_hydration_correctness(probe, probe_file):
    hand = a_hand(probe, *(raw["id"] for raw in probe_file["cards"]))

    for card, raw in zip(hand.cards, probe_file["cards"], strict=True):
        assert isinstance(card, Card)
        assert (card.id, card.name, card.tier, card.cost) == (raw["id"], raw["name"], raw["tier"], raw["cost"])
        assert (card.power, card.pattern, card.raise_) == (raw["power"], raw["pattern"], raw.get("raise", 1))
    assert list(hand) == hand.cards == [hand[index] for index in range(len(hand))]
    assert hand[-1].id == hand.as_card_ids()[-1]
    with pytest.raises(IndexError):
        hand[len(hand)]
    with pytest.raises(KeyError):
        hand.add_card("K99")
    with pytest.raises(AttributeError):
        hand.cards[0].power = 99


def test_sync_behavior(probe):
    hand = a_hand(probe, "K01")

    hand.sync_from_ids(["K03", "K02", "K03"])
    assert hand.as_card_ids() == ["K03", "K02", "K03"]
    with pytest.raises(UnknownCard):
        hand.sync_from_ids(["K01", "nobody"])
    assert hand.as_card_ids() == ["K03", "K02", "K03"]


# --- Game state tests -------------------------------------------------------------------------------------------------


def test_turn_draw_step(state):
    hands = {"Y": state.player_hand, "E": state.enemy_hand}
    nexts = {"Y": state.player_deck.value.left[0], "E": state.enemy_deck.value.left[0]}

    for turn, side in ((1, "Y"), (2, "E")):
        assert (state.turn, state.side_to_act) == (turn, side)
        assert state.draw_start_of_turn() is None
        assert len(hands[side]) == 5
        state.skip_turn()
    for side in "YE":
        drawn = state.draw_start_of_turn()
        assert drawn is not None
        assert drawn.id == nexts[side] == hands[side].as_card_ids()[-1] == hands[side][-1].id
        assert len(hands[side]) == 6
        state.skip_turn()


def test_deep_clone_invariants(state):
    """Nothing done to a clone changes the hash of the original; and nothing that changes is shared."""
    state.draw_start_of_turn()
    before = state.state_hash()
    deeds = [
        lambda twin: twin.play_card_from_hand("Y", *astuple(twin.legal_moves()[0])),
        lambda twin: twin.pass_turn(),
        lambda twin: twin.end_turn(),
        lambda twin: twin.player_hand.remove_index(0),
        lambda twin: twin.enemy_hand.sync_from_ids(["K01"]),
        lambda twin: twin.player_deck.draw(),
        lambda twin: twin.enemy_deck.shuffle(),
        lambda twin: twin.board.set_up("MID-3=E3:K09"),
        lambda twin: twin.rng.next_u32(),
        lambda twin: twin.events.clear(),
        lambda twin: twin.events[0].clear(),
        lambda twin: twin.cells.clear(),
    ]
    for deed in deeds:
        for twin in (state.clone(), copy.copy(state), copy.deepcopy(state)):
            assert twin.state_hash() == before
            deed(twin)
            assert state.state_hash() == before
    assert len(state.events) == 1
    twin = state.clone()
    assert [state.rng.next_u32() for _ in range(20)] == [twin.rng.next_u32() for _ in range(20)]
    assert state.rng.randint(1, 6) == twin.rng.randint(1, 6)
    assert twin == state
    twin.player_deck.draw_n(3)
    assert twin != state


# --- Integration tests ------------------------------------------------------------------------------------------------


def play_out(state, choices):
    """Play a game at random, with the board checked as every turn ends; return the hashes on the way."""
    hashes = [state.state_hash()]
    while not state.is_game_over():
        state.draw_start_of_turn()
        make_move(state, choices.pick(state.legal_moves()))
        state.board.validate()
        hashes.append(state.state_hash())
    return hashes


def test_multi_turn_simulation(probe, fifteen, rules):
    """Equal seeds and moves give equal events and hashes after every step; every card is somewhere at the end."""
    for seed in range(15):
        games = [GameState.new(fifteen, fifteen, cards=probe, rules=rules, seed=seed) for _ in range(2)]
        hashes = [play_out(game, GameRng.new(b"moves", seed, 0)) for game in games]
        events = games[0].events
        assert hashes[0] == hashes[1]
        assert events == games[1].events
        assert len(set(hashes[0])) == len(hashes[0])
        assert [event["n"] for event in events] == list(range(1, len(events) + 1))
        assert json.loads(json.dumps(events)) == events
        (over,) = [event for event in events[-2:] if event["type"] == "over"]
        assert over["score"]["margin"] == games[0].score().margin


# --- What the specification leaves open, by number --------------------------------------------------------------------


def test_choice_1_and_18_nothing_is_drawn_past_the_end(state):
    for _ in range(60):
        state.draw_start_of_turn()
        state.skip_turn()

    assert (len(state.player_hand), len(state.enemy_hand)) == (15, 15)
    assert sum(1 for event in state.events if event["type"] == "draw_empty") == 60 - 2 - 20
    assert (state.turn, state.consecutive_passes, state.is_game_over()) == (61, 0, False)


@pytest.mark.parametrize(("side", "slots"), [("Y", [1, 3]), ("E", [2, 0])])
def test_choice_2_and_3_and_a12_a_game_shuffles_its_mulligan_as_the_deck_does_and_once(state, fifteen, side, slots):
    hand, deck = (state.player_hand, state.player_deck) if side == "Y" else (state.enemy_hand, state.enemy_deck)
    before, twin = hand.as_card_ids(), Deck(fifteen, seed=deck.seed)
    expected = twin.mulligan(twin.draw_n(5), sorted(slots))

    state.mulligan(side, slots)

    assert (hand.as_card_ids(), deck.value, deck.cards_remaining()) == (expected, twin.value, 10)
    assert [expected[slot] == before[slot] for slot in range(5) if slot not in slots] == [True] * 3
    assert sorted([*expected, *deck.value.left]) == sorted(fifteen)
    with pytest.raises(ValueError, match="mulligan"):
        state.mulligan(side, [0])


def test_choice_7_the_decks_of_a_game_have_seeds_made_from_its_own(state, fifteen):
    expected = [int.from_bytes(derive(b"11", f"deck/{side}")[:8], "big") for side in "YE"]

    assert [state.player_deck.seed, state.enemy_deck.seed] == expected
    assert state.player_hand.as_card_ids() == Deck(fifteen, expected[0]).draw_n(5)
    assert state.enemy_hand.as_card_ids() == Deck(fifteen, expected[1]).draw_n(5)
    assert state.seed == 11


def test_choice_15_supplied_hands_are_taken_out_of_the_decks(probe, fifteen):
    cards, hand = CardHydrator(probe), a_hand(probe, *fifteen[:3])
    state = GameState(Deck(fifteen, 1), Deck(fifteen, 2), cards, player_hand=hand, enemy_hand=[])
    assert state.player_hand.as_card_ids() == fifteen[:3]
    assert sorted(state.player_deck.value.left) == sorted(fifteen[3:])
    assert (len(state.enemy_hand), state.enemy_deck.cards_remaining()) == (0, 15)

    for wrong in (["K48"], [fifteen[0]] * 2):
        with pytest.raises(ValueError, match="not in the deck"):
            GameState(Deck(fifteen), Deck(fifteen), cards, player_hand=wrong)


# --- Turns and their errors -------------------------------------------------------------------------------------------


def test_every_error_is_the_builtin_that_is_specified():
    for error in (IllegalPlacement, WrongSide, PhaseError, GameOverError, DeckError, CardDataError):
        assert issubclass(error, ValueError)
    assert issubclass(HandIndexError, IndexError)


def test_a_seed_is_bytes_text_or_a_whole_number(probe, fifteen):
    for seed in (1.5, True, "7" * 200, b"7" * 200, 2**5000):
        with pytest.raises(BadSeed):
            GameState.new(fifteen, fifteen, cards=probe, seed=seed)  # type: ignore[arg-type]
        with pytest.raises(BadSeed):
            Deck(fifteen, seed=seed)  # type: ignore[arg-type]


def test_the_hash_tells_states_apart(state):
    """Everything that decides how a game goes on is in it; the room kept for hands is not."""
    deeds = [
        lambda s: s.mulligan("Y", []),
        lambda s: s.draw_start_of_turn(),
        lambda s: s.end_turn(),
        lambda s: s.board.set_up("MID-3=E1"),
        lambda s: s.player_hand.sync_from_ids(s.player_hand.as_card_ids()[::-1]),
        lambda s: s.enemy_deck.draw(),
        lambda s: s.rng.next_byte(),
    ]
    hashes = {state.state_hash()}
    for deed in deeds:
        twin = state.clone()
        deed(twin)
        hashes.add(twin.state_hash())

    assert len(hashes) == len(deeds) + 1


def test_a_game_under_other_rules_has_another_hash(probe, fifteen):
    games = [GameState.new(fifteen, fifteen, cards=probe, rules=rules) for rules in (Rules.seed(), Rules.console())]

    assert games[0].state_hash() != games[1].state_hash()
    assert [game.rules for game in games] == [Rules.seed(), Rules.console()]
    with pytest.raises(AttributeError):
        games[0].rules.capture = "convert"  # type: ignore[misc]


def test_a_hand_of_a_game_may_be_corrected_beyond_its_deck(probe):
    """Whoever follows a game played elsewhere may put any cards into a hand; there is room for what they bring."""
    state = a_state(probe, ["K01"])
    state.player_hand.sync_from_ids(["K36"] * 40)
    state.board.set_up("TOP-1=Y3, MID-1=Y3")

    for _ in range(2):
        state.play_card_from_hand("Y", 0, state.turn // 2, 0)
        state.end_turn()
        state.end_turn()

    assert state.player_hand.as_card_ids() == ["K36"] * 38 + ["K37"] * 2
