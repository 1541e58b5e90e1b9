"""`.npz` and `.npy` files of loops of their own."""
