"""What is wrong with stored arrays and their containers: sentences of `artifacts`."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    # Sorted tables, and bundles of tensors in them
    "sorted table: {}": "有序表：{0:say}",
    "the table": "表",
    "the footer": "文件尾",
    "the file has {} bytes, fewer than the {} of a table's footer": (
        "文件有 {0} 字节，少于表的文件尾所需的 {1}"
    ),
    "the file's last {} bytes are no footer of a table: it was cut, or it is no table": (
        "文件最后 {0} 字节不是表的文件尾：文件被截断，或不是表"
    ),
    "the keys together": "全部键",
    "key {} does not follow the one before it": "键 {0} 没有排在前一个键之后",
    "a key has {} bytes: no name of a tensor is that long": ("有键长 {0} 字节：没有这么长的张量名"),
    "an entry reaches out of its block": "有条目越出所在的块",
    "the {} block": "{0} 块",
    "the {} block at offset {} has another CRC-32C than is stored after it": (
        "偏移 {1} 处的 {0} 块的 CRC-32C 与其后存储的不同"
    ),
    "a block at offset {} of {} bytes reaches into the footer": (
        "偏移 {0} 处长 {1} 字节的块伸入了文件尾"
    ),
    "a block has no room for its restart points": "有块放不下其重启点",
    "a block of {} bytes cannot have {} restart points": "{0} 字节的块不可能有 {1} 个重启点",
    "a block is compressed in an unknown way ({})": "有块以未知方式压缩（{0}）",
    "its blocks are compressed with Snappy": "它的块用 Snappy 压缩",
    "a data block at offset {} overlaps the one before it": "偏移 {0} 处的数据块与前一块重叠",
    "tensor bundle: {}": "TensorBundle：{0:say}",
    "the header, under an empty key, is missing": "缺少空键下的文件头",
    "it asks for a reader of bundle version {}; {} is known here": (
        "它要求能读 bundle 版本 {0} 的读取器；本版本支持到 {1}"
    ),
    "it counts {} data files: that cannot be": "它写明有 {0} 个数据文件：不可能",
    "a tensor has a shape of unknown rank": "有张量的维数未知",
    "a tensor has a shape that cannot be": "有张量的形状不可能成立",
    "tensor {} has data type {}, which is not known here": "张量 {0} 的数据类型 {1} 未知",
    "tensor {} cannot have {} bytes at offset {} of data file {} of {}": (
        "张量 {0} 不可能在第 {3}/{4} 个数据文件的偏移 {2} 处有 {1} 字节"
    ),
    "tensor {} of type {} and shape {} needs {} bytes, but its entry counts {}": (
        "类型 {1}、形状 {2} 的张量 {0} 需要 {3} 字节，但其条目写的是 {4}"
    ),
    "tensor {}: {}": "张量 {0}：{1:say}",
    "tensor {} has another CRC-32C than is stored inside it": (
        "张量 {0} 的 CRC-32C 与其中存储的不同"
    ),
    "a tensor's bytes": "张量的字节",
    "a length": "长度",
    "the lengths of {}": "{0} 的长度",
    "the checksum of lengths": "长度的校验和",
    "a string of {}": "{0} 的字符串",
    "{} strings cannot have {} bytes": "{0} 个字符串不可能共有 {1} 字节",
    "its strings' lengths are not those of its bytes": "各字符串的长度与其字节数不符",
    "an element's checksum": "元素的校验和",
    "an element reaches out of it": "有元素越出它的范围",
    "it ends before its last element": "在最后一个元素之前就结束",
    # OCDBT
    "its OCDBT structure: {}": "OCDBT 结构：{0:say}",
    "a tree node": "树节点",
    "a tree node has the height {} instead of {}": "有树节点的高度是 {0}，应为 {1}",
    "a node without any entry": "有节点不含任何条目",
    "it has more than {}": "它有超过 {0:say}",
    "{} bytes of tree nodes": "{0} 字节的树节点",
    "{} bytes of names": "{0} 字节的名称",
    "{} tree nodes": "{0} 个树节点",
    "{} keys": "{0} 个键",
    "it holds the settings only, and no numbered manifest lies beside it": (
        "其中只有设置，旁边没有带编号的清单"
    ),
    "it lists {} versions": "它列出 {0} 个版本",
    "it refers to file {} of {}": "它引用第 {0} 个文件，而总共只有 {1} 个",
    "a path of {} bytes, more than any file system allows": (
        "有路径长 {0} 字节，超过任何文件系统允许的长度"
    ),
    "a table in it has more than the limit of {} entries": "其中有表超过上限 {0} 项",
    "a base path is longer than its path": "有基路径比所在的路径还长",
    "a name shares more with the one before than that has": (
        "有名称与前一个共用的部分超过前一个的长度"
    ),
    "the names in it take more than the limit of {} bytes": "其中的名称超过上限 {0} 字节",
    "a number does not end": "有数没有结束",
    "a number has more than 64 bits": "有数超过 64 位",
    "{} bytes are wanted where only {} are left": "需要 {0} 字节，但只剩 {1}",
    "{} numbers are wanted where only {} bytes are left": "需要 {0} 个数，但只剩 {1} 字节",
    "{} does not begin with the number {}": "{0:say} 的开头不是 {1}",
    "{} has the CRC-32C {}, not {} as it says": "{0:say} 的 CRC-32C 是 {1}，其中写的是 {2}",
    "{} has {} bytes, fewer than any that is whole": "{0:say} 只有 {1} 字节，不可能完整",
    "{} is empty (0 bytes)": "{0:say} 为空（0 字节）",
    "{} is of version {} with compression {}, both unknown": (
        "{0:say} 的版本 {1} 或压缩方式 {2} 未知"
    ),
    "{} says {} bytes, but has {}": "{0:say} 写明 {1} 字节，但有 {2}",
    # zarr
    "it is of zarr version {}": "它的 zarr 版本是 {0}",
    "its `{}` is no list of lengths": "它的 `{0}` 不是长度列表",
    "its chunk grid is {}": "它的 chunk_grid 是 {0}",
    "its key encoding is {}": "它的键编码是 {0}",
    "its shapes differ in their dimensions": "它的各形状维数不同",
    "its shapes have more elements than can be": "它的各形状的元素多得不可能",
    "a checksum": "校验和",
    "a chunk": "分块",
    "a chunk of {} bytes has {}": "应有 {0} 字节的分块有 {1} 字节",
    "the chunk is empty (0 bytes)": "分块为空（0 字节）",
    "a shard of {} bytes is too short for its index": "{0} 字节的 shard 放不下其索引",
    "the index of a shard": "shard 的索引",
    "its index takes more than {} bytes": "它的索引超过 {0} 字节",
    "the index at its end has another CRC-32C than it says: it is cut or damaged": (
        "末尾索引的 CRC-32C 与其中写的不同：它被截断或已损坏"
    ),
    "an inner chunk ends at byte {}, after the data's end": (
        "有内部分块在第 {0} 字节结束，超出数据末尾"
    ),
    # zstd, gzip and others
    "it is no zstd frame": "它不是 zstd 帧",
    "its zstd frame needs {} bytes, but only {} are there": "它的 zstd 帧需要 {0} 字节，但只有 {1}",
    "a zstd header": "zstd 帧头",
    "a zstd block": "zstd 块",
    "a zstd block of no type": "有 zstd 块的类型无效",
    "a zstd frame of too many blocks": "zstd 帧的块过多",
    "a zstd frame ends before its end": "zstd 帧不完整",
    "a zstd frame holds more than the limit of {} bytes": "zstd 帧的内容超过上限 {0} 字节",
    "a zstd frame is damaged: {}": "zstd 帧已损坏：{0:say}",
    "it holds more than the limit of {} bytes, compressed": "解压后的内容超过上限 {0} 字节",
    "the {} data is damaged: {}": "{0} 数据已损坏：{1:say}",
    "the {} data ends before its first block does": "{0} 数据在第一个块结束之前就中断了",
    "this Python lacks what decompresses {}: it was not read": (
        "当前 Python 缺少解压 {0} 的模块：未读取该文件"
    ),
    "decompressing it takes more memory than may be used": "解压它所需的内存超过上限",
    # msgpack
    "{} (at offset {})": "{0:say}（偏移 {1} 处）",
    "the file ends before its {} bytes": "文件不到 {0} 字节就结束",
    "{} bytes are needed, but only {} are left": "需要 {0} 字节，但只剩 {1}",
    "0x{} begins no msgpack value": "0x{0} 不是 msgpack 值的开头",
    "a list, map or array is no key": "列表、映射或数组不能作键",
    "a text is no UTF-8": "有文本不是 UTF-8",
    "a time has no such seconds": "有时间值的秒数无效",
    "an extension is shorter than what is in it: {}": "有扩展比其内容还短：{0:say}",
    "extension {} is reserved": "扩展 {0} 是保留的",
    "it has more than {} values": "它有超过 {0} 个值",
    "it holds more text than may be read": "其中的文本超过可读取的量",
    "its value ends at byte {}, but {} bytes follow": "值在第 {0} 字节结束，但其后还有 {1} 字节",
    "more than {} values are nested": "嵌套的值超过 {0} 层",
    "{} values are to follow, but only {} bytes are left": "其后应有 {0} 个值，但只剩 {1} 字节",
    "a complex number is no pair": "有复数不是一对值",
    "a complex number is no pair of numbers": "有复数不是一对数",
    "an array has no bytes": "有数组没有字节",
    "an array has no dtype": "有数组没有 dtype",
    "an array has {} bytes, no multiple of {}": "有数组长 {0} 字节，不是 {1} 的倍数",
    "an array in chunks lacks its shape or a chunk": "有分块数组缺少形状或分块",
    "an array is no list of shape, dtype and bytes": "有数组不是由 shape、dtype 和字节组成的列表",
    "an array is of dtype {}, which numpy cannot load by that name": (
        "有数组的 dtype 是 {0}，numpy 无法按此名称加载"
    ),
    "an array of shape {} and dtype {} has {} bytes": "形状 {0}、dtype {1} 的数组有 {2} 字节，不符",
    "an array's shape holds something that is no length": "有数组的形状含有不是长度的值",
    "an array's shape is no short list of lengths": "有数组的形状不是短的长度列表",
    "the chunks of an array hold {} elements, which its shape does not": (
        "有数组的各分块共有 {0} 个元素，与其形状不符"
    ),
    "{} bytes follow an array's bytes": "数组的字节之后还有 {0} 字节",
    # numpy files
    "it does not begin as an array of numpy does": "它的开头不是 numpy 数组",
    "its elements need {} bytes, but only {} are there": "它的元素需要 {0} 字节，但只有 {1}",
    "the array is of the dtype {}, which numpy has not": "数组的 dtype 是 {0}，numpy 没有",
    "the array is of version {}, which numpy does not know": "数组的版本是 {0}，numpy 不认识",
    "the array's magic": "数组的魔数",
    "the length of the header": "文件头的长度",
    "the header needs {} bytes, but only {} are there": "文件头需要 {0} 字节，但只有 {1}",
    "the header of the array has no shape that can be": "数组文件头中的形状不可能成立",
    "the header of the array is no dictionary of descr, fortran_order, shape": (
        "数组文件头不是含 descr、fortran_order、shape 的字典"
    ),
    "the header of {} bytes is longer than the {} that numpy reads": (
        "文件头有 {0} 字节，超过 numpy 读取的上限 {1}"
    ),
    "a member": "成员",
    "a member's header": "成员的文件头",
    "the member {}: {}": "成员 {0}：{1:say}",
    "the member {} does not decompress": "成员 {0} 无法解压",
    "the member {} has another checksum than the archive says": "成员 {0} 的校验和与归档所写不同",
    "the member {} has another name in its own header, or is encrypted": (
        "成员 {0} 在自己的文件头中是另一个名称，或已加密"
    ),
    "the member {} is compressed in an unknown way": "成员 {0} 以未知方式压缩",
    "the member {} is no array": "成员 {0} 不是数组",
    # GGUF
    "it does not begin with GGUF": "它的开头不是 GGUF",
    "it is of version {}, of which nothing is known": "它的版本是 {0}，未知",
    "its alignment is {}": "它的对齐值是 {0}",
    "a list is of the unknown type {}": "有列表属于未知类型 {0}",
    "a name has {} bytes": "有名称长 {0} 字节",
    "a name is no UTF-8": "有名称不是 UTF-8",
    "a value is of the unknown type {}": "有值属于未知类型 {0}",
    "key {} is there twice": "键 {0} 出现两次",
    "tensor {} has rows that are no multiple of {}": "张量 {0} 的行长不是 {1} 的倍数",
    "tensor {} has {} dimensions": "张量 {0} 有 {1} 维",
    "tensor {} is of type {}, which is not known": "张量 {0} 的类型 {1} 未知",
    "tensor {} is there twice, or not aligned": "张量 {0} 重复，或没有对齐",
    "tensor {} reaches to byte {}, but the file has only {}": (
        "张量 {0} 延伸到第 {1} 字节，但文件只有 {2}"
    ),
    # Pickles with arrays in them
    "an array of the shape {} and the type {} needs {} bytes, but has {}": (
        "形状 {0}、类型 {1} 的数组需要 {2} 字节，但有 {3}"
    ),
    "the file holds more than {} pickles": "文件含有超过 {0} 个 pickle",
    "the pickle builds an array of no class": "pickle 构造的数组没有类",
    "the pickle describes an array in the unknown version {}": "pickle 以未知版本 {0} 描述数组",
    "the pickle describes an array of the unknown type {}": "pickle 描述了未知类型 {0} 的数组",
    "the pickle describes an array without a shape": "pickle 描述的数组没有形状",
    "the pickle describes an array without its bytes": "pickle 描述的数组没有字节",
    "the line at offset {} has more than {} bytes": "偏移 {0} 处的行超过 {1} 字节",
    "the number at offset {} has {} bytes": "偏移 {0} 处的数有 {1} 字节",
    "the pickle holds more than {} arrays": "pickle 含有超过 {0} 个数组",
    "the pickle refers to data outside of it at offset {}": (
        "pickle 在偏移 {0} 处引用了其外部的数据"
    ),
    "the pickle without its arrays has more than the limit of {} bytes": (
        "pickle 除去数组仍超过上限 {0} 字节"
    ),
    # Protocol buffers
    "protocol buffer: {}": "protobuf：{0:say}",
    "a field has number 0": "有字段的编号是 0",
    "a number ends before its last byte": "有数在最后一个字节之前中断",
    "a number has more than ten bytes": "有数超过 10 字节",
    "field {} has type {}, which no message of this kind has": (
        "字段 {0} 的类型是 {1}，这种消息没有此类型"
    ),
    "field {} needs {} bytes, but {} are left": "字段 {0} 需要 {1} 字节，但只剩 {2}",
    "the field at offset {} has no known type": "偏移 {0} 处的字段类型未知",
    "the field at offset {} needs {} bytes, but only {} follow": (
        "偏移 {0} 处的字段需要 {1} 字节，但其后只有 {2}"
    ),
}
