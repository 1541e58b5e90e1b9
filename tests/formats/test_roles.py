"""Which role a name stands for, what a configuration adds, and that docs/roles.md says the same."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ckpt_tui.core.vocabulary import ALL_ROLES
from ckpt_tui.formats.shared.archive_step import find_step, whole_number
from ckpt_tui.formats.shared.role_names import EPOCH_KEYS, STEP_KEYS, SYNONYMS
from ckpt_tui.formats.shared.roles import (
    NO_SYNONYMS,
    Synonyms,
    role_of_file_name,
    role_of_key,
    synonyms_in_use,
    use_synonyms,
)
from ckpt_tui.store.index import Store
from tests.formats.torch_builder import OPTIMIZER, WEIGHTS, write_torch

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE = Path(__file__).parents[2] / "docs" / "roles.md"


@pytest.fixture(autouse=True)
def _usual_names() -> Iterator[None]:
    yield
    use_synonyms(NO_SYNONYMS)


@pytest.mark.parametrize(
    ("key", "role"),
    [
        ("net", "model"),
        ("G_state_dict", "model"),
        ("netG", "model"),
        ("net_D", "model"),
        ("g_ema", "model"),
        ("discriminator", "model"),
        ("student", "model"),
        ("state_dict_ema", "model"),
        ("opt", "optimizer"),
        ("optimizer_G", "optimizer"),
        ("optimizer_D_state_dict", "optimizer"),
        ("d_optim", "optimizer"),
        ("optimizer_0", "optimizer"),
        ("optimizer_1", "optimizer"),
        ("optimizer_states", "optimizer"),
        ("last_optimizer_state", "optimizer"),
        ("sched", "scheduler"),
        ("lr_scheduler_state", "scheduler"),
        ("scheduler_1", "scheduler"),
        ("scheduler_G", "scheduler"),
        ("param_schedulers", "scheduler"),
        ("np_random_state", "rng"),
        ("rng_rank3", "rng"),
        ("rng_state_dp_rank_0", "rng"),
        ("cuda_rng_state_all", "rng"),
        ("iter_num", "progress"),
        ("global_step", "progress"),
        ("completed_steps", "progress"),
        ("meta", "progress"),
        ("  Model ", "model"),
        ("scaler", None),
        ("amp", None),
        ("d_model", None),
        ("optimizer_name", None),
        ("modeling", None),
        ("model" + "_5" * 100 + "x", None),
        ("model" + "0" * 200 + "x", None),
        ("model" + "_5" * 100_000, None),
        ("optimizer_0_1_rank2-3", "optimizer"),
        (3, None),
    ],
)
def test_key(key: object, role: str | None) -> None:
    assert role_of_key(key) == role


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("netG_100.pth", "model"),
        ("optimizer_D.pt", "optimizer"),
        ("np_random_state.pkl", "rng"),
        ("lr_sched-3.pt", "scheduler"),
        ("notes.txt", None),
    ],
)
def test_file_name(name: str, role: str | None) -> None:
    assert role_of_file_name(name) == role


def test_no_name_has_two_roles() -> None:
    names = [name for names in SYNONYMS.values() for name in names]
    assert len(names) == len(set(names))
    assert all(name == name.lower().strip() for name in names)
    assert set(SYNONYMS) <= set(ALL_ROLES)
    assert {*STEP_KEYS} <= {*SYNONYMS["progress"]}


@given(st.text(max_size=40))
def test_numbers_and_a_letter_never_change_a_role(key: str) -> None:
    role = role_of_key(key)
    if role is not None and not re.search(r"(^|_)[gd](_|$)", key.lower()):
        assert role_of_key(f"{key.rstrip()}_7") == role


def test_further_names_hold_until_others_are_set() -> None:
    assert role_of_key("tick") is None
    mine = Synonyms((("mover", "optimizer"), ("opt_state", "scheduler")), ("tick",), ("round",))
    use_synonyms(mine)
    assert synonyms_in_use() == mine
    assert [role_of_key(k) for k in ("mover", "opt_state", "tick", "opt")] == [
        "optimizer", "scheduler", "progress", "optimizer",
    ]  # fmt: skip
    found = find_step({"step": 3, "tick": 7}, whole_number)
    assert found is not None
    assert found.value == 7
    use_synonyms(NO_SYNONYMS)
    assert role_of_key("tick") is None
    assert role_of_key("opt_state") == "optimizer"


def test_facts_that_were_read_by_other_names_are_read_again(tmp_path: Path) -> None:
    own = {"wide": WEIGHTS, "optimizer": OPTIMIZER, "step": 10}
    path = write_torch(tmp_path / "ckpt_10.pt", own)
    store = Store(str(tmp_path))
    (before,) = store.look().checkpoints
    use_synonyms(Synonyms((("wide", "model"),)))
    (after,) = store.look(frozenset({str(path)})).checkpoints
    assert "model" not in before.facts.role_names()
    assert "model" in after.facts.role_names()


def documented(heading: str) -> dict[str, tuple[str, ...]]:
    """Rows of the table below a heading: first cell → names in the second."""
    section = PAGE.read_text().partition(f"## {heading}\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| ([a-z ]+) \| (`.*) \|$", section, re.M)
    return {role: tuple(re.findall(r"`([^`]+)`", names)) for role, names in rows}


def test_the_page_shows_the_tables() -> None:
    assert documented("Names of states") == SYNONYMS
    assert documented("Counters") == {"step": STEP_KEYS, "epoch": EPOCH_KEYS}
