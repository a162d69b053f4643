"""Dice that nobody can steer: commit and reveal among people who do not trust each other, or the table.

Everyone locks in the hash of a secret before any secret is opened, the bank opens last, and the seed of the next move
follows from all secrets together. If one contributor is honest, nobody chose it. `DiceHost` is the table's side,
`Contributor` a player's, `verify_transcript` anyone's; all three run the same machine, `step`.
"""

from croupier.fairness.dice.answers import MALFORMED, Dropped, Movement, Rolled, Step
from croupier.fairness.dice.book import Book
from croupier.fairness.dice.chain import HashChain, fits_chain
from croupier.fairness.dice.contributor import Complaint, Contributor, Kept, Reply
from croupier.fairness.dice.encoding import live_bet
from croupier.fairness.dice.failures import FAILURES, proof_problem
from croupier.fairness.dice.forfeits import share
from croupier.fairness.dice.host import Answer, DiceHost
from croupier.fairness.dice.machine import step
from croupier.fairness.dice.messages import (
    Ack,
    Bet,
    Close,
    Commit,
    End,
    Equivocation,
    Event,
    Join,
    Leave,
    Lock,
    Message,
    Objection,
    Open,
    Position,
    Reveal,
    Roll,
    Silence,
    Stakes,
    Void,
    read_message,
    write_message,
)
from croupier.fairness.dice.signing import Ed25519Signer, Ed25519Verifier, MissingExtra, Signer, Verifier
from croupier.fairness.dice.table import DiceTable, Round, Sealed, Seat, open_table
from croupier.fairness.dice.terms import Terms, game_id_of, read_terms, write_terms
from croupier.fairness.dice.transcript import (
    TRANSCRIPT_SCHEMA,
    Entry,
    Transcript,
    is_transcript,
    make_transcript,
    read_transcript,
    write_transcript,
)
from croupier.fairness.dice.verifying import (
    Recorded,
    TranscriptCheck,
    TranscriptVerdict,
    record_problem,
    verify_transcript,
)

__all__ = [
    "FAILURES",
    "MALFORMED",
    "TRANSCRIPT_SCHEMA",
    "Ack",
    "Answer",
    "Bet",
    "Book",
    "Close",
    "Commit",
    "Complaint",
    "Contributor",
    "DiceHost",
    "DiceTable",
    "Dropped",
    "Ed25519Signer",
    "Ed25519Verifier",
    "End",
    "Entry",
    "Equivocation",
    "Event",
    "HashChain",
    "Join",
    "Kept",
    "Leave",
    "Lock",
    "Message",
    "MissingExtra",
    "Movement",
    "Objection",
    "Open",
    "Position",
    "Recorded",
    "Reply",
    "Reveal",
    "Roll",
    "Rolled",
    "Round",
    "Sealed",
    "Seat",
    "Signer",
    "Silence",
    "Stakes",
    "Step",
    "Terms",
    "Transcript",
    "TranscriptCheck",
    "TranscriptVerdict",
    "Verifier",
    "Void",
    "fits_chain",
    "game_id_of",
    "is_transcript",
    "live_bet",
    "make_transcript",
    "open_table",
    "proof_problem",
    "read_message",
    "read_terms",
    "read_transcript",
    "record_problem",
    "share",
    "step",
    "verify_transcript",
    "write_message",
    "write_terms",
    "write_transcript",
]
