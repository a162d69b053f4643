"""Ed25519 signatures behind a small interface: a signer has a key, a verifier knows the scheme.

A key is 32 bytes and is the player's identity at the table; it travels as 64 digits of hex. The scheme of real tables
is Ed25519 from the `cryptography` package, which comes with the extra `[fair]` and is imported only when it is used.
A scheme with a shared key is no substitute, since everyone who can check could forge; tests have one all the
same, for its speed.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Protocol

from croupier.errors import BadSeed, CroupierError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric import ed25519

KEY_LENGTH = 32
SIGNATURE_LENGTH = 64

# Points whose order divides 8, by their second coordinate. Under such a key anyone can make signatures that hold.
_FIELD = 2**255 - 19
_Y8 = 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826
_WEAK = frozenset({0, 1, _FIELD - 1, _Y8, _FIELD - _Y8})


class MissingExtra(CroupierError, ImportError):
    """A part of croupier was used whose extra is not installed; the sentence names it."""

    code = "missing_extra"


class Signer(Protocol):
    """Somebody who can sign. `key` is the public key in hex."""

    @property
    def key(self) -> str:
        """The public key, 64 digits of hex."""

    def sign(self, message: bytes) -> bytes:
        """Return a signature of 64 bytes."""


class Verifier(Protocol):
    """Somebody who can check signatures of one scheme."""

    @property
    def scheme(self) -> str:
        """The name of the scheme, as the terms of a table give it."""

    def verify(self, key: bytes, message: bytes, signature: bytes) -> bool:
        """Tell whether the owner of the key signed the message. Never raises."""


class Ed25519Signer:
    """Signs with Ed25519. The secret key is any 32 bytes from the operating system's generator; it is not shown.

    >>> Ed25519Signer(bytes(32)).key
    '3b6a27bcceb6a42d62a3a8d02a6f0d73653215771de243a63ac048a18b59da29'
    """

    def __init__(self, secret_key: bytes) -> None:
        if not isinstance(secret_key, bytes) or len(secret_key) != KEY_LENGTH:
            raise BadSeed(f"a secret key is {KEY_LENGTH} random bytes")
        self._private = _ed25519().Ed25519PrivateKey.from_private_bytes(secret_key)
        self.key: str = self._private.public_key().public_bytes_raw().hex()

    def sign(self, message: bytes) -> bytes:
        """Return the signature; the same message has the same one every time."""
        return bytes(self._private.sign(message))

    def __repr__(self) -> str:
        return f"<Ed25519Signer {self.key[:16]}…>"


class Ed25519Verifier:
    """Checks Ed25519 signatures. A key under which anyone could sign belongs to nobody: nothing holds under it."""

    scheme = "ed25519"

    def __init__(self) -> None:
        _ed25519()  # now, and not at the first message

    def verify(self, key: bytes, message: bytes, signature: bytes) -> bool:
        """Tell whether the owner of the key signed the message."""
        public = _public_key(key)
        if public is None:
            return False
        try:
            public.verify(signature, message)
        except Exception:  # InvalidSignature; whatever else is wrong with the bytes is no signature either
            return False
        return True


@lru_cache(maxsize=1024)
def _public_key(key: bytes) -> ed25519.Ed25519PublicKey | None:
    if len(key) != KEY_LENGTH or (int.from_bytes(key, "little") & 2**255 - 1) % _FIELD in _WEAK:
        return None
    try:
        public: ed25519.Ed25519PublicKey = _ed25519().Ed25519PublicKey.from_public_bytes(key)
    except ValueError:
        return None
    return public


def _ed25519() -> Any:
    try:
        from cryptography.hazmat.primitives.asymmetric import ed25519
    except ImportError as error:
        raise MissingExtra("Ed25519 signatures need the extra [fair]: pip install 'croupier[fair]'") from error
    return ed25519
