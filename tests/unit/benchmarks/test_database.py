"""`make bench ARGS=database`: what is kept and what was pruned are told apart, and a start has its goal."""

from __future__ import annotations

from benchmarks import database


def test_what_a_session_takes_and_a_start_have_rows(monkeypatch):
    for name, value in {"SESSIONS": 40, "ACCOUNTS": 20, "REPLIES": 40, "LARGE_BYTES": 2 * 2**20}.items():
        monkeypatch.setattr(database, name, value)
    report = database.measure(repeats=1, peers=False)
    rows = {row.name: row for row in report.rows}

    kept, pruned = rows["a session that is kept"].best, rows["a session that was pruned"].best
    assert 0 < 2 * pruned < kept
    assert rows["each move more"].best > 0
    assert rows["an answer that is kept"].best > 1_500
    assert rows["ready again"].goal == "at most 2"
    assert rows["ready again"].note.startswith("a file of 2 MiB")
    assert rows["processor time until then"].best > 0
