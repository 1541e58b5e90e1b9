"""What opens over the dashboard: help, log, command palette."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    # Help
    "keys and signs": "按键与符号",
    "States": "状态",
    "Ranks": "Rank",
    "the resume point": "恢复点",
    "lower case: not for every rank; ·: missing; D: data loader too": (
        "小写：不是每个 rank 都有；·：缺少；D：还有数据加载器"
    ),
    "Filter: all words must hold": "过滤：每个词都须满足",
    "In the list of tensors": "在张量列表中",
    "What a fault costs": "故障的代价",
    "The rollback is the work since the resume point's save began."
    " Reload ({reload}) and down time"
    " ({down}) are not measured: --reload-minutes and"
    " --down-minutes set them; without these they are the planner's defaults, 8 and 0,"
    " and the reload is called assumed."
    " The chance of a fault before the next save is complete goes by the planner's fault"
    " rate ({rate} an hour at first). What is changed there"
    " counts here at once.": (
        "回退是恢复点的保存开始之后所做的工作。重载（{reload}）和停机（{down}）不是测得的："
        "用 --reload-minutes 和 --down-minutes 设定；不设时取规划器的默认值 8 和 0，重载标为假定。"
        "下次保存完成前出故障的概率按规划器的故障率计算（起初为每小时 {rate} 次）。"
        "在规划器里的改动会立即在这里生效。"
    ),
    "Terminal": "终端",
    "The clipboard is the terminal's own (OSC 52); some terminals refuse it, and none says"
    " so. tmux hands it on with `set -g set-clipboard on`, or with"
    " `set -g allow-passthrough on`. What C marks with x, or O, is printed when you quit:"
    " that works everywhere."
    " To select text with the mouse hold Shift (Option on a Mac), or start with --no-mouse."
    " If the terminal stays odd after a crash: reset.": (
        "剪贴板由终端提供（OSC 52）；有的终端会拒绝，而且都不会告知。"
        "tmux 需要 `set -g set-clipboard on` 或 `set -g allow-passthrough on` 才会转发。"
        "用 O 或在 C 里按 x 标记的内容会在退出时打印：这在任何终端都有效。"
        "用鼠标选文字请按住 Shift（Mac 上按 Option），或以 --no-mouse 启动。"
        "如果崩溃后终端不正常：执行 reset。"
    ),
    # Log
    "alarms and events (UTC)": "告警与事件 (UTC)",
    "all levels": "所有级别",
    "only critical": "仅严重",
    "warning and worse": "警告及以上",
    "critical": "严重",
    "Now": "现在",
    "no alarm": "没有告警",
    "Log: {count} event, the newest first": "日志：{count} 个事件，最新的在前",
    "Log: {count} events, the newest first": "日志：{count} 个事件，最新的在前",
    "for {time}": "已持续 {time}",
    "cleared, {time}": "{time} 后解除",
    "was there": "原已存在",
    "save began": "开始保存",
    "save committed": "保存已提交",
    "save died": "保存中断",
    "deleted": "已删除",
    "restart": "重启",
    "run began": "运行开始",
    "run gone": "运行消失",
    "run level": "运行级别变化",
    "delivery failed": "送达失败",
    "alarms do not get through: {reasons}": "告警无法送达：{reasons}",
    # Messages and the palette
    "Looking at everything again.": "正在重新查看全部。",
    "Search for commands": "搜索命令",
    "Search for themes…": "搜索主题…",
    "Theme": "主题",
    "Change the current theme": "更换当前主题",
    "key {key}": "按键 {key}",
    "go to step {step}": "转到 step {step}",
    "puts the cursor there": "把光标移到那里",
}
