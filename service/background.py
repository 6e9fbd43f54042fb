"""Threads for work that recurs."""

from threading import Event, Thread


class Periodic:
    """A thread that works again and again until it is closed, with a pause after each time."""

    def __init__(self, name: str, seconds_between: float, *, first_after: float = 0.0) -> None:
        self._seconds_between = seconds_between
        self._first_after = first_after
        self._is_over = Event()
        self._thread = Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Start the thread, after the fork."""
        self._thread.start()

    def close(self) -> None:
        """End the thread when its present work is done."""
        self._is_over.set()
        self._thread.join()

    def _run(self) -> None:
        pause = self._first_after
        while not self._is_over.wait(pause):
            self.work()
            pause = self._seconds_between

    def work(self) -> None:
        """Work once; what it raises ends the thread."""
        raise NotImplementedError
