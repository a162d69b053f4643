"""Refusals for people: what was understood, what is allowed, the nearest name; never a path of a machine."""

from __future__ import annotations

import pytest

TEN = ("-n", "10", "--plot", "x.svg")


@pytest.mark.parametrize(
    ("game", "typed", "told"),
    [
        ("roulette", "place rouge 10", "Roulette has no bet 'rouge'; did you mean red?"),
        ("roulette", "place foo 10", "Roulette has no bet 'foo'"),
        ("roulette", "rouge 10", "Roulette has no bet 'rouge'; did you mean red?"),
        ("roulette", "RED", "red is a bet: say for how many chips, such as red 10"),
        ("roulette", "place red ten", "stake cannot be 'ten': expected a whole number, got text"),
        ("craps", "place come ten", "stake cannot be 'ten': expected a whole number, got text"),
        ("craps", "odds 20", "Craps has no bet 'odds'; did you mean odds_pass? (bets are named like "),
        ("casino-war", "red 10", "Casino War has no action 'red'"),  # not redo, which takes nothing
        ("roulette", "plaice red 10", "Roulette has no action 'plaice'; did you mean place?"),
    ],
)
def test_a_slip_at_the_table_names_what_was_meant(visit, game, typed, told):
    answer = visit(game, f"{typed}\nq\n")

    assert told in answer.stdout
    assert "$" not in answer.stdout


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["play", "blackjack", "-o", "deck=1"], "Blackjack has no option 'deck'; did you mean decks? [bad_options]"),
        (["play", "blackjack", "-o", "decks=99"], "no such value 99 for decks; it is one of 1, 2, "),
        (["simulate", "roulette", "--bet", "rouge=10"], "Roulette has no bet 'rouge'; did you mean red? [bad_options]"),
        (["odds", "lanes"], "Lanes has no exact odds: too much can happen; croupier arena lanes measures its bots"),
        (["odds", "roulette", "rouge"], "Roulette has no bet 'rouge' here; did you mean red?"),
        (["play", "roulettte"], "there is no game 'roulettte'; did you mean roulette? (there are baccarat, "),
        (["play", "--load", "x", "--stake", "50", "--deposit", "9"], "--stake and --deposit cannot change it [usage]"),
        (["play", "--load", "x", "--super", "--shield"], "a match as it is; --super and --shield cannot change it"),
        (["simulat"], "there is no command 'simulat'; did you mean simulate? [usage]"),
        (["serve", "--log-level", "verbose"], "log_level cannot be 'verbose': no such value 'verbose' [bad_options]"),
        (["serve", "--port", "-1"], "port cannot be -1: expected a whole number >= 0 [bad_options]"),
        (["simulate", "roulette", "--bet", f"red={'9' * 5000}"], "--bet takes BET=STAKE, such as red=10, not "),
        (["simulate", "roulette", "--plot", "/nosuch/x.svg"], "/nosuch: No such directory [file_error]"),
        (["simulate", "roulette", "--plot", "x.svg", "--find", "net > 1"], "--plot draws what rounds came to"),
        (["simulate", "roulette", "--picture", "bets"], "--picture goes with --plot"),
        (["simulate", "roulette", "--precision", "0.1", "--bankroll", "9"], "--precision is that of an edge"),
        (["simulate", "roulette", *TEN, "--bankroll", "10", "--picture", "bets"], "--picture goes with --plot, and "),
        (["simulate", "roulette", *TEN, "--evening", "1000"], "--evening goes with --bankroll"),
        (["simulate", "roulette", "--find", "net > 0", "--threads", "2"], "--threads is for totals and --bankr"),
        (["simulate", "roulette", "--cluster", "local:2", "--threads", "0"], "and a cluster has its own [usage]"),
        (["simulate", "roulette", *TEN, "--picture", "nosuch"], "no picture 'nosuch': distribution or bets or conv"),
        (["simulate", "shut-the-box", *TEN, "--picture", "bets"], "there is no picture 'bets': scores or wins [usage]"),
        (["simulate", "roulette", "-n", "10", "--plot", "x.jpg"], "a file .png or .svg, not 'x.jpg' [usage]"),
        (["replay", "x.json", "--as", "nobody"], "--as goes with --at or --step"),
        (["replay", "x.json", "--as", "nobody", "--json"], "--as goes with --at or --step"),
        (["replay", "x.json", "--at", "99", "--json"], "--at, --step and --json do different things"),
        (["replay", "x.json", "--at", "0", "--step"], "--at, --step and --json do different things"),
        (["replay", "x.json", "--step", "--json"], "--at, --step and --json do different things"),
        (["odds", "roulette", "red", "--check", "--json", "--markdown"], "--json and --markdown: give one of them"),
        (["play", "shut-the-box", "--seats", "9" * 5000], "a number has at most 18 digits. [usage]"),
        (["coach", "shut-the-box", "é"], "'é' is not a situation; give the tiles that are up, "),
        (["node", "localnet", "--simulated", "--port", "99999"], "99999 is not in the range 0<=x<=65535. [usage]"),
        (["server", "audit", "--config", "no.toml"], "error: no.toml: No such file or directory [file_error]"),
        (["server", "audit", "x.db"], "audit takes no 'x.db': --database sqlite:///FILE names the database [usage]"),
        (["server", "accept", "x.db"], "accept takes no 'x.db': --database sqlite:///FILE names the database [usage]"),
        (["node", "status", "extra"], "status takes no 'extra': --rpc URL names the node [usage]"),
        (["node", "verify", "extra"], "verify takes no 'extra': --rpc URL names the node [usage]"),
        (["node", "localnet", "mynet", "--simulated"], "localnet takes one folder, and none with --sim"),
        (["node", "localnet", "mynet", "yournet"], "localnet takes one folder, and none with --sim"),
        (["node", "status", "--simulated"], "status takes no --simulated; it goes with localnet [usage]"),
        (["node", "localnet", "--rpc", "http://x"], "localnet takes no --rpc; it goes with status, query, send"),
        (["node", "query", "/status", "--key", "k.json"], "query takes no --key; it goes with send [usage]"),
        (["node", "start", "home", "--json"], "start takes no --json; it goes with init, status, query, send, key, v"),
        (["node", "status", "--rpc", "http://[::1"], "http://[::1 is no address of a node: http://HOST:PORT"),
        (["node", "status", "--rpc", "http://127.0.0.1:1"], "1:1 does not answer: Connection refused [node_error]"),
    ],
)
def test_a_slip_on_the_command_line_names_what_was_meant(run, words, told):
    answer = run(*words)

    assert answer.exit_code == 2
    assert answer.stdout == ""
    assert told in answer.stderr
    assert "$" not in answer.stderr


@pytest.mark.parametrize(
    ("typed", "line"),
    [
        ("red 10", "  red                        10  open"),
        ("10 on RED", "  red                        10  open"),
        ("17 5", "  straight:17                 5  open"),
        ("dozen:2 5", "  dozen:2                     5  open"),
        ("PLACE red 10", "  red                        10  open"),
    ],
)
def test_bets_are_typed_as_people_say_them(visit, typed, line):
    assert line in visit("roulette", f"{typed}\nq\n").stdout


def test_beginnings_of_actions_are_understood(visit):
    answer = visit("blackjack --seed 02", "dea\nsta\n")

    assert "The round is over: " in answer.stdout
    assert "no: " not in answer.stdout


def test_the_keys_come_without_the_rules_which_have_a_word_of_their_own(visit):
    keys = visit("shut-the-box --seed 00", "HELP\nexit\n").stdout
    rules = visit("shut-the-box --seed 00", "rules\nquit\n").stdout

    assert "a hint from the coach" in keys
    assert "How to play" not in keys
    assert "How to play" in rules
