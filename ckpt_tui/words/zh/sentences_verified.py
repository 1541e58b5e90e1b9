"""What verified bytes mean for a checkpoint and its run: sentences of `core`."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "bytes of {} are not those that were written": "{0} 的字节与写入时不同",
    "{}, the resume point so far, has wrong bytes: {}": ("{0}（此前的恢复点）的字节有误：{1:rest}"),
    "{} has wrong bytes: {}": "{0} 的字节有误：{1:rest}",
    (
        "Resume from another checkpoint, or copy the file back from where it is whole: as soon as "
        "it changes, this no longer counts."
    ): ("从另一个检查点恢复，或从完好处把文件复制回来：文件一有变化，这一结论即失效。"),
    "No state is known to be in it: look whether anything needs it.": (
        "据所知其中没有任何状态：请查看是否有什么需要它。"
    ),
    "the bytes of ": "字节：",
    "bytes are wrong in {}, too": "{0:say}的字节也有误",
    "{}: wrong bytes, verified {}: {}": "{0}：字节有误（校验于 {1}）：{2:rest}",
    "{}: {}; verified {}": "{0:say}：{1:rest}；校验于 {2}",
    "{}; bytes are wrong at {} of it, too": "{0:rest}；{1:say}的字节也有误",
    "wrong bytes of tensor {} at {}: {}": "张量 {0:code} 在 {1:say} 处字节有误：{2:say}",
    "wrong bytes of tensor {}: {}": "张量 {0:code} 的字节有误：{1:say}",
    "wrong bytes at {}: {}": "{0:say} 处字节有误：{1:say}",
    "wrong bytes: {}": "字节有误：{0:say}",
    "tensor {} holds {}": "张量 {0:code} 含有 {1:say}",
    "{}, and there are such values in {}": "{0:say}，{1:say}里也有这样的值",
    "not all values are finite: {}; verified {}": "并非所有值都有限：{0:rest}；校验于 {1}",
    (
        "If the loss is NaN by now, resume from a checkpoint whose values are finite: ckpt-tui "
        "verify --finite says which are."
    ): (
        "如果 loss 已是 NaN，请从所有值都有限的检查点恢复：用 ckpt-tui verify --finite 查明是哪些。"
    ),
    "YES, it loads, but it holds NaN or infinity ({})": (
        "可以加载，但含有 NaN 或无穷值（{0:say}）"
    ),
    "{} NaN and {} infinite values": "{0:known} 个 NaN 和 {1:known} 个无穷值",
    "{} NaN": "{0:known} 个 NaN",
    "bytes verified {}: {} of {}, wrong in {}": ("字节校验于 {0}：{1}/{2:say}，其中 {3:say}有误"),
    "bytes verified {}: {} of {}, no checksum protects any": (
        "字节校验于 {0}：{1}/{2:say}，都没有校验和保护"
    ),
    "bytes verified {}: {} of {}, checksums of {} of {} are right": (
        "字节校验于 {0}：{1}/{2:say}，{4} 中有 {3} 的校验和正确"
    ),
    "the bytes of {} of {}": "{1:say}中 {0} 个的字节",
    "{} of {}, which are protected by nothing": "{1} 中的 {0}，没有任何校验和保护",
    "{} holds NaN or infinity, and no checkpoint is known to be finite": (
        "{0} 含有 NaN 或无穷值，而且还不知道哪个检查点的值全部有限"
    ),
    "Find one: ckpt-tui verify --finite, on the older ones.": (
        "先找出一个：对更早的检查点运行 ckpt-tui verify --finite。"
    ),
    "{} holds NaN or infinity; the newest found finite is {}": (
        "{0} 含有 NaN 或无穷值；已确认值全部有限的最新检查点是 {1}"
    ),
    "If the loss is NaN by now, resume from {}": "如果 loss 已是 NaN，请从 {0} 恢复",
}
