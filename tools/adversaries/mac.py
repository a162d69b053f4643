"""Signatures for simulations: a shared key, fast, and worth nothing to anybody else.

Whoever can check such a signature can forge it. `verify_transcript` therefore takes no file of this scheme unless it is
handed the verifier, and no real table should.
"""

from __future__ import annotations

from hashlib import blake2b, sha256
from hmac import compare_digest


class MacSigner:
    """Signs with a key that everyone shares; its own "public key" is the hash of its name.

    >>> MacSigner("ann").key[:16], MacVerifier().verify(bytes(32), b"", bytes(64))
    ('49915e0d7d4b402e', False)
    """

    def __init__(self, name: str, shared: bytes = b"shared") -> None:
        self.key = sha256(name.encode()).hexdigest()
        self._own = bytes.fromhex(self.key)
        self._shared = shared

    def sign(self, message: bytes) -> bytes:
        """Return 64 bytes that the verifier with the same shared key takes for a signature."""
        return _mac(self._shared, self._own, message)


class MacVerifier:
    """Checks the signatures of `MacSigner`."""

    scheme = "test-mac"

    def __init__(self, shared: bytes = b"shared") -> None:
        self._shared = shared

    def verify(self, key: bytes, message: bytes, signature: bytes) -> bool:
        """Tell whether somebody with the shared key signed for that key."""
        return compare_digest(_mac(self._shared, key, message), signature)


def _mac(shared: bytes, key: bytes, message: bytes) -> bytes:
    return blake2b(key + message, key=shared, digest_size=64).digest()
