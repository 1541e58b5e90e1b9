"""Inputs of a plan, as options and configuration name them."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "a whole number from 1 to 10000000": "从 1 到 10000000 的整数",
    "a time above 0 such as 50 or 2d": "大于 0 的时间，如 50 或 2d",
    "length of the run": "运行时长",
    "faults per hour, an MTBF (50h), or a rate of nodes (6.5/1000nd x 2048)": (
        "每小时故障数、MTBF（50h），或节点故障率（6.5/1000nd x 2048）"
    ),
    "time that training stands still per save": "每次保存时训练停止的时间",
    "time to read a checkpoint back": "读回检查点的时间",
    "detection and requeue": "故障检测与重新排队的时间",
    "async: training stands still for the snapshot": "async：做快照时训练停止的时间",
    "async: writing in the background": "async：后台写入的时间",
    "async: share of speed lost while writing": "async：写入期间损失的速度比例",
    "two-level: a save in memory or on local disk": "two-level：在内存或本地磁盘上的一次保存",
    "two-level: reading that back": "two-level：从中读回的时间",
    "two-level: down time of such a recovery": "two-level：此类恢复的停机时间",
    "two-level: share of faults that level 1 survives": "two-level：一级能够挺过的故障比例",
    "two-level: saves per level-2 save (default: the best)": (
        "two-level：每次二级保存对应的保存数（默认：最优）"
    ),
    "GPUs of the job": "作业的 GPU 数",
    "price of a GPU-hour": "每 GPU 小时的价格",
    "time of a step, for intervals in steps": "每步时间，用于以步数给出的间隔",
    "failures by a Weibull law of this shape": "故障服从此形状的 Weibull 分布",
    "the interval as it is now, minutes: what it costs more than the best": (
        "现在的间隔，分钟：比最优多花多少"
    ),
    "size of a checkpoint": "检查点的大小",
    "mean time between failures of the job, instead of a rate": "作业的平均无故障时间，代替故障率",
    "mean time between failures of one node, with nodes": (
        "单个节点的平均无故障时间，与节点数一起给出"
    ),
    "nodes of the job": "作业的节点数",
    "how saves are made": "保存方式",
    "intervals to compare, minutes; 500steps where the time of a step is known": (
        "要比较的间隔，分钟；已知每步时间时可写 500steps"
    ),
    "a time ≥ 0 such as {example}": "不小于 0 的时间，如 {example}",
    "24 or 54d": "24 或 54d",
    "2 or 40s": "2 或 40s",
    "8 or 90s": "8 或 90s",
    "5 or 30s": "5 或 30s",
    "0.1 or 6s": "0.1 或 6s",
    "5 or 40s": "5 或 40s",
    "1 or 30s": "1 或 30s",
    "60 or 2h": "60 或 2h",
}
