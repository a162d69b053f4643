"""ABCI 2.0 over CometBFT's socket protocol, for applications in Python; needs nothing else of croupier."""

from croupier.chain.abci.protobuf import BadMessage, Message
from croupier.chain.abci.server import Application, serve

__all__ = ["Application", "BadMessage", "Message", "serve"]
