"""Rounds in one request: a session that is opened with its first move, and answers with the next commitment."""

from __future__ import annotations

import msgspec

from croupier.engine import Action, act, verify
from croupier.server.operations import accounts, commitments, purses, sessions
from croupier.server.operations.table_settings import TABLES, TableTerms
from croupier.store.audit import audit
from tests.unit.server.conftest import ROULETTE
from tests.unit.server.operations.test_sessions import limit

HI_LO = 5
RED = act("batch", bets=[{"bet": "red", "stake": 100}])


def test_a_session_opened_with_its_bets_is_that_of_two_requests(office, ann, make_office):
    """The same seeds give the same pocket, chips and record: only the requests are fewer."""
    at_once = office.start(ann, action=RED)
    other = make_office()
    same = other.guest("Ann")
    in_two = other.move(same, other.start(same), RED)
    records = [one.do(sessions.read_session_record, who, 1) for one, who in ((office, ann), (other, same))]

    assert at_once == in_two
    assert at_once.is_complete
    assert records[0] == records[1]
    assert verify(records[0]).ok
    assert audit(office.store).ok


def test_the_first_move_of_a_session_is_ones_own_and_within_ones_own_limits(office, ann):
    number = office.do(commitments.commit, ann).session_id
    theirs = Action("batch", RED.payload, "p_somebody")

    assert office.refused(sessions.start, ann, number, ROULETTE, 0, "beef", theirs) == (403, "forbidden")
    limited = limit(office, ann, loss=50)
    waiting = office.do(commitments.commit, limited).session_id
    assert office.refused(sessions.start, limited, waiting, ROULETTE, 0, "beef", RED) == (403, "loss_limit")
    assert office.do(purses.purse, ann.id).chips == 1000
    cheap = act("batch", bets=[{"bet": "red", "stake": 50}])
    assert office.do(sessions.start, limited, number, ROULETTE, 0, "beef", cheap).is_complete  # its seed was not named


def test_the_next_commitment_comes_with_the_settlement_and_not_before(office, ann):
    open_one = office.start(ann, HI_LO, 10, next=True)
    assert open_one.next is None
    over = office.start(ann, action=RED, next=True)
    stored = office.store.read(lambda tx: tx.get_seed(over.next.session_id))

    assert (over.next.n, over.next.account, stored.state, stored.client_seed) == (3, ann.id, "issued", None)
    assert over.next.commitment == stored.commitment
    again = office.do(sessions.start, ann, over.next.session_id, ROULETTE, 0, "beef", RED, next=True)
    assert (again.n, again.next.n) == (3, 4)
    closed = office.do(sessions.close_session, ann, open_one.session_id, next=True)
    assert closed.next == again.next  # it waits: there is no need for another
    assert office.start(ann, action=RED).next is None


def test_next_commitments_do_not_pile_up(office, ann):
    for _ in range(25):
        office.start(ann, action=act("batch", bets=[{"bet": "red", "stake": 1}]), next=True)

    waiting = [one for one in office.do(commitments.list_commitments, ann, None, 100) if one.state == "issued"]
    assert len(waiting) == 1


def test_a_commitment_to_an_older_announcement_is_not_shown_again(office, ann):
    """With it a session at a table that has changed would be refused."""
    first = office.start(ann, action=RED, next=True).next
    changed = TableTerms("roulette", stake_max=500)
    office.do(lambda call: call.tx.put_setting(TABLES, msgspec.json.encode({ROULETTE: changed})))
    second = office.start(ann, action=RED, next=True).next

    assert second.n > first.n
    assert second.log_n > first.log_n


def test_answers_carry_what_is_legal_if_that_is_asked_for(office, ann):
    begun = office.start(ann, HI_LO, 10, legal=True)
    kinds = {action.type for action in begun.legal}
    assert "cash_out" in kinds
    assert kinds < {"higher", "lower", "same", "cash_out"}  # what cannot be is not offered
    over = office.do(sessions.move, ann, begun.session_id, 0, act("cash_out"), None, legal=True, next=True)
    assert (over.legal, over.ranges) == ((), {})
    assert office.start(ann, HI_LO, 10).legal is None


def test_an_account_comes_with_its_first_commitment_if_it_asks_for_one(office):
    opened = office.do(accounts.register, "Cleo", next=True)
    cleo = office.do(accounts.authenticate, opened.token)

    assert (opened.next.n, opened.next.account) == (1, cleo.id)
    assert office.do(sessions.start, cleo, opened.next.session_id, ROULETTE, 0, "beef", RED).is_complete
    assert office.do(accounts.register, "Dora").next is None
