"""Transformers' `Trainer` on a small GPT-2, saving by itself."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import Any

from tests.framework.jobs.base import Configuration, Outcome
from tests.framework.jobs.digests import compare, note
from tests.framework.jobs.ranks import on_all_ranks

EMBEDDING = 192
SAMPLES = 64
LENGTH = 8


class HfTrainerJob:
    """`train()` with `save_steps=1`; `train(resume_from_checkpoint=…)` up to its first step."""

    name = "hf-trainer"
    format = "hf-trainer"
    configurations = (
        Configuration("single", 1, {}),
        Configuration("sharded", 1, {"shard_size": "1MB"}),
        Configuration("model-only", 1, {"arguments": {"save_only_model": True}}),
        Configuration("limit2", 1, {"arguments": {"save_total_limit": 2}}),
        Configuration("ddp2", 2, {}),
        Configuration("ddp2-limit2", 2, {"arguments": {"save_total_limit": 2}}),
    )

    def train(self, directory: Path, configuration: Configuration, saves: int) -> None:
        """Real training; what is in memory is noted after each step, before the save."""
        trainer = _trainer(directory, configuration.options, max_steps=saves, save_steps=1)
        trainer.add_callback(_note_before_save(directory))
        trainer.train()

    def checkpoints(self, directory: Path, configuration: Configuration) -> list[Path]:
        """Directories under the names that a user would pass."""
        found = [path for path in directory.glob("checkpoint-*") if path.name[11:].isdigit()]
        return sorted(found, key=_step_of)

    def load(self, checkpoint: Path, configuration: Configuration) -> Outcome:
        """As many processes as wrote it."""
        return on_all_ranks(configuration.ranks, _resume, checkpoint, configuration)


def _step_of(path: Path) -> int:
    return int(path.name[11:])


def _trainer(output: Path, options: dict[str, Any], **more: Any) -> Any:
    import torch
    from transformers import GPT2Config, GPT2LMHeadModel, Trainer, TrainingArguments

    class Samples(torch.utils.data.Dataset[dict[str, torch.Tensor]]):
        def __len__(self) -> int:
            return SAMPLES

        def __getitem__(self, place: int) -> dict[str, torch.Tensor]:
            tokens = (torch.arange(LENGTH) + place) % 64
            return {"input_ids": tokens, "labels": tokens}

    class ShardingTrainer(Trainer):
        def _save(self, output_dir: str | None = None, state_dict: Any = None) -> None:
            folder = Path(output_dir or self.args.output_dir)
            folder.mkdir(parents=True, exist_ok=True)
            self.model.save_pretrained(
                folder, state_dict=state_dict, max_shard_size=options["shard_size"]
            )
            torch.save(self.args, folder / "training_args.bin")

    torch.set_num_threads(1)
    torch.manual_seed(0)
    shape = {"n_positions": 32, "n_embd": EMBEDDING, "n_layer": 2, "n_head": 2}
    config = GPT2Config(vocab_size=512, bos_token_id=0, eos_token_id=1, **shape)
    arguments = TrainingArguments(
        output_dir=str(output),
        per_device_train_batch_size=2,
        logging_steps=1,
        report_to=[],
        use_cpu=True,
        disable_tqdm=True,
        seed=0,
        **{**more, **options.get("arguments", {})},
    )
    kind = ShardingTrainer if "shard_size" in options else Trainer
    return kind(model=GPT2LMHeadModel(config), args=arguments, train_dataset=Samples())


def _note_before_save(directory: Path) -> Any:
    from transformers import TrainerCallback

    class Note(TrainerCallback):
        def on_step_end(self, args: Any, state: Any, control: Any, **held: Any) -> None:
            note(directory, state.global_step, *_held(held))

    return Note()


def _held(held: dict[str, Any]) -> tuple[Any, Any]:
    parameters = list(held["model"].parameters())
    optimizer = held["optimizer"]
    state = getattr(optimizer, "optimizer", optimizer).state
    return parameters, [state[each] for each in parameters if each in state]


class _ResumedError(Exception):
    """Ends the training where only the resuming was of interest."""


def _resume(checkpoint: Path, configuration: Configuration) -> Outcome:
    from transformers import TrainerCallback

    outcomes: list[Outcome] = []

    class Look(TrainerCallback):
        def on_train_begin(self, args: Any, state: Any, control: Any, **held: Any) -> None:
            wanted = _step_of(checkpoint)
            step = state.global_step
            outcomes.append(compare(checkpoint.parent, step, wanted, *_held(held)))
            raise _ResumedError

    output = checkpoint.parent.with_name("resumed")
    steps = 1000  # beyond any step that was saved
    trainer = _trainer(output, configuration.options, max_steps=steps, save_strategy="no")
    trainer.add_callback(Look())
    with contextlib.suppress(_ResumedError):
        trainer.train(resume_from_checkpoint=os.fspath(checkpoint))
    return outcomes[0]


JOB = HfTrainerJob()
