"""The simulated job's own loader: the judge of what can really be restored.

It shares nothing with the readers of this package: it reads every byte of a checkpoint, checks
it against the manifest and against the content that the seed gives, and refuses with the reason.
"""

from __future__ import annotations

import json
import re
import zlib
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.vocabulary import MODEL, OPTIMIZER, PROGRESS, REQUIRED_ROLES, RNG
from ckpt_tui.demo.content import ONE_RANK_ROLES, Identity, plain_pieces, shard_pieces
from ckpt_tui.demo.layout import saved_checkpoints
from ckpt_tui.demo.torch_parse import TorchFileError, parse_torch_file

if TYPE_CHECKING:
    from pathlib import Path

    from ckpt_tui.demo.torch_values import Tree

_SCHEMA = "ckpt-tui/manifest/1"
_MAX_FILE_BYTES = 96 * 2**20
_FILE_NAME = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9_.-]*")


class LoadError(Exception):
    """The checkpoint cannot be restored; the message names the file and the reason."""


class RestoredState(NamedTuple):
    """A checkpoint that was read and checked to the last byte.

    Attributes:
        checkpoint_id: Its identity; the file's name for a plain checkpoint.
        step: The training iteration to go on from.
        world_size: How many ranks wrote it.
        seed: Where its content comes from.
        states: For each role, the state of each rank that holds it.
    """

    checkpoint_id: str
    step: int
    world_size: int
    seed: int
    states: dict[str, dict[int, Tree | bytes]]


class _Manifest(NamedTuple):
    checkpoint_id: str
    step: int
    world_size: int
    shards: dict[tuple[str, int], bytes]


def restore(checkpoint_path: Path) -> RestoredState:
    """Reads a checkpoint completely, as a resumed job would.

    Args:
        checkpoint_path: A sharded checkpoint's directory or a plain checkpoint's file.

    Raises:
        LoadError: Something is missing, cut, damaged, mixed, or not committed.
    """
    if checkpoint_path.is_dir():
        return _restore_sharded(checkpoint_path)
    return _restore_plain(checkpoint_path)


def resume_point(run_directory: Path) -> tuple[Path, int] | None:
    """The checkpoint of the highest step that restores, and its step; None if there is none."""
    for saved in reversed(saved_checkpoints(run_directory)):
        try:
            restored = restore(saved.path)
        except LoadError:
            continue
        if restored.step == saved.step:
            return saved.path, saved.step
    return None


def _restore_sharded(directory: Path) -> RestoredState:
    manifest = _read_manifest(directory)
    ranks = list(range(manifest.world_size))
    for role in REQUIRED_ROLES:
        found = sorted(rank for listed, rank in manifest.shards if listed == role)
        expected = ranks[:1] if role in ONE_RANK_ROLES else ranks
        if found != expected:
            raise LoadError(f"{directory}: {role} of ranks {expected} expected, {found} listed")
    largest_bytes = max(map(len, manifest.shards.values()))
    progress = _parse(directory, PROGRESS, manifest.shards[PROGRESS, 0])
    identity = _identity(directory, progress, largest_bytes)
    if (identity.step, identity.world_size) != (manifest.step, manifest.world_size):
        raise LoadError(
            f"{directory}: the manifest says step {manifest.step} of {manifest.world_size} ranks, "
            f"progress says step {identity.step} of {identity.world_size}"
        )
    states: dict[str, dict[int, Tree | bytes]] = {}
    for (role, rank), data in manifest.shards.items():
        owner = identity._replace(rank=rank)
        states.setdefault(role, {})[rank] = _checked_shard(directory, role, owner, data)
    return RestoredState(
        manifest.checkpoint_id, manifest.step, manifest.world_size, identity.seed, states
    )


def _checked_shard(directory: Path, role: str, owner: Identity, data: bytes) -> Tree | bytes:
    state: Tree | bytes = data
    if role != RNG:
        tree = _parse(directory, role, data)
        if _identity(directory, tree, owner.shard_bytes) != owner:
            raise LoadError(f"{directory}: {role} of rank {owner.rank} is of another step or job")
        state = tree
    if data != b"".join(shard_pieces(role, owner)):
        raise LoadError(f"{directory}: {role} of rank {owner.rank} is not what the seed gives")
    return state


def _restore_plain(path: Path) -> RestoredState:
    data = _read(path)
    tree = _parse(path, MODEL, data)
    if not isinstance(tree, dict) or OPTIMIZER not in tree:
        raise LoadError(f"{path}: there is no optimizer state: weights only")
    identity = _identity(path, tree.get("config"), len(data))
    if tree.get("step") != identity.step:
        raise LoadError(f"{path}: step {tree.get('step')} is not its config's {identity.step}")
    if data != b"".join(plain_pieces(identity, path.stem)):
        raise LoadError(f"{path}: the content is not what the seed gives")
    states: dict[str, dict[int, Tree | bytes]] = {
        str(key): {0: value} for key, value in tree.items() if key not in ("step", "config")
    }
    states[PROGRESS] = {0: identity.step}
    return RestoredState(path.name, identity.step, 1, identity.seed, states)


def _read_manifest(directory: Path) -> _Manifest:
    path = directory / "manifest.json"
    try:
        document = json.loads(_read(path))
        schema, committed = document["schema"], document["committed"]
        checkpoint_id, step = document["checkpoint_id"], document["step"]
        world_size, rows = document["world_size"], document["entries"]
        facts = [
            (row["role"], row["rank"], row["path"], row["size_bytes"], row["crc32"]) for row in rows
        ]
        foreign = [row["path"] for row in rows if row["checkpoint_id"] != checkpoint_id]
    except (ValueError, TypeError, KeyError) as error:
        raise LoadError(f"{path}: not a whole manifest: {error!r}") from error
    if schema != _SCHEMA or committed is not True:
        raise LoadError(f"{path}: schema {schema!r}, committed {committed!r}")
    if foreign or not facts:
        raise LoadError(f"{path}: no entries, or some of another checkpoint: {foreign}")
    shards: dict[tuple[str, int], bytes] = {}
    for role, rank, name, size_bytes, crc32 in facts:
        if (role, rank) in shards:
            raise LoadError(f"{path}: {role} of rank {rank} is listed twice")
        shards[role, rank] = _read_listed(directory, name, size_bytes, crc32)
    return _Manifest(checkpoint_id, step, world_size, shards)


def _read_listed(directory: Path, name: object, size_bytes: object, crc32: object) -> bytes:
    if not isinstance(name, str) or not _FILE_NAME.fullmatch(name):
        raise LoadError(f"{directory}: entry {name!r} is no plain file name")
    data = _read(directory / name)
    if len(data) != size_bytes:
        raise LoadError(f"{directory / name}: has {len(data)} bytes of {size_bytes}")
    if f"{zlib.crc32(data):08x}" != crc32:
        raise LoadError(f"{directory / name}: CRC-32 differs from the manifest's {crc32}")
    return data


def _read(path: Path) -> bytes:
    try:
        if path.is_symlink() or not path.is_file():
            raise LoadError(f"{path}: is not there, or no plain file")
        with path.open("rb") as stream:
            data = stream.read(_MAX_FILE_BYTES + 1)
    except OSError as error:
        raise LoadError(f"{path}: cannot be read: {error}") from error
    if len(data) > _MAX_FILE_BYTES:
        raise LoadError(f"{path}: is larger than anything the simulated job writes")
    return data


def _parse(path: Path, role: str, data: bytes) -> Tree:
    try:
        if role in ONE_RANK_ROLES:
            tree: Tree = json.loads(data)
            return tree
        return parse_torch_file(data)
    except (TorchFileError, ValueError) as error:
        raise LoadError(f"{path}: {role} cannot be parsed: {error}") from error


def _identity(path: Path, tree: Tree, largest_bytes: int) -> Identity:
    """Whose state the tree says it is; no more bytes are asked for than the files could hold."""
    values = tree if isinstance(tree, dict) else {}
    numbers = [value for field in Identity._fields if isinstance(value := values.get(field), int)]
    if len(numbers) != len(Identity._fields):
        raise LoadError(f"{path}: {', '.join(Identity._fields)} are not all there")
    identity = Identity(*numbers)
    if not 0 < identity.shard_bytes <= largest_bytes:
        raise LoadError(f"{path}: shard_bytes {identity.shard_bytes} do not fit its files")
    return identity
