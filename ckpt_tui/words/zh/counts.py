"""Things that are counted: a noun of `plural`, and the same with its number."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "alarm": "{} 个告警",
    "file": "{} 个文件",
    "more file": "另外 {} 个文件",
    "more place": "另外 {} 处",
    "rank": "{} 个 rank",
    "checkpoint": "{} 个检查点",
    "step": "{} 步",
    "save": "{} 次保存",
    "good checkpoint": "{} 个可用的检查点",
    "more save": "{} 次保存",
    "resumable checkpoint": "{} 个可恢复的检查点",
    "item": "{} 项",
    "stored item": "{} 个存储项",
    "key": "{} 个键",
    "parameter": "{} 个参数",
    "tensor": "{} 个张量",
    "more tensor": "另外 {} 个张量",
    "array": "{} 个数组",
    "value": "{} 个值",
    "infinite value": "{} 个无穷值",
    "shard": "{} 个分片",
    "part": "{} 个部分",
    "safetensors header": "{} 个 safetensors 文件头",
    "GGUF header": "{} 个 GGUF 文件头",
}
