"""File descriptor limits: how many connections a process may have by the system, whatever a shell sets."""

from __future__ import annotations

from contextlib import suppress


def allow_many_files() -> int:
    """Let this process open as many files as it may ask for, and return how many; 0 where nobody can tell.

    A shell often allows 1,024, of which every live connection takes one. What may be asked for is the operator's to set
    (`ulimit -Hn`, `LimitNOFILE=`).
    """
    try:
        import resource
    except ImportError:  # not on Windows
        return 0
    low, high = resource.getrlimit(resource.RLIMIT_NOFILE)
    if low == high:  # nothing is asked for, which a guarded process might not even be allowed to
        return low
    with suppress(ValueError, OSError):  # some systems name a limit that they do not grant
        resource.setrlimit(resource.RLIMIT_NOFILE, (high, high))
        return high
    return low
