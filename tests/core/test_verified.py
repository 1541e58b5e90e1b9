"""What verified bytes mean: findings, evidence, what is left, and which values are finite."""

from __future__ import annotations

import pytest

from ckpt_tui.core.checkpoint import Activity
from ckpt_tui.core.facts import CheckpointFacts, CommitFacts, RoleFacts
from ckpt_tui.core.findings import Finding
from ckpt_tui.core.verdict import judge
from ckpt_tui.core.verified import NotFinite, VerifiedFacts, VerifiedFile, WrongBytes
from ckpt_tui.core.verified_findings import (
    LARGE_BYTES,
    MOST_FILES,
    is_finite,
    verified_findings,
    verified_text,
    with_verified,
)
from ckpt_tui.core.vocabulary import (
    MODEL,
    OPTIMIZER,
    REQUIRED_ROLES,
    Commit,
    Effect,
    Severity,
    Verdict,
)

_MIB = 1024 * 1024


def _file(path: str, **others: object) -> VerifiedFile:
    made = VerifiedFile(path, 4 * _MIB, 1_767_265_200.0, 3 * _MIB, "zip CRC-32", True)
    return made._replace(**others)


def _facts(met: bool | None = True, paths: tuple[str, ...] = ("a",)) -> CheckpointFacts:
    roles = tuple(RoleFacts(role, 1, 1, "seen", paths=paths) for role in REQUIRED_ROLES)
    return CheckpointFacts("/r/s", "s", "torch-dcp", CommitFacts("rule", met), step=1, roles=roles)


def _verified(*files: VerifiedFile, total: int = 0) -> VerifiedFacts:
    return VerifiedFacts(files, total or len(files), 4 * _MIB * (total or len(files)))


@pytest.mark.parametrize(
    ("place", "tensor", "said"),
    [
        ("byte 7", "w", "wrong bytes of tensor w at byte 7: m; verified 2026-01-01 11:00 UTC"),
        ("", "w", "wrong bytes of tensor w: m;"),
        ("byte 7", "", "wrong bytes at byte 7: m;"),
        ("", "", "wrong bytes: m;"),
    ],
)
def test_a_wrong_place_is_told_as_far_as_it_is_known(place: str, tensor: str, said: str) -> None:
    wrong = (WrongBytes("truncated-file", place, tensor, "m"),)
    verified = _verified(_file("a", ok=False, wrong=wrong, wrong_total=1))
    (finding,) = verified_findings(verified, parts=frozenset({"a"}))
    assert (finding.code, finding.path, finding.effect) == ("truncated-file", "a", Effect.CORRUPT)
    assert finding.message.startswith(f"a: {said}")


@pytest.mark.parametrize(
    ("code", "tensor", "method", "parts", "is_damage"),
    [
        ("invalid-json", "", "structure", ("b",), False),
        ("unreadable-archive", "", "zip CRC-32", ("b",), False),
        ("invalid-json", "", "structure", ("a",), True),
        ("checksum-mismatch", "", "zip CRC-32", (), True),
        ("unreadable-archive", "w", "structure", (), True),
        ("size-mismatch", "", "CRC-32 of manifest.json", (), True),
    ],
)
def test_the_form_of_a_file_without_a_state_stops_no_resume(
    code: str, tensor: str, method: str, parts: tuple[str, ...], is_damage: bool
) -> None:
    wrong = (WrongBytes(code, "", tensor, "m"),)
    file = _file("a", ok=False, method=method, wrong=wrong, wrong_total=1)
    (finding,) = verified_findings(_verified(file), parts=frozenset(parts))
    assert finding.effect == (Effect.CORRUPT if is_damage else Effect.NONE)
    assert finding.severity == (Severity.ERROR if is_damage else Severity.WARNING)


def test_a_wrong_file_without_a_place_is_told_too() -> None:
    (finding,) = verified_findings(_verified(_file("a", ok=False, message="cut")))
    assert finding.code == "checksum-mismatch"
    assert finding.message.endswith("UTC: cut")


def test_many_wrong_files_are_counted() -> None:
    files = [_file(f"{number:03}", ok=False, message="cut") for number in range(MOST_FILES + 2)]
    found = verified_findings(_verified(*files))
    assert len(found) == MOST_FILES + 1
    assert found[-1].message == "bytes are wrong in 2 more files, too"


def test_what_the_reader_has_found_is_not_said_twice() -> None:
    wrong = (WrongBytes("truncated-file", "", "", "cut"),)
    verified = _verified(_file("a", ok=False, wrong=wrong, wrong_total=1))
    known = Finding("truncated-file", Severity.ERROR, "a", "cut", "", Effect.CORRUPT)
    assert verified_findings(verified, (known,)) == ()


@pytest.mark.parametrize(
    ("counts", "said"),
    [((3, 0), "3 NaN"), ((0, 1), "1 infinite value"), ((2, 2), "2 NaN and 2 infinite values")],
)
def test_values_that_are_not_finite_are_a_warning(counts: tuple[int, int], said: str) -> None:
    tensors = (NotFinite("w", *counts), NotFinite("v", 1, 0))
    (finding,) = verified_findings(_verified(_file("a", scanned_bytes=8, not_finite=tensors)))
    assert (finding.severity, finding.effect) == (Severity.WARNING, Effect.NONE)
    assert f"tensor w holds {said}, and there are such values in 1 more tensor" in finding.message


@pytest.mark.parametrize("met", [True, None])
@pytest.mark.parametrize("active", [False, True])
def test_wrong_bytes_are_corrupt_and_still_committed(met: bool | None, active: bool) -> None:
    verified = _verified(_file("a", ok=False, message="cut"))
    judged = judge(with_verified(_facts(met), verified), activity=Activity(active, "grew"))
    assert (judged.verdict, judged.commit) == (Verdict.CORRUPT, Commit.COMMITTED)
    assert not judged.resumable


def test_what_was_never_committed_stays_so() -> None:
    verified = _verified(_file("a", ok=False, message="cut"))
    assert judge(with_verified(_facts(False), verified)).verdict is Verdict.UNCOMMITTED


@pytest.mark.parametrize(
    ("files", "total", "left"),
    [
        ([_file("a", checked_bytes=4 * _MIB)], 1, ()),
        ([_file("a")], 1, ("1.00 MiB of 4.00 MiB, which are protected by nothing",)),
        (
            [_file("a")],
            3,
            (
                "the bytes of 2 of 3 files",
                "1.00 MiB of 4.00 MiB, which are protected by nothing",
            ),
        ),
    ],
)
def test_what_is_left_unchecked(
    files: list[VerifiedFile], total: int, left: tuple[str, ...]
) -> None:
    facts = _facts()._replace(not_checked=("the bytes of tensors", "a file of others"))
    told = with_verified(facts, _verified(*files, total=total))
    assert told.not_checked == (*left, "a file of others")


def test_the_evidence() -> None:
    assert verified_text(_verified(_file("a"), total=2)) == (
        "bytes verified 2026-01-01 11:00 UTC: 1 of 2 files, checksums of 3.00 MiB of 8.00 MiB are"
        " right"
    )
    assert "wrong in 1 file" in verified_text(_verified(_file("a", ok=False)))
    bare = _file("a", ok=None, checked_bytes=0)
    assert "no checksum protects any" in verified_text(_verified(bare))


@pytest.mark.parametrize(
    ("scanned", "size", "total", "finite"),
    [
        ({"a", "b", "c"}, LARGE_BYTES, 3, True),
        ({"a", "b"}, LARGE_BYTES, 3, True),  # the third holds neither model nor optimizer
        ({"a"}, LARGE_BYTES, 3, None),
        ({"a"}, LARGE_BYTES - 1, 3, True),  # a small file of the optimizer is a setting
        ({"b"}, LARGE_BYTES, 3, None),
        ({"a", "b", "c"}, LARGE_BYTES, 4, None),
    ],
)
def test_which_checkpoints_count_as_finite(
    scanned: set[str], size: int, total: int, finite: bool | None
) -> None:
    roles = (RoleFacts(MODEL, 1, 1, "", paths=("a",)), RoleFacts(OPTIMIZER, 1, 1, "", paths=("b",)))
    files = [
        _file(name, size_bytes=size, scanned_bytes=size if name in scanned else None)
        for name in "abc"
    ]
    facts = _facts()._replace(roles=roles, verified=_verified(*files, total=total))
    assert is_finite(facts) is finite
    nan = files[2]._replace(not_finite=(NotFinite("w", 1, 0),))
    assert is_finite(facts._replace(verified=_verified(*files[:2], nan, total=total))) is False
    assert is_finite(facts._replace(verified=None)) is None
