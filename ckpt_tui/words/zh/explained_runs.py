"""`ckpt-tui explain`: findings about a run as a whole."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "Told to find the latest by itself, the framework takes another checkpoint.": (
        "让框架自己找最新的，它会取另一个检查点。"
    ),
    (
        "The framework takes the highest number without reading it, follows its pointer, or "
        "writes one name over and over, and that one cannot be gone on from."
    ): ("框架不读内容就取最大编号、跟随指针文件，或反复写同一个名称，而那一个无法继续。"),
    (
        "Give the job the resume point by name, with the path, tag or flag that the finding "
        "shows (`ckpt-tui latest DIR --print flag`); where it says so, move the other away."
    ): (
        "按名称把恢复点告诉作业，使用问题给出的路径、标签或参数（`ckpt-tui latest DIR --print "
        "flag`）；问题要求时，请移走另一个。"
    ),
    "told to find the latest by itself, the framework takes checkpoint-1300 (uncommitted)": (
        "若让框架自己找最新的，它会取 checkpoint-1300（未提交）"
    ),
    (
        "Trainer with `resume_from_checkpoint=True` takes the highest number; DeepSpeed follows "
        "`latest`; Megatron-LM follows latest_checkpointed_iteration.txt. Keras: `fit` with "
        "`BackupAndRestore` loads its directory over any model that was loaded before, and raises "
        "at each start where it is damaged."
    ): (
        "Trainer 在 `resume_from_checkpoint=True` 时取最大编号；DeepSpeed 跟随 `latest`；"
        "Megatron-LM 跟随 latest_checkpointed_iteration.txt。Keras：带 `BackupAndRestore` 的 `fit` "
        "会用其目录覆盖此前加载的任何模型；目录损坏时，每次启动都会报错。"
    ),
    "By the run's own rhythm a save is missing.": "按该运行自身的节奏，缺少一次保存。",
    (
        "A save failed or was removed, or the job went on and no longer saves. At a power of ten "
        "a clean-up that sorts names as text removes the newest (step 1000 before step 900)."
    ): (
        "保存失败或被删除，或作业继续运行而不再保存。在十的幂处，按文本排序名称的清理会删掉最新的"
        "（step 1000 排在 step 900 之前）。"
    ),
    "Look into the job's log for saves that failed, and at what removes old checkpoints.": (
        "在作业日志里查找失败的保存，并检查是什么在清理旧检查点。"
    ),
    "step 600 is absent between 400 and 800, in a series of every 200 steps": (
        "400 与 800 之间缺少 step 600，本应每 200 步保存一次"
    ),
    "Two jobs saved into one directory.": "两个作业保存到同一个目录。",
    (
        "A job was started from step 0 in a used directory, or two jobs were given the same one "
        "and write in turns."
    ): ("有作业在用过的目录里从 step 0 开始，或两个作业用了同一个目录而交替写入。"),
    (
        "Decide which job is meant and name its checkpoint; then give each job a directory of "
        "its own."
    ): ("确定是哪个作业并指定它的检查点；然后给每个作业自己的目录。"),
    "a job began from step 0 in a used directory: steps 100 to 5000 had been saved before": (
        "有作业在用过的目录里从 step 0 开始：此前已保存 step 100 到 5000"
    ),
    "A clean-up of one job may remove the checkpoints of the other.": (
        "一个作业的清理可能删掉另一个的检查点。"
    ),
    "A lower step was committed after a higher one.": "较低的步比较高的步提交得晚。",
    "The job went back to an older checkpoint, two jobs write here, or a copy set the times.": (
        "作业回退到更早的检查点，有两个作业写在这里，或时间来自复制。"
    ),
    "Make sure which one the job should go on from; the highest step is proposed.": (
        "确认作业应从哪一个继续；建议取最高的步。"
    ),
    "step 900 was committed after step 1200: the job went back, or two jobs write here": (
        "step 900 的提交晚于 step 1200：作业回退过，或有两个作业写在这里"
    ),
    "Some frameworks take the highest step, some the youngest file.": (
        "有些框架取最高的步，有些取最新的文件。"
    ),
    "A pointer names a checkpoint that cannot be resumed from.": "指针文件指向无法恢复的检查点。",
    "The pointer was written before the save was whole, or the checkpoint was damaged later.": (
        "指针文件在保存完成之前写入，或检查点后来损坏。"
    ),
    "Give the job the resume point by name, or write its name into the pointer.": (
        "按名称把恢复点告诉作业，或把它的名称写入指针文件。"
    ),
    "latest: names a checkpoint that cannot be resumed from (global_step1300)": (
        "latest：指向的检查点无法恢复（global_step1300）"
    ),
    "A job that follows the pointer stops, or loads what is broken.": (
        "跟随该指针文件的作业会停止，或加载损坏的内容。"
    ),
    "A pointer names what is not there.": "指针文件指向不存在的检查点。",
    "The checkpoint was removed or renamed, or the run was copied only in part.": (
        "检查点被删除或重命名，或运行只复制了一部分。"
    ),
    "latest: names a checkpoint that is not there (global_step1300)": (
        "latest：指向的检查点不存在（global_step1300）"
    ),
    "A job that follows the pointer stops, or starts from step 0.": (
        "跟随该指针文件的作业会停止，或从 step 0 开始。"
    ),
    "A pointer names an older one than the newest committed, and not the resume point.": (
        "指针文件指向的早于最新已提交的，而且不是恢复点。"
    ),
    "The job was killed after it committed the save and before it moved the pointer.": (
        "作业在提交保存之后、移动指针之前被杀。"
    ),
    "Give the job the resume point by name; else it repeats the steps between the two.": (
        "按名称把恢复点告诉作业；否则它会重复两者之间的步。"
    ),
    "latest: names an older checkpoint than the newest committed one (global_step1100)": (
        "latest：指向的检查点早于最新已提交的检查点（global_step1100）"
    ),
    "A job that follows the pointer goes back further than it has to.": (
        "跟随该指针文件的作业会回退得比必要的更远。"
    ),
    "A pointer is empty, cannot be read, or leads to itself.": (
        "指针文件为空、无法读取，或指向自身。"
    ),
    "It was cut while it was written, the disk was full, or a link was made wrongly.": (
        "它在写入时被打断，磁盘已满，或链接建错了。"
    ),
    "latest: cannot be read": "latest：无法读取",
    "The resume point is older than you allow, or its age cannot be told.": (
        "恢复点比允许的更旧，或无法判断其时间。"
    ),
    "The job stands, saves fail, or it saves less often than `--warn-age` expects.": (
        "作业停住，保存失败，或保存频率低于 `--warn-age` 的预期。"
    ),
    "Look whether the job still runs and saves, and into its log.": (
        "检查作业是否还在运行并保存，并查看其日志。"
    ),
    "the resume point is 7h 12m old, the limit is 6h 00m": "恢复点已过去 7h 12m，上限是 6h 00m",
    "A restart that is told nothing would begin at step 0, silently.": (
        "不加指定的重启会悄悄从 step 0 开始。"
    ),
    (
        "The framework follows a pointer and there is none, or it passes over what is not "
        "committed and nothing else is there."
    ): ("框架跟随指针文件而没有指针文件，或跳过未提交的而没有别的。"),
    (
        "Before any restart: give the job the resume point by name, restore the pointer, or "
        "finish by hand what is whole."
    ): ("在任何重启之前：按名称把恢复点告诉作业，恢复指针文件，或手工完成内容完整的检查点。"),
    "no pointer names a checkpoint: a job that is told nothing starts from step 0 silently": (
        "没有指针文件指向检查点：不加指定的作业会悄悄从 step 0 开始"
    ),
    (
        "DeepSpeed without `latest` and Megatron-LM without latest_checkpointed_iteration.txt "
        "say so in one line of the log and train from step 0."
    ): (
        "DeepSpeed 没有 `latest`、Megatron-LM 没有 latest_checkpointed_iteration.txt 时，只在日志"
        "里写一行，就从 step 0 训练。"
    ),
    "There are fewer resumable checkpoints than you want.": "可恢复的检查点少于要求的数目。",
    "Saves fail, or the job keeps too few: with a single good one, one fault loses all.": (
        "保存失败，或作业保留得太少：只有一个可用的检查点时，一次故障就会失去一切。"
    ),
    "Let the job keep at least two or three, and find out why saves fail.": (
        "让作业至少保留两三个，并查明保存失败的原因。"
    ),
    "1 resumable checkpoint, fewer than 2": "1 个可恢复的检查点，少于 2",
}
