"""A scripted evening at a server in memory: every request of the API at least once, and every answer, blanked.

Ids are numbered as they come up; times, keys, seeds, digests and signatures are blanked. The seed of a match is made of
its session id alone (`fixed_seeds`): as it is, it depends on a digest over the source of the rules, and every edit
would deal other cards. What the players do is decided by the lists of legal actions that they are answered.
"""

from __future__ import annotations

import hmac
import inspect
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from itertools import count
from typing import Any

import msgspec

from croupier.engine import Action, act, get_game, serialize_match
from croupier.engine.plain import canonical
from croupier.fairness import SeedPair
from croupier.fairness.dice import Contributor, Ed25519Signer, Ed25519Verifier
from croupier.fairness.dice.messages import Bet, write_message
from croupier.games.craps.table.shared_dice import RoomPlayer, first_state
from croupier.server.operations import room_bots
from croupier.server.operations.table_settings import usual_tables
from croupier.server.running.bot_processes import think
from croupier.wire.dice import DicePage
from tests.unit.server.conftest import API, Person, Site
from tests.unit.server.starting import ready_body, secret_of

HOUR = 3_600_000
MOVES_MAX = 8

Answer = dict[str, Any]


def spend_evening() -> list[Answer]:
    """Return every request of the evening with its answer, blanked."""
    with fixed_seeds():
        site = Site()
        site.service.cache.entropy = entropy = _Entropy()
        seen = Recorder(site)
        site.client = seen  # type: ignore[assignment]
        with seen.client:
            _look_around(site)
            people = _arrive(site)
            for part in (_play_the_house, _play_each_other, _play_bots, _throw_shared_dice, _operate, _go_home):
                entropy.begin(part.__name__)
                part(site, *people)
        site.close()
    return seen.blanked()


class _Entropy:
    """Entropy from counters, for each size its own, which begin anew with every part of the evening.

    So an id or a token more does not change the keys and secrets that dice are made of, in a later part.
    """

    def __init__(self) -> None:
        self.begin("")

    def begin(self, part: str) -> None:
        self.part, self.used = part, defaultdict[int, Iterator[int]](count)

    def __call__(self, size: int) -> bytes:
        name = f"evening {self.part} {size} {next(self.used[size])}"
        return b"".join(sha256(f"{name} {block}".encode()).digest() for block in range(size // 32 + 1))[:size]


@contextmanager
def fixed_seeds() -> Iterator[None]:
    """Make the seed of every match depend on its session id only."""
    usual = SeedPair.match_seed
    SeedPair.match_seed = lambda self, session_id: sha256(f"evening match {session_id}".encode()).digest()  # type: ignore[method-assign]
    try:
        yield
    finally:
        SeedPair.match_seed = usual  # type: ignore[method-assign]


# What is kept.


class Recorder:
    """A client that writes down what it is answered, at a request a second: lists are in the order of time."""

    def __init__(self, site: Site) -> None:
        self.site, self.client = site, site.client
        self.answers: list[tuple[str, str, Any, int, Any]] = []

    def request(self, method: str, url: str, **options: Any) -> Any:
        self.site.now += 1000
        response = self.client.request(method, url, **options)
        self.answers.append((method, url.removeprefix(API), options.get("json"), response.status_code, response.json()))
        return response

    def blanked(self) -> list[Answer]:
        blank = Blank()
        return [
            {"request": f"{method} {blank.text(path)}", "body": blank(body), "status": status, "answer": blank(answer)}
            for method, path, body, status, answer in self.answers
        ]


class Blank:
    """Takes out what no two evenings need have in common."""

    ID = re.compile(r"\b[a-z]{1,2}_[0-9a-z]{20}\b")
    HEX = re.compile(r"\b[0-9a-f]{16,}\b")
    SECRET = re.compile(r"[0-9A-Za-z_-]{43}")
    CODE = re.compile(r"[A-Z0-9]{6}")
    CODE_IN_PATH = re.compile(r"(?<=^/rooms/)[A-Z0-9]{6}\b")

    def __init__(self) -> None:
        self.ids: dict[str, str] = {}

    def __call__(self, value: Any, name: str = "") -> Any:
        if isinstance(value, dict):
            return {self.text(key): self(each, key) for key, each in value.items()}
        if isinstance(value, list):
            return [self(each, name) for each in value]
        if name == "description" and isinstance(value, str):
            return inspect.cleandoc(value)  # a docstring: Python 3.13 takes its indentation away, those before do not
        if isinstance(value, str):
            return "<code>" if name == "code" and self.CODE.fullmatch(value) else self.text(value)
        if type(value) is int and 1_700_000_000_000 < value < 1_900_000_000_000:
            return "<time>"
        return value

    def text(self, value: str) -> str:
        if self.SECRET.fullmatch(value):
            return "<secret>"
        value = self.CODE_IN_PATH.sub("<code>", value)
        value = self.ID.sub(lambda found: self.ids.setdefault(found[0], f"{found[0][:2]}{len(self.ids) + 1}"), value)
        return self.HEX.sub(lambda found: f"<{len(found[0])} hex>", value)


SHOWN = 24


def summaries(answers: Iterable[Answer]) -> list[Answer]:
    """Return the answers as they are kept: of every field, its value if it is short, else a digest of it.

    Fields that are as they were in the answer before to the same kind of request are left out, and those that are gone
    since are listed: the whole evening is a hundred kilobytes, and a diff of two shows which fields of which answers
    differ.
    """
    before: dict[tuple[str, int], dict[str, Any]] = {}
    kept = []
    for each in answers:
        answer = each["answer"]
        fields = (
            {name: _shown(value) for name, value in answer.items()}
            if isinstance(answer, dict)
            else {"": _shown(answer)}
        )
        kind = (re.sub(r"[_/][0-9]+|\?.*", "", each["request"]), each["status"])
        last = before.get(kind, {})
        new = {name: value for name, value in sorted(fields.items()) if name not in last or last[name] != value}
        gone = sorted(last.keys() - fields.keys())
        kept.append(
            {"request": each["request"], "status": each["status"], **({"gone": gone} if gone else {}), "new": new}
        )
        before[kind] = fields
    return kept


def _shown(value: Any) -> Any:
    data = canonical(value)
    if len(data) <= SHOWN:
        return value
    return f"#{sha256(data).hexdigest()[:8]}"


# Who does what.


def _look_around(site: Site) -> None:
    nobody = site.nobody
    for path in ("/games", "/tables", "/leaderboard", "/rooms", "/versions", "/me", "/games/whist", "/rooms/ABCDEF"):
        nobody.ask("GET", path)
    for entry in nobody.get("/games"):
        nobody.ask("GET", f"/games/{entry['id']}")
        nobody.ask("GET", f"/games/{entry['id']}/rules")
        nobody.ask("GET", f"/games/{entry['id']}/odds")
    nobody.ask("GET", "/games/roulette/odds?table=6&is_super=true")
    for body in ({"name": ""}, {"name": 7}, {"name": "Ann", "role": "operator"}):
        nobody.ask("POST", "/accounts", body)


def _arrive(site: Site) -> tuple[Person, Person, Person]:
    ann, bob = site.person("Ann"), site.person("Bob")
    ann.ask("PATCH", "/me", {"name": "Anna"})
    ann.ask("POST", "/me/tokens", {"label": "phone"})
    (phone,) = (token for token in ann.get("/me/tokens") if token["label"] == "phone")
    ann.ask("DELETE", f"/me/tokens/{phone['id']}")
    ann.ask("DELETE", "/me/tokens/none")
    ann.ask("POST", "/me/recovery-key", {"recovery_key": bob.recovery_key})
    key = ann.post("/me/recovery-key", {"recovery_key": ann.recovery_key})["recovery_key"]
    ann.token = site.nobody.post("/recoveries", {"recovery_key": key, "label": "found"})["token"]
    site.nobody.ask("POST", "/recoveries", {"recovery_key": "wrong"})
    for person in (ann, ann, bob):
        person.ask("POST", "/me/deposits", {"amount": 1000})
    ann.ask("PUT", "/me/limits", {"loss_day": 100_000, "minutes_day": 600})
    ann.ask("POST", "/tickets")
    ann.ask("GET", "/me")
    return ann, bob, site.operator()


def _play_the_house(site: Site, ann: Person, bob: Person, olga: Person) -> None:
    """Play three sessions at every table: plain, in super mode, and with modifiers, closed after one move."""
    for table in usual_tables().values():
        for modifiers in ((), ("super",), ("shield", "double")):
            for modifier in modifiers:
                ann.ask("POST", "/me/modifiers", {"modifier": modifier})
            _play_session(
                site, ann, table.id, table.game_id, 1 if len(modifiers) > 1 else MOVES_MAX, is_first=not modifiers
            )
        site.now += HOUR  # idle tables, but no other day
        site.ticks += HOUR
    committed = ann.post("/commitments")
    ann.ask("POST", "/sessions", {"session_id": committed["session_id"], "table": 99})
    ann.ask("POST", "/sessions", {"session_id": 10**6, "table": 6})
    for path in (
        "/me/sessions",
        "/me/sessions?limit=3",
        "/me/results",
        "/me/ledger?limit=100",
        "/me/commitments",
        "/leaderboard",
    ):
        ann.ask("GET", path)


def _play_session(site: Site, ann: Person, table: int, game_id: str, moves: int, *, is_first: bool) -> None:
    committed = ann.post("/commitments")
    stake = 10 if get_game(game_id).opens_with_stake else 0  # type: ignore[attr-defined]
    body = {"session_id": committed["session_id"], "table": table, "stake": stake, "client_seed": "c0ffee00" * 8}
    session = ann.ask("POST", "/sessions", body).json()
    if "session_id" not in session:
        return
    path = f"/sessions/{session['session_id']}"
    for number in range(moves):
        if session["is_complete"]:
            break
        legal = ann.get(f"{path}?legal=true")["legal"]
        if is_first and number == 1:
            stale = {"id": "stale", "expected_version": 0, "action": {"type": "wave"}}
            ann.ask("POST", f"{path}/moves", stale)
            ann.ask("POST", f"{path}/moves", {**stale, "id": "odd", "expected_version": session["version"]})
            ann.ask("GET", f"{path}/record")
            ann.ask("GET", f"{path}/coach")
        session = site.move(ann, session, _chosen(legal, number))
    if not session["is_complete"]:
        ann.post(f"{path}/close")
    record = ann.get(f"{path}/record")
    ann.ask("GET", f"{path}/recall?limit=100")
    if is_first:
        message = b"\x00\x00\x00\x10croupier/share/2" + session["session_id"].to_bytes(8, "big")
        server_seed = bytes.fromhex(record["commitments"]["server_seed"])
        link = {"Croupier-Share": hmac.digest(server_seed, message, "sha256").hex()}
        for rest in ("", "/recall", "/record"):
            site.nobody.ask("GET", f"/shared/{session['session_id']}{rest}", headers=link)
        site.nobody.ask("GET", f"/shared/{session['session_id']}", headers={"Croupier-Share": "00"})


def _chosen(legal: list[Any], number: int) -> Any:
    """Return one of the legal actions: bets first, small ones, then whatever comes."""
    cheap = [action for action in legal if action["payload"].get("stake", 1) <= 50] or legal
    bets = [action for action in cheap if "stake" in action["payload"]] if number < 2 else []
    others = [action for action in cheap if "stake" not in action["payload"]]
    among = bets or others or cheap
    return among[number * 7919 % len(among)]


def _begin(site: Site, room: Any, *people: Person) -> Any:
    for seat, person in enumerate(people):
        room = person.post(f"/rooms/{room['id']}/ready", ready_body(room, seat))
    people[0].ask("POST", f"/rooms/{room['id']}/open", {"secret": "00" * 32})
    for seat, person in enumerate(people):
        room = person.post(f"/rooms/{room['id']}/open", {"secret": secret_of(seat)})
    return room


def _act(person: Person, room_id: str, number: int) -> Any:
    """Have somebody take one of their legal actions, if there is one."""
    seen = person.get(f"/rooms/{room_id}?legal=true")
    if not seen["legal"]:
        return seen
    key, action = f"{room_id}.{seen['version']}", _chosen(seen["legal"], number)
    body = {"id": key, "expected_version": seen["version"], "action": action}
    return person.post(f"/rooms/{room_id}/actions", body)


def _play_each_other(site: Site, ann: Person, bob: Person, olga: Person) -> None:
    for body in ({"game": "whist"}, {"game": "roulette"}, {"game": "lanes", "bots": ["nobody"]}):
        ann.ask("POST", "/rooms", body)
    room = ann.post("/rooms", {"game": "shut-the-box", "seats": 2})
    path = f"/rooms/{room['id']}"
    bob.ask("POST", f"{path}/actions", {"id": "1", "expected_version": 0, "action": {"type": "roll"}})
    bob.ask("POST", f"/rooms/{room['code']}/join")
    bob.ask("POST", f"{path}/leave")
    room = bob.post(f"{path}/join")
    _begin(site, room, ann, bob)
    for number in range(120):
        seen = _act(ann if number % 2 == 0 else bob, room["id"], number)
        if number == 2:
            ann.ask("GET", f"{path}/coach")
            ann.ask("GET", f"{path}/preview?type=roll")
            ann.ask("POST", f"{path}/undo")
            bob.ask("POST", f"{path}/undo/answer", {"agrees": True})
        if seen["status"] == "finished":
            break
    for rest in ("", "/log", "/log?since=3", "/record", "/recall?limit=100"):
        site.nobody.ask("GET", path + rest)
    bob.ask("POST", f"{path}/rematch")
    bob.ask("GET", "/me/rooms")

    room = ann.post("/rooms", {"game": "craps-table", "seats": 2, "turn_ms": 60_000})
    _begin(site, bob.post(f"/rooms/{room['id']}/join"), ann, bob)
    for number in range(12):
        _act(ann if number % 2 == 0 else bob, room["id"], number)
    site.nobody.ask("GET", f"/rooms/{room['id']}/log")


def _play_bots(site: Site, ann: Person, bob: Person, olga: Person) -> None:
    for game_id, bot, moves in (("shut-the-box", "fewest_tiles", 60), ("lanes", "greedy", 30)):
        room = ann.post("/rooms", {"game": game_id, "seats": 2})
        path = f"/rooms/{room['id']}"
        ann.post(f"{path}/bots", {"bot": bot})
        ann.ask("DELETE", f"{path}/bots/1")
        room = ann.post(f"{path}/bots", {"bot": bot})
        _begin(site, room, ann)
        for number in range(moves):
            _let_bots_move(site, room["id"])
            if game_id == "lanes" and number == 1:
                legal = ann.get(f"{path}?legal=true")["legal"]
                payload = msgspec.json.encode(legal[0]["payload"]).decode()
                ann.ask("GET", f"{path}/preview", params={"type": legal[0]["type"], "payload": payload})
                # Not the coach: who advises draws from a stream that is made of the players' ids.
            if _act(ann, room["id"], number)["status"] == "finished":
                break
        _let_bots_move(site, room["id"])
        for rest in ("", "/log", "/record", "/recall?limit=100"):
            ann.ask("GET", path + rest)
    site.nobody.ask("GET", "/rooms?game=lanes")


def _let_bots_move(site: Site, room_id: str) -> None:
    """Do what the server's clock does, here and now."""
    while (turn := site.service.look_now(room_bots.bot_turn, room_id)) is not None:
        # A seed of our own: that of the room comes from the server's entropy.
        chosen = think(turn.game_id, serialize_match(turn.match), turn.bot, turn.player_id, bytes(32), 60)
        action = msgspec.json.decode(chosen, type=Action)
        site.service.change_now(room_bots.bot_acts, room_id, turn.version, action)


class _DicePlayer:
    """Somebody at a table with shared dice, with a key and a book of their own."""

    def __init__(self, person: Person, name: str, path: str) -> None:
        self.person, self.path, self.heard, self.numbers = person, path, 0, count()
        page = self.page()
        me = Contributor(
            page.terms,
            signer_of(name),
            Ed25519Verifier(),
            lambda size: sha256(f"{name} {next(self.numbers)}".encode()).digest()[:size],
        )
        self.player = RoomPlayer(me, first_state(page.terms, page.players, page.options))
        self.listen()
        self.send(me.join(50))

    def page(self) -> DicePage:
        return msgspec.convert(self.person.get(f"{self.path}/dice?since={self.heard}"), DicePage)

    def send(self, message: Any) -> None:
        self.person.ask("POST", f"{self.path}/dice", {"message": msgspec.json.decode(write_message(message))})

    def act(self, action: Action) -> None:
        body = {"id": f"a{next(self.numbers)}", "expected_version": 0, "action": msgspec.to_builtins(action)}
        self.person.ask("POST", f"{self.path}/actions", body)

    def listen(self) -> bool:
        items = self.page().items
        for item in items:
            told = item.action or item.dice
            assert told is not None
            for message in self.player.hear(told, 0).send:
                self.send(message)
            self.heard = item.version
        return bool(items)


def signer_of(name: str) -> Ed25519Signer:
    """Return the key of a dice player."""
    return Ed25519Signer(sha256(name.encode()).digest())


def _throw_shared_dice(site: Site, ann: Person, bob: Person, olga: Person) -> None:
    room = ann.post("/dice-rooms", {"key": signer_of("ann").key, "rounds_max": 8})
    path = f"/rooms/{room['id']}"
    players = [_DicePlayer(ann, "ann", path), _DicePlayer(bob, "bob", path)]

    def settle() -> None:
        while [player for player in players if player.listen()]:
            pass

    settle()
    for player in players:
        player.act(act("buy_in", chips=500))
        settle()
    for bet in ("pass", "field"):
        for player in players:
            order = player.player.order(act("place", bet=bet, stake=10))
            assert isinstance(order, Bet), order
            player.send(order)
            settle()
        shooter = players[0].player.match.turn.current
        for player in sorted(players, key=lambda each: each.player.me.key == shooter):
            player.act(act("lock" if player.player.me.key == shooter else "ready"))
            settle()
    players[0].act(act("wave"))
    for rest in ("", "/dice", "/transcript", "/record", "/log"):
        site.nobody.ask("GET", path + rest)


def _operate(site: Site, ann: Person, bob: Person, olga: Person) -> None:
    ann.ask("GET", "/operator/counts")
    room = ann.post("/rooms", {"game": "shut-the-box", "seats": 1})
    for path in (f"/operator/accounts/{ann.id}", f"/operator/rooms/{room['id']}", "/operator"):
        olga.ask("POST", f"{path}/freeze", {"frozen": True, "why": "a look at the books"})
        ann.ask("POST", "/commitments")
        ann.ask("POST", f"/rooms/{room['id']}/ready", ready_body(room, 0))
        olga.ask("POST", f"{path}/freeze", {"frozen": False})
    olga.ask("GET", f"/operator/accounts/{ann.id}")
    committed = ann.post("/commitments")
    terms = {"game": "roulette", "options": {"zero_rule": "en_prison"}, "stake_min": 5, "stake_max": 50}
    olga.ask("PUT", "/operator/tables/6", terms)
    olga.ask("PUT", "/operator/tables/6", {**terms, "stake_min": 500})
    olga.ask("PUT", "/operator/tables/61", {**terms, "is_open": False})
    ann.ask("POST", "/sessions", {"session_id": committed["session_id"], "table": 6})
    site.nobody.ask("GET", "/games/roulette/odds?table=6")
    olga.ask("DELETE", "/operator/tables/6")
    for path in ("/operator/audit", "/operator/audit?limit=2", "/operator/counts", "/tables"):
        olga.ask("GET", path)
    site.nobody.ask("GET", "/versions?since=14")


def _go_home(site: Site, ann: Person, bob: Person, olga: Person) -> None:
    ann.ask("GET", "/me/export")
    bob.ask("DELETE", "/me")
    bob.ask("GET", "/me")
    site.nobody.ask("GET", "/leaderboard")
