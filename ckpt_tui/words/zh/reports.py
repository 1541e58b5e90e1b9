"""What `check`, `latest` and `explain` print, and hints where nothing was found."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "OK": "正常",
    "WARNING": "警告",
    "CRITICAL": "严重",
    "UNKNOWN": "未知",
    "EMPTY": "为空",
    (
        "{path}: nothing that this version can read found (looked for {formats}, at most 6 "
        "levels down)"
    ): ("{path}：没有找到本版本可读取的内容（查找过 {formats}，最多向下 6 层）"),
    "{path}: no checkpoint found (looked for {formats}, at most 6 levels down)": (
        "{path}：没有找到检查点（查找过 {formats}，最多向下 6 层）"
    ),
    "RESUME FROM {title}  {verdict}, committed at a time not known: {path}": (
        "从 {title} 恢复  {verdict}，提交时间未知：{path}"
    ),
    "RESUME FROM {title}  {verdict}, committed just now: {path}": (
        "从 {title} 恢复  {verdict}，刚刚提交：{path}"
    ),
    "RESUME FROM {title}  {verdict}, committed {age} ago: {path}": (
        "从 {title} 恢复  {verdict}，{age} 前提交：{path}"
    ),
    "NOTHING TO RESUME FROM: a restart begins at step 0": (
        "没有可恢复的检查点：重启会从 step 0 开始"
    ),
    "  restart: went on from a step that is gone after step {reached}": (
        "  重启：到 step {reached} 之后，从已不存在的步继续"
    ),
    "  restart: went on from step {origin} after step {reached}": (
        "  重启：到 step {reached} 之后，从 step {origin} 继续"
    ),
    ", {count} step lost": "，损失 {count} 步",
    ", {count} steps lost": "，损失 {count} 步",
    "  saving {title}: {size} of about {expected}": "  {title} 保存中：{size}，共约 {expected}",
    "  saving {title}: {size}": "  {title} 保存中：{size}",
    ", {time} left": "，还剩 {time}",
    "state": "状态",
    "step": "step",
    "age": "时间",
    "size": "大小",
    "roles": "角色",
    "shards": "分片",
    "name": "名称",
    "{name} (export)": "{name}（导出）",
    "  for {count} rank: {answer}": "  {count} 个 rank 时：{answer}",
    "  for {count} ranks: {answer}": "  {count} 个 rank 时：{answer}",
    "      … and {count} finding more (show --json)": "      … 另有 {count} 个问题（show --json）",
    "      … and {count} findings more (show --json)": "      … 另有 {count} 个问题（show --json）",
    "{path}: no exact checkpoint": "{path}：没有精确可续的检查点",
    "{path}: no resumable checkpoint": "{path}：没有可恢复的检查点",
    "; the newest is {state}": "；最新的：{state}",
    "{verdict}: {reason}": "{verdict}：{reason}",
    "of another world size: {reason}": "world size 不符：{reason}",
    "passed over for --exact: {reason}": "因 --exact 跳过：{reason}",
    "; {count} more newer one, too": "；还有 {count} 个更新的也跳过",
    "; {count} more newer ones, too": "；还有 {count} 个更新的也跳过",
    " (ckpt-tui show {path} says what to do)": "（用 ckpt-tui show {path} 查看处理办法）",
    "not all could be read, so say with --run which run": "有些无法读取，请用 --run 指定运行",
    "{path}: no checkpoint that could be read": "{path}：没有可读取的检查点",
    "{path}: no checkpoint yet": "{path}：还没有检查点",
    "{path}: a line break in its {what}": "{path}：它的 {what} 里有换行",
    "{path}: its {what} is not known": "{path}：它的 {what} 未知",
    "several runs, say which with --run: {names}": "有多个运行，请用 --run 指定：{names}",
    "no run {name}; there are: {names}": "没有运行 {name}；现有：{names}",
    "{path} is one checkpoint; its run is {instead}": "{path} 是单个检查点；它的运行是 {instead}",
    "{path} lies inside a checkpoint; its run is {instead}": (
        "{path} 在检查点内部；它的运行是 {instead}"
    ),
    "{path} is a file; the checkpoints beside it are a run: {instead}": (
        "{path} 是文件；它旁边的检查点是一个运行：{instead}"
    ),
    "{path} is a file, and no checkpoint lies beside it": "{path} 是文件，旁边没有检查点",
    "{path} is not there; did you mean {instead}?": "{path} 不存在；是否指 {instead}？",
    "the checkpoints lie in the directory above: {instead}": "检查点在上级目录：{instead}",
    "the link {path} leads out and was not followed; there are checkpoints: {instead}": (
        "链接 {path} 指向外部，未跟随；那里有检查点：{instead}"
    ),
    "{instead} holds checkpoints; hidden directories are not searched": (
        "{instead} 里有检查点；隐藏目录不搜索"
    ),
    "checkpoints lie deeper than is searched: {instead}": "检查点所在层级比搜索的更深：{instead}",
    "{path} is an export: weights without a job's state, nothing to resume from": (
        "{path} 是导出：只有权重，没有作业的状态，无法恢复"
    ),
    "{path} is there, and holds no checkpoint": "{path} 存在，但没有检查点",
    "Looked through one directory.": "查看了一个目录。",
    "Looked through {count} directories.": "查看了 {count} 个目录。",
    (
        "The search goes up to {levels} levels down; links that lead out and hidden directories "
        "are not followed."
    ): ("搜索最多向下 {levels} 层；不跟随指向外部的链接，不进入隐藏目录。"),
    "Looked through more than {count} directories, to be continued by a longer search.": (
        "查看了超过 {count} 个目录，更久的搜索会继续。"
    ),
}
