"""What readers of the manifest, DCP, torchsnapshot and Megatron say."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "the manifest lists it as {}": "清单把它列为{0:say}",
    "a state": "一个状态",
    "the manifest": "清单",
    "{} has {} bytes, the manifest says {}": "{0} 有 {1} 字节，清单写的是 {2}",
    "{} belongs to checkpoint {}, not to {}": "{0} 属于检查点 {1}，不属于 {2}",
    "{} is listed, but the world size is {}": "清单列出了 {0:say}，但 world size 是 {1}",
    "Resume from another checkpoint: the manifest contradicts itself.": (
        "从另一个检查点恢复：清单自相矛盾。"
    ),
    "{} is listed with more than one shard": "{0:say} 列有不止一个分片",
    "no {} of {}, although other ranks saved theirs": "{1:say} 没有{0:say}，而其他 rank 都保存了",
    "Resume from another checkpoint: the manifest was committed without it.": (
        "从另一个检查点恢复：清单提交时就没有它。"
    ),
    "unsupported manifest schema {}, this version reads {}": "不支持清单格式 {0}，本版本读取 {1}",
    "field `schema` must be {}, is {}": "字段 `schema` 必须是 {0}，实际是 {1}",
    "{} must be an object": "{0:say} 必须是对象",
    "the document": "文档",
    "a text that is not empty": "非空文本",
    "true or false": "true 或 false",
    "a whole number of at least {}": "不小于 {0} 的整数",
    "{} is {}, more than the limit of {}": "{0:say}是 {1}，超过上限 {2}",
    "field `{}`": "字段 `{0}`",
    "field `{}` of {}": "{1} 的字段 `{0}`",
    "a number of MiB": "以 MiB 计的数",
    "a time such as 2026-01-01T00:00:00Z": "形如 2026-01-01T00:00:00Z 的时间",
    "8 hexadecimal digits": "8 位十六进制数",
    "an array": "数组",
    "{} must be {}, is {}": "{0:say}必须是{1:say}，实际是 {2}",
    "{} must be {}, is missing": "{0:say}必须是{1:say}，但它缺失",
    "`manifest.json` is renamed into place after every file it lists was flushed": (
        "列出的文件全部落盘之后，`manifest.json` 才重命名到位"
    ),
    "it lists what belongs to the checkpoint": "它列出属于检查点的文件",
    "`committed: true` in {}": "{0} 里的 `committed: true`",
    "the names of the shards": "分片的名称",
    "role `{}` in {}": "{1} 里的角色 `{0}`",
    "as the manifest says": "如清单所写",
    " (the manifest has CRC-32 sums of {})": "（清单有 {0:say} 的 CRC-32 校验和）",
    "the bytes of the shards{}": "分片的字节{0:say}",
    "{} of {} stored items": "{1} 个存储项中的 {0} 个",
    "`{}` has no place in any file": "`{0}` 不在任何文件里",
    "it is the index of all data": "它是全部数据的索引",
    "not every piece of it has a place in a file": "并非它的每一块都在文件里",
    "shards of it are absent": "缺少它的分片",
    "has no entry for it": "没有它的条目",
    " (and {} more keys)": "（另有 {0} 个键）",
    "{} names `{}`, but {}": "{0} 引用了 `{1}`，但{2:say}",
    "Resume from another checkpoint: the save left out what it should hold.": (
        "从另一个检查点恢复：保存时漏掉了应有的内容。"
    ),
    "names every stored item": "列出每个存储项",
    "the names of files in `{}`": "`{0}` 里的文件名",
    "`{}` places {} in it": "`{0}` 把 {1:say} 放在其中",
    "written {} before the rest: of an earlier save": "比其余早 {0} 写入：来自更早的保存",
    "nothing refers to it": "没有被引用",
    "item `{}` at offset {}: {}": "偏移 {1} 处的项 `{0}`：{2:say}",
    "it holds no tensor": "它不含张量",
    "its shape {} at {} does not fit the whole shape {}": (
        "它在 {1} 处的形状 {0} 与整体形状 {2} 不符"
    ),
    "the pieces of `{}` have {} of {} elements": "`{0}` 的各块只有 {2} 个元素中的 {1} 个",
    "{} such as `{}` in {}": "{0:say}，如 {2:say} 里的 `{1}`",
    ", no state tensor (saved before the first step, or plain SGD)": (
        "，不含状态张量（在第一步之前保存，或是不带动量的 SGD）"
    ),
    ", stored once for {} ranks": "，为 {0} 个 rank 只存一份",
    "the optimizer's step": "优化器的步数",
    "its parameters were trained for a shorter time": "其参数训练的时间较短",
    "the names of the data files": "数据文件的名称",
    "`{}` is written after all consolidated files (HuggingFaceStorageWriter)": (
        "所有合并文件写完之后才写 `{0}`（HuggingFaceStorageWriter）"
    ),
    "no commit rule: the headers and sizes of the files decide (HuggingFaceStorageWriter)": (
        "没有提交规则：由各文件的文件头和大小决定（HuggingFaceStorageWriter）"
    ),
    "its siblings say that there are {} parts": "从同组文件看应有 {0} 个部分",
    "pieces of {} tensors are absent, such as of {}: {} of {} elements": (
        "缺少 {0} 个张量的部分内容，例如 {1}：只有 {3} 个元素中的 {2} 个"
    ),
    "Copy the ranks' files back, or use another checkpoint.": (
        "把各 rank 的文件复制回来，或换一个检查点。"
    ),
    "`.metadata` is renamed into place after every rank's data (torch DCP)": (
        "每个 rank 的数据写完之后，`.metadata` 才重命名到位（torch DCP）"
    ),
    "{} keys, {} of {} stored items read": "{0} 个键，读取了 {2} 个存储项中的 {1} 个",
    "data is younger than `.metadata`: a save over this checkpoint never finished": (
        "数据比 `.metadata` 新：有一次覆盖保存没有完成"
    ),
    "{}: {} are needed, as at the save": "{0:say}：需要 {1:say}，与保存时相同",
    "natively: all of it is replicated or sharded": "原生支持：全部内容都是复制或分片的",
    "{} is stored for each rank alone, so a rank beyond {} has none": (
        "{0} 按 rank 单独保存，所以超出 {1:say} 的 rank 没有"
    ),
    "natively, by fewer ranks only: {}": "原生支持，但只能用更少的 rank：{0:say}",
    (
        "{} is sharded and lies deep in its state: torchsnapshot {}, which wrote it, refuses to "
        "restore it beside other states"
    ): ("{0} 是分片的，且在其状态的深层：写入它的 torchsnapshot {1} 拒绝把它与其他状态一起恢复"),
    "Restore that state alone, or try a later torchsnapshot.": (
        "单独恢复那个状态，或试用更新的 torchsnapshot。"
    ),
    "each rank keeps tensors that no other has": "每个 rank 都有别的 rank 没有的张量",
    "sharded tensors lie deep in their state, and not every rank has a part of each": (
        "分片张量在其状态的深层，并非每个 rank 都有每个张量的一部分"
    ),
    "{} has no such entry, but others that need it": "{0} 没有这个条目，但有需要它的其他条目",
    "it is cut: {}": "它被截断：{0:say}",
    "it holds nothing but zero bytes": "全是零字节",
    "it ends in the middle of a line": "在一行中间结束",
    "it is YAML text as torchsnapshot before 0.1 wrote it: its entries were not read": (
        "它是 torchsnapshot 0.1 之前写的 YAML 文本：未读取其条目"
    ),
    "it has no manifest": "它没有 manifest",
    "it has no version": "它没有 version",
    "its world_size is no positive number": "它的 world_size 不是正数",
    "it speaks of {} ranks, more than {}": "它写明 {0} 个 rank，多于 {1}",
    "entry {} is of no rank below {}": "条目 {0} 不属于 {1} 以下的 rank",
    "entry {} has no type": "条目 {0} 没有类型",
    "entry {} of type {} cannot be read": "类型 {1} 的条目 {0} 无法读取",
    "`{}` is written last, in place, after every rank's data (torchsnapshot)": (
        "每个 rank 的数据之后，最后原地写入 `{0}`（torchsnapshot）"
    ),
    "the rest of {}": "{0} 的其余内容",
    "its content: {} alone says what belongs to it": "它的内容：只有 {0} 写明什么属于它",
    "{} has entries of a type that is not known here ({}): version {} wrote it": (
        "{0} 有这里不认识的类型的条目（{1}）：由版本 {2} 写入"
    ),
    "{} archives of single objects": "{0} 个单对象归档",
    "key `{}` in {}: an ordered dictionary of tensors": "{1} 里的 `{0}` 键：张量的有序字典",
    "{} places {} items in it": "{0} 把 {1} 项放在其中",
    "bytes {} to {} of it": "它的第 {0} 到 {1} 字节",
    "all of its {} bytes": "它的全部 {0} 字节",
    "{}: {} gives {} to a tensor of {} bytes": "{0}：{1} 把{2:say}给了一个 {3} 字节的张量",
}
