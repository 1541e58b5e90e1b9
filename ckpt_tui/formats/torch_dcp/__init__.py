"""torch.distributed.checkpoint: its plain directories, and the safetensors it can write."""
