"""Prepared situations: real-looking runs of real formats, to be read by the tool as it reads any.

`catalog` names them, `situations` builds their directories, `megatron`, `torch_dcp`, `deepspeed`
and `hf_trainer` write what a save of these frameworks leaves, without torch. Tensors are holes in
sparse files: a checkpoint of 920 GiB takes a few megabytes.
"""
