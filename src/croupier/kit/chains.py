"""Absorbing Markov chains in exact fractions: the chance of every end, and what a chain brings on average."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping
from fractions import Fraction
from typing import TypeVar

State = TypeVar("State", bound=Hashable)
End = TypeVar("End", bound=Hashable)

Step = tuple[int, Mapping[State, int], Mapping[End, int]]
"""Transitions of a state: of so many equally likely ways, how many lead to each other state and to each end."""


def follow(
    step: Callable[[State], Step[State, End]], start: State, known: Collection[State] = ()
) -> dict[State, Step[State, End]]:
    """Return the steps of every state that can be reached; those that are known lead nowhere."""
    found: dict[State, Step[State, End]] = {}
    waiting = [start]
    while waiting:
        state = waiting.pop()
        if state in known:
            found[state] = 1, {}, {}
        elif state not in found:
            found[state] = step(state)
            waiting.extend(found[state][1])
    return found


def absorbed(steps: Mapping[State, Step[State, End]], start: State) -> dict[End, Fraction]:
    """Return the chance of every end of a chain that begins in a state and surely ends.

    States that lead to each other and back are solved together; groups of them follow each other in order, so a chain
    of thousands of states that mostly go forward stays cheap.

    >>> absorbed({"toss": (4, {"toss": 1}, {"heads": 2, "edge": 1})}, "toss")
    {'heads': Fraction(2, 3), 'edge': Fraction(1, 3)}
    """
    inflow: dict[State, Fraction] = {start: Fraction(1)}
    ends: dict[End, Fraction] = {}
    for group in _groups(steps, start):
        for state, visits in _visits(group, steps, inflow).items():
            whole, onward, over = steps[state]
            each = visits / whole
            for after, ways in onward.items():
                if after not in group:
                    inflow[after] = inflow[after] + each * ways if after in inflow else each * ways
            for end, ways in over.items():
                ends[end] = ends[end] + each * ways if end in ends else each * ways
    return ends


def expected(
    steps: Mapping[State, Step[State, End]], start: State, worth: Callable[[End], int], known: dict[State, Fraction]
) -> Fraction:
    """Return what a chain brings on average from a state on, where every end is worth so much.

    What is found out about other states goes into `known`, and what is there is not worked out again.

    >>> expected({"toss": (4, {"toss": 1}, {"heads": 2, "edge": 1})}, "toss", {"heads": 3, "edge": 9}.__getitem__, {})
    Fraction(5, 1)
    """
    for group in reversed(_groups(steps, start)):
        if all(state in known for state in group):
            continue
        inflow = {}
        for state in group:
            whole, onward, over = steps[state]
            brought = sum((ways * known[after] for after, ways in onward.items() if after not in group), Fraction(0))
            inflow[state] = (brought + sum(ways * worth(end) for end, ways in over.items())) / whole
        known.update(
            _solved(group, lambda state, other: Fraction(steps[state][1].get(other, 0), steps[state][0]), inflow)
        )
    return known[start]


def _visits(
    group: dict[State, int], steps: Mapping[State, Step[State, End]], inflow: Mapping[State, Fraction]
) -> dict[State, Fraction]:
    """Return how often each state of a group is visited on average: v = inflow + v P."""
    return _solved(group, lambda state, other: Fraction(steps[other][1].get(state, 0), steps[other][0]), inflow)


def _solved(
    group: Mapping[State, int], chance: Callable[[State, State], Fraction], inflow: Mapping[State, Fraction]
) -> dict[State, Fraction]:
    """Return x with x[state] = inflow[state] + the sum of chance(state, other) x[other] over the group."""
    states = list(group)
    size = len(states)
    if size == 1:
        (state,) = states
        return {state: inflow[state] / (1 - chance(state, state))}
    rows = []
    for state in states:
        row = [int(other == state) - chance(state, other) for other in states]
        rows.append([*row, inflow.get(state, Fraction(0))])
    for column in range(size):
        pivot = next(place for place in range(column, size) if rows[place][column])
        rows[column], rows[pivot] = rows[pivot], rows[column]
        for place in range(size):
            factor = rows[place][column] / rows[column][column]
            if place != column and factor:
                rows[place] = [a - factor * b if b else a for a, b in zip(rows[place], rows[column], strict=True)]
    return {state: rows[place][size] / rows[place][place] for place, state in enumerate(states)}


def _groups(steps: Mapping[State, Step[State, End]], start: State) -> list[dict[State, int]]:
    """Return the states in groups that can reach each other, every group after those that lead to it.

    Tarjan's algorithm, with a stack of its own: chains are deeper than Python likes to recurse.
    """
    index: dict[State, int] = {}
    low: dict[State, int] = {}
    held: dict[State, None] = {}
    groups: list[dict[State, int]] = []
    work = [(start, iter(steps[start][1]))]
    index[start] = low[start] = 0
    held[start] = None
    while work:
        state, onward = work[-1]
        for after in onward:
            if after not in index:
                index[after] = low[after] = len(index)
                held[after] = None
                work.append((after, iter(steps[after][1])))
                break
            if after in held:
                low[state] = min(low[state], index[after])
        else:
            work.pop()
            if work:
                low[work[-1][0]] = min(low[work[-1][0]], low[state])
            if low[state] == index[state]:
                group: dict[State, int] = {}
                while state not in group:
                    member, _ = held.popitem()
                    group[member] = len(group)
                groups.append(group)
    return groups[::-1]
