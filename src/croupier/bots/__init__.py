"""Bots that play any game: each sees the view of its own seat, and draws from a stream of its own.

random_bot, first_bot                need nothing but the legal actions
greedy, monte_carlo, expectimax,     think about the game they are made for, on matches imagined from the view
tree_search
Thinking                             how long monte_carlo and tree_search think: playouts, actions, a host's clock
find_bot, bot_names                  bots by name, a game's own first
bot_action, pick_bot_action          one decision of a bot
play_out, simulate                   whole matches, one or many
run_arena                            every bot against every other, who is better and how sure that is
next_to_act, last_asked              whom to ask next, for hosts that run matches themselves
"""

from croupier.bots.arena import run_arena
from croupier.bots.choosing import bot_names, find_bot
from croupier.bots.play import play_out
from croupier.bots.playouts import monte_carlo
from croupier.bots.search import expectimax, greedy
from croupier.bots.simple import random_bot
from croupier.bots.simulation import simulate
from croupier.bots.thinking import Thinking
from croupier.bots.tree import tree_search

__all__ = [
    "Thinking",
    "bot_names",
    "expectimax",
    "find_bot",
    "greedy",
    "monte_carlo",
    "play_out",
    "random_bot",
    "run_arena",
    "simulate",
    "tree_search",
]
