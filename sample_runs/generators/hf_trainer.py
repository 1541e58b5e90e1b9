"""Hugging Face Trainer: `checkpoint-N` folders and, at the end, an export in the run's folder.

    python hf_trainer.py OUT [--steps 30] [--export] [--save-only-model] [--slow]
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch
from slow_disk import slow_torch_save
from transformers import GPT2Config, GPT2LMHeadModel, Trainer, TrainingArguments

VOCABULARY = 64


class RandomText(torch.utils.data.Dataset):
    """Sixty-four fixed random sequences."""

    def __len__(self) -> int:
        return 64

    def __getitem__(self, index: int) -> dict[str, torch.Tensor]:
        generator = torch.Generator().manual_seed(index)
        tokens = torch.randint(0, VOCABULARY, (16,), generator=generator)
        return {"input_ids": tokens, "labels": tokens}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=Path)
    parser.add_argument("--steps", type=int, default=30)
    parser.add_argument("--export", action="store_true", help="save_model() into OUT at the end")
    parser.add_argument("--save-only-model", action="store_true")
    parser.add_argument("--slow", action="store_true", help="slow optimizer.pt, for kill.py")
    options = parser.parse_args()
    if options.slow:
        slow_torch_save("optimizer.pt")
    torch.manual_seed(0)
    model = GPT2LMHeadModel(
        GPT2Config(
            vocab_size=VOCABULARY,
            n_positions=32,
            n_embd=16,
            n_layer=2,
            n_head=2,
            bos_token_id=0,
            eos_token_id=1,
        )
    )
    arguments = TrainingArguments(
        output_dir=str(options.out),
        max_steps=options.steps,
        save_strategy="steps",
        save_steps=10,
        logging_steps=5,
        per_device_train_batch_size=2,
        save_only_model=options.save_only_model,
        report_to=[],
        use_cpu=True,
        disable_tqdm=True,
        seed=0,
    )
    trainer = Trainer(model=model, args=arguments, train_dataset=RandomText())
    trainer.train()
    if options.export:
        trainer.save_model()
        trainer.save_state()


if __name__ == "__main__":
    main()
