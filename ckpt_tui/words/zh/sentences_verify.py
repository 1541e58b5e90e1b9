"""What `verify` and `seal` find: sentences of `verify`, and why a seal is refused."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    # What protects a file
    "nothing": "无",
    "structure": "仅结构",
    "zip CRC-32": "zip CRC-32",
    "gzip CRC-32": "gzip CRC-32",
    "bzip2 CRC-32": "bzip2 CRC-32",
    "xz check": "xz 校验",
    "OCDBT CRC-32C": "OCDBT CRC-32C",
    "TensorBundle CRC-32C": "TensorBundle CRC-32C",
    "HDF5 checksums": "HDF5 校验和",
    "the lines": "各行",
    "zstd or index checksum": "zstd 或索引的校验和",
    "CRC-32 of {}": "CRC-32（{0:list}）",
    "the seal of {}": "{0} 的封存文件",
    # Where
    "bytes {} to {}": "字节 {0} 至 {1}",
    "item at bytes {} to {}": "字节 {0} 至 {1} 的项",
    "record {} at byte {}": "字节 {1} 处的记录 {0}",
    "chunk at byte {}": "字节 {0} 处的分块",
    "value {} at byte {}": "字节 {1} 处的值 {0}",
    "tree node at byte {}": "字节 {0} 处的树节点",
    "{}, with {} keys below it": "{0:say}，其下有 {1} 个键",
    # What is wrong
    "it has {} bytes, {} says {}": "它有 {0} 字节，{1:say} 写的是 {2}",
    "it is not there; {} lists it with {} bytes": "它不存在；{0:say} 写明它有 {1} 字节",
    "its bytes have the CRC-32 {}, {} says {}": "字节的 CRC-32 是 {0}，{1:say} 写的是 {2}",
    "its bytes have the CRC-32 {}, the zip directory says {}": (
        "字节的 CRC-32 是 {0}，zip 目录写的是 {1}"
    ),
    "they have the CRC-32C {}, the index says {}": "CRC-32C 是 {0}，索引写的是 {1}",
    "{}; the save was not committed": "{0:rest}；该次保存没有提交",
    "the zip archive before byte {} says that it begins at {}": (
        "到字节 {0} 为止的 zip 归档写明它从 {1} 开始"
    ),
    "the header of the record {} at offset {} is not what the zip directory says": (
        "偏移 {1} 处的记录 {0} 的头与 zip 目录所写不符"
    ),
    "{} cannot hold {} bytes in {}": "{0:say} 只占 {2} 字节，解压后不可能有 {1} 字节",
    "{} does not decompress": "{0:say} 无法解压",
    "{} has other than the {} bytes that it should have": "{0:say} 的长度不是应有的 {1} 字节",
    "the gzip member at byte {} does not decompress: {}": (
        "字节 {0} 处的 gzip 成员无法解压：{1:say}"
    ),
    "the gzip member at byte {} has no end": "字节 {0} 处的 gzip 成员没有结束",
    "the {} stream at byte {} has no end": "字节 {1} 处的 {0} 流没有结束",
    "the zstd frame of {} does not decompress: {}": "{0:say} 的 zstd 帧无法解压：{1:say}",
    "the zstd frame of {} has no end": "{0:say} 的 zstd 帧没有结束",
    "{} bytes follow the zstd frame of {}": "{1:say} 的 zstd 帧之后还有 {0} 字节",
    "the {} holds {} bytes or more, not {}": "{0:say} 含有至少 {1} 字节，应为 {2}",
    "the file ends at byte {}, {} bytes before it should": "文件在第 {0} 字节结束，缺 {1} 字节",
    "its parts overlap: they are more than {} times its size": (
        "它的各部分重叠：总长超过其大小的 {0} 倍"
    ),
    # What could not be checked, or not all of it
    "its chunks are compressed in a way that is not known here": "它的分块以这里未知的方式压缩",
    "the chunk at byte {} is too large, or its filter not known": (
        "字节 {0} 处的分块过大，或其过滤器未知"
    ),
    "it changed while it was read": "读取期间它有变化",
    "none of its files was found": "没有找到它的任何文件",
    "it is a link that leads out of the checkpoint and is not followed": (
        "它是指向检查点之外的链接，不跟随"
    ),
    "it is a link that leads out of the directory and is not followed": (
        "它是指向目录之外的链接，不跟随"
    ),
    "its bytes are not those of {}, and it was written after it: seal it again if that is right": (
        "它的字节与{0:say}不符，且写于其后：若无误，请重新封存"
    ),
    "it was written after {}, with the same bytes": "它写于{0:say}之后，字节相同",
    "its index cannot be read, or names nothing in it: no checksum is known": (
        "它的索引无法读取，或没有引用其中内容：没有已知的校验和"
    ),
    "its tensors could not be scanned for NaN: {}": "无法在其张量中查找 NaN：{0:rest}",
    "its writer stored no checksum for some of its records": "写入方没有为其中一些记录存储校验和",
    "no manifest that can be read refers to it: nothing in it is loaded": (
        "没有可读的清单引用它：其中内容不会被加载"
    ),
    "some of its items are compressed, which nothing protects": (
        "其中一些项经过压缩，没有校验和保护"
    ),
    "the check failed: {}: {}": "检查失败：{0}：{1:rest}",
    "{}: remembered results of verify cannot be used: {}; {}": (
        "{0}：无法使用记住的 verify 结果：{1:say}；{2:say}"
    ),
    "delete it, or switch it off with {}=0": "删除它，或用 {0}=0 关闭",
    # Seals
    "it is the seal of {}, which is not here": "它是 {0} 的封存文件，这里没有该检查点",
    "it may be the seal of {} or of {}: name one of them": (
        "它可能是 {0} 或 {1} 的封存文件：请只指定其中一个"
    ),
    "it is no seal of the form {}": "它不是 {0} 形式的封存文件",
    "it is a seal that lacks a field, or has a wrong one": "这个封存文件缺少字段，或有错误的字段",
    "there is no committed checkpoint": "没有已提交的检查点",
    "it is not committed: {}": "它未提交：{0:rest}",
    "there is no home directory: set XDG_STATE_HOME, or use --beside": (
        "没有主目录：请设置 XDG_STATE_HOME，或使用 --beside"
    ),
    "the seal cannot be written to {}: {}": "无法把封存文件写到 {0}：{1:say}",
    "it differs from {}: {}; --again replaces it": "它与{0:say}不符：{1}；--again 会替换它",
    "it is wrong already: {}: {}": "它已经有误：{0}：{1:rest}",
    "{} cannot be read: {}": "无法读取 {0}：{1:rest}",
    "it changed while it was read: seal it when nobody writes it any more": (
        "读取期间它有变化：等不再有人写它时再封存"
    ),
}
