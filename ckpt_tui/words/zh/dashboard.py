"""The dashboard's header, and what its signs mean."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    # Where and how it is watched
    "PAUSED": "已暂停",
    "this picture is {age} old, p goes on": "画面已停留 {age}，按 p 继续",
    "starting": "启动中",
    "events": "事件",
    "poll": "轮询",
    "replay": "回放",
    "server slow: looks every {time}": "服务器慢：每 {time} 查看一次",
    "slow: looks every {time}": "慢：每 {time} 查看",
    "{rate} calls/s": "{rate} 次调用/s",
    "{path} has not answered for {time}": "{path} 已 {time} 没有响应",
    "it has not answered for {time}": "已 {time} 没有响应",
    "looked {age} ago": "{age} 前查看",
    "look failed": "查看失败",
    "first look …": "首次查看 …",
    "({place} of {count})": "({place}/{count})",
    # While it is read
    "READING": "正在读取",
    "{read} of {found}": "{read} / {found}",
    "{read} read, {found} found by now": "已读 {read} 个，目前找到 {found}",
    "verdicts below may still change": "下面的判定仍可能变化",
    # The resume point
    "RESUME FROM": "从此恢复",
    "RESUME": "恢复",
    "SO FAR": "目前",
    "LOOKING": "正在查看",
    "CANNOT READ": "无法读取",
    "NOTHING YET": "尚无检查点",
    "ONLY EXPORTS": "仅有导出",
    "NOTHING TO RESUME FROM": "没有可恢复的检查点",
    "NOTHING TO RESUME FROM: only a start from step 0 is left": (
        "没有可恢复的检查点：只能从 step 0 重新开始"
    ),
    "the first look is under way": "首次查看正在进行",
    "none of those that are read can be resumed from": "已读取的检查点都不能恢复",
    "none can be resumed from": "都不能恢复",
    "committed {age} ago": "{age} 前提交",
    "a fault now costs  {total}": "此刻故障损失  {total}",
    "a fault now costs {total}": "此刻故障损失 {total}",
    "fault now: {total}": "故障损失 {total}",
    "{time} rollback": "回退 {time}",
    "{time} reload": "重载 {time}",
    "{time} down": "停机 {time}",
    "{count} checkpoint, none usable": "{count} 个检查点，不可用",
    "{count} checkpoints, none usable": "{count} 个检查点，都不可用",
    "the first save is under way": "第一次保存正在进行",
    "none could be read": "都无法读取",
    "no checkpoint in {place}: a start begins at step 0": (
        "{place} 里没有检查点：启动会从 step 0 开始"
    ),
    "no checkpoint here: a start begins at step 0": "这里没有检查点：启动会从 step 0 开始",
    "weights for use elsewhere: a start begins at step 0": (
        "是供别处使用的权重：启动会从 step 0 开始"
    ),
    # What a job takes by itself
    "WITH": "使用参数",
    "NEAREST": "最接近",
    "{title} lacks at least {ranks}: look for its files elsewhere": (
        "{title} 只缺 {ranks}：到别处找它的文件"
    ),
    "{title} lacks {count} of its ranks": "{title} 缺 {count} 个 rank",
    "asked for the latest, a job takes it, too": "作业自行找最新的，也会取它",
    "the latest, too": "也是最新的",
    "asked for the latest, a job takes {title}": "作业自行找最新的，会取 {title}",
    "asked for the latest: {title}": "自行找最新的：{title}",
    "latest: {title}": "最新：{title}",
    "asked for the latest, a job starts from step 0": "作业自行找最新的，会从 step 0 开始",
    "latest: step 0": "最新：从 step 0 开始",
    "asked for the latest, a job follows {name} and fails or starts anew": (
        "作业自行找最新的，会跟随 {name}，然后失败或从头开始"
    ),
    "latest: broken {name}": "最新：损坏的 {name}",
    "latest: a broken pointer": "最新：损坏的指针文件",
    "what a job takes as the latest is not known": "作业自行找最新的会取哪个，尚不清楚",
    # For another world size
    "FOR {count} RANK": "{count} 个 rank",
    "FOR {count} RANKS": "{count} 个 rank",
    ": {how}": "：{how}",
    "; {loss}": "；{loss}",
    "W asks for another": "按 W 换一个",
    "OLDER: WITH": "较早：参数",
    "WHICH JOB?": "哪个作业？",
    "or the younger:": "或较新的：",
    "or": "或",
    # The save in flight, and the next
    "SAVING": "保存中",
    "SAVES": "保存",
    "none in flight": "当前没有保存",
    "{size} written": "已写 {size}",
    "waits for {ranks}": "等待 {ranks}",
    " (rank {rank} decides)": "（取决于 rank {rank}）",
    " (rank {rank})": "（rank {rank}）",
    "{time} left": "还剩 {time}",
    "at least": "至少",
    "last took {time}": "上次耗时 {time}",
    "usually every {interval}": "通常每 {interval} 一次",
    "last save {ago}": "最近一次保存：{ago}",
    "next save late by {time}": "下次保存已晚 {time}",
    "next save due now": "现在该保存了",
    "next save in {time} if it runs": "若作业在运行，{time} 后下次保存",
    "fault before then: {chance}": "此前故障概率 {chance}",
    # What needs a look
    "nothing needs a look": "一切正常",
    "{count} needs a look:": "{count} 项需查看：",
    "{count} need a look:": "{count} 项需查看：",
    "{count} remark:": "{count} 条提示：",
    "{count} remarks:": "{count} 条提示：",
    "{count} more (L)": "另有 {count} 项 (L)",
    "disk: room for {saves} saves": "磁盘：还可保存 {saves} 次",
    "a step that is gone": "已不存在的步",
    "{count} step was lost": "损失 {count} 步",
    "{count} steps were lost": "损失 {count} 步",
    "{count} restart in all": "共 {count} 次重启",
    "{count} restarts in all": "共 {count} 次重启",
    "after the restart at {at} the job went on from {origin}; {lost}": (
        "{at} 重启后，作业从 {origin} 继续；{lost}"
    ),
    "restart {ago} ago from {origin}; {lost}": "{ago} 前从 {origin} 重启；{lost}",
    # Signs
    "continues exactly from its step": "从该 step 精确继续",
    "goes on, but lacks scheduler or rng": "可以继续，但缺少调度器或随机数状态",
    "a model only: no continuation": "只有模型：不能续训",
    "being written now": "正在写入",
    "never finished, nothing moves": "没有完成，也不再有变化",
    "a rank, file or role is missing": "缺少 rank、文件或角色",
    "bytes that cannot be right": "字节内容不可能正确",
    "could not be read": "无法读取",
    "remark": "提示",
}
