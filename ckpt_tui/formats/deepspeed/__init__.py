"""DeepSpeed: ZeRO, pipeline, universal."""
