"""Hugging Face Trainer."""
