"""Errors of the simulator: a way to hash that is not here, and code outside the numeric subset.

Both are a `CroupierError`:

    CroupierError
    ├── BadHashPath (ValueError)    a way to hash that croupier does not know, or that this processor lacks
    └── NotNumeric (TypeError)      a function is outside the numeric subset, so compiling it could change its results
"""

from __future__ import annotations

from croupier.errors import CroupierError


class BadHashPath(CroupierError, ValueError):
    """A way to hash that croupier does not know, or that this processor lacks."""

    code = "bad_hash_path"


class NotNumeric(CroupierError, TypeError):
    """A function is outside the numeric subset, so compiling it could change its results."""

    code = "not_numeric"
