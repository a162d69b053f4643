"""One guest who floods: control frames, pieces, half-sent requests, more work than can be done. Others do not notice.

Bounds are counted, in frames, bytes and answers; nothing here depends on how fast the machine is.
"""

from __future__ import annotations

import asyncio
import json
import re
import socket
import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, suppress
from typing import Any

import httpx
import pytest

from tests.server_faults.conftest import ServerProcess, upgrade
from tests.server_faults.faulty_proxy import frame_of

NEVER_MS = 10**9
BURST = 60


@pytest.fixture
def person() -> Iterator[Callable[[Any], httpx.Client]]:
    """Make clients with a token each."""
    made = []

    def make(server: Any, address: str = "127.0.0.1") -> httpx.Client:
        here = httpx.HTTPTransport(local_address=address)
        http = httpx.Client(base_url=f"{server.url}/api/v1", timeout=60, transport=here)
        made.append(http)
        account = http.post("/accounts", json={"name": "Eve"}).json()
        http.headers["Authorization"] = f"Bearer {account['token']}"
        return http

    yield make
    for http in made:
        http.close()


def reach(server: Any, address: str = "127.0.0.1") -> socket.socket:
    """Return a connection to a server that comes from an address of this machine."""
    return socket.create_connection(server.address, timeout=60, source_address=(address, 0))


def connect(server: Any, http: httpx.Client, *, small: bool = False, address: str = "127.0.0.1") -> socket.socket:
    """Return a live connection as a bare socket, let in."""
    made = socket.socket()
    if small:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    made.settimeout(60)
    made.bind((address, 0))
    made.connect(server.address)
    made.sendall(upgrade(server.netloc, http.post("/tickets", json={}).json()["ticket"]))
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        piece = made.recv(1)
        assert piece, f"closed after {head!r}"
        head += piece
    assert head.startswith(b"HTTP/1.1 101"), head
    return made


class Sender(threading.Thread):
    """Sends bytes until all are sent, or the server takes no more."""

    def __init__(self, made: socket.socket, data: bytes) -> None:
        super().__init__(daemon=True)
        self.is_all_sent = False
        self._made, self._data = made, data

    def run(self) -> None:
        """Send."""
        with suppress(OSError):
            self._made.sendall(self._data)
            self.is_all_sent = True


def flood(made: socket.socket, data: bytes) -> Sender:
    """Send bytes from a thread."""
    sender = Sender(made, data)
    sender.start()
    return sender


def frames_until_close(made: socket.socket) -> tuple[list[tuple[int, bytes]], int]:
    """Return the frames (opcode, data) that came before the good-bye, and its code; 0 for none."""
    data, found = b"", list[tuple[int, bytes]]()
    while True:
        while len(data) >= 2:
            size, head = data[1], 2
            if size == 126:
                size, head = int.from_bytes(data[2:4], "big"), 4
            if len(data) < head + size:
                break
            opcode, body, data = data[0] & 15, data[head : head + size], data[head + size :]
            if opcode == 8:
                return found, int.from_bytes(body[:2], "big")
            found.append((opcode, body))
        try:
            more = made.recv(65_536)
        except ConnectionError:
            more = b""
        if not more:
            return found, 0
        data += more


PING, PONG, CLOSE = 9, 10, 8
BYE = frame_of(CLOSE, b"\x03\xe8")


def test_control_frames_are_counted_and_a_flood_is_cut_off(new_server: Any, person: Any) -> None:
    server = new_server(requests_burst=BURST, requests_refill_ms=NEVER_MS)
    floods = (frame_of(PING, b"x"), frame_of(PONG, b"x"), b"\x00\x80\0\0\0\0")  # the last are pieces
    for number, one in enumerate(floods, 1):
        http = person(server)
        with closing(connect(server, http)) as made:
            flood(made, (b"\x01\x81\0\0\0\0a" if number == 3 else b"") + one * 200_000)
            found, code = frames_until_close(made)
        assert code == 4029
        assert len(found) <= BURST, f"{len(found)} answers to a flood"
        # The good-bye was sent before it was counted.
        assert server.wait_for('croupier_live_total{what="too_many_requests"}', number)
        assert http.get("/me").status_code == 200
    server.end_well()


def test_a_few_control_frames_are_answered(shared_server: Any, person: Any) -> None:
    with closing(connect(shared_server, person(shared_server))) as made:
        for number in range(30):
            made.sendall(frame_of(PING, b"%d" % number))
        made.sendall(BYE)
        found, code = frames_until_close(made)
    assert found == [(PONG, b"%d" % number) for number in range(30)]
    assert code == 1000


def test_pongs_that_nobody_reads_are_bounded_by_the_buffer(new_server: Any, person: Any) -> None:
    server = new_server(buffer_bytes=65_536, requests_burst=1_000_000)  # their number is not what bounds them here
    http = person(server)
    with closing(connect(server, http, small=True)) as made:
        sender = flood(made, frame_of(PING, b"x" * 125) * 200_000)  # 26 MB of pongs
        before = server.resident_kb()
        is_sending, is_cut_off = True, False
        while not is_cut_off:
            assert is_sending, "all of it was answered"
            is_sending = sender.is_alive()  # asked first: what cuts it off is counted before
            is_cut_off = bool(server.metric('croupier_live_total{what="too_slow"}'))
        assert server.resident_kb() - before < 8_000
    assert http.get("/me").status_code == 200


def served(tmp_path_factory: pytest.TempPathFactory, **settings: Any) -> Iterator[Any]:
    server = ServerProcess(tmp_path_factory.mktemp("served"), **settings)
    yield server
    server.end_well()
    assert "error" not in server.log.read_text()


@pytest.fixture(scope="module")
def hasty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A server that gives up on a request after half a second."""
    yield from served(tmp_path_factory, request_ms=500)


@pytest.fixture(scope="module")
def stingy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A server that lets an address ask five times."""
    yield from served(tmp_path_factory, requests_burst=5, requests_refill_ms=NEVER_MS)


def test_half_sent_requests_are_given_up(hasty: Any) -> None:
    host = b"Host: %s\r\n" % hasty.netloc.encode()
    begun = [b"", b"GET / HTTP/1.1\r\n" + host + b"X", b"POST /api/v1/accounts HTTP/1.1\r\n" + host]
    begun.append(begun[2] + b"Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{")
    begun.append(begun[2] + b"Transfer-Encoding: chunked\r\n\r\n5\r\nabc")
    waiting = []
    for data in begun * 20:
        made = reach(hasty)
        made.sendall(data)
        waiting.append(made)
    for made in waiting:
        with closing(made), suppress(ConnectionError):
            while made.recv(4096):  # until the server hangs up
                pass
    assert httpx.get(f"{hasty.url}/api/v1/games").status_code == 200


def test_a_live_connection_outlasts_the_time_that_a_request_has(hasty: Any, person: Any) -> None:
    with closing(connect(hasty, person(hasty))) as made:
        with closing(reach(hasty)) as later:
            assert later.recv(4096) == b"", "given up, although it began after the live connection"
        made.sendall(frame_of(PING, b"still here") + BYE)
        assert frames_until_close(made) == ([(PONG, b"still here")], 1000)


GET, POST = b"GET /api/v1/games HTTP/1.1\r\nHost: localhost\r\n", b"POST /nowhere HTTP/1.1\r\nHost: localhost\r\n"
CHUNKED, CHUNK = b"Transfer-Encoding: chunked\r\n\r\n", b"10000\r\n" + bytes(0x10000) + b"\r\n"
ENDLESS = {
    "a header": (GET + b"X: ", b"A" * 65_536),
    "headers": (GET, b"".join(b"X-%d: a\r\n" % n for n in range(5_000))),
    "an address": (b"GET /", b"A" * 65_536),
    "chunks nobody asked for": (GET + CHUNKED, CHUNK),
    "chunks to nowhere": (POST + CHUNKED, CHUNK),
    "a body to nowhere": (POST + b"Content-Length: 1000000000\r\n\r\n", bytes(65_536)),
    "no chunks": (b"POST /nowhere HTTP/1.1\r\nHost: elsewhere\r\n" + CHUNKED, b"no chunk\r\n" * 5_000),
}


@pytest.mark.parametrize("name", ENDLESS)
def test_heads_and_unread_bodies_are_bounded(shared_server: Any, name: str) -> None:
    start, block = ENDLESS[name]
    with closing(reach(shared_server)) as made:
        sender = flood(made, start + block * 1_000)  # 50 MB, of which nothing is kept
        with suppress(ConnectionError):
            while made.recv(65_536):
                pass
        sender.join()
    assert not sender.is_all_sent, "the server took all of it"
    assert httpx.get(f"{shared_server.url}/api/v1/games").status_code == 200


@pytest.mark.parametrize(
    ("said", "status", "code"),
    [(b"Content-Length: 65537", 413, "too_large"), (b"Transfer-Encoding: chunked", 411, "length_required")],
)
def test_a_body_that_is_too_large_or_may_be_is_refused_by_the_head_alone(
    shared_server: Any, said: bytes, status: int, code: str
) -> None:
    server = shared_server
    counted = [
        f'croupier_refusals_total{{code="{code}"}}',
        f'croupier_requests_total{{method="POST",status="{status}"}}',
    ]
    before = [server.metric(name) for name in counted]
    head = b"POST /api/v1/accounts HTTP/1.1\r\nHost: " + server.netloc.encode() + b"\r\n" + said + b"\r\n\r\n"
    for sent in (b"", b"1\r\n \r\n" * 10_000):  # nothing of a body; and thousands of pieces, which nobody parses
        with closing(reach(server)) as made:
            flood(made, head + sent)
            answer = b""
            with suppress(ConnectionError):
                while data := made.recv(65_536):
                    answer += data
        assert answer.startswith(b"HTTP/1.1 %d" % status), answer
        assert json.loads(answer.partition(b"\r\n\r\n")[2])["code"] == code
    assert [server.metric(name) for name in counted] == [before[0] + 2, before[1]], "the application knows"


def test_an_overloaded_server_refuses_before_it_reads_and_says_when_to_come_again(new_server: Any, person: Any) -> None:
    server = new_server(queue_max=2)
    http = person(server)
    locked = sqlite3.connect(server.file, isolation_level=None)
    locked.execute("BEGIN IMMEDIATE")  # nothing is written while this stands
    token = http.headers["Authorization"]
    head = f"POST /api/v1/commitments HTTP/1.1\r\nHost: {server.netloc}\r\nAuthorization: {token}\r\n"
    head += "Content-Type: application/json\r\nContent-Length: "
    made, waiting = [], 0.0
    while waiting < 2:  # one is being written, or several together; the others wait
        made.append(reach(server))
        made[-1].sendall(f"{head}2\r\n\r\n{{}}".encode())
        server.wait_for("croupier_waiting", waiting + 1, seconds=3)  # the one that is being written waits no longer
        waiting = server.metric("croupier_waiting")
    last = reach(server)
    for _ in range(2):  # the same connection may ask again
        last.sendall(f"{head}60000\r\n\r\n".encode())  # the body never comes
        answer = last.recv(65_536)
        assert answer.startswith(b"HTTP/1.1 503"), answer
        assert b"retry-after: 1\r\n" in answer.lower()
        answer += b"" if b"overloaded" in answer else last.recv(65_536)
        assert json.loads(answer.partition(b"\r\n\r\n")[2])["code"] == "overloaded"
        last.sendall(bytes(60_000))
    assert http.get("/me").status_code == 200, "looking goes on"
    assert server.metric('croupier_refusals_total{code="overloaded"}') == 2
    locked.execute("ROLLBACK")
    for each in made:
        assert each.recv(65_536).startswith(b"HTTP/1.1 201")
        each.close()
    last.close()


def test_an_address_that_asks_too_often_is_refused_before_the_application_hears_of_it(stingy: Any) -> None:
    head = f"GET /api/v1/games HTTP/1.1\r\nHost: {stingy.netloc}\r\n\r\n".encode()
    with closing(reach(stingy)) as made:
        made.sendall(head * 200)
        data = b""
        while data.count(b"HTTP/1.1 429") < 2:
            data += made.recv(65_536)
    assert data.count(b"HTTP/1.1 200") == 5
    assert b"retry-after: " in data
    assert stingy.metric('croupier_requests_total{method="GET",status="200"}') == 5
    assert stingy.metric('croupier_requests_total{method="GET",status="429"}') == 0
    assert httpx.get(stingy.url).status_code == 200, "pages are counted by themselves"
    # The next refusal was held back when the connection ended, and is counted when its time has come.
    assert stingy.wait_for('croupier_refusals_total{code="too_many_requests"}', 3)


def test_tickets_that_are_none_are_looked_up_only_so_often_and_not_logged(stingy: Any) -> None:
    said = []
    for _ in range(12):
        with closing(reach(stingy, "127.0.0.2")) as made:
            made.sendall(upgrade(stingy.netloc, "none"))
            said.append(made.recv(65_536)[9:12])
    assert said == [b"401"] * 5 + [b"429"] * 7
    assert stingy.metric('croupier_live_total{what="bad_token"}') == 5


def test_connections_beyond_the_limit_are_closed_before_anything_of_them_is_read(stingy: Any) -> None:
    """Four for each request that the address may make; the next ones are told so, and others come in."""
    before = stingy.metric('croupier_refusals_total{code="too_many_requests"}')
    with ExitStack() as open_ones:
        made = [open_ones.enter_context(closing(reach(stingy, "127.0.0.8"))) for _ in range(20 + 3)]
        said = [each.recv(65_536) for each in made[20:]]
        made[0].sendall(f"GET / HTTP/1.1\r\nHost: {stingy.netloc}\r\n\r\n".encode())
        assert made[0].recv(9) == b"HTTP/1.1 "
        with closing(reach(stingy, "127.0.0.9")) as other:
            other.sendall(f"GET /api/v1/games HTTP/1.1\r\nHost: {stingy.netloc}\r\n\r\n".encode())
            assert other.recv(65_536).startswith(b"HTTP/1.1 200")
    assert all(each.startswith(b"HTTP/1.1 429") and b"retry-after: 1" in each for each in said)
    assert json.loads(said[0].partition(b"\r\n\r\n")[2])["code"] == "too_many_requests"
    assert stingy.metric('croupier_refusals_total{code="too_many_requests"}') == before + 3


FLOODERS, REFUSALS, HOLD_SECONDS = 4, 8, 0.2


def test_a_live_connection_beyond_the_limit_is_refused_by_its_head_and_five_times_a_second_at_most(
    stingy: Any, person: Any
) -> None:
    """Four come again as soon as they are refused, over a new connection each time; somebody else notices nothing.

    A refusal lets its answer wait, so that there are no more of them than connections and time, on any machine.
    """
    asked, told = upgrade(stingy.netloc, "none"), list[bytes]()
    with closing(reach(stingy, "127.0.0.3")) as made:
        for _ in range(5):
            with closing(reach(stingy, "127.0.0.3")) as other:
                other.sendall(asked)
                other.recv(65_536)
        for _ in range(2):  # over one connection: it never was anything but HTTP
            made.sendall(asked)
            answer = made.recv(65_536)
            assert answer.startswith(b"HTTP/1.1 429")
            assert b"retry-after: " in answer.lower()

    def come_again() -> None:
        for _ in range(REFUSALS):
            with closing(reach(stingy, "127.0.0.3")) as made:
                made.sendall(asked)
                told.append(made.recv(65_536)[9:12])

    begin = time.monotonic()
    crowd = [threading.Thread(target=come_again) for _ in range(FLOODERS)]
    for each in crowd:
        each.start()
    http = person(stingy, "127.0.0.4")
    with closing(connect(stingy, http, address="127.0.0.4")) as made:
        made.sendall(frame_of(PING, b"let in") + BYE)
        assert frames_until_close(made) == ([(PONG, b"let in")], 1000)
    for each in crowd:
        each.join()
    assert told == [b"429"] * FLOODERS * REFUSALS
    assert len(told) <= FLOODERS * ((time.monotonic() - begin) / HOLD_SECONDS + 1)


def test_somebody_behind_the_same_address_is_let_in_while_the_flood_goes_on(new_server: Any, person: Any) -> None:
    """Everybody behind an address shares what it may ask for, and each connection waits for its answers.

    An answer is 200 ms late, also that a ticket is none: so a connection takes no more than five of the twenty requests
    that this address may make a second, and there are some for others until dozens of connections flood.
    """
    server = new_server(requests_burst=5, requests_refill_ms=50, ticket_ms=NEVER_MS)
    asked, is_over = upgrade(server.netloc, "none"), threading.Event()
    told: Counter[bytes] = Counter()
    ticket = person(server, "127.0.0.4").post("/tickets", json={}).json()["ticket"]

    def come_again() -> None:
        while not is_over.is_set():
            with closing(reach(server, "127.0.0.3")) as made:
                made.sendall(asked)
                told[made.recv(65_536)[9:12]] += 1

    crowd = [threading.Thread(target=come_again) for _ in range(3 * FLOODERS)]
    for each in crowd:
        each.start()
    try:
        assert server.wait_for('croupier_refusals_total{code="too_many_requests"}', FLOODERS)
        answers = list[bytes]()
        while b"101" not in answers and len(answers) < 100:
            with closing(reach(server, "127.0.0.3")) as made:
                made.sendall(upgrade(server.netloc, ticket))
                answers.append(made.recv(65_536)[9:12])
    finally:
        is_over.set()
        for each in crowd:
            each.join()
    assert answers == [b"429"] * (len(answers) - 1) + [b"101"]
    assert set(told) == {b"401", b"429"}


RETRYING, WANTED, QUEUE = 60, 4, 4


def test_a_crowd_that_retries_at_once_has_all_of_its_work_done_and_is_refused_once_a_second(
    new_server: Any, person: Any
) -> None:
    """Sixty clients want four things written each, and ask again as soon as they are refused.

    A refusal holds its connection for a second, so that there are no more of them than seconds and connections, however
    fast the machine is; and the application hears of none.
    """
    server = new_server(queue_max=QUEUE)
    http = person(server)
    token = http.headers["Authorization"]
    asked = f"POST /api/v1/tickets HTTP/1.1\r\nHost: {server.netloc}\r\nAuthorization: {token}\r\n"
    asked += "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"
    found: Counter[int] = Counter()

    async def client() -> None:
        reader, writer = await asyncio.open_connection(*server.address)
        done = 0
        while done < WANTED:
            writer.write(asked.encode())
            answer = await reader.readuntil(b"\r\n\r\n")
            (size,) = re.findall(rb"(?i)content-length: (\d+)", answer)
            await reader.readexactly(int(size))
            found[int(answer[9:12])] += 1
            done += answer[9:12] == b"201"
        writer.close()

    async def story() -> None:
        await asyncio.gather(*(client() for _ in range(RETRYING)))

    locked = sqlite3.connect(server.file, isolation_level=None)
    locked.execute("BEGIN IMMEDIATE")  # so that they come faster than anything is written, on any machine
    begin = time.monotonic()
    crowd = threading.Thread(target=asyncio.run, args=(story(),))
    crowd.start()
    assert server.wait_for('croupier_refusals_total{code="overloaded"}', RETRYING // 2)
    locked.execute("ROLLBACK")
    locked.close()
    crowd.join()
    seconds = time.monotonic() - begin
    refused = server.metric('croupier_refusals_total{code="overloaded"}')
    assert found == {201: RETRYING * WANTED, 503: refused}
    assert refused <= RETRYING * (seconds + 1)
    handled = server.metric('croupier_requests_total{method="POST",status="503"}')
    assert handled <= QUEUE, "they came when there was room and found none any more"
    server.end_well()
