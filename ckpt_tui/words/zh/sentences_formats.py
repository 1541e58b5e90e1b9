"""What readers of several formats say: sentences of `formats.shared` and around it."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "the bytes of tensors": "张量的字节",
    "the content of {}": "{0:say} 的内容",
    "key `{}` in {}": "`{0}` 键（{1:say}）",
    "key `{}`": "`{0}` 键",
    "key {} in {}": "{0} 键（{1:say}）",
    "step from {}": "步数来自 {0:say}",
    "step from the directory's name": "步数来自目录名",
    "step from the file's name": "步数来自文件名",
    "step from the name": "步数来自名称",
    "step from key `{}`": "步数来自 `{0}` 键",
    "step from key `{}` in {}": "步数来自 `{0}` 键（{1:say}）",
    " and {} more": " 等，另有 {0} 个",
    "the names of the files": "文件名",
    "it is no file of this checkpoint": "它不是这个检查点的文件",
    "a directory": "目录",
    "a pipe, socket or device": "管道、套接字或设备",
    "it is {}, no regular file": "它是{0:say}，不是普通文件",
    "the link leads out of it": "链接指向检查点之外",
    "it holds a model": "它含有模型",
    "the reader failed: {}: {}": "读取器失败：{0}：{1}",
    "it is a link to {}, not followed": "它是指向 {0} 的链接，未跟随",
    "Check its target by name: ckpt-tui check {}": "按名称检查其目标：ckpt-tui check {0}",
    "Report it with the file that causes it; judge this checkpoint by hand.": (
        "请连同引发它的文件一起报告；这个检查点请人工判断。"
    ),
    "not read": "未读取",
    "cannot be listed: {}": "无法列出：{0:say}",
    "Look at it with an account that may read it.": "请用有读取权限的账号查看。",
    "it still has a temporary name: the rename that commits it never came": (
        "它还是临时名称：提交它的重命名没有发生"
    ),
    "the whole checkpoint is renamed to its final name last": (
        "最后一步是把整个检查点重命名为最终名称"
    ),
    "rename to its final name": "重命名为最终名称这一步",
    "looks like {} checkpoints, which this version does not read": (
        "看起来是 {0} 检查点，本版本不支持读取"
    ),
    "it is read as a torch archive": "按 torch 归档读取",
    "key `epoch` in {}": "`epoch` 键（{0:say}）",
    "the content of {} files (their end marks are whole)": "{0} 个文件的内容（其结束标记完整）",
    ", without any state tensor (saved before the first step, or plain SGD)": (
        "，不含任何状态张量（在第一步之前保存，或是不带动量的 SGD）"
    ),
    "the name of {} (its keys name no role)": "{0} 的名称（其键看不出角色）",
    "holds {}": "含有{0:list}",
    "more than {} ranks by {}: that cannot be": "按 {1:say} 有超过 {0} 个 rank：不可能",
    "Look at the file by hand; it may be damaged.": "请人工查看该文件；它可能已损坏。",
    "has {} bytes and no end mark": "有 {0} 字节，没有结束标记",
    "it is no JSON object": "它不是 JSON 对象",
    "{} is {} bytes long, but only {} are on disk: holes read as zeros": (
        "{0} 长 {1} 字节，但磁盘上只有 {2}：空洞会读成零"
    ),
    "Do not trust its size; resume from another checkpoint if the save was cut.": (
        "不要相信它的大小；如果保存被打断，请从另一个检查点恢复。"
    ),
    "{} is a link that leads out of the checkpoint or nowhere; it was not followed": (
        "{0} 是指向检查点之外或悬空的链接；未跟随"
    ),
    "Copy what it names into the checkpoint if it belongs there.": (
        "如果它所指的内容属于这里，请复制到检查点里。"
    ),
    "{} {} in the name {} ({})": "名称 {2} 里的 {0} {1}（{3:say}）",
    "the marker `NAME{}` beside it is removed last (NeMo)": (
        "旁边的标记 `NAME{0}` 最后才被移除（NeMo）"
    ),
    "the removal of {}": "移除 {0}",
    "{} (in {}/)": "{0:say}（在 {1}/ 中）",
    "only {} wrote here: each node kept its own part": (
        "只有 {0:say} 写在这里：每个节点各存自己的部分"
    ),
    "only {} of {} wrote here: each node kept its own part": (
        "只有 {0:say}（共 {1}）写在这里：每个节点各存自己的部分"
    ),
    "Bring the other nodes' {} here, so that those of all nodes lie together.": (
        "把其他节点的{0:say}也放到这里，使所有节点的都在一起。"
    ),
    "files of this step": "这一步的文件",
    "directories of this iteration": "这次迭代的目录",
    "Resume from another checkpoint, or copy the file back from where it was whole.": (
        "从另一个检查点恢复，或从完好处把文件复制回来。"
    ),
    "Resume from another checkpoint.": "从另一个检查点恢复。",
    "Make the file readable and look again; until then nothing can be said about it.": (
        "让文件可读后再看；在此之前无法判断。"
    ),
    "Give this user read permission on it, then look again.": "给当前用户读取权限，然后再看。",
    "Judge it with the framework, or look at the file by hand.": "请用框架判断，或人工查看该文件。",
    "Read it with a newer version of this tool.": "请用本工具的更新版本读取。",
    "Load it with what wrote it to know, or read it with a newer version of this tool.": (
        "请用写出它的程序加载来确认，或用本工具的更新版本读取。"
    ),
    "Copy what the link names into the checkpoint, then look again.": (
        "把链接所指的内容复制到检查点里，然后再看。"
    ),
    " of rank {}": "（rank {0}）",
    "{} is missing: {}": "缺少 {0:say}：{1:say}",
    (
        "Copy it back if it was written to another node's own disk, or resume from another "
        "checkpoint."
    ): ("如果它写在另一个节点的本地磁盘上，把它复制回来，否则从另一个检查点恢复。"),
    "{} is readable, but holds no {}: {} stops at it": (
        "{0} 可读，但不含 {1:say}：{2:say} 会在此停止"
    ),
    "Copy the right file back, or resume from another checkpoint.": (
        "把正确的文件复制回来，或从另一个检查点恢复。"
    ),
    "{} has {} bytes, but {} needs {}": "{0} 有 {1} 字节，但 {2:say} 需要 {3}",
    "is empty": "为空",
    "is missing": "缺失",
    "{} is not named by {}": "{0:say} 不在 {1:say} 中",
    "{} and {} more are not named by {}": "{0} 和另外 {1} 个不在 {2:say} 中",
    "Left of an earlier save into the same directory, most likely; the loader ignores it.": (
        "很可能是同一目录里早先保存留下的；加载器会忽略它。"
    ),
    "a temporary name": "临时名称",
    "{} still has {}: a save was cut before its rename": "{0} 仍是{1:say}：保存在重命名之前被打断",
    "Remove it once no job writes it.": "确认没有作业在写它之后删除。",
    "the name says step {}, {} says {}": "名称写的是 step {0}，{1:say}写的是 {2}",
    "The content's step is used; find out whether it was renamed or saved wrongly.": (
        "采用内容里的步数；请查明是被重命名还是保存有误。"
    ),
    "the pickle names {}, which can run code when it is loaded (it was not executed)": (
        "pickle 引用了 {0:say}，加载时可能执行代码（这里没有执行）"
    ),
    "Load it only with `weights_only=True`, and only if you trust its origin.": (
        "只用 `weights_only=True` 加载，而且只在信任来源时。"
    ),
    "the loader stops at it": "加载器会在此停止",
    "the loaders of torch 2.6 and newer stop at it": "torch 2.6 及更新版本的加载器会在此停止",
    "{} names {}, which `torch.load(weights_only=True)` refuses: {}": (
        "{0} 引用了 {1:say}，`torch.load(weights_only=True)` 拒绝：{2:say}"
    ),
    (
        "If you trust its origin, allow it with `torch.serialization.add_safe_globals`, or set "
        "TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD=1 where the loader leaves the choice to torch."
    ): (
        "如果信任来源，用 `torch.serialization.add_safe_globals` 允许它；加载器把选择留给 torch "
        "时，也可设置 TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD=1。"
    ),
    "{} leads out of the checkpoint: {}; it was not followed": (
        "{0} 指向检查点之外：{1:say}；未跟随"
    ),
    "{} is {}, no regular file: {}; it was not read": (
        "{0} 是{1:say}，不是普通文件：{2:say}；未读取"
    ),
    "Put the file back in its place, then look again.": "把文件放回原处，然后再看。",
    "{} (and {} more like it)": "{0:say}（类似的另有 {1} 个）",
    "natively: model and optimizer are whole in one place; each process has a random state": (
        "原生支持：模型和优化器完整存于一处；每个进程有一个随机数状态"
    ),
    "each rank loads its own file, so the world size must stay the same": (
        "每个 rank 加载自己的文件，所以 world size 必须不变"
    ),
    "natively: dcp.load reshards tensors to any world size": (
        "原生支持：dcp.load 可把张量重新分片到任意 world size"
    ),
    "; and {} more": "；另有 {0} 处",
    "safetensors' temporary name": "safetensors 的临时名称",
    "{} tensors in {}": "{0} 个张量（{1:say}）",
    "it has no weight_map": "它没有 weight_map",
    "{} names it": "{0} 引用了它",
    "{} places tensor {} in it, which it does not have": "{0} 把张量 {1} 放在其中，而它没有",
    "files of several saves: {} is {}": "文件来自多次保存：{0:say} 为 {1:list}",
    "{} in {}": "{0:known}（{1:say}）",
    "Resume from another checkpoint: these files do not belong together.": (
        "从另一个检查点恢复：这些文件不属于同一次保存。"
    ),
    "{} is {}: {}, or the files are of several saves": (
        "{0:say} 为 {1:list}：{2:say}，或者文件来自多次保存"
    ),
    "Compare with the run's other checkpoints before you rely on it.": (
        "依赖它之前，请与该运行的其他检查点比较。"
    ),
    (
        "{} was written {} before all others, which were written at once: it may be of an "
        "earlier save"
    ): ("{0} 比其他文件早 {1} 写入，其余是同时写的：它可能来自更早的保存"),
    "Compare it with the same file of the run's other checkpoints; times alone prove nothing.": (
        "请与该运行其他检查点的同名文件比较；仅凭时间不能证明什么。"
    ),
    (
        "{} was written {} after {}, which comes last: a save over this checkpoint may have been "
        "cut, or times are a copy's"
    ): ("{0} 比本应最后写入的 {2} 晚 {1}：可能有一次覆盖保存被打断，或时间来自复制"),
    (
        "Make sure that no later save went into this directory, else resume from another "
        "checkpoint; times alone prove nothing."
    ): ("确认之后没有保存写入这个目录，否则从另一个检查点恢复；仅凭时间不能证明什么。"),
    "it holds the {}": "它含有{0:say}",
    "{} state": "{0:known}",
    "no commit mark: each file's header says how long it has to be (safetensors)": (
        "没有提交标记：每个文件头写明它应有的长度（safetensors）"
    ),
    "the other shards' names count it": "其他分片的名称把它计算在内",
    "{} is readable, but holds no tensor": "{0} 可读，但不含张量",
    "Export the weights again from a whole checkpoint.": "从完整的检查点重新导出权重。",
    "of type {}": "类型 {0}",
    "(it cannot even be shown)": "（甚至无法显示）",
    "{} is no ClaimKind": "{0} 不是 ClaimKind",
    "not tuples of names of files in the directory": "不是由目录内文件名组成的元组",
    "{} is no tuple": "{0} 不是元组",
    "{} failed in {}: {}": "{0:say} 在 {1} 中失败：{2}",
    "plug-in `{} = {}` of {}": "{2} 的插件 `{0} = {1}`",
    "another distribution has a format of that name": "另一个发行包已有同名格式",
    "{} cannot be used: {}": "{0:say} 无法使用：{1:say}",
    "the metadata of a distribution cannot be read: {}": "无法读取某个发行包的元数据：{0}",
    "a format's name is lower-case words with hyphens between them": (
        "格式名应是用连字符连接的小写单词"
    ),
    "a plug-in may not take the name of a format that is read here": "插件不能占用内置格式的名称",
    "its attribute `name` is not {}": "它的 `name` 属性不是 {0}",
    "it lacks {}": "它缺少 {0:list}",
    "its attribute `hints` is no tuple of strings": "它的 `hints` 属性不是字符串元组",
}
