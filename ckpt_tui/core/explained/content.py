"""Findings about what a checkpoint holds: roles, shards, its commit, who can load it."""

from __future__ import annotations

from ckpt_tui.core.explained.values import (
    INCOMPLETE,
    INCOMPLETE_OR_REMARK,
    REMARK,
    Explanation,
)
from ckpt_tui.words import later

CONTENT = (
    Explanation(
        "best-model-dangling",
        later("`best_model_checkpoint` in trainer_state.json names what is not beside it."),
        later("The run was moved, came from another machine, or the best checkpoint was removed."),
        REMARK,
        later(
            "Correct or clear the field in trainer_state.json before the run ends, or the"
            " Trainer's clean-up at the end may fail."
        ),
        later("`best_model_checkpoint` names '/old/place/checkpoint-500', which is not beside it"),
        later(
            "Trainer: some versions stop at the end of training, where they load the best model,"
            " and keep one checkpoint too many until then."
        ),
    ),
    Explanation(
        "checkpoint-id-mismatch",
        later("A shard says that it belongs to another checkpoint."),
        later(
            "Files of two saves were put together by hand, or a save was cut and mixed with old."
        ),
        INCOMPLETE,
        later("Resume from another checkpoint: these shards do not belong together."),
        later("shards of another checkpoint are inside: step-1100 beside step-1200"),
        later("Most loaders compare no IDs: the ranks would go on from two different steps."),
    ),
    Explanation(
        "extra-shard",
        later("A rank's file is there that the index never names, or a rank has two."),
        later("An earlier save into the same directory, by a job of more ranks, left it."),
        later(
            "A remark where the loader ignores it; incomplete where the manifest contradicts"
            " itself."
        ),
        later("None needed where it is ignored. Else resume from another checkpoint."),
        later("__7_0.distcp is not named by .metadata"),
        later("DCP reads only what its index names."),
    ),
    Explanation(
        "finishable",
        later("The content is whole, only the act that commits it is missing."),
        later("The job was killed between its last file and the rename or marker behind it."),
        REMARK,
        later(
            "Run the command that the finding names, once no job writes this checkpoint, and"
            " check it again. Do not delete it before."
        ),
        later("its content is whole; only the commit is missing"),
        later("The framework passes over it, or stops, until the commit is there."),
    ),
    Explanation(
        "lossy-loader",
        later("The framework's loader would drop a part of the state without a word."),
        later(
            "The loader restores parts only together, takes one from another place than you would"
            " think, or changed with a version."
        ),
        INCOMPLETE_OR_REMARK,
        later(
            "Resume from a checkpoint that has all parts, or load it with the version that the"
            " finding names."
        ),
        later("no scheduler: the Trainer restores optimizer and scheduler together or neither"),
        later(
            "Trainer: goes on with a fresh optimizer where the scheduler is missing. DeepSpeed"
            " since 0.18: does not load partitions of the bf16 optimizer of ZeRO stage 0."
            " Megatron-LM: takes the optimizer of the iteration that its tracker names."
        ),
    ),
    Explanation(
        "missing-role",
        later("A state that a restart needs is not there: a role, or a role of some ranks."),
        later("The job does not save it, the save was cut, or a file was removed afterwards."),
        later(
            "Incomplete for model and step, or where the run's other checkpoints have it; inexact"
            " for random state, data loader or a scheduler that the loader does without."
        ),
        later(
            "Resume from a checkpoint that has it. Where no one has it, save it too; roles that"
            " your job does not need are left out with `--require`."
        ),
        later("no scheduler: the learning rate schedule starts anew"),
        later("Depends on role and framework: the message says whether it stops or goes on."),
    ),
    Explanation(
        "missing-shard",
        later("A file that the index, the layout or the number of ranks demands is not there."),
        later(
            "A rank was killed in its save, its node wrote to a disk of its own, or a clean-up or"
            " a copy left it out."
        ),
        INCOMPLETE,
        later(
            "Look on the node of that rank, and copy the file back if it is there. Else resume"
            " from another checkpoint."
        ),
        later("rank 3 of 8 has no shard"),
        later("Loaders stop at the missing file; some only on the rank that needs it, and hang."),
    ),
    Explanation(
        "mixed-saves",
        later("One checkpoint holds parts of several saves."),
        later(
            "A save went over an older one and was cut, or was tried twice; or ranks were at"
            " different steps."
        ),
        INCOMPLETE_OR_REMARK,
        later(
            "Resume from another checkpoint. Where only times speak for it, make sure that no"
            " later save went into this directory: a copy changes times, too."
        ),
        later("files of several saves: the step is 1200 in rank 0, 1100 in rank 3"),
        later("Loaders do not compare the parts: model and optimizer may be of two steps."),
    ),
    Explanation(
        "node-local-part",
        later("Only the ranks of one node, or of some nodes, are here."),
        later("Each node saved to a disk of its own instead of a shared file system."),
        INCOMPLETE_OR_REMARK,
        later("Gather the files of all nodes in one place, then check again."),
        later("only ranks 0–7 of 16 wrote here: each node kept its own part"),
        later("A restart on the same nodes finds its parts; on others it stops."),
    ),
    Explanation(
        "non-finite-values",
        later("A tensor holds NaN or infinity: `ckpt-tui verify --finite` found it."),
        later("The training diverged before the save: such a loss makes every weight NaN."),
        later("A warning: the checkpoint loads, and training goes on from NaN."),
        later(
            "If the loss is NaN by now, resume from the newest checkpoint that was found finite,"
            " with another learning rate or other data. Where none is known yet, scan the older"
            " ones."
        ),
        later("not all values are finite: tensor layers.3.weight holds 12 NaN"),
        later("No loader looks for NaN: the loss is NaN from the first step on."),
    ),
    Explanation(
        "not-committed",
        later("The save never finished, by the rule of its own format."),
        later("The job was killed, ran out of time or out of space while it saved."),
        later("The checkpoint counts as uncommitted and is not resumed from."),
        later(
            "Resume from an older checkpoint. Remove this one once no job writes it, unless"
            " `finishable` stands beside it."
        ),
        later("the save never finished: .metadata is missing"),
        later("Most stop where it is named; some that look for the latest take it nevertheless."),
    ),
    Explanation(
        "partly-deleted",
        later("The oldest checkpoint lacks what all others have."),
        later("A removal of old checkpoints was cut half-way."),
        INCOMPLETE_OR_REMARK,
        later("It is safe to delete once no job writes it. Resume from a younger one."),
        later("no optimizer; the oldest, and files besides are gone: a removal was cut half-way"),
    ),
    Explanation(
        "step-mismatch",
        later("Name and content, or two parts, disagree about the step."),
        later("The directory was renamed, a counter began anew, or files of two saves were mixed."),
        REMARK,
        later(
            "The content's step counts. Compare with the run's other checkpoints before you rely"
            " on this one, and rename it where only its name is wrong."
        ),
        later("the name says step 1200, trainer_state.json says 1100"),
        later("Frameworks sort by name and go on from the content: a run may seem to jump."),
    ),
    Explanation(
        "weights-only",
        later("There is no optimizer state."),
        later("It is an export, or was thinned, or the job saves only its model."),
        later("The checkpoint counts as weights-only and is not resumed from."),
        later(
            "Use it to start a new run from its weights, or for inference. To continue the run,"
            " resume from a checkpoint that has its optimizer."
        ),
        later(
            "weights only: no optimizer state, so it loads a model but does not continue the run"
        ),
        later("Some go on with a fresh optimizer, without a word: the loss jumps."),
    ),
    Explanation(
        "world-size-mismatch",
        later("The job has another number of ranks than the one that wrote it."),
        later("`--world-size` names another size, and the format cannot reshard by itself."),
        later("The checkpoint counts as not resumable for that job, whatever its verdict."),
        later(
            "Restart with the writer's number of ranks, or convert the checkpoint as the finding"
            " says."
        ),
        later("written by 8 ranks; 16 ranks cannot load it"),
        later("The loader stops, or waits for ranks that do not exist."),
    ),
)
