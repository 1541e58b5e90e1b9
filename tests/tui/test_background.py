"""Work beside the screen: its result, its error, and that nobody waits for a hung one."""

from __future__ import annotations

import asyncio
import threading

import pytest

from ckpt_tui.tui.background import on_daemon_thread


async def test_the_result_and_the_thread() -> None:
    assert await on_daemon_thread(lambda: threading.current_thread().daemon)


async def test_an_error_comes_out() -> None:
    with pytest.raises(ZeroDivisionError):
        await on_daemon_thread(lambda: 1 / 0)


def test_the_end_does_not_wait_for_what_hangs() -> None:
    release = threading.Event()

    async def give_up() -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(on_daemon_thread(release.wait), 0.01)

    asyncio.run(give_up())
    assert not release.is_set()
    release.set()
