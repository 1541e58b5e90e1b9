"""What the system and Python's decoder of JSON answer, as values of sentences."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "No such file or directory": "没有那个文件或目录",
    "Permission denied": "权限不够",
    "Operation not permitted": "不允许的操作",
    "Input/output error": "输入/输出错误",
    "Not a directory": "不是目录",
    "Is a directory": "是一个目录",
    "Too many levels of symbolic links": "符号链接层数过多",
    "File name too long": "文件名过长",
    "No space left on device": "设备上没有剩余空间",
    "Read-only file system": "只读文件系统",
    "Stale file handle": "过期的文件句柄",
    "Connection timed out": "连接超时",
    "Transport endpoint is not connected": "传输端点尚未连接",
    "Too many open files": "打开的文件过多",
    "File exists": "文件已存在",
    "Connection refused": "连接被拒绝",
    "No such device or address": "没有那个设备或地址",
    "Bad file descriptor": "错误的文件描述符",
    "Unterminated string starting at": "字符串没有结束",
    "Unterminated string starting": "字符串没有结束",
    "Expecting value": "此处应有值",
    "Expecting property name enclosed in double quotes": "此处应有双引号括起的属性名",
    "Expecting ',' delimiter": "此处应有分隔符 ','",
    "Expecting ':' delimiter": "此处应有分隔符 ':'",
    "Extra data": "有多余的数据",
    "Invalid control character at": "有无效的控制字符",
    "Invalid control character": "有无效的控制字符",
    "Invalid \\escape": "无效的 \\ 转义",
}
