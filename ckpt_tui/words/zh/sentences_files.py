"""What is wrong with a single file: sentences of `artifacts`."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "the item {} is of type {}, its metadata says {}": "项 {0} 的类型是 {1}，其元数据写的是 {2}",
    "the item {} is stored transformed (compressed), which is not supported": (
        "项 {0} 以变换（压缩）形式存储，不支持"
    ),
    "expected {}, found {}": "应为 {0}，实为 {1}",
    "state_dict_metadata is no dictionary": "state_dict_metadata 不是字典",
    "state_dict_metadata has an entry of an unknown form": "state_dict_metadata 有未知形式的条目",
    "storage_data is no dictionary": "storage_data 不是字典",
    "storage_data has an item of an unknown form": "storage_data 有未知形式的项",
    "storage_data has an item without a key or a file": "storage_data 有缺少键或文件的项",
    "the key {} does not fit its path {}": "键 {0} 与其路径 {1} 不符",
    "entry {} is of the unknown class {}": "条目 {0} 属于未知的类 {1}",
    "tensor {} has no shape or no chunks": "张量 {0} 没有形状或分块",
    "tensor {} has a piece without offsets or sizes": "张量 {0} 有缺少偏移或大小的块",
    "tensor {} has a piece of other dimensions": "张量 {0} 有维数不同的块",
    "nothing is stored of {} at offset {}": "{0} 在偏移 {1} 处没有存储内容",
    "the item of {} has no offset or length in {}": "{0} 的项在 {1} 中没有偏移或长度",
    "unsupported .metadata: {}": "不支持的 .metadata：{0:say}",
    "<stub {}>": "<stub {0}>",
    "<instance of {}>": "<{0} 的实例>",
    "the JSON document": "JSON 文档",
    "the text": "文本",
    "it is no UTF-8 text at byte {}": "在第 {0} 字节处不是 UTF-8 文本",
    "it is no whole JSON document: {} at line {}, column {}": (
        "不是完整的 JSON 文档：第 {1} 行第 {2} 列，{0:say}"
    ),
    "it holds a number of more digits than can be read": "其中有位数多到无法读取的数",
    "it is nested too deeply or needs too much memory": "嵌套太深或需要太多内存",
    "it has more than {} arrays and objects": "数组和对象超过 {0} 个",
    "it is nested deeper than {} levels at character {}": "在第 {1} 个字符处嵌套超过 {0} 层",
    "reading it takes more than the limit of {} s of CPU time": "读取它超过 {0} s CPU 时间的上限",
    "{} has {} bytes, more than the limit of {}": "{0:say} 有 {1} 字节，超过上限 {2}",
    "the pickle builds a {} from arguments that it cannot have": "pickle 用不可能的参数构造 {0}",
    "the pickle copies more than its own size can need": "pickle 复制的内容超出其自身大小所需",
    "the pickle sets a key without a value": "pickle 设置了没有值的键",
    "the pickle uses a {} as a key": "pickle 把 {0} 用作键",
    "the pickle uses a key of more than {} parts or {} levels": (
        "pickle 使用了超过 {0} 个部分或 {1} 层的键"
    ),
    "the pickle has more than {} opcodes": "pickle 的操作码超过 {0} 个",
    "opcode 0x{} at offset {} is not supported": "不支持偏移 {1} 处的操作码 0x{0}",
    "the integer at offset {} has {} bytes, more than {}": "偏移 {0} 处的整数有 {1} 字节，多于 {2}",
    "the number at offset {} has more than {} digits": "偏移 {0} 处的数超过 {1} 位",
    "the memo index at offset {} is no number": "偏移 {0} 处的 memo 索引不是数",
    "memo index {} at offset {} is larger than the number of objects before it can be": (
        "偏移 {1} 处的 memo 索引 {0} 大于此前可能的对象数"
    ),
    "the pickle ends at byte {} without its STOP opcode": (
        "pickle 在第 {0} 字节处结束，没有 STOP 操作码"
    ),
    "the pickle": "pickle",
    "the pickle needs more memory than there is": "pickle 需要的内存超出可用量",
    "the pickle cannot be built: {}": "无法构造 pickle：{0}",
    "the pickle names more than {} globals, or one that is longer than {} characters": (
        "pickle 引用了超过 {0} 个全局名，或有一个超过 {1} 个字符"
    ),
    "the pickle calls without arguments": "pickle 的调用没有参数",
    "the pickle calls with odd keywords": "pickle 的调用带有异常的关键字",
    "the pickle calls nothing": "pickle 的调用没有对象",
    "the pickle sets items of a {}": "pickle 对 {0} 设置项",
    "the pickle adds elements to a {}": "pickle 向 {0} 添加元素",
    "the pickle refers to data outside of it (a persistent ID)": (
        "pickle 引用了其外部的数据（persistent ID）"
    ),
    "the header's length": "文件头的长度",
    "the header should have {} bytes, but the file has only {}": (
        "文件头应有 {0} 字节，但文件只有 {1}"
    ),
    "the header": "文件头",
    "the header is no JSON object": "文件头不是 JSON 对象",
    "__metadata__ is not an object of texts": "__metadata__ 不是由文本组成的对象",
    "the entry of tensor {} is no JSON object": "张量 {0} 的条目不是 JSON 对象",
    "tensor {} has an unknown data type": "张量 {0} 的数据类型未知",
    "tensor {} has a shape or offsets that are no sizes": "张量 {0} 的形状或偏移不是有效的大小",
    "tensor {} of type {} and shape {} needs {} bytes, but its offsets span {}": (
        "类型 {1}、形状 {2} 的张量 {0} 需要 {3} 字节，但其偏移范围是 {4}"
    ),
    "tensor {} begins at data offset {}, but the one before it ends at {}": (
        "张量 {0} 从数据偏移 {1} 开始，但前一个在 {2} 结束"
    ),
    "the file has {} of the {} bytes that its header asks for": (
        "文件只有其文件头所需 {1} 字节中的 {0} 字节"
    ),
    "the file has {} bytes, {} more than the {} that its header asks for": (
        "文件有 {0} 字节，比其文件头所需的 {2} 多 {1}"
    ),
    "it is {}": "它是{0:say}",
    "a part at offset {} with {} bytes cannot be": "不可能有偏移 {0}、长 {1} 字节的部分",
    "the part at offset {} needs {} bytes, but the file has only {}": (
        "偏移 {0} 处的部分需要 {1} 字节，但文件只有 {2}"
    ),
    "{} at offset {} needs {} bytes, but only {} are there": (
        "{0:say}（偏移 {1}）需要 {2:known} 字节，但只有 {3}"
    ),
    "the file is empty (0 bytes)": "文件为空（0 字节）",
    "permission to read the file is denied": "没有读取该文件的权限",
    "it is a symbolic link, which is not followed": "它是符号链接，不跟随",
    "the file cannot be read: {}": "文件无法读取：{0:say}",
    "a directory, not a file": "目录，不是文件",
    "a named pipe, not a regular file": "命名管道，不是普通文件",
    "a device or socket, not a regular file": "设备或套接字，不是普通文件",
    "the file ends after its first {} bytes": "文件在前 {0} 字节之后就结束",
    "it is no torch file: it begins with {}, neither a zip record nor torch's magic number": (
        "它不是 torch 文件：开头是 {0}，既不是 zip 记录也不是 torch 的魔数"
    ),
    "it is compressed with {}, which its job undoes before torch.load: it was not read": (
        "它用 {0} 压缩过，作业会先解压再 torch.load：未读取"
    ),
    "it is an archive of {}, which torch.load does not open: it was not read": (
        "它是 {0} 的归档，torch.load 不会打开它：未读取"
    ),
    (
        "it has untyped storages (of float8, unsigned or complex32 tensors), which torch.load"
        " cannot take from the form without a zip"
    ): "它有无类型存储（float8、无符号或 complex32 张量），torch.load 无法从无 zip 的形式读出",
    "a tensor's element": "张量的元素",
    "the record data/{}, which data.pkl refers to, is missing": "缺少 data.pkl 引用的记录 data/{0}",
    "the record data/{} has {} bytes, but data.pkl says {}": (
        "记录 data/{0} 有 {1} 字节，但 data.pkl 写的是 {2}"
    ),
    "the pickled part": "pickle 部分",
    "the pickled part has more than {} bytes": "pickle 部分超过 {0} 字节",
    "after torch's magic number there is no protocol {}": "torch 魔数之后不是协议 {0}",
    "the list of storages is not the one that the pickle refers to": (
        "存储列表与 pickle 引用的不一致"
    ),
    "the length of storage {}": "存储 {0} 的长度",
    "storage {} at offset {} has {} elements, but the pickle says {} bytes": (
        "偏移 {1} 处的存储 {0} 有 {2} 个元素，但 pickle 写的是 {3} 字节"
    ),
    "storage {} ends at byte {}, but the file has only {}": (
        "存储 {0} 在第 {1} 字节结束，但文件只有 {2}"
    ),
    "it is no torch file: the zip archive has no single root directory with data.pkl": (
        "它不是 torch 文件：zip 归档没有含 data.pkl 的唯一根目录"
    ),
    "the record {} has no value that torch knows": "记录 {0} 没有 torch 认识的值",
    "it is no torch file: no record tells its version": "它不是 torch 文件：没有记录写明版本",
    "the record {} is encrypted or compressed in an unknown way": "记录 {0} 以未知方式加密或压缩",
    "the record {} is no text": "记录 {0} 不是文本",
    "a persistent ID that is no storage": "不是存储的 persistent ID",
    "a storage of the unknown type {}": "未知类型 {0} 的存储",
    "storage {} with both {} and {} bytes": "存储 {0} 既是 {1} 又是 {2} 字节",
    "a tensor without a storage": "没有存储的张量",
    "a tensor without a storage or data type": "没有存储或数据类型的张量",
    "a tensor without a data type": "没有数据类型的张量",
    "a parameter without a tensor": "没有张量的参数",
    "a tensor subclass of an unknown form": "未知形式的张量子类",
    "a tensor of {} dimensions with {} strides": "{0} 维而有 {1} 个步幅的张量",
    "a tensor of {} elements": "{0} 个元素的张量",
    "a tensor that needs {} bytes of storage {}, which has {}": (
        "需要存储 {1} 的 {0} 字节的张量，而它只有 {2}"
    ),
    "the unknown data type {}": "未知数据类型 {0}",
    "a shape that is no short tuple": "不是短元组的形状",
    "a size that is no number from 0 to 2^63": "不是 0 到 2^63 之间的数的大小",
    "the pickle describes {}": "pickle 描述了{0:say}",
}
