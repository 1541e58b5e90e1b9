"""Pieces that several readers use: names, roles, pointers, problems, archives."""
