"""Text of the blackjack table; and each move as a log line that says why each bet was paid."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.engine import Action, MatchView
from croupier.games.blackjack import rounds, rules, solver
from croupier.games.blackjack.bets import INSURANCE, MAIN, SIDE_BETS
from croupier.games.blackjack.options import BlackjackOptions
from croupier.house import Line
from croupier.house.show import accounts
from croupier.kit.cards import card_label, is_red

if TYPE_CHECKING:
    from croupier.games.blackjack.game import BlackjackState, Hand

# Why a side bet was paid, by what it pays in halves to 1.
REASONS: dict[int, dict[int, str]] = {
    rules.TWENTY_ONE_PLUS_THREE: dict(
        zip(
            rules.TWENTY_ONE_PLUS_THREE_HALVES,
            ("three of one card", "a straight flush", "three of a rank", "a straight", "a flush"),
            strict=True,
        )
    ),
    rules.LUCKY_LADIES: dict(
        zip(
            rules.LUCKY_LADIES_HALVES,
            ("queens of hearts and a dealer's natural", "queens of hearts", "a matched 20", "a suited 20", "a 20"),
            strict=True,
        )
    ),
    rules.PERFECT_PAIRS: dict(
        zip(rules.PERFECT_PAIRS_HALVES, ("a perfect pair", "a coloured pair", "a mixed pair"), strict=True)
    ),
    rules.ROYAL_MATCH: dict(zip(rules.ROYAL_MATCH_HALVES, ("a royal match", "two cards of a suit"), strict=True)),
}


def total_words(cards: tuple[int, ...]) -> str:
    """Return what a hand comes to.

    >>> total_words((0, 5)), total_words((0, 5, 9)), total_words((0, 12))
    ('soft 17', '17', '21')
    """
    hard, has_ace = solver.hard_and_ace(cards)
    total = rules.best_total(hard, has_ace)
    return f"soft {total}" if rules.is_soft(hard, has_ace) and total < rules.TWENTY_ONE else str(total)


def _plain(cards: tuple[int, ...]) -> str:
    return " ".join(map(card_label, cards))


# One line a move.


def move_words(action: Action, before: BlackjackState, after: BlackjackState, options: BlackjackOptions) -> str:
    """Return one line that tells what a move did to the cards, and why each of the bets it settled was paid."""
    parts = [_act_words(action, before, after)]
    if after.money.finished:
        parts.append(_dealer_words(after))
    elif after.peeked and not before.peeked:
        parts.append("no natural for the dealer")
    lines = after.money.lines[len(before.money.lines) :]
    parts += [f"{line.bet} {_line_words(line, after, options)}" for line in lines]
    return "; ".join(part for part in parts if part)


def _act_words(action: Action, before: BlackjackState, after: BlackjackState) -> str:
    if not before.hands:
        hand = after.hands[0]
        natural = ", a natural" if hand.status == "natural" else ""
        return (
            f"{_plain(hand.cards)} is {total_words(hand.cards)}{natural}; the dealer shows {_plain(after.dealer[:1])}"
        )
    played = before.active
    if played is None or action.type in ("insurance", "even_money", "decline"):
        return {"insurance": "insured", "even_money": "even money", "decline": "no insurance"}.get(action.type, "")
    which = f"hand {before.hands.index(played) + 1}, " if len(before.hands) > 1 else ""
    now = next(hand for hand in after.hands if hand.number == played.number)
    if action.type == "split":
        new = after.hands[after.hands.index(now) + 1]
        both = [f"{_plain(hand.cards)} ({total_words(hand.cards)})" for hand in (now, new)]
        return f"{which}split into {both[0]} and {both[1]}"
    if action.type in ("stand", "surrender"):
        verb = "stood on" if action.type == "stand" else "surrendered"
        return f"{which}{verb} {total_words(now.cards)}"
    verb = "doubled" if action.type == "double" else "hit"
    ending = ", bust" if now.status == "busted" else ""
    return f"{which}{verb}: {card_label(now.cards[-1])} makes {total_words(now.cards)}{ending}"


def _dealer_words(state: BlackjackState) -> str:
    cards = state.dealer
    if len(cards) < 2:
        return ""
    if len(cards) == 2 and rules.is_natural(*cards):
        return f"dealer {_plain(cards)}, a natural"
    total = sum(map(rules.card_value, cards))
    ending = ", bust" if total > rules.TWENTY_ONE else ""
    return f"dealer {_plain(cards)} is {total_words(cards)}{ending}"


def _line_words(line: Line, state: BlackjackState, options: BlackjackOptions) -> str:
    if line.bet in SIDE_BETS:
        return _side_words(line, state) if line.returned else "loses"
    if line.bet == INSURANCE:
        return f"pays {line.profit:,}, 2 to 1" if line.returned else "loses"
    if line.profit == 0:
        return "pushes"
    if line.returned == 0:
        return "loses"
    if line.profit < 0:
        return f"gives {line.returned:,} of {line.stake:,} back"
    price = "1 to 1"
    if line.bet == MAIN and state.hands[0].status == "natural":
        price = "6 to 5" if options.six_to_five else "3 to 2"
    return f"pays {line.profit:,}, {price}{_boost_words(line, state, options)}"


def _boost_words(line: Line, state: BlackjackState, options: BlackjackOptions) -> str:
    if line.bet != MAIN or not state.lit:
        return ""
    ids, multipliers = [lit.id for lit in state.lit], [lit.multiplier for lit in state.lit]
    boost = rounds.boost_of(state.in_numbers("reveal", options), ids, multipliers, len(ids))
    return f", boosted ×{boost}" if boost > 1 else ""


def _side_words(line: Line, state: BlackjackState) -> str:
    kind = SIDE_BETS[line.bet]
    cards = state.dealer
    natural = len(cards) == 2 and rules.is_natural(*cards)
    total = sum(map(rules.card_value, cards))  # of a dealer who busted there is no other
    first, second = state.first
    halves = rules.side_halves(kind, first, second, cards[0], natural, total, len(cards))
    price = f"{halves // 2} to 1" if halves % 2 == 0 else f"{halves} to 2"
    why = REASONS[kind][halves] if kind in REASONS else f"a bust with {len(cards)} cards"
    return f"pays {line.profit:,}, {price} for {why}"


# The table.


def render_table(view: MatchView[BlackjackState]) -> str:
    """Return a view in Rich markup: the dealer, the player's hands, then the accounts."""
    state = view.game
    if not state.hands:
        rows = ["  Dealer      [dim]??[/dim]", "  You         [dim]??[/dim]"]
        return "\n".join([*rows, *accounts(state)])
    rows = [_dealer_row(state)]
    for place, hand in enumerate(state.hands, 1):
        rows.append(_hand_row(hand, state, place))
    if view.turn.phase == "insurance" and view.status == "active":
        rows.append("  [bold yellow]An ace: insurance, even money for a natural, or decline?[/bold yellow]")
    return "\n".join([*rows, *accounts(state)])


def _dealer_row(state: BlackjackState) -> str:
    cards = _cards(state.dealer)
    if len(state.dealer) == 1:
        cards += " [dim]??[/dim]"
    note = "  [dim]no natural[/dim]" if state.peeked and len(state.dealer) == 1 else ""
    natural = len(state.dealer) == 2 and rules.is_natural(*state.dealer)
    return f"  {'Dealer':<10}{cards}  [bold]{'natural' if natural else total_words(state.dealer)}[/bold]{note}"


def _hand_row(hand: Hand, state: BlackjackState, place: int) -> str:
    name = "You" if len(state.hands) == 1 else f"Hand {place}"
    arrow = "[bold cyan]>[/bold cyan]" if hand is state.active else " "
    words = {"playing": "", "standing": "stands", "busted": "[red]busted[/red]", "even_money": "even money"}
    notes = [words.get(hand.status, hand.status), "doubled" if hand.doubled else ""]
    told = "natural" if hand.status in ("natural", "even_money") else total_words(hand.cards)
    note = ", ".join(note for note in notes if note and note != told)
    return f" {arrow}{name:<10}{_cards(hand.cards)}  [bold]{told}[/bold]{f'  [dim]{note}[/dim]' if note else ''}"


def _cards(cards: tuple[int, ...]) -> str:
    return " ".join(f"[{'red' if is_red(card) else 'bold'}]{card_label(card):>3}[/]" for card in cards)
