"""`ckpt-tui explain`: verdicts, and findings about a checkpoint's content."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "The checkpoint counts as corrupt and is not resumed from.": (
        "该检查点按已损坏处理，不会从它恢复。"
    ),
    "The checkpoint counts as incomplete and is not resumed from.": (
        "该检查点按不完整处理，不会从它恢复。"
    ),
    "The checkpoint counts as unknown: it may be good, but that cannot be told.": (
        "该检查点按未知处理：它可能是好的，但无法判断。"
    ),
    "None: a remark, the verdict stays what it is.": "没有影响：只是说明，判定不变。",
    "None on a verdict: it is about the run, whose level it may raise.": (
        "不影响判定：它针对整个运行，可能提高运行的级别。"
    ),
    "Incomplete where the loader needs what is wrong, else a remark that changes no verdict.": (
        "加载器需要出问题的部分时为不完整，否则只是说明，不改变判定。"
    ),
    "Not resumable: `latest` passes over it.": "不可恢复：`latest` 会跳过它。",
    "It could not be read far enough to judge it.": "能读到的内容不足以判断。",
    (
        "This account may not read it, the file system fails, or its version is not known. `why` "
        "and the findings say which."
    ): ("当前账号无权读取，文件系统出错，或版本未知。`why` 和发现的问题会说明是哪一种。"),
    "Not resumable as far as anybody can tell; `check` ends with 3 if nothing is worse.": (
        "就已知情况不可恢复；没有更严重的问题时 `check` 以 3 退出。"
    ),
    "Remove the obstacle and check again, or load it with the framework.": (
        "排除障碍后重新检查，或用框架加载它。"
    ),
    "It is being written now.": "正在写入。",
    "Its commit is missing and it grows, or grew less than `--stall-after` ago.": (
        "尚未提交，而且仍在增长，或最后一次增长距今不到 `--stall-after`。"
    ),
    "Not resumable yet; alone it is no cause for alarm.": "还不可恢复；单凭这一点不必担心。",
    "Wait, and check again. If the job is dead it becomes uncommitted by itself.": (
        "等待后重新检查。如果作业已死，它会自行变为未提交。"
    ),
    "Its save never finished, and nothing writes it any more.": "保存没有完成，也不再有写入。",
    "The job was killed, ran out of time or out of space while it saved.": (
        "作业在保存时被杀，或时间、空间耗尽。"
    ),
    (
        "Resume from an older one. Where the finding `finishable` stands beside it, the content "
        "is whole and a command completes it."
    ): ("从更早的检查点恢复。如果旁边有问题 `finishable`，说明内容完整，一条命令即可完成它。"),
    "It was committed, but bytes in it cannot be right.": "已提交，但其中有字节不可能正确。",
    "A file is cut, empty, of a wrong size or unreadable. The findings name it.": (
        "有文件被截断、为空、大小不对或无法读取。发现的问题会指出是哪个。"
    ),
    "Resume from another one, or copy the named file back from where it was whole.": (
        "从另一个检查点恢复，或从完好处把指出的文件复制回来。"
    ),
    "It was committed, but something that a restart needs is not there.": (
        "已提交，但缺少重启所需的部分。"
    ),
    (
        "A role or a rank's file is missing, parts of several saves are mixed, or the loader "
        "cannot restore the step."
    ): ("缺少某个角色或某个 rank 的文件，混入了多次保存的部分，或加载器无法恢复步数。"),
    "Resume from another one, or bring back what the findings name.": (
        "从另一个检查点恢复，或找回所指出的部分。"
    ),
    "It is whole, but holds no optimizer state.": "完整，但没有优化器状态。",
    "It is an export, was thinned on purpose, or the job saves only its model.": (
        "它是导出，被有意精简，或作业只保存模型。"
    ),
    "Not resumable: a new run can start from its weights, this one cannot continue.": (
        "不可恢复：可用其权重开始新的运行，但这个运行无法继续。"
    ),
    "Resume from one that has its optimizer.": "从含有优化器的检查点恢复。",
    "The framework goes on from its step, but not bit for bit.": (
        "框架可从该步继续，但结果不会逐位一致。"
    ),
    "Random state, data loader or a scheduler that the loader does without is absent.": (
        "缺少随机数状态、数据加载器，或加载器可以不要的调度器。"
    ),
    "Resumable; `latest` prefers an exact one of the same step, `--exact` demands one.": (
        "可恢复；同一步有精确可续的检查点时 `latest` 优先选它，`--exact` 则必须是它。"
    ),
    "Resume from it. To continue exactly the next time, save what `why` names as absent.": (
        "从它恢复。要在下次精确续训，请保存 `why` 指出缺少的部分。"
    ),
    "Every required role and every shard of one committed checkpoint is there.": (
        "已提交的检查点，所需角色和分片齐全。"
    ),
    "All that was checked is right; `not checked` says what was not, such as bytes.": (
        "检查过的都正确；没有检查的（例如字节）列在 `not checked` 里。"
    ),
    "Resumable: training goes on from its step, with every required state.": (
        "可恢复：训练从该步继续，所需状态齐全。"
    ),
    "Resume from it: `ckpt-tui latest DIR --print flag` prints how.": (
        "从它恢复：`ckpt-tui latest DIR --print flag` 会打印做法。"
    ),
    "`best_model_checkpoint` in trainer_state.json names what is not beside it.": (
        "trainer_state.json 里的 `best_model_checkpoint` 指向的不在旁边。"
    ),
    "The run was moved, came from another machine, or the best checkpoint was removed.": (
        "运行被移动过，来自另一台机器，或最佳检查点已被删除。"
    ),
    (
        "Correct or clear the field in trainer_state.json before the run ends, or the Trainer's "
        "clean-up at the end may fail."
    ): ("在运行结束前更正或清空 trainer_state.json 里的该字段，否则 Trainer 最后的清理可能失败。"),
    "`best_model_checkpoint` names '/old/place/checkpoint-500', which is not beside it": (
        "`best_model_checkpoint` 指向 '/old/place/checkpoint-500'，它不在旁边"
    ),
    (
        "Trainer: some versions stop at the end of training, where they load the best model, and "
        "keep one checkpoint too many until then."
    ): ("Trainer：有些版本在训练结束加载最佳模型时停止，在此之前会多保留一个检查点。"),
    "A shard says that it belongs to another checkpoint.": "有分片写明属于另一个检查点。",
    "Files of two saves were put together by hand, or a save was cut and mixed with old.": (
        "两次保存的文件被人为放在一起，或保存被打断而混入旧文件。"
    ),
    "Resume from another checkpoint: these shards do not belong together.": (
        "从另一个检查点恢复：这些分片不属于同一次保存。"
    ),
    "shards of another checkpoint are inside: step-1100 beside step-1200": (
        "混有另一个检查点的分片：step-1100 与 step-1200 在一起"
    ),
    "Most loaders compare no IDs: the ranks would go on from two different steps.": (
        "多数加载器不比较 ID：各 rank 会从两个不同的步继续。"
    ),
    "A rank's file is there that the index never names, or a rank has two.": (
        "有索引没有列出的 rank 文件，或某个 rank 有两个。"
    ),
    "An earlier save into the same directory, by a job of more ranks, left it.": (
        "更多 rank 的作业早先在同一目录保存时留下的。"
    ),
    "A remark where the loader ignores it; incomplete where the manifest contradicts itself.": (
        "加载器忽略它时只是说明；清单自相矛盾时为不完整。"
    ),
    "None needed where it is ignored. Else resume from another checkpoint.": (
        "被忽略时无需处理。否则从另一个检查点恢复。"
    ),
    "__7_0.distcp is not named by .metadata": "__7_0.distcp 不在 .metadata 中",
    "DCP reads only what its index names.": "DCP 只读取索引列出的内容。",
    "The content is whole, only the act that commits it is missing.": "内容完整，只差提交的动作。",
    "The job was killed between its last file and the rename or marker behind it.": (
        "作业在写完最后一个文件之后、重命名或写标记之前被杀。"
    ),
    (
        "Run the command that the finding names, once no job writes this checkpoint, and check "
        "it again. Do not delete it before."
    ): ("确认没有作业在写它之后，执行问题里给出的命令，再重新检查。在此之前不要删除它。"),
    "its content is whole; only the commit is missing": "内容完整；只差提交",
    "The framework passes over it, or stops, until the commit is there.": (
        "在提交之前，框架会跳过它，或停止。"
    ),
    "The framework's loader would drop a part of the state without a word.": (
        "框架的加载器会悄悄丢弃一部分状态。"
    ),
    (
        "The loader restores parts only together, takes one from another place than you would "
        "think, or changed with a version."
    ): ("加载器要么一起恢复几个部分，要么从意想不到的地方取，或随版本而变。"),
    (
        "Resume from a checkpoint that has all parts, or load it with the version that the "
        "finding names."
    ): ("从各部分齐全的检查点恢复，或用问题里指出的版本加载。"),
    "no scheduler: the Trainer restores optimizer and scheduler together or neither": (
        "没有调度器：Trainer 要么同时恢复优化器和调度器，要么都不恢复"
    ),
    (
        "Trainer: goes on with a fresh optimizer where the scheduler is missing. DeepSpeed since "
        "0.18: does not load partitions of the bf16 optimizer of ZeRO stage 0. Megatron-LM: "
        "takes the optimizer of the iteration that its tracker names."
    ): (
        "Trainer：缺少调度器时用全新的优化器继续。DeepSpeed 自 0.18 起：不加载 ZeRO stage 0 的 "
        "bf16 优化器分区。Megatron-LM：取其跟踪文件所指迭代的优化器。"
    ),
    "A state that a restart needs is not there: a role, or a role of some ranks.": (
        "缺少重启所需的状态：某个角色，或某些 rank 的某个角色。"
    ),
    "The job does not save it, the save was cut, or a file was removed afterwards.": (
        "作业不保存它，保存被打断，或之后有文件被删除。"
    ),
    (
        "Incomplete for model and step, or where the run's other checkpoints have it; inexact "
        "for random state, data loader or a scheduler that the loader does without."
    ): (
        "缺少模型或步数，或该运行的其他检查点有它时，为不完整；缺少随机数状态、数据加载器或加载器"
        "可以不要的调度器时，为近似可续。"
    ),
    (
        "Resume from a checkpoint that has it. Where no one has it, save it too; roles that your "
        "job does not need are left out with `--require`."
    ): (
        "从含有它的检查点恢复。都没有时，请让作业也保存它；作业不需要的角色可用 `--require` 略去。"
    ),
    "no scheduler: the learning rate schedule starts anew": "没有调度器：学习率调度会从头开始",
    "Depends on role and framework: the message says whether it stops or goes on.": (
        "取决于角色和框架：问题的文字会写明是停止还是继续。"
    ),
    "A file that the index, the layout or the number of ranks demands is not there.": (
        "索引、布局或 rank 数要求的文件不存在。"
    ),
    (
        "A rank was killed in its save, its node wrote to a disk of its own, or a clean-up or a "
        "copy left it out."
    ): ("某个 rank 在保存时被杀，其节点写在本地磁盘上，或清理、复制时漏掉了它。"),
    (
        "Look on the node of that rank, and copy the file back if it is there. Else resume from "
        "another checkpoint."
    ): ("到该 rank 的节点上查看，如果文件在那里就复制回来。否则从另一个检查点恢复。"),
    "rank 3 of 8 has no shard": "rank 3（共 8）没有分片",
    "Loaders stop at the missing file; some only on the rank that needs it, and hang.": (
        "加载器在缺少的文件处停止；有些只在需要它的 rank 上停止，其余挂起。"
    ),
    "One checkpoint holds parts of several saves.": "一个检查点里混有多次保存的部分。",
    (
        "A save went over an older one and was cut, or was tried twice; or ranks were at "
        "different steps."
    ): ("覆盖旧检查点的保存被打断，或保存尝试了两次；也可能各 rank 处于不同的步。"),
    (
        "Resume from another checkpoint. Where only times speak for it, make sure that no later "
        "save went into this directory: a copy changes times, too."
    ): ("从另一个检查点恢复。如果只有时间为证，先确认之后没有保存写入这个目录：复制也会改变时间。"),
    "files of several saves: the step is 1200 in rank 0, 1100 in rank 3": (
        "文件来自多次保存：rank 0 是 1200 步，rank 3 是 1100 步"
    ),
    "Loaders do not compare the parts: model and optimizer may be of two steps.": (
        "加载器不比较各部分：模型和优化器可能来自两个步。"
    ),
    "Only the ranks of one node, or of some nodes, are here.": "这里只有一个或部分节点的 rank。",
    "Each node saved to a disk of its own instead of a shared file system.": (
        "每个节点保存到自己的磁盘，而不是共享文件系统。"
    ),
    "Gather the files of all nodes in one place, then check again.": (
        "把所有节点的文件收集到一处，然后重新检查。"
    ),
    "only ranks 0–7 of 16 wrote here: each node kept its own part": (
        "只有 rank 0–7（共 16）写在这里：每个节点各存自己的部分"
    ),
    "A restart on the same nodes finds its parts; on others it stops.": (
        "在相同节点上重启能找到各部分；换节点则会停止。"
    ),
    "The save never finished, by the rule of its own format.": "按其格式的规则，保存没有完成。",
    "The checkpoint counts as uncommitted and is not resumed from.": (
        "该检查点按未提交处理，不会从它恢复。"
    ),
    (
        "Resume from an older checkpoint. Remove this one once no job writes it, unless "
        "`finishable` stands beside it."
    ): ("从更早的检查点恢复。确认没有作业在写它之后删除它，除非旁边有 `finishable`。"),
    "the save never finished: .metadata is missing": "保存没有完成：缺少 .metadata",
    "Most stop where it is named; some that look for the latest take it nevertheless.": (
        "多数框架在指定它时停止；有些查找最新检查点的仍会取它。"
    ),
    "The oldest checkpoint lacks what all others have.": "最旧的检查点缺少其他都有的部分。",
    "A removal of old checkpoints was cut half-way.": "删除旧检查点时中途被打断。",
    "It is safe to delete once no job writes it. Resume from a younger one.": (
        "确认没有作业在写它之后可以放心删除。请从更新的检查点恢复。"
    ),
    "no optimizer; the oldest, and files besides are gone: a removal was cut half-way": (
        "没有优化器；它是最旧的，而且还缺其他文件：删除中途被打断"
    ),
    "Name and content, or two parts, disagree about the step.": (
        "名称与内容，或两个部分，对步数的说法不一致。"
    ),
    "The directory was renamed, a counter began anew, or files of two saves were mixed.": (
        "目录被重命名，计数器重新开始，或混入两次保存的文件。"
    ),
    (
        "The content's step counts. Compare with the run's other checkpoints before you rely on "
        "this one, and rename it where only its name is wrong."
    ): ("以内容里的步数为准。依赖它之前请与该运行的其他检查点比较；如果只是名称不对，请重命名。"),
    "the name says step 1200, trainer_state.json says 1100": (
        "名称写的是 step 1200，trainer_state.json 写的是 1100"
    ),
    "Frameworks sort by name and go on from the content: a run may seem to jump.": (
        "框架按名称排序，却从内容继续：运行看起来会跳步。"
    ),
    "There is no optimizer state.": "没有优化器状态。",
    "It is an export, or was thinned, or the job saves only its model.": (
        "它是导出，或被精简，或作业只保存模型。"
    ),
    "The checkpoint counts as weights-only and is not resumed from.": (
        "该检查点按仅权重处理，不会从它恢复。"
    ),
    (
        "Use it to start a new run from its weights, or for inference. To continue the run, "
        "resume from a checkpoint that has its optimizer."
    ): ("可用其权重开始新的运行，或用于推理。要继续这个运行，请从含有优化器的检查点恢复。"),
    "weights only: no optimizer state, so it loads a model but does not continue the run": (
        "仅权重：没有优化器状态，只能加载模型，不能继续训练"
    ),
    "Some go on with a fresh optimizer, without a word: the loss jumps.": (
        "有些会悄悄用全新的优化器继续：损失会突变。"
    ),
    "The job has another number of ranks than the one that wrote it.": (
        "作业的 rank 数与写入时不同。"
    ),
    "`--world-size` names another size, and the format cannot reshard by itself.": (
        "`--world-size` 指定了别的规模，而该格式自身不能重新分片。"
    ),
    "The checkpoint counts as not resumable for that job, whatever its verdict.": (
        "对该作业按不可恢复处理，无论判定如何。"
    ),
    "Restart with the writer's number of ranks, or convert the checkpoint as the finding says.": (
        "用写入时的 rank 数重启，或按问题所说转换检查点。"
    ),
    "written by 8 ranks; 16 ranks cannot load it": "由 8 个 rank 写入；16 个 rank 无法加载",
    "The loader stops, or waits for ranks that do not exist.": (
        "加载器会停止，或等待并不存在的 rank。"
    ),
}
