"""Numbers and times as people read them: fixed width, IEC units, three significant digits."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_UNITS = ("B", "KiB", "MiB", "GiB", "TiB", "PiB")


def bytes_text(size_bytes: float | None) -> str:
    """Bytes in IEC units with three significant digits: "1.25 TiB", "912 GiB", "–" for None."""
    if size_bytes is None:
        return "–"
    value = float(size_bytes)
    for unit in _UNITS:
        if abs(value) < 999.5 or unit == _UNITS[-1]:
            break
        value /= 1024
    if unit == "B":
        return f"{value:.0f} B"
    digits = 2 if abs(value) < 9.995 else 1 if abs(value) < 99.95 else 0
    return f"{value:.{digits}f} {unit}"


def duration_text(seconds: float | None) -> str:
    """A duration in at most two units: "0.4 s", "38 s", "2m 11s", "1h 14m", "3d 4h"."""
    if seconds is None:
        return "–"
    if seconds < 0:
        return f"-{duration_text(-seconds)}"
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60}m {whole % 60:02d}s"
    if whole < 86400:
        return f"{whole // 3600}h {whole % 3600 // 60:02d}m"
    return f"{whole // 86400}d {whole % 86400 // 3600:02d}h"


def age_text(seconds: float | None) -> str:
    """The age of something, coarse on purpose: "now", "38s", "14m", "1h 14m", "2d"."""
    if seconds is None:
        return "–"
    if seconds < 1:
        return "now"
    whole = int(seconds)
    if whole < 60:
        return f"{whole}s"
    if whole < 3600:
        return f"{whole // 60}m"
    if whole < 86400:
        return f"{whole // 3600}h {whole % 3600 // 60:02d}m"
    days = whole // 86400
    return f"{days}d" if days >= 10 else f"{days}d {whole % 86400 // 3600}h"


def ranks_text(ranks: Sequence[int], most: int = 6) -> str:
    """Ranks as a phrase: "rank 3", "ranks 0–3, 7", "ranks 1, 5, 9 … (312 in all)"."""
    spans: list[tuple[int, int]] = []
    for rank in sorted(set(ranks)):
        if spans and rank == spans[-1][1] + 1:
            spans[-1] = (spans[-1][0], rank)
        else:
            spans.append((rank, rank))
    shown = [str(a) if a == b else f"{a}–{b}" for a, b in spans[:most]]
    text = ", ".join(shown)
    if len(spans) > most:
        text += f" … ({len(set(ranks))} in all)"
    return f"rank {text}" if len(set(ranks)) == 1 else f"ranks {text or '–'}"


def plural(count: int, word: str) -> str:
    """A count with its noun: "1 file", "3 files"."""
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def words(parts: Sequence[str], joint: str = "and") -> str:
    """A list as prose: "a, b and c"."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {joint} {parts[-1]}"
