"""Which checkpoints of a directory are one run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ckpt_tui.core.facts import FileFacts
from ckpt_tui.core.vocabulary import Effect
from ckpt_tui.store.families import by_format
from ckpt_tui.store.growth import Growth
from ckpt_tui.store.members import Member
from ckpt_tui.store.second_look import SecondLook
from tests.core.builders import facts, finding

if TYPE_CHECKING:
    from collections.abc import Iterable


def file(name: str, format_name: str, **changes: Any) -> Member:
    table = (FileFacts(name, 10, 0),)
    said = facts(None, name=name, format=format_name, files=table, **changes)
    return Member(said, Growth(), SecondLook())


def cut(name: str, format_name: str) -> Member:
    return file(name, format_name, roles=(), findings=(finding(Effect.CORRUPT),))


def names(groups: dict[str, list[Member]]) -> dict[str, set[str]]:
    return {key: {m.facts.name for m in members} for key, members in groups.items()}


def formats(members: Iterable[Member]) -> set[str]:
    return {m.facts.format for m in members}


def test_a_cut_file_goes_with_the_files_that_can_be_read() -> None:
    groups = by_format([file("model-1.ckpt", "lightning"), cut("model-2.ckpt", "torch-file")])
    assert names(groups) == {"lightning": {"model-1.ckpt", "model-2.ckpt"}}
    assert formats(groups["lightning"]) == {"lightning"}


def test_a_cut_file_among_two_formats_keeps_its_own() -> None:
    members = [file("a.ckpt", "lightning"), file("b.pt", "torch-file"), cut("c.ckpt", "lightning")]
    assert names(by_format(members)) == {
        "lightning": {"a.ckpt", "c.ckpt"},
        "torch-file": {"b.pt"},
    }


def test_directories_keep_their_format() -> None:
    whole = file("model-1.ckpt", "lightning")
    directory = Member(
        facts(2, format="torch-dcp", roles=(), findings=(finding(Effect.CORRUPT),)),
        Growth(),
        SecondLook(),
    )
    assert set(by_format([whole, directory])) == {"lightning", "torch-dcp"}


def test_an_export_does_not_name_the_run() -> None:
    groups = by_format([file("final.pt", "torch-file", export=True), cut("last.ckpt", "lightning")])
    assert set(groups) == {"torch-file", "lightning"}
