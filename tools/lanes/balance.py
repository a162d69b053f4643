"""Balance report for the cards of Lanes: decks against decks, each card against a plain one.

    python -m tools.lanes.balance > tools/lanes/balance.md

plays every game of the report again, which takes a few minutes. `fast_play` plays games as
`tools.lanes.deck_search.play_with` does, move for move, but compiled.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial
from hashlib import sha256
from importlib import resources
from statistics import median_low

import numpy as np
from msgspec import Struct

from croupier.games.lanes.cards.card_set import DeckList, own_cards, own_decks
from croupier.sim.compiling import compiled
from croupier.sim.stream import streams
from tools.lanes.deck_search import Duels, Machine, Play, duel, play_with

STARTER_GAMES = 2_000
DECK_GAMES = 400
SWAP_GAMES = 1_000
STARTER_SEED, DECK_SEED, SWAP_SEED = b"starters", b"decks", b"swap"

PLAIN_CARDS = {1: "LW01", 2: "LW08", 3: "RF12", "replace": "RF14"}
"""For each cost, the card without an ability that others are weighed against."""


class Balance(Struct, frozen=True):
    """Measurements of the report."""

    starters: dict[str, Duels]
    """The first starter against the second, by who played."""
    decks: dict[tuple[str, str], Duels]
    """Every deck against those after it."""
    swaps: dict[str, Duels]
    """By card: its deck as it is against the same deck with the plain card instead."""
    used: dict[str, tuple[int, int]]
    """By cost: how many cards were drawn in the games of `decks`, and how many of those were played."""


# --- Playing ----------------------------------------------------------------------------------------------------------


COMPILED = Machine(compiled, partial(np.array, dtype=np.int64), lambda seed: streams(seed, [0], [0])[0])


def fast_play(player: str, used: Counter[tuple[str, str]] | None = None) -> Play:
    """Return what `play_with` returns, as machine code."""
    return play_with(player, used, COMPILED)


def home_deck(card_id: str, decks: Sequence[DeckList]) -> DeckList:
    """Return the first deck that has a card."""
    return next(deck for deck in decks if card_id in deck.cards)


def swap_card(card_id: str, games: int, play: Play) -> Duels:
    """Return how a card's deck does against itself with the plain card of the same cost in place of one copy."""
    deck = home_deck(card_id, own_decks())
    place = deck.cards.index(card_id)
    plain = PLAIN_CARDS[own_cards().get_card(card_id).cost]
    without = [*deck.cards[:place], plain, *deck.cards[place + 1 :]]
    return duel(deck.cards, [without], games // 2, SWAP_SEED + b"/" + card_id.encode(), play=play)


def measure(players: Sequence[str] = ("one_reply", "playout")) -> Balance:
    """Play all games of the report; only the starters meet under each of the players, the rest is one-reply's."""
    decks = own_decks()
    first, second = (deck.cards for deck in decks if deck.starter)
    starters = {
        player: duel(first, [second], STARTER_GAMES // 2, STARTER_SEED, play=fast_play(player)) for player in players
    }
    used: Counter[tuple[str, str]] = Counter()
    counting, play = fast_play("one_reply", used), fast_play("one_reply")
    met = {
        (deck.id, other.id): duel(deck.cards, [other.cards], DECK_GAMES // 2, DECK_SEED, play=counting)
        for index, deck in enumerate(decks)
        for other in decks[index + 1 :]
    }
    plain = set(PLAIN_CARDS.values())
    collectible = [card for card in own_cards() if card.tier != "token"]
    swaps = {card.id: swap_card(card.id, SWAP_GAMES, play) for card in collectible if card.id not in plain}
    by_cost = {}
    for cost in PLAIN_CARDS:
        ids = [card.id for card in collectible if card.cost == cost]
        by_cost[str(cost)] = (sum(used["drawn", each] for each in ids), sum(used["played", each] for each in ids))
    return Balance(starters, met, swaps, by_cost)


# --- The report -------------------------------------------------------------------------------------------------------

HEAD = """# How the cards of Lanes were weighed

Every figure here comes from games between two players who think alike, played from fixed seeds, each seed twice with
the decks changing places; the side Y begins. In a checkout of the repository, `python -m tools.lanes.balance` plays
them all again and prints this page. The rules are those of the profile `seed`. The cards and decks measured have the
SHA-256 digest

```text
{digest}
```

Players: `one_reply` makes the move whose worst reply, from one hand the other side might have, leaves it best off.
`playout` plays the eight most promising moves on to the end, dozens of times with the hidden cards dealt anew, and is
the strongest player that is fast enough for this. Both put the cards that come too early back in the mulligan.

## The starters

{first} against {second}, {games} games, seed `{seed}`. Shares are of the games that were decided; the standard error of
a share is 1.1 points. The aim is 45 to 55 % for either deck, at most 58 % for the side that begins, draws under 10 %,
and a median of 12 plays or more.

| player | {first} wins | the side that begins wins | draws | plays, median |
|---|---|---|---|---|
"""

DECKS = """
## All six decks

Share of the decided games that the deck in the row wins against the one in the column, and behind the stroke what the
side that begins wins, in percent; {games} games each, `one_reply`, seed `{seed}`. The standard error is 2.5 points.

"""

USE = """
How many of the cards that were drawn in these games were played, by cost. Tiles with three pawns are rare when both
sides wear each other's pawns down, and these players seldom save up for them.

| cost | drawn | played | share |
|---|---|---|---|
"""

SWAPS = """
## Card by card

Each card's deck as it is against the same deck with the plain card of that cost in place of one copy: {plain}. What is
told is how many points more of its games the deck wins with the card, a draw counting half; {games} games each,
`one_reply`, seed `{seed}/` and the id. The standard error is 1.6 points, and the aim at most 8 either way.

| card | cost | in | with the card |
|---|---|---|---|
"""


def cards_digest() -> str:
    """Return the digest of the files of cards and decks, by which a report tells what it is about."""
    folder = resources.files("croupier.games.lanes.cards")
    return sha256((folder / "cards.json").read_bytes() + (folder / "decks.json").read_bytes()).hexdigest()


def balance_page(balance: Balance) -> str:
    """Return the report."""
    cards, decks = own_cards(), own_decks()
    titles = {deck.id: deck.title for deck in decks}
    first, second = (deck.title for deck in decks if deck.starter)
    text = HEAD.format(
        digest=cards_digest(), first=first, second=second, games=f"{STARTER_GAMES:,}", seed=STARTER_SEED.decode()
    )
    for player, found in balance.starters.items():
        draws = _percent(found.draws, found.games)
        text += f"| `{player}` | {_won(found)} | {_begun(found)} | {draws} | {median_low(found.plays)} |\n"
    text += DECKS.format(games=DECK_GAMES, seed=DECK_SEED.decode())
    text += _matrix(balance, titles)
    text += USE
    for cost, (drawn, played) in balance.used.items():
        text += f"| {cost} | {drawn:,} | {played:,} | {_percent(played, drawn)} |\n"
    plain = ", ".join(f"{cards.get_card(card_id).name} ({cost})" for cost, card_id in PLAIN_CARDS.items())
    text += SWAPS.format(plain=plain, games=f"{SWAP_GAMES:,}", seed=SWAP_SEED.decode())
    for card_id, found in balance.swaps.items():
        card, home = cards.get_card(card_id), home_deck(card_id, decks)
        more = 50 * found.points / found.games - 50
        text += f"| {card.name} ({card_id}) | {card.cost} | {home.title} | {more:+.1f} |\n"
    return text


def _matrix(balance: Balance, titles: dict[str, str]) -> str:
    rows = list(titles)[:-1]
    columns = list(titles)[1:]
    text = f"| | {' | '.join(titles[column] for column in columns)} |\n|{'---|' * (1 + len(columns))}\n"
    for row in rows:
        met = [balance.decks.get((row, column)) for column in columns]
        told = ["" if found is None else f"{_won(found)[:-2]} / {_begun(found)[:-2]}" for found in met]
        text += f"| {titles[row]} | {' | '.join(told)} |\n"
    return text


def _won(found: Duels) -> str:
    return _percent(found.wins, found.games - found.draws)


def _begun(found: Duels) -> str:
    return _percent(found.first_wins, found.games - found.draws)


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %"


if __name__ == "__main__":
    print(balance_page(measure()), end="")
