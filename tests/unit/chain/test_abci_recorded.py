"""A conversation recorded with CometBFT v0.38.26: the same requests get the same answers, mutated ones BadMessage."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.chain.abci.messages import FinalizeBlock, InitChain, decode_request, encode_response
from croupier.chain.abci.protobuf import BadMessage
from croupier.chain.abci.server import answer_request
from croupier.chain.app import HouseApp
from croupier.chain.store import ChainStore
from croupier.engine import get_game

RECORDED = json.loads((Path(__file__).parents[2] / "vectors" / "chain" / "abci.json").read_text())
MESSAGES = [(number, bytes.fromhex(asked), bytes.fromhex(told)) for number, asked, told in RECORDED["messages"]]
REQUESTS = [asked for _, asked, _ in MESSAGES]


def test_the_recorded_conversation_is_answered_in_the_same_bytes(monkeypatch):
    # Games may have other rules by now than when this was recorded; only roulette is played in it.
    begin = next(each for each in map(decode_request, REQUESTS) if isinstance(each, InitChain))
    for game_id, version in json.loads(begin.app_state)["params"]["rules_versions"].items():
        monkeypatch.setattr(type(get_game(game_id)), "rules_version", version)
    app = HouseApp(ChainStore(), bytes.fromhex(RECORDED["share"]))
    kinds: Counter[str] = Counter()
    for _, asked, told in MESSAGES:
        request = decode_request(asked)
        kinds[type(request).__name__] += 1
        assert encode_response(request, answer_request(app, request)) == told, request

    everything = {
        "CheckTx", "Commit", "ExtendVote", "FinalizeBlock", "Flush", "Info", "InitChain", "PrepareProposal",
        "ProcessProposal", "Query",
    }  # fmt: skip
    assert everything <= set(kinds)
    assert len({number for number, _, _ in MESSAGES}) >= 3
    assert app.state.height >= 5


def test_recorded_requests_of_cometbft_are_read_field_by_field():
    requests = [decode_request(asked) for asked in REQUESTS]
    begin = next(each for each in requests if isinstance(each, InitChain))
    blocks = {each.height: each for each in requests if isinstance(each, FinalizeBlock)}

    assert begin.chain_id == "recorded"
    assert [(len(v.public_key.ed25519), v.power) for v in begin.validators if v.public_key] == [(32, 1)]
    assert begin.app_state.startswith(b"{")
    assert begin.initial_height == 1
    assert sorted(blocks) == list(range(1, len(blocks) + 1))
    assert all(len(each.hash) == 32 for each in blocks.values())
    assert all(each.time is not None and each.time.seconds > 1_700_000_000 for each in blocks.values())


@settings(derandomize=True, deadline=None, max_examples=300)
@given(st.data())
def test_mutated_recorded_requests_are_read_or_refused(data):
    raw = bytearray(data.draw(st.sampled_from(REQUESTS)))
    for _ in range(data.draw(st.integers(1, 3))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    try:
        decode_request(bytes(raw))
    except BadMessage:
        return
