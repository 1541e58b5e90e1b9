"""From the keys of a configuration to what is asked for."""

from __future__ import annotations

import pytest

from ckpt_tui.alerts.settings import QUIET, alert_settings
from ckpt_tui.config.alarm_keys import ALARM_KEYS, OWN_FILE_ONLY
from ckpt_tui.core.alarms.sight import DEFAULT_LIMITS, Limits
from ckpt_tui.core.alarms.values import AlarmLevel


def test_by_default_nothing_leaves_the_screen() -> None:
    assert alert_settings(()) == QUIET
    assert not QUIET.bell
    assert not QUIET.notify
    assert not QUIET.carries


def test_all_keys() -> None:
    settings = alert_settings(
        [("bell", True), ("command", ("prog",)), ("level", "critical"), ("min_good", 3)]
    )
    assert settings.bell
    assert settings.carries
    assert settings.level is AlarmLevel.CRITICAL
    assert settings.limits == DEFAULT_LIMITS._replace(min_good=3)
    with pytest.raises(ValueError, match="no keys of"):
        alert_settings([("strange", 1)])


def test_the_keys_of_the_configuration_are_the_fields_here() -> None:
    outside = set(QUIET._fields) - {"limits"}
    assert set(ALARM_KEYS) == outside | set(Limits._fields)
    assert outside == OWN_FILE_ONLY
