"""A call's outcome as a flat list of leaves: what comparison and digests work on."""

from __future__ import annotations

import dataclasses
from collections import deque
from collections.abc import (
    Callable,
    ItemsView,
    Iterable,
    Iterator,
    KeysView,
    Mapping,
    ValuesView,
)
from dataclasses import dataclass
from operator import length_hint
from types import MethodType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpuport.verify.aftermath.iterators import Consumed
from gpuport.verify.sides.generators import is_generator, state_text
from gpuport.verify.sides.states import slots_of
from gpuport.verify.signatures.tables import is_table, parts_of

VALUE_KINDS = ("array", "device", "numpy scalar", "float", "int", "bool", "complex")
MEMORY = "memory of "
HELD = "array still held, "
EARLIER_RESULT = f"{HELD}result "  # with the number and name of the call before
PRINTED = "printed"
_DEPTH = 8


class Leaf(NamedTuple):
    """One comparable piece: where it is, its type class, its host value.

    Thirty are made for each call, so that it is a tuple, which is made in a third of the time.

    ``kind``: ``array``, ``device``, ``numpy scalar``, ``float``, ``int``, ``bool``, ``complex``,
    ``text``, ``printed`` (a text that numbers stand in), ``struct`` (a container's type and keys)
    or ``opaque`` (only the type is known). ``order`` is the memory order of an array: ``C``, ``F``,
    both or neither.
    """

    path: str
    kind: str
    value: Any
    order: str = ""
    writeable: bool = True


@dataclass(frozen=True, slots=True)
class Observation:
    """What one side did: leaves of result and arguments, or the exception's class.

    ``produced`` are the leaves that the call made: those of the result and of the arguments that
    it changed. An argument that merely went through says nothing about the function. ``exact``
    says that no floating operation of the call rounded. Of an exception ``explicit`` says that a
    ``raise`` or ``assert`` of the program made it, ``plain`` that Python itself did, and ``line``
    and ``text`` how far the call came; the leaves are then those of the arguments.
    """

    leaves: tuple[Leaf, ...] = ()
    produced: tuple[Leaf, ...] = ()
    identity: tuple[str, ...] = ()
    views: tuple[str, ...] = ()
    printed: str = ""
    raised: str | None = None
    message: str = ""
    explicit: bool = False
    plain: bool = False
    exact: bool = False
    seconds: float = 0.0
    line: int = 0
    text: str = ""

    def agrees(self, other: Observation) -> bool:
        """Whether the leaves and the printed text are the same, bit for bit."""
        if self.printed != other.printed or len(self.leaves) != len(other.leaves):
            return False
        pairs = zip(self.leaves, other.leaves, strict=True)
        return all(a.path == b.path and a.kind == b.kind and same_bits(a, b) for a, b in pairs)

    def product(self) -> str:
        """The digest of what the call made; None, empty arrays, NaN and the dtype say nothing."""
        made = (_plain_value(leaf) for leaf in self.produced if _has_finite(leaf))
        return _digest(tuple(made), self.printed)

    def sole_values(self) -> dict[str, str] | None:
        """What all elements of each piece that the call made are, by place; None where those of
        one differ."""
        found = {PRINTED: self.printed} if self.printed else {}
        for leaf in self.produced:
            # what lies around a strided argument is none of its elements
            if _has_finite(leaf) and not leaf.path.startswith(MEMORY):
                value = _sole(leaf)
                if value is None:
                    return None
                found[leaf.path] = value
        return found

    def finite(self) -> bool:
        """Whether some number came out, and is finite."""
        return any(_has_finite(leaf) for leaf in self.produced) or bool(self.printed)


def _digest(leaves: tuple[Leaf, ...], printed: str) -> str:
    # it tells outputs apart and need not withstand anybody: worker processes hash alike
    return f"{hash((printed, *((leaf.path, leaf.kind, _bytes(leaf.value)) for leaf in leaves))):x}"


def _plain_value(leaf: Leaf) -> Leaf:
    values = np.asarray(leaf.value) if leaf.kind in VALUE_KINDS else None
    if values is None or values.dtype.kind not in "biufc":
        return leaf
    if values.dtype.kind == "c" and not values.imag.any():
        values = values.real
    wide = np.dtype(complex if values.dtype.kind == "c" else float)
    if values.dtype == wide:
        return Leaf(leaf.path, "value", values)
    with np.errstate(all="ignore"):
        return Leaf(leaf.path, "value", values.astype(wide))


def _sole(leaf: Leaf) -> str | None:
    """What all finite elements of a leaf are; None where they differ."""
    values = np.asarray(_plain_value(leaf).value)
    if values.dtype.kind not in "biufc":
        return repr(leaf.value)
    finite = values[np.isfinite(values)]
    if not (finite == finite[0]).all():
        return None
    return f"{finite[0] + 0:g}"  # a zero of either sign is the same one


def _bytes(value: Any) -> bytes:
    if isinstance(value, np.ndarray | np.generic):
        return f"{value.dtype.str}{value.shape}".encode() + value.tobytes()
    return repr(value).encode()


def same_bits(first: Leaf, second: Leaf) -> bool:
    """Whether two leaves hold the same dtype, shape and bits, or the same plain value."""
    a, b = first.value, second.value
    if type(a) is str and type(b) is str:
        return a == b
    arrays = isinstance(a, np.ndarray | np.generic), isinstance(b, np.ndarray | np.generic)
    if all(arrays):
        return bool(a.dtype == b.dtype) and a.shape == b.shape and a.tobytes() == b.tobytes()
    return not any(arrays) and repr(a) == repr(b)


def is_half(leaf: Leaf) -> bool:
    """Whether these are numbers of half precision."""
    return getattr(getattr(leaf.value, "dtype", None), "char", "") == "e"


def unlike(before: Iterable[Leaf], after: Iterable[Leaf]) -> tuple[Leaf, ...]:
    """The leaves of `after` that `before` does not hold with the same bits."""
    known = {leaf.path: leaf for leaf in before}

    def kept(leaf: Leaf) -> bool:
        old = known.get(leaf.path)
        return old is not None and old.kind == leaf.kind and same_bits(old, leaf)

    return tuple(leaf for leaf in after if not kept(leaf))


def _has_finite(leaf: Leaf) -> bool:
    if leaf.kind in ("struct", "opaque"):
        return False
    if leaf.kind in ("text", PRINTED):
        return leaf.value is not None
    values = np.asarray(leaf.value)
    return values.size > 0 and (values.dtype.kind not in "fc" or bool(np.isfinite(values).any()))


ToHost = Callable[[Any], NDArray[Any] | None]
IsForeign = Callable[[Any], bool]
Around = tuple[int, ...]  # identities of what holds a value, outermost first


class _Reading(NamedTuple):
    """What is known of values beside their types."""

    to_host: ToHost
    is_foreign: IsForeign


def leaves_of(
    path: str, value: Any, to_host: ToHost, is_foreign: IsForeign = lambda value: False
) -> Iterator[Leaf]:
    """Flatten containers, dataclasses and plain objects; `to_host` recognises device arrays.

    Of an object that `is_foreign` its type alone is told.
    """
    yield from _walk(path, value, _Reading(to_host, is_foreign), ())


def _walk(path: str, value: Any, reading: _Reading, around: Around) -> Iterator[Leaf]:
    on_host = reading.to_host(value)
    inside = (*around, id(value))
    if on_host is not None:
        yield Leaf(path, "device", on_host)
    elif isinstance(value, np.ndarray):
        yield from _array(path, value, reading, inside)
    elif isinstance(value, np.generic):
        yield Leaf(path, "numpy scalar", value)
    elif value is None or isinstance(value, str | bytes | bool | int | float | complex):
        yield Leaf(path, _plain_kind(value), value)
    elif id(value) in around:
        outwards = len(around) - around.index(id(value))
        yield Leaf(path, "text", f"the {_type_name(value)} that is {outwards} around it")
    elif len(around) == _DEPTH:
        yield Leaf(path, "opaque", _type_name(value))
    elif isinstance(value, Mapping):
        yield Leaf(path, "struct", f"{_type_name(value)} {list(value)!r}")
        for key, item in value.items():
            yield from _walk(f"{path}[{key!r}]", item, reading, inside)
        for name, item in sorted(getattr(value, "__dict__", {}).items()):
            yield from _walk(f"{path}.{name}", item, reading, inside)
    elif isinstance(value, list | tuple | deque | KeysView | ValuesView | ItemsView):
        kind = getattr(value, "consumed", _type_name(value))
        yield Leaf(path, "struct", f"{kind} of {len(value)}")
        for i, item in enumerate(value):
            yield from _walk(f"{path}[{i}]", item, reading, inside)
        if isinstance(value, Consumed) and value.returned is not None:
            yield from _walk(f"what {path} returns", value.returned, reading, inside)
    elif isinstance(value, set | frozenset):
        yield Leaf(path, "text", repr(sorted(map(repr, value))))
    elif isinstance(value, range | slice | np.dtype) or any(value is one for one in _SINGLETONS):
        yield Leaf(path, "text", repr(value))
    elif isinstance(value, MethodType) and _is_plain_function(value):
        yield Leaf(path, "text", f"method {value.__func__.__qualname__}")
        yield from _walk(f"{path}.__self__", value.__self__, reading, inside)
    elif isinstance(value, type) or _is_plain_function(value):
        yield Leaf(path, "text", f"{_type_name(value)} {value.__qualname__}")
    else:
        yield from _object(path, value, reading, inside)


_ITERATORS: tuple[type, ...] = (type(iter([])), type(iter(())))
_SINGLETONS = (NotImplemented, Ellipsis)


def _is_plain_function(value: Any) -> bool:
    """Whether this is a function that has nothing but its name, no closure."""
    qualified = getattr(value, "__qualname__", "<locals>")
    return hasattr(value, "__code__") and "<" not in qualified


def _plain_kind(value: Any) -> str:
    if value is None or isinstance(value, str | bytes):
        return "text"
    for kind in (bool, int, float):
        if isinstance(value, kind):
            return kind.__name__
    return "complex"


def _array(path: str, value: NDArray[Any], reading: _Reading, around: Around) -> Iterator[Leaf]:
    if type(value) is not np.ndarray:
        yield Leaf(f"type of {path}", "struct", _type_name(value))
    if isinstance(value, np.ma.MaskedArray):
        # what is below the mask means nothing
        yield Leaf(f"mask of {path}", "array", np.ma.getmaskarray(value).copy())
        yield Leaf(f"fill value of {path}", "text", repr(value.fill_value))
        if not value.dtype.hasobject:
            value = np.where(np.ma.getmaskarray(value), np.zeros((), value.dtype), value.data)
    if value.dtype.hasobject:
        yield Leaf(path, "struct", f"object array {value.shape}")
        for i, item in enumerate(value.ravel().tolist()):
            yield from _walk(f"{path}.flat[{i}]", item, reading, around)
    else:
        # copied, because a later call may write into the same memory
        yield Leaf(path, "array", np.array(value, copy=True), _order(value), value.flags.writeable)


def _order(value: NDArray[Any]) -> str:
    return "C" * value.flags.c_contiguous + "F" * value.flags.f_contiguous


def _object(path: str, value: Any, reading: _Reading, around: Around) -> Iterator[Leaf]:
    if is_generator(value):
        yield Leaf(path, "text", state_text(value))
    elif reading.is_foreign(value):
        yield Leaf(path, "opaque", _type_name(value))
    elif is_table(value):
        yield Leaf(path, "struct", _type_name(value))
        for name, part in parts_of(value).items():
            yield from _walk(f"{path}, {name}", part, reading, around)
    elif isinstance(value, _ITERATORS):  # of an argument: how far it was gone through
        yield Leaf(path, "struct", f"{_type_name(value)}, {length_hint(value)} to come")
    elif dataclasses.is_dataclass(value) or hasattr(value, "__dict__") or _slots(value):
        attributes = {**_slots(value), **getattr(value, "__dict__", {})}
        if hasattr(value, "__code__") or not attributes:
            yield Leaf(path, "opaque", _type_name(value))
            return
        yield Leaf(path, "struct", f"{_type_name(value)} {sorted(attributes)!r}")
        for name in sorted(attributes):
            yield from _walk(f"{path}.{name}", attributes[name], reading, around)
    else:
        yield Leaf(path, "opaque", _type_name(value))


def _slots(value: Any) -> dict[str, Any]:
    """Attributes that a class keeps without a dictionary."""
    if type(value).__module__ in ("builtins", "numpy"):
        return {}
    names = slots_of(type(value))
    return {name: getattr(value, name) for name in names if hasattr(value, name)}


def _type_name(value: Any) -> str:
    return type(value).__qualname__
