"""What readers of the Trainer's, accelerate's, Lightning's, DeepSpeed's and plain files say."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "one with a higher number is there": "有编号更高的",
    "no commit mark: every file's own end decides (accelerate)": (
        "没有提交标记：由各文件自身的结尾决定（accelerate）"
    ),
    "each FSDP part's `.metadata` is renamed into place last; the other files have no mark": (
        "每个 FSDP 部分的 `.metadata` 最后重命名到位；其他文件没有标记"
    ),
    "no commit mark: every file's own end and the count of ranks decide (DeepSpeed)": (
        "没有提交标记：由各文件自身的结尾和 rank 数决定（DeepSpeed）"
    ),
    "natively: FSDP's parts are resharded on load; each process has a random state": (
        "原生支持：FSDP 的各部分在加载时重新分片；每个进程有一个随机数状态"
    ),
    "not read by load_state": "load_state 不读取它",
    "FSDP's optimizer is there": "有 FSDP 的优化器",
    "as Megatron-LM loads it": "按 Megatron-LM 的加载方式",
    "the shuffle sampler's own generator: with several processes accelerate does not save it": (
        "乱序采样器自己的随机数生成器：多进程时 accelerate 不保存它"
    ),
    (
        "`load_state` asks for no step: accelerate keeps none but in an object that the job"
        " registers (`register_for_checkpointing`), or in the name that the job gives (step_500)"
    ): (
        "`load_state` 不要求步数：accelerate 自己不保存步数，只有作业注册的对象"
        "（`register_for_checkpointing`）或作业所起的名称（step_500）中才有"
    ),
    "whether the job registers objects of its own: accelerate refuses a save without them": (
        "作业是否注册了自己的对象：缺少它们时 accelerate 拒绝加载"
    ),
    "no registered object holds it": "没有注册的对象含有它",
    (
        "random_states_0.pkl is {}, and accelerate writes it (and then the registered objects) "
        "last: the save did not come to its end"
    ): ("random_states_0.pkl {0:say}，而 accelerate 最后才写它（之后是注册的对象）：保存没有完成"),
    "the optimizer's groups hold `initial_lr`: a scheduler was at work": (
        "优化器的参数组含有 `initial_lr`：用过调度器"
    ),
    "there are more schedulers than optimizers": "调度器多于优化器",
    "whether a hook of the job loads the weights that accelerate did not save itself": (
        "作业的钩子是否会加载 accelerate 没有保存的权重"
    ),
    "saved by a hook of the job": "由作业的钩子保存",
    "a later one is there": "有更晚的",
    "a directory has its name": "有同名的目录",
    "a registered object in {}": "{0} 里注册的对象",
    "keys `random_state`, `numpy_random_seed`, `torch_manual_seed` in {}": (
        "`random_state`、`numpy_random_seed`、`torch_manual_seed` 键（{0:say}）"
    ),
    "the names of the random states and of the shards": "随机数状态和分片的名称",
    "{} (accelerate goes on without this random state)": (
        "{0:say}（accelerate 会在没有这个随机数状态的情况下继续）"
    ),
    "Resume from another checkpoint if an exact continuation matters.": (
        "如果需要精确续训，请从另一个检查点恢复。"
    ),
    "other ranks have it": "其他 rank 有",
    "the number of steps": "步数",
    "the loop steps them at a pace of its own": "训练循环按自己的节奏推进它们",
    "DeepSpeed's loader": "DeepSpeed 的加载器",
    "the step": "步数",
    (
        "the optimizer has made {} steps, the model {}: it began anew on the way, or its files "
        "are of an earlier save"
    ): ("优化器走了 {0} 步，模型 {1} 步：它中途重新开始过，或其文件来自更早的保存"),
    "Compare with the run's other checkpoints before you rely on its optimizer state.": (
        "依赖其优化器状态之前，请与该运行的其他检查点比较。"
    ),
    (
        "{} was saved with `elastic_checkpoint: true` and has no `{}`: DeepSpeed's loader stops"
        " there"
    ): "{0} 以 `elastic_checkpoint: true` 保存，却没有 `{1}`：DeepSpeed 的加载器会停在那里",
    (
        "Load it with `load_optimizer_states=False`, which begins with a fresh optimizer, and save"
        " with `elastic_checkpoint: false`, or use DeepSpeed's FusedAdam."
    ): (
        "用 `load_optimizer_states=False` 加载（优化器从头开始），并改用"
        " `elastic_checkpoint: false` 保存，或使用 DeepSpeed 的 FusedAdam。"
    ),
    (
        "DeepSpeed {} wrote the bf16 optimizer in partitions at ZeRO stage 0; from 0.18 on it "
        "does not load them: it stops, or goes on with a fresh optimizer"
    ): (
        "DeepSpeed {0} 在 ZeRO stage 0 下分区写入 bf16 优化器；自 0.18 起不再加载它们：会停止，或"
        "用全新的优化器继续"
    ),
    "Load it with DeepSpeed 0.17, and train on with ZeRO stage 1.": (
        "用 DeepSpeed 0.17 加载，之后以 ZeRO stage 1 训练。"
    ),
    "Remove it and convert its source again with ds_to_universal, or load the source.": (
        "删除它并用 ds_to_universal 重新转换其来源，或直接加载来源。"
    ),
    (
        "by conversion with ds_to_universal, then `checkpoint.load_universal: true`; as it is, "
        "only the writer's world size loads it"
    ): (
        "用 ds_to_universal 转换，再设置 `checkpoint.load_universal: true`；不转换则只有写入时的 "
        "world size 能加载"
    ),
    "natively: the optimizer is whole in the model file": "原生支持：优化器完整地在模型文件里",
    "the conversion copies it last, so it was not finished": "转换最后才复制它，所以转换没有完成",
    "the loader takes the model, the scheduler and the step from it": (
        "加载器从中读取模型、调度器和步数"
    ),
    "ZeRO stage {}": "ZeRO stage {0}",
    "the loader": "加载器",
    "{} wants one for each of {} ({})": "{0:say} 要求 {1:say} 各有一个（{2:say}）",
    "the layout of {} ({})": "{0:say} 的布局（{1:say}）",
    "this layer of the mixture has {} experts": "该混合层有 {0} 个专家",
    "without ZeRO each expert-parallel rank keeps its optimizer in a file": (
        "不用 ZeRO 时，每个专家并行 rank 把优化器存在一个文件里"
    ),
    "cannot be read: {}": "无法读取：{0:say}",
    "names {}, which is not there": "指向 {0}，而它不存在",
    "{} {}: DeepSpeed does not find its part of the checkpoint": (
        "{0} {1:say}：DeepSpeed 找不到检查点里属于它的部分"
    ),
    "If {}/ is whole, write its name into {}: printf %s {} > {}": (
        "如果 {0}/ 完整，把它的名称写入 {1}：printf %s {2} > {3}"
    ),
    "{}/ is whole, so write its name into {}: printf %s {} > {}": (
        "{0}/ 完整，把它的名称写入 {1} 即可：printf %s {2} > {3}"
    ),
    "Resume from another checkpoint: {}/ is not whole either.": (
        "从另一个检查点恢复：{0}/ 也不完整。"
    ),
    "layer {} has parameters, and each layer has a file": "第 {0} 层有参数，而每层有一个文件",
    "`dp_world_size` in {}": "{0} 里的 `dp_world_size`",
    "the ranks in the file names": "文件名里的 rank",
    "`partition_count` in {}": "{0} 里的 `partition_count`",
    "DeepSpeed's loader opens it": "DeepSpeed 的加载器会打开它",
    (
        "DeepSpeed writes a step in place, without a commit mark: each file's end mark and the "
        "count of ranks decide"
    ): ("DeepSpeed 原地写入每一步，没有提交标记：由各文件的结束标记和 rank 数决定"),
    "natively, with `checkpoint.load_universal: true`": (
        "原生支持，需设置 `checkpoint.load_universal: true`"
    ),
    " with checkpoint.load_universal: true": "，并设置 checkpoint.load_universal: true",
    "the keys of {}": "{0} 的键",
    "key `optimizer` in {}": "`optimizer` 键（{0:say}）",
    "key `global_steps` in {}": "`global_steps` 键（{0:say}）",
    "key `module` in {}": "`module` 键（{0:say}）",
    "key `optimizer_state_dict` in {}": "`optimizer_state_dict` 键（{0:say}）",
    "key `{}` in {} (ZeRO stage 3)": "`{0}` 键（{1}，ZeRO stage 3）",
    "the name of {}": "{0} 的名称",
    "other parameters have that state": "其他参数有这个状态",
    "the model file names that parameter": "模型文件引用了这个参数",
    "the loader stops without it, and the conversion writes it after all parameters": (
        "缺了它加载器会停止，而转换在所有参数之后才写它"
    ),
    "slices that the conversion merges": "由转换合并的切片",
    "{} of {} in zero/": "zero/ 里 {1:say} 的 {0:list}",
    "not read on a resume": "恢复时不读取",
    "the optimizer is FSDP's ({}), so is the model": "优化器是 FSDP 的（{0}），模型也是",
    "{} (an export; a resume does not read it)": "{0:say}（导出；恢复时不读取）",
    (
        "no {}: the Trainer restores optimizer and scheduler together or, without a word, "
        "neither, and goes on with fresh ones"
    ): ("没有{0:list}：Trainer 要么同时恢复优化器和调度器，要么悄悄都不恢复，用全新的继续"),
    "Do not resume from it; start a new run from its weights, or take another checkpoint.": (
        "不要从它恢复；可用其权重开始新的运行，或换一个检查点。"
    ),
    "it holds weights": "它含有权重",
    "it has no `weight_map` that names any tensor": "它没有列出张量的 `weight_map`",
    "it places {} in {}": "它把 {0} 放在 {1} 里",
    "{} lacks {} that `{}` places in it, such as {}; the loader would go on without them": (
        "{0} 缺少 `{2}` 放在其中的 {1:say}，例如 {3}；加载器会在没有它们的情况下继续"
    ),
    "Resume from another checkpoint: this shard is of another save or model.": (
        "从另一个检查点恢复：这个分片来自别的保存或模型。"
    ),
    "{} without an index, so that the loader finds no model": "{0:say}没有索引，加载器找不到模型",
    "{} files": "{0} 个文件",
    ", named by {}": "，由 {0} 列出",
    "{} is readable, but holds no tensor elements: the weights were never gathered": (
        "{0} 可读，但张量没有元素：权重没有被汇集"
    ),
    "Take the weights from another checkpoint, or from the optimizer's partitions.": (
        "从另一个检查点或优化器的分区取权重。"
    ),
    "`{}` is written last, under its final name (Trainer)": "最后以最终名称写入 `{0}`（Trainer）",
    "an export has no commit rule: its files' own end marks decide": (
        "导出没有提交规则：由各文件自身的结束标记决定"
    ),
    "the base model, which the adapter needs and which is kept elsewhere": (
        "适配器所需的基础模型，存在别处"
    ),
    "natively: FSDP's parts are resharded on load": "原生支持：FSDP 的各部分在加载时重新分片",
    "steps were skipped, or the run once went on with fresh states": (
        "有些步被跳过，或运行曾用全新的状态继续"
    ),
    "{} says step {}, DeepSpeed's model file {}": (
        "{0} 写的是 step {1}，DeepSpeed 的模型文件写的是 {2}"
    ),
    "Find out whether the DeepSpeed part is of another save.": (
        "请查明 DeepSpeed 部分是否来自别的保存。"
    ),
    "the Trainer": "Trainer",
    "the names of the random states": "随机数状态的名称",
    "keys `python`, `numpy`, `cpu` in {}": "`python`、`numpy`、`cpu` 键（{0:say}）",
    "the {} in {}/ was never committed": "{1}/ 里的{0:say}没有提交",
    "{} keys in {}/{}": "{0} 个键（{1}/{2}）",
    "the Trainer takes the step from it": "Trainer 从中读取步数",
    "key `global_step` in {}": "`global_step` 键（{0:say}）",
    "{} has no `global_step`: the Trainer would begin at step 0": (
        "{0} 没有 `global_step`：Trainer 会从 step 0 开始"
    ),
    "; one of that name is": "；但有同名的",
    "`best_model_checkpoint` names {}, which is not beside it{}": (
        "`best_model_checkpoint` 指向 {0}，它不在旁边{1:say}"
    ),
    (
        "Some versions stop at the end of training, and keep one checkpoint too many: correct "
        "the path in {}."
    ): ("有些版本会在训练结束时停止，并多保留一个检查点：请更正 {0} 里的路径。"),
    "no commit mark: each file's end mark and the count of ranks decide (DeepSpeed)": (
        "没有提交标记：由各文件的结束标记和 rank 数决定（DeepSpeed）"
    ),
    "a gradient scaler skipped some": "梯度缩放器跳过了一些",
    "`meta.pt` is written last, after `.metadata` (Lightning's directory form)": (
        "`meta.pt` 最后写入，在 `.metadata` 之后（Lightning 的目录形式）"
    ),
    "natively: Lightning reshards DCP's tensors to any world size": (
        "原生支持：Lightning 可把 DCP 的张量重新分片到任意 world size"
    ),
    "the Trainer's state": "Trainer 的状态",
    (
        "no commit mark: the end of the archive decides (Lightning renames it, or copies it into "
        "place)"
    ): ("没有提交标记：由归档的结尾决定（Lightning 重命名或复制到位）"),
    "the file is not sharded: every rank loads all of it": "文件没有分片：每个 rank 都加载全部",
    "`global_step` in {} says {}, the loops' counter {}: Lightning goes on from the latter": (
        "{0} 里的 `global_step` 是 {1}，循环计数器是 {2}：Lightning 从后者继续"
    ),
    "Find out what changed the one or the other.": "请查明是什么改动了其中之一。",
    "{} has no key `{}`: Lightning stops there": "{0} 没有 `{1}` 键：Lightning 会在此停止",
    "Resume from another checkpoint; its weights can be loaded without the Trainer.": (
        "从另一个检查点恢复；它的权重可以不用 Trainer 加载。"
    ),
    "{} of rank {}": "rank {1} 的{0:say}",
    "{} has the size of the other ranks' parts; only its rename is missing": (
        "{0} 与其他 rank 的部分大小相同；只差重命名"
    ),
    "Once no job writes it, and it loads: mv {} {}": "确认没有作业在写它且能加载之后：mv {0} {1}",
    "{} of {} parts of {} are there": "{2:say} 的 {1:known} 个部分中有 {0:known} 个",
    "parts of saves with {} ranks lie in one directory": (
        "不同 rank 数（{0:list}）的保存的部分混在一个目录里"
    ),
    "Resume from another checkpoint, or move the parts of the other save away.": (
        "从另一个检查点恢复，或移走另一次保存的部分。"
    ),
    "the names of the parts": "各部分的名称",
    "the other model beside it has this kind of part": "旁边的另一个模型有这类部分",
    "the {} in parts of {}": "{1} 各部分里的{0:say}",
    "optimizer's step": "优化器步数",
    "scheduler's step": "调度器步数",
    "no commit mark: the end of the archive decides (torch.save writes in place)": (
        "没有提交标记：由归档的结尾决定（torch.save 原地写入）"
    ),
    "no key holds it": "没有键含有它",
    "nothing under {}": "{0} 下没有内容",
    "no commit mark: every file's own end decides (torch.save writes in place)": (
        "没有提交标记：由各文件自身的结尾决定（torch.save 原地写入）"
    ),
    "each DCP part's `.metadata` is renamed into place last; the other files have no mark": (
        "每个 DCP 部分的 `.metadata` 最后重命名到位；其他文件没有标记"
    ),
    "{} and {} hold the same state, written {} apart: two tries of this save": (
        "{0} 与 {1} 含有相同的状态，相隔 {2} 写入：同一次保存的两次尝试"
    ),
    "Make sure which one the job loads: {} is the younger.": "确认作业加载哪一个：{0} 较新。",
}
