"""Nothing that leaves the server tells more than the board: the same public history under two deals, byte for byte."""

import ast
import json
import logging
import random
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from banqi import Deal, Position, Rules
from banqi.server import room
from banqi.server.store import Store
from served import Caller, Pair, Player, new_key, served
from sizes import tenth

RULES = ("taiwan", "children", "double", "junqi")


class Chosen(Deal):
    """A deal whose layout a test has chosen; everything else is that of a deal as it is."""

    layouts: "dict[str, dict[int, str]]" = {}  # noqa: RUF012  # it is the test's, for one game

    def reveal(self, square: int) -> str:
        """What the test has put there."""
        super().reveal(square)
        return self.layouts["layout"][square]


def chosen(deal: Deal, nonces: tuple[str, ...]) -> Deal:
    return Chosen.from_secret(deal.secret(), deal.rules, fen=deal.fen, nonces=nonces)


@contextmanager
def under(layout: dict[int, str], patch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let every game of this process have this layout."""
    with patch.context() as patched:
        patched.setitem(Chosen.layouts, "layout", layout)
        patched.setattr(room, "dealt", chosen)
        yield


def shuffled(rules: str, rng: random.Random) -> dict[int, str]:
    pool = [letter for letter, count in Position(rules).pool.items() for _ in range(count)]
    rng.shuffle(pool)
    squares = [square for square in range(Rules.of(rules).geometry.squares) if square not in Rules.of(rules).camps]
    return dict(zip(squares, pool, strict=True))


def swapped(layout: dict[int, str], kept: set[int], rng: random.Random) -> dict[int, str]:
    """Another layout that has the same on the squares that were seen."""
    others = [square for square in layout if square not in kept]
    pieces = [layout[square] for square in others]
    before = list(pieces)
    while pieces == before:
        rng.shuffle(pieces)
    return {**layout, **dict(zip(others, pieces, strict=True))}


class Transcript:
    """Everything that came over any channel, but for ids, times, tokens and the commitment."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.hidden: dict[str, str] = {}

    def hide(self, value: str, name: str) -> None:
        """Take a value for its name from now on."""
        self.hidden[value] = name

    def take(self, channel: str, text: str) -> None:
        """Take what came."""
        for value, name in self.hidden.items():
            text = text.replace(value, name)
        text = re.sub(r'"(time|now)":[0-9]+', r'"\1":0', text)
        text, openings = re.subn(r"1\.[0-9a-f]{64}\.[0-9a-f.]+", "OPENING", text)
        # It is shown after the end, and has the secret in it.
        assert not openings or '"stage":"over"' in text or "ermination" in text
        self.parts.append(f"{channel}: {text}")


def play(address: str, rules: str, seed: int, transcript: Transcript) -> set[int]:
    """Play a game whose course follows from the seed and what is seen; return the squares that were turned up."""
    rng = random.Random(seed)
    with Caller(address) as caller:

        def http(method: str, path: str, *, token: str | None = None, **body: Any) -> Any:
            headers = {} if token is None else {"Authorization": f"Bearer {token}"}
            sent = {"json": body} if body else {}
            answer = caller.client.request(method, path, headers=headers, **sent)
            lines = [f"{name}: {value}" for name, value in answer.headers.items() if name not in ("date",)]
            transcript.take("http", f"{answer.status_code} {lines} {answer.text}")
            return answer.json() if answer.headers["content-type"] == "application/json" else answer.text

        # Told once, and different in every game: ids, tokens, the commitment.
        made = caller.post("/api/games", status=201, name="Ann", rules=rules)
        game = made["game"]
        joined = caller.post(f"/api/games/{game}/join", invitation=made["invitation"], key=new_key(), name="Bo")
        transcript.hide(game, "GAME")
        transcript.hide(made["commitment"], "COMMITMENT")
        pair = Pair(game, {0: made["token"], 1: joined["token"]})
        for seat in (0, 1):
            caller.ask(pair, seat, type="nonce", nonce=f"nonce {seat}", key=f"nonce-of-{seat}")

        sockets = {seat: Player(address, game, pair.tokens.get(seat)) for seat in (0, 1, 2)}
        for seat, player in sockets.items():
            player.until_number(6)
            transcript.take(f"seat {seat}", player.raw.pop())

        def collect() -> None:
            number = caller.state(game)["number"]
            for seat, player in sockets.items():
                player.until_number(number)
                for message in player.raw:
                    transcript.take(f"seat {seat}", message)
                player.raw.clear()

        seen = set()
        geometry = Rules.of(rules).geometry
        for step in range(40):
            state = sockets[0].state
            if state["stage"] != "playing":
                break
            seat, key, number = state["to_act"], f"request-{step:04}", state["number"]
            action = rng.random()
            if action < 0.7:
                move = rng.choice(state["legal"])
                sockets[seat].ask(key=key, type="move", move=move, after=number)
                collect()
                if match := re.fullmatch(
                    r"([a-h][0-9]+)\(.\)|[a-h][0-9]+-([a-h][0-9]+)\(.\)", sockets[0].state["last"]
                ):
                    seen.add(geometry.index(match[1] or match[2]))
            elif action < 0.8:
                # Errors of all kinds: out of turn, illegal, with a guess, outdated, misshapen.
                hidden = next((move for move in state["legal"] if "-" not in move), "a1")
                for wrong in (f"{hidden}(K)", "a1-a8", "zz", hidden):
                    sockets[rng.choice((0, 1))].ask(
                        key=f"{key}-{len(wrong)}", type="move", move=wrong, after=number if wrong != hidden else 0
                    )
                http(
                    "POST", f"/api/games/{game}/requests", token=pair.tokens[seat], type="move", key="short", move="a1"
                )
                http("POST", f"/api/games/{game}/requests", type="resign", key=key)
            elif action < 0.87:
                for request in ("ask_takeback", rng.choice(("accept_takeback", "decline_takeback"))):
                    asker = 1 - seat if request != "ask_takeback" else seat
                    sockets[asker].ask(
                        key=f"{key}-{request}", type=request, after=max(number, sockets[asker].state["number"])
                    )
                collect()
            elif action < 0.94:
                # A lost connection, resumed somewhere.
                sockets[2].close()
                sockets[2] = Player(address, game, after=rng.randrange(number + 1))
                sockets[2].until_number(number)
            else:
                http("GET", f"/api/games/{game}?after={rng.randrange(number)}")
                http("GET", f"/api/games/{game}/record")
                http("GET", f"/api/games/{game}/record.json")
            collect()
        # A count of what the server has done, too; how long that took is no part of it.
        figures = caller.client.get("/metrics").text
        transcript.take("metrics", re.sub(r"banqi_accept_seconds.*|.*rooms.*|.*games_total.*", "", figures))
        for player in sockets.values():
            player.close()
    return seen


@pytest.mark.parametrize("rules", RULES)
def test_another_deal_with_the_same_history_changes_no_byte(
    rules: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    caplog.set_level(logging.INFO)
    for seed in range(tenth(50)):
        rng = random.Random(f"{rules} {seed}")
        layout = shuffled(rules, rng)
        transcripts, logs, kept = [], [], set()
        for turn in range(2):
            with under(layout, monkeypatch), served(f"sqlite:///{tmp_path}/{seed}-{turn}.db") as address:
                caplog.clear()
                transcript = Transcript()
                seen = play(address, rules, seed, transcript)
            told = capfd.readouterr()
            transcripts.append(transcript.parts)
            lines = [r.getMessage() for r in caplog.records if r.name.startswith(("banqi", "uvicorn", "litestar"))]
            logs.append(
                (
                    re.sub(r"127\.0\.0\.1:[0-9]+|\[[0-9]+\]|GAME|[\w-]{16}/socket", "", "\n".join(lines)),
                    told.out,
                    told.err,
                )
            )
            if turn == 0:
                kept = seen
                layout = swapped(layout, kept, rng)
            else:
                # The history is the same, so the same squares were turned up.
                assert seen == kept
        assert transcripts[0] == transcripts[1]
        assert logs[0] == logs[1]
        assert len(transcripts[0]) > 20


def test_the_comparison_would_find_a_leak(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(0)
    layout = shuffled("taiwan", rng)
    publish = room.Room._publish

    def leaky(self: room.Room) -> None:
        publish(self)
        if self._game is not None:
            deal = self._game._deal
            self._state = replace(self._state, termination="".join(map(deal.reveal, layout)))

    monkeypatch.setattr(room.Room, "_publish", leaky)
    parts = []
    for turn in range(2):
        with under(layout, monkeypatch), served(f"sqlite:///{tmp_path}/{turn}.db") as address:
            transcript = Transcript()
            seen = play(address, "taiwan", 1, transcript)
            parts.append(transcript.parts)
        layout = swapped(layout, seen, rng)
    assert parts[0] != parts[1]


@pytest.mark.parametrize("name", ["messages", "ledger", "view", "answers", "work", "connection", "api"])
def test_what_goes_out_is_made_without_deals(name: str) -> None:
    """The modules that make and send what goes out know neither deals nor games, which hold one."""
    path = Path(room.__file__).with_name(f"{name}.py")
    tree = ast.parse(path.read_text(encoding="utf-8"))
    modules = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert not modules & {"banqi", "banqi.deal", "banqi.game"}


def test_the_secret_is_nowhere_but_in_its_column(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    with served(f"sqlite:///{path}") as address, Caller(address) as caller:
        pair = caller.game()
        caller.move(pair, "a1")
        told = caller.client.get(f"/api/games/{pair.game}").text + caller.client.get("/metrics").text
        with Player(address, pair.game, pair.tokens[0]) as player:
            player.receive()
            told += player.raw[0]
        assert "opening" in json.loads(player.raw[0])["state"]
        assert json.loads(player.raw[0])["state"]["opening"] is None
        caller.ask(pair, 0, type="resign")
        opening = caller.state(pair.game)["opening"]
        secret = bytes.fromhex(opening.split(".")[1])
    assert secret.hex() not in told
    with Store(f"sqlite:///{path}") as kept:
        events = b"".join(item.entry.payload for item in kept.events(pair.game)[:-1])
    assert secret not in events
    assert secret.hex().encode() not in events
    for token in pair.tokens.values():
        assert token.encode() not in path.read_bytes()
