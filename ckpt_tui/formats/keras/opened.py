"""Reads one file of weights, whatever its form, as the parts of a checkpoint."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.artifacts.hdf5.contents import read_contents
from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.core.facts import RoleFacts, TensorFacts
from ckpt_tui.core.vocabulary import CONFIG as CONFIG_ROLE
from ckpt_tui.core.vocabulary import OPTIMIZER, PROGRESS, SCHEDULER
from ckpt_tui.formats.keras.archive import compile_config, read_archive, unread_weights
from ckpt_tui.formats.keras.layers import missing_layers
from ckpt_tui.formats.keras.legacy import is_legacy, read_legacy
from ckpt_tui.formats.keras.loading import compiles_nothing, drops_scaled
from ckpt_tui.formats.keras.names import ARCHIVE, CONFIG, INNER_WEIGHTS
from ckpt_tui.formats.keras.optimizers import expected_of, scales_loss
from ckpt_tui.formats.keras.weights import Weights, is_scaled, read_weights, role_of
from ckpt_tui.formats.shared.bounds import MOST_TENSORS
from ckpt_tui.formats.shared.problems import capped, finding_of_error, lacks_content, missing_file

if TYPE_CHECKING:
    from ckpt_tui.artifacts.hdf5.contents import Contents
    from ckpt_tui.artifacts.limits import Limits
    from ckpt_tui.artifacts.source import Source
    from ckpt_tui.core.findings import Finding
    from ckpt_tui.formats.base import CheckpointFiles


_OF_OPTIMIZER = (OPTIMIZER, PROGRESS, SCHEDULER)


class Opened(NamedTuple):
    """What a file of weights holds.

    Attributes:
        roles: One entry a role; none where it could not be read.
        findings: What is wrong with it.
        iterations: Of the optimizer; None without one.
        tensors: Its variables, at most `MOST_TENSORS`.
        tensors_total: How many there are.
        readable: Whether its structure is whole.
        is_open: Whether its writer has not closed it.
        objects: What has to be passed as `custom_objects`, as Python text, or "".
        compared: Whether a checksum over all its bytes was compared.
        scaled: Whether its optimizer scales the loss, though the configuration does not say so.
    """

    roles: tuple[RoleFacts, ...] = ()
    findings: tuple[Finding, ...] = ()
    iterations: int | None = None
    tensors: tuple[TensorFacts, ...] = ()
    tensors_total: int = 0
    readable: bool = False
    is_open: bool = False
    objects: str = ""
    compared: bool = False
    scaled: bool = False


def open_weights(files: CheckpointFiles, path: str, config: object = None) -> Opened:
    """Reads one file of a checkpoint; whatever is wrong with it is a finding.

    Args:
        files: The checkpoint.
        path: The file: `.keras`, or HDF5.
        config: The model's configuration, where another file has it.
    """
    try:
        with files.open(path) as source:
            if path.endswith(ARCHIVE):
                return _of_archive(source, path, files.limits)
            return _of_hdf5(source, path, files.limits, config)
    except ArtifactError as error:
        return Opened(findings=(finding_of_error(error, path),))


def _of_archive(source: Source, path: str, limits: Limits) -> Opened:
    archive = read_archive(source, limits)
    if archive.weights is None and archive.in_numpy:
        raise unread_weights(source.name)
    findings = []
    if archive.config is None:
        findings.append(missing_file(f"{path}/{CONFIG}", "Keras makes the model from it"))
    if archive.weights is None:
        findings.append(missing_file(f"{path}/{INNER_WEIGHTS}", "it holds every state"))
        return Opened(findings=tuple(findings))
    opened = _of_hdf5(archive.weights, path, limits, archive.config)
    roles = opened.roles
    if archive.config is not None:
        roles = (*roles, RoleFacts(CONFIG_ROLE, None, 1, CONFIG, paths=(path,)))
    return opened._replace(
        roles=roles, findings=(*findings, *opened.findings), compared=archive.compared
    )


def _of_hdf5(source: Source, path: str, limits: Limits, config: object) -> Opened:
    contents = read_contents(source, limits)
    if contents.links:
        first = min(contents.links)
        raise contents.view.wrong(f"{first!r} is a link within the file, which Keras refuses")
    tensors = tensors_of(contents, path)
    objects = ""
    scaled = _scales_unsaid(contents, config)
    if is_legacy(contents):
        legacy = read_legacy(contents, path, limits)
        found, objects = Weights(legacy.roles, legacy.findings, legacy.iterations), legacy.objects
    else:
        found = _of_keras_3(contents, path, config, scaled=scaled)
    return Opened(
        found.roles,
        found.findings,
        found.iterations,
        tensors,
        len(contents.datasets),
        readable=True,
        is_open=contents.is_open,
        objects=objects,
        scaled=scaled,
    )


def _of_keras_3(contents: Contents, path: str, config: object, *, scaled: bool) -> Weights:
    """What the weights hold and, where there is a configuration, what Keras makes of it."""
    optimizer = compile_config(config)
    found = read_weights([(path, contents)], expected_of(optimizer))
    lacking = [
        lacks_content(path, f"variables of {layer}", "Keras")
        for layer in missing_layers(config, contents.datasets)
    ]
    findings = [*found.findings, *capped(lacking)]
    if scaled:
        findings.append(drops_scaled(path))
    if config is None or optimizer is not None or found.iterations is None:
        return found._replace(findings=tuple(findings))
    kept = tuple(role for role in found.roles if role.role not in _OF_OPTIMIZER)
    return Weights(kept, (*findings, compiles_nothing(path)))


def _scales_unsaid(contents: Contents, config: object) -> bool:
    """Whether the optimizer scales its loss, though the configuration does not say so."""
    optimizer = compile_config(config)
    return optimizer is not None and not scales_loss(optimizer) and is_scaled(contents.groups)


def tensors_of(contents: Contents, path: str) -> tuple[TensorFacts, ...]:
    """The variables of a file, in the order of their paths."""
    names = sorted(contents.datasets)[:MOST_TENSORS]
    return tuple(
        TensorFacts(
            name,
            dataset.dtype(contents.view),
            dataset.shape or (),
            dataset.size_bytes,
            role_of(name),
            path,
        )
        for name in names
        for dataset in (contents.datasets[name],)
    )
