"""Lanes as a match for two: seat by seat, with hidden hands, on the rules of `croupier.games.lanes.rules`.

Each player may replace cards of the opening hand before the first turn. Then they take turns: draw a card, and play one
or pass. Two passes in a row or a full board end the match, and the higher score over the three lanes wins it.
"""

from collections.abc import Iterator
from itertools import chain, combinations
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from croupier.engine import Action, Advice, Game, Match, MatchResult, MatchView, Setup, Turn, act, action, refuse
from croupier.errors import BadOptions
from croupier.games.lanes.bots.advice import advise, previewed
from croupier.games.lanes.bots.players import BOTS, action_of
from croupier.games.lanes.cards.card_set import CardHydrator, CardSet, DeckList, own_cards, own_decks
from croupier.games.lanes.cards.decks import Deck, read_slots, stream_of, validate_deck
from croupier.games.lanes.drawing.describe import tell
from croupier.games.lanes.drawing.render import render_duel
from croupier.games.lanes.drawing.typed import phrase, understand
from croupier.games.lanes.errors import BoardError, DeckError, HandIndexError
from croupier.games.lanes.play.board import check_cells
from croupier.games.lanes.play.duel import Duel, DuelView, Happening, cells_of, happenings, view_of
from croupier.games.lanes.play.legality import checked_move, list_moves
from croupier.games.lanes.play.position import SIDES, Side
from croupier.games.lanes.play.profiles import PROFILES, Profile
from croupier.games.lanes.play.public_events import Play, move_step, recorded
from croupier.games.lanes.play.scores import score_of
from croupier.games.lanes.play.simulation import GameState, deck_seed
from croupier.games.lanes.rules import layout, playouts, turns
from croupier.kit.markup import escape_markup
from croupier.rng import GameRng

DeckChoice = str | tuple[str, ...]
OPENING = range(layout.OPENING_HAND)
SEED_LENGTH = 32  # both decks and both mulligans follow from it: fewer bytes could be searched for by a player
REASONS = {layout.TWO_PASSES: "both passed", layout.BOARD_FULL: "the board is full"}


class LanesOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """The rules and the decks, fixed when the match starts. Both players know both lists, but no order."""

    profile: Profile = "seed"
    deck_y: DeckChoice = "first-light"
    """A deck of the card set by name, or fifteen ids."""
    deck_e: DeckChoice = "ebb-and-ruin"
    first_side: Side = "Y"
    """The side of whoever begins."""
    any_deck: bool = False
    """Take decks that break the rules for decks: too many copies, or tokens."""


State = Duel | DuelView


class Lanes(Game[State]):
    """The duel of cards on three lanes."""

    id, name, players = "lanes", "Lanes", (2, 2)
    description = "A duel of cards on three lanes: take tiles with pawns, and win lanes by power."
    category = "card"
    tags = ("cards", "strategy", "hidden hands")
    starting_phase = "mulligan"
    rules_version = 2
    Options = LanesOptions
    bots = BOTS
    objectives = ("win",)

    def card_set(self) -> CardSet:
        """Return the cards that are played with; a game with other cards overrides this and `decks`."""
        return own_cards()

    def decks(self) -> tuple[DeckList, ...]:
        """Return the decks that can be chosen by name."""
        return own_decks()

    def setup(self, table: Setup) -> State:
        options: LanesOptions = table.options
        lists = (self._deck(options.deck_y, options, "y"), self._deck(options.deck_e, options, "e"))
        seed = table.rng.fill_bytes(SEED_LENGTH)
        player_deck, enemy_deck = (Deck(ids, deck_seed(seed, side)) for ids, side in zip(lists, SIDES, strict=True))
        state = GameState(
            player_deck,
            enemy_deck,
            CardHydrator(self.card_set()),
            rules=PROFILES[options.profile],
            seed=0,
            first_side=options.first_side,
        )
        first = table.turn.current
        (second,) = [player.id for player in table.players if player.id != first]
        players = (first, second) if options.first_side == "Y" else (second, first)
        return Duel(tuple(state.cells), seed.hex(), players)

    def _deck(self, choice: DeckChoice, options: LanesOptions, side: str) -> tuple[str, ...]:
        path = f"$.deck_{side}"
        if isinstance(choice, str):
            named = {deck.id: deck for deck in self.decks()}
            if choice not in named:
                raise BadOptions(f"{self.name}: there is no deck {choice!r}; there are {', '.join(named)}", path)
            choice = named[choice].cards
        cards = self.card_set()
        errors = validate_deck(choice, cards).errors
        can_be_dealt = len(choice) == layout.DECK_SIZE and all(card_id in cards for card_id in choice)
        if errors and not (options.any_deck and can_be_dealt):
            raise BadOptions(f"{self.name}: {'; '.join(errors)}", path)
        return choice

    # The turn: a mulligan first, then a draw and a card.

    def on_turn_begin(self, state: State, turn: Turn) -> State:
        duel = full(state)
        if duel.cells[layout.OVER]:
            return duel
        if duel.cells[layout.TURN] <= 2:
            turn.events.set_phase("mulligan")
            return duel
        turn.events.set_phase("play")
        begun = after_step(duel, turns.begin_turn, self.card_set())
        return replace(begun, happened=duel.happened + begun.happened)

    @action(phase="mulligan", secret=True)
    def mulligan(self, state: State, turn: Turn, indices: tuple[int, ...] = ()) -> State:
        """Replace the cards at these places of your opening hand, counted from 0; none keeps the hand."""
        duel = full(state)
        cells = list(duel.cells)
        side = cells[layout.SIDE]
        try:
            slots = read_slots(indices, cells[layout.HAND_COUNT + side])
        except HandIndexError as error:
            refuse("no_such_card", str(error))
        except DeckError as error:
            refuse("card_twice", str(error))
        stream = stream_of(deck_seed(bytes.fromhex(duel.seed), SIDES[side]), "mulligan")
        turns.mulligan(cells, stream, side, slots, [0] * layout.DECK_SIZE)
        turn.events.set_phase("play")
        happened = (Happening("mulligan", owner=SIDES[side], amount=len(indices)),)
        return replace(duel, cells=tuple(cells), happened=happened)

    @action(phase="play")
    def play(self, state: State, turn: Turn, hand_index: int, lane: int, col: int) -> State:
        """Play a card of your hand on a tile; places, lanes and columns count from 0."""
        duel = full(state)
        cards = self.card_set()
        move = checked_move(duel.cells, cards, duel.cells[layout.SIDE], hand_index, lane, col)
        turn.events.end_turn()
        return after_step(duel, move_step(cards, move), cards)

    @action(phase="play")
    def pass_(self, state: State, turn: Turn) -> State:
        """Pass. The second pass in a row ends the match."""
        turn.events.end_turn()
        return after_step(full(state), turns.pass_turn, self.card_set())

    def end_if(self, state: State, turn: Turn) -> MatchResult | None:
        duel = full(state)
        if not duel.cells[layout.OVER]:
            return None
        score = score_of(duel.cells, self.card_set().tables)
        you, enemy = duel.players
        scores: dict[str, int | str] = {you: score.total_you, enemy: score.total_enemy}
        reason = REASONS[duel.cells[layout.OVER]]
        if score.winner is None:
            return MatchResult("draw", (), reason, scores)
        return MatchResult("win", (duel.players[SIDES.index(score.winner)],), reason, scores)

    # What can be done.

    def legal(self, state: State, turn: Turn) -> Iterator[Action]:
        cells = list(full(state).cells)
        if turn.phase == "mulligan":
            for indices in chain.from_iterable(combinations(OPENING, count) for count in range(len(OPENING) + 1)):
                yield act("mulligan", indices=indices)
            return
        yield from map(action_of, list_moves(cells, self.card_set().tables, cells[layout.SIDE]))

    def auto_action(self, state: State, turn: Turn) -> Action | None:
        return act("mulligan", indices=()) if turn.phase == "mulligan" else act("pass")

    # Who sees what.

    def view(self, state: State, viewer: str | None) -> State:
        duel = full(state)
        side = duel.players.index(viewer) if viewer in duel.players else None
        return view_of(duel, self.card_set(), side)

    def redeal(self, state: State, viewer: str | None, rng: GameRng) -> State:
        side = state.players.index(viewer) if viewer in state.players else 2
        cells = list(state.cells) if isinstance(state, Duel) else cells_of(state, self.card_set())
        playouts.redeal(cells, rng, side, [0] * (layout.DECK_SIZE + cells[layout.HAND_ROOM]))
        return Duel(tuple(cells), rng.fill_bytes(SEED_LENGTH).hex(), state.players, state.happened)

    def audit(self, state: State, options: Any = None) -> str | None:
        try:
            check_cells(full(state).cells, self.card_set())
        except BoardError as error:
            return str(error)
        return None

    # The coach.

    def advise(self, view: MatchView[Any], legal: tuple[Action, ...], objective: str = "") -> tuple[Advice, ...]:
        """Value each action by what a tree search makes of it, with reasons in words; see `lanes.advice`."""
        self.objective_named(objective)
        return advise(view, legal, self.card_set())

    def preview(self, view: MatchView[Any], action: Action) -> str | None:
        """Return the board after a move and what the move does."""
        found = previewed(view, action, self.card_set())
        if found is None:
            return None
        after, reasons = found
        board = render_duel(replace(view, game=after), self.card_set())
        return "\n".join([board, "", *(f"- {escape_markup(reason)}" for reason in reasons)])

    def foresee(self, view: MatchView[Any], action: Action) -> tuple[Any, tuple[str, ...]] | None:
        """Return the board after a move as the viewer would see it, and what the move does in words."""
        return previewed(view, action, self.card_set())

    # Text.

    def describe(self, action: Action, before: Match[Any], after: Match[Any]) -> str:
        line = tell(action, before, after, self.card_set())
        return super().describe(action, before, after) if line is None else line

    def render(self, view: MatchView[Any]) -> str:
        return render_duel(view, self.card_set())

    def phrase(self, view: MatchView[Any], action: Action) -> str:
        return phrase(action, view.game, self.card_set())

    def understand(self, view: MatchView[Any], line: str) -> Action | None:
        return understand(line, view.game, self.card_set())


def full(state: State) -> Duel:
    """Return the state as the duel that it is: actions are for matches, not for views."""
    assert isinstance(state, Duel)
    return state


def after_step(duel: Duel, step: Play, cards: CardSet) -> Duel:
    """Return a duel after a step of the rules, with what happened in it."""
    cells, noted = recorded(duel.cells, step)
    return Duel(tuple(cells), duel.seed, duel.players, happenings(noted, cards))
