"""Executors for long work: processes on this machine, or the workers of a dask cluster.

What they run is a function of a module and arguments that can be pickled. It ends by itself or is ended with its
process, so its results appear whole or not at all.
"""

import asyncio
import logging
import os
import signal
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from importlib import import_module
from multiprocessing import get_context, parent_process
from threading import Thread
from types import ModuleType
from typing import Final, TypeVar

from banqi.errors import ExecutorError, shown

CONNECT_SECONDS: Final = 10
"""How long a scheduler is waited for, before it is said that there is none."""

_CANNOT_IMPORT: Final = "Error during deserialization"
"""What dask says where a worker cannot make out what it shall call."""

_T = TypeVar("_T")


@contextmanager
def process_pool(jobs: int) -> Iterator[Executor]:
    """An executor of so many processes. If anything is raised meanwhile, they are ended at once."""
    # A fresh interpreter for each: none inherits this one's threads.
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), _begin_worker)
    try:
        yield pool
    except BaseException:
        # Its own only: another pool goes on.
        for child in list((pool._processes or {}).values()):
            child.terminate()
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    pool.shutdown()


def _begin_worker() -> None:
    """Make a process end without a word on Ctrl-C at the terminal, and when the one that it works for is gone."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


@contextmanager
def dask_pool(address: str) -> Iterator[Executor]:
    """An executor on the cluster whose scheduler has this address; it needs the same version of banqi on all machines.

    Tasks wait there until the cluster has a worker for them. If anything is raised meanwhile, those that wait are
    dropped, and those that run go on to their end.

    Raises:
        ExecutorError: dask.distributed is not installed, or there is no such cluster.
    """
    try:
        distributed = import_module("distributed")
    except ImportError:
        raise ExecutorError("a cluster needs the package distributed: pip install 'banqi[dask]'") from None
    with _quiet("distributed", "tornado"):
        try:
            # A client that finds no scheduler takes long to give up even when it is dropped, so this is tried first.
            asyncio.run(_connect(distributed, address))
            client = distributed.Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
        except Exception as error:
            # What else may answer there sends bytes that dask takes for anything.
            why = f": {shown(str(error), 80)}" if isinstance(error, OSError | ValueError) and str(error) else ""
            raise ExecutorError(f"there is no dask scheduler at {shown(address)}{why}") from None
        with client:
            yield client.get_executor(pure=False)


async def _connect(distributed: ModuleType, address: str) -> None:
    # Its own limit does not hold once something has accepted the connection and says nothing.
    async with asyncio.timeout(CONNECT_SECONDS + 1):
        connection = await distributed.comm.connect(address, timeout=CONNECT_SECONDS)
        await connection.close()


@contextmanager
def _quiet(*packages: str) -> Iterator[None]:
    """Keep packages from logging what an error tells anyhow."""
    # They give each module's logger a level and a handler of its own.
    names = [name for name in logging.root.manager.loggerDict if name.partition(".")[0] in packages]
    loggers = [logger for logger in map(logging.getLogger, names) if not logger.disabled]
    for logger in loggers:
        logger.disabled = True
    try:
        yield
    finally:
        for logger in loggers:
            logger.disabled = False


def result_of(future: Future[_T], what: str) -> _T:
    """Return what a task that is done has found, or raise its error.

    what: the task, as the error may name it: "the building of Kvg".

    Raises:
        ExecutorError: it was lost: its process ended, or the scheduler or all its workers went away.
    """
    try:
        return future.result()
    except BrokenExecutor:
        raise ExecutorError(f"a process ended, and with it {what}") from None
    except CancelledError:
        raise ExecutorError(f"the connection to the dask scheduler is lost, and with it {what}") from None
    except Exception as error:
        if str(error).startswith(_CANNOT_IMPORT):
            raise ExecutorError("the cluster's workers have not the same version of banqi and Python") from None
        if type(error).__module__.partition(".")[0] == "distributed":
            raise ExecutorError(f"the cluster gave up {what}: {shown(str(error), 120)}") from None
        raise
