"""Dice that nobody can steer: commit and reveal among people who do not trust each other, or the table.

Everyone locks in the hash of a secret before any secret is opened, the bank opens last, and the seed of the next move
follows from all secrets together. If one contributor is honest, nobody chose it. `DiceHost` is the table's side,
`Contributor` a player's, `verify_transcript` anyone's; all three run the same machine, `step`.
"""

from croupier.fairness.dice.answers import Rolled
from croupier.fairness.dice.book import Book
from croupier.fairness.dice.chain import HashChain
from croupier.fairness.dice.contributor import Contributor
from croupier.fairness.dice.forfeits import share
from croupier.fairness.dice.host import Answer, DiceHost
from croupier.fairness.dice.machine import step
from croupier.fairness.dice.messages import Bet, Event, Reveal, Roll, Stakes
from croupier.fairness.dice.signing import Ed25519Signer, Ed25519Verifier, MissingExtra, Signer, Verifier
from croupier.fairness.dice.table import DiceTable, open_table
from croupier.fairness.dice.terms import Terms
from croupier.fairness.dice.transcript import make_transcript, read_transcript, write_transcript
from croupier.fairness.dice.verifying import TranscriptVerdict, record_problem, verify_transcript

__all__ = [
    "Answer",
    "Bet",
    "Book",
    "Contributor",
    "DiceHost",
    "DiceTable",
    "Ed25519Signer",
    "Ed25519Verifier",
    "Event",
    "HashChain",
    "MissingExtra",
    "Reveal",
    "Roll",
    "Rolled",
    "Signer",
    "Stakes",
    "Terms",
    "TranscriptVerdict",
    "Verifier",
    "make_transcript",
    "open_table",
    "read_transcript",
    "record_problem",
    "share",
    "step",
    "verify_transcript",
    "write_transcript",
]
