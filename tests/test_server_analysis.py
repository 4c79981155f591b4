"""Long requests about positions: lines that come deeper and deeper, and a game's review action by action."""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from banqi import Deal, Game, Position
from served import Caller, served


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder: Path = tmp_path_factory.mktemp("analysis")
    with served(f"sqlite:///{folder / 'games.db'}", search_seconds=0.3) as host:
        yield host


def lines_of(address: str, path: str, **body: Any) -> list[Any]:
    with httpx.Client(base_url=f"http://{address}", timeout=60) as client:
        answer = client.post(path, json=body)
        assert answer.status_code == 200, answer.text
        assert answer.headers["content-type"].startswith("application/x-ndjson")
        return [json.loads(line) for line in answer.text.splitlines()]


def played(rules: str, seed: int, actions: int) -> Game:
    game = Game(deal=Deal(rules, seed=seed))
    rng = random.Random(seed)
    while game.outcome() is None and len(game.position.move_stack) < actions:
        game.play(rng.choice(list(game.position.legal_moves)))
    return game


def test_a_deepening_searches_deeper_and_deeper(address: str) -> None:
    position = played("taiwan", 1, 12).position
    found = lines_of(address, "/api/deepening", moves=[str(move) for move in position.move_stack], lines=2)
    assert len(found) > 1
    assert {answer["fen"] for answer in found} == {position.fen()}
    depths = [answer["lines"][0]["depth"] for answer in found]
    assert depths[0] < depths[-1]
    assert all(len(answer["lines"]) == 2 for answer in found[1:])


def test_a_deepening_ends_where_all_is_proven(address: str) -> None:
    # The rook takes the last soldier in one step.
    found = lines_of(address, "/api/deepening", fen="4/4/4/4/4/4/4/Rp2 r - - 0", lines=1)
    assert found[-1]["lines"][0]["move"] == "a1-b1"
    assert (found[-1]["lines"][0]["value"], found[-1]["lines"][0]["proven"]) == (1.0, True)
    assert len(found) < 3


def test_a_deepening_of_a_finished_game_tells_its_end(address: str) -> None:
    found = lines_of(address, "/api/deepening", fen="4/4/4/4/4/4/4/R3 r - - 0")
    assert [(answer["outcome"]["termination"], answer["lines"]) for answer in found] == [("all_captured", [])]


@pytest.mark.parametrize("rules", ["taiwan", "children", "junqi"])
def test_a_review_tells_of_each_action(address: str, rules: str) -> None:
    moves = played(rules, 3, 24).position.move_stack
    found = lines_of(address, "/api/review", rules=rules, moves=[str(move) for move in moves], lines=2)
    assert [answer["action"] for answer in found] == list(range(len(moves)))
    position = Position(rules)
    for answer, move in zip(found, moves, strict=True):
        assert (answer["move"], answer["seat"]) == (str(move), position.seat)
        assert answer["colour"] == (None if position.side is None else position.side.value)
        assert answer["played"]["move"] == str(move.request)
        assert answer["best"] >= answer["played"]["value"]
        reveals = {reveal["identity"]: reveal for reveal in answer["played"]["reveals"]}
        if move.reveal is None:
            assert answer["after"] == answer["played"]["value"]
        else:
            assert answer["after"] == reveals[move.reveal]["value"]
            assert sum(reveal["chance"] for reveal in reveals.values()) == pytest.approx(1)
        position.push(move)


def test_a_review_may_begin_later(address: str) -> None:
    moves = [str(move) for move in played("taiwan", 4, 10).position.move_stack]
    assert [answer["action"] for answer in lines_of(address, "/api/review", moves=moves, first=7)] == [7, 8, 9]
    assert lines_of(address, "/api/review", moves=moves, first=10) == []


@pytest.mark.parametrize("path", ["/api/deepening", "/api/review"])
def test_what_makes_no_sense_is_refused_before_anything_is_sent(address: str, path: str) -> None:
    with Caller(address) as caller:
        assert "a1-a2" in caller.post(path, status=400, moves=["a1-a2"])["detail"]
        caller.post(path, status=400, fen="x")


def test_a_long_request_counts_once(tmp_path: Path) -> None:
    with served(f"sqlite:///{tmp_path / 'games.db'}", rates={"engine": "2/hour"}, search_seconds=0.1) as host:
        moves = [str(move) for move in played("taiwan", 5, 6).position.move_stack]
        assert len(lines_of(host, "/api/review", moves=moves)) == 6
        assert lines_of(host, "/api/deepening", moves=moves)
        with Caller(host) as caller:
            caller.post("/api/review", status=429, moves=moves)


def test_who_goes_away_ends_his_stream(address: str) -> None:
    moves = [str(move) for move in played("taiwan", 6, 150).position.move_stack]
    with httpx.Client(base_url=f"http://{address}", timeout=60) as client:
        with client.stream("POST", "/api/review", json={"moves": moves}) as answer:
            next(answer.iter_lines())
        # Had the review gone on, this would wait for all of it.
        assert client.post("/api/bestmove", json={"depth": 1}).elapsed.total_seconds() < 2
    with Caller(address) as caller:
        assert "banqi_engine_requests 0" in caller.client.get("/metrics").text
