"""Verdicts, roles, shards and what to do: sentences of `core`."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "DO NOT RESUME from this": "不要从这里恢复",
    "CANNOT SAY whether this can be resumed: it could not be read": (
        "无法判断能否从这里恢复：读不了"
    ),
    "WAIT: this is still being written": "请等待：仍在写入",
    "{}: its save never finished": "{0:say}：保存没有完成",
    "{}: a part that a restart needs is not there": "{0:say}：缺少重启所需的部分",
    "{}: weights only, without optimizer state": "{0:say}：只有权重，没有优化器状态",
    "NOT YET: all data is there, but the save stopped before its commit. Do not delete it": (
        "还不行：数据齐全，但保存在提交之前中断。不要删除它"
    ),
    "DO NOT RESUME at that world size: {}": "不要以该 world size 恢复：{0:say}",
    "To keep this one, make sure that no job writes it, then type, and check it again:": (
        "要保留它，先确认没有作业在写它，再执行下面的命令，然后重新检查："
    ),
    "The safe way is an older one, the newest that can be resumed:": (
        "稳妥的做法是用更早的、最新的可恢复检查点："
    ),
    "Ask again when nothing grows any more.": "等不再有文件增长时再问。",
    "NOT AS IT IS at that world size: {}": "不能直接以该 world size 使用：{0:say}",
    "YES, RESUME from this: training goes on at {}": "可以从这里恢复：训练接着 {0:say}",
    "YES, RESUME from this: training goes on ({}){}": "可以从这里恢复：训练继续（{0:say}）{1:say}",
    ", every required role is there": "，所需角色齐全",
    ", but not bit for bit the same": "，但结果不会逐位一致",
    ", but not bit for bit the same (no {})": "，但结果不会逐位一致（没有{0:list}）",
    "a later save began to overwrite it and died ({})": (
        "后来的一次保存开始覆盖它，中途中断（{0:say}）"
    ),
    "its bytes are cut off": "字节被截断",
    "{} is cut off": "{0} 被截断",
    "{} and {} more are cut off": "{0} 和另外 {1:say} 被截断",
    "{} or damaged": "{0:say}或已损坏",
    "Restart with exactly {}. ": "必须用 {0:say} 重启。",
    "{}Give the job this path, by its own option for resuming:": (
        "{0:say}用作业自己的恢复选项传入这个路径："
    ),
    "{}In the job's script:": "{0:say}写在作业的脚本里：",
    "{}Add to the command that starts the job:": "{0:say}加到启动作业的命令里：",
    "Find the newest that can be resumed:": "查找最新的可恢复检查点：",
    "{} of {}": "{1:known} 的 {0:say}",
    "{} fits, as far as is known": "就已知情况，{0} 适用",
    "its format does not tell how many ranks wrote it": "它的格式没有记录由多少个 rank 写入",
    "{} was written by as many ranks": "{0} 由同样数目的 rank 写入",
    "loses {}": "会丢失{0:list}",
    "loads {}": "可加载：{0:rest}",
    "after a conversion: {}": "转换之后：{0:say}",
    "nothing to load at any size": "任何 world size 都没有可加载的检查点",
    "nothing that {} can load": "没有 {0:say} 能加载的检查点",
    "nothing grows": "没有文件在增长",
    "save {}": "第 {0} 次保存",
    "step {}": "step {0}",
    "steps {}–{}": "step {0}–{1}",
    "lost, removed by hand, or kept by another rule than its number": (
        "丢失、被手工删除，或保留规则与编号无关"
    ),
    "{} {} is absent {}": "{0} {1} 缺失（{2:say}）",
    "{}s {}–{} are absent {}": "{0} {1}–{2} 缺失（{3:say}）",
    "between {} and {}, in a series of every {}": "在 {0} 与 {1} 之间，本应每 {2:say}保存一次",
    "every {} a checkpoint was saved, up to {}": "每 {0:say}保存一个检查点，直到 {1}",
    "{} {} is absent, though the job reached {}": "{0} {1} 缺失，而作业已到 {2}",
    "{} {} is not here": "{0} {1} 不在这里",
    "{} {} is next": "下一个是 {0} {1}",
    "a clean-up that sorts names as text takes {} for the oldest": (
        "按文本排序名称的清理会把 {0} 当作最旧的"
    ),
    "where times do not follow the numbers, a clean-up by time removes the wrong one": (
        "时间与编号顺序不一致时，按时间清理会删错"
    ),
    (
        "Make sure that whatever removes old checkpoints compares numbers; until then raise its "
        "limit."
    ): ("确认清理旧检查点的程序按数字比较；在此之前先调高保留数量。"),
    (
        "Look at what removes old checkpoints (by time? by name?), and into the job's log for "
        "saves that failed."
    ): ("检查是什么在清理旧检查点（按时间？按名称？），并在作业日志里查找失败的保存。"),
    "{} was committed after {}": "{0} 的提交晚于 {1}",
    "the job went back, or two jobs write here": "作业回退过，或有两个作业写在这里",
    "; or a copy set the times, which follow the names as text": (
        "；或者时间来自复制，与名称的文本顺序一致"
    ),
    "; or a copy or a touch set the times": "；或者时间来自复制或 touch",
    "Make sure which of the two the job should go on from: {} or {}.": (
        "确认作业应从哪一个继续：{0} 还是 {1}。"
    ),
    "a job began from step 0 in a used directory: {} had been saved before {}": (
        "有作业在用过的目录里从 step 0 开始：{0:say} 的保存早于 {1:say}"
    ),
    (
        "Say which job is meant: {} of the older or {} of the younger; give each job a directory "
        "of its own."
    ): ("指明是哪个作业：较早作业的 {0}，还是较晚作业的 {1}；每个作业应有自己的目录。"),
    (
        "two jobs write here in turns: up to step {} and up to step {}, one after the other "
        "faster than a job could compute the steps between"
    ): ("两个作业交替写在这里：分别到 step {0} 和 step {1}，相隔时间短于计算其间各步所需"),
    "Say which job is meant: {} or {}; give each job a directory of its own.": (
        "指明是哪个作业：{0} 还是 {1}；每个作业应有自己的目录。"
    ),
    "short by": "偏小",
    "behind by": "落后",
    "late by": "晚了",
    "rank {} empty": "rank {0} 为空",
    "rank {} short by {}": "rank {0} 偏小 {1}",
    "rank {} behind by {}": "rank {0} 落后 {1}",
    "rank {} late by {}": "rank {0} 晚了 {1}",
    "told to find the latest by itself, the framework takes {} ({})": (
        "若让框架自己找最新的，它会取 {0}（{1:say}）"
    ),
    "Name the resume point yourself: {}": "请自己指定恢复点：{0}",
    (
        "Move {} away, which is taken whatever else is loaded, and name the resume point"
        " yourself: {}"
    ): ("请移走 {0}（无论另外加载了什么，框架都会取它），再自己指定恢复点：{1}"),
    "Move {} away before the job is started: it is taken as long as it is there.": (
        "启动作业之前请移走 {0}：只要它还在，框架就会取它。"
    ),
    "no pointer names a checkpoint: a job that is told nothing starts from step 0 silently": (
        "没有指针文件指向检查点：不加指定的作业会悄悄从 step 0 开始"
    ),
    "no pointer names one": "没有指针文件指向任何一个",
    "what is not committed is passed over": "未提交的会被跳过",
    "there is no good checkpoint, and {}: each restart begins at step 0 silently": (
        "没有可用的检查点，而且{0:say}：每次重启都会悄悄从 step 0 开始"
    ),
    "Do not start the job unless it is meant to begin anew.": (
        "除非就是要从头开始，否则不要启动作业。"
    ),
    "{} is whole: once no job writes it, {}": "{0} 是完整的：确认没有作业在写它之后，执行 {1:code}",
    "names an older checkpoint than the newest committed one": "指向的检查点早于最新已提交的检查点",
    "names a checkpoint that cannot be resumed from": "指向的检查点无法恢复",
    "names a checkpoint that is not there": "指向的检查点不存在",
    "cannot be read": "无法读取",
    "is a link to itself": "是指向自身的链接",
    "is a copy of an older checkpoint than the newest committed one": (
        "是副本，其检查点早于最新已提交的检查点"
    ),
    "is a copy that cannot be resumed from": "是无法恢复的副本",
    "Wait for {}, which is in flight: nothing else can be resumed from.": (
        "等待 {0}，它正在保存中：没有别的检查点可以恢复。"
    ),
    "Nothing here can be resumed from; do not start a job that follows this pointer.": (
        "这里没有可恢复的检查点；不要启动会跟随这个指针文件的作业。"
    ),
    "never finished: {} is missing": "保存没有完成：缺少 {0:say}",
    "never finished": "保存没有完成",
    "no {}": "没有{0:list}",
    "no optimizer": "没有优化器",
    "; rule: ": "；规则：",
    "{} silent": "{0:say} 没有写入",
    "{} left": "还剩 {0}",
    "what was committed changes: damaged, or saved over": "已提交的内容有变化：损坏，或被覆盖保存",
    "rank {}": "rank {0}",
    "ranks {}": "rank {0:say}",
    " … ({} in all)": " …（共 {0} 个）",
}
