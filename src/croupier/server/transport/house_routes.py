"""Requests around sessions against the house, their replays and their chips: rows for the table of all requests."""

from croupier.engine import MatchRecord
from croupier.house.ledger import Movement
from croupier.server.operations import catalogue, commitments, purses, replays, sessions, versions
from croupier.server.transport.request_types import (
    BeforeQuery,
    CoachQuery,
    DepositBody,
    LegalQuery,
    ModifierBody,
    MoveBody,
    RecallQuery,
    SinceQuery,
    StartBody,
)
from croupier.server.transport.requests import RequestData, Route
from croupier.store.model import SessionRow

__all__ = ["HOUSE_ROUTES"]

_SESSION = ("no_such_session", "no_longer_kept")
_LIMITS = ("excluded", "loss_limit", "time_limit", "account_frozen")


def _session_id(asked: RequestData) -> int:
    return asked.number("session_id", "no_such_session")


HOUSE_ROUTES: tuple[Route, ...] = (
    Route(
        method="GET",
        path="/versions",
        name="get_versions",
        role="anyone",
        tag="house",
        summary="Read the log of versions: the digests of rules and the terms of tables, in a signed chain.",
        op=lambda call, caller, asked: versions.read_versions(call, asked.query.since),
        query=SinceQuery,
        answer=versions.VersionsPage,
    ),
    Route(
        method="POST",
        path="/commitments",
        name="commit",
        role="player",
        tag="house",
        summary="Have the server commit to its part of the seed of your next session.",
        op=lambda call, caller, asked: commitments.commit(call, caller),
        answer=commitments.Commitment,
        status=201,
        codes=("account_frozen", "too_many_commitments"),
    ),
    Route(
        method="GET",
        path="/me/commitments",
        name="list_commitments",
        role="player",
        tag="house",
        summary="List the commitments made to you, newest first, with the seeds of those that are opened.",
        op=lambda call, caller, asked: commitments.list_commitments(
            call, caller, asked.query.before, asked.query.limit
        ),
        query=BeforeQuery,
        answer=tuple[commitments.CommitmentView, ...],
    ),
    Route(
        method="POST",
        path="/sessions",
        name="start_session",
        role="player",
        tag="house",
        summary="Sit down at a table, with your part of the seed.",
        op=lambda call, caller, asked: sessions.start(
            call, caller, asked.body.session_id, asked.body.table, asked.body.stake, asked.body.client_seed
        ),
        body=StartBody,
        answer=sessions.SessionView,
        status=201,
        codes=(
            "no_seed",
            "no_longer_kept",
            "seed_used",
            "bad_seed",
            "commitment_expired",
            "table_changed",
            "too_many_sessions",
            *_LIMITS,
        ),
    ),
    Route(
        method="GET",
        path="/sessions/{session_id}",
        name="get_session",
        role="player",
        tag="house",
        summary="Look at one of your sessions.",
        op=lambda call, caller, asked: sessions.find_session(
            call, caller, _session_id(asked), with_legal=asked.query.legal
        ),
        query=LegalQuery,
        answer=sessions.SessionView,
        codes=_SESSION,
    ),
    Route(
        method="POST",
        path="/sessions/{session_id}/moves",
        name="move",
        role="player",
        tag="house",
        summary="Make a move: an action, or its payload in hex.",
        op=lambda call, caller, asked: sessions.move(
            call, caller, _session_id(asked), asked.body.expected_version, asked.body.action, asked.body.payload
        ),
        body=MoveBody,
        answer=sessions.SessionView,
        codes=(*_SESSION, "stale_version", "too_many_moves", "forbidden", "game_fault", *_LIMITS),
    ),
    Route(
        method="POST",
        path="/sessions/{session_id}/close",
        name="close_session",
        role="player",
        tag="house",
        summary="Have a session played out at once, as for a player who is away.",
        op=lambda call, caller, asked: sessions.close_session(call, caller, _session_id(asked)),
        answer=sessions.SessionView,
        codes=(*_SESSION, "account_frozen"),
    ),
    Route(
        method="GET",
        path="/sessions/{session_id}/recall",
        name="recall",
        role="player",
        tag="house",
        summary="See a session again, step by step: what was done, and what you saw after it.",
        op=lambda call, caller, asked: sessions.recall(
            call, caller, _session_id(asked), asked.query.after, asked.query.limit
        ),
        query=RecallQuery,
        answer=tuple[sessions.Step, ...],
        codes=(*_SESSION, "game_fault"),
    ),
    Route(
        method="GET",
        path="/sessions/{session_id}/record",
        name="get_session_record",
        role="player",
        tag="house",
        summary="Get the record of a session that is over, with both parts of its seed.",
        op=lambda call, caller, asked: sessions.read_session_record(call, caller, _session_id(asked)),
        answer=MatchRecord,
        codes=(*_SESSION, "not_finished", "game_fault"),
    ),
    Route(
        method="GET",
        path="/shared/{session_id}",
        name="get_shared",
        role="anyone",
        tag="house",
        summary="Look at a session that is over, by the link that its player has given away.",
        takes_share=True,
        op=lambda call, caller, asked: replays.read_shared(call, _session_id(asked), asked.share),
        answer=replays.SharedView,
        codes=_SESSION,
    ),
    Route(
        method="GET",
        path="/shared/{session_id}/recall",
        name="recall_shared",
        role="anyone",
        tag="house",
        summary="See a session again by its link, step by step.",
        takes_share=True,
        op=lambda call, caller, asked: replays.recall_shared(
            call, _session_id(asked), asked.share, asked.query.after, asked.query.limit
        ),
        query=RecallQuery,
        answer=tuple[sessions.Step, ...],
        codes=(*_SESSION, "game_fault"),
    ),
    Route(
        method="GET",
        path="/shared/{session_id}/record",
        name="get_shared_record",
        role="anyone",
        tag="house",
        summary="Get the record of a session by its link.",
        takes_share=True,
        op=lambda call, caller, asked: replays.shared_record(call, _session_id(asked), asked.share),
        answer=MatchRecord,
        codes=(*_SESSION, "game_fault"),
    ),
    Route(
        method="GET",
        path="/sessions/{session_id}/coach",
        name="coach_session",
        role="player",
        tag="house",
        summary="Ask what each of your choices is worth, best first.",
        op=lambda call, caller, asked: catalogue.situation_of_session(
            call, caller, _session_id(asked), asked.query.objective
        ),
        after=catalogue.advise,
        query=CoachQuery,
        answer=catalogue.AdviceView,
        codes=(*_SESSION, "no_coach", "finished"),
    ),
    Route(
        method="GET",
        path="/me/sessions",
        name="list_sessions",
        role="player",
        tag="house",
        summary="List your sessions, newest first.",
        op=lambda call, caller, asked: sessions.list_sessions(call, caller, asked.query.before, asked.query.limit),
        query=BeforeQuery,
        answer=tuple[SessionRow, ...],
    ),
    Route(
        method="GET",
        path="/me/ledger",
        name="get_ledger",
        role="player",
        tag="house",
        summary="See every movement of your chips, newest first.",
        op=lambda call, caller, asked: purses.ledger_page(call, caller, asked.query.before, asked.query.limit),
        query=BeforeQuery,
        answer=tuple[Movement, ...],
    ),
    Route(
        method="POST",
        path="/me/deposits",
        name="deposit",
        role="player",
        tag="house",
        summary="Ask for chips, once a day.",
        op=lambda call, caller, asked: purses.deposit(call, caller, asked.body.amount),
        body=DepositBody,
        answer=purses.Purse,
        codes=("excluded", "account_frozen"),
    ),
    Route(
        method="POST",
        path="/me/modifiers",
        name="arm",
        role="player",
        tag="house",
        summary="Arm a modifier for your next session, or disarm it.",
        op=lambda call, caller, asked: purses.arm(call, caller, asked.body.modifier),
        body=ModifierBody,
        answer=purses.Purse,
        codes=("account_frozen",),
    ),
)
