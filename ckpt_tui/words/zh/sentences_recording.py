"""What is wrong with a recording, and what the demo says."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "a file, and no checkpoint of a known format": "是文件，但不是已知格式的检查点",
    "starts from step {}": "从 step {0} 开始",
    "starts from the beginning": "从头开始",
    "rank {} died before step {} was saved; the job restarts": (
        "rank {0} 在 step {1} 保存之前中断；作业重启"
    ),
    "step {} saved; fault: {}": "step {0} 已保存；故障：{1}",
    "step {} saved": "step {0} 已保存",
    "{}: another demo writes there; stop it or choose another directory": (
        "{0}：另一个演示正在写这里；请停止它或换一个目录"
    ),
    "world_size: 1 to {}": "world_size：1 到 {0}",
    "steps: 1 or more": "steps：不小于 1",
    "interval_steps: 1 or more": "interval_steps：不小于 1",
    "shard_bytes: a multiple of {}, at most {}": "shard_bytes：{0} 的倍数，至多 {1}",
    "speed: greater than 0": "speed：大于 0",
    "train, save, stall and restart seconds: 0 or more": "训练、保存、停滞和重启的秒数：不小于 0",
    "keep: {} or more": "keep：不小于 {0}",
    "formats: one or more of {}": "formats：{0} 中的一个或多个",
    "formats: each at most once": "formats：每个至多一次",
    "the demo's plan is wrong: {}": "演示的参数有误：{0:say}",
    "{} changes no {}": "{0} 不改变任何 {1}",
    "a change that makes more than {} items": "一次产生超过 {0} 项的改动",
    "item {} of a list of {}": "{1} 项列表的第 {0} 项",
    "a part from {} on of a list of {}": "{1} 项列表从 {0} 起的部分",
    "a part {} of a list of {}": "{1} 项列表的 {0} 部分",
    "it is no recording of ckpt-tui, whose first line says so": (
        "它不是 ckpt-tui 的录制：录制的第一行会写明"
    ),
    "the line before it is not whole": "它前面的一行不完整",
    "it is not whole, and so is the line before it": "它不完整，前面的一行也不完整",
    "a frame that tells only changes is the first of its session": "会话的第一帧只写了改动",
    "it is longer than {}, the most of a line": "它超过一行的上限 {0}",
    "it has more than {} values, the most of a line": "它超过一行 {0} 个值的上限",
    "it is of schema {}, not {}": "它的格式是 {0}，不是 {1}",
    "ckpt-tui {} wrote it, whose values have other fields: replay it with that version": (
        "它由 ckpt-tui {0} 写入，字段不同：请用该版本回放"
    ),
    "the header of a recording is not whole": "录制的头部不完整",
    "it is no frame, or cut in the middle": "它不是一帧，或中途被截断",
    "its times are none that a clock gives": "它的时间不是时钟会给出的",
    "its events are not right": "它的事件有误",
    "its status is not right: {}": "它的状态有误：{0:say}",
    "a frame has a status and a content": "一帧应有状态和内容",
    "it is no JSON: {}": "它不是 JSON：{0:say}",
    "{}: lies in the watched directory {}, where nothing is ever written: name a file elsewhere": (
        "{0}：位于被监视的目录 {1} 里，那里从不写入：请指定别处的文件"
    ),
    "{}: cannot be opened for writing: {}": "{0}：无法打开以写入：{1:say}",
    "{}: is no plain file": "{0}：不是普通文件",
    "{}: is there already, and is no recording to go on with ({}): name another file": (
        "{0}：已经存在，而且不是可以续写的录制（{1:say}）：请另指定文件"
    ),
    "a state is a picture and its runs": "状态应由画面及其运行组成",
    "a run is its values, its checkpoints and its resume point": "运行应由其值、检查点和恢复点组成",
    "a resume point that is none of {} checkpoints": "恢复点不在 {0} 个检查点之中",
    "no answer in {} s: what came last is not in it": "{0} s 内没有响应：最后的内容不在其中",
    "nothing is recorded any more: {}": "已停止录制：{0:say}",
    "it has {}: begin another file": "它已有 {0}：请另开一个文件",
    "a frame of it cannot be written: {}: record a directory with fewer checkpoints": (
        "无法写入其中一帧：{0:say}：请录制检查点较少的目录"
    ),
    "replay the file as it was recorded, or a copy that is cut before that line": (
        "请回放原始录制文件，或在该行之前截断的副本"
    ),
    "{}: cannot be opened: {}": "{0}：无法打开：{1:say}",
    "{}: cannot be read: {}": "{0}：无法读取：{1:say}",
    "line {} is not whole": "第 {0} 行不完整",
    "{}: line {}: {}: {}": "{0}：第 {1} 行：{2:say}：{3:say}",
    "{}: holds no whole frame, there is nothing to replay": "{0}：没有完整的帧，没有可回放的内容",
    "{}: unpacks to more than {}, as no recording does": "{0}：解压后超过 {1}，录制不会这样大",
    "{}: cannot be unpacked: {}: {}": "{0}：无法解压：{1}：{2:say}",
    "it cannot be unpacked any further: {}": "无法继续解压：{0}",
}
