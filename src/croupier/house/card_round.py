"""The round of an ante game: deal, decide, settle every bet by the game's `rules.settle`; and the kernel made of that.

Bets are laid and cards dealt; then decisions follow, each a number, until all is decided and every bet is settled. The
round is kept in an array, the hand: the facts of the round, from `PHASE` on what must be remembered besides. The engine
(`CardGame`), the simulator and the odds all take these steps; who decides is their caller.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import astuple

from croupier.draws import Stream
from croupier.house.table_round import SettleSteps, every_bet, light_nothing, lighting, no_boost, settling_unlit
from croupier.kit.rows import Ints, Row, tail
from croupier.rounds import (
    DONE,
    EACH_BET,
    FACTS,
    FACTS_MAX,
    FEES,
    LINES,
    LIT_SIZE,
    PHASE,
    RETURNED,
    STAKED,
    SUPER_MOVE,
    super_fee,
)

# The first of a game's options is 1 in a super session; its own follow, and those of a policy come last.
IS_SUPER = 0

# The hand; behind it in the row the decision to be carried out, how much was raised, and what is lit.
HAND_SIZE = FACTS_MAX + 4
CHOICE, RAISED, LIT_AT = range(FACTS + HAND_SIZE, FACTS + HAND_SIZE + 3)
ROW_SIZE = LIT_AT + LIT_SIZE


class CardSteps(SettleSteps, frozen=True, kw_only=True):
    """The steps of a round; `options` are the game's own numbers behind `IS_SUPER`, and the hand is the find."""

    deal: Callable[..., int]
    """`deal(stream, hand, options, work)` makes the first draw, and returns the phase that comes next, or `DONE`."""
    is_legal: Callable[..., bool]
    """`is_legal(choice, hand, options)` tells whether a decision may be made in the phase that the hand is in."""
    cost: Callable[[int], int]
    """`cost(choice)` returns how many times the opening stake a decision puts on the raise."""
    draws: Callable[[int], bool]
    """`draws(choice)` tells whether a decision draws; one that does not needs no stream."""
    take: Callable[..., int]
    """`take(stream, choice, hand, options, work)` carries a decision out, and returns the next phase."""
    choose: Callable[..., int]
    """`choose(hand, options, work)` returns what the policy in the options decides: not part of the round."""
    raise_kind: int
    """The bet that a decision may stake more on."""
    blind_kind: int
    """The bet that is laid with the opening one, as large as it, or -1."""
    work_size: int
    """How much room `deal`, `take` and `choose` need besides; they may find anything there."""
    deal_move: int
    """The move that deals: 0 is the set-up, 1 lays all side bets too; `EACH_BET` has a move for each before it."""


def card_steps(rules: Any) -> CardSteps:
    """Return the steps that a game's module of rules has, each under its name here."""
    return CardSteps(
        deal=rules.deal,
        is_legal=rules.is_legal,
        cost=getattr(rules, "cost", no_cost),
        draws=rules.draws,
        take=rules.take,
        choose=rules.choose,
        settle=rules.settle,
        is_eligible=getattr(rules, "is_eligible", every_bet),
        light=getattr(rules, "generate", light_nothing),
        boost=getattr(rules, "boost", no_boost),
        super_settle=getattr(rules, "super_settle", None) or settling_unlit(rules.settle),
        raise_kind=getattr(rules, "RAISED_BET", -1),
        blind_kind=getattr(rules, "BLIND", -1),
        work_size=rules.WORK_SIZE,
        deal_move=rules.DEAL_MOVE,
        stake_max=rules.STAKE_MAX,
    )


def option_numbers(options: Any, super_mode: bool = False) -> tuple[int, ...]:
    """Return options that are whole numbers, or yes and no, as the steps read them: in order, behind `IS_SUPER`."""
    return int(super_mode), *map(int, astuple(options))


def no_cost(choice: int) -> int:
    """Tell that no decision stakes more, for rules that have no `cost`."""
    return 0


def finishing(steps: CardSteps, settle_super: Callable[..., int]) -> Callable[..., None]:
    """Return how all bets are settled once the round is over, those without a line too."""
    settle, is_eligible = steps.settle, steps.is_eligible
    raise_kind, blind_kind = steps.raise_kind, steps.blind_kind

    def finish(row: Row, kinds: Ints, numbers: Ints, stakes: Ints, hand: Ints, options: Ints) -> None:
        staked, returned = 0, 0
        for line in range(len(stakes)):
            kind, number, stake = kinds[line], numbers[line], stakes[line]
            if options[IS_SUPER] == 1 and is_eligible(kind, number):
                row[FEES] += super_fee(stake)
                chips = settle_super(row, kind, number, stake, hand, options)
            else:
                chips = settle(kind, number, stake, hand, options)
            row[LINES + line] = chips
            staked += stake
            returned += chips
        # Bets without a line.
        if blind_kind >= 0:
            staked += stakes[0]
            returned += settle(blind_kind, 0, stakes[0], hand, options)
        if row[RAISED] > 0:
            staked += row[RAISED] * stakes[0]
            returned += settle(raise_kind, 0, row[RAISED] * stakes[0], hand, options)
        row[STAKED] = staked
        row[RETURNED] = returned

    return finish


def card_step(steps: CardSteps) -> Callable[..., int]:
    """Return the kernel of an ante game: the deal, a move for each decision that draws, and last what is lit."""
    deal, cost, draws, take, choose = steps.deal, steps.cost, steps.draws, steps.take, steps.choose
    dealing = steps.deal_move
    light, settle_super = lighting(steps, LIT_AT)
    finish, is_lit = finishing(steps, settle_super), steps.light is not light_nothing

    def step(
        stream: Stream, move: int, row: Row, kinds: Ints, numbers: Ints, stakes: Ints, options: Ints, work: Row, _: Row
    ) -> int:
        hand = tail(row, FACTS)
        is_dealt = move > (len(stakes) if dealing == EACH_BET else dealing)
        if move == SUPER_MOVE:
            light(stream, row)
        while move != SUPER_MOVE:
            if is_dealt:
                hand[PHASE] = take(stream, row[CHOICE], hand, options, work)
            else:
                hand[PHASE] = deal(stream, hand, options, work)
            if hand[PHASE] == DONE:
                if is_lit and options[IS_SUPER] == 1:
                    return SUPER_MOVE
                break
            choice = choose(hand, options, work)
            row[CHOICE] = choice
            row[RAISED] += cost(choice)
            is_dealt = True
            move += 1
            if draws(choice):
                return move
        finish(row, kinds, numbers, stakes, hand, options)
        return DONE

    return step
