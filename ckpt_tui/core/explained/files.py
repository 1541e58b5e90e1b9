"""Findings about single files: their bytes, their place, whether they can be read."""

from __future__ import annotations

from ckpt_tui.core.explained.values import (
    CORRUPT,
    INCOMPLETE_OR_REMARK,
    REMARK,
    UNKNOWN,
    Explanation,
)
from ckpt_tui.words import later

FILES = (
    Explanation(
        "checksum-mismatch",
        later("The bytes of a file do not give the checksum that is stored with them."),
        later("A disk, a memory or a copy changed bytes after they were written."),
        CORRUPT,
        later(
            "Resume from another checkpoint, or copy the file back from where it was whole. Look"
            " at the disk: what happens once may happen again."
        ),
        later("model.pt: the record 'data/0' has another checksum than the 5a3f09c1 of …"),
        later("Most loaders compare no checksum: wrong numbers go into the model unnoticed."),
    ),
    Explanation(
        "empty-file",
        later("A file that the checkpoint refers to has no bytes."),
        later("The save was cut before it wrote the file, or the disk was full."),
        CORRUPT,
        later(
            "Resume from another checkpoint, and look at the free space (`df -h`) before the job"
            " saves again."
        ),
        later("optimizer.pt: the file is empty (0 bytes)"),
        later("`torch.load` stops with `EOFError: Ran out of input`."),
    ),
    Explanation(
        "invalid-json",
        later("A JSON file cannot be read as what it should be."),
        later("The save was cut while it wrote the file, or somebody changed it by hand."),
        CORRUPT,
        later(
            "Resume from another checkpoint. If you changed the file yourself, mend it at the"
            " line and column that the finding names."
        ),
        later("trainer_state.json is no whole JSON document: Unterminated string at line 88"),
        later("The loader stops with an error of its JSON parser."),
    ),
    Explanation(
        "io-error",
        later("The system cannot read a file, or it is something else than a file."),
        later(
            "The file server or the disk fails, or a link, a directory or a device lies where a"
            " file should be."
        ),
        UNKNOWN,
        later(
            "Look at the mount (`df`, `dmesg`), then check again: what failed for a moment is"
            " read anew. Put a file in the place of what is none."
        ),
        later("model.pt: the file cannot be read: Input/output error"),
    ),
    Explanation(
        "limit-exceeded",
        later("Judging it would take more than the bounds of reading allow."),
        later(
            "A file of metadata is unusually large or deep, or it is damaged and names an"
            " impossible number of ranks or tensors."
        ),
        UNKNOWN,
        later(
            "Load it with the framework to be sure. If it loads, it is only large; if it does"
            " not, take another checkpoint."
        ),
        later("more than 200000 ranks by .metadata: that cannot be"),
    ),
    Explanation(
        "outside-path",
        later("A manifest or a link leads out of the checkpoint; it was not followed."),
        later(
            "Files were moved and links left in their place, or the checkpoint was made by"
            " somebody who wants other files to be read."
        ),
        later("Unknown where the loader needs the file, else a remark that changes no verdict."),
        later(
            "Copy what it names into the checkpoint, if it belongs there; of a checkpoint that is"
            " a link, check its target by name."
        ),
        later("model.safetensors is a link that leads out of the checkpoint or nowhere"),
        later("A loader follows the link: it works only as long as its target stays."),
    ),
    Explanation(
        "permission-denied",
        later("This account may not read a file or a directory."),
        later("The job runs under another account, and its files are for that one only."),
        UNKNOWN,
        later("Look with the account of the job, or let this one read: `chmod -R g+rX DIR`."),
        later("model.pt: permission to read the file is denied"),
        later("The job itself may well be able to load it."),
    ),
    Explanation(
        "preallocated",
        later("A file has its full size, but blocks of it are missing on the disk."),
        later(
            "A writer reserved the size first and was cut before it filled it, or a tool copied"
            " the file sparsely."
        ),
        REMARK,
        later(
            "If the save was cut, resume from another checkpoint: the size proves nothing, holes"
            " read as zeros."
        ),
        later("model.pt is 4294967296 bytes long, but only 1048576 are on disk"),
        later("The loader takes the zeros for weights, without an error."),
    ),
    Explanation(
        "reader-failed",
        later("A reader of ckpt-tui, or of a plug-in, failed by a mistake of its own."),
        later("The files have a shape that the reader's author did not think of."),
        UNKNOWN,
        later(
            "Report it, with the file that causes it if you may share it, and judge this"
            " checkpoint with the framework."
        ),
    ),
    Explanation(
        "refused-pickle",
        later("A file names a class or function that `torch.load` refuses."),
        later(
            "The job put something else than tensors and plain values into its state, such as a"
            " scalar of numpy or an object of a class of its own. Torch 2.6 began to refuse these"
            " (`weights_only=True`)."
        ),
        later(
            "Incomplete: the framework stops at it. A remark where torch before 2.7 wrote the"
            " file, since a job of that version may still load it."
        ),
        later(
            "If you trust the file, allow the class in the job with"
            " `torch.serialization.add_safe_globals`, or set TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD=1"
            " where the framework leaves the choice to torch."
        ),
        later("optimizer.pt names numpy._core.multiarray.scalar, which `torch.load` refuses"),
        later("`torch.load` stops with `UnpicklingError: Weights only load failed`."),
    ),
    Explanation(
        "size-mismatch",
        later("A file has another size than its manifest or header says."),
        later(
            "The file was cut, exchanged or written over by a later save after the manifest was"
            " made."
        ),
        CORRUPT,
        later("Resume from another checkpoint, or copy the file back from where it was whole."),
        later("model-rank1.bin has 512 bytes, the manifest says 943718400"),
        later("Loaders stop, or read bytes of another tensor where they trust the offsets."),
    ),
    Explanation(
        "staging-leftover",
        later("A temporary file or directory of a save is still there."),
        later("The save was cut before the rename that would have put it in its place."),
        REMARK,
        later("Remove it once no job writes it. It takes space and is of no use to a restart."),
        later(
            "step-1300.tmp: it still has a temporary name: the rename that commits it never came"
        ),
        later("Frameworks pass over it, or overwrite it at the next save of that step."),
    ),
    Explanation(
        "truncated-file",
        later("A file ends before its own end mark, or before what its index refers to."),
        later(
            "The job was killed while it wrote, the disk was full, or a copy was cut. It is the"
            " most frequent damage of all."
        ),
        CORRUPT,
        later(
            "Resume from another checkpoint. If the file was whole elsewhere, such as on the disk"
            " of the node that wrote it, copy it from there."
        ),
        later(
            "model.pt: the zip archive of 1048576 bytes has no end record in its last 65557 bytes"
        ),
        later(
            "`torch.load` stops with `PytorchStreamReader failed reading zip archive: failed"
            " finding central directory`; safetensors stops with `MetadataIncompleteBuffer`."
        ),
    ),
    Explanation(
        "unreadable-archive",
        later("An archive or pickle has its end, but its structure cannot be right."),
        later(
            "Bytes in the middle were damaged, or the file is of another kind than its name says."
        ),
        CORRUPT,
        later("Resume from another checkpoint, or copy the file back from where it was whole."),
        later("model.pt: the record data/17, which data.pkl refers to, is missing"),
        later("The loader stops with an error, mostly after it has read a part."),
    ),
    Explanation(
        "unsafe-pickle",
        later("A pickle names a function that would run on loading; it was not run here."),
        later(
            "The file was made to do that, or a job saved an object that is rebuilt by such a call."
        ),
        REMARK,
        later(
            "Find out who wrote the file before any framework loads it, and load it only with"
            " `weights_only=True`."
        ),
        later("the pickle names posix.system, which can run code when it is loaded"),
        later("`torch.load(weights_only=False)` would run the function with the job's rights."),
    ),
    Explanation(
        "unsupported-version",
        later("A file, manifest or index is of a version or kind that is not read here."),
        later(
            "A newer or much older framework wrote it, an unusual back end, or a job that"
            " compresses what it saves."
        ),
        UNKNOWN,
        later("Use a newer ckpt-tui, or load it with the framework that wrote it."),
        later("metadata.json names the backend zarr; only torch_dist of version 1 is read"),
    ),
    Explanation(
        "empty-tensors",
        later("A model file is valid, but holds no tensors, or only empty ones."),
        later(
            "The weights lay in shards on other ranks and were never gathered, as under ZeRO-3"
            " without its 16-bit gathering."
        ),
        INCOMPLETE_OR_REMARK,
        later(
            "Take the weights from another checkpoint, or from the optimizer's partitions"
            " (`zero_to_fp32.py` of DeepSpeed)."
        ),
        later("model.safetensors is readable, but holds no tensor elements"),
        later("Some loaders go on with freshly initialised weights."),
    ),
)
