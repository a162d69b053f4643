"""Card texts: what a card does in plain words, and its pattern drawn. Both are made from the card's data alone.

The words: a card's *marked tiles* are the cells of its pattern where its abilities work; *enhanced* and *enfeebled* are
cards that something has raised or lowered, other than their own counting; a tile holds up to three *pawns*.
"""

from __future__ import annotations

from typing import Literal

from croupier.games.lanes.cards.card_set import CardSet
from croupier.games.lanes.cards.types import Ability, Card

Transfer = Literal["own_lane", "all_lanes"]

WHO = {"allies": "allies", "enemies": "enemies", "all": "all cards"}
MOMENTS = {
    "on_play": "When played",
    "while_in_play": "While in play",
    "on_destroyed": "When destroyed",
    "on_first_enhanced": "When first enhanced",
    "on_first_enfeebled": "When first enfeebled",
    "on_spawned": "When spawned",
}
PLAYED = {
    "allies": "Whenever you play another card",
    "enemies": "Whenever the enemy plays a card",
    "all": "Whenever another card is played",
}
DESTROYED = {
    "allies": "Whenever another ally is destroyed",
    "enemies": "Whenever an enemy is destroyed",
    "all": "Whenever another card is destroyed",
}
COUNTED = {"allies": "other {} ally", "enemies": "{} enemy", "all": "other {} card"}
STATUS = {"enhanced": "enhanced", "enfeebled": "enfeebled", "either": "enhanced or enfeebled"}
# Scored at the end, and a switch of the rules decides where (rules.md, Two sets of rules).
TRANSFERS = {
    "own_lane": "If you win its lane: also score the enemy's power there.",
    "all_lanes": "At the end: whoever wins a lane also scores the loser's power there.",
}

MARKS = {"": "·", "P": "o", "E": "x", "X": "#"}
CARD_MARK = "@"


def card_text(card: Card, cards: CardSet, transfer: Transfer = "own_lane") -> str:
    """Return what a card does, one sentence for each thing: never empty, and with no line breaks.

    >>> from croupier.games.lanes.cards.card_set import own_cards
    >>> card_text(own_cards().get_card("RF04"), own_cards())
    'When played: enemies on its marked tiles get -2.'
    >>> card_text(own_cards().get_card("RF14"), own_cards())
    'Played on top of one of your cards.'
    """
    sentences = []
    if card.cost == "replace":
        sentences.append("Played on top of one of your cards.")
    if card.raise_ > 1:
        sentences.append(f"Puts {card.raise_} pawns on each pawn tile.")
    sentences += [ability_text(ability, cards, transfer) for ability in card.abilities]
    return " ".join(sentences) or "No ability."


def ability_text(ability: Ability, cards: CardSet, transfer: Transfer = "own_lane") -> str:
    """Return one ability as a sentence."""
    if ability.do == "score_transfer":
        return TRANSFERS[transfer]
    if ability.do == "score":
        return f"If you win its lane: {_signed(ability.amount)} points."
    return f"{_moment(ability)}: {_effect(ability, cards)}."


def _moment(ability: Ability) -> str:
    if ability.when == "on_card_played":
        return PLAYED[ability.watch or "all"]
    if ability.when == "on_card_destroyed":
        return DESTROYED[ability.watch or "all"]
    if ability.when == "on_power_reaches":
        return f"When its power first reaches {ability.threshold}"
    return MOMENTS[ability.when]


def _effect(ability: Ability, cards: CardSet) -> str:
    match ability.do:
        case "power":
            return _power(ability)
        case "power_by_replaced":
            change = "gain" if ability.sign == 1 else "lose"
            whose = f"{change}s" if ability.who == "self" else f"{_targets(ability)} {change}"
            return f"{whose} the power of the card it replaced"
        case "power_per":
            counted = COUNTED[ability.of or "all"].format(STATUS[ability.count or "either"])
            return f"{_signed(ability.amount)} for each {counted}"
        case "gain":
            return f"gets {_signed(ability.amount)}"
        case "destroy":
            return f"destroys {_targets(ability)}"
        case "add_to_hand":
            return f"adds {_listed([cards.get_card(made).name for made in ability.made])} to your hand"
        case _:
            return _spawning(ability, cards)


def _power(ability: Ability) -> str:
    if ability.by_rank is not None:
        one, two, three = ability.by_rank.one, ability.by_rank.two, ability.by_rank.three
        return f"gets {_signed(one)} on a tile with 1 pawn, {_signed(two)} with 2, {_signed(three)} with 3"
    if ability.who == "self":
        return f"{'has' if ability.when == 'while_in_play' else 'gets'} {_signed(ability.amount)} itself"
    return f"{_targets(ability)} {'have' if ability.when == 'while_in_play' else 'get'} {_signed(ability.amount)}"


def _targets(ability: Ability) -> str:
    return "itself" if ability.who == "self" else f"{WHO[ability.who or 'all']} on its marked tiles"


def _spawning(ability: Ability, cards: CardSet) -> str:
    names = [cards.get_card(made).name for made in ability.made]
    if len(set(names)) == 1:
        return f"puts {names[0]} on each of your empty tiles"
    return f"puts {names[0]} on each of your empty tiles with 1 pawn, {names[1]} with 2, {names[2]} with 3"


def _signed(amount: int | None) -> str:
    return f"{amount or 0:+d}"


def _listed(names: list[str]) -> str:
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def pattern_rows(card: Card) -> tuple[str, ...]:
    r"""Return the pattern as five lines of five marks, as side Y sees it: forward is to the right.

    `@` is the card, `o` gets a pawn, `x` is a marked tile, `#` is both.

    >>> print("\n".join(pattern_rows(Card("x", "X", "common", 1, 1, "B3X,C2P,A3E"))))
    · · · · ·
    · · o · ·
    · · @ # x
    · · · · ·
    · · · · ·
    """
    kinds = {(down, forward): kind for forward, down, kind in card.cells}
    marks = {place: MARKS[kinds.get(place, "")] for place in ((d, f) for d in range(-2, 3) for f in range(-2, 3))}
    marks[0, 0] = CARD_MARK
    return tuple(" ".join(marks[down, forward] for forward in range(-2, 3)) for down in range(-2, 3))
