"""Adversaries at a table of shared dice: a network in memory, the tricks people try, and what they gain by them.

>>> from tools.adversaries import SCENARIOS, simulate
>>> tally = simulate(SCENARIOS["withholder"], 60)
>>> tally.bought_count == tally.forfeited > 30  # five rolls in six look bad without the bank's secret; each costs a fee
True
"""

from tools.adversaries.mac import MacSigner, MacVerifier
from tools.adversaries.network import Network, Outcome, Player, Sent
from tools.adversaries.roles import Role
from tools.adversaries.simulation import SCENARIOS, Scenario, Stage, Tally, simulate

__all__ = [
    "SCENARIOS",
    "MacSigner",
    "MacVerifier",
    "Network",
    "Outcome",
    "Player",
    "Role",
    "Scenario",
    "Sent",
    "Stage",
    "Tally",
    "simulate",
]
