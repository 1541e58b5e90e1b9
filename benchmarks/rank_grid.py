"""The grid of 16,384 ranks: CPU of a redraw, of a cursor move, and of a picture of a save.

    python -m benchmarks.rank_grid [--rounds 60]

One headless application shows the dashboard's own widget, as large as the dashboard would, and in
its place plain lines of one piece each: what Textual asks for painting so many cells. The CPU is
`process_time` of the whole process, from the change until the screen is painted. States are random
(the worst case) or uniform (a whole checkpoint); a cell holds one rank, as far zoomed in as it
goes, or many. Below that stands what a picture of a save in flight costs.

Prints a table of medians with their ratio to the bare refresh; exit code 1 if a median is above
16 ms.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import time
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from textual.app import App, ComposeResult

from benchmarks.figures import tell
from ckpt_tui import tui
from ckpt_tui.core.coordinates import nested_axes
from ckpt_tui.core.facts import ShardFacts
from ckpt_tui.tui.details.ranks import STATES, RankCells, rank_cells
from ckpt_tui.tui.lines import Piece
from ckpt_tui.tui.widgets.line_view import Motion, TextLines
from ckpt_tui.tui.widgets.rank_grid import RankGrid
from ckpt_tui.tui.widgets.shards_view import ShardsView
from tests.tui.builders import GIB
from tests.tui.rank_situations import MANY, large_in_flight

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.pilot import Pilot

    from ckpt_tui.core.checkpoint import Checkpoint

MOST_MS = 16.0
ROOMS = {"80x24": (79, 17), "120x40": (119, 25), "200x60": (89, 53)}
"""Terminal → at least the room that its dashboard gives the grid."""
AXES = nested_axes([("TP", 8), ("DP", 128), ("PP", 16)])


class Result(NamedTuple):
    what: str
    milliseconds: float
    bare_milliseconds: float


class GridApp(App[None]):
    """The grid over the whole screen, or plain lines in its place."""

    CSS_PATH = Path(tui.__path__[0]) / "app.tcss"
    CSS = "#bare { height: 100%; }"

    def compose(self) -> ComposeResult:
        yield RankGrid()
        yield TextLines(widget_id="bare")


async def cpu_ms(pilot: Pilot[None], change: Callable[[], None], rounds: int) -> float:
    """Median CPU from a change to the painted screen."""
    spent = []
    for _ in range(rounds):
        before = time.process_time()
        change()
        await pilot.pause()
        spent.append((time.process_time() - before) * 1000)
    return median(spent)


def cells(codes: bytes) -> RankCells:
    return RankCells(tuple(range(MANY)), codes, {}, {}, False, axes=AXES)


async def grid_results(terminal: str, rounds: int) -> list[Result]:
    width, height = ROOMS[terminal]
    dice = random.Random(7)
    mixed = [bytes(dice.choices(range(len(STATES)), k=MANY)) for _ in range(2)]
    whole = [bytes([len(STATES) - 1]) * MANY, bytes([len(STATES) - 2]) * MANY]
    app = GridApp()
    results = []
    async with app.run_test(size=(width, height)) as pilot:
        grid, bare = app.query_one(RankGrid), app.query_one("#bare", TextLines)
        lines = [[(Piece(sign * width),)] * height for sign in "ab"]
        grid.display = False

        def plain() -> None:
            lines.reverse()
            bare.set_lines(list(lines[0]))

        base = await cpu_ms(pilot, plain, rounds)
        bare.display, grid.display = False, True
        grid.focus()
        for name, pictures in (("uniform", whole), ("random", mixed)):
            for zoomed in (False, True):
                grid.show(cells(pictures[0]), width, height)
                if grid.model.zoomed is not zoomed:
                    grid.action_toggle_zoom()
                await pilot.pause()
                where = f"{terminal} {name}, {grid.model.layout.group} a cell"

                def redraw(pictures: list[bytes] = pictures) -> None:
                    pictures.reverse()
                    grid.show(cells(pictures[0]), width, height)

                results.append(
                    Result(f"{where}: redraw", await cpu_ms(pilot, redraw, rounds), base)
                )
                moves = [Motion.RIGHT, Motion.DOWN, Motion.LEFT, Motion.UP]

                def move(moves: list[Motion] = moves) -> None:
                    moves.append(moves.pop(0))
                    grid.navigate(moves[0])

                results.append(Result(f"{where}: cursor", await cpu_ms(pilot, move, rounds), base))
    return results


def picture_results(rounds: int) -> list[Result]:
    """What a save in flight costs for each picture, against making its shards' facts alone."""
    run = large_in_flight(MANY // 2).runs[0]
    flying, whole = run.checkpoints[0], run.resume

    def timed(call: Callable[[], object]) -> float:
        spent = []
        for _ in range(rounds):
            before = time.process_time()
            call()
            spent.append((time.process_time() - before) * 1000)
        return median(spent)

    bare = timed(lambda: [ShardFacts(rank, None, GIB) for rank in range(MANY)])
    made = timed(lambda: rank_cells(flying, whole))
    return [
        Result("a picture of a save: states of all ranks", made, bare),
        *asyncio.run(view_results(flying, whole, rounds, bare)),
    ]


async def view_results(
    flying: Checkpoint, whole: Checkpoint | None, rounds: int, bare: float
) -> list[Result]:
    """A whole Shards tab while pictures come in: new facts each time, and the same facts."""

    class ViewApp(App[None]):
        CSS_PATH = GridApp.CSS_PATH

        def compose(self) -> ComposeResult:
            yield ShardsView()

    app = ViewApp()
    async with app.run_test(size=(120, 40)) as pilot:
        view = app.query_one(ShardsView)
        kinds = [flying, flying._replace(facts=flying.facts._replace(shards=_grown(flying)))]

        def new_facts() -> None:
            kinds.reverse()
            view.show(kinds[0], whole)

        changed = await cpu_ms(pilot, new_facts, rounds)
        same = await cpu_ms(pilot, lambda: view.show(kinds[0]._replace(why=""), whole), rounds)
    return [
        Result("a picture of a save: the whole tab, 100 ranks went on", changed, bare),
        Result("a picture that left its shards as they were: the whole tab", same, bare),
    ]


def _grown(flying: Checkpoint) -> tuple[ShardFacts, ...]:
    shards = flying.facts.shards
    grown = (shard._replace(problem="", size_bytes=GIB) for shard in shards[-300:-200])
    return (*shards[:-300], *grown, *shards[-200:])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=60)
    rounds = parser.parse_args().rounds
    results = [
        result for terminal in ROOMS for result in asyncio.run(grid_results(terminal, rounds))
    ]
    results += picture_results(rounds)
    print(f"{MANY} ranks, median CPU of {rounds} rounds          ms   x bare")
    for what, spent, bare in results:
        print(f"{what:58} {spent:6.1f} {spent / bare:7.1f}")
    for what, spent, bare in results:
        measured = f"{spent:.1f} ms of CPU, {spent / bare:.1f} × bare cells"
        tell(f"{MANY} ranks, {what}", measured, f"{MOST_MS:g} ms", spent <= MOST_MS)
    print("bare: a refresh of as many plain cells; for pictures, making 16,384 shard facts")
    return 1 if max(result.milliseconds for result in results) > MOST_MS else 0


if __name__ == "__main__":
    sys.exit(main())
