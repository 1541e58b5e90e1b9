"""Words of the vocabulary, which are values of sentences, too."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "exact": "精确可续",
    "inexact": "近似可续",
    "weights-only": "仅权重",
    "saving": "保存中",
    "uncommitted": "未提交",
    "incomplete": "不完整",
    "corrupt": "已损坏",
    "unknown": "未知",
    "model": "模型",
    "optimizer": "优化器",
    "scheduler": "调度器",
    "rng": "随机数状态",
    "progress": "进度",
    "dataloader": "数据加载器",
    "metrics": "指标",
    "config": "配置",
    "export": "导出",
    "other": "其他",
    "committed": "已提交",
    "info": "提示",
    "warning": "警告",
    "error": "错误",
}
