"""Who waits for whom where engines search: games' moves for no request, and all games a fair share."""

import asyncio
import time
from collections.abc import Iterator
from multiprocessing import active_children

import pytest

from banqi import Limit, Position
from banqi.server.work import Busy, Work, analyse


@pytest.fixture
def work() -> Iterator[Work]:
    made = Work(1, 16)
    yield made
    made.close()


async def moves(work: Work, count: int, seconds: float = 1.0) -> float:
    """Ask for so many moves at once, and return how long they took."""
    begun = time.monotonic()
    played = await asyncio.gather(*(work.move(Position(), "hard", lambda: seconds) for _ in range(count)))
    assert all(move in map(str, Position().legal_moves) for move in played)
    return time.monotonic() - begun


def test_a_move_waits_for_no_request(work: Work) -> None:
    async def run() -> None:
        await moves(work, 1, 0.01)
        requests = [asyncio.create_task(work.ask(analyse, Position(), Limit(time=5.0), 1)) for _ in range(16)]
        await asyncio.sleep(0.2)
        assert work.full
        with pytest.raises(Busy):
            await work.ask(analyse, Position(), Limit(time=5.0), 1)
        # One after the other, they would take eighty seconds.
        assert await moves(work, 1, 0.1) < 4
        assert not any(request.done() for request in requests)
        for request in requests:
            request.cancel()
        await asyncio.gather(*requests, return_exceptions=True)

    asyncio.run(run())


def test_moves_that_wait_share_the_time_of_one(work: Work) -> None:
    async def run() -> None:
        await moves(work, 1, 0.01)
        # Of n that wait, each has an n-th of a second: 1 + 1/2 + ... + 1/12 is 3.1, and alone each would take one.
        assert 2 < await moves(work, 12) < 7

    asyncio.run(run())


def test_a_move_whose_process_dies_is_thought_about_again(work: Work) -> None:
    async def run() -> None:
        await moves(work, 1, 0.01)
        thinking = asyncio.create_task(moves(work, 1))
        await asyncio.sleep(0.2)
        for child in active_children():
            child.kill()
        assert await thinking < 10

    asyncio.run(run())


def test_a_request_whose_process_dies_disturbs_no_move(work: Work) -> None:
    async def run() -> None:
        before = set(active_children())
        await work.ask(analyse, Position(), Limit(depth=1), 1)
        (child,) = set(active_children()) - before
        await moves(work, 1, 0.01)
        others = set(active_children()) - {child}
        request = asyncio.create_task(work.ask(analyse, Position(), Limit(time=5.0), 1))
        await asyncio.sleep(0.2)
        child.kill()
        with pytest.raises(Busy):
            await request
        await moves(work, 1, 0.01)
        assert set(active_children()) >= others

    asyncio.run(run())
