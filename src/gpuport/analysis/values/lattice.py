"""The lattice of values: what is known about the result of an expression.

Every part is optional; joining two claims gives the weaker one. `Unknown` is honest: nothing
that depends on it is moved.
"""

from __future__ import annotations

from dataclasses import replace
from functools import reduce

from gpuport._frozen import frozen


@frozen
class Unknown:
    """Anything at all; ``number``: a number of the host or None, and which number."""

    why: str = ""
    number: Number | None = None


@frozen
class Scalar:
    """A Python value that is no array and holds none: a number, a string, None, a slice.

    ``type`` is ``int``, ``float``, ``bool``, ``complex``, ``number`` (one of the first two),
    ``str``, ``None``, ``slice``, ``place`` or None where only that it is no array is known.
    ``constant`` holds a literal, for probing; of ``dtype``, and of ``finfo`` and ``iinfo``, the
    type of the numbers.
    """

    type: str | None = None
    constant: object = None


@frozen
class Array:
    """A ``numpy.ndarray`` (exactly), possibly None where ``optional``.

    ``rank`` None: unknown. ``sources``: the parameters whose arguments must be arrays for the
    claim to hold; empty where it is proven. ``matrices``, where the rank is not known: the
    parameters which have to have two axes or more for it to have as many; empty where nothing
    says that it has. ``least``, where the rank is not known: it has as many axes at least; zero
    where it may have none.
    """

    dtype: str | None = None
    rank: int | None = None
    sources: frozenset[str] = frozenset()
    optional: bool = False
    matrices: frozenset[str] = frozenset()
    least: int = 1

    @property
    def fewest(self) -> int:
        """The fewest axes that it may have."""
        return self.least if self.rank is None else self.rank


@frozen
class Number:
    """A NumPy scalar, or a Python number: on the device a 0-d array.

    ``numpy_scalar`` False: it may also be a Python number. ``real``: it is not complex, of whatever
    dtype it is.
    """

    dtype: str | None = None
    numpy_scalar: bool = True
    real: bool = False


@frozen
class Either:
    """An array or a number, depending on ranks or on what the parameters ``sources`` are given.

    ``seen``: a call site passes an array. ``python``: the number may be one of Python's, which
    no transfer gives back as it was.
    """

    dtype: str | None = None
    sources: frozenset[str] = frozenset()
    optional: bool = False
    python: bool = False
    seen: bool = False


@frozen
class Sequence:
    """A list or tuple of unknown length of ``of``; ``literal`` its text if all constants.

    It has ``least`` items at least. It may be None where ``optional``; so may tuples and dicts.
    """

    of: Value = Unknown()
    list: bool = True
    literal: str | None = None
    optional: bool = False
    least: int = 0


@frozen
class Tuple:
    """A tuple of known length; ``literal`` is its text where it holds constants alone.

    ``names`` are those that NumPy gives its items (`numpy.linalg.svd(x).S`), and CuPy does not.
    """

    items: tuple[Value, ...] = ()
    literal: str | None = None
    names: tuple[str, ...] = ()
    optional: bool = False


@frozen
class Mapping:
    """A dict with values ``of`` (keys hold no arrays).

    ``fields``, where all keys are written as text where something is put under them: what is under
    each, in order; None where keys are not told apart.
    """

    of: Value = Unknown()
    fields: tuple[tuple[str, Value], ...] | None = None
    optional: bool = False


@frozen
class Instance:
    """An object of the class with this dotted path, known to the rules."""

    path: str


@frozen
class Object:
    """An instance of a class of the module whose attributes are followed; perhaps None.

    ``name`` is that of its family (`gpuport.analysis.objects.families`), ``kinds`` are the classes
    of which it may be; any of the family where there are none.
    """

    name: str
    optional: bool = False
    kinds: frozenset[str] = frozenset()


Value = Unknown | Scalar | Array | Number | Either | Sequence | Tuple | Mapping | Instance | Object

UNKNOWN = Unknown()
_ARRAYLIKE = frozenset((Array, Either, Number))
_CONTAINERS = frozenset((Sequence, Tuple, Mapping))  # asked for by class: these are asked most
NONE = Scalar("None")
PLACE = Scalar("place")
"""A slice, a tuple of slices or, perhaps, the place of an element: a view or a number."""
INT = Scalar("int")
REALS = frozenset({"int", "float", "number"})
"""Types of Python's numbers that are not complex; ``number`` may be either of them."""


def join(a: Value, b: Value) -> Value:
    """The strongest claim that holds for both."""
    if a is b or a == b:
        return a
    if a.__class__ is Unknown or b.__class__ is Unknown:
        other = b if a == ASIDE else a
        plain = isinstance(other, Scalar) and other.type not in ("slice", "place")
        return ASIDE if plain and ASIDE in (a, b) else UNKNOWN
    if isinstance(a, Scalar) and isinstance(b, Scalar):
        return _join_scalars(a, b)
    if isinstance(a, (Array, Either)) or isinstance(b, (Array, Either)):
        return _join_arrays(a, b)
    if isinstance(a, (Number, Scalar)) and isinstance(b, (Number, Scalar)):
        return _join_numbers(a, b)
    if is_container(a) or is_container(b):
        return PLACE if _are_places(a, b) else _join_containers(a, b)
    if isinstance(a, Object) or isinstance(b, Object):
        return _join_objects(a, b)
    return UNKNOWN


def join_paths(a: Value, b: Value) -> Value:
    """What holds for a name or an attribute that either is left in: a number, maybe, or None."""
    both = [v.number or v if isinstance(v, Unknown) else v for v in (a, b)]
    number = join_all([one for one in both if one != NONE])
    maybe = NONE in both or both != [a, b]
    return Unknown(number=number) if maybe and isinstance(number, Number) else join(a, b)


def _are_places(a: Value, b: Value) -> bool:
    """Whether one is a slice and the other a tuple of them (and of numbers): `np.s_[:, 1:]`."""
    parts: list[Value | None] = []
    for value in (a, b):
        items = value.items if isinstance(value, Tuple) else (elements(value),)
        parts += items if is_container(value) else (value,)
    types = {part.type if isinstance(part, Scalar) else None for part in parts}
    alone = {getattr(value, "type", None) for value in (a, b)}
    return bool(alone & {"slice", "place"}) and types <= {"slice", "place", "int"}


def _join_containers(a: Value, b: Value) -> Value:
    for one, other in ((a, b), (b, a)):
        # Of one without arrays less is said: what takes it may also take None for something else.
        if isinstance(one, (Sequence, Tuple, Mapping)) and other == NONE:
            return replace(one, optional=True) if on_device_possible(one) else UNKNOWN
    if isinstance(a, (Sequence, Tuple)) and isinstance(b, (Sequence, Tuple)):
        joined: Value = _join_sequences(a, b)
    elif isinstance(a, Mapping) and isinstance(b, Mapping):
        joined = _join_mappings(a, b)
    else:
        return UNKNOWN
    assert isinstance(joined, (Sequence, Tuple, Mapping))
    return replace(joined, optional=True) if a.optional or b.optional else joined


def _join_mappings(a: Mapping, b: Mapping) -> Mapping:
    if a.fields is not None and b.fields is not None:
        joined = dict(a.fields)
        for name, value in b.fields:
            joined[name] = join(joined[name], value) if name in joined else value
        return record(joined)
    if EMPTY in (a.of, b.of):
        return Mapping(a.of if b.of == EMPTY else b.of)
    return Mapping(join(a.of, b.of))


def record(fields: dict[str, Value], *, optional: bool = False) -> Mapping:
    """The claim of a dict of which it is known what is under each key."""
    known = [value for value in fields.values() if value != EMPTY]
    of = join_all(known) if known else EMPTY
    return Mapping(of, tuple(sorted(fields.items(), key=lambda field: field[0])), optional)


def _join_objects(a: Value, b: Value) -> Value:
    names = {v.name for v in (a, b) if isinstance(v, Object)}
    if len(names) == 1 and all(isinstance(v, Object) or v == NONE for v in (a, b)):
        kinds = [v.kinds for v in (a, b) if isinstance(v, Object)]
        known = frozenset().union(*kinds) if all(kinds) else frozenset()
        return Object(names.pop(), True if NONE in (a, b) else _optional(a, b), known)
    return UNKNOWN


def _optional(*values: Value) -> bool:
    return any(isinstance(v, Object) and v.optional for v in values)


def join_all(values: list[Value]) -> Value:
    """Join of any number of claims; `Unknown` for none."""
    return reduce(join, values) if values else UNKNOWN


def _join_scalars(a: Scalar, b: Scalar) -> Value:
    if a.type != b.type and {a.type, b.type} & {"slice", "place"}:
        return PLACE
    if a.type != b.type and a.type in REALS and b.type in REALS:
        return Scalar("number")
    return Scalar(a.type if a.type == b.type else None)


def _same_dtype(a: Value, b: Value) -> str | None:
    first, second = getattr(a, "dtype", None), getattr(b, "dtype", None)
    return first if first == second else None


_TOLD_APART = 3
"""As many axes at least are told apart from fewer."""


def _join_arrays(a: Value, b: Value) -> Value:
    if isinstance(b, (Array, Either)) and not isinstance(a, (Array, Either)):
        a, b = b, a
    assert isinstance(a, (Array, Either))
    if b == NONE:
        return replace(a, optional=True)
    if isinstance(b, (Array, Either)):
        optional = a.optional or b.optional
        sources = a.sources | b.sources
        if isinstance(a, Array) and isinstance(b, Array):
            rank = a.rank if a.rank == b.rank else None
            matrices = a.matrices | b.matrices if a.matrices and b.matrices else frozenset()
            least = min(a.fewest, b.fewest, _TOLD_APART) if rank is None else 1
            return Array(_same_dtype(a, b), rank, sources, optional, matrices, least)
        python = any(isinstance(v, Either) and v.python for v in (a, b))
        return Either(_same_dtype(a, b), sources, optional, python)
    if isinstance(b, (Number, Scalar)) and is_number(b):
        pythons = isinstance(b, Scalar) or not b.numpy_scalar
        python = pythons or (isinstance(a, Either) and a.python)
        return Either(_same_dtype(a, b), frozenset(), a.optional, python)
    return UNKNOWN


def _join_numbers(a: Value, b: Value) -> Value:
    if not all(is_number(v) or v == Scalar("assumed") for v in (a, b)):
        return UNKNOWN
    numpy_scalar = all(isinstance(v, Number) and v.numpy_scalar for v in (a, b))
    dtype = _same_dtype(a, b)
    return Number(dtype, numpy_scalar, dtype is None and is_real(a) and is_real(b))


def _join_sequences(a: Sequence | Tuple, b: Sequence | Tuple) -> Value:
    if isinstance(a, Tuple) and isinstance(b, Tuple) and len(a.items) == len(b.items):
        names = a.names if a.names == b.names else ()
        joined = (join(x, y) for x, y in zip(a.items, b.items, strict=True))
        return Tuple(tuple(joined), names=names)
    one, other = elements(a), elements(b)
    both_lists = isinstance(a, Sequence) and a.list and isinstance(b, Sequence) and b.list
    least = 0 if both_lists else min(fewest_items(a), fewest_items(b))
    if one is None or other is None:  # an empty literal says nothing of its elements
        return Sequence(one or other or UNKNOWN, list=both_lists, least=least)
    return Sequence(join(one, other), list=both_lists, least=least)


def fewest_items(value: Sequence | Tuple) -> int:
    """The fewest items that a list or tuple may have."""
    return len(value.items) if isinstance(value, Tuple) else value.least


EMPTY = Unknown("empty")
"""Element of a container that nothing has been put into yet."""

ASIDE = Unknown("aside")
"""What is under a key, or at a place, of its own in a container, and of which nothing is known.

As all such values it is on the host, wherever the arrays beside it are.
"""


def aside(value: Value) -> Value:
    """A value as one that is told apart from all others in a container."""
    return ASIDE if isinstance(value, Unknown) and value != EMPTY else value


def parts(value: Value) -> tuple[Value, ...]:
    """What is known of the things in a container, of each as much as there is; none of others."""
    if isinstance(value, Tuple):
        return value.items
    if isinstance(value, Mapping) and value.fields is not None:
        return tuple(one for _, one in value.fields)
    return (value.of,) if isinstance(value, (Sequence, Mapping)) else ()


def elements(value: Value) -> Value | None:
    """What iterating a container gives; None where nothing is in it yet."""
    if isinstance(value, Tuple):
        return join_all(list(value.items)) if value.items else None
    if isinstance(value, (Sequence, Mapping)):
        return None if value.of == EMPTY else value.of
    return UNKNOWN


def is_real(value: Value) -> bool:
    """Whether the value is a number that is not complex."""
    if isinstance(value, Scalar):
        return value.type in REALS or value.type == "bool"
    return isinstance(value, Number) and (value.real or (value.dtype or "c")[0] in "biuf")


def is_number(value: Value) -> bool:
    """Whether the value is a number (Python's or NumPy's)."""
    if isinstance(value, Scalar):
        return value.type in REALS or value.type in ("bool", "complex")
    return isinstance(value, Number)


def is_container(value: Value) -> bool:
    """Whether the value is a list, tuple or dict."""
    return value.__class__ in _CONTAINERS


def on_device_possible(value: Value) -> bool:
    """Whether the value is, or holds, something that can live on the device."""
    if value.__class__ in _ARRAYLIKE:
        return True
    if value.__class__ not in _CONTAINERS:
        return False
    if isinstance(value, Tuple):
        return any(on_device_possible(item) for item in value.items)
    if isinstance(value, Mapping) and value.fields:
        return value.of == EMPTY or any(on_device_possible(item) for _, item in value.fields)
    if isinstance(value, (Sequence, Mapping)):
        return value.of == EMPTY or on_device_possible(value.of)
    return False


def is_arraylike(value: Value) -> bool:
    """Whether the value takes part in array operations as an operand with a place."""
    return value.__class__ in _ARRAYLIKE


def describe(value: Value) -> str:
    """The claim in words, for messages."""
    if isinstance(value, Array):
        at_least = f"at least {value.least}-d " if value.least > 1 else ""
        rank = at_least if value.rank is None else f"{value.rank}-d "
        return f"{rank}array" + (f" of {value.dtype}" if value.dtype else "")
    if isinstance(value, Either):
        return "array or number"
    if isinstance(value, Number):
        return "NumPy scalar"
    if isinstance(value, Scalar):
        return value.type or "Python value"
    if isinstance(value, Instance):
        return value.path
    if isinstance(value, Object):
        return value.name
    return type(value).__name__.lower()
