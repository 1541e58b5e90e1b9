"""The dashboard while bytes are verified, the Bytes tab, and what is said of it elsewhere."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    # Keys
    "verify": "校验",
    "read and check every byte that is protected; again: stop": "读取并核对受保护的字节；再按停止",
    "NaN too": "含 NaN",
    "the same, and look for NaN and infinity": "同上，并查找 NaN 和无穷",
    "bytes: what verify found, file by file": "字节：逐个文件的校验结果",
    # The line that says how far it is
    "VERIFYING": "正在校验",
    "v stops": "按 v 停止",
    "stopping …": "正在停止 …",
    "looking for files …": "正在查找文件 …",
    "{read} of {total}": "{read} / {total}",
    "{count} waiting": "{count} 个等待",
    "✗ {count} file wrong": "✗ {count} 个文件有误",
    "✗ {count} files wrong": "✗ {count} 个文件有误",
    # What came out of it
    "{title}: wrong bytes in {names}.": "{title}：{names} 字节有误。",
    "{title}: wrong bytes in {count} files: {names}.": "{title}：{count} 个文件字节有误：{names}。",
    "{title}: stopped after {count} file; nothing wrong so far.": (
        "{title}：读完 {count} 个文件后停止，到此无误。"
    ),
    "{title}: stopped after {count} files; nothing wrong so far.": (
        "{title}：读完 {count} 个文件后停止，到此无误。"
    ),
    "Not read: {names}.": "未读取：{names}。",
    "NaN or infinity in {names}.": "{names} 中有 NaN 或无穷。",
    "No NaN, no infinity.": "没有 NaN 和无穷。",
    "no files were found": "没有找到文件",
    "{title}: nothing was verified: {reason}.": "{title}：没有校验任何内容：{reason}。",
    "{title}: no checksum protects any of its bytes.": "{title}：它的字节都没有校验和保护。",
    "{title}: every protected byte is right, {checked} of {total} in {time}.": (
        "{title}：受保护的字节全部正确，{checked} / {total}，用时 {time}。"
    ),
    "{title} could not be verified: {error}": "无法校验 {title}：{error}",
    "{title} has a temporary name: its bytes are not final.": (
        "{title} 还是临时名称：字节尚未最终确定。"
    ),
    "{title} is still being written: verify it once it is committed.": (
        "{title} 仍在写入：等它提交后再校验。"
    ),
    # Whether to stop
    "verifying": "正在校验",
    "go on": "继续",
    "verifying takes nothing from the job but reads": "校验只会多占一些读取带宽",
    "stop it": "停止它",
    "stop all {count}": "停止全部 {count} 个",
    "stop {title}": "停止 {title}",
    "it waits for its turn": "它在排队等待",
    "it has only begun": "它刚刚开始",
    "what was read by now is kept": "已读取的结果会保留",
    "{done} of {count} file is read; what was found is kept": (
        "已读 {done} / {count} 个文件；结果会保留"
    ),
    "{done} of {count} files are read; what was found is kept": (
        "已读 {done} / {count} 个文件；结果会保留"
    ),
    # The Bytes tab
    "Bytes": "字节",
    "bytes": "字节",
    "checked": "已核对",
    "protected by": "保护方式",
    "verified": "校验时间",
    "wrong": "有误",
    "bare": "无保护",
    "NaN, inf": "NaN/无穷",
    "wrong bytes": "字节有误",
    "no checksum protects any": "都没有校验和保护",
    "part right": "部分正确",
    "every protected byte is right": "受保护的字节全部正确",
    "all values are finite": "数值全部有限",
    "no NaN in the {size} that could be scanned": "可扫描的 {size} 中没有 NaN",
    "not scanned for NaN (V)": "未查找 NaN（V）",
    "⚠ NaN or infinity in {count} tensor": "⚠ {count} 个张量中有 NaN 或无穷",
    "⚠ NaN or infinity in {count} tensors": "⚠ {count} 个张量中有 NaN 或无穷",
    "checksums of {checked} of {total}": "{checked} / {total} 有校验和",
    "{done} of {count} file": "{done} / {count} 个文件",
    "{done} of {count} files": "{done} / {count} 个文件",
    "nobody has verified its bytes": "还没有校验过它的字节",
    # What is said of it elsewhere
    "bytes verified": "字节已校验",
    "protected bytes verified": "受保护字节已校验",
    "bytes of {done} of {total} files verified": "已校验 {done} / {total} 个文件的字节",
    "verified, nothing protects its bytes": "已校验，但字节没有校验和保护",
    "NaN or infinity": "有 NaN 或无穷",
    "NaN or infinity in it": "其中有 NaN 或无穷",
    "NaN or infinity in it, the newest without is {title}": (
        "其中有 NaN 或无穷，没有的里最新的是 {title}"
    ),
    "not finite": "有 NaN/无穷",
    "bytes wrong": "字节有误",
}
