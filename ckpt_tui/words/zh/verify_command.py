"""`verify`, `seal` and `latest --verify`: their help, and what they print."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    # Help
    "every byte that a checksum protects, read and compared; NaN and infinity": (
        "读取并核对受校验和保护的每个字节；查找 NaN 和无穷"
    ),
    "checksums of a checkpoint that protects nothing, kept for verify": (
        "为不带校验和的检查点保存校验和，供 verify 核对"
    ),
    "Read every byte that anything protects, and compare it with its checksum: the CRC-32 of"
    " zip archives\n"
    "(torch files, .distcp items, .keras, npz), CRC-32C of TensorFlow and OCDBT, those of our"
    " own\n"
    "manifest and of a seal. Where a format protects nothing (safetensors, HDF5, pickles) its"
    " structure\n"
    "is checked, and it is said so. Nothing is written below PATH; what was found is remembered,"
    " so that\n"
    "`check` and the dashboard speak of it until the files change.\n": (
        "读取受保护的每个字节，与其校验和比较：zip 归档的 CRC-32（torch 文件、.distcp 的项、\n"
        ".keras、npz），TensorFlow 和 OCDBT 的 CRC-32C，以及 manifest.json 和封存文件中的\n"
        "校验和。格式不保护内容时（safetensors、HDF5、pickle）只检查结构，并会说明。不向 PATH 下\n"
        "写入任何内容；结果会被记住，供 `check` 和仪表盘使用，直到文件变化。\n"
    ),
    "exit codes: 0 every protected byte is right; 1 with --finite: right, but a tensor holds NaN"
    " or\n"
    "infinity; 2 wrong bytes; 3 a path is not there or holds no file, a file cannot be read,"
    " or the\n"
    "time is up;\n"
    "of several the worst, in the order 2, 3, 1, 0\n": (
        "退出码：0 受保护的字节全部正确；1 带 --finite 时：字节正确，但有张量含 NaN 或无穷；\n"
        "2 字节有误；3 路径不存在或其中没有文件、文件无法读取或超时；有多个时取最差的，"
        "次序为 2、3、1、0\n"
    ),
    "a checkpoint, a run, a directory above runs, or one file": (
        "一个检查点、一个运行、其上级目录，或单个文件"
    ),
    "so many files are read at a time (default: one a core, at most 8)": (
        "同时读取的文件数（默认：每核一个，最多 8）"
    ),
    "also look for NaN and infinity in floating tensors": "另在浮点张量中查找 NaN 和无穷",
    "a seal of a checkpoint that was moved since (ckpt-tui seal)": (
        "检查点的封存文件，用于已移动的检查点（ckpt-tui seal）"
    ),
    "give up after so long, and tell what was done (a hung mount)": (
        "到此时长后放弃，并报告已完成的部分（用于挂死的挂载）"
    ),
    "Keep the size and CRC-32 of every file of a checkpoint, so that `verify` finds rot in what"
    " its\n"
    "format does not protect (safetensors, HDF5, OCDBT values, pickles). Nothing is written into"
    " the\n"
    "checkpoint, nor beside it unless --beside asks for that: seals lie in the user's state"
    " directory.\n"
    "Refused is what is not committed, what changes meanwhile, what is wrong already, and,"
    " without\n"
    "--again, what differs from its seal.\n": (
        "保存检查点每个文件的大小和 CRC-32，使 `verify` 能在格式不保护的内容中发现损坏\n"
        "（safetensors、HDF5、OCDBT 的值、pickle）。不写入检查点；除非用 --beside，\n"
        "也不写在其旁边：封存文件放在用户的状态目录。未提交的、期间有变化的、已经有误的，\n"
        "以及未给 --again 而与已有封存不符的，一律拒绝。\n"
    ),
    "exit codes: 0 all are sealed; 2 one is refused (of a run: a committed one); 3 one is not"
    " there,\n"
    "cannot be read, or its seal cannot be written; 4 no checkpoint there\n": (
        "退出码：0 全部已封存；2 有被拒绝的（对于运行：指已提交的）；\n"
        "3 有不存在、无法读取或封存文件写不了的；4 那里没有检查点\n"
    ),
    "a checkpoint, or a run: then each of its committed checkpoints": (
        "一个检查点；或一个运行，即其中每个已提交的检查点"
    ),
    "replace a seal whose checksums are no longer those of the files": (
        "替换校验和与文件不再相符的封存文件"
    ),
    "write .NAME.ckpt-tui-seal.json into the directory that holds the checkpoint": (
        "把 .NAME.ckpt-tui-seal.json 写到检查点所在的目录"
    ),
    "read the bytes of the resume point first, as `verify` does; where one is wrong, the next"
    " checkpoint counts": ("先读取恢复点的字节，同 `verify`；有误时改用下一个检查点"),
    # How far it is
    "{read} of {total}, {done} of {files} files": "{read} / {total}，{done} / {files} 个文件",
    "{rate}/s, {time} left": "{rate}/s，还剩 {time}",
    "{count} wrong": "{count} 个有误",
    # What was found
    "WRONG  {path}": "有误  {path}",
    "{place}, tensor {tensor}: {message}": "{place}，张量 {tensor}：{message}",
    "tensor {tensor}: {message}": "张量 {tensor}：{message}",
    "… and {count} more place": "… 另有 {count} 处",
    "… and {count} more places": "… 另有 {count} 处",
    "not finished: {path}": "未读完：{path}",
    "NOT FINITE  {path}": "有 NaN/无穷  {path}",
    "tensor {tensor}: {nan} NaN, {infinite} infinite": (
        "张量 {tensor}：{nan} 个 NaN，{infinite} 个无穷"
    ),
    "… and {count} more tensor": "… 另有 {count} 个张量",
    "… and {count} more tensors": "… 另有 {count} 个张量",
    "NOT READ  {path}: {reason}": "未读取  {path}：{reason}",
    "NOTE  {path}: {reason}": "说明  {path}：{reason}",
    "… and {count} more file": "… 另有 {count} 个文件",
    "… and {count} more files": "… 另有 {count} 个文件",
    "result": "结果",
    "protected": "受保护",
    "by": "保护方式",
    "{part} of {whole}": "{part} / {whole}",
    "{count} not read": "{count} 个未读取",
    "of bytes\4right": "正确",
    "protected part right": "受保护部分正确",
    "{result}, not committed": "{result}，未提交",
    "no checksum": "无校验和",
    "written after its seal": "写于封存之后",
    "there is no file to verify": "没有可校验的文件",
    "{part} of {whole} are protected by a checksum ({percent} %) and were read; {files}, {wrong}"
    " of them wrong": (
        "{whole} 中有 {part} 受校验和保护（{percent} %），已读取；{files}，其中 {wrong} 个有误"
    ),
    "nothing protects the other {left}: `ckpt-tui seal` keeps checksums of them for later": (
        "其余 {left} 没有校验和保护：`ckpt-tui seal` 可为其保存校验和，供以后核对"
    ),
    "{size} of floating tensors were scanned for NaN and infinity": (
        "已在 {size} 的浮点张量中查找 NaN 和无穷"
    ),
    "it was interrupted: this is what was done": "已被中断：结果只含已完成的部分",
    "the time was up after {time}: this is what was done": "已到时限 {time}：结果只含已完成的部分",
    # Seals, and the resume point whose bytes are right
    "{path}: {files}, {size}, sealed in {seal}": "{path}：{files}，{size}，封存于 {seal}",
    "passed over: {reason}": "已跳过：{reason}",
    "only {part} of {whole} are protected by a checksum, and right": (
        "{whole} 中只有 {part} 受校验和保护，且正确"
    ),
    "no checksum protects any of its bytes": "其字节均无校验和保护",
    "{path}: of no resumable checkpoint are all bytes right": (
        "{path}：没有一个可恢复的检查点字节全部正确"
    ),
    "{path}: the time is up before its bytes were read": "{path}：还没读完其字节就已到时限",
    "  BUT IT HOLDS NaN OR INFINITY": "  但其中有 NaN 或无穷",
    "  BUT IT HOLDS NaN OR INFINITY: {title} is the newest found finite": (
        "  但其中有 NaN 或无穷：已知数值有限的最新检查点是 {title}"
    ),
}
