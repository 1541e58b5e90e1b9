"""The filter's language: what each word means, and that no text at all breaks it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ckpt_tui.core.findings import Finding
from ckpt_tui.core.query import FIELDS, Candidate, Query, parse_query
from ckpt_tui.core.query_words import BadQueryError
from ckpt_tui.core.verdict import judge
from ckpt_tui.core.vocabulary import Severity
from tests.core.builders import UNCOMMITTED, facts, roles, shard

if TYPE_CHECKING:
    from ckpt_tui.core.checkpoint import Checkpoint

NOW = 100_000.0
HOUR = 3600.0
REMARK = Finding("order-disagrees", Severity.INFO, "", "it is odd", "look")


def candidate(checkpoint: Checkpoint, text: str = "", run: str = "sft-8b") -> Candidate:
    shown = f"{checkpoint.verdict.value} {checkpoint.step} {text}"
    return Candidate(checkpoint, run, shown, checkpoint.moment or None)


def judged(step: int | None, hours: float, **changes: object) -> Candidate:
    made = facts(step, **changes)
    commit = made.commit._replace(committed_at=NOW - hours * HOUR)
    return candidate(judge(made._replace(commit=commit)), "named by latest")


NEW = judged(9000, 0.5, size_bytes=3 * 2**30, world_size=8, save_seconds=90.0)
OLD = judged(
    100,
    50,
    size_bytes=5 * 2**20,
    world_size=2,
    format="torch-dcp",
    roles=roles("model"),
    expected_ranks=(0, 1),
    shards=(shard(0), shard(1, problem="short")),
    findings=(REMARK,),
)
DEAD = candidate(judge(facts(None, name="dead", commit=UNCOMMITTED)), run="dpo")
ALL = {"new": NEW, "old": OLD, "dead": DEAD}


def shown(text: str) -> str:
    query = parse_query(text)
    return " ".join(name for name, each in ALL.items() if query.matches(each, NOW))


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("", "new old dead"),
        ("exact", "new"),
        ("EXACT", "new"),
        ("!exact", "old dead"),
        ("!!exact", "new"),
        ("by latest", "new old"),
        ('"by latest"', "new old"),
        ('"latest by"', ""),
        ('!"by latest"', "dead"),
        ('"by lat', "new old"),
        ('by" "latest', "new old"),
        ('"step"', ""),
        ("step>100", "new"),
        ("step>=100", "new old"),
        ("step<9k", "old"),
        ("step=9000", "new"),
        ("step:9000", "new"),
        ("!step>100", "old dead"),
        ("size>1g", "new"),
        ("size>=5mib", "new old"),
        ("size<1.5k", "dead"),
        ("ranks=8", "new"),
        ("ranks<8", "old"),
        ("age<2h", "new"),
        ("age>2d", "old"),
        ("age<1h30m", "new"),
        ("age>2d !exact", "old"),
        ("!age<2h", "old dead"),
        ("took>1m", "new"),
        ("state:exact", "new"),
        ("status:exact", "new"),
        ("status:!exact", "old dead"),
        ("!status:!exact", "new"),
        ("state:exact,unc", "new dead"),
        ("state=exact", "new"),
        ("commit:com", "new old"),
        ("role:optim", "new dead"),
        ("!role:optim", "old"),
        ("format:dcp", "old"),
        ("run:sft", "new old"),
        ('run:"d p"', ""),
        ("rank:1", "old"),
        ("rank:0", ""),
        ("rank:0,1", "old"),
        ("rank:7", ""),
        ("finding:order", "old"),
        ("code:disagrees", "old"),
        ("!finding:order", "new dead"),
        ("exact step>100 size>1g", "new"),
    ],
)
def test_what_is_shown(text: str, names: str) -> None:
    assert shown(text) == names


@pytest.mark.parametrize("text", ["step>=", "age<", "!", "!!", '"', '!"', "state:!", "role:,"])
def test_a_half_typed_word_hides_nothing(text: str) -> None:
    assert parse_query(text).terms == ()


@pytest.mark.parametrize("field", FIELDS)
def test_a_field_without_a_value_hides_nothing(field: str) -> None:
    for text in (field, f"!{field}", f"{field}:", f"!{field}=", f'{field}:""'):
        assert parse_query(text).terms == ()
    assert len(parse_query(f'"{field}"').terms) == 1


@pytest.mark.parametrize("field", FIELDS)
def test_a_half_typed_field_says_what_it_needs(field: str) -> None:
    assert parse_query(f"exact {field}:").hint.startswith(f"{field} needs a value, such as {field}")
    assert parse_query(f"{field}: exact").hint == ""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("step>x", "step needs a value, such as step>5000"),
        ("step>" + "9" * 40, "step needs a value"),
        ("size<1q", "size needs a value, such as size>1g"),
        ("rank:x", "rank needs a value, such as rank:640"),
        ("rank:1,x", "rank needs"),
        ("age<2", "age needs a value, such as age<2h"),
        ("age=2h", "age needs a value, such as age<2h"),
        ("state>exact", "state needs a value, such as state:exact"),
        ("steps>5", "there is no field steps>"),
        ("!stat:exact", 'in quotes it is text: "stat:"'),
    ],
)
def test_what_cannot_be_read_is_told(text: str, message: str) -> None:
    with pytest.raises(BadQueryError) as raised:
        parse_query(text)
    assert message in str(raised.value)


def test_only_a_filter_by_age_changes_as_time_passes() -> None:
    assert parse_query("step>5 !age<2h").timed
    assert not parse_query("step>5 took>2h").timed
    young = parse_query("age<1h")
    assert young.matches(NEW, NOW)
    assert not young.matches(NEW, NOW + HOUR)


_SIGNS = ["!", '"', ":", ">", "<=", "=", ",", " "]
_VALUES = ["5", "1g", "2h", "exact", "rng", "९", "\udcff"]
_WORDS = st.sampled_from([*FIELDS, *_SIGNS, *_VALUES])
_TYPED = st.lists(_WORDS | st.characters(), max_size=12).map("".join)


def parsed(text: str) -> Query | None:
    try:
        return parse_query(text)
    except BadQueryError:
        return None


@given(_TYPED)
def test_any_text_is_a_filter_or_a_told_mistake(text: str) -> None:
    query = parsed(text)
    if query is not None:
        assert query.text == text
        for each in ALL.values():
            assert query.matches(each, NOW) in (True, False)


@given(_TYPED.filter(lambda text: not any(map(str.isspace, text)) and text.count('"') % 2 == 0))
def test_the_opposite_is_exactly_what_is_left(word: str) -> None:
    query, opposite = parsed(word), parsed(f"!{word}")
    assert (query is None) == (opposite is None)
    if query is None or opposite is None:
        return
    assert len(query.terms) == len(opposite.terms)
    for each in ALL.values() if query.terms else ():
        assert query.matches(each, NOW) != opposite.matches(each, NOW)


@given(_TYPED, _TYPED)
def test_more_words_never_show_more(text: str, more: str) -> None:
    query, narrower = parsed(text), parsed(f"{text} {more}")
    if query is None or narrower is None or text.count('"') % 2:
        return
    for each in ALL.values():
        assert query.matches(each, NOW) or not narrower.matches(each, NOW)


def test_the_page_about_the_table_tells_every_field() -> None:
    page = Path(__file__).parents[2] / "docs" / "table.md"
    typed = re.findall(r"^\| `([^`]+)` \|", page.read_text(encoding="utf-8"), re.M)
    for text in typed:
        assert parse_query(text).terms
    for field in FIELDS:
        assert f"`{field}" in page.read_text(encoding="utf-8"), field
