"""Players that work for any game: each sees the view of its own seat, and draws from a stream of its own.

random_bot, first_bot                need nothing but the legal actions
greedy, monte_carlo, expectimax      think about the game they are made for, on matches imagined from the view
find_bot, bot_names                  bots by name, a game's own first
bot_action, pick_bot_action          one decision of a bot
play_out, simulate                   whole matches, one or many
run_arena                            every bot against every other, who is better and how sure that is
next_to_act, last_asked              whom to ask next, for hosts that run matches themselves
"""

from croupier.bots.arena import Arena, Pairing, run_arena
from croupier.bots.choosing import bot_action, bot_names, bot_stream, find_bot, pick_bot_action
from croupier.bots.errors import NoEnd, UnknownBot
from croupier.bots.play import play_out
from croupier.bots.playouts import monte_carlo, playout_values
from croupier.bots.search import Budget, action_values, expectimax, greedy
from croupier.bots.simple import first_bot, random_bot
from croupier.bots.simulation import BotSummary, Summary, simulate, simulated_match, wilson_interval
from croupier.bots.turn_order import last_asked, next_to_act
from croupier.bots.values import Number, Value, score, usual_value, win_share

__all__ = [
    "Arena",
    "BotSummary",
    "Budget",
    "NoEnd",
    "Number",
    "Pairing",
    "Summary",
    "UnknownBot",
    "Value",
    "action_values",
    "bot_action",
    "bot_names",
    "bot_stream",
    "expectimax",
    "find_bot",
    "first_bot",
    "greedy",
    "last_asked",
    "monte_carlo",
    "next_to_act",
    "pick_bot_action",
    "play_out",
    "playout_values",
    "random_bot",
    "run_arena",
    "score",
    "simulate",
    "simulated_match",
    "usual_value",
    "wilson_interval",
    "win_share",
]
