"""A simulated training job that writes real checkpoints live, faults included.

`runner.run_demo` runs it here, `process.start_demo_process` in the background, and
`python -m ckpt_tui.demo` from a shell. `loader.restore` is its own judge: it reads every byte.
"""
