"""The planner's plan as text: what `plan` and the dashboard both show."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    ".": "。",
    "level-1 save": "一级保存",
    "level-1 reload": "一级重载",
    "level-1 down": "一级停机",
    "level-1 coverage": "一级覆盖率",
    "The run at {interval} takes {hours} GPU-hours, {overhead} of them overhead": (
        "间隔 {interval} 时本次运行需 {hours} GPU 小时，其中开销 {overhead}"
    ),
    ": {money} in money, {overhead} of it overhead": "：费用 {money}，其中开销 {overhead}",
    "By the formulas of others: Young less the save {young}; Saxena's period {saxena};"
    " Meta's E[ETTR] {ettr}.": (
        "其他公式：Young 减去保存时间 {young}；Saxena 周期 {saxena}；Meta 的 E[ETTR] {ettr}。"
    ),
    "Goodput per 1 % more of each input, in %: {told}.": (
        "各输入每增加 1 % 时有效吞吐的变化（%）：{told}。"
    ),
    "Written in all: {sizes}": "总写入量：{sizes}",
    " (keeps at most {count}: {size})": "（最多保留 {count} 个：{size}）",
    "`{label}`: need {need}": "`{label}`：需要{need}",
    "level-2 every": "二级频率",
    "Weibull shape": "Weibull 形状",
    "current interval": "当前间隔",
    "GPU-hour price": "GPU 小时单价",
    "checkpoint size": "检查点大小",
    "wall": "总时长",
    "lesson total": "课程合计",
    "Checkpoint interval": "检查点间隔",
    "does not finish": "无法完成",
    "Exact best: {interval}, goodput {share}": "精确最优：{interval}，有效吞吐 {share}",
    "In steps: every {steps} ({interval})": "按步数：每 {steps} 步（{interval}）",
    "Chance of no fault in the run {none}, of one {one}": (
        "运行中无故障的概率 {none}，一次故障 {one}"
    ),
    "input": "输入",
    "value": "值",
    "never": "不保存",
    "Anything from {low} to {high} is within 5 % of the best": (
        "{low} 至 {high} 均在最优的 5 % 以内"
    ),
    "the lesson's run": "课程中的运行",
    "the lesson": "课程",
    "primary": "原文",
    "16,384 H100, 54 days, 419 unexpected interruptions": "16,384 块 H100，54 天，419 次意外中断",
    "arXiv 2407.21783, section 3.3.4 and table 5": "arXiv 2407.21783，3.3.4 节与表 5",
    "quoted": "转引",
    "466 interruptions with the 47 planned ones: MTBF 2.78 h": (
        "加上 47 次计划内的共 466 次中断：MTBF 2.78 h"
    ),
    "research cluster, a job on 16,384 GPUs": "研究集群，使用 16,384 块 GPU 的作业",
    "the measured MTTF of small jobs is shorter than this rate gives": (
        "小作业实测的 MTTF 比此故障率对应的更短"
    ),
    "the quieter research cluster, a job on 16,384 GPUs": (
        "较平稳的研究集群，使用 16,384 块 GPU 的作业"
    ),
    "384 A100, 2.3 TB in 40 s, a GPU lost about every week": (
        "384 块 A100，40 s 写 2.3 TB，约每周损失一块 GPU"
    ),
    "saves every 250, later 200 and 100 steps; hangs cost 18 h and 6 h": (
        "每 250 步保存，后改为 200 和 100 步；挂起分别损失 18 h 和 6 h"
    ),
    "992 A100, about two machines lost a day": "992 块 A100，每天约损失两台机器",
    "derived": "推算",
    "sources disagree about the GPU-hours that were lost": "各来源对损失的 GPU 小时数说法不一",
    "1,536 H800, saves in memory every 10 steps, disk every 250": (
        "1,536 块 H800，每 10 步存入内存，每 250 步写盘"
    ),
    "250 steps took 90 min; without level 1 only the 2 min to disk every 250 steps": (
        "250 步耗时 90 min；没有一级时，每 250 步只有写盘的 2 min"
    ),
    "530B parameters to a store of 20 Gb/s: 42 min a save": (
        "530B 参数写入 20 Gb/s 的存储：每次保存 42 min"
    ),
    "7B by asynchronous DCP: 6.3 s of 148.8 s block": "7B 异步 DCP：148.8 s 中阻塞 6.3 s",
    "PyTorch and IBM, on asynchronous checkpointing": "PyTorch 与 IBM 关于异步检查点的文章",
    "a hang that a heartbeat finds after 45 min": "心跳在 45 min 后才发现的挂起",
    "nvidia-resiliency-ext, rank_heartbeat_timeout of 2700 s": (
        "nvidia-resiliency-ext，rank_heartbeat_timeout 为 2700 s"
    ),
    "no preset {name}; there are: {names}": "没有预设 {name}；可用：{names}",
    "lesson": "课程",
    "(these are for level 2; level 1 saves every {interval})": (
        "（以上用于二级；一级每 {interval} 保存）"
    ),
    ", {count} steps": "，{count} 步",
    "(most savers count steps: give the time of a step to see their settings)": (
        "（多数保存器按步数计：给出每步时间即可看到其设置）"
    ),
    "{interval} or {count} steps": "{interval} 或 {count} 步",
    "no name tells a loss (such as val_loss=0.21), so none is the best by one": (
        "名称中没有损失值（如 val_loss=0.21），无法据此选出最优"
    ),
    "{rate} faults/h": "{rate} 次故障/h",
    "Plan ({mode}): {terms}": "计划（{mode}）：{terms}",
    "Every {current}, as now, costs {extra} a run more than the best": (
        "按现在每 {current} 一次，每次运行比最优多花 {extra}"
    ),
    "Saves per level-2 save: {counts}": "每次二级保存对应的保存数：{counts}",
    "Written a day: {sizes}": "每日写入量：{sizes}",
    "Every {current}, as now, the job does not finish.": "按现在每 {current} 一次，作业无法完成。",
    ": {hours} GPU-hours": "：{hours} GPU 小时",
    ", {money} in money": "，费用 {money}",
    "Weibull shape {shape}": "Weibull 形状 {shape}",
    "slowdown {share}": "减速 {share}",
    "covers {share}": "覆盖 {share}",
    "exact best {time}": "精确最优 {time}",
    "Anything from {low} to {high} is within 5 % of the best.": (
        "{low} 至 {high} 均在最优的 5 % 以内。"
    ),
    "Chance of no fault at all in the run {none}, of one {one}.": (
        "运行中完全无故障的概率 {none}，一次故障 {one}。"
    ),
    "In steps: save every {steps} ({interval}).": "按步数：每 {steps} 步保存一次（{interval}）。",
    "level 2 every {count} saves": "每 {count} 次保存做一次二级",
    "not a number: {text}": "不是数：{text}",
    "no time given": "未给出时间",
    "no interval given": "未给出间隔",
    "steps need a step time": "以步数给出时需要每步时间",
    "the number is too large": "数值太大",
    "not a time: {text}": "不是时间：{text}",
    "own loop (DeepSpeed, accelerate, DCP)": "自写循环（DeepSpeed、accelerate、DCP）",
}
