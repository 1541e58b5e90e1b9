"""What the readers of Orbax and Flax say."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "`{}tmp` is renamed to its final name once it is written whole (flax)": (
        "`{0}tmp` 完整写入后重命名为最终名称（flax）"
    ),
    "chunks of {} in {}": "{1} 里 {0:say}的块",
    "{} keeps an array there": "{0} 有一个数组存在那里",
    "it describes no array": "它没有描述任何数组",
    "its shape has more elements than can be": "其形状的元素多得不可能",
    "the description of an array has {} bytes": "某个数组的描述有 {0} 字节",
    "the description of an array": "数组的描述",
    "`{}` lists this array": "`{0}` 列出了这个数组",
    "{}, and the database has no such key": "{0:say}，而数据库里没有这个键",
    "{}, and nothing there describes it": "{0:say}，而那里没有它的描述",
    "{} of {} chunks of the array are there": "数组的 {1} 个块中只有 {0} 个",
    "the directory is renamed from `*{}` to its final name last (Orbax)": (
        "最后一步是把目录从 `*{0}` 重命名为最终名称（Orbax）"
    ),
    "`{}` is written last, under the final name (Orbax's commit-file protocol)": (
        "直接以最终名称写入，`{0}` 最后写入（Orbax 的提交文件协议）"
    ),
    "renamed to its final name last, with `{}` inside (Orbax)": (
        "最后重命名为最终名称，其中含有 `{0}`（Orbax）"
    ),
    "{} is there": "有 {0}",
    "the items' {} name the temporary directory: it was renamed": (
        "各项的 {0} 写的是临时目录：它被重命名过"
    ),
    "the items' {} name the final directory: nothing was renamed": (
        "各项的 {0} 写的是最终目录：没有重命名过"
    ),
    "{} has no time of a commit, which a renamed step has": (
        "{0} 没有提交时间，而重命名过的步会有"
    ),
    "{} has the time of the commit": "{0} 有提交时间",
    "no {} here or beside it: versions before 0.12 renamed without one": (
        "这里和旁边都没有 {0}：0.12 之前的版本重命名时不写它"
    ),
    "{} beside it was committed by its {}": "旁边的 {0} 由其 {1} 提交",
    "{} beside it has a {} and was renamed, as this one was": (
        "旁边的 {0} 有 {1}，且与这个一样是重命名来的"
    ),
    "a restore that asks for the item stops without it": "恢复该项时缺了它就会停止",
    "the step names this item, and {}": "这一步列有该项，{0:say}",
    "{} is an item with nothing in it": "{0} 这一项是空的",
    "there is nothing in it": "里面没有内容",
    "each of {} processes stops without its own file": (
        "{0} 个进程各自需要自己的文件，缺了就会停止"
    ),
    (
        "natively, with a target tree or restore_args: without one Orbax wants the devices of the "
        "save"
    ): ("原生支持，需给出目标树或 restore_args：否则 Orbax 要求与保存时相同的设备"),
    "Orbax 0.12 loads it with a target tree only": "Orbax 0.12 只有给出目标树才能加载它",
    "it lists the leaves of the tree, and the loader stops without": (
        "它列出树的各个叶子，缺了它加载器会停止"
    ),
    "the bytes of tensors: nothing protects values outside the database's nodes": (
        "张量的字节：数据库节点之外的值没有任何校验和保护"
    ),
    "it has {} items, more than the limit of {}": "它有 {0} 项，超过上限 {1}",
    "A restore works without it; times and handlers are lost.": (
        "没有它也能恢复；只是丢失时间和 handler 的记录。"
    ),
    "`ocp.load` knows a checkpoint by it": "`ocp.load` 靠它识别检查点",
    (
        "{} is gone, which the version that wrote the rest writes, too: a removal was cut "
        "half-way, or it was not copied"
    ): ("{0} 不见了，而写入其余部分的版本本应写它：删除中途被打断，或复制时漏了它"),
    "A restore works without it; rather resume from a younger checkpoint.": (
        "没有它也能恢复；但最好从更新的检查点恢复。"
    ),
    "the ends of {} chunk files": "{0} 个块文件的结尾",
    "chunks that are absent: versions before 0.11 left chunks of zeros out": (
        "缺失的块：0.11 之前的版本不写全零的块"
    ),
    "item `{}`: its handler is not known": "`{0}` 项：不认识它的 handler",
    "handler {}": "handler {0}",
    "its {} files": "其 {0} 文件",
    "item `{}`, by its name and {}": "`{0}` 项，依据其名称和 {1:say}",
    "item `{}`": "`{0}` 项",
    "`{}` in the optimizer's state ({})": "优化器状态里的 `{0}`（{1}）",
    "`load_weights` works without it; make the model in the script, not by `load_model`.": (
        "没有它 `load_weights` 也能工作；请在脚本里构建模型，不要用 `load_model`。"
    ),
    "`{}` lists {} strings in it": "`{0}` 列出其中有 {1} 个字符串",
    "`{}` lists this string": "`{0}` 列出了这个字符串",
    "it does not end as a JSON object does": "它的结尾不是 JSON 对象的结尾",
    "a restore without a target tree, or by `PyTreeRestore` without `restore_args`, stops at it": (
        "不给目标树的恢复，或 `PyTreeRestore` 不给 `restore_args` 的恢复，会在此停止"
    ),
    "the loader takes it from there, not {}": "加载器从名称取步数，不看 {0}",
    "step from the name; key `{}` in {} counts from another start": (
        "步数来自名称；`{0}` 键（{1}）的计数起点不同"
    ),
    "the name says step {}, key `{}` says {}": "名称写的是 step {0}，`{1}` 键写的是 {2}",
    "The content's step is used; a manager is asked for the number in the name.": (
        "采用内容里的步数；向 CheckpointManager 要的则是名称里的编号。"
    ),
    "it says what the arrays are and where they lie": "它写明有哪些数组、存在哪里",
    "the arrays' database begins with it": "数组的数据库从它开始",
    "{} of {} lie in it": "{1} 的 {0:say}在其中",
    "it has no `tree_metadata`": "它没有 `tree_metadata`",
    "its entry {} has no keys or no value": "其条目 {0} 没有键或没有值",
    "its entry {} lacks what says where its value goes, and of what type it is": (
        "其条目 {0} 缺少说明值放在何处及其类型的字段"
    ),
}
