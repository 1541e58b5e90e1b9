"""What commands print, and their options."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "not used: {reason}": "未启用：{reason}",
    "{count} checkpoint": "{count} 个检查点",
    "{count} checkpoints": "{count} 个检查点",
    "{size} deleted": "已删除 {size}",
    "a run, a directory above runs, or one checkpoint (default: this directory)": (
        "一个运行、其上级目录，或单个检查点（默认：当前目录）"
    ),
    "print the JSON document": "打印 JSON 文档",
    "print one monitoring line with performance data; exit codes 0 to 3": (
        "打印一行带性能数据的监控输出；退出码 0 至 3"
    ),
    "warn of an older resume point": "恢复点早于此时警告",
    "an older resume point is critical": "恢复点早于此为严重",
    "warn where a run has fewer resumable checkpoints": "运行的可恢复检查点少于此数时警告",
    "no checkpoint at all is critical (for mounts that may be missing)": (
        "完全没有检查点为严重（用于可能未挂载的目录）"
    ),
    "{path} is no checkpoint (ckpt-tui check names those below it)": (
        "{path} 不是检查点（ckpt-tui check 会列出其下的检查点）"
    ),
    "the first, such as the one that worked": "第一个，如正常的那个",
    "the second, such as the one that does not": "第二个，如有问题的那个",
    "use no file-system events, only looks by the clock": "不用文件系统事件，只按时钟查看",
    "keep and use a history of what is watched (`ckpt-tui history -h`)": (
        "保留并使用所监视内容的历史（`ckpt-tui history -h`）"
    ),
    "keep what was read for the next start, and use it (`ckpt-tui cache -h`)": (
        "为下次启动保留读过的内容并使用它（`ckpt-tui cache -h`）"
    ),
    "{directory}: no such directory (and no command)": "{directory}：没有此目录（也不是命令）",
    "a run, a directory above runs, or one checkpoint (default: this directory, where it"
    " holds one; else a choice)": (
        "一个运行、其上级目录，或单个检查点（默认：当前目录，若其中有检查点；否则可选择）"
    ),
    "time to load a checkpoint, for the cost of a fault (default: {minutes})": (
        "加载检查点的时间，用于计算故障代价（默认：{minutes}）"
    ),
    "detection and requeue, for the cost of a fault (default: {minutes})": (
        "故障检测与重新排队的时间，用于计算故障代价（默认：{minutes}）"
    ),
    "record what is shown, for `ckpt-tui replay FILE`; compressed where it ends with .gz": (
        "录制所显示的内容，供 `ckpt-tui replay FILE` 使用；文件名以 .gz 结尾时压缩"
    ),
    "ckpt-tui: --record goes with the dashboard, and stdout is no terminal: without one use"
    " `ckpt-tui record DIR FILE`": (
        "ckpt-tui: --record 要与仪表盘一起使用，而 stdout 不是终端：没有终端时请用"
        " `ckpt-tui record DIR FILE`"
    ),
    "ckpt-tui demo: --headless (and a stdout that is no terminal) needs --dir": (
        "ckpt-tui demo: --headless（以及 stdout 不是终端时）需要 --dir"
    ),
    "where to write (default: a temporary directory that is removed afterwards)": (
        "写到哪里（默认：临时目录，结束后删除）"
    ),
    "ranks of the simulated job (default: {count})": "模拟作业的 rank 数（默认：{count}）",
    "how much faster than the clock on the wall (default: {speed})": (
        "比墙上时钟快多少倍（默认：{speed}）"
    ),
    "where all content comes from (default: {seed})": "生成全部内容的种子（默认：{seed}）",
    "nothing fails": "不发生任何故障",
    "show a prepared situation instead, on a simulated disk (--list names them)": (
        "改为在模拟磁盘上展示预设情境（--list 列出名称）"
    ),
    "list the prepared situations, and what is right in each": (
        "列出各预设情境，以及每种情境的正确结论"
    ),
    "only write, and say on stdout what happens; needs --dir": (
        "只写入，并在 stdout 上说明发生了什么；需要 --dir"
    ),
    "ckpt-tui demo: {path} is not empty": "ckpt-tui demo: {path} 不是空目录",
    "ckpt-tui demo: {directory} is not empty, and no demo wrote it": (
        "ckpt-tui demo: {directory} 不是空目录，且不是由 demo 写的"
    ),
    "ckpt-tui explain: there is no finding or verdict {code}; `ckpt-tui explain` lists all": (
        "ckpt-tui explain: 没有问题或判定 {code}；`ckpt-tui explain` 列出全部"
    ),
    "seen": "现象",
    "cause": "原因",
    "effect": "影响",
    "what to do": "处理办法",
    "example": "示例",
    "framework": "框架行为",
    "ckpt-tui explain: there is no finding or verdict {code}; did you mean {names}?": (
        "ckpt-tui explain: 没有问题或判定 {code}；是否指 {names}？"
    ),
    "a verdict": "判定",
    "a finding": "问题",
    "a finding code or a verdict, such as empty-file": "问题代码或判定，如 empty-file",
    "print a JSON document, in English": "打印 JSON 文档（英文）",
    "Verdicts": "判定",
    "Findings": "问题",
    "this is one checkpoint; open its run: ckpt-tui {run}": (
        "这是单个检查点；打开其所属运行：ckpt-tui {run}"
    ),
    "hint: {text} ({command})": "提示：{text}（{command}）",
    "hint: {path} holds exports: weights without a job's state": (
        "提示：{path} 中是导出：只有权重，没有作业状态"
    ),
    "hint: {text}": "提示：{text}",
    "{at}  step {step}  {size}  took {took} ({source})  {name}": (
        "{at}  step {step}  {size}  耗时 {took}（{source}）  {name}"
    ),
    "no history is kept: {reason}": "未保留历史：{reason}",
    "{count} save kept": "已保留 {count} 次保存",
    "{count} saves kept": "已保留 {count} 次保存",
    "{count} save forgotten": "已遗忘 {count} 次保存",
    "{count} saves forgotten": "已遗忘 {count} 次保存",
    "{name}: nothing is kept of such a run": "{name}：没有保留这样的运行",
    "which run; for keep, a directory": "哪个运行；对 keep 为目录",
    "{count} save, {first} to {last}": "{count} 次保存，{first} 至 {last}",
    "{count} saves, {first} to {last}": "{count} 次保存，{first} 至 {last}",
    "ckpt-tui history keep: name a directory of checkpoints": (
        "ckpt-tui history keep: 请给出检查点目录"
    ),
    "not kept: {reason}": "未保留：{reason}",
    "a run, or a directory above runs (default: this directory)": (
        "一个运行，或其上级目录（默认：当前目录）"
    ),
    "which run, where DIR holds several": "DIR 中有多个运行时，指明哪个",
    "only an exact one: every required role is there": "只要精确可续的：所需角色俱全",
    "no checkpoint at all ends with 2 instead of 4 (a mount may be missing)": (
        "完全没有检查点时以 2 而不是 4 结束（可能未挂载）"
    ),
    "the path, the step, the tag that DeepSpeed wants, or the whole flag of the job's"
    " command line (default: path)": (
        "路径、步数、DeepSpeed 所用的 tag，或作业命令行的完整选项（默认：path）"
    ),
    "print a JSON document instead, with a reason where there is no resume point": (
        "改为打印 JSON 文档，没有恢复点时写明原因"
    ),
    "the time is up after {limit} s while it was not yet known which checkpoints there are"
    " below {places}; the file system answers, so more time helps": (
        "已到 {limit} s 时限，尚不知道 {places} 下有哪些检查点；文件系统有响应，延长时间会有帮助"
    ),
    "no answer from {path} for {waited} s; the time is up after {limit} s": (
        "{path} 已 {waited} s 没有响应；已到 {limit} s 时限"
    ),
    "the time is up after {limit} s while {read} of {known} checkpoints below {places} were"
    " read; the file system answers, so a longer --timeout helps": (
        "已到 {limit} s 时限，{places} 下 {known} 个检查点读了 {read} 个；文件系统有响应，"
        "可加大 --timeout"
    ),
    "recorded to {path}; to see it: ckpt-tui replay {path}": (
        "已录制到 {path}；查看：ckpt-tui replay {path}"
    ),
    "a run, or a directory above runs": "一个运行，或其上级目录",
    "compressed where its name ends with .gz": "文件名以 .gz 结尾时压缩",
    "end after so long (90s, 8h)": "这么久之后结束（90s、8h）",
    "{path}: no such directory": "{path}：没有此目录",
    "{root}: {count} frame over {time}, {first} to {last}": (
        "{root}：{count} 帧，历时 {time}，{first} 至 {last}"
    ),
    "{root}: {count} frames over {time}, {first} to {last}": (
        "{root}：{count} 帧，历时 {time}，{first} 至 {last}"
    ),
    "{path}: ends early, behind line {line} of {at}: {reason} (the file was cut, or its"
    " recorder was killed or still records)": (
        "{path}：提前结束，在第 {line} 行（{at}）之后：{reason}（文件被截断，或其录制进程被"
        "杀死或仍在录制）"
    ),
    "standing": "已有",
    "print what it holds as JSON": "以 JSON 打印其内容",
    "{path}: line {line} is not whole and was passed over": "{path}：第 {line} 行不完整，已跳过",
    "raised": "触发",
    "changed": "变化",
    "cleared": "解除",
    "simulated disk": "模拟磁盘",
    "ckpt-tui demo: no scenario {name!r}; there are: {known}": (
        "ckpt-tui demo: 没有情境 {name!r}；可用：{known}"
    ),
    "its directory, or its file": "其目录或文件",
    "list so many tensors after their totals (default: {count}; with --json all)": (
        "在合计之后列出这么多张量（默认：{count}；带 --json 时为全部）"
    ),
    "only tensors that match: words of the name, dtype:bf16, role:optimizer, shape:4096,"
    " 'size>16m', rank:3, file:NAME; ! turns a term round": (
        "只列出匹配的张量：名称中的词、dtype:bf16、role:optimizer、shape:4096、'size>16m'、"
        "rank:3、file:NAME；! 表示取反"
    ),
    "tensors    {found} of {count} for {query}": (
        "张量       {query} 匹配 {found} 个，共 {count} 个"
    ),
    "tensors    {count}": "张量       {count}",
    "by role": "按角色",
    "by dtype": "按 dtype",
    "… and {count} tensor more (--tensors all lists it)": (
        "… 另有 {count} 个张量（--tensors all 列出它）"
    ),
    "… and {count} tensors more (--tensors all lists them)": (
        "… 另有 {count} 个张量（--tensors all 全部列出）"
    ),
    "ignored: {names}: only your own file or --config may set it": (
        "已忽略：{names}：只有你自己的文件或 --config 可以设置"
    ),
    "ignored: {mistake}": "已忽略：{mistake}",
    "{name} is no theme": "{name} 不是主题",
}
