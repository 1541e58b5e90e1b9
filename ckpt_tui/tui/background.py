"""Work beside the screen that the end of the program does not wait for."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from functools import partial
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

Result = TypeVar("Result")


async def on_daemon_thread(work: Callable[[], Result]) -> Result:
    """Does work that may hang on a thread of its own, and waits for what it returns.

    The event loop's own threads are joined when the program ends: a disk that hangs would keep it.

    Raises:
        Exception: Whatever the work raises.
    """
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Result] = loop.create_future()

    def tell(outcome: Callable[[], None]) -> None:
        if not future.done():  # somebody still waits
            outcome()

    def run() -> None:
        try:
            outcome = partial(future.set_result, work())
        except Exception as error:
            outcome = partial(future.set_exception, error)
        with contextlib.suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(tell, outcome)

    threading.Thread(target=run, name="ckpt-tui-background", daemon=True).start()
    return await future
