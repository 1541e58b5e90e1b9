"""Stand-ins for what a pickle names: they hold data, and nothing can be called through them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence


class Stub:
    """A global that a pickle names: a class, a function or a constant, never imported.

    Attributes:
        module: Its module.
        name: Its name in the module, with dots for a nested one.
        qualified_name: `module.name`.
    """

    __slots__ = ("module", "name", "qualified_name")

    def __init__(self, module: str, name: str) -> None:
        self.module = module
        self.name = name
        self.qualified_name = f"{module}.{name}"

    def __repr__(self) -> str:
        return f"<stub {self.qualified_name!r}>"


class _Extra(NamedTuple):
    """What few instances have, kept apart to keep the many small."""

    kwargs: Mapping[object, object]
    elements: list[object]
    entries: dict[object, object]


class Instance:
    """What a pickle would build by calling a global: the call, its state and its items.

    Equality and hash are by identity, so a hostile state cannot make them expensive.

    Attributes:
        stub: The global that would be called.
        args: The positional arguments.
        state: The state that would be given to it, or None.
    """

    __slots__ = ("_extra", "args", "state", "stub")

    def __init__(self, stub: Stub, args: tuple[object, ...]) -> None:
        self.stub = stub
        self.args = args
        self.state: object = None
        self._extra: _Extra | None = None

    @property
    def module(self) -> str:
        """The module of the global."""
        return self.stub.module

    @property
    def name(self) -> str:
        """The global's name in its module."""
        return self.stub.name

    @property
    def qualified_name(self) -> str:
        """`module.name` of the global."""
        return self.stub.qualified_name

    @property
    def attributes(self) -> Mapping[object, object]:
        """The state as attributes: a dictionary, or the two that `__slots__` give."""
        if type(self.state) is dict:
            return self.state
        parts = self.state if type(self.state) is tuple else ()
        found: dict[object, object] = {}
        for part in parts[:2]:
            if type(part) is dict:
                found.update(part)
        return found

    @property
    def kwargs(self) -> Mapping[object, object]:
        """The keyword arguments of the call."""
        return self._more().kwargs

    @property
    def elements(self) -> list[object]:
        """The items appended to it, as to a list."""
        return self._more().elements

    @property
    def entries(self) -> dict[object, object]:
        """The items set on it, as on a dictionary."""
        return self._more().entries

    @property
    def parts(self) -> tuple[object, ...]:
        """All that was given to it: arguments, state, and what few instances have beside."""
        return (self.args, self.state, *(self._extra or ()))

    def append(self, element: object) -> None:
        """Keeps one appended element; the unpickler calls this."""
        self._more().elements.append(element)

    def extend(self, elements: Sequence[object]) -> None:
        """Keeps several appended elements; the unpickler calls this."""
        self._more().elements.extend(elements)

    def keep_kwargs(self, kwargs: Mapping[object, object]) -> None:
        """Keeps the keyword arguments of the call."""
        self._extra = self._more()._replace(kwargs=kwargs)

    def _more(self) -> _Extra:
        if self._extra is None:
            self._extra = _Extra({}, [], {})
        return self._extra

    def __repr__(self) -> str:
        # Without arguments and state: they may be huge, or contain this instance.
        return f"<instance of {self.qualified_name!r}>"


class Payload(NamedTuple):
    """Bytes that were left in the file.

    Attributes:
        offset: Their first byte in the file.
        size_bytes: How many they are there.
        escape: So many bytes of the file stand for one at most: 1 where they lie there as they
            are, more where the pickle's protocol wrote them as text (protocol 2 and older).
    """

    offset: int
    size_bytes: int
    escape: int = 1


def as_mapping(value: object) -> Mapping[object, object]:
    """A dictionary, or the attributes of an object; empty for anything else."""
    if isinstance(value, Instance):
        return value.attributes
    return value if isinstance(value, Mapping) else {}
