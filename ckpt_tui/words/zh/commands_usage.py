"""Options that several commands share, and what is wrong with a command line."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "ckpt-tui: internal error: {kind}: {error} (set CKPT_TUI_DEBUG=1 for the place)": (
        "ckpt-tui: 内部错误：{kind}：{error}（设 CKPT_TUI_DEBUG=1 可看到位置）"
    ),
    "the following arguments are required: {names}": "缺少必需的参数：{names}",
    "unrecognized arguments: {words}": "无法识别的参数：{words}",
    "argument {name}: not allowed with argument {other}": (
        "参数 {name}：不能与参数 {other} 一起使用"
    ),
    "argument {name}: expected one argument": "参数 {name}：需要一个值",
    "argument {name}: expected at least one argument": "参数 {name}：至少需要一个值",
    "argument {name}: invalid choice: {word} (choose from {words})": (
        "参数 {name}：{word} 不是有效的选项（可选：{words}）"
    ),
    "argument {name}: invalid {kind} value: {word}": "参数 {name}：{word} 不是有效的 {kind} 值",
    "argument {name}: ignored explicit argument {word}": "参数 {name}：不接受值 {word}",
    "argument {name}: {reason}": "参数 {name}：{reason}",
    "of every command: 64 usage error, 70 internal error, 130 interrupted": (
        "所有命令：64 用法错误，70 内部错误，130 被中断"
    ),
    "positional arguments": "位置参数",
    "options": "选项",
    "draw with ASCII characters only": "只用 ASCII 字符绘制",
    "listen to the mouse, or leave it to the terminal's selection": (
        "响应鼠标，或留给终端自己选取文本"
    ),
    "show this help message and exit": "显示此帮助并退出",
    "language of texts (default: that of the locale, else {english}); JSON is English": (
        "界面语言（默认：按 locale，否则 {english}）；JSON 为英文"
    ),
    "examples:": "示例:",
    "{text}: need a time ≥ 0 such as 8 or 90s": "{text}：需要不小于 0 的时间，如 8 或 90s",
    "the path is empty (an unset variable?)": "路径为空（变量未设置？）",
    "{text}: roles are {roles}": "{text}：可用的角色有 {roles}",
    "judge for a job of N ranks: another size than the writer's needs a format that can"
    " reshard": "按 N 个 rank 的作业判定：与写入时不同的大小需要能够重新分片的格式",
    "roles that a resumed run needs (default: {roles})": "恢复运行所需的角色（默认：{roles}）",
    "a save that has not grown for so long is dead (default: {seconds}s)": (
        "这么久没有增长的保存视为已死（默认：{seconds}s）"
    ),
    "a file of configuration that wins over the user's and the one in DIR": (
        "优先于用户配置和 DIR 中配置的配置文件"
    ),
    "read no file of configuration at all": "不读取任何配置文件",
    "auto, ansi, or a theme of Textual such as textual-light": (
        "auto、ansi，或 Textual 的主题，如 textual-light"
    ),
    "give up after so long (a hung mount)": "超过此时间即放弃（挂起的挂载点）",
    "time between two looks at an unfinished save (default: {seconds}s)": (
        "对未完成的保存两次查看之间的时间（默认：{seconds}s）"
    ),
    "usage: ": "用法: ",
    "{text}: need a time such as 90s or 2h": "{text}：需要时间，如 90s 或 2h",
    "{text}: need a whole number of at least {least}": "{text}：需要不小于 {least} 的整数",
}
