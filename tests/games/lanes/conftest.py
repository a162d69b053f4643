"""Fixtures for the tests of Lanes: three card sets (probe, own, compatibility), games, the specification's notation."""

from __future__ import annotations

import json
import re
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from croupier.games.lanes.cards.card_set import CardSet, own_cards, own_decks
from croupier.games.lanes.compat import (
    BoardState,
    CardHydrator,
    Deck,
    GameState,
    LegalityChecker,
    Move,
    Rules,
    load_cards,
)
from croupier.games.lanes.play.position import LANES
from croupier.games.lanes.rules import playouts
from croupier.games.lanes.rules.layout import OVER
from croupier.games.lanes.rules.turns import begin_turn
from croupier.rng import GameRng

HERE = Path(__file__).parent
COMPATIBILITY = HERE.parents[3] / "shared" / "data" / "queens-blood-cards.json"


@pytest.fixture(scope="session")
def probe_file() -> dict[str, Any]:
    """Return the probe cards as the file has them."""
    found: dict[str, Any] = json.loads((HERE / "data" / "probe-cards.json").read_text())
    return found


@pytest.fixture(scope="session")
def probe(probe_file: dict[str, Any]) -> CardSet:
    """Return the probe cards of the specification."""
    return load_cards(probe_file)


@pytest.fixture(scope="session")
def compatibility_file() -> list[dict[str, Any]]:
    """Return the compatibility file, untouched: an element of facts about it, then the cards."""
    if not COMPATIBILITY.is_file():
        pytest.skip(
            f"the compatibility cards are for tests alone and not shipped; there is no {COMPATIBILITY.name} here"
        )
    found: list[dict[str, Any]] = json.loads(COMPATIBILITY.read_text())
    return found


@pytest.fixture(scope="session")
def compatibility_set(compatibility_file: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the compatibility cards in our schema, corrected as the specification says. Names are replaced by ids."""
    cards = [converted(card) for card in compatibility_file[1:]]
    return {"format": 1, "set": {"id": "compatibility", "version": "1"}, "cards": cards}


@pytest.fixture(scope="session")
def compatibility(compatibility_set: dict[str, Any]) -> CardSet:
    """Return the compatibility cards, loaded."""
    return load_cards(compatibility_set)


@pytest.fixture(scope="session")
def fifteen(probe: CardSet) -> list[str]:
    """Return fifteen different probe cards, six of them of cost 1."""
    return [card.id for card in probe if card.tier == "common"][:15]


@pytest.fixture
def state(probe: CardSet, fifteen: list[str]) -> GameState:
    """Return a new game of those fifteen cards against themselves."""
    return GameState.new(fifteen, fifteen, cards=probe, seed=11)


@pytest.fixture(params=["probe", "own", "compatibility"])
def any_file(request: pytest.FixtureRequest) -> dict[str, Any]:
    """Return each of the three sets as a document."""
    if request.param == "own":
        found: dict[str, Any] = json.loads((resources.files("croupier.games.lanes.cards") / "cards.json").read_text())
        return found
    name = {"probe": "probe_file", "compatibility": "compatibility_set"}[request.param]
    document: dict[str, Any] = request.getfixturevalue(name)
    return document


# As the specification has them: what may happen when.
ABILITIES = {
    "on_play": "power power_by_replaced destroy add_to_hand spawn",
    "while_in_play": "power power_per",
    "on_destroyed": "power add_to_hand",
    **dict.fromkeys(("on_card_destroyed", "on_card_played"), "gain"),
    **dict.fromkeys(("on_first_enhanced", "on_first_enfeebled", "on_power_reaches", "on_spawned"), "power"),
    "on_lane_won": "score",
    "on_round_end": "score_transfer",
}
RULES = {"seed": Rules.seed(), "console": Rules.console()}


@pytest.fixture(params=RULES)
def rules(request: pytest.FixtureRequest) -> Rules:
    """Return each of the two sets of rules that have a name."""
    return RULES[request.param]


def cases(text: str) -> list[list[str]]:
    """Return the cells of lines with bars between them."""
    return [[cell.strip() for cell in line.split("|")] for line in text.strip().splitlines()]


def random_deck(cards: CardSet, rng: GameRng) -> list[str]:
    """Return fifteen cards, as often as they come up."""
    ids = [card.id for card in cards if card.tier != "token"]
    return [rng.pick(ids) for _ in range(15)]


def row_after(plies: int, seed: int) -> list[int]:
    """Return the row of a game between our first two decks after some random plies, with the draw of the turn made."""
    first, second = (deck.cards for deck in own_decks()[:2])
    cells, tables = GameState.new(first, second, cards=own_cards(), seed=seed).cells, own_cards().tables
    rng = GameRng.new(b"plies", seed, 0)
    for _ in range(plies):
        begin_turn(cells, None)
        playouts.make_move(cells, tables, None, playouts.random_move(cells, tables, rng, 0))
    assert not cells[OVER]
    begin_turn(cells, None)
    return cells


def make_move(state: GameState, move: Move) -> None:
    """Play a card or pass, and end the turn."""
    if move.is_pass:
        state.pass_turn()
    else:
        state.play_card_from_hand(state.side_to_act, move.hand_index, move.lane, move.col)
        state.end_turn()


# --- The notation of the specification --------------------------------------------------------------------------------

TILE = re.compile(r"(TOP|MID|BOT)-([1-5])")
SCORE = re.compile(r"(\d+)-(\d+)→(none|[YE])(?: (\d+))?")


def place(name: str) -> tuple[int, int]:
    found = TILE.fullmatch(name)
    assert found is not None, name
    return LANES.index(found[1]), int(found[2]) - 1


def a_game(cards: CardSet, rules: Rules, set_up: str) -> GameState:
    """Return a game on the board described, with hands that are put together as they are needed."""
    board = BoardState(cards, rules)
    if set_up != "start board":
        board.set_up(set_up)
    return GameState(Deck(["K01"] * 15), Deck(["K01"] * 15), CardHydrator(cards), rules=rules, board=board)


def carry_out(state: GameState, play: str) -> None:
    """Make a play, whatever side's turn it is."""
    side, card_id, tile = play.split()
    if state.side_to_act != side:
        state.end_turn()
    hand = state.player_hand if side == "Y" else state.enemy_hand
    kept = [held for held in hand.as_card_ids() if held != "K01"]  # what abilities brought; K01 fills the decks
    hand.from_card_ids([card_id, *kept])
    state.play_card_from_hand(side, 0, *place(tile))  # type: ignore[arg-type]
    state.board.validate()
    state.end_turn()


def check(state: GameState, claim: str) -> None:
    """Hold a game to one claim of the specification."""
    if found := re.fullmatch(r"(\S+)=([YE]):(\w+)\((\d+)\)", claim):
        card = state.board.tile_at(*place(found[1])).card
        assert card is not None
        assert (card.side, card.card_id, card.power) == (found[2], found[3], int(found[4]))
    elif found := re.fullmatch(r"(\S+)=([YEN][0-3])", claim):
        tile = state.board.tile_at(*place(found[1]))
        assert (tile.text, tile.card) == (found[2], None)
    elif found := re.fullmatch(r"([YE]) (\w+) (\S+) (legal|illegal)", claim):
        is_legal = LegalityChecker.is_legal(state.board, found[1], found[2], *place(found[3]))  # type: ignore[arg-type]
        assert is_legal == (found[4] == "legal")
    elif found := re.fullmatch(r"([YE]) hand ends with (\w+(?: \w+)*)", claim):
        hand = (state.player_hand if found[1] == "Y" else state.enemy_hand).as_card_ids()
        assert hand[-len(found[2].split()) :] == found[2].split()
    elif claim.startswith("lanes "):
        lanes = [SCORE.fullmatch(part.strip()) for part in claim.removeprefix("lanes ").split("/")]
        expected = [(int(m[1]), int(m[2]), None if m[3] == "none" else m[3], int(m[4] or 0)) for m in lanes if m]
        assert len(expected) == 3
        score = state.score().lanes
        assert [(lane.power_you, lane.power_enemy, lane.winner, lane.lane_points) for lane in score] == expected
    else:
        found = re.fullmatch(r"total (\d+)-(\d+), winner (Y|E|none)", claim)
        assert found is not None, claim
        score_now = state.score()
        assert (score_now.total_you, score_now.total_enemy) == (int(found[1]), int(found[2]))
        assert score_now.winner == (None if found[3] == "none" else found[3])
        assert score_now.margin == int(found[1]) - int(found[2])


def run_case(cards: CardSet, rules: Rules, set_up: str, plays: str, expected: str) -> GameState:
    """Set a board up, make the plays, hold the outcome to what is expected, and return the game."""
    state = a_game(cards, rules, set_up)
    for play in [] if plays == "none" else plays.split(", "):
        carry_out(state, play)
    for claim in expected.split("; "):
        check(state, claim)
    return state


# --- The compatibility file in our schema -----------------------------------------------------------------------------

TIERS = {"Regular": "common", "Legend": "rare", "Token": "token"}
PATTERNS = {
    "049": "B3P,C2P,C4P,D3P,A1E,A3E,A5E,C1E,C5E,E1E,E3E,E5E",
    "100": "B2P,B4P,D2P,D4P",
    "101": "B2X,B4X,D2X,D4X",
    "121": "A1E,A3E,B3P,A5E,C1E,C2P,C4P,C5E,D3P,E1E,E3E,E5E",
}
RAISES = {"069": 2, "071": 2, "098": 2, "154": 2, "085": 3}


Listed = dict[str, list[dict[str, Any]]]


def by_amount(amounts: str, **ability: Any) -> Listed:
    """Read a row such as `-3: 020 029; -4: 003`: cards that have an ability with this amount."""
    rows = [part.split(":") for part in amounts.split(";")]
    return {card_id: [{**ability, "amount": int(amount)}] for amount, ids in rows for card_id in ids.split()}


def power(when: str, who: str, amounts: str) -> Listed:
    return by_amount(amounts, when=when, do="power", who=who)


def per(count: str, of: str, amounts: str) -> Listed:
    return by_amount(amounts, when="while_in_play", do="power_per", count=count, of=of)


def gain(when: str, watch: str, amounts: str) -> Listed:
    return by_amount(amounts, when=when, do="gain", watch=watch)


def same(ids: str, ability: dict[str, Any]) -> Listed:
    return {card_id: [ability] for card_id in ids.split()}


def adds(when: str, chains: str) -> Listed:
    """Read `010>146 110>151,152`."""
    rows = [chain.split(">") for chain in chains.split()]
    return {card_id: [{"when": when, "do": "add_to_hand", "cards": made.split(",")}] for card_id, made in rows}


def spawns(card_id: str, tokens: str) -> Listed:
    return {card_id: [{"when": "on_play", "do": "spawn", "tokens": dict(zip("123", tokens.split(), strict=True))}]}


def abilities() -> Listed:
    """Return the table of abilities, card by card."""
    replaced = {"when": "on_play", "do": "power_by_replaced"}
    return {
        **power("on_play", "enemies", "-3: 020 029; -4: 003 070 151; -5: 104; -8: 087"),
        **power(
            "on_play",
            "all",
            "1: 139; -1: 026 045 062 072 083 155; -2: 034; -3: 006 022 097; -4: 117 126; -5: 119; -6: 055",
        ),
        **power("on_play", "allies", "-1: 133"),
        **same("060 143 163", {"when": "on_play", "do": "destroy", "who": "enemies"}),
        **same("039 118", {"when": "on_play", "do": "destroy", "who": "all"}),
        **adds("on_play", "010>146 056>148 092>153 093>154 110>151,152 125>162,163 148>149"),
        **spawns("096", "164 164 164"),
        **spawns("105", "156 157 158"),
        **spawns("134", "159 160 161"),
        **same("164", {"when": "on_spawned", "do": "power", "who": "self", "by_rank": {"1": 0, "2": 2, "3": 4}}),
        **power(
            "while_in_play",
            "allies",
            "1: 009; 2: 013 025 031 078 111 128 129 137 152; 3: 012 024 079 089 124 153 162; 4: 033",
        ),
        **power("while_in_play", "all", "1: 028 159; 2: 144 160; 3: 121 161; -1: 027 115; -2: 150"),
        **power("while_in_play", "enemies", "-3: 102"),
        **per("enhanced", "allies", "1: 107; 2: 095"),
        **per("enhanced", "enemies", "1: 136; 2: 100; 3: 084"),
        **per("enhanced", "all", "1: 141"),
        **per("enfeebled", "allies", "2: 068; 3: 103"),
        **per("enfeebled", "enemies", "2: 046"),
        **per("enfeebled", "all", "1: 074; 3: 145"),
        **per("either", "all", "1: 075"),
        **power("on_destroyed", "allies", "3: 036 082; 5: 101"),
        **power("on_destroyed", "enemies", "-1: 073; -9: 127"),
        **power("on_destroyed", "all", "1: 156; 2: 049 157; 3: 158; -3: 030; -4: 037 041; -5: 149"),
        **adds("on_destroyed", "040>147 057>150 094>155"),
        **gain("on_card_destroyed", "allies", "1: 058; 2: 035"),
        **gain("on_card_destroyed", "enemies", "1: 043; 2: 044 120"),
        **gain("on_card_destroyed", "all", "1: 047 113"),
        **gain("on_card_played", "allies", "1: 032"),
        **gain("on_card_played", "enemies", "1: 038"),
        **power("on_first_enhanced", "allies", "3: 048; 4: 081 131"),
        **power("on_first_enhanced", "enemies", "-2: 050; -4: 065; -5: 099"),
        **power("on_first_enhanced", "all", "-4: 116; -99: 130"),
        **power("on_first_enfeebled", "allies", "4: 063"),
        **power("on_first_enfeebled", "enemies", "-2: 061 064 090; -6: 112"),
        **power("on_first_enfeebled", "all", "-5: 122"),
        "066": [
            {"when": "on_first_enhanced", "do": "power", "who": "all", "amount": 4},
            {"when": "on_first_enfeebled", "do": "power", "who": "all", "amount": -4},
        ],
        **same("086", {"when": "on_power_reaches", "do": "power", "who": "allies", "amount": 2, "threshold": 7}),
        **same("059 076 123", {**replaced, "who": "allies", "sign": 1}),
        **same("067 077 080 091 106", {**replaced, "who": "all", "sign": -1}),
        **by_amount("3: 109; 5: 088; 10: 053 135", when="on_lane_won", do="score"),
        **same("142", {"when": "on_round_end", "do": "score_transfer"}),
    }


def converted(card: dict[str, Any]) -> dict[str, Any]:
    """Return a card of the file in our schema, under its id alone."""
    card_id = card["id"]
    assert re.fullmatch(r"\d{3}", card_id)
    return {
        "id": card_id,
        "name": f"card {card_id}",
        "tier": TIERS[card["category"]],
        "cost": card["cost"] or "replace",
        "power": card["power"],
        "pattern": PATTERNS.get(card_id, card["pattern"] or ""),
        "raise": RAISES.get(card_id, 1),
        "abilities": abilities().get(card_id, []),
    }
