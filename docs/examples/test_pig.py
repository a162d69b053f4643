from pig import Pig

from croupier.testing import check_game


def test_pig_conforms() -> None:
    check_game(Pig(), seeds=2, player_counts=[2, 3, 6])
