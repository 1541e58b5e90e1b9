"""The framework as judge: writers are killed, and whatever they leave is loaded and compared."""
