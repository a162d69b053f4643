"""Shared dice: a commit-reveal protocol among people who do not trust each other, or the table.

Everyone locks in the hash of a secret before any secret is opened, the bank opens last, and the seed of the next move
follows from all secrets together. If one contributor is honest, nobody chose the seed. `DiceHost` is the table's side,
`Contributor` a player's, `verify_transcript` anyone's; all three run the same machine, `step`.
"""

from croupier.fairness.dice.answers import Rolled
from croupier.fairness.dice.chain import HashChain
from croupier.fairness.dice.contributor import Contributor
from croupier.fairness.dice.host import DiceHost
from croupier.fairness.dice.messages import Event, Reveal, Stakes
from croupier.fairness.dice.rounds import EntropyContribution
from croupier.fairness.dice.terms import Terms
from croupier.fairness.dice.transcript import read_transcript, write_transcript
from croupier.fairness.dice.verifying import verify_transcript
from croupier.fairness.signing import Ed25519Signer, Ed25519Verifier

__all__ = [
    "Contributor",
    "DiceHost",
    "Ed25519Signer",
    "Ed25519Verifier",
    "EntropyContribution",
    "Event",
    "HashChain",
    "Reveal",
    "Rolled",
    "Stakes",
    "Terms",
    "read_transcript",
    "verify_transcript",
    "write_transcript",
]
