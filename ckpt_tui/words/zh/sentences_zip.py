"""What is wrong with an archive: sentences of `artifacts` about zip files."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "the zip directory": "zip 目录",
    "the zip directory at offset {} with {} bytes reaches past its end record at offset {}": (
        "偏移 {0} 处长 {1} 字节的 zip 目录越过了偏移 {2} 处的结束记录"
    ),
    "the zip directory names {} twice": "zip 目录里 {0} 出现两次",
    "the zip directory has {} entries, its end record says {}": (
        "zip 目录有 {0} 个条目，结束记录写的是 {1}"
    ),
    "a zip record's header": "zip 记录头",
    "no zip record begins at offset {} ({})": "偏移 {0} 处没有 zip 记录（{1}）",
    "the record {} reaches past the end of the file": "记录 {0} 越过文件末尾",
    "the record {}": "记录 {0}",
    "{} is encrypted or compressed in an unknown way": "{0:say} 以未知方式加密或压缩",
    "{} has {} bytes instead of {}": "{0:say} 有 {1} 字节，应为 {2}",
    "the record {} has another checksum than the {} of the zip directory": (
        "记录 {0} 的校验和与 zip 目录中的 {1} 不同"
    ),
    "the record {} does not decompress": "记录 {0} 无法解压",
    "no zip directory entry begins at offset {}": "偏移 {0} 处没有 zip 目录条目",
    "the zip directory entry at offset {} is cut": "偏移 {0} 处的 zip 目录条目被截断",
    "the zip directory entry at offset {} lacks its ZIP64 sizes": (
        "偏移 {0} 处的 zip 目录条目缺少 ZIP64 大小"
    ),
    "the zip directory entry at offset {} contradicts itself": "偏移 {0} 处的 zip 目录条目自相矛盾",
    "the name in the zip directory entry at offset {} is no UTF-8": (
        "偏移 {0} 处的 zip 目录条目中的名称不是 UTF-8"
    ),
    "the record {} at offset {} needs at least {} bytes, but only {} are there": (
        "偏移 {1} 处的记录 {0} 至少需要 {2} 字节，但只有 {3}"
    ),
    "the zip archive of {} bytes has no end record in its last {} bytes": (
        "{0} 字节的 zip 归档在最后 {1} 字节里没有结束记录"
    ),
    "its ZIP64 locator points to offset {}": "它的 ZIP64 定位记录指向偏移 {0}",
    "its ZIP64 end record at offset {} contradicts itself": "偏移 {0} 处的 ZIP64 结束记录自相矛盾",
    "its end record speaks of an archive of several disks": "它的结束记录表明是多盘归档",
}
