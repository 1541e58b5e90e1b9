"""What differs between two checkpoints, without their tensors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ckpt_tui.core.comparing.checkpoints import RankChange, compare_checkpoints
from ckpt_tui.core.comparing.document import compare_document
from ckpt_tui.core.comparing.files import FileChange, compare_files, without_step
from ckpt_tui.core.comparing.telling import told
from ckpt_tui.core.facts import FileFacts
from ckpt_tui.core.verdict import judge
from tests.core.builders import COMMITTED, checkpoint, facts, roles, shard

if TYPE_CHECKING:
    from ckpt_tui.core.facts import CheckpointFacts

RANKS = {"expected_ranks": (0, 1), "world_size": 2}


def files(*named: tuple[str, int]) -> tuple[FileFacts, ...]:
    return tuple(FileFacts(path, size, 0) for path, size in named)


def test_a_checkpoint_is_like_itself() -> None:
    one = checkpoint(10, shards=(shard(0), shard(1)), files=files(("model.pt", 5)), **RANKS)
    made = compare_checkpoints(one, one)
    assert made.alike
    assert (made.roles, made.ranks, made.only_first, made.only_second) == ((), (), (), ())
    assert (made.same_ranks, made.files.same, made.files.changed) == (2, 1, ())
    said = told(made)
    assert said.sections == ()
    assert said.distance == "the second is of the same step, 0.0 s after the first"
    assert "both are exact" in said.same


def test_roles_that_one_lacks_and_roles_of_fewer_ranks() -> None:
    first = checkpoint(10, roles=(*roles("model", "optimizer"), *roles("rng", missing_ranks=(1,))))
    second = checkpoint(20, roles=roles("model", "rng", "metrics"))
    made = compare_checkpoints(first, second)
    assert made.same_roles == ("model",)
    assert [change.role for change in made.roles] == ["optimizer", "rng", "metrics"]
    rows = {
        row.label: row for row in next(s for s in told(made).sections if s.title == "roles").rows
    }
    assert rows["optimizer"][:4] == ("-", "optimizer", "10 B", "–")
    assert rows["rng"][:4] == ("~", "rng", "not of rank 1", "10 B")
    assert rows["metrics"].sign == "+"
    assert not made.alike


def test_a_shard_that_one_lacks() -> None:
    whole = checkpoint(10, shards=(shard(0), shard(1)), **RANKS)
    short = checkpoint(20, shards=(shard(0), shard(1, problem="short")), **RANKS)
    made = compare_checkpoints(whole, short)
    assert made.ranks == (RankChange(1, 100, None),)
    assert made.same_ranks == 1
    more = checkpoint(
        20, shards=tuple(map(shard, range(3))), expected_ranks=(0, 1, 2), world_size=3
    )
    assert compare_checkpoints(whole, more).ranks == (RankChange(2, None, 100),)


def test_findings_are_those_of_one_file_whatever_its_step() -> None:
    first, second = (
        judge(
            facts(
                step,
                commit=COMMITTED._replace(met=None),
                expected_ranks=(0, 1),
                shards=(shard(0), shard(1, problem="missing", paths=(f"step{step}/b.pt",))),
            )
        )
        for step in (10, 20)
    )
    made = compare_checkpoints(first, second)
    assert first.findings
    assert made.only_first == made.only_second == ()
    assert len(made.both) == len(first.findings)


@pytest.mark.parametrize(
    ("first", "second", "distance"),
    [
        ((10, 1000.0), (30, 1090.0), "the second is 20 steps and 1m 30s after the first"),
        ((30, 1090.0), (29, 1000.0), "the second is 1 step and 1m 30s before the first"),
        ((None, 1000.0), (30, 1090.0), "the second is 1m 30s after the first"),
        ((None, None), (30, None), "neither steps nor times tell how far they are apart"),
        ((5, None), (5, None), "both are of the same step"),
    ],
)
def test_how_far_apart(
    first: tuple[int | None, float | None],
    second: tuple[int | None, float | None],
    distance: str,
) -> None:
    made = [
        checkpoint(step, commit=COMMITTED._replace(committed_at=at)) for step, at in (first, second)
    ]
    assert told(compare_checkpoints(*made)).distance == distance


def test_files_are_paired_by_what_they_are() -> None:
    first = facts(10, files=files(("a.pt", 5), ("global_step10/x.pt", 7), ("old.pt", 1)))
    second = facts(20, files=files(("a.pt", 6), ("global_step20/x.pt", 7), ("new.pt", 2)))
    made = compare_files(first, second)
    assert made.same == 1
    assert made.changed == (
        FileChange("new.pt", None, 2),
        FileChange("old.pt", 1, None),
        FileChange("a.pt", 5, 6),
    )


def test_a_step_that_is_also_a_rank_pairs_nothing_wrong() -> None:
    first = facts(1, files=files(("__0_0.distcp", 5), ("__1_0.distcp", 6)))
    second = facts(2, files=files(("__0_0.distcp", 5), ("__1_0.distcp", 6), ("__2_0.distcp", 7)))
    made = compare_files(first, second)
    assert (made.same, made.changed) == (2, (FileChange("__2_0.distcp", None, 7),))
    assert without_step("__0_0.distcp", 1) == "__0_0.distcp"


def test_checkpoints_of_one_file_are_one_pair() -> None:
    first = facts(10, name="last.ckpt", files=files(("last.ckpt", 1000)))
    second = facts(20, name="epoch=1.ckpt", files=files(("epoch=1.ckpt", 1001)))
    (change,) = compare_files(first, second).changed
    assert change == FileChange("epoch=1.ckpt", 1000, 1001)
    assert change.slight
    assert not FileChange("", 1000, 1011).slight
    assert not FileChange("", None, 0).slight


def test_what_hardly_differs_is_one_line() -> None:
    first = checkpoint(10, files=files(*((f"{n}.pt", 1000) for n in range(9))))
    second = checkpoint(20, files=files(*((f"{n}.pt", 1002) for n in range(8)), ("8.pt", 2000)))
    said = told(compare_checkpoints(first, second))
    (section,) = [each for each in said.sections if each.title == "files"]
    assert [row.label for row in section.rows] == ["8.pt"]
    assert "8 files whose sizes differ by less than 1 %" in said.same


def test_a_long_list_is_counted() -> None:
    first = checkpoint(10)
    second = checkpoint(20, files=files(*((f"{n}.pt", n) for n in range(30))))
    section = told(compare_checkpoints(first, second), most=7).sections[-1]
    assert (len(section.rows), section.total) == (7, 30)


_PATHS = st.sampled_from(["a.pt", "step3/a.pt", "step4/a.pt", "3/4.pt", "4/3.pt", "x_3", "x_4"])
_FACTS = st.builds(
    lambda step, names, present, sized: facts(
        step,
        roles=roles(*names),
        expected_ranks=(0, 1, 2),
        shards=tuple(shard(rank, problem=problem) for rank, problem in present.items()),
        files=files(*sized.items()),
    ),
    st.sampled_from([None, 3, 4]),
    st.sets(st.sampled_from(["model", "optimizer", "rng", "weird"])),
    st.dictionaries(st.integers(0, 3), st.sampled_from(["", "short", "missing"])),
    st.dictionaries(_PATHS, st.integers(0, 3)),
)


@given(_FACTS, _FACTS)
def test_the_other_way_round_it_is_the_opposite(
    first: CheckpointFacts, second: CheckpointFacts
) -> None:
    made = compare_checkpoints(judge(first), judge(second))
    back = compare_checkpoints(judge(second), judge(first))
    assert made.files.same == back.files.same
    assert len(made.files.changed) == len(back.files.changed)
    assert [(c.role, c.second, c.first) for c in made.roles] == [tuple(c) for c in back.roles]
    assert (made.alike, made.same_ranks) == (back.alike, back.same_ranks)
    assert made.only_first == back.only_second
    named = [change for change in made.files.changed if change.first is None]
    paired = made.files.same + len(made.files.changed) - len(named)
    assert paired == len(first.files)
    assert compare_document(made, "1")["files"]["same"] == made.files.same
