"""Games over the wire: two players, spectators, the computer, restarts, several processes."""

import sqlite3
import time
from pathlib import Path

import pytest

from banqi.record import Record, verify
from banqi.server import room
from banqi.server.hub import SWEEP_SECONDS
from served import Caller, Player, new_key, served, spawned

UNKNOWN = "A" * 16


def test_two_players_and_a_spectator_see_the_same(database: str) -> None:
    with served(database) as address, Caller(address) as caller:
        pair = caller.game()
        with (
            Player(address, pair.game, pair.tokens[0]) as ann,
            Player(address, pair.game, pair.tokens[1]) as bo,
            Player(address, pair.game) as spectator,
        ):
            ann.until_number(1)
            for number in range(6):
                mover = (ann, bo)[number % 2]
                before = mover.state["number"]
                flip = next(move for move in mover.state["legal"] if "-" not in move)
                answer = mover.ask(type="move", move=flip, after=before)
                assert (answer["type"], answer["number"]) == ("accepted", before + 1)
                for player in (ann, bo, spectator):
                    player.until_number(before + 1)
            assert bo.ask(type="resign")["type"] == "accepted"
            last = caller.get(f"/api/games/{pair.game}")
            for player in (ann, bo, spectator):
                player.until_number(last["state"]["number"])
                assert player.state == last["state"]
                assert [player.events[number] for number in sorted(player.events)] == last["events"]
        record = Record.from_text(caller.client.get(f"/api/games/{pair.game}/record").text)
        assert verify(record, ["words of seat 0", "words of seat 1"]).nonces_compared
        assert (record.result, record.termination) == ("1-0", "resign")
        assert Record.from_json(caller.client.get(f"/api/games/{pair.game}/record.json").text) == record


def test_a_lost_connection_is_resumed_at_the_last_number(tmp_path: Path) -> None:
    with served(f"sqlite:///{tmp_path / 'games.db'}") as address, Caller(address) as caller:
        pair = caller.game()
        with Player(address, pair.game) as first:
            first.until_number(1)
            known = first.state["number"]
        caller.move(pair, "a1")
        caller.move(pair, "b1")
        with Player(address, pair.game, after=known) as again:
            message = again.receive()
        assert (message["first"], len(message["events"])) == (known + 1, 2)
        # Who says he knows more than there is gets the state all the same.
        with Player(address, pair.game, after=10_000) as ahead:
            message = ahead.receive()
        assert (message["first"], message["events"], message["state"]["number"]) == (known + 3, [], known + 2)


def test_a_repeated_request_changes_nothing(database: str) -> None:
    with served(database) as address, Caller(address) as caller:
        pair = caller.game()
        state = caller.state(pair.game)
        move = {"type": "move", "move": "a1", "after": state["number"], "key": new_key()}
        first = caller.ask(pair, 0, **move)
        assert caller.ask(pair, 0, **move) == first
        with Player(address, pair.game, pair.tokens[0]) as player:
            assert player.ask(**move) == {"type": "accepted", "key": move["key"], "number": first["number"]}
        assert caller.state(pair.game)["number"] == first["number"]
        # The key is the first seat's: the other one's request is new, and comes too late.
        assert caller.ask(pair, 1, status=409, **move)["detail"] == "the game has gone on since"


def test_joining_again_answers_the_same(database: str) -> None:
    with served(database) as address, Caller(address) as caller:
        made = caller.post("/api/games", status=201, name="Ann", seat=1)
        path = f"/api/games/{made['game']}/join"
        join = {"invitation": made["invitation"], "key": new_key(), "name": "Bo"}
        joined = caller.post(path, **join)
        assert joined["seat"] == 0
        assert caller.post(path, **join) == joined
        assert caller.post(path, status=409, **{**join, "key": new_key()})["detail"] == "the seat is taken"
        assert caller.post(path, status=403, **{**join, "invitation": made["token"]})
        assert [seat["name"] for seat in caller.state(made["game"])["seats"]] == ["Bo", "Ann"]
        assert caller.post(f"/api/games/{UNKNOWN}/join", status=404, **join)


def test_what_opens_no_seat_is_refused(tmp_path: Path) -> None:
    with served(f"sqlite:///{tmp_path / 'games.db'}") as address, Caller(address) as caller:
        pair, other = caller.game(), caller.game()
        resign = {"type": "resign", "key": new_key()}
        path = f"/api/games/{pair.game}/requests"
        assert caller.post(path, status=401, **resign)
        assert caller.post(path, status=403, token="x" * 43, **resign)
        assert caller.post(path, status=403, token=other.tokens[0], **resign)
        assert caller.post(f"/api/games/{UNKNOWN}/requests", status=404, token=pair.tokens[0], **resign)
        assert caller.get(f"/api/games/{UNKNOWN}", status=404)
        assert caller.get(f"/api/games/{UNKNOWN}/record", status=404)
        for game, token, code in (
            (pair.game, other.tokens[0], 4403),
            (UNKNOWN, None, 4404),
            (UNKNOWN, pair.tokens[0], 4404),
            (pair.game, "short", 4400),
        ):
            with Player(address, game, token) as player:
                assert player.closed() == code
        with Player(address, pair.game) as spectator:
            assert spectator.ask(type="resign")["reason"] == "a spectator asks for nothing"
            spectator.send(type="nonsense")
            while None not in spectator.answers:
                spectator.receive()
        assert caller.state(pair.game)["stage"] == "playing"


def test_the_computer_plays(database: str) -> None:
    with served(database) as address, Caller(address) as caller:
        made = caller.post("/api/games", status=201, name="Ann", computer={"level": "easy"}, seat=1)
        with Player(address, made["game"], made["token"]) as player:
            player.ask(type="nonce", nonce="mine")
            for _ in range(5):
                while player.state["to_act"] != 1:
                    player.receive()
                player.ask(type="move", move=player.state["legal"][0], after=player.state["number"])
            moves = [event for event in player.events.values() if event["event"] == "moved"]
            assert [move["seat"] for move in moves[:10]] == [0, 1] * 5
            player.ask(type="resign")
            player.ask(type="rematch")
            game = player.state["rematch"]
        with Player(address, game, made["token"]) as player:
            # The seats are swapped, and the token opens the other one.
            player.ask(type="nonce", nonce="again")
            assert player.state["seats"][0]["name"] == "Ann"
            assert player.ask(type="move", move="a1", after=player.state["number"])["type"] == "accepted"
            player.until_number(player.state["number"] + 1)


def test_a_rematch_is_opened_by_the_same_tokens(database: str) -> None:
    with served(database) as address, Caller(address) as caller:
        pair = caller.game()
        caller.ask(pair, 0, type="resign")
        caller.ask(pair, 0, type="rematch")
        key = new_key()
        caller.ask(pair, 1, type="rematch", key=key)
        caller.ask(pair, 1, type="rematch", key=key)
        pair.game = caller.state(pair.game)["rematch"]
        assert [seat["name"] for seat in caller.state(pair.game)["seats"]] == ["Bo", "Ann"]
        pair.tokens = {0: pair.tokens[1], 1: pair.tokens[0]}
        for seat in (0, 1):
            caller.ask(pair, seat, type="nonce", nonce="next")
        caller.move(pair)


def test_a_flag_falls_though_nobody_asks(database: str) -> None:
    with served(database) as address, Caller(address) as caller:
        pair = caller.game(clock=1000)
        with Player(address, pair.game) as spectator:
            begun = time.monotonic()
            while spectator.state is None or spectator.state["stage"] != "over":
                spectator.receive()
            assert time.monotonic() - begun < 1 + 4 * SWEEP_SECONDS
        assert (spectator.state["winner"], spectator.state["termination"]) == (1, "time")


def test_games_survive_a_restart(database: str) -> None:
    with served(database) as address, Caller(address) as caller:
        pair = caller.game(clock=600_000)
        caller.move(pair, "a1")
        caller.ask(pair, 1, type="offer_draw", after=caller.state(pair.game)["number"])
        before = caller.get(f"/api/games/{pair.game}")
    with served(database) as address, Caller(address) as caller:
        after = caller.get(f"/api/games/{pair.game}")
        assert {**after, "now": 0} == {**before, "now": 0}
        caller.ask(pair, 0, type="accept_draw", after=after["state"]["number"])
        assert caller.state(pair.game)["termination"] == "agreement"


def test_a_computer_that_was_interrupted_moves_after_the_restart(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'games.db'}"
    with spawned(database, tmp_path) as process:
        with Caller(process.address) as caller:
            made = caller.post("/api/games", status=201, name="Ann", computer={"level": "hard"})
            path = f"/api/games/{made['game']}/requests"
            caller.post(path, token=made["token"], type="nonce", nonce="mine", key=new_key())
            number = caller.state(made["game"])["number"]
            caller.post(path, token=made["token"], type="move", move="a1", after=number, key=new_key())
        # It thinks for a second.
        process.kill()
        process.start()
        with Player(process.address, made["game"]) as spectator:
            spectator.until_number(number + 2)
            assert spectator.events[number + 2]["seat"] == 1


def test_several_processes_serve_one_game(postgresql: str) -> None:
    with served(postgresql) as one, served(postgresql) as two, Caller(one) as caller, Caller(two) as other:
        pair = caller.game()
        with Player(two, pair.game, pair.tokens[1]) as bo, Player(one, pair.game, pair.tokens[0]) as ann:
            bo.until_number(1)
            ann.until_number(1)
            for number in range(10):
                mover, waiter = (ann, bo) if number % 2 == 0 else (bo, ann)
                before = mover.state["number"]
                flip = next(move for move in mover.state["legal"] if "-" not in move)
                assert mover.ask(type="move", move=flip, after=before)["number"] == before + 1
                waiter.until_number(before + 1)
                mover.until_number(before + 1)
                assert ann.state == bo.state == caller.state(pair.game) == other.state(pair.game)
            # Both processes are asked at once: one event follows the other, and each request has one.
            keys = [new_key() for _ in range(20)]
            for number, key in enumerate(keys):
                player = (ann, bo)[number % 2]
                player.send(key=key, type="offer_draw" if number % 4 < 2 else "decline_draw", after=before + 1)
            for number, key in enumerate(keys):
                player = (ann, bo)[number % 2]
                while key not in player.answers:
                    player.receive()
            number = caller.state(pair.game)["number"]
            ann.until_number(number)
            bo.until_number(number)
            assert ann.events == {n: bo.events[n] for n in ann.events}
            assert sorted(bo.events) == list(range(1, number + 1))


def test_a_stop_finishes_what_was_accepted(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'games.db'}"
    with spawned(database, tmp_path) as process:
        with Caller(process.address) as caller:
            pair = caller.game()
            number = caller.state(pair.game)["number"]
            with Player(process.address, pair.game, pair.tokens[0]) as player:
                player.until_number(number)
                answer = player.ask(type="move", move="a1", after=number)
                assert process.stop() == 0
                assert player.closed() == 1012
        assert process.log == b""
        process.start()
        with Caller(process.address) as caller:
            assert caller.state(pair.game)["number"] == answer["number"]


@pytest.mark.parametrize("rules", ["hongkong", "mainland", "children", "cannon-chain", "double", "junqi"])
def test_every_rule_set_is_played(tmp_path: Path, rules: str) -> None:
    with served(f"sqlite:///{tmp_path / 'games.db'}") as address, Caller(address) as caller:
        pair = caller.game(rules=rules)
        for _ in range(30):
            if caller.state(pair.game)["stage"] == "playing":
                caller.move(pair)
        record = Record.from_text(caller.client.get(f"/api/games/{pair.game}/record").text)
        assert str(record.rules) == rules


def test_a_game_that_is_broken_keeps_no_other_from_its_end(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    with served(f"sqlite:///{path}") as address, Caller(address) as caller:
        pairs = [caller.game(clock=1000) for _ in range(2)]
    with sqlite3.connect(path) as connection:
        connection.execute("update events set payload = 'x' where game = ? and number = 4", (pairs[0].game,))
    connection.close()
    with served(f"sqlite:///{path}") as address, Caller(address) as caller:
        with Player(address, pairs[1].game) as spectator:
            while spectator.state is None or spectator.state["stage"] != "over":
                spectator.receive()
        assert caller.get(f"/api/games/{pairs[0].game}", status=500)["detail"] == "the server failed"


def test_a_game_that_has_become_too_long_is_drawn(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # Five events until it begins, two moves; a draw is offered and declined; the move after that is the tenth.
    monkeypatch.setattr(room, "MOST_EVENTS", 10)
    with served(database) as address, Caller(address) as caller:
        made = caller.post("/api/games", status=201, name="Ann", computer={"level": "easy"})
        with Player(address, made["game"], made["token"]) as player:
            player.ask(type="nonce", nonce="mine")
            player.until_number(5)
            player.ask(type="move", move="a1", after=5)
            player.until_number(7)
            assert player.ask(type="offer_draw", after=7)["type"] == "accepted"
            player.until_number(9)
            for wrong in ("offer_draw", "ask_takeback"):
                assert player.ask(type=wrong, after=9)["reason"] == "the game has become too long"
            player.ask(type="move", move=player.state["legal"][0], after=9)
            player.until_number(11)
        assert (player.state["winner"], player.state["termination"]) == (None, "agreement")
    # It is read as it was played.
    with served(database) as address, Caller(address) as caller:
        assert caller.state(made["game"]) == player.state


@pytest.mark.parametrize("game", ["%00", "a%00b", "%ff", "x" * 33, "a b", "x'%22;"])
def test_what_is_no_id_is_no_game(database: str, game: str) -> None:
    with served(database) as address, Caller(address) as caller:
        for path in ("", "/record", "/record.json"):
            caller.get(f"/api/games/{game}{path}", status=404)
        caller.post(f"/api/games/{game}/join", status=404, invitation="x" * 43, key=new_key(), name="Bo")
        caller.post(f"/api/games/{game}/requests", status=404, token="x" * 43, type="resign", key=new_key())
        for token in (None, "x" * 43):
            with Player(address, game.replace(" ", "%20"), token) as player:
                assert player.closed() == 4404
