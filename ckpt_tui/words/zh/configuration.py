"""Configuration and its mistakes."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "Configuration: `path` says which files count, `show` what holds in DIR and where each"
    " value comes\n"
    "from, `validate` whether files and environment are right, `schema` which keys there"
    " are.\n"
    "\n"
    "The weakest first: the user's file (what {variable} names, else ckpt-tui/config.toml"
    " where\n"
    "the platform keeps configuration), {file} in DIR or above it, --config, environment\n"
    "variables such as CKPT_TUI_THEME, options. Names of roles are put together, of all"
    " else the nearest\n"
    "wins.\n": (
        "配置：`path` 显示哪些文件生效，`show` 显示在 DIR 中生效的值及其来源，`validate` 检"
        "查文件和\n"
        "环境变量是否正确，`schema` 列出有哪些键。\n"
        "\n"
        "由弱到强：用户文件（由 {variable} 指定，否则为系统配置目录下的\n"
        "ckpt-tui/config.toml）、DIR 或其上级目录中的 {file}、--config、CKPT_TUI_THEME 等环"
        "境变量、\n"
        "命令行选项。角色的名称会合并，其他键以最近的来源为准。\n"
    ),
    "exit codes: 0 all is right; 64 something is not, or is named and is not there": (
        "退出码：0 全部正确；64 有错误，或指定的文件不存在"
    ),
    "the environment": "环境变量",
    "{place}: right": "{place}：正确",
    "not there": "不存在",
    "not set": "未设置",
    "a list of 1 to {most} strings, the first a program by its name alone or its absolute"
    " path": "由 1 至 {most} 个字符串组成的列表，第一个是程序，只写名称或写绝对路径",
    "an address that begins with https:// or http://, without a user name": (
        "以 https:// 或 http:// 开头、不含用户名的地址"
    ),
    "{text} cannot be told apart into words: set it in a file": (
        "{text} 无法拆成单词：请在文件中设置"
    ),
    "it has more than {count} bytes": "超过 {count} 字节",
    "it has more than {count} dots": "超过 {count} 个点号",
    "it is no UTF-8 text at byte {place}": "在第 {place} 字节处不是 UTF-8 文本",
    "it is no TOML: {reason}": "不是 TOML：{reason}",
    "it is no TOML: nested too deeply": "不是 TOML：嵌套太深",
    "a theme's name": "主题名",
    "line {line}: {name} = {value} lets more pass than {usual} ({where})": (
        "第 {line} 行：{name} = {value} 比 {usual} 更宽松（{where}）"
    ),
    "line {line}: require asks for less than usual: not {roles}": (
        "第 {line} 行：require 比通常要求的少：缺 {roles}"
    ),
    "line {line}: further names: {name}": "第 {line} 行：更多名称：{name}",
    "the default": "默认值",
    "a list of {words}": "由 {words} 组成的列表",
    'a key such as "x", "ctrl+x" or "f2", or a list of up to 10': (
        '按键，如 "x"、"ctrl+x" 或 "f2"，或至多 10 个的列表'
    ),
    "a list of strings of 1 to {most} characters": "字符串的列表，每个 1 至 {most} 个字符",
    ", each with - before it or not": "，每项前可带 -",
    ", {words} among them": "，其中须有 {words}",
    "it names one of them twice": "其中一项写了两次",
    "{word} is none: {hint}": "{word} 不在其中：{hint}",
    "there are {names}": "可用：{names}",
    "did you mean {name}?": "是否指 {name}？",
    "has to be {wanted}": "必须是{wanted}",
    "is no key; {hint}": "不是键；{hint}",
    "{text}: {why}": "{text}：{why}",
    "is no key here; it belongs above all tables": "在此不是键；它属于所有表之前",
    "says the same as {key}: give one of them": "与 {key} 含义相同：只给其一",
    "is of no use: nodes and node_mtbf_hours go together": (
        "无法使用：nodes 与 node_mtbf_hours 要一起给出"
    ),
    "is no key here; it belongs in [{table}]": "在此不是键；它属于 [{table}]",
    "and {count} more mistakes": "另有 {count} 处错误",
    "is no key": "不是键",
    "line {line}: {mistake}": "第 {line} 行：{mistake}",
    "has to be a table: [{name}]": "必须是表：[{name}]",
    "{name} is the second role of it, after {role}": "{name} 已是 {role}，这是它的第二个角色",
    "{name} is a name of {role}; to move it, add it to {key} in the same table, too": (
        "{name} 是 {role} 的名称；要改归此处，请同时在同一表中把它加入 {key}"
    ),
    "true or false": "真假值（true 或 false）",
    "one of {words}": "以下之一：{words}",
    "a whole number from {least} to {most}": "从 {least} 到 {most} 的整数",
    "a number from {least} to {most}": "从 {least} 到 {most} 的数",
    'a time such as "90s" or "2h", or a number of seconds': ('时间，如 "90s" 或 "2h"，或秒数'),
    "{what}, a string of 1 to {most} characters": "{what}，1 至 {most} 个字符的字符串",
    "a whole number from {least} on": "不小于 {least} 的整数",
    "a number from {least} on": "不小于 {least} 的数",
    "{place}, line {line}": "{place}，第 {line} 行",
    "{name} is no variable; {hint}": "{name} 不是有效的变量；{hint}",
}
