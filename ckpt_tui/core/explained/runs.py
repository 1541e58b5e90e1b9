"""Findings about a run as a whole: its pointers, its order, what the framework would choose."""

from __future__ import annotations

from ckpt_tui.core.explained.values import OF_RUN, Explanation
from ckpt_tui.words import later

RUNS = (
    Explanation(
        "auto-resume-trap",
        later("Told to find the latest by itself, the framework takes another checkpoint."),
        later(
            "The framework takes the highest number without reading it, follows its pointer, or"
            " writes one name over and over, and that one cannot be gone on from."
        ),
        OF_RUN,
        later(
            "Give the job the resume point by name, with the path, tag or flag that the finding"
            " shows (`ckpt-tui latest DIR --print flag`); where it says so, move the other away."
        ),
        later(
            "told to find the latest by itself, the framework takes checkpoint-1300 (uncommitted)"
        ),
        later(
            "Trainer with `resume_from_checkpoint=True` takes the highest number; DeepSpeed"
            " follows `latest`; Megatron-LM follows latest_checkpointed_iteration.txt. Keras: `fit`"
            " with `BackupAndRestore` loads its directory over any model that was loaded before,"
            " and raises at each start where it is damaged."
        ),
    ),
    Explanation(
        "cadence-gap",
        later("By the run's own rhythm a save is missing."),
        later(
            "A save failed or was removed, or the job went on and no longer saves. At a power of"
            " ten a clean-up that sorts names as text removes the newest (step 1000 before step"
            " 900)."
        ),
        OF_RUN,
        later(
            "Look into the job's log for saves that failed, and at what removes old checkpoints."
        ),
        later("step 600 is absent between 400 and 800, in a series of every 200 steps"),
    ),
    Explanation(
        "mixed-runs",
        later("Two jobs saved into one directory."),
        later(
            "A job was started from step 0 in a used directory, or two jobs were given the same"
            " one and write in turns."
        ),
        OF_RUN,
        later(
            "Decide which job is meant and name its checkpoint; then give each job a directory of"
            " its own."
        ),
        later(
            "a job began from step 0 in a used directory: steps 100 to 5000 had been saved before"
        ),
        later("A clean-up of one job may remove the checkpoints of the other."),
    ),
    Explanation(
        "order-disagrees",
        later("A lower step was committed after a higher one."),
        later(
            "The job went back to an older checkpoint, two jobs write here, or a copy set the"
            " times."
        ),
        OF_RUN,
        later("Make sure which one the job should go on from; the highest step is proposed."),
        later("step 900 was committed after step 1200: the job went back, or two jobs write here"),
        later("Some frameworks take the highest step, some the youngest file."),
    ),
    Explanation(
        "pointer-ahead",
        later("A pointer names a checkpoint that cannot be resumed from."),
        later(
            "The pointer was written before the save was whole, or the checkpoint was damaged"
            " later."
        ),
        OF_RUN,
        later("Give the job the resume point by name, or write its name into the pointer."),
        later("latest: names a checkpoint that cannot be resumed from (global_step1300)"),
        later("A job that follows the pointer stops, or loads what is broken."),
    ),
    Explanation(
        "pointer-dangling",
        later("A pointer names what is not there."),
        later("The checkpoint was removed or renamed, or the run was copied only in part."),
        OF_RUN,
        later("Give the job the resume point by name, or write its name into the pointer."),
        later("latest: names a checkpoint that is not there (global_step1300)"),
        later("A job that follows the pointer stops, or starts from step 0."),
    ),
    Explanation(
        "pointer-stale",
        later("A pointer names an older one than the newest committed, and not the resume point."),
        later("The job was killed after it committed the save and before it moved the pointer."),
        OF_RUN,
        later("Give the job the resume point by name; else it repeats the steps between the two."),
        later("latest: names an older checkpoint than the newest committed one (global_step1100)"),
        later("A job that follows the pointer goes back further than it has to."),
    ),
    Explanation(
        "pointer-unreadable",
        later("A pointer is empty, cannot be read, or leads to itself."),
        later("It was cut while it was written, the disk was full, or a link was made wrongly."),
        OF_RUN,
        later("Give the job the resume point by name, or write its name into the pointer."),
        later("latest: cannot be read"),
        later("A job that follows the pointer stops, or starts from step 0."),
    ),
    Explanation(
        "resume-point-old",
        later("The resume point is older than you allow, or its age cannot be told."),
        later("The job stands, saves fail, or it saves less often than `--warn-age` expects."),
        OF_RUN,
        later("Look whether the job still runs and saves, and into its log."),
        later("the resume point is 7h 12m old, the limit is 6h 00m"),
    ),
    Explanation(
        "starts-from-zero",
        later("A restart that is told nothing would begin at step 0, silently."),
        later(
            "The framework follows a pointer and there is none, or it passes over what is not"
            " committed and nothing else is there."
        ),
        OF_RUN,
        later(
            "Before any restart: give the job the resume point by name, restore the pointer, or"
            " finish by hand what is whole."
        ),
        later(
            "no pointer names a checkpoint: a job that is told nothing starts from step 0 silently"
        ),
        later(
            "DeepSpeed without `latest` and Megatron-LM without latest_checkpointed_iteration.txt"
            " say so in one line of the log and train from step 0."
        ),
    ),
    Explanation(
        "too-few-good",
        later("There are fewer resumable checkpoints than you want."),
        later("Saves fail, or the job keeps too few: with a single good one, one fault loses all."),
        OF_RUN,
        later("Let the job keep at least two or three, and find out why saves fail."),
        later("1 resumable checkpoint, fewer than 2"),
    ),
)
