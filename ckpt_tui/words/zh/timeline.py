"""The timeline, a replay, and the screen of a start without a directory."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "rate/s": "速率/s",
    "  no save with a time yet": "  还没有带时间的保存",
    "timeline": "时间线",
    "reading …": "正在读取 …",
    "no run is under the cursor": "光标处没有 run",
    "timeline of {run}": "{run} 的时间线",
    " gap {time} ": " 间隔 {time} ",
    "{number} of {all}": "{number}/{all}",
    "a save that is gone": "已删除的保存",
    "step {step}": "step {step}",
    "went on from {origin}, {step} had been reached: {steps} lost": (
        "从 {origin} 继续，此前已到 {step}：损失 {steps}"
    ),
    "no save for {time}, {excess} more than its steps need until then": (
        "{time} 没有保存，比其间各步所需多 {excess}"
    ),
    "{save} is {state}": "{save} {state}",
    "{what}: {reason}": "{what}：{reason}",
    "usually {time}": "通常 {time}",
    "slow: usually {time}": "偏慢：通常 {time}",
    "took {time}": "用时 {time}",
    "took at least {time}": "用时至少 {time}",
    "at most {rate}": "至多 {rate}",
    "{time} after {save}": "在 {save} 之后 {time}",
    "{number} step": "{number} 步",
    "{number} steps": "{number} 步",
    "{told}, {steps}": "{told}，{steps}",
    "{time}, {ago}": "{time}，{ago}",
    "gone": "已删除",
    "gone: only the history knows it": "已删除：只有历史记录",
    ", resume point": "，恢复点",
    "still being written": "仍在写入",
    "how long it took is not known": "用时未知",
    "the oldest that is known": "已知最早的一次",
    "  no restart, no gap, no broken save": "  没有重启、间隔或坏的保存",
    "{count} gone, known from the history": "{count} 次已删除，见于历史",
    "{count} restart": "{count} 次重启",
    "{count} restarts": "{count} 次重启",
    "{count} gap": "{count} 次间隔",
    "{count} gaps": "{count} 次间隔",
    "history: {problem}": "历史：{problem}",
    "of {time}, {ago}: nothing here is live · {path}": "{time}，{ago}：这里都不是实时的 · {path}",
    "cleared: {message}": "已解除：{message}",
    "still": "暂停",
    "in {time}: {event}": "{time} 后：{event}",
    " REPLAY ": " 回放 ",
    "{count} more": "另有 {count} 个",
    "now: {events}": "此刻：{events}",
    "no event follows": "后面没有事件",
    "No alarm follows.": "后面没有告警。",
    "There is no alarm before.": "前面没有告警。",
    "The recording ends early: {reason}.": "录像提前结束：{reason}。",
    "Any other: ckpt-tui DIR. Prepared situations to learn from: ckpt-tui demo --list": (
        "其他目录：ckpt-tui DIR。可供学习的预设场景：ckpt-tui demo --list"
    ),
    "Open:": "打开：",
    "No checkpoint in {path}": "{path} 中没有检查点",
    "No checkpoint found yet in {path}": "{path} 中尚未找到检查点",
    "opened {ago} ago": "{ago} 前打开过",
    "opened {ago} ago, not there now": "{ago} 前打开过，现在不存在",
    "this directory": "当前目录",
    "wait here for the first save; search on": "在此等待第一次保存，并继续查找",
    "the demo": "演示",
    "a simulated job, faults included, in a temporary directory": (
        "模拟的作业，含故障，在临时目录中"
    ),
}
