"""Hi-lo at the table: every action and refusal, what a cash-out pays, the cap, super mode, payloads, chips."""

from __future__ import annotations

from typing import Any

import pytest

from croupier import house
from croupier.engine import Match, act, create_match, legal_actions
from croupier.engine.chance import ScriptedRng
from croupier.games.hi_lo.bets import POLICIES
from croupier.kit.cards import card_name, parse_card
from croupier.rng import GameRng
from tests.games.hi_lo.facts import GAME, KIT
from tests.games.scenes import look_at, rows
from tests.games.scenes import play as run_scene

SEED = bytes(range(32))
FREE = {"commission_bps": 0}
GUESSES = ("higher", "lower", "same")


def card(name: str) -> ScriptedRng:
    """Return a stream that deals this card."""
    return ScriptedRng([parse_card(name)])


def start(first: str = "7S", stake: int = 100, *, super_mode: bool = False, options: Any = None) -> Match[Any]:
    return KIT.start(stake, super_mode=super_mode, options=options, rng=card(first))


def play(match: Match[Any], *steps: str) -> Match[Any]:
    """Take steps such as `higher 9H`, a guess and the card that comes, or `cash_out`."""
    for step in steps:
        word, _, name = step.partition(" ")
        match = KIT.do(match, act(word), rng=card(name) if name else None)
    return match


def returned(match: Match[Any]) -> int:
    assert match.status == "finished"
    (line,) = match.game.money.lines
    assert line.bet == "stake"
    assert match.game.money.returned == line.returned
    return int(line.returned)


class Row:
    """A session that reads steps in words: `higher 9H`, a guess and the card that comes, or `cash_out`.

    The head has the first card and the stake, options of the table, and `super`.
    """

    def __init__(self, head: str) -> None:
        first, *words = head.split()
        named: dict[str, str] = dict(word.partition("=")[::2] for word in words)
        options: dict[str, Any] = {name: {"yes": True, "no": False}.get(value, value) for name, value in named.items()}
        options |= {"commission_bps": int(named["commission_bps"])} if "commission_bps" in named else {}
        is_super, stake = options.pop("super", None) is not None, int(options.pop("stake", 100))
        self.match = start(first, stake, super_mode=is_super, options=options or None)
        self.told = ""

    def take(self, words: list[str]) -> None:
        before, self.match = self.match, play(self.match, " ".join(words))
        self.told = GAME.describe(act(words[0]), before, self.match)

    def refusal(self, words: list[str]) -> str:
        return KIT.refusal(self.match, act(words[0]))

    def look(self, path: str) -> Any:
        if path in ("told", "returned"):
            return self.told if path == "told" else returned(self.match)
        if path == "most":
            return self.match.game.money.open[0].most
        return card_name(self.match.game.cards[-1]) if path == "card" else look_at(self.match, path)


# Scenes: the first card and the table, guesses and the cards that come, and what is then so.


@pytest.mark.parametrize(
    ("head", "scene"),
    rows("""
# A right guess multiplies the pot by twelve over the ranks that win, and rounds down each time.
6S | higher 8S; lower 6H; higher 7S; ? game.factor 50370; ? game.streak 3
# A wrong guess loses the stake and ends the session.
7S | higher 6S; ? returned 0; ? game.factor 0; ? result.reason 'lost 100'; ? result.scores {'ann': -100}
7S | lower 8S; ? returned 0; ? game.factor 0; ? result.reason 'lost 100'; ? result.scores {'ann': -100}
AS | same 2S; ? returned 0; ? game.factor 0; ? result.reason 'lost 100'; ? result.scores {'ann': -100}
# An equal rank pushes and shows the new card, or loses where the options say so.
7S | higher 7H; lower 7D; ? status 'active'; ? game.factor 10_000; ? game.streak 0; ? card '7D'
7S tie_pushes=no | higher 7H; ? returned 0
7S tie_pushes=no | lower 7H; ? returned 0
AS tie_pushes=no | same AH; ? game.streak 1
# A guess that is not offered is refused before a card is drawn; same may be guessed anywhere where the options say so.
KS | higher -> guess_not_offered
AS | lower -> guess_not_offered
2S | same -> guess_not_offered
7S | same -> guess_not_offered
QS | same -> guess_not_offered
7S same_anywhere=yes | same 7C; ? game.factor 120_000
# A cash-out before any guess gives the stake back; nobody walks away from chips on the table, but is cashed out.
7S | leave -> bets_open; cash_out; ? returned 100; ? result.reason 'push'
7S commission_bps=0 | cash_out; ? returned 100; ? result.reason 'push'
7S same_anywhere=yes commission_bps=10000 | cash_out; ? returned 100; ? result.reason 'push'
7S same_anywhere=yes tie_pushes=no | cash_out; ? returned 100; ? result.reason 'push'
7S | time_out; ? returned 100
7S | higher 9S; time_out; ? returned 197
# It pays the pot less commission on the profit: of all of it; of 200; of 242.84, which makes 335.5548.
7S commission_bps=300 | higher 9S; cash_out; ? returned 197; ? card '9S'
7S commission_bps=0 | higher 9S; cash_out; ? returned 200; ? card '9S'
7S commission_bps=10000 | higher 9S; cash_out; ? returned 100; ? card '9S'
7S commission_bps=300 | higher 9S; lower 2S; cash_out; ? returned 294; ? card '2S'
7S commission_bps=300 | higher 8S; lower 7S; cash_out; ? returned 335; ? card '7S'
# A guess that cannot lose wins nothing.
AS | higher 9S; cash_out; ? returned 100
KS | lower 9S; cash_out; ? returned 100
# The published sessions, without commission; their cards come from shuffled packs, ours do not.
5S commission_bps=0 | higher 5H; higher KH; cash_out; ? returned 150
QD commission_bps=0 | higher QD; lower 2S; cash_out; ? returned 109
AD commission_bps=0 | same AC; cash_out; ? returned 1200
AC commission_bps=0 | higher 7S; cash_out; ? returned 100
# The pot is cashed out within the guess that takes it to a hundred thousand: 100 and 97 % of 24,883,100.
AS | same AH; same AD; same AC; same AS; ? status 'active'; ? game.factor 207_360_000; same AH; ? returned 24_136_707; \
? game.factor 2_488_320_000; ? game.streak 5
# The largest pot stays below what was declared: 100 and 97 % of 119,999,900.
AS | same AH; same AD; same AC; same AS; higher 10S; higher KS; ? game.factor 829_440_000; ? most 116_400_003; \
same KH; ? game.factor 9_953_280_000; ? returned 96_546_819
# A super cash-out boosts the profit by the streak: nothing at 0; 3/12500 of 97,000 is 23.28; of 194,000 with an ace
# 30/12500; pushes do not count.
7S stake=100000 super | cash_out; ? returned 100_000; ? game.money.fees 20_000; ? game.money.staked 100_000
7S stake=100000 super | higher 9S; cash_out; ? returned 197_023; ? game.money.fees 20_000; ? game.money.staked 100_000
7S stake=100000 super | higher 9S; lower AS; cash_out; ? returned 294_465; ? game.money.fees 20_000
7S stake=100000 super | higher 7H; higher 9S; cash_out; ? returned 197_023; ? game.money.fees 20_000
# A lost super session keeps its fee.
7S super | higher 2S; ? game.money.staked 100; ? game.money.returned 0; ? game.money.fees 20
# The cap holds in super mode with its boost: 80 tenths for five, doubled by the ace, are 150/12500 of 24,136,607.
AS super | same AH; same AD; same AC; same AS; same AH; ? returned 24_426_346
# The log says what the card did and what the pot is worth, and names the boost of a super session.
5S | higher KH; ? told '5♠ to K♥: higher was right; the pot is ×1.5, a cash-out pays 148'
5S | higher 5H; ? told '5♠ to 5♥: higher pushed, the ranks are equal; the pot is ×1, a cash-out pays 100'
5S | lower KH; ? told '5♠ to K♥: lower was wrong; lost 100'
5S | higher KH; cash_out; ? told 'cashed out at ×1.5: 148 back; won 48'
5S | cash_out; ? told 'cashed out at ×1: 100 back; push'
5S | time_out; ? told 'cashed out at ×1: 100 back; push'
AS | same AS; same AS; same AS; same AS; same AS; \
? told 'A♠ to A♠: same was right; cashed out by itself at ×248,832: 24,136,707 back; won 24136607'
7S super | higher 9S; lower AS; cash_out; ? told 'cashed out at ×3, boost ×1.0024: 294 back; won 194'
"""),
)
def test_a_session_plays_out_as_its_scene_says(head, scene):
    run_scene(Row(head), scene)


@pytest.mark.parametrize("guess", ["higher", "lower", "same"])
def test_a_right_guess_multiplies_the_pot_by_twelve_over_the_ranks_that_win(guess):
    """From every rank to every one that wins, from ace 0 to king 12; the very card on show may come again."""
    for rank in (0, 12) if guess == "same" else range(13):
        wins = {"higher": range(rank + 1, 13), "lower": range(rank), "same": range(rank, rank + 1)}[guess]
        for came in wins:
            match = play(start(card_name(rank)), f"{guess} {card_name(came)}")
            assert match.status == "active"
            assert (match.game.factor, match.game.streak) == (120_000 // len(wins), 1)
            assert match.game.guesses == (guess,)
            assert match.game.cards == (rank, came)


def test_the_boost_of_a_streak_of_ten_is_doubled_by_an_ace():
    up_and_down = ("higher 8S", "lower 7S") * 5
    match = play(start("7S", 10_000, super_mode=True, options=FREE), *up_and_down)
    assert (match.game.streak, match.game.factor) == (10, 4_736_478)

    # The profit is 4,726,478, and 1190/12500 of it 449,960.7.
    assert returned(play(match, "cash_out")) == 4_736_478 + 449_960
    last = play(match, "lower 6S", "lower AS", "cash_out")
    assert last.game.factor == 22_735_094
    assert returned(last) == 22_735_094 + 22_725_094 * 2390 // 12_500


# Guesses.


def test_a_session_starts_with_the_stake_down_and_one_card_on_show():
    match = create_match(GAME, ["ann"], seed=bytes(48), session_id=3, host=house.Terms(25))

    assert match.game.cards == (GameRng.new(bytes(48), 3, 0).draw_card(list(range(52))),)
    assert (match.game.guesses, match.game.factor, match.game.streak) == ((), 10_000, 0)
    assert [(stake.bet, stake.stake) for stake in match.game.money.open] == [("stake", 25)]
    assert (match.game.money.opening, match.game.money.staked) == (25, 25)


@pytest.mark.parametrize(
    ("first", "offered"), [("AS", {"higher", "same"}), ("7S", {"higher", "lower"}), ("KS", {"lower", "same"})]
)
def test_the_choices_are_the_guesses_on_offer_and_the_cash_out(first, offered):
    assert {action.type for action in legal_actions(GAME, start(first))} == offered | {"cash_out"}


def test_nothing_can_be_done_once_the_session_is_over():
    for match in (play(start(), "higher 2S"), play(start(), "cash_out")):
        for word in (*GUESSES, "cash_out"):
            assert KIT.refusal(match, act(word)) == "finished"


def test_nothing_is_lit_in_hi_lo():
    assert house.generate_super_multipliers(GAME, SEED, 7) == ()
    assert play(start(super_mode=True), "higher 9S", "cash_out").game.lit == ()


# Sessions, bytes and chips.


def test_a_guess_that_is_not_offered_is_no_move():
    with pytest.raises(house.GameError) as no:
        house.process_game_move(KIT.opened(100, rng=card("KS")), bytes.fromhex("0100"))
    assert (no.value.kind, no.value.reason) == (house.ErrorKind.INVALID_MOVE, "guess_not_offered")


@pytest.mark.parametrize(
    ("first", "steps", "expected"),
    [
        ("7S", "0100 9S, 0102", [house.Continue(), house.Win(197)]),
        ("7S", "0101 9S", [house.Loss()]),
        ("7S", "0100 7H, 0102", [house.Continue(), house.Push(100)]),
        ("KS", "0103 KD, 0101 2D, 0101 3D", [house.Continue(), house.Continue(), house.Loss()]),
        ("7S", "0102", [house.Push(100)]),
        ("AS", ", ".join(["0103 AD"] * 5), [house.Continue()] * 4 + [house.Win(100 + 24_883_100 * 97 // 100)]),
    ],
)
def test_results_tell_what_each_move_did_to_the_money(first, steps, expected):
    moves = [(bytes.fromhex(step[:4]), card(step[5:]) if step[5:] else None) for step in steps.split(", ")]

    assert KIT.results(moves, 100, rng=card(first)) == expected


def test_chips_are_conserved_over_plain_and_super_sessions():
    """An action that cannot be taken is refused, and the next one tried."""
    ended = KIT.sessions(60, lambda _: [act("higher"), act("lower"), act("cash_out")], stake=5)
    assert sum(state.money.returned - state.money.staked - state.money.fees for state in ended) != 0


# Around the table.


def test_bots_guess_the_likelier_side_and_stop_where_they_say():
    assert list(GAME.bots) == [*POLICIES, "best"]
    match = play(start("9S"), "lower 3S", "higher 3D")  # two guesses, one of them right

    assert KIT.chosen(match) == {
        "cash_out_at_once": "cash_out",
        "one_guess": "cash_out",
        "three_guesses": "higher",
        "streak_1": "cash_out",
        "streak_3": "higher",
        "streak_5": "higher",
        "patient": "higher",
        "best": "cash_out",
    }


def test_odds_have_a_row_for_every_policy_that_is_no_better_than_another():
    policies = ["one_guess", "three_guesses", "streak_1", "streak_3", "streak_5", "best"]
    assert [row.policy for row in GAME.odds() if row.bet == "stake"] == policies
    assert [row.policy for row in GAME.super_odds()] == policies
    assert house.make_table(5, GAME, {"commission_bps": 500}).stake_max == 1_000


def test_the_table_shows_the_card_the_pot_and_what_is_on_offer():
    assert KIT.rendered(play(start("5S"), "higher KH")) == [
        "  ╭───────╮",
        "  │ [bold red]K    [/] │   [default]5♠[/] [cyan]▲[/cyan]",
        "  │   [bold red]♥[/]   │   the pot is [bold]×1.5[/bold] (1 right)",
        "  │ [bold red]    K[/] │   a cash-out pays [bold green]148[/bold green]"
        "[dim] after 3 % commission on the profit[/dim]",
        "  ╰───────╯",
        "  [cyan]▼[/cyan] lower          ×1  [dim]with 12 of 13 ranks[/dim]",
        "  [cyan]=[/cyan] same          ×12  [dim]with 1 of 13 ranks[/dim]",
        "  [dim]after higher or lower an equal rank leaves the pot as it is[/dim]",
        "  stake                     100  [dim]open[/dim]",
    ]


def test_the_table_shows_how_a_session_ended():
    lost, cashed = (
        KIT.rendered(play(start("5S"), "higher 3H")),
        KIT.rendered(play(start("5S"), "higher KH", "cash_out")),
    )

    assert lost[2] == "  │   [bold red]♥[/]   │   [bold red]higher was wrong[/bold red] after 0 right"
    assert lost[-1] == "  stake                     100  [red]returned 0[/red]"
    assert cashed[2] == "  │   [bold red]♥[/]   │   cashed out at [bold]×1.5[/bold] (1 right)"
    assert cashed[-1] == "  stake                     100  [green]returned 148[/green]"


def test_a_long_run_fits_eighty_columns():
    match = play(start("7S", 100_000, super_mode=True), *("higher 10D", "lower 7D") * 6)
    shown = KIT.shown(match)

    assert shown[1] == "  │ 7     │   … 7♦ ▲ 10♦ ▼ 7♦ ▲ 10♦ ▼ 7♦ ▲ 10♦ ▼ 7♦ ▲ 10♦ ▼ 7♦ ▲ 10♦ ▼"
    assert max(map(len, shown)) <= 80
