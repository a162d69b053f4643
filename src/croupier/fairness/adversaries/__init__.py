"""Adversaries at a table of shared dice: a network in memory, the tricks people try, and what they gain by them.

>>> from croupier.fairness.adversaries import SCENARIOS, simulate
>>> tally = simulate(SCENARIOS["withholder"], 60)
>>> tally.bought_count == tally.forfeited > 30  # five rolls in six look bad without the bank's secret; each costs a fee
True
"""

from croupier.fairness.adversaries.mac import MacSigner, MacVerifier
from croupier.fairness.adversaries.network import Network, Outcome, Player, Sent
from croupier.fairness.adversaries.roles import Role
from croupier.fairness.adversaries.simulation import SCENARIOS, Scenario, Stage, Tally, simulate

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
