"""What the readers of Paddle, and of loops that write pickle, msgpack, numpy or GGUF files, say."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "no commit mark: the header says how long the file has to be (GGUF)": (
        "没有提交标记：文件头写明文件应有的长度（GGUF）"
    ),
    "no commit mark: each file's value has to end where the file does (msgpack)": (
        "没有提交标记：每个文件的值必须恰好在文件结尾处结束（msgpack）"
    ),
    "it is read as msgpack": "按 msgpack 读取",
    "Load it with `allow_pickle=True` only if you trust its origin.": (
        "只在信任来源时才用 `allow_pickle=True` 加载。"
    ),
    "it is read as a file of numpy": "按 numpy 文件读取",
    "no commit mark: the archive's end and each array's header decide (numpy writes in place)": (
        "没有提交标记：由归档的结尾和各数组的头决定（numpy 原地写入）"
    ),
    "natively: paddle.distributed.load_state_dict reshards tensors to any world size": (
        "原生支持：paddle.distributed.load_state_dict 可把张量重新分片到任意 world size"
    ),
    "the schedule's step": "学习率调度的步数",
    "it says which file holds which tensor": "它写明哪个文件含有哪个张量",
    "its lock": "它的锁",
    "it holds no `storage_metadata`": "它不含 `storage_metadata`",
    "{} places {} of tensors in it": "{0} 把张量的 {1:say}放在其中",
    "{} holds no `{}`, which {} places there": "{0} 不含 `{1}`，而 {2} 把它放在那里",
    "`{}` has the shape {} in {}, but {} by {}": ("`{0}` 在 {2} 里的形状是 {1}，而 {4} 写的是 {3}"),
    "{} into one directory ({}): the loader stops unless it is told which": (
        "{0:say}写进了同一个目录（{1}）：不指明用哪一次，加载器就会停止"
    ),
    "Pass the number of the newest one as `unique_id`.": (
        "把最新一次的编号作为 `unique_id` 传入。"
    ),
    "{} is no metadata of paddle.distributed: {}": (
        "{0} 不是 paddle.distributed 的元数据：{1:say}"
    ),
    "no commit mark: each pickle's own end decides (paddle.save writes in place)": (
        "没有提交标记：由各 pickle 自身的结尾决定（paddle.save 原地写入）"
    ),
    (
        "no commit mark: the metadata is written first, so every file that it names has to be "
        "whole (paddle.distributed)"
    ): ("没有提交标记：元数据最先写入，所以它列出的每个文件都必须完整（paddle.distributed）"),
    "epoch {} in the name {} (no key holds it)": "名称 {1} 里的 epoch {0}（没有键含有它）",
    "item {} in {}": "{1} 的第 {0:known} 项",
    "attribute `{}` of the object in {}": "{1} 中对象的属性 `{0}`",
    "{} tensors under keys of their own in {}": "{1} 中以各自的键存放的 {0} 个张量",
    "`{}.count` in {}": "`{0}.count`（{1}）",
    "the content of {}: a tree of arrays": "{0} 的内容：数组树",
    "pickle {} of {}": "{1} 的第 {0} 个 pickle",
    "no commit mark: the pickle's STOP opcode decides (pickle.dump writes in place)": (
        "没有提交标记：由 pickle 的 STOP 操作码决定（pickle.dump 原地写入）"
    ),
    "key `{}` in {}, which schedules go by": "`{0}` 键（{1}），学习率调度依据它",
    ", without any array (an optimizer that keeps none)": (
        "，不含任何数组（这种优化器本身不保存数组）"
    ),
    ("{} names {} in one of `{}` and `{}` only, which are copies of one tree: a name is damaged"): (
        "{0} 只在 `{2}` 和 `{3}` 之一里有 {1}，而两者应是同一棵树的副本：有名称损坏"
    ),
    "Load it only if you trust its origin: `pickle.load` runs what it names.": (
        "只在信任来源时才加载：`pickle.load` 会运行它引用的内容。"
    ),
    "it is read as a pickle": "按 pickle 读取",
    "{} has {} bytes behind the end of its pickle, which no loader reads": (
        "{0} 在 pickle 结尾之后还有 {1} 字节，加载器不会读取"
    ),
    "Left of a longer file that was written over, most likely; write to a new file.": (
        "很可能是覆盖更长的旧文件时留下的；请写到新文件。"
    ),
    "{} has no `{}`, but states that come after it: a name is damaged": (
        "{0} 没有 `{1}`，却有排在它之后的状态：有名称损坏"
    ),
}
