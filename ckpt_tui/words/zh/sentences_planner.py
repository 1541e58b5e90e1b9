"""Sentences of the planner: warnings, what a field needs, why nothing is simulated."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "`{}`: need {}": "`{0}`：需要{1:say}",
    "a time ≥ 0 such as {}": "不小于 0 的时间，如 {0:say}",
    "a time above 0, up to 10 years, such as {}": "大于 0、至多 10 年的时间，如 {0:say}",
    "a whole number from 1 to {} such as {}": "从 1 到 {0} 的整数，如 {1}",
    "24h or 54d": "24h 或 54d",
    "a rate per hour ≥ 0 such as 0.02, or an MTBF such as 50h": (
        "不小于 0 的每小时故障率，如 0.02，或 MTBF，如 50h"
    ),
    "2m or 40s": "2m 或 40s",
    "8m or 90s": "8m 或 90s",
    "5m or 0": "5m 或 0",
    "1 to {} times above 0 such as 15,30,60,120": ("大于 0 的时间，1 至 {0} 个，如 15,30,60,120"),
    "one of sync, async, two-level": "以下之一：sync、async、two-level",
    "6s or 0.1": "6s 或 0.1",
    "5m or 40s": "5m 或 40s",
    "a share from 0 to below 100% such as 5% or 0.05": ("从 0 到不足 100% 的比例，如 5% 或 0.05"),
    "1m or 30s": "1m 或 30s",
    "1m or 0": "1m 或 0",
    "a share from 0 to 100% such as 75% or 0.75": "从 0 到 100% 的比例，如 75% 或 0.75",
    "a number from 0.2 to 10 such as 0.7, or nothing for exponential failures": (
        "从 0.2 到 10 的数，如 0.7；留空表示指数分布的故障"
    ),
    "a time above 0 such as 10.5s": "大于 0 的时间，如 10.5s",
    "30m or 2h": "30m 或 2h",
    "a number from 0 to {} such as 2.50": "从 0 到 {0} 的数，如 2.50",
    "a size above 0 such as 1.25TiB": "大于 0 的大小，如 1.25TiB",
    "10m to 365d": "10m 至 365d",
    "0.6s to 1h": "0.6s 至 1h",
    "0 to 30 %": "0 至 30 %",
    "0 to 2h": "0 至 2h",
    "0.4 to 3": "0.4 至 3",
    "0.05s to 10m": "0.05s 至 10m",
    "`{}` is usually {}: check the value and its unit.": (
        "`{0}` 通常为 {1:say}：请检查数值及其单位。"
    ),
    "a fault rate of {} per hour is an MTBF of {}: is it per hour?": (
        "每小时 {0} 的故障率相当于 MTBF {1}：确实是每小时吗？"
    ),
    "a fault rate of {} per hour is below 1e-05: is it of the whole job?": (
        "每小时 {0} 的故障率低于 1e-05：确实是整个作业的吗？"
    ),
    "the MTBF ({}) is shorter than one save's stall ({}).": (
        "MTBF（{0}）比一次保存的停顿（{1}）还短。"
    ),
    "the snapshot takes longer than the persist: are they swapped?": (
        "快照比持久化耗时更长：是否填反了？"
    ),
    "a level-2 save is shorter than a level-1 save: are they swapped?": (
        "二级保存比一级保存更短：是否填反了？"
    ),
    "level 1 covers every failure, so level 2 is only for archival.": (
        "一级覆盖所有故障，因此二级只用于归档。"
    ),
    "`level-1 coverage` is usually 0 to 99 %: level 2 hardly matters above it.": (
        "`level-1 coverage` 通常为 0 至 99 %：超过后二级几乎不起作用。"
    ),
    "no save completes before the run's end at {}.": ("运行结束前没有保存能完成，间隔：{0:say}。"),
    "at least half of the time goes to saving at {}.": "至少一半时间用于保存，间隔：{0:say}。",
    "a persist is not over before the next save (persist-bound) at {}.": (
        "下一次保存前持久化尚未结束（受持久化限制），间隔：{0:say}。"
    ),
    "the interval is shorter than one training step at {}.": "间隔短于一个训练步：{0:say}。",
    "the lesson's save count may be one off by rounding at {}.": (
        "课程的保存次数可能因取整差一，间隔：{0:say}。"
    ),
    "{} and {} more": "{0} 等（另有 {1} 个）",
    "`Weibull shape`: need nothing with two levels, which are exponential only": (
        "`Weibull 形状`：两级保存只支持指数分布，须留空"
    ),
    "no failures assumed: no finite interval is best; cap it at the run's length.": (
        "假定没有故障：不存在有限的最优间隔；以运行时长为上限。"
    ),
    "saves cost nothing: the best interval tends to 0; save at every step.": (
        "保存没有代价：最优间隔趋于 0；每步都保存即可。"
    ),
    "the best interval ({}) is longer than the run: one save at its end is enough.": (
        "最优间隔（{0}）比运行时长更长：在结束时保存一次即可。"
    ),
    "persist-bound: no interval below {} can be kept, and a shorter one would be best.": (
        "受持久化限制：无法维持短于 {0} 的间隔，而更短的间隔才是最优。"
    ),
    "a save takes more than half of the MTBF: no interval exceeds a goodput of {}.": (
        "一次保存耗时超过 MTBF 的一半：任何间隔的有效吞吐都不超过 {0}。"
    ),
    "the job does not finish at any interval: its failures come too fast.": (
        "任何间隔下作业都无法完成：故障来得太快。"
    ),
    "the job does not finish at {}.": "作业在以下间隔无法完成：{0:say}。",
    "a run without any save would reach a goodput of {}, more than at any listed interval: saves"
    " cost more here than failures do.": (
        "完全不保存的运行可达有效吞吐 {0}，高于列出的任何间隔：此处保存的代价大于故障。"
    ),
    "the lesson's rows count synchronous saves of {}, not {} ones.": (
        "课程各行按 {0} 的同步保存计算，而不是 {1} 保存。"
    ),
    "the lesson's totals are first-order, {} too low at {}: they leave out down time and faults"
    " during saves, reloads and redone work.": (
        "课程的合计只是一阶近似，在 {1} 处低估 {0}：未计入停机时间，"
        "以及保存、重载和重做期间的故障。"
    ),
    "Weibull rows are long-run averages scaled to the run, not its own expectation.": (
        "Weibull 各行是按运行时长折算的长期平均，不是本次运行的期望。"
    ),
    "the run does not finish; nothing to simulate": "运行无法完成；没有可模拟的内容",
    "{} saves are more than can be simulated; take a longer interval": (
        "{0} 次保存超出可模拟的数量；请取更长的间隔"
    ),
    "{} failures a run are more than can be simulated; take a shorter run": (
        "每次运行 {0} 次故障超出可模拟的数量；请缩短运行"
    ),
}
