"""The registry of games: registered and unregistered, installed by any package, and none that hides another."""

from importlib.metadata import EntryPoint

import pytest

from croupier.engine import get_game, list_games, register_game, registry
from croupier.engine.registry import has_game, unregister_game
from croupier.errors import BadGame, UnknownGame
from tests.unit.engine.counting import Counting


class Solo(Counting):
    id = "solo"


class Double(Solo):
    id = "double"


class Demanding(Solo):
    id = "demanding"

    def __init__(self, colour):
        self.colour = colour


class NotAGame:
    id = "not-a-game"


def broken():
    raise RuntimeError("this package is broken")


@pytest.fixture
def installed(monkeypatch):
    """Return a function that makes these entry points the installed ones, by name and value."""

    def install(*points: tuple[str, str]) -> None:
        found = [EntryPoint(name, value, "croupier.games") for name, value in points]
        monkeypatch.setattr("importlib.metadata.entry_points", lambda **wanted: found)
        clear()

    def clear() -> None:
        for function in vars(registry).values():
            if hasattr(function, "cache_clear"):
                function.cache_clear()

    clear()
    yield install
    monkeypatch.undo()
    clear()


HERE = __name__


def test_a_registered_game_is_found_listed_and_taken_out_again(installed):
    installed()
    register_game(Solo())
    try:
        assert has_game("solo")
        assert isinstance(get_game("solo"), Solo)
        assert list_games() == ("solo",)
    finally:
        unregister_game("solo")
    assert not has_game("solo")
    assert list_games() == ()
    unregister_game("solo")  # harmless


def test_an_id_that_is_taken_cannot_be_registered_again(installed):
    installed(("double", f"{HERE}:Double"))
    register_game(Solo())
    try:
        for game in (Solo(), Double()):
            with pytest.raises(BadGame, match=f"a game with the id '{game.id}' already"):
                register_game(game)
    finally:
        unregister_game("solo")


@pytest.mark.parametrize("game", [Solo, NotAGame(), None, "solo"], ids=["a class", "an object", "None", "text"])
def test_only_games_can_be_registered(installed, game):
    installed()
    with pytest.raises(BadGame, match="takes a game"):
        register_game(game)


@pytest.mark.parametrize("game_id", ["nowhere", "", "SOLO", "solo ", None, 5, [], {}, b"solo", ("solo",)], ids=repr)
def test_a_game_that_is_not_there_is_an_unknown_game(installed, game_id):
    installed(("solo", f"{HERE}:Solo"))

    with pytest.raises(UnknownGame, match="there are solo") as caught:
        get_game(game_id)

    assert isinstance(caught.value, LookupError)
    assert not has_game(game_id)


def test_games_are_listed_in_order_and_loaded_when_first_asked_for(installed):
    installed(("solo", f"{HERE}:Solo"), ("double", f"{HERE}:Double"), ("absent", "no_such_package:Game"))

    assert list_games() == ("absent", "double", "solo")
    assert isinstance(get_game("double"), Double)
    assert get_game("double") is get_game("double")


@pytest.mark.parametrize(
    "value",
    [
        "no_such_package:Game",
        f"{HERE}:NoSuchClass",
        f"{HERE}:broken",
        f"{HERE}:NotAGame",
        f"{HERE}:Demanding",
        f"{HERE}:HERE",
        f"{HERE}:Double",  # a game, but of another id
        f"{HERE}",
        "builtins:dict",
    ],
)
def test_a_broken_package_is_an_error_of_its_own_and_hides_no_other(installed, value):
    installed(("broken", value), ("solo", f"{HERE}:Solo"))

    assert has_game("broken")
    assert isinstance(get_game("solo"), Solo)
    with pytest.raises(BadGame, match="'broken'"):
        get_game("broken")
    assert isinstance(get_game("solo"), Solo)
    assert list_games() == ("broken", "solo")


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("impostor", ["evil:ShutTheBox", "croupier_evil:ShutTheBox", "croupierx.games:ShutTheBox"])
def test_no_package_can_take_the_place_of_a_game_of_ours(installed, first, impostor):
    own = ("shut-the-box", "croupier.games.shut_the_box:ShutTheBox")
    points = [(own[0], impostor), own] if first else [own, (own[0], impostor)]
    installed(*points)

    assert type(get_game("shut-the-box")).__module__ == "croupier.games.shut_the_box.game"


def test_a_registered_game_does_not_shadow_one_of_ours(installed):
    installed(("shut-the-box", "croupier.games.shut_the_box:ShutTheBox"))

    class Impostor(Solo):
        id = "shut-the-box"

    with pytest.raises(BadGame, match="already"):
        register_game(Impostor())
