"""Checkpoints of PaddlePaddle: `paddle.save` files, hapi's and the distributed form."""
