"""What can be known of a value: kind, dtype, extents, parts, memory and assumptions."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from gpuport._frozen import frozen
from gpuport.ir.extents import Affine

#: Kinds of numbers: NumPy's, Python's, and either of these two.
NUMBERS = frozenset({"scalar", "number", "numeric"})

#: Python's numbers as NumPy's dtypes (NEP 50).
STRONG = {"bool": "bool", "int": "int64", "float": "float64", "complex": "complex128"}


@frozen
class Assumption:
    """Something believed, which is asked where a function, or a candidate, is entered.

    Attributes
    ----------
    function : str
        The function whose parameter it is about; empty for one about extents.
    subject : str
    claim : str
        In words, after the subject: "is a float64 array of rank 2".
    source : str
        What it is believed by: "its annotation", "a slice".
    about : str
        ``type`` (of a parameter), or of extents ``equal``, ``least``, ``int64``.
    test : tuple
        What to ask: the type, or the extents and numbers in question.
    """

    function: str
    subject: str
    claim: str
    source: str
    about: str
    test: tuple[Any, ...] = ()

    def __repr__(self) -> str:
        return f"{self.function}: `{self.subject}` {self.claim} ({self.source})"


Assumptions = frozenset[Assumption]
NOTHING: Assumptions = frozenset()
#: Where something lives: allocation sites and parameters. None: it may be anywhere.
Sites = frozenset[Hashable] | None
NOWHERE: Sites = frozenset()


@dataclass(slots=True, eq=True)
class Type:
    """What is known of a value.

    Attributes
    ----------
    kind : str
        ``array``; ``scalar`` (a number of NumPy's), ``number`` (of Python's) or ``numeric``
        (either); ``string``, ``none``, ``ellipsis``, ``slice``; ``tuple``, ``list``, ``dict``,
        ``set``, ``iterator``; ``record`` (an instance of a class of the program), ``class``,
        ``function``, ``method``, ``descriptor``, ``module`` (a file of the program); ``library``
        (what a path of a library names), ``instance`` (an object of a library's class);
        ``unknown``.
    dtype : str or None
        Of arrays and numbers: NumPy's name, or Python's for a Python number.
    shape : tuple or None
        Extents of an array; None where not even the rank is known (then it is at least 1).
    order : str or None
        ``C`` where later axes of an array have the smaller strides, ``F`` where earlier ones do.
    items : tuple or None
        Types of the parts of a tuple, a slice or a display; the object of a method; of a "numeric"
        the numbers that it may be.
    element : Type or None
        What iterating gives.
    integer : Affine or None
        The value of a Python integer.
    constant : tuple or None
        The value of another constant, in a tuple of one.
    path : str or None
        What a library calls it; the name of a method.
    sites : frozenset or None
        Where its memory comes from.
    targets : frozenset
        Functions, classes or modules of the program that it may be.
    assumed : frozenset
        All that this rests on.
    """

    kind: str
    dtype: str | None = None
    shape: tuple[Affine | None, ...] | None = None
    order: str | None = None
    items: tuple[Type, ...] | None = None
    element: Type | None = None
    integer: Affine | None = None
    constant: tuple[Any] | None = None
    path: str | None = None
    sites: Sites = NOWHERE
    targets: frozenset[Any] = frozenset()
    assumed: Assumptions = NOTHING
    _hash: int = field(default=0, compare=False, repr=False)

    def __hash__(self) -> int:
        if not self._hash:
            # what differs most; equality compares all
            self._hash = hash((self.kind, self.dtype, self.shape, self.items, self.path)) or 1
        return self._hash

    @property
    def rank(self) -> int | None:
        """Number of axes of an array."""
        return None if self.shape is None else len(self.shape)

    @property
    def number(self) -> int | None:
        """The value of a Python integer, where it is a constant."""
        return None if self.integer is None else self.integer.number

    def but(self, **changes: Any) -> Type:
        """The same with other fields."""
        return replace(self, _hash=0, **changes)

    def under(self, assumed: Assumptions) -> Type:
        """The same, resting on more assumptions."""
        return self if assumed <= self.assumed else self.but(assumed=self.assumed | assumed)

    def __repr__(self) -> str:
        text = self.kind + (f" {self.dtype}" if self.dtype else "")
        if self.shape is not None and self.kind == "array":
            text += "[" + ", ".join("?" if e is None else repr(e) for e in self.shape) + "]"
        if self.items is not None:
            text += "(" + ", ".join(map(repr, self.items)) + ")"
        if self.element is not None:
            text += f" of {self.element!r}"
        known = self.integer if self.constant is None else self.constant[0]
        if known is not None:
            text += f" = {known!r}"
        return text + (f" {self.path}" if self.path else "")


UNKNOWN = Type("unknown", sites=None)
NONE = Type("none")
INT, FLOAT, BOOL, COMPLEX = (Type("number", name) for name in ("int", "float", "bool", "complex"))
STRING = Type("string")


def of_constant(value: Any) -> Type:
    """The type of a constant of the program."""
    if value is None:
        return NONE
    if value is Ellipsis:
        return Type("ellipsis")
    if type(value) is int:
        return INT.but(integer=Affine((), value))
    if type(value) in (bool, float, complex):
        return Type("number", type(value).__name__, constant=(value,))
    if type(value) is str:
        return Type("string", constant=(value,))
    return UNKNOWN


def join(one: Type, other: Type, depth: int = 0) -> Type:
    """The smallest type that both are."""
    if one == other:
        return one
    assumed = one.assumed | other.assumed
    sites = _either(one.sites, other.sites)
    numbers = {one.kind, other.kind} <= NUMBERS
    if numbers and _members(one) != _members(other):
        return _of_two_numbers(one, other).under(assumed)
    if one.kind != other.kind or depth > 4:
        targets = one.targets | other.targets
        return Type("unknown", sites=sites, targets=targets, assumed=assumed)
    if one.kind == "library" and one.path != other.path:
        return Type("unknown", sites=sites, assumed=assumed)
    if one.kind == "array" and one.shape != other.shape and () in (one.shape, other.shape):
        # an array whose rank is not known has at least one axis
        return Type("unknown", sites=sites, assumed=assumed)
    same: dict[str, Any] = {
        name: getattr(one, name) if getattr(one, name) == getattr(other, name) else None
        for name in ("dtype", "order", "integer", "constant", "path")
    }
    return Type(
        one.kind,
        shape=_pairwise(one.shape, other.shape, lambda a, b: a if a == b else None),
        items=_pairwise(one.items, other.items, lambda a, b: join(a, b, depth + 1)),
        element=join(one.element, other.element, depth + 1)
        if one.element and other.element
        else None,
        sites=sites,
        targets=one.targets | other.targets,
        assumed=assumed,
        **same,
    )


def _either(one: Sites, other: Sites) -> Sites:
    return None if one is None or other is None else one | other


def _of_two_numbers(one: Type, other: Type) -> Type:
    """Either of several kinds of numbers: result types with arrays depend on which (NEP 50)."""
    members = sorted({*_members(one), *_members(other)}, key=repr)
    strong = {strong_dtype(member) for member in members}
    return Type("numeric", strong.pop() if len(strong) == 1 else None, items=tuple(members))


def strong_dtype(t: Type) -> str | None:
    """NumPy's dtype of an array or of a number, Python's numbers as NumPy stores them."""
    return STRONG.get(t.dtype or "", t.dtype) if t.kind == "number" else t.dtype


def _members(t: Type) -> tuple[Type, ...]:
    return (t.items or ()) if t.kind == "numeric" else (Type(t.kind, t.dtype),)


def _pairwise(
    one: tuple[Any, ...] | None, other: tuple[Any, ...] | None, both: Callable[[Any, Any], Any]
) -> tuple[Any, ...] | None:
    if one is None or other is None or len(one) != len(other):
        return None
    return tuple(map(both, one, other))


def join_all(types: Iterable[Type]) -> Type | None:
    """The smallest type that all are; None for no types."""
    total: Type | None = None
    for one in types:
        total = one if total is None else join(total, one)
    return total


def assumptions(types: Iterable[Type]) -> Assumptions:
    """All that these types rest on."""
    total: Assumptions = NOTHING
    for one in types:
        if one.assumed and one.assumed is not total:
            total = total | one.assumed
    return total


def alternatives(types: list[Type]) -> list[list[Type]]:
    """The same with each "numeric" as each of the numbers that it may be.

    Types of results may depend on which it is (NEP 50). Empty where there are too many ways.
    """
    choices = [t.items or () if t.kind == "numeric" else (t,) for t in types]
    if math.prod(map(len, choices)) > 8:
        return []
    return [list(choice) for choice in itertools.product(*choices)]


def mapped(t: Type, change: Callable[[Affine | None], Affine | None]) -> Type:
    """The type with each extent, and each known integer, changed."""
    if t.shape is None and t.items is None and t.element is None and t.integer is None:
        return t
    return t.but(
        shape=None if t.shape is None else tuple(map(change, t.shape)),
        items=None if t.items is None else tuple(mapped(item, change) for item in t.items),
        element=None if t.element is None else mapped(t.element, change),
        integer=None if t.integer is None else change(t.integer),
    )


def timeless(t: Type) -> Type:
    """The type with those extents alone that are numbers: what holds wherever it is read."""
    return mapped(t, lambda e: e if e is not None and not e.terms else None)


def extents_of(t: Type) -> list[Affine]:
    """All extents and integers that a type knows."""
    found = [e for e in t.shape or () if e is not None]
    if t.integer is not None:
        found.append(t.integer)
    for part in (*(t.items or ()), *([t.element] if t.element else [])):
        found += extents_of(part)
    return found
