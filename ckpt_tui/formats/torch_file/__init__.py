"""Plain torch.save files: series, single, split per role or per rank."""
