"""`Game` with the names of the founding document: one box of nine tiles as a plain object, for a front end.

It plays the standard game (two dice while a tile of 7 or more is up, then one, no choice) with the very rules
that the match plays, and adds what a front end wants: to set dice it has thrown itself, and to lower a tile
by hand. It changes in place, keeps no record and knows no turns; the match game, `ShutTheBox`, has all that and is the
interface to build on. Where it differs from the document on purpose, the page Conformance of the documents says why.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from croupier.errors import CroupierError
from croupier.games.shut_the_box import rules
from croupier.games.shut_the_box.odds import BadPosition, mask_of, valid_sets
from croupier.rng import GameRng, draw_seed, seed_bytes

__all__ = ["BadDice", "Game", "SoloBox", "check_combinations"]

TILE_COUNT = 9
DIE_RULE = rules.DIE_HIGH_TILES_DOWN


class BadDice(CroupierError, ValueError):
    """Dice that cannot lie on a table: a value outside 0 … 6, or a second die without a first."""

    code = "bad_dice"


class SoloBox:
    """A box with all nine tiles up and no dice rolled.

    Roll number n (1, 2, 3, …) of the first game draws from `GameRng.new(seed, 0, n)`, and after each `reset` the next
    session is played, 1, 2 and so on: a seed fixes every roll of every game. The seed is read by the one rule
    (`croupier.rng.seed_bytes`). Without one the box takes 32 bytes from the system; either way `seed` holds the bytes,
    and a box made from them rolls the same.

    >>> box = SoloBox(seed=2024)
    >>> box.roll_dice(), box.get_current_sum()
    ([4, 3], 7)
    >>> box.valid_moves()
    [(1, 2, 4), (1, 6), (2, 5), (3, 4), (7,)]
    >>> box.make_move([3, 4]), box.get_score()
    (True, 38)
    """

    __slots__ = ("_board", "_current_sum", "_dice", "_game_over", "_roll_number", "_seed", "_session")

    def __init__(self, seed: bytes | int | str | None = None) -> None:
        self._seed = draw_seed() if seed is None else seed_bytes(seed)
        self._session = -1
        self.reset()

    @classmethod
    def new(cls, seed: bytes | int | str | None = None) -> SoloBox:
        """Return a new box."""
        return cls(seed)

    def reset(self) -> None:
        """Deal a new game: all tiles up, nothing rolled. The seed stays, and the dice are those of its next session."""
        self._session += 1
        self._board = rules.full_board(TILE_COUNT)
        self._dice = (0, 0)
        self._current_sum = 0
        self._game_over = False
        self._roll_number = 0

    # What there is to see; every list is a copy.

    @property
    def seed(self) -> bytes:
        """The bytes that fix every roll."""
        return self._seed

    @property
    def tiles(self) -> tuple[bool, ...]:
        """The nine tiles from 1 to 9, True while up."""
        return tuple(rules.tile_up(self._board, tile) for tile in range(1, TILE_COUNT + 1))

    @property
    def current_sum(self) -> int:
        """The total to match; 0 when there is nothing to match."""
        return self._current_sum

    @property
    def dice1(self) -> int:
        """The first die; 0 before the first roll."""
        return self._dice[0]

    @property
    def dice2(self) -> int:
        """The second die; 0 before the first roll and when one die was rolled."""
        return self._dice[1]

    @property
    def game_over(self) -> bool:
        """Whether the game has ended."""
        return self._game_over

    def get_tiles(self) -> list[int]:
        """Return the nine tiles from 1 to 9, as 1 for up and 0 for down."""
        return [int(up) for up in self.tiles]

    def get_score(self) -> int:
        """Return the sum of the tiles that are up: 45 at the start, 0 for the shut box."""
        return rules.board_score(self._board, rules.SCORE_SUM)

    def get_current_sum(self) -> int:
        """Return the total to match; 0 when there is nothing to match."""
        return self._current_sum

    def is_game_over(self) -> bool:
        """Tell whether the game has ended."""
        return self._game_over

    # Dice.

    def roll_dice(self) -> list[int]:
        """Roll the dice that the board asks for and return both values, the second 0 when one die is rolled.

        The game ends at once if no set makes the total. A total still pending is replaced. After the end
        nothing is rolled: the dice are returned as they lie.
        """
        if not self._game_over:
            self._roll_number += 1
            stream = GameRng.new(self._seed, self._session, self._roll_number)
            # One die, where it is allowed, is forced: the fewest dice are the only number there is.
            self._show(rules.roll(stream, rules.dice_min(self._board, DIE_RULE)))
        return list(self._dice)

    def set_dice_values(self, die1: int, die2: int) -> None:
        """Put down dice that were thrown elsewhere; the game ends if their total cannot be made.

        The number of dice is the caller's affair: `(d, 0)` is one die, `(0, 0)` takes the dice away and ends
        nothing. It does not bring an ended game back and does not count as a roll of this box. Values outside
        0 … 6, and a second die without a first, raise `BadDice` (a `ValueError`) and change nothing.
        """
        for value in (die1, die2):
            if type(value) is not int or not 0 <= value <= 6:
                raise BadDice(f"die {value!r}: a die shows 1 to 6, and 0 stands for no die")
        if die1 == 0 and die2 > 0:
            raise BadDice(f"dice 0 and {die2}: with one die the first shows it and the second is 0")
        self._show((die1, die2))

    def _show(self, dice: tuple[int, int]) -> None:
        self._dice = dice
        self._current_sum = dice[0] + dice[1]
        if not self.has_valid_moves():
            self._game_over = True

    # Tiles.

    def has_valid_moves(self) -> bool:
        """Tell whether some set makes the total; True when there is no total to match."""
        return self._current_sum == 0 or rules.can_make(self._board, self._current_sum)

    @staticmethod
    def check_combinations(tiles: Sequence[int], size: int, target: int) -> bool:
        """Tell whether exactly `size` of the ascending `tiles` add up to `target`.

        The box itself asks `rules.can_make`, which does not need the size.

        >>> check_combinations([1, 2, 3, 4, 5, 6, 7, 8, 9], 3, 12), check_combinations([1, 2], 1, 3)
        (True, False)
        """
        if size == 0:
            return target == 0
        if not tiles or target == 0:
            return False
        first, rest = tiles[0], tiles[1:]
        if first <= target and check_combinations(rest, size - 1, target - first):
            return True
        return check_combinations(rest, size, target)

    def valid_moves(self) -> list[tuple[int, ...]]:
        """Return every valid set, each ascending, in lexicographic order; none when over or at sum 0."""
        if self._game_over:
            return []
        return list(valid_sets(self._board, self._current_sum))

    def is_valid_move(self, tiles: Iterable[int]) -> bool:
        """Tell whether `tiles`, in any order, are distinct, up, and add up to the total.

        Whatever is not a tile of this box, such as `True`, 3.0, "3" or -3, makes the move invalid. The empty
        set is never valid, nor is any set before the roll or after the end.
        """
        return self._valid_mask(tiles) > 0

    def make_move(self, tiles: Iterable[int]) -> bool:
        """Lower `tiles` if that is a valid move, else return False and change nothing.

        The total is spent, the dice stay visible. Lowering the last tile ends the game.
        """
        mask = self._valid_mask(tiles)
        if mask == 0:
            return False
        self._board ^= mask
        self._current_sum = 0
        self._game_over = self._board == 0
        return True

    def _valid_mask(self, tiles: Iterable[int]) -> int:
        """Return the mask of a valid move, or 0. The tiles are read once, so any iterable will do."""
        if self._game_over or self._current_sum == 0:
            return 0
        try:
            mask = mask_of(tiles, TILE_COUNT)
        except BadPosition:
            return 0
        return mask if mask & self._board == mask and rules.board_sum(mask) == self._current_sum else 0

    def flip_tile(self, tile: int) -> bool:
        """Lower one tile by hand, whatever the dice say; False if there is no such tile or it is down.

        This edits the board and is no move: total and end of the game stay as they are, even with the last
        tile down (the next roll then ends the game).
        """
        try:
            mask = mask_of((tile,), TILE_COUNT)
        except BadPosition:
            return False
        if mask & self._board == 0:
            return False
        self._board ^= mask
        return True

    def __repr__(self) -> str:
        # Without the seed: a log line must not tell the rolls to come.
        return f"<SoloBox {self.get_tiles()} sum {self._current_sum}{' over' if self._game_over else ''}>"


Game = SoloBox
"""The document's name of it."""
check_combinations = SoloBox.check_combinations
