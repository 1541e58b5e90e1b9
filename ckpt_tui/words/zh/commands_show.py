"""`show` and `compare`: what they print."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "{state} ({reason})": "{state}（{reason}）",
    "{path} is no checkpoint; there are {checkpoints} below it (ckpt-tui check names them)": (
        "{path} 不是检查点；其下有 {checkpoints}（用 ckpt-tui check 列出）"
    ),
    "why": "原因",
    "unchecked": "未检查",
    "reshard": "重新切分",
    "{format}, {size} in {files}": "{format}，{size}，{files}",
    "not known": "未知",
    "{commit}, never": "{commit}，时间未知",
    "{commit}, {when}": "{commit}，{when}",
    "{answer}: {how}": "{answer}：{how}",
    "{told}; loses {roles}": "{told}；会丢失{roles}",
    "to at most {count} rank": "至多 {count} 个 rank",
    "to at most {count} ranks": "至多 {count} 个 rank",
    "{time} ({age} ago)": "{time}（{age} 前）",
    "last write {time} ({age} ago)": "最后写入 {time}（{age} 前）",
    "; the save took at least {time}": "；保存用时至少 {time}",
    "; the save took {time}": "；保存用时 {time}",
    "this format has no mark of it": "该格式没有提交标记",
    ", save or epoch number {number}": "，第 {number} 次保存或 epoch",
    "; shards whole: {present} of {all}": "；完整分片：{present}/{all}",
    ", not {ranks}": "，缺 {ranks}",
    ", not of {ranks}": "，缺 {ranks}",
    "CANNOT BE USED: {files}": "不可用：{files}",
    "NOT FOUND in what can be read": "可读部分中没有找到",
    "NOT THERE": "缺失",
    "… and {count} file more (--json has them)": "… 另有 {count} 个文件（见 --json）",
    "… and {count} files more (--json has them)": "… 另有 {count} 个文件（见 --json）",
    "{tensors}, {elements}": "{tensors}，{elements}",
}
