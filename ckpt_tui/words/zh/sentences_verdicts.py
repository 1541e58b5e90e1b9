"""Why a verdict is what it is, and the findings that its rules make: sentences of `core`."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "the learning rate schedule starts anew": "学习率调度会从头开始",
    "random numbers differ, so the run is not reproduced": "随机数不同，运行无法复现",
    "data may repeat or be skipped": "数据可能重复或被跳过",
    "the optimizer would start from nothing": "优化器会从零开始",
    "there is nothing to load": "没有可加载的内容",
    "the step cannot be restored": "无法恢复步数",
    "it was asked for": "要求必须有它",
    "nothing in it says the step, though the rest may load": "其中没有步数，不过其余部分也许能加载",
    "no {}: {}": "没有{0:list}：{1:say}",
    "Resume from a checkpoint that has it.": "从含有它的检查点恢复。",
    (
        "Resume from a checkpoint that has it, and save the {} too; a job that does not need it"
        " leaves it out of `require` (configuration) or `--require`."
    ): (
        "从含有它的检查点恢复，并且以后同时保存{0:say}；作业不需要它时，可在 `require`（配置）或"
        " `--require` 中去掉它。"
    ),
    "Save the {} state too, if an exact continuation matters.": (
        "如果需要精确续训，请同时保存{0:say}。"
    ),
    "{} is not there for {}": "{1:say} 没有{0:say}",
    "Resume from a checkpoint that has it for every rank.": "从每个 rank 都含有它的检查点恢复。",
    "Save the {} state of every rank, if an exact continuation matters.": (
        "如果需要精确续训，请保存每个 rank 的{0:say}。"
    ),
    "weights only: no optimizer state, so it loads a model but does not continue the run": (
        "仅权重：没有优化器状态，只能加载模型，不能继续训练"
    ),
    "Use it to start anew or to export; resume from a checkpoint with optimizer state.": (
        "可用它重新开始或导出；恢复请用含有优化器状态的检查点。"
    ),
    "no {}, which the run's other checkpoints have": "没有{0:list}，而该运行的其他检查点有",
    "{}; the oldest, and files besides are gone: a removal was cut half-way": (
        "{0:say}；它是最旧的，而且还缺其他文件：删除中途被打断"
    ),
    "Safe to delete; resume from a younger checkpoint.": "可以放心删除；请从更新的检查点恢复。",
    "Resume from another checkpoint, or bring the missing files back.": (
        "从另一个检查点恢复，或找回缺少的文件。"
    ),
    "older than every whole checkpoint of the run: a removal that was cut leaves this, too": (
        "早于该运行所有完整的检查点：被打断的删除也会留下这样的目录"
    ),
    "Safe to delete once no job writes it.": "确认没有作业在写它之后可以放心删除。",
    "{}: the run's other checkpoints have it, and the loader stops without": (
        "{0:say}：该运行的其他检查点有，加载器缺了它就会停止"
    ),
    "{} is missing": "缺少 {0}",
    "{} are missing": "缺少 {0:list}",
    "; this one can be removed once no job writes it": "；确认没有作业在写它之后可以删除它",
    "the save never finished: {} is missing ({})": "保存没有完成：缺少 {0:say}（{1:say}）",
    "its end mark": "结束标记",
    "Resume from an older checkpoint{}.": "从更早的检查点恢复{0:say}。",
    "its content is whole; only the commit is missing": "内容完整；只差提交",
    "To complete it by hand, once no job writes it: {}": (
        "要手工完成它，确认没有作业在写之后执行：{0}"
    ),
    "the shard of {} is not whole": "{0:say} 的分片不完整",
    "Resume from another checkpoint, or copy the shard back from where it was written.": (
        "从另一个检查点恢复，或从写入处把分片复制回来。"
    ),
    "shards of another checkpoint are inside: {} beside {}": (
        "混有另一个检查点的分片：{0} 与 {1} 在一起"
    ),
    "Resume from another checkpoint: these shards do not belong together.": (
        "从另一个检查点恢复：这些分片不属于同一次保存。"
    ),
    "the shard of {} is empty": "{0:say} 的分片为空",
    "{} of {} has no shard": "{0:say}（共 {1}）没有分片",
    "{} of {} have no shard": "{0:say}（共 {1}）没有分片",
    (
        "Copy the shard back if it was written to a node's own disk, or resume from another "
        "checkpoint."
    ): ("如果分片写在某节点的本地磁盘上，把它复制回来，否则从另一个检查点恢复。"),
    "{} is not named by the manifest": "{0:say} 不在清单中",
    "a rank has more than one shard": "某个 rank 有不止一个分片",
    "Files of an earlier save into the same directory may be left; the loader ignores them.": (
        "可能是同一目录里早先保存留下的文件；加载器会忽略它们。"
    ),
    "the age of the resume point cannot be told: its time is missing or in the future": (
        "无法判断恢复点的时间：没有时间，或时间在未来"
    ),
    "the resume point is {} old, the limit is {}": "恢复点已过去 {0}，上限是 {1}",
    "Look whether the job still runs and saves.": "检查作业是否还在运行并保存。",
    "{}, fewer than {}": "{0:say}，少于 {1}",
    "Keep more checkpoints, or find out why saves fail.": (
        "多保留一些检查点，或查明保存失败的原因。"
    ),
    "the only checkpoint that can be resumed from": "唯一可恢复的检查点",
    "Keep two or more: a save that overwrites it and dies would leave nothing.": (
        "请保留两个以上：覆盖它的保存一旦中断，就什么都不剩。"
    ),
    "Wait: the save is in flight.": "请等待：正在保存中。",
    "in flight: {}": "保存中：{0:say}",
    "not committed: {} is missing, and nothing moves any more": (
        "未提交：缺少 {0:say}，而且不再有变化"
    ),
    "goes on from its step, but another world size loses {}": (
        "可从该步继续，但换 world size 会丢失{0:list}"
    ),
    "no model in it": "没有模型",
    "the loader cannot resume without {}": "没有{0:list}，加载器无法恢复",
    "goes on from its step, but without {}": "可从该步继续，但没有{0:list}",
    "every required role is there, of one checkpoint": "所需角色齐全，同属一个检查点",
    "rule: {}": "规则：{0:say}",
    "other size": "world size 不符",
    "{} cannot load it": "{0} 个 rank 无法加载",
    "nothing shows that {} can load it": "没有迹象表明 {0} 个 rank 能加载",
    " or fewer": " 或更少",
    "Restart with {}.": "请用 {0:say} 重启。",
    "written by {}; {}": "由 {0:say} 写入；{1:say}",
    "written by {}; {} can load it only after a conversion": (
        "由 {0:say} 写入；{1} 个 rank 需转换后才能加载"
    ),
}
