"""How the bytes of each kind of file are checked: one module each, and the table of them."""
