"""What Megatron's formats share: names, pointers, launch arguments."""
