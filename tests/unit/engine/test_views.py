"""Views and logs of each viewer: no seed, no stream, no secrets of others, and nothing that tells them."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct, structs

from croupier.engine import (
    Action,
    LogEntry,
    Match,
    MatchClient,
    MatchView,
    act,
    apply_action,
    canonical,
    create_match,
    legal_actions,
    state_digest,
    view_for,
)
from croupier.engine.views import imagine, log_for
from croupier.errors import BadPlayers, WrongMatch
from croupier.rng import GameRng
from tests.unit.engine.counting import over

SEED = b"the seed is the secret of a match"


def played(game, steps, seed=SEED, players=("a", "b")):
    """Return a client after so many steps, each the one that the number picks from the legal actions."""
    client = MatchClient(game, create_match(game, players, seed=seed))
    for step in steps:
        match = client.get_state()
        everyone = [chosen for player in match.turn.order for chosen in legal_actions(game, match, player)]
        if not everyone:
            break
        client.dispatch(everyone[step % len(everyone)])
    return client


steps = st.lists(st.integers(0, 50), max_size=8)


@pytest.mark.parametrize("viewer", ["a", "b", None])
def test_a_view_has_the_facts_of_the_match_and_neither_seed_nor_stream(any_game, viewer):
    match = played(any_game, [0, 0]).get_state()

    view = view_for(any_game, match, viewer)

    assert view.viewer == viewer
    for fact in ("match_id", "game_id", "rules_version", "options", "players", "status", "turn", "result", "version"):
        assert getattr(view, fact) == getattr(match, fact)
    assert set(MatchView.__struct_fields__) == set(Match.__struct_fields__) - {"rng_state", "updated_at"} | {"viewer"}
    assert SEED.hex().encode() not in canonical(view)


@given(steps=steps, deal=st.integers(0, 1_000), viewer=st.sampled_from(["a", "b", None]))
def test_states_that_differ_in_secrets_alone_give_the_same_view(hands, steps, deal, viewer):
    match = played(hands, steps).get_state()

    other = hands.redeal(match.game, viewer, GameRng.new(b"redeal", 0, deal))
    view = view_for(hands, match, viewer)
    twin = view_for(hands, structs.replace(match, game=other), viewer)

    assert twin == view
    assert canonical(twin) == canonical(view)
    # The deal is a deal: every card once.
    places = (*other.hands, other.deck, *other.buried, other.pile)
    assert sorted(card for place in places for card in place) == list(range(12))


@given(steps=steps, viewer=st.sampled_from(["a", "b", None]))
def test_the_length_of_a_view_tells_nothing(hands, steps, viewer):
    """Ten and eleven are longer to write than three: a stand-in must not show it."""
    match = played(hands, steps).get_state()
    lengths = set()
    for deal in range(8):
        other = hands.redeal(match.game, viewer, GameRng.new(b"lengths", 0, deal))
        lengths.add(len(canonical(view_for(hands, structs.replace(match, game=other), viewer))))

    assert len(lengths) == 1


def test_hidden_cards_are_stand_ins_that_keep_the_count(hands, start):
    match = start(hands)

    view = view_for(hands, match, "a")

    assert view.game.hands == (match.game.hands[0], (-1, -1, -1))
    assert view.game.deck == (-1,) * 6
    spectator = view_for(hands, match)
    assert spectator.game.hands == ((-1, -1, -1), (-1, -1, -1))
    assert spectator == view_for(hands, match, None)


@pytest.mark.parametrize("viewer", ["c", "", "A", 5])
def test_a_stranger_has_no_view(hands, start, viewer):
    match = start(hands)

    with pytest.raises(BadPlayers, match="not seated"):
        view_for(hands, match, viewer)
    with pytest.raises(BadPlayers, match="not seated"):
        log_for(hands, match, (), viewer)


def test_a_player_who_left_may_still_look(cafe, start, accept):
    match = accept(cafe, start(cafe, ["a", "b", "c"]), Action("leave", {}, "c"))

    assert view_for(cafe, match, "c").viewer == "c"


def test_a_match_of_another_game_is_the_callers_mistake(hands, rps, pig, start):
    for game in (hands, pig):
        with pytest.raises(WrongMatch):
            view_for(game, start(rps), "a")


def test_a_view_of_a_plain_state_is_a_copy(careless, start):
    """A bot that writes into what it was shown must not write into the match."""
    match = start(careless)
    before = state_digest(match)

    for viewer in ("a", None):
        view = view_for(careless, match, viewer)
        view.game["pile"].append("mine")
        imagined = imagine(careless, view, GameRng.new(b"", 0, 0))
        imagined.game["pile"].append("thine")
        assert view.game["pile"][-1] == "mine"

    assert state_digest(match) == before


def test_a_view_is_frozen(hands, start):
    view: Any = view_for(hands, start(hands), "a")

    with pytest.raises(AttributeError):
        view.version = 5


# Logs.


def test_a_secret_payload_is_hidden_from_all_others_until_the_end(rps, start):
    client = MatchClient(rps, start(rps))
    client.dispatch(Action("throw", {"hand": "rock"}, "a"))

    def shown(viewer):
        return [entry.action for entry in client.get_log(viewer, everything=False)]

    assert shown("a") == [Action("throw", {"hand": "rock"}, "a")]
    assert shown("b") == shown(None) == [Action("throw", {}, "a")]

    client.dispatch(Action("throw", {"hand": "paper"}, "b"))

    everything = [Action("throw", {"hand": "rock"}, "a"), Action("throw", {"hand": "paper"}, "b")]
    assert client.get_state().status == "finished"
    assert shown("a") == shown("b") == shown(None) == everything


def test_a_log_has_no_seeds_of_the_host(pig, start):
    client = MatchClient(pig, start(pig))
    client.dispatch(act("roll"), seed=b"beacon", now=5)

    (entry,) = client.get_log(everything=False)

    assert entry == LogEntry(Action("roll", {}, "a"), 1, 5, True)
    assert client.get_log()[0].seed == b"beacon".hex()


def test_public_payloads_stay_in_every_log(hands, start):
    client = MatchClient(hands, start(hands))
    card = client.get_state().game.hands[0][0]
    client.dispatch(act("play", card=card))
    client.dispatch(act("bury", card=client.get_state().game.hands[1][0]))

    assert [entry.action.payload for entry in client.get_log("a", everything=False)] == [{"card": card}, {}]


def test_a_line_of_the_log_names_the_player_and_what_was_done_unless_it_is_secret(tictactoe, rps):
    marked = (tictactoe, act("mark", cell=4), "Ann: mark cell=4")
    for game, asked, line in (marked, (rps, act("throw", hand="rock"), "Ann: throw")):
        match = create_match(game, [{"id": "a", "name": "Ann"}, "b"], seed=b"")
        answer: Any = apply_action(game, match, asked)

        assert game.describe(answer.action, match, answer.state) == line
        assert game.is_secret(answer.action) == (game is rps)
    assert not rps.is_secret(act("fly"))


# Imagined matches.


@given(steps=steps, deal=st.integers(0, 1_000), viewer=st.sampled_from(["a", "b"]))
def test_an_imagined_match_looks_the_same_to_the_viewer_and_can_be_played(hands, steps, deal, viewer):
    match = played(hands, steps).get_state()
    view = view_for(hands, match, viewer)

    imagined = imagine(hands, view, GameRng.new(b"imagine", 0, deal))

    assert view_for(hands, imagined, viewer) == view
    assert imagined.rng_state.seed != match.rng_state.seed
    for chosen in legal_actions(hands, imagined):
        assert apply_action(hands, imagined, chosen).ok


@given(steps=steps, viewer=st.sampled_from(["a", "b"]))
def test_an_imagined_match_is_made_from_the_view_alone(hands, steps, viewer):
    """Two worlds with the same view give the same imagination, draw for draw."""
    match = played(hands, steps).get_state()
    other = structs.replace(match, game=hands.redeal(match.game, viewer, GameRng.new(b"other", 0, 0)))
    views = [view_for(hands, world, viewer) for world in (match, other)]

    first, second = (imagine(hands, view, GameRng.new(b"same", 0, 0)) for view in views)

    assert first == second


def test_imagined_chance_is_made_up_anew_each_time(pig, start):
    view = view_for(pig, start(pig), "a")

    seeds = {imagine(pig, view, GameRng.new(b"", 0, number)).rng_state.seed for number in range(10)}

    assert len(seeds) == 10
    assert all(len(bytes.fromhex(seed)) == 32 for seed in seeds)


# Text.


class Sign(Struct, frozen=True):
    text: str = "[/nothing] [bold]x"


SignGame = over(Sign, Sign())


def test_the_plain_rendering_of_a_view_is_markup_that_a_terminal_can_show():
    """Square brackets in a state are text, not tags: what a player typed must not break the page."""
    text = pytest.importorskip("rich.text")
    view = view_for(SignGame(), create_match(SignGame(), ["a"], seed=b""))

    shown = text.Text.from_markup(SignGame().render(view)).plain

    assert "[/nothing] [bold]x" in shown
