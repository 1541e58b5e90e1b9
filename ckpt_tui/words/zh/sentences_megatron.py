"""What readers of Megatron's two formats say."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "the loader takes the parallel sizes from it; it is written after the trackers": (
        "加载器从中读取并行规模；它在跟踪文件之后写入"
    ),
    "key `step` in {}": "`step` 键（{0:say}）",
    "`metadata.json` is written after `.metadata` and all data (Megatron dist_checkpointing)": (
        "`metadata.json` 在 `.metadata` 和全部数据之后写入（Megatron dist_checkpointing）"
    ),
    "{} says that the save was finished": "{0} 表明保存已完成",
    "no `common_state` is in `.metadata` in its stead either": (
        "`.metadata` 里也没有代替它的 `common_state`"
    ),
    "a whole {}": "完整的 {0}",
    "the iteration": "迭代数",
    "its iteration": "它的迭代数",
    "key `{}` in `{}`": "`{1}` 里的 `{0}` 键",
    "{}, version {}": "{0}，版本 {1}",
    "{} names the backend {}; only {} of version {} is read": (
        "{0} 写明后端 {1}；只支持读取版本 {3} 的 {2}"
    ),
    "Convert the checkpoint to {}, or judge it by hand.": "把检查点转换为 {0}，或人工判断。",
    "natively: dist_checkpointing reshards tensors to any parallelism": (
        "原生支持：dist_checkpointing 可把张量重新分片到任意并行方式"
    ),
    " (pass --no-load-rng at another TP or PP)": "（换 TP 或 PP 时加 --no-load-rng）",
    (
        "natively at the same TP and PP: its distributed optimizer is `{}`; for others save with "
        "--dist-ckpt-optim-fully-reshardable"
    ): (
        "TP 和 PP 不变时原生支持：其分布式优化器是 `{0}`；要换请用 "
        "--dist-ckpt-optim-fully-reshardable 保存"
    ),
    "step, arguments, schedule and parameter groups": "步数、参数、调度和参数组",
    "commit mark": "提交标记",
    "Megatron-Bridge's counters": "Megatron-Bridge 的计数器",
    "Megatron-Bridge's configuration": "Megatron-Bridge 的配置",
    "{} holds no `args`: Megatron-LM then counts the consumed samples from 0": (
        "{0} 没有 `args`：Megatron-LM 会从 0 开始计算已用样本"
    ),
    "Expect the data to begin anew, or resume from a checkpoint that has them.": (
        "数据会从头开始，或从含有它们的检查点恢复。"
    ),
    (
        "Megatron-LM takes {} of the iteration that {} names, whatever --ckpt-step says: model "
        "and optimizer would be of two iterations"
    ): ("无论 --ckpt-step 是什么，Megatron-LM 都取 {1} 所指迭代的 {0}：模型和优化器会来自两次迭代"),
    "Where {} names another iteration, write {} into it; pass no --ckpt-step.": (
        "如果 {0} 指向别的迭代，把 {1:say} 写入其中；不要传 --ckpt-step。"
    ),
    (
        "{} holds no `optimizer` (parameter groups and their step), which Megatron-LM reads "
        "beside {}"
    ): ("{0} 没有 `optimizer`（参数组及其步数），Megatron-LM 会在 {1} 之外读取它"),
    "Load it with the version that wrote it; others may stop at it.": (
        "用写入它的版本加载；其他版本可能会在此停止。"
    ),
    "{} wants it": "{0:say} 需要它",
    "the directories' names": "目录名",
    "`args` in {}": "{0} 里的 `args`",
    "Megatron-LM's loader opens it": "Megatron-LM 的加载器会打开它",
    (
        "Megatron-LM writes each rank's files in place, without a commit mark: their end marks "
        "and the grid of ranks decide"
    ): ("Megatron-LM 原地写入每个 rank 的文件，没有提交标记：由其结束标记和 rank 网格决定"),
    (
        "by conversion: at the writer's own TP and PP with `--ckpt-convert-format torch_dist "
        "--ckpt-convert-save DIR`, then natively; tools/checkpoint/convert.py keeps the weights "
        "alone. Another number of data-parallel ranks loads it as it is"
    ): (
        "需转换：在写入时的 TP 和 PP 下用 `--ckpt-convert-format torch_dist --ckpt-convert-save "
        "DIR`，之后原生支持；tools/checkpoint/convert.py 只保留权重。数据并行 rank 数不同时可直接"
        "加载"
    ),
    "key `iteration` in {}": "`iteration` 键（{0:say}）",
    "the number of data-parallel ranks (no file tells it)": "数据并行 rank 数（没有文件写明）",
    "the iteration of {} (it holds none)": "{0} 的迭代数（它没有记录）",
    "the tensors of {}": "{0} 的张量",
}
