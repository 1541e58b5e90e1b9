"""The demo's prepared situations."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "The job died: from where does it go on?": "作业中断：从哪里继续？",
    "Resume from step 12400; nothing needs a look.": "从 step 12400 恢复；没有什么需要看的。",
    "The job died: can the newest checkpoint be used?": "作业中断：最新的检查点能用吗？",
    "No: the file of rank 19 was cut. Resume from step 6750.": (
        "不能：rank 19 的文件被截断。从 step 6750 恢复。"
    ),
    "The job does not start: DeepSpeed does not find what `latest` names.": (
        "作业无法启动：DeepSpeed 找不到 `latest` 所指的检查点。"
    ),
    "Resume from step 4000, and pass its tag: `latest` names a step that is not there.": (
        "从 step 4000 恢复，并传入其标签：`latest` 指向的步不存在。"
    ),
    "A node is to be drained: may it be drained now?": "要清空一个节点：现在可以吗？",
    "Wait for the save of step 12500; a fault now goes back to step 12400.": (
        "等待 step 12500 保存完；现在出故障会回退到 step 12400。"
    ),
    "The save takes long: is it slow, or does it hang?": "保存很久：是慢，还是挂住了？",
    "It hangs on ranks 11 and 37: look at their nodes. Until then step 12400 counts.": (
        "挂在 rank 11 和 37：查看它们的节点。在此之前以 step 12400 为准。"
    ),
    "No: it holds weights without optimizer, as step 3000. Resume from step 2500.": (
        "不能：它只有权重没有优化器，step 3000 也是。从 step 2500 恢复。"
    ),
    "The job died: what is lost?": "作业中断：损失了什么？",
    "Everything: no checkpoint can be resumed, a restart begins at step 0. Stop and repair.": (
        "全部：没有可恢复的检查点，重启会从 step 0 开始。停下来修复。"
    ),
    "Half of the nodes are gone: can 8 ranks go on from what 16 wrote?": (
        "一半节点没了：8 个 rank 能从 16 个 rank 写的继续吗？"
    ),
    "Not as it is: convert step 4000 with ds_to_universal first, or wait for 16 ranks.": (
        "不能直接用：先用 ds_to_universal 转换 step 4000，或等凑齐 16 个 rank。"
    ),
    "Does anything need a look?": "有什么需要看的吗？",
    "Yes: make room now, there is none for a second save. Step 7000 is good.": (
        "有：现在就腾空间，放不下第二次保存。step 7000 可用。"
    ),
    "Say first which job is meant: step 12400 of the older one, step 300 of the younger.": (
        "先说明是哪个作业：较早作业的 step 12400，还是较晚作业的 step 300。"
    ),
}
