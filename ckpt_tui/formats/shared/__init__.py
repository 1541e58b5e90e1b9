"""Pieces that several readers use.

What names say: `names`, `series`, `named_progress`, `roles` with the tables of `role_names`.
Pointers and markers of a run: `pointers`, `ray_state`, `nemo_marker`.
Reading one file: `archive_roles`, `archive_step`, `archive_counts`, `tensor_walk`, `state_file`,
`weight_file`, `json_files`, `end_mark`. Reading several: `beside`, `safetensors_model`, `nested`.
Findings: `problems`, `bounds`, `links_and_holes`, `node_local`, `saves_apart`,
`safetensors_leftovers`.
Facts: `common_facts`, `file_table`, `shards`, `role_merge`, `resharding`, `times`.
"""
