"""Loads a pickle as plain containers and inert stand-ins; nothing is imported or called."""

from __future__ import annotations

import io
import pickle
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final, NamedTuple

from ckpt_tui.artifacts import pickle_opcodes as requests
from ckpt_tui.artifacts.collector import collector_paused
from ckpt_tui.artifacts.inert import Instance, Stub
from ckpt_tui.artifacts.limits import ArtifactError, Deadline, Limits, check_metadata_size
from ckpt_tui.artifacts.pickle_globals import PLAIN_FACTORIES
from ckpt_tui.artifacts.pickle_items import ItemKeeper
from ckpt_tui.artifacts.pickle_opcodes import check_pickle
from ckpt_tui.artifacts.source import Source, read_exactly, require_content

Factory = Callable[[tuple[object, ...]], object]
PersistentLoad = Callable[[object], object]

_GLOBALS: Final = 10_000
_NAME_LENGTH: Final = 1000
_SPARE_BUDGET: Final = 100_000
# An empty set takes far more memory than its opcode.
_SET_COST: Final = 8
_RENAMED: Final = {"__builtin__": "builtins", "copy_reg": "copyreg"}


class LoadedPickle(NamedTuple):
    """What a pickle holds.

    Attributes:
        value: Its top-level object, of plain containers, scalars, `Stub` and `Instance`. It may
            be nested deeply and may contain itself.
        globals: The qualified name of every global it names.
        opcodes: How many opcodes it has.
        protocol: The protocol that it names; 0 where it names none, as up to protocol 1.
    """

    value: object
    globals: frozenset[str]
    opcodes: int
    protocol: int = 0


class PickleAt(NamedTuple):
    """A pickle that was found within other data, and the offset of its end."""

    loaded: LoadedPickle
    end: int


def load_pickle(
    source: Source | bytes,
    limits: Limits,
    persistent_load: PersistentLoad | None = None,
    factories: Mapping[str, Factory] | None = None,
) -> LoadedPickle:
    """Loads a pickle that fills a source; what follows its STOP opcode is not looked at.

    Args:
        source: The pickle.
        limits: Bounds of size, opcodes and time.
        persistent_load: Answers persistent IDs; without it they are an error.
        factories: By qualified name, what to build from a global's positional arguments instead
            of an `Instance`.

    Raises:
        ArtifactError: `empty-file`, `truncated-file`, `unreadable-archive` or
            `limit-exceeded`.
    """
    if isinstance(source, bytes):
        data, path = source, ""
        check_metadata_size("the pickle", len(data), limits, path)
    else:
        path = source.name
        require_content(source)
        check_metadata_size("the pickle", source.size, limits, path)
        data = read_exactly(source, 0, source.size, "the pickle")
    deadline = Deadline(limits, path)
    return load_pickle_at(data, 0, limits, deadline, path, persistent_load, factories).loaded


def load_pickle_at(
    data: bytes,
    start: int,
    limits: Limits,
    deadline: Deadline,
    path: str = "",
    persistent_load: PersistentLoad | None = None,
    factories: Mapping[str, Factory] | None = None,
) -> PickleAt:
    """Loads the pickle that starts at an offset of the data; see `load_pickle`."""
    checked = check_pickle(data, start, limits, deadline, path)
    budget = 2 * (checked.end - start) + _SPARE_BUDGET
    keeper = ItemKeeper(deadline, budget)
    unpickler = _Unpickler(checked.stream, keeper, deadline, persistent_load, factories or {})
    value = _run(unpickler, path)
    names, protocol = frozenset(unpickler.names), _protocol(data, start)
    return PickleAt(LoadedPickle(value, names, checked.opcodes, protocol), checked.end)


def _protocol(data: bytes, start: int) -> int:
    return data[start + 1] if data[start : start + 1] == pickle.PROTO else 0


def _run(unpickler: _Unpickler, path: str) -> object:
    try:
        with collector_paused():
            return unpickler.load()
    except ArtifactError as error:
        raise error.at(error.path or path) from error
    except MemoryError as error:
        raise ArtifactError(
            "limit-exceeded", "the pickle needs more memory than there is", path
        ) from error
    except Exception as error:
        # A KeyError's text is the repr of the key, which may be endless.
        reason = "" if isinstance(error, KeyError) else str(error)[:200]
        reason = reason or type(error).__name__
        raise ArtifactError(
            "unreadable-archive", f"the pickle cannot be built: {reason!r}", path
        ) from error


class _Unpickler(pickle.Unpickler):
    """The C unpickler, with every call, hash and change of an object in our hands."""

    def __init__(
        self,
        stream: bytes,
        keeper: ItemKeeper,
        deadline: Deadline,
        answer: PersistentLoad | None,
        factories: Mapping[str, Factory],
    ) -> None:
        super().__init__(io.BytesIO(stream), encoding="latin-1")
        self.names: set[str] = set()
        self._stubs: dict[tuple[str, str], Stub] = {}
        self._builders: dict[object, Factory] = {}
        self._keeper = keeper
        self._deadline = deadline
        self._answer = answer
        self._factories = factories
        self._handlers = self._bind_handlers()

    def find_class(self, module: str, name: str) -> Stub:
        stub = self._stubs.get((module, name))
        if stub is None:
            stub = self._stubs[module, name] = self._new_stub(module, name)
        return stub

    def persistent_load(self, request: tuple[object, ...]) -> object:
        """Answers what `pickle_opcodes` rewrote opcodes to; every operand may be hostile."""
        if len(request) == 1:
            return self._call(request[0], ())
        first, second, third = request
        if type(third) is tuple and type(first) is Instance and type(second) is dict:
            # What nearly all requests of a large pickle are: a dataclass instance.
            self._keeper.set_items(second, third)
            first.state = second
            return first
        if type(third) is tuple:
            return self._set_state(first, self._set_items(second, third))
        if third == requests.CALL:
            return self._call(first, second)
        return self._handlers[third](first, second)

    def _bind_handlers(self) -> Mapping[object, Callable[[object, object], object]]:
        return {
            requests.CALL_KEYWORDS: self._call_keywords,
            requests.CALL_INSTANCE: self._call_instance,
            requests.CALL_MARKED: self._call_marked,
            requests.SET_STATE: self._set_state,
            requests.SET_ITEM: self._set_items,
            requests.SET_ITEMS: self._set_items,
            requests.ADD_ITEMS: self._add_items,
            requests.NEW_DICT: self._new_dict,
            requests.NEW_SET: self._new_set,
            requests.NEW_FROZENSET: self._new_frozenset,
            requests.PERSISTENT_ID: self._persistent_id,
            requests.LOOK_AT_CLOCK: self._look_at_clock,
        }

    def _new_stub(self, module: str, name: str) -> Stub:
        if len(self._stubs) >= _GLOBALS or len(module) + len(name) > _NAME_LENGTH:
            raise ArtifactError(
                "limit-exceeded",
                f"the pickle names more than {_GLOBALS} globals, or one that is longer than "
                f"{_NAME_LENGTH} characters",
            )
        stub = Stub(_RENAMED.get(module, module), name)
        name = stub.qualified_name
        self.names.add(name)
        if (plain := PLAIN_FACTORIES.get(name)) is not None:
            self._builders[stub] = partial(plain, self._keeper)
        elif (factory := self._factories.get(name)) is not None:
            self._builders[stub] = factory
        elif name == "builtins.getattr":
            self._builders[stub] = partial(self._attribute, stub)
        return stub

    def _call(self, target: object, args: object) -> object:
        if type(args) is not tuple:
            raise ArtifactError("unreadable-archive", "the pickle calls without arguments")
        if type(target) is not Stub:
            # A call of what another call returned: nothing is known of its result.
            return Instance(_CALLED, (target, args))
        builder = self._builders.get(target)
        return Instance(target, args) if builder is None else builder(args)

    def _attribute(self, target: Stub, args: tuple[object, ...]) -> object:
        """Nested classes and enumerations are pickled as an attribute of an outer class."""
        if len(args) == 2 and isinstance(args[0], Stub | Instance) and isinstance(args[1], str):
            attribute = self.find_class(args[0].module, f"{args[0].name}.{args[1]}")
            return attribute if isinstance(args[0], Stub) else Instance(target, args)
        return Instance(target, args)

    def _call_keywords(self, target: object, arguments: object) -> object:
        if not isinstance(arguments, tuple):
            raise ArtifactError("unreadable-archive", "the pickle calls without arguments")
        args, kwargs = arguments
        if not isinstance(kwargs, dict):
            raise ArtifactError("unreadable-archive", "the pickle calls with odd keywords")
        built = self._call(target, args)
        if isinstance(built, Instance):
            built.keep_kwargs(kwargs)
        return built

    def _call_instance(self, args: object, target: object) -> object:
        return self._call(target, args)

    def _call_marked(self, items: object, _unused: object) -> object:
        if not isinstance(items, tuple) or not items:
            raise ArtifactError("unreadable-archive", "the pickle calls nothing")
        return self._call(items[0], items[1:])

    def _set_state(self, target: object, state: object) -> object:
        # Plain containers keep no state: state_dict()'s OrderedDict carries an unused one.
        if type(target) is Instance:
            target.state = state
        return target

    def _set_items(self, target: object, items: object) -> object:
        entries = target.entries if type(target) is Instance else target
        if type(entries) is not dict or not isinstance(items, tuple):
            raise ArtifactError(
                "unreadable-archive", f"the pickle sets items of a {type(target).__name__}"
            )
        self._keeper.set_items(entries, items)
        return target

    def _add_items(self, target: object, items: object) -> object:
        if type(target) is not set or not isinstance(items, tuple):
            raise ArtifactError(
                "unreadable-archive", f"the pickle adds elements to a {type(target).__name__}"
            )
        self._keeper.add(target, items)
        return target

    def _new_dict(self, items: object, _unused: object) -> object:
        return self._set_items({}, items)

    def _new_set(self, _unused: object, _unused_too: object) -> object:
        self._keeper.spend(_SET_COST)
        return set()

    def _new_frozenset(self, items: object, _unused: object) -> object:
        found = self._add_items(set(), items)
        return frozenset(found) if isinstance(found, set) else found

    def _look_at_clock(self, _unused: object, _unused_too: object) -> object:
        self._deadline.check()
        return None

    def _persistent_id(self, identifier: object, _unused: object) -> object:
        if self._answer is None:
            raise ArtifactError(
                "unreadable-archive", "the pickle refers to data outside of it (a persistent ID)"
            )
        return self._answer(identifier)


_CALLED: Final = Stub("", "<called>")
