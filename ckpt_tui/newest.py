"""One value that waits for another thread: a newer one takes its place."""

from __future__ import annotations

import threading
from typing import Generic, TypeVar

T = TypeVar("T")


class Newest(Generic[T]):
    """What is offered never blocks who offers it, and what is taken is never old."""

    def __init__(self) -> None:
        self._value: T | None = None
        self._closed = False
        self._wake = threading.Condition()

    @property
    def closed(self) -> bool:
        """Whether nothing comes any more; the last value may still wait."""
        return self._closed

    def offer(self, value: T) -> None:
        """Puts a value there; never blocks."""
        with self._wake:
            self._value = value
            self._wake.notify()

    def close(self) -> None:
        """Says that nothing comes any more."""
        with self._wake:
            self._closed = True
            self._wake.notify()

    def take(self, seconds: float | None = None) -> T | None:
        """Waits for a value and takes it; None once closed, or when the time is up."""
        with self._wake:
            self._wake.wait_for(lambda: self._closed or self._value is not None, seconds)
            value, self._value = self._value, None
        return value

    def rest(self, seconds: float) -> None:
        """Waits so long, or until it is closed."""
        with self._wake:
            self._wake.wait_for(lambda: self._closed, seconds)
