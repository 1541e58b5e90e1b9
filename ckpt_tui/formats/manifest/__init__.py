"""Our own manifest format."""
