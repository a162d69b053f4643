"""Provably fair seeds: where they come from, and how anyone can check that nobody chose them.

`SeedPair` is the scheme for one player against a host: the host commits to a seed, the player adds one, and the seed of
the match follows from both. `croupier.fairness.dice` is the one for a table of several who do not trust each other;
those who need it import it.
"""

from croupier.fairness.seeds import SeedPair, commitment_to, derive

__all__ = [
    "SeedPair",
    "commitment_to",
    "derive",
]
