"""Words that are values of sentences: a shard's state, an age, a job's end."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "missing": "缺失",
    "empty": "为空",
    "short": "偏短",
    "unreadable": "无法读取",
    "waiting": "等待中",
    "now": "刚刚",
    "stopped": "已停止",
}
