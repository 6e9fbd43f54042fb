"""Processes that work at the same time: each takes a job, gets ready, and begins when all are ready."""

import multiprocessing
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from types import TracebackType
from typing import Any, Protocol, Self, TypeVar

T_co = TypeVar("T_co", covariant=True)
T = TypeVar("T")

READY_WITHIN = 120.0
"""Seconds for a job to prepare what it needs."""
DONE_WITHIN = 120.0
"""Seconds for a job beyond what it was asked to take."""


class Job(Protocol[T_co]):
    """Work for one process. `wait` returns when all are ready."""

    @property
    def seconds(self) -> float:
        """How long it works when all are ready."""

    def run(self, wait: Callable[[], None]) -> T_co:
        """Prepare, wait, work, and answer."""


class JobFailed(Exception):
    """A job that did not come to its end."""


class OutOfSupply(JobFailed):
    """A job that was faster than the supply prepared for it."""


class Processes:
    """So many processes. They end with the one that started them, however that ends."""

    def __init__(self, size: int) -> None:
        # Spawned, not forked, so that none inherits the sockets and pipes of the others.
        spawning = multiprocessing.get_context("spawn")
        self._members: list[tuple[Any, Connection]] = []
        for _ in range(size):
            ours, theirs = spawning.Pipe()
            process = spawning.Process(target=_work, args=(theirs,), daemon=True)
            process.start()
            theirs.close()
            self._members.append((process, ours))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        for process, pipe in self._members:
            pipe.close()
            process.join(timeout=5)
            if process.is_alive():
                process.terminate()

    def run(self, jobs: Sequence[Job[T]]) -> list[T]:
        """Do these jobs at the same time, each in a process of its own; raise `JobFailed`."""
        pipes = [pipe for _, pipe in self._members[: len(jobs)]]
        assert len(pipes) == len(jobs)
        for pipe, job in zip(pipes, jobs, strict=True):
            pipe.send(job)
        answers = [_receive(pipe, READY_WITHIN) for pipe in pipes]
        # One that failed does not keep the others from their end: nothing is left in the pipes for the next jobs.
        ready = [index for index, answer in enumerate(answers) if not isinstance(answer, JobFailed)]
        for index in ready:
            pipes[index].send(None)
        for index in ready:
            answers[index] = _receive(pipes[index], jobs[index].seconds + DONE_WITHIN)
        for answer in answers:
            if isinstance(answer, JobFailed):
                raise answer
        return answers


def _receive(pipe: Connection, seconds: float) -> Any:
    """What a process sends: an answer, or a `JobFailed`."""
    if not pipe.poll(seconds):
        return JobFailed(f"a process gave no answer for {seconds:.0f} s")
    try:
        return pipe.recv()
    except EOFError:
        return JobFailed("a process has died")


def _work(pipe: Connection) -> None:
    def wait() -> None:
        pipe.send(None)
        pipe.recv()

    try:
        while True:
            pipe.send(_answer(pipe.recv(), wait))
    except (EOFError, OSError, KeyboardInterrupt):
        return


def _answer(job: Job[object], wait: Callable[[], None]) -> object:
    try:
        return job.run(wait)
    except JobFailed as failed:
        return failed
    except Exception as error:
        return JobFailed(repr(error))
