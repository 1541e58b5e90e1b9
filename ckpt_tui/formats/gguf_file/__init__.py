"""GGUF files: weights put out for llama.cpp."""
