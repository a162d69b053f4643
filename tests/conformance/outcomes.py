"""Digests of rounds and records: for every case of `tests/vectors/outcomes`, worked out by playing it again.

A case is what `make_job` takes, written as JSON, and the first session id. Rounds are played by the compiled kernel
where the case has one, else by the engine.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from croupier.engine import MatchClient, get_game, make_record, view_for, write_record
from croupier.engine.plain import canonical
from croupier.house.plan import Plan
from croupier.rounds import FEES, PRIVATE, RETURNED, STAKED
from croupier.sim.engine_rounds import play_account, play_client
from croupier.sim.jobs import Job, make_job
from croupier.sim.simulate import bonuses, play_rounds

Case = dict[str, Any]

VECTORS = Path(__file__).parents[1] / "vectors" / "outcomes"
AT_ONCE = 5_000  # rows in memory
RECORDS = 200


def read_vectors(name: str) -> list[Case]:
    """Return the cases of a file of vectors."""
    found: list[Case] = msgspec.json.decode((VECTORS / f"{name}.json").read_bytes())["cases"]
    return found


def job_of(case: Case) -> Job:
    """Return the job that a case describes."""
    return make_job(
        get_game(case["game"]),
        case.get("bets"),
        case.get("policy", ""),
        bytes.fromhex(case["seed"]),
        options=case.get("options"),
        super_mode=case.get("super", False),
        strategy=case.get("strategy"),
        bots=case.get("bots", ()),
    )


def name_of(case: Case) -> str:
    """Return a name of a case for people: its game, who plays, the bets, the options and the mode."""
    who = "own strategy" if "strategy" in case else "+".join(case.get("bots", ())) or case["policy"] or "no choice"
    options = canonical(case.get("options") or {}).decode()
    bets = "+".join(case.get("bets", ())) or "any bets"
    return f"{case['game']}, {who}, {bets}, {options}, {'super' if case.get('super') else 'plain'}"


# Rounds.


Part = tuple[int, bytes, list[int]]
"""How many rounds were played, the bytes of their rows, and sums over them."""


def digests_of_rounds(case: Case, counts: Sequence[int]) -> dict[str, list[Any]]:
    """Return a digest of the first so many rounds of a case and sums over them, for each of the counts, which ascend.

    The sums are chips staked, returned and paid as fees; where a kernel plays, also what a shield and a double would
    have added. Between players they are the scores.
    """
    job = job_of(case)
    plan = job.kernel_plan()
    parts = _engine_parts(job, case, counts[-1]) if plan is None else _kernel_parts(job, plan, case, counts)
    found: dict[str, list[Any]] = {}
    digest, done, totals = sha256(), 0, [0] * 5
    for size, data, sums in parts:
        digest.update(data)
        done += size
        totals = [total + more for total, more in zip(totals, sums, strict=False)]
        if done in counts:
            found[str(done)] = [digest.hexdigest()[:16], *totals]
    return found


def _kernel_parts(job: Job, plan: Plan, case: Case, counts: Sequence[int]) -> Iterator[Part]:
    """Play the rounds in parts that fit into memory; every count ends one."""
    for start, end in zip((0, *counts), counts, strict=False):
        for first in range(start, end, AT_ONCE):
            size = min(AT_ONCE, end - first)
            rows = play_rounds(plan, job.seed, case["first_session"] + first, size)
            columns = [rows[:, STAKED], rows[:, RETURNED], rows[:, FEES]]
            if job.is_house:
                columns += [bonuses(rows, True, False), bonuses(rows, False, True)]
            # What the kernel remembers for itself is no part of the outcome.
            data = np.ascontiguousarray(rows[:, :PRIVATE], "<i8").tobytes()
            yield size, data, [int(column.sum()) for column in columns]


def _engine_parts(job: Job, case: Case, count: int) -> Iterator[Part]:
    plan = job.plan()
    for session_id in range(case["first_session"], case["first_session"] + count):
        if job.is_house:
            account = play_account(job, plan, session_id)
            sums = [account.staked, account.returned, account.fees]
            lines = sorted((bet, (line.staked, line.returned)) for bet, line in account.lines.items())
            row: list[Any] = [account.opening, *sums, lines]
        else:
            match = play_client(job, session_id).get_state()
            assert match.result is not None
            scores = sorted(match.result.scores.items())
            sums = [int(score) for _, score in scores]
            row = [match.result.status, sorted(match.result.winners), scores, match.version]
        yield 1, canonical(row) + b"\n", sums


# Records.


def digests_of_record(cases: Sequence[Case], number: int) -> str:
    """Return two digests of a match: of its record, and of every view of it that any seat or spectator had.

    The cases of its game take turns: record n is session n of case n modulo their number.
    """
    case = cases[number % len(cases)]
    client: MatchClient[Any] = play_client(job_of(case), case["first_session"] + number)
    record = write_record(make_record(client.game, client.base, client.get_log()))
    viewers = (*(player.id for player in client.base.players), None)
    seen = sha256()
    for match in client.history():
        for viewer in viewers:
            seen.update(canonical(view_for(client.game, match, viewer)) + b"\n")
    # 32 bits of each: enough for what changes by mistake.
    return f"{sha256(record).hexdigest()[:8]} {seen.hexdigest()[:8]}"
