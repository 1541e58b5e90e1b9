"""`ckpt-tui explain`: findings about single files."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "The bytes of a file do not give the checksum that is stored with them.": (
        "文件字节的校验和与随之存储的不符。"
    ),
    "A disk, a memory or a copy changed bytes after they were written.": (
        "磁盘、内存或复制在写入之后改变了字节。"
    ),
    (
        "Resume from another checkpoint, or copy the file back from where it was whole. Look at "
        "the disk: what happens once may happen again."
    ): ("从另一个检查点恢复，或从完好处把文件复制回来。检查磁盘：发生过一次就可能再次发生。"),
    "model.pt: the record 'data/0' has another checksum than the 5a3f09c1 of …": (
        "model.pt：记录 'data/0' 的校验和与 … 中的 5a3f09c1 不同"
    ),
    "Most loaders compare no checksum: wrong numbers go into the model unnoticed.": (
        "多数加载器不比较校验和：错误的数会悄悄进入模型。"
    ),
    "A file that the checkpoint refers to has no bytes.": "检查点引用的文件没有字节。",
    "The save was cut before it wrote the file, or the disk was full.": (
        "保存在写该文件之前被打断，或磁盘已满。"
    ),
    (
        "Resume from another checkpoint, and look at the free space (`df -h`) before the job "
        "saves again."
    ): ("从另一个检查点恢复，并在作业再次保存之前查看剩余空间（`df -h`）。"),
    "optimizer.pt: the file is empty (0 bytes)": "optimizer.pt：文件为空（0 字节）",
    "`torch.load` stops with `EOFError: Ran out of input`.": (
        "`torch.load` 以 `EOFError: Ran out of input` 停止。"
    ),
    "A JSON file cannot be read as what it should be.": "JSON 文件无法按其应有的内容读取。",
    "The save was cut while it wrote the file, or somebody changed it by hand.": (
        "保存在写该文件时被打断，或有人手工改过它。"
    ),
    (
        "Resume from another checkpoint. If you changed the file yourself, mend it at the line "
        "and column that the finding names."
    ): ("从另一个检查点恢复。如果是你自己改过该文件，请在问题指出的行和列处修正。"),
    "trainer_state.json is no whole JSON document: Unterminated string at line 88": (
        "trainer_state.json 不是完整的 JSON 文档：第 88 行字符串没有结束"
    ),
    "The loader stops with an error of its JSON parser.": "加载器以 JSON 解析错误停止。",
    "The system cannot read a file, or it is something else than a file.": (
        "系统无法读取某个文件，或它不是文件。"
    ),
    (
        "The file server or the disk fails, or a link, a directory or a device lies where a file "
        "should be."
    ): ("文件服务器或磁盘出错，或应有文件处是链接、目录或设备。"),
    (
        "Look at the mount (`df`, `dmesg`), then check again: what failed for a moment is read "
        "anew. Put a file in the place of what is none."
    ): ("查看挂载（`df`、`dmesg`），然后重新检查：一时失败的会重新读取。不是文件的请换成文件。"),
    "model.pt: the file cannot be read: Input/output error": (
        "model.pt：文件无法读取：输入/输出错误"
    ),
    "Judging it would take more than the bounds of reading allow.": "判断它会超出读取的上限。",
    (
        "A file of metadata is unusually large or deep, or it is damaged and names an impossible "
        "number of ranks or tensors."
    ): ("某个元数据文件异常地大或深，或已损坏而写着不可能的 rank 数或张量数。"),
    (
        "Load it with the framework to be sure. If it loads, it is only large; if it does not, "
        "take another checkpoint."
    ): ("请用框架加载以确认。能加载说明它只是大；不能则换一个检查点。"),
    "more than 200000 ranks by .metadata: that cannot be": (
        "按 .metadata 有超过 200000 个 rank：不可能"
    ),
    "A manifest or a link leads out of the checkpoint; it was not followed.": (
        "清单或链接指向检查点之外；未跟随。"
    ),
    (
        "Files were moved and links left in their place, or the checkpoint was made by somebody "
        "who wants other files to be read."
    ): ("文件被移走而原处留下链接，或制作检查点的人想让别的文件被读取。"),
    "Unknown where the loader needs the file, else a remark that changes no verdict.": (
        "加载器需要该文件时为未知，否则只是说明，不改变判定。"
    ),
    (
        "Copy what it names into the checkpoint, if it belongs there; of a checkpoint that is a "
        "link, check its target by name."
    ): ("如果它所指的内容属于检查点，请复制进来；检查点本身是链接时，请按名称检查其目标。"),
    "model.safetensors is a link that leads out of the checkpoint or nowhere": (
        "model.safetensors 是指向检查点之外或悬空的链接"
    ),
    "A loader follows the link: it works only as long as its target stays.": (
        "加载器会跟随链接：只有目标还在时才能用。"
    ),
    "This account may not read a file or a directory.": "当前账号无权读取某个文件或目录。",
    "The job runs under another account, and its files are for that one only.": (
        "作业以另一个账号运行，其文件只供该账号使用。"
    ),
    "Look with the account of the job, or let this one read: `chmod -R g+rX DIR`.": (
        "用作业的账号查看，或给当前账号读取权限：`chmod -R g+rX DIR`。"
    ),
    "model.pt: permission to read the file is denied": "model.pt：没有读取该文件的权限",
    "The job itself may well be able to load it.": "作业自身很可能可以加载它。",
    "A file has its full size, but blocks of it are missing on the disk.": (
        "文件大小完整，但磁盘上缺少部分块。"
    ),
    (
        "A writer reserved the size first and was cut before it filled it, or a tool copied the "
        "file sparsely."
    ): ("写入方先预留了大小，写满之前被打断，或工具以稀疏方式复制了文件。"),
    (
        "If the save was cut, resume from another checkpoint: the size proves nothing, holes "
        "read as zeros."
    ): ("如果保存被打断，请从另一个检查点恢复：大小不能证明什么，空洞会读成零。"),
    "model.pt is 4294967296 bytes long, but only 1048576 are on disk": (
        "model.pt 长 4294967296 字节，但磁盘上只有 1048576"
    ),
    "The loader takes the zeros for weights, without an error.": "加载器会把零当作权重，不报错。",
    "A reader of ckpt-tui, or of a plug-in, failed by a mistake of its own.": (
        "ckpt-tui 或插件的读取器因自身错误而失败。"
    ),
    "The files have a shape that the reader's author did not think of.": (
        "文件的形态是读取器作者没有想到的。"
    ),
    (
        "Report it, with the file that causes it if you may share it, and judge this checkpoint "
        "with the framework."
    ): ("请报告，能分享的话附上引发它的文件，并用框架判断这个检查点。"),
    "A file names a class or function that `torch.load` refuses.": (
        "文件引用了 `torch.load` 拒绝的类或函数。"
    ),
    (
        "The job put something else than tensors and plain values into its state, such as a "
        "scalar of numpy or an object of a class of its own. Torch 2.6 began to refuse these "
        "(`weights_only=True`)."
    ): (
        "作业在状态里放了张量和普通值以外的东西，例如 numpy 标量或自定义类的对象。Torch 2.6 开始"
        "拒绝这些（`weights_only=True`）。"
    ),
    (
        "Incomplete: the framework stops at it. A remark where torch before 2.7 wrote the file, "
        "since a job of that version may still load it."
    ): (
        "不完整：框架会在此停止。文件由 2.7 之前的 torch 写入时只是说明，因为该版本的作业仍可能加"
        "载它。"
    ),
    (
        "If you trust the file, allow the class in the job with "
        "`torch.serialization.add_safe_globals`, or set TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD=1 where "
        "the framework leaves the choice to torch."
    ): (
        "如果信任该文件，在作业里用 `torch.serialization.add_safe_globals` 允许该类；框架把选择留"
        "给 torch 时，也可设置 TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD=1。"
    ),
    "optimizer.pt names numpy._core.multiarray.scalar, which `torch.load` refuses": (
        "optimizer.pt 引用了 numpy._core.multiarray.scalar，`torch.load` 拒绝"
    ),
    "`torch.load` stops with `UnpicklingError: Weights only load failed`.": (
        "`torch.load` 以 `UnpicklingError: Weights only load failed` 停止。"
    ),
    "A file has another size than its manifest or header says.": "文件大小与清单或文件头所写不符。",
    "The file was cut, exchanged or written over by a later save after the manifest was made.": (
        "清单生成之后，文件被截断、替换，或被后来的保存覆盖。"
    ),
    "Resume from another checkpoint, or copy the file back from where it was whole.": (
        "从另一个检查点恢复，或从完好处把文件复制回来。"
    ),
    "model-rank1.bin has 512 bytes, the manifest says 943718400": (
        "model-rank1.bin 有 512 字节，清单写的是 943718400"
    ),
    "Loaders stop, or read bytes of another tensor where they trust the offsets.": (
        "加载器会停止；相信偏移的则会读到别的张量的字节。"
    ),
    "A temporary file or directory of a save is still there.": "保存的临时文件或目录还在。",
    "The save was cut before the rename that would have put it in its place.": (
        "保存在重命名到位之前被打断。"
    ),
    "Remove it once no job writes it. It takes space and is of no use to a restart.": (
        "确认没有作业在写它之后删除。它占用空间，对重启没有用处。"
    ),
    "step-1300.tmp: it still has a temporary name: the rename that commits it never came": (
        "step-1300.tmp：它还是临时名称：提交它的重命名没有发生"
    ),
    "Frameworks pass over it, or overwrite it at the next save of that step.": (
        "框架会跳过它，或在下次保存该步时覆盖它。"
    ),
    "A file ends before its own end mark, or before what its index refers to.": (
        "文件在结束标记之前，或在索引所指内容之前就结束了。"
    ),
    (
        "The job was killed while it wrote, the disk was full, or a copy was cut. It is the most "
        "frequent damage of all."
    ): ("作业在写入时被杀，磁盘已满，或复制被打断。这是最常见的损坏。"),
    (
        "Resume from another checkpoint. If the file was whole elsewhere, such as on the disk of "
        "the node that wrote it, copy it from there."
    ): ("从另一个检查点恢复。如果别处有完好的文件（例如写入节点的磁盘上），从那里复制。"),
    "model.pt: the zip archive of 1048576 bytes has no end record in its last 65557 bytes": (
        "model.pt：1048576 字节的 zip 归档在最后 65557 字节里没有结束记录"
    ),
    (
        "`torch.load` stops with `PytorchStreamReader failed reading zip archive: failed finding "
        "central directory`; safetensors stops with `MetadataIncompleteBuffer`."
    ): (
        "`torch.load` 以 `PytorchStreamReader failed reading zip archive: failed finding central "
        "directory` 停止；safetensors 以 `MetadataIncompleteBuffer` 停止。"
    ),
    "An archive or pickle has its end, but its structure cannot be right.": (
        "归档或 pickle 有结尾，但结构不可能正确。"
    ),
    "Bytes in the middle were damaged, or the file is of another kind than its name says.": (
        "中间的字节损坏，或文件类型与名称不符。"
    ),
    "model.pt: the record data/17, which data.pkl refers to, is missing": (
        "model.pt：缺少 data.pkl 引用的记录 data/17"
    ),
    "The loader stops with an error, mostly after it has read a part.": (
        "加载器报错停止，多半已经读了一部分。"
    ),
    "A pickle names a function that would run on loading; it was not run here.": (
        "pickle 引用了加载时会运行的函数；这里没有运行。"
    ),
    "The file was made to do that, or a job saved an object that is rebuilt by such a call.": (
        "文件被故意做成这样，或作业保存了要靠这种调用重建的对象。"
    ),
    (
        "Find out who wrote the file before any framework loads it, and load it only with "
        "`weights_only=True`."
    ): ("在任何框架加载它之前查明是谁写的，并且只用 `weights_only=True` 加载。"),
    "the pickle names posix.system, which can run code when it is loaded": (
        "pickle 引用了 posix.system，加载时可能执行代码"
    ),
    "`torch.load(weights_only=False)` would run the function with the job's rights.": (
        "`torch.load(weights_only=False)` 会以作业的权限运行该函数。"
    ),
    "A file, manifest or index is of a version or kind that is not read here.": (
        "文件、清单或索引的版本或种类这里不读取。"
    ),
    (
        "A newer or much older framework wrote it, an unusual back end, or a job that compresses"
        " what it saves."
    ): ("由更新或很旧的框架、少见的后端写入，或作业压缩了它保存的文件。"),
    "Use a newer ckpt-tui, or load it with the framework that wrote it.": (
        "使用更新的 ckpt-tui，或用写入它的框架加载。"
    ),
    "metadata.json names the backend zarr; only torch_dist of version 1 is read": (
        "metadata.json 写明后端 zarr；只支持读取版本 1 的 torch_dist"
    ),
    "A model file is valid, but holds no tensors, or only empty ones.": (
        "模型文件有效，但不含张量，或只有空张量。"
    ),
    (
        "The weights lay in shards on other ranks and were never gathered, as under ZeRO-3 "
        "without its 16-bit gathering."
    ): ("权重分片在其他 rank 上，没有被汇集，例如 ZeRO-3 没有启用 16 位汇集。"),
    (
        "Take the weights from another checkpoint, or from the optimizer's partitions "
        "(`zero_to_fp32.py` of DeepSpeed)."
    ): ("从另一个检查点或优化器的分区取权重（DeepSpeed 的 `zero_to_fp32.py`）。"),
    "model.safetensors is readable, but holds no tensor elements": (
        "model.safetensors 可读，但张量没有元素"
    ),
    "Some loaders go on with freshly initialised weights.": "有些加载器会用新初始化的权重继续。",
    "A tensor holds NaN or infinity: `ckpt-tui verify --finite` found it.": (
        "某个张量含有 NaN 或无穷值：由 `ckpt-tui verify --finite` 发现。"
    ),
    "The training diverged before the save: such a loss makes every weight NaN.": (
        "训练在保存之前已发散：这样的 loss 会使所有权重变成 NaN。"
    ),
    "A warning: the checkpoint loads, and training goes on from NaN.": (
        "警告：检查点能加载，但训练会从 NaN 继续。"
    ),
    (
        "If the loss is NaN by now, resume from the newest checkpoint that was found finite, with "
        "another learning rate or other data. Where none is known yet, scan the older ones."
    ): (
        "如果 loss 已是 NaN，请从已确认值全部有限的最新检查点恢复，并换学习率或数据。如果还不知道有"
        "哪个，请扫描更早的检查点。"
    ),
    "not all values are finite: tensor layers.3.weight holds 12 NaN": (
        "并非所有值都有限：张量 layers.3.weight 含有 12 个 NaN"
    ),
    "No loader looks for NaN: the loss is NaN from the first step on.": (
        "没有加载器检查 NaN：loss 从第一步起就是 NaN。"
    ),
}
