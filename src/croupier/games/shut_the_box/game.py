"""Shut the Box as a match for one to eight players.

Each player has a box of tiles, all up. Roll; shut tiles that are up and add up to the total; roll again. When a total
cannot be made the round is over, and the tiles still up are the score. Then the next player takes the dice. When all
have played their rounds the lowest total wins.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache, lru_cache
from typing import Annotated, Any, Literal, NoReturn

from msgspec import Meta, Struct
from msgspec.structs import replace

from croupier.engine import (
    Action,
    Advice,
    Bot,
    Game,
    Match,
    MatchResult,
    MatchView,
    Setup,
    Turn,
    act,
    action,
    create_match,
    refuse,
)
from croupier.errors import BadOptions
from croupier.games.shut_the_box import kernel, rules
from croupier.games.shut_the_box.odds import (
    DIE_RULES,
    OBJECTIVES,
    SCORINGS,
    BadPosition,
    BoardSettings,
    DieRule,
    Scoring,
    Solution,
    dice_allowed,
    mask_of,
    solve,
    tiles_of,
    valid_sets,
)
from croupier.games.shut_the_box.policies import POLICIES, Policy
from croupier.games.shut_the_box.render import render_table
from croupier.house import Plan, Terms
from croupier.house.plan import no_kernel
from croupier.rng import GameRng


class BoxOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """The variants, fixed when the match starts."""

    tile_count: Literal[9, 10, 12] = 9
    die_rule: DieRule = "high_tiles_down"
    die_choice: bool = False
    scoring: Scoring = "sum"
    rounds: Annotated[int, Meta(ge=1, le=100)] = 1
    shut_wins: bool = False

    @property
    def settings(self) -> BoardSettings:
        """What decides the worth of a board."""
        return BoardSettings(self.tile_count, self.die_rule, self.die_choice, self.scoring)


class Box(Struct, frozen=True):
    """One player's box: the tiles that are up, and how the player has done so far."""

    tiles: tuple[int, ...]
    score: int
    """The worth of the tiles that are up."""
    done: bool = False
    """Whether the round is over."""
    rounds_played: int = 0
    total: int = 0
    """The scores of the rounds played, added up."""


class BoxTable(Struct, frozen=True):
    """Every box by seat, the dice as they lie, and the total to match (0: nothing to match)."""

    boxes: tuple[Box, ...]
    current_sum: int = 0
    dice: tuple[int, int] = (0, 0)
    round: int = 1


# What the rules say of a board, remembered: a box has at most 4,096 boards, and every action asks again.

_can_make = cache(rules.can_make)


@cache
def _mask(tiles: tuple[int, ...]) -> int:
    return mask_of(tiles, max(rules.TILE_COUNTS))


@cache
def _score(board: int, scoring: Scoring) -> int:
    return rules.board_score(board, SCORINGS.index(scoring))


@cache
def _to_roll(up: tuple[int, ...], die_rule: DieRule, die_choice: bool) -> tuple[int, int, int]:
    """Return the board as a mask, and the fewest and the most dice that may be rolled on it."""
    board, rule = _mask(up), DIE_RULES.index(die_rule)
    return board, rules.dice_min(board, rule), rules.dice_max(board, rule, die_choice)


@lru_cache(maxsize=2**16)
def _lowered(up: tuple[int, ...], tiles: tuple[int, ...], total: int, scoring: Scoring) -> tuple[tuple[int, ...], int]:
    """Return the tiles still up after some were shut, and what they score; for a set that is not valid, ((), -1)."""
    board = _mask(up)
    if tiles not in valid_sets(board, total):
        return (), -1
    left = board ^ _mask(tiles)
    return tiles_of(left), _score(left, scoring)


class ShutTheBox(Game[BoxTable]):
    """Shut the Box, with every variant as an option."""

    id, name, players = "shut-the-box", "Shut the Box", (1, 8)
    description = "Roll the dice and shut tiles that add up to the total; the lowest score wins."
    category = "dice"
    tags = ("dice", "solo", "party")
    starting_phase = "roll"
    Options = BoxOptions
    objectives = OBJECTIVES
    situation_help = 'the tiles that are up, and the total if the dice are rolled: "1,2,3,7,8" or "1,2,3,7,8:10"'

    def setup(self, table: Setup) -> BoxTable:
        return BoxTable(boxes=(self._fresh(table.options),) * len(table.players))

    def on_turn_begin(self, state: BoxTable, turn: Turn) -> BoxTable:
        box = state.boxes[turn.seat]
        turn.events.set_phase("roll")
        fresh = replace(self._fresh(turn.options), rounds_played=box.rounds_played, total=box.total)
        return BoxTable(_with_box(state.boxes, turn.seat, fresh), 0, state.dice, box.rounds_played + 1)

    @action(phase="roll")
    def roll(self, state: BoxTable, turn: Turn, dice: Literal[1, 2] | None = None) -> BoxTable:
        """Roll the dice. Where the rules leave the choice of one die or two, say which."""
        options = turn.options
        board, fewest, most = _to_roll(state.boxes[turn.seat].tiles, options.die_rule, options.die_choice)
        if dice is None and fewest < most:
            refuse("choose_dice", "one die or two? Both are allowed here: say which")
        if dice is not None and fewest == most:
            number = "one die" if most == 1 else "two dice"
            refuse("no_dice_choice", f"there is no choice here: {number} must be rolled")
        faces = rules.roll(turn.rng, dice or most)
        total = faces[0] + faces[1]
        if _can_make(board, total):
            turn.events.set_phase("shut")
            return BoxTable(state.boxes, total, faces, state.round)
        return self._end_round(BoxTable(state.boxes, 0, faces, state.round), turn)

    @action(phase="shut")
    def shut(self, state: BoxTable, turn: Turn, tiles: tuple[int, ...]) -> BoxTable:
        """Shut tiles that are up and add up to the total, named in ascending order."""
        seat = turn.seat
        box = state.boxes[seat]
        if len(tiles) > len(box.tiles):  # `_lowered` remembers what it is asked
            _refuse_tiles(tiles, box, state.current_sum, turn.options.tile_count)
        up, score = _lowered(box.tiles, tiles, state.current_sum, turn.options.scoring)
        if score < 0:
            _refuse_tiles(tiles, box, state.current_sum, turn.options.tile_count)
        lowered = Box(up, score, False, box.rounds_played, box.total)
        after = BoxTable(_with_box(state.boxes, seat, lowered), 0, state.dice, state.round)
        if up:
            turn.events.set_phase("roll")
            return after
        return self._end_round(after, turn)

    def _end_round(self, state: BoxTable, turn: Turn) -> BoxTable:
        """Count the player's round and pass the dice on, or end the match."""
        box = state.boxes[turn.seat]
        done = replace(box, done=True, rounds_played=box.rounds_played + 1, total=box.total + box.score)
        state = replace(state, boxes=_with_box(state.boxes, turn.seat, done))
        if not box.tiles and turn.options.shut_wins:
            scores: dict[str, int | str] = {turn.actor: done.total}
            turn.events.end_game(MatchResult("win", (turn.actor,), "the box is shut", scores))
        elif all(state.boxes[turn.seat_of(player)].rounds_played == turn.options.rounds for player in turn.order):
            turn.events.end_game(_result(state, turn, turn.order))
        else:
            turn.events.end_turn()
        return state

    def on_leave(self, state: BoxTable, turn: Turn) -> BoxTable:
        stay = tuple(player for player in turn.order if player != turn.actor)
        boxes = [state.boxes[turn.seat_of(player)] for player in stay]
        if stay and all(box.rounds_played == turn.options.rounds for box in boxes):
            turn.events.end_game(_result(state, turn, stay))
        return state

    def audit(self, state: BoxTable, options: Any = None) -> str | None:
        """Return None if the tiles exist and are worth their scores, and the total can be made from the dice."""
        chosen = self.read_options(options)
        boards = []
        for box in state.boxes:
            try:
                boards.append(mask_of(box.tiles, chosen.tile_count))
            except BadPosition as error:
                return str(error)
            if box.tiles != tiles_of(boards[-1]) or box.score != _score(boards[-1], chosen.scoring):
                return f"tiles {box.tiles} are out of order, or not worth {box.score}"
        if not boards or not all(0 <= face <= 6 for face in state.dice):
            return f"{len(boards)} boxes, and dice that show {state.dice}"
        if state.current_sum and not any(_can_make(board, state.current_sum) for board in boards):
            return f"no box can make {state.current_sum}"
        return None

    # What can be done, and what it is worth.

    def legal(self, state: BoxTable, turn: Turn) -> Iterator[Action]:
        if turn.phase == "roll":
            yield act("roll")
            yield act("roll", dice=1)
            yield act("roll", dice=2)
            return
        for tiles in valid_sets(_mask(state.boxes[turn.seat].tiles), state.current_sum):
            yield act("shut", tiles=tiles)

    def advise(self, view: MatchView[BoxTable], legal: tuple[Action, ...], objective: str = "") -> tuple[Advice, ...]:
        """Value each action by what the round is then worth under best play."""
        goal = self.objective_named(objective)
        found = []
        for choice in legal:
            score, shut = (self._worth(view, choice, solve(name, view.options.settings)) for name in OBJECTIVES)
            text = f"expected score {float(score):.3f}, chance to shut {float(shut):.3%}"
            found.append(Advice(choice, score if goal == "score" else shut, text))
        return tuple(sorted(found, key=lambda advice: advice.value, reverse=goal == "shut"))

    def _worth(self, view: MatchView[BoxTable], choice: Action, solution: Solution) -> Fraction:
        board = _mask(view.game.boxes[_current_seat(view)].tiles)
        if choice.type == "shut":
            return solution.value(board ^ _mask(tuple(choice.payload["tiles"])))
        dice = choice.payload.get("dice")
        return solution.value(board) if dice is None else solution.roll_value(board, dice)

    def situation(self, text: str, options: Any = None) -> Match[BoxTable]:
        chosen = self.read_options(options)
        tiles, colon, total = text.partition(":")
        try:
            board = mask_of([int(tile) for tile in tiles.replace(",", " ").split()], chosen.tile_count)
            rolled = int(total) if colon else 0
        except (ValueError, BadPosition) as error:
            why = f" ({error})" if isinstance(error, BadPosition) else ""
            raise BadOptions(f"{text!r} is not a situation{why}; give {self.situation_help}") from None
        if board == 0:
            raise BadOptions(f"{text!r} names no tile that is up; give {self.situation_help}")
        if colon and not rules.can_make(board, rolled):
            raise BadOptions(f"with {_words(tiles_of(board))} up a total of {rolled} cannot be made: the round is over")
        match = create_match(self, ["you"], seed=b"", options=chosen)
        box = Box(tiles_of(board), _score(board, chosen.scoring))
        turn = replace(match.turn, phase="shut" if colon else "roll")
        return replace(match, game=BoxTable((box,), rolled), turn=turn)

    # Simulation.

    def plan(self, bets: Mapping[str, int], policy: str = "", options: Any = None, super_mode: bool = False) -> Plan:
        """Return how a match of one player is simulated; `optimal_score` is the usual policy, and there are no bets.

        A policy that draws, which is `uniform`, has no kernel, nor have numbers of many digits for scores.
        """
        chosen: BoxOptions = self.read_options(options)
        policy = policy or "optimal_score"
        if policy not in POLICIES:
            raise BadOptions(f"{self.name} has no policy {policy!r}; there are {', '.join(POLICIES)}")
        if bets or super_mode:
            raise BadOptions(f"{self.name} is not played for chips: it has no bets and no super mode")
        is_small = chosen.scoring == "sum" or (chosen.tile_count == 9 and chosen.rounds == 1)
        has_kernel = policy != "uniform" and is_small
        table = _policy_table(policy, chosen.settings) if has_kernel else ()
        scoring = SCORINGS.index(chosen.scoring)
        return Plan(
            step=kernel.step if has_kernel else no_kernel,
            first_move=1,
            bets=("won", "actions"),
            kinds=(0, 0),
            numbers=(0, 0),
            stakes=(0, 0),
            options=(chosen.tile_count, scoring, chosen.rounds, int(chosen.shut_wins), *table),
            work_size=kernel.WORK_SIZE,
            terms=Terms(),
            policy=self.bots[policy],
            facts=self.facts,
        )

    def facts(self, state: BoxTable) -> tuple[int, ...]:
        """Return what decided a finished match of one player: the tiles left up, the last dice, the rounds played."""
        (box,) = state.boxes
        return _mask(box.tiles), *state.dice, box.rounds_played

    # Text.

    def describe(self, action: Action, before: Match[BoxTable], after: Match[BoxTable]) -> str:
        player = next((player for player in before.players if player.id == action.player_id), None)
        if player is None:
            return super().describe(action, before, after)
        name = player.name or player.id
        if action.type == "leave":
            return f"{name} left the table"
        box, later = before.game.boxes[player.seat], after.game.boxes[player.seat]
        is_over = later.rounds_played > box.rounds_played  # a fresh round may stand in the box already
        if before.turn.phase == "shut":
            if is_over:
                return f"{name} shut {_words(box.tiles)}: the box is shut!"
            return f"{name} shut {_words(tuple(tile for tile in box.tiles if tile not in later.tiles))}"
        faces = [face for face in after.game.dice if face]
        line = f"{name} rolled {' and '.join(map(str, faces))}"
        if not is_over:
            return line
        return f"{line}: {_words(box.tiles)} cannot make {sum(faces)}, the score is {box.score}"

    def render(self, view: MatchView[BoxTable]) -> str:
        return render_table(view)

    def _fresh(self, options: BoxOptions) -> Box:
        board = rules.full_board(options.tile_count)
        return Box(tiles_of(board), _score(board, options.scoring))


def _refuse_tiles(tiles: tuple[int, ...], box: Box, total: int, tile_count: int) -> NoReturn:
    """Refuse a set that is not valid, for the first reason there is."""
    for tile in tiles:
        if not 1 <= tile <= tile_count:
            refuse("no_such_tile", f"there is no tile {tile}; this box has tiles 1 to {tile_count}")
        if tile not in box.tiles:
            refuse("tile_down", f"tile {tile} is down; up are {_words(box.tiles)}")
    if len(set(tiles)) < len(tiles):
        refuse("tile_twice", f"{_words(tiles)} names a tile twice")
    if sum(tiles) != total:
        refuse("wrong_sum", f"{_words(tiles)} adds up to {sum(tiles)}, the roll was {total}")
    refuse("not_ascending", f"name the tiles in ascending order: {_words(tuple(sorted(tiles)))}")


def _result(state: BoxTable, turn: Turn, players: tuple[str, ...]) -> MatchResult:
    """Return who has the lowest total. Alone, the box must be shut to win; where all tie, nobody does."""
    totals = {player: state.boxes[turn.seat_of(player)].total for player in players}
    scores: dict[str, int | str] = {**totals}
    lowest = min(totals.values())
    winners = tuple(player for player in players if totals[player] == lowest)
    if len(turn.players) == 1:
        if lowest == 0:
            return MatchResult("win", winners, "the box is shut", scores)
        return MatchResult("draw", (), f"the score is {lowest}", scores)
    if len(winners) == len(players) > 1:
        return MatchResult("draw", (), f"all have {lowest}", scores)
    return MatchResult("win", winners, f"the lowest total is {lowest}", scores)


def _with_box(boxes: tuple[Box, ...], seat: int, box: Box) -> tuple[Box, ...]:
    return (*boxes[:seat], box, *boxes[seat + 1 :])


def _current_seat(view: MatchView[BoxTable]) -> int:
    return next(player.seat for player in view.players if player.id == view.turn.current)


def _words(tiles: tuple[int, ...]) -> str:
    return ", ".join(map(str, tiles)) or "no tile"


# Bots.


def _bot(policy: Policy) -> Bot:
    def play(view: MatchView[Any], legal: tuple[Action, ...], rng: GameRng) -> Action:
        """Play by the policy."""
        if len(legal) == 1:
            return legal[0]
        board = _mask(view.game.boxes[_current_seat(view)].tiles)
        settings = view.options.settings
        if view.turn.phase == "roll":
            if len(dice_allowed(board, settings)) == 1:
                return act("roll")
            return act("roll", dice=policy.dice(board, settings))
        return act("shut", tiles=tiles_of(policy.choose(board, view.game.current_sum, settings, rng)))

    play.__doc__ = policy.description
    return play


@cache
def _policy_table(name: str, settings: BoardSettings) -> tuple[int, ...]:
    """Return a policy that draws nothing as the kernel reads it: for every board its dice, then a set a total."""
    policy = POLICIES[name]
    table = [0] * kernel.TABLE_ROW  # the shut box, where nothing is rolled
    for board in range(1, rules.full_board(settings.tile_count) + 1):
        table.append(policy.dice(board, settings))
        for total in range(1, rules.TOTAL_MAX + 1):
            table.extend(policy.sets(board, total, settings) or (0,))
    return tuple(table)


ShutTheBox.bots = {name: _bot(policy) for name, policy in POLICIES.items()}
