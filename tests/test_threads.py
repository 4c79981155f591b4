"""Threads: those of one search, those of Python that share an engine, and the ways to end a search from outside."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import pytest

from banqi import Engine, EngineError, Limit, Position, Score

MIDDLE_GAME = "kCPm/gpxx/rPPr/xNxx/xKpG/Rx1x/xpmx/MPpM r GRNCPgnccp - 1"
# 28 pieces face up, 11 face down.
JUNQI_MIDDLE_GAME = "xxr2/1xxto/ODx1b/LlC1x/2C1M/Gx3/1dc1g/1CL1x/B2cx/LPlp1/1R1mx/1lbxt r BRTPEOFreof - 0"
by_game = pytest.mark.parametrize(("rules", "fen"), [("taiwan", MIDDLE_GAME), ("junqi", JUNQI_MIDDLE_GAME)])
START = "xxxx/xxxx/xxxx/xxxx/xxxx/xxxx/xxxx/xxxx ? KGGMMRRNNCCPPPPPkggmmrrnnccppppp - 0"
WIN_IN_3 = "4/4/4/4/4/1R2/4/p3 r - - 0"
# The marshal gets beside the flag; what blue plays far away helps nothing.
JUNQI_WIN_IN_3 = "4p/5/5/5/5/5/5/5/5/M4/5/f3F r - - 0"
# What must end at once ends within this many seconds, in the best of several tries on a busy machine.
AT_ONCE = 0.1
TRIES = 5


@pytest.fixture
def engine():
    with Engine(hash_mb=1) as engine:
        yield engine


def middle_game():
    return Position.from_fen(MIDDLE_GAME)


def in_thread(function, *arguments):
    """Run a function in a thread; what it returned, or its error, is in the list when the thread has ended."""
    results = []

    def run():
        try:
            results.append(function(*arguments))
        except BaseException as error:
            results.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return thread, results


def wait_until_searching(engine):
    """Return as soon as somebody's search has its turn."""
    deadline = time.perf_counter() + 10
    while engine._current is None:
        assert time.perf_counter() < deadline


# ---- search threads ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("threads", [2, 3, 4])
@by_game
def test_search_threads_give_a_legal_move(threads, rules, fen):
    with Engine(threads, hash_mb=1) as engine:
        assert engine.threads == threads
        for _ in range(20):
            position = Position.from_fen(fen, rules)
            result = engine.play(position, Limit(nodes=20_000))
            assert result.move in position.legal_moves
            start = Position(rules)
            assert engine.play(start, Limit(nodes=1000)).move in start.legal_moves


@pytest.mark.parametrize("threads", [2, 4])
@pytest.mark.parametrize(
    ("rules", "fen", "move"), [("taiwan", WIN_IN_3, "b3b2"), ("junqi", JUNQI_WIN_IN_3, "a3a2")], ids=["taiwan", "junqi"]
)
def test_search_threads_prove_the_same(threads, rules, fen, move):
    with Engine(threads, hash_mb=1) as engine:
        for _ in range(20):
            result = engine.play(Position.from_fen(fen, rules), Limit(depth=6))
            assert result.move.wire() == move
            assert result.info.score == Score(1.0, True, 3)
            engine.clear()


@pytest.mark.parametrize("threads", [2, 4])
def test_search_threads_share_the_limit_of_nodes(threads):
    """Each looks at the sum now and then."""
    with Engine(threads, hash_mb=1) as engine:
        info = engine.play(middle_game(), Limit(nodes=200_000)).info
        assert 200_000 <= info.nodes < 200_000 + threads * 2048


@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="threads are counted in /proc")
def test_search_threads_run_while_it_thinks_and_no_longer():
    def running():
        return len(os.listdir("/proc/self/task"))

    before = running()
    with Engine(4, hash_mb=1) as engine:
        with engine.analysis(middle_game()) as analysis:
            next(iter(analysis))
            # The thread of the analysis is one of the four.
            assert running() == before + 4
        deadline = time.perf_counter() + 10
        while running() > before and time.perf_counter() < deadline:
            time.sleep(0.001)
        assert running() == before


def test_search_threads_share_the_work():
    """What one thread has searched stands in the table for the other: two do less than each would do alone.

    If the processors are busy the helper does less still, so that load cannot make this fail.
    """
    with Engine(1, hash_mb=16) as engine:
        alone = engine.play(middle_game(), Limit(depth=5)).info.nodes
    with Engine(2, hash_mb=16) as engine:
        together = []
        for _ in range(TRIES):
            engine.clear()
            together.append(engine.play(middle_game(), Limit(depth=5)).info.nodes)
    assert sorted(together)[TRIES // 2] < 1.8 * alone


def test_many_threads_on_few_processors():
    with Engine(64, hash_mb=1) as engine:
        for _ in range(3):
            assert engine.play(middle_game(), Limit(nodes=50_000)).move in middle_game().legal_moves


# ---- threads of Python -------------------------------------------------------------------------------------------


def test_a_search_lets_other_threads_run(engine):
    """A thread that wakes each millisecond makes progress while the main thread searches."""
    stopped = threading.Event()
    wakings = []

    def tick():
        while not stopped.is_set():
            wakings.append(time.perf_counter())
            time.sleep(0.001)

    thread, _ = in_thread(tick)
    started = time.perf_counter()
    engine.play(middle_game(), Limit(time=0.4))
    ended = time.perf_counter()
    stopped.set()
    thread.join()
    assert sum(started + 0.05 < waking < ended - 0.05 for waking in wakings) > 30


@pytest.mark.parametrize("threads", [1, 2])
def test_one_engine_in_several_python_threads(threads):
    """They take turns; everyone gets an answer to its own question."""
    winning, middle = Position.from_fen(WIN_IN_3), middle_game()
    with Engine(threads, hash_mb=1) as engine:

        def ask(number):
            for _ in range(15):
                if number % 2:
                    assert engine.play(winning, Limit(depth=4)).info.score == Score(1.0, True, 3)
                else:
                    infos = engine.analyse(middle, Limit(nodes=3000), multipv=3)
                    assert {info.move for info in infos} <= set(middle.legal_moves)
            return "done"

        workers = [in_thread(ask, number) for number in range(4)]
        for thread, _ in workers:
            thread.join()
    assert [results for _, results in workers] == 4 * [["done"]]


def test_one_thread_clears_while_another_searches(engine):
    thread, results = in_thread(engine.play, middle_game(), Limit(time=0.05))
    for _ in range(5):
        engine.clear()
    thread.join()
    assert results[0].move in middle_game().legal_moves


def test_several_analyses_take_turns(engine):
    with (
        engine.analysis(middle_game(), Limit(nodes=20_000)) as one,
        engine.analysis(Position.from_fen(WIN_IN_3), Limit(depth=4)) as other,
    ):
        assert list(other)[-1].score == Score(1.0, True, 3)
        assert list(one)
    assert one.wait()[0].nodes == 20_000


def test_stopping_one_analysis_leaves_another_alone(engine):
    """The one that waits for its turn ends at once, the one that searches goes on."""
    with engine.analysis(middle_game(), Limit(time=20)) as searching:
        wait_until_searching(engine)
        started = time.perf_counter()
        with engine.analysis(middle_game(), Limit(time=20)) as waiting:
            waiting.stop()
            assert list(waiting) == []
            assert waiting.wait() == []
        # Leaving the block ends one that waits, too.
        with engine.analysis(middle_game(), Limit(time=20)):
            pass
        assert time.perf_counter() - started < 5
        assert searching._thread.is_alive()
        searching.stop()
        assert searching.wait()[0].depth > 0


def test_stopping_an_analysis_that_has_ended_leaves_the_next_search_alone(engine):
    ended = engine.analysis(Position.from_fen(WIN_IN_3), Limit(depth=1))
    ended.wait()
    thread, results = in_thread(engine.play, middle_game(), Limit(time=0.2))
    wait_until_searching(engine)
    ended.stop()
    thread.join()
    assert results[0].info.time >= 0.2


# ---- stopping ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("threads", [1, 2])
def test_stop_ends_a_search_at_once(threads):
    delays = []
    with Engine(threads, hash_mb=1) as engine:
        for _ in range(TRIES):
            thread, results = in_thread(engine.play, middle_game(), Limit(time=20))
            wait_until_searching(engine)
            time.sleep(0.01)
            started = time.perf_counter()
            engine.stop()
            thread.join()
            delays.append(time.perf_counter() - started)
            assert results[0].move in middle_game().legal_moves
        engine.stop()
        # With nothing under way it does nothing, now or later.
        assert engine.play(middle_game(), Limit(nodes=5000)).info.nodes >= 5000
    assert min(delays) < AT_ONCE


def test_stop_ends_an_analysis_at_once(engine):
    delays = []
    for number in range(TRIES):
        with engine.analysis(middle_game(), multipv=1 + 200 * (number % 2)) as analysis:
            next(iter(analysis))
            started = time.perf_counter()
            analysis.stop()
            analysis.wait()
            delays.append(time.perf_counter() - started)
    assert min(delays) < AT_ONCE


def test_a_stop_that_comes_early_is_heard(engine):
    """Whether a search has just begun makes no difference, once it has its turn."""
    for _ in range(50):
        analysis = engine.analysis(middle_game(), Limit(time=20))
        analysis.stop()
        analysis.wait()
    for _ in range(50):
        thread, _ = in_thread(engine.play, middle_game(), Limit(time=20))
        wait_until_searching(engine)
        engine.stop()
        thread.join(30)
        assert not thread.is_alive()


def test_close_ends_every_search(engine):
    """The one under way as if it were stopped, those that wait with an error."""
    searching, found = in_thread(engine.play, middle_game(), Limit(time=20))
    wait_until_searching(engine)
    waiting = [in_thread(engine.play, middle_game(), Limit(time=20)) for _ in range(3)]
    analysis = engine.analysis(middle_game(), Limit(time=20))
    time.sleep(0.02)
    started = time.perf_counter()
    engine.close()
    for thread, _ in [(searching, found), *waiting]:
        thread.join(30)
    with pytest.raises(EngineError, match=r"^the engine is closed$"):
        list(analysis)
    with pytest.raises(EngineError, match=r"^the engine is closed$"):
        analysis.wait()
    assert time.perf_counter() - started < 10
    assert found[0].move in middle_game().legal_moves
    assert [str(results[0]) for _, results in waiting] == 3 * ["the engine is closed"]


def test_a_signal_handler_may_stop_or_close(engine):
    """Both are called in the midst of the search that they end."""
    before = signal.getsignal(signal.SIGUSR1)
    try:
        for end in (engine.stop, engine.close):
            signal.signal(signal.SIGUSR1, lambda number, frame, end=end: end())
            timer = threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGUSR1))
            timer.start()
            started = time.perf_counter()
            assert engine.play(middle_game(), Limit(time=20)).move in middle_game().legal_moves
            assert time.perf_counter() - started < 10
            timer.join()
    finally:
        signal.signal(signal.SIGUSR1, before)


# ---- Ctrl-C ------------------------------------------------------------------------------------------------------

PROGRAM = """
    import time
    from banqi import Counting, Engine, Limit, Position, best_move, perft, playouts

    START, MIDDLE_GAME = {start!r}, {middle!r}
    position = Position.from_fen(MIDDLE_GAME)
    engine = Engine(threads={threads}, hash_mb=1)
    for _ in range({tries}):
        try:
            print("ready", flush=True)
            {call}
            print("ended", flush=True)
        except KeyboardInterrupt:
            print(time.monotonic(), flush=True)
    # The engine is as good as before.
    print(engine.play(position, Limit(nodes=100)).move in position.legal_moves, flush=True)
    print("ready", flush=True)
    {call}
"""


@pytest.mark.parametrize(
    ("call", "threads"),
    [
        pytest.param(call, threads, id=f"{call[:40]} {threads}")
        for call, threads in [
            ("engine.play(position, Limit(time=60))", 1),
            ("engine.play(position, Limit(time=60))", 4),
            ("engine.play(Position(), Limit(time=60))", 1),
            ("engine.analyse(position, Limit(time=60), multipv=500)", 1),
            ("with engine.analysis(position) as analysis: list(analysis)", 1),
            ("with engine.analysis(position) as analysis: analysis.wait()", 2),
            ("best_move(MIDDLE_GAME, time=60)", 1),
            ("playouts(START, 100_000_000)", 1),
            ("perft(MIDDLE_GAME, 8)", 1),
            ("perft(START, 5)", 1),
            ("Position().perft(5, counting=Counting.FULL)", 1),
            ("Position().divide(6)", 1),
        ]
    ],
)
def test_ctrl_c_ends_everything_at_once(call, threads):
    """The clock is the same in both processes: from the signal to the handler of KeyboardInterrupt."""
    code = PROGRAM.format(start=START, middle=MIDDLE_GAME, call=call, threads=threads, tries=TRIES)
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    patience = threading.Timer(20, process.kill)
    patience.start()
    try:
        delays = []
        for _ in range(TRIES):
            assert process.stdout.readline() == "ready\n"
            time.sleep(0.1)
            sent = time.monotonic()
            process.send_signal(signal.SIGINT)
            heard = process.stdout.readline()
            assert heard, "it did not hear"
            delays.append(float(heard) - sent)
        assert process.stdout.readline() == "True\n"
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=30)
        # Python ends by the signal itself, after KeyboardInterrupt came through.
        assert process.returncode == -signal.SIGINT
        assert errors.strip().endswith("KeyboardInterrupt")
        assert min(delays) < AT_ONCE
    finally:
        patience.cancel()
        process.kill()
        process.wait()
        process.stdout.close()
        process.stderr.close()


IMPATIENT = """
    import os, random, signal, threading, time
    from banqi import Engine, Limit, Position

    def interrupt(number, frame):
        # Only inside the search, where the program below expects it.
        while frame is not None:
            if frame.f_code is Engine.play.__code__:
                raise KeyboardInterrupt
            frame = frame.f_back

    def press():
        time.sleep(rng.uniform(0, 0.01))
        for _ in range(4):
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(rng.uniform(0, 0.001))

    signal.signal(signal.SIGINT, interrupt)
    position = Position.from_fen({middle!r})
    rng = random.Random(1)
    ended = 0
    with Engine(threads={threads}, hash_mb=1) as engine:
        for _ in range({tries}):
            presser = threading.Thread(target=press)
            presser.start()
            while presser.is_alive():
                try:
                    engine.play(position, Limit(time=0.02))
                except KeyboardInterrupt:
                    ended += 1
            assert engine.play(position, Limit(nodes=100)).move in position.legal_moves
    print("interrupted", ended > {tries})
"""


@pytest.mark.parametrize("threads", [1, 8])
def test_ctrl_c_again_and_again_breaks_nothing(threads):
    """It may come while a search starts its threads, and once more while it ends them."""
    code = textwrap.dedent(IMPATIENT.format(middle=MIDDLE_GAME, threads=threads, tries=100))
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert (result.returncode, result.stdout) == (0, "interrupted True\n"), result.stderr


# ---- processes ---------------------------------------------------------------------------------------------------


@by_game
def test_two_processes_at_once(engine, rules, fen):
    """Each searches as if it were alone, and as another process does."""
    code = f"""
        from banqi import Engine, Limit, Position
        with Engine(hash_mb=1) as engine:
            move, info = engine.play(Position.from_fen({fen!r}, {rules!r}), Limit(nodes=100_000))
        print(move, info.score.value, info.depth)
    """
    command = [sys.executable, "-c", textwrap.dedent(code)]
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    move, info = engine.play(Position.from_fen(fen, rules), Limit(nodes=100_000))
    for process in processes:
        assert process.communicate(timeout=60)[0].strip() == f"{move} {info.score.value} {info.depth}"


@pytest.mark.parametrize(
    "work",
    [
        "analysis = Engine(1, hash_mb=1).analysis(position); next(iter(analysis))",
        "analysis = Engine(3, hash_mb=1).analysis(position, multipv=3); next(iter(analysis))",
        "in_thread(Engine(1, hash_mb=1).play, position, Limit(time=60))",
        "in_thread(perft, position.fen(), 8)",
        "in_thread(playouts, position.fen(), 100_000_000)",
    ],
)
def test_a_program_may_end_while_something_goes_on(work):
    """Threads that come back to a Python that is gone crash it, now and then."""
    code = f"""
        import threading
        import time
        from banqi import Engine, Limit, Position, perft, playouts

        def in_thread(*call):
            threading.Thread(target=call[0], args=call[1:], daemon=True).start()
            time.sleep(0.02)

        position = Position.from_fen({MIDDLE_GAME!r})
        {work}
        # Long enough for the clean-up of the interpreter to take a while.
        rubbish = [[object()] for _ in range(200_000)]
    """
    for _ in range(TRIES):
        result = subprocess.run(
            [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, timeout=60, check=False
        )
        assert (result.returncode, result.stderr) == (0, "")
