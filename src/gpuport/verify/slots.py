"""The plain-data description of inputs that travels between gpuport and its worker."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from typing import Any

BASE_SIZE = 4
OWN = "self."
WITHIN = "within"
FINITE = "finite"
OPEN = "open"
LISTED = "listed"
ITERATED = "iterated"
MAPPING = "mapping"
OWN_MADE = "own"
OMITTED = "omitted"
ANY_TEXT = "text"  # is given where none is known
INSTANCE = "instance"
ATTRIBUTE, BARE = ".", ".."  # slots of attributes that are set; of an instance without constructor
MARK = "#"  # begins the trait of an object that others in the same argument are
RETURNED = "()"  # begins the names of what functions that are returned are called with
EVERY = -1  # in an edit: all elements
DIMENSION = re.compile(r"(?:(?P<times>\d+)\*)?(?P<name>[A-Za-z_]\w*(?:\.\w+)*)(?P<plus>[+-]\d+)?")


@dataclass(frozen=True, slots=True)
class Slot:
    """How one parameter is filled.

    ``kind`` is one of ``array float int bool complex str none list tuple dict generator choice``;
    the items of a ``dict`` are named by its keys;
    ``dims`` names the dimension of each axis of an array: equal names have equal sizes, ``=3``
    is the fixed size 3, ``n+1`` and ``2*n`` follow from the size of ``n``. ``omit`` allows leaving
    the argument out, which ``omitted`` always does, ``nullable`` passing None.

    Slots of a constructor whose names begin with ``.`` are attributes, which are set where the
    instance has none of that name; one named ``..`` says that no constructor is run.

    Those whose names begin with ``()`` are for functions that the function returns: ``()v`` is the
    argument `v` of the one that it returns, ``()[0]v`` of the first of several; ``()`` alone says
    that one takes nothing.

    Declarations add ``size`` (an int, the size of its one dimension) and ``made`` (by the strategy
    at the place ``dtype``, which takes the sizes of the ``dims``; all arguments at once where the
    name is empty), and the traits ``within`` (values lie inside the domain in every example),
    ``below:n`` (integers below the size of ``n``) and ``finite``. A ``choice`` that is ``open`` may
    be none of those known.

    An array that is ``listed`` is given as a list of numbers, or of such lists. A list that is
    ``iterated`` is given as an iterator over it, which can be gone through once.

    ``own`` is what the method ``dtype`` of the instance makes, which takes nothing. An ``object``
    with the trait ``mapping`` is a dictionary as well, its keys are the item of that name.

    An ``instance`` is of the class ``dtype`` and made by its constructor, which takes the items.

    Recordings add ``object`` (``dtype`` is its class, the items are its attributes), ``reduced``
    (an object as it is pickled: ``dtype`` is what makes it, the items are its arguments, state,
    items and pairs), ``bound`` (the method ``dtype`` of its one item), ``inner`` (a function that
    stands inside of another one; the items are what its cells hold, and defaults), ``again`` (the
    object with the trait ``dtype``), ``set`` and ``frozenset``, ``callable``
    (``dtype`` is its place), ``scalar`` (of NumPy), ``near`` (a float like the one recorded) and
    ``same`` (the argument that ``dtype`` names), and for arrays ``domain``, the lowest and highest
    value seen, and ``traits``: ``integral``, ``sorted``, ``sums`` (to one), ``definite``.
    """

    name: str
    kind: str
    dtype: str | None = None
    dims: tuple[str, ...] = ()
    items: tuple[Slot, ...] = ()
    choices: tuple[Any, ...] = ()
    omit: bool = False
    nullable: bool = False
    keyword: bool = False
    domain: tuple[float, ...] = ()
    traits: tuple[str, ...] = ()

    def symbols(self) -> tuple[str, ...]:
        """Names of the free dimensions, in order of appearance."""
        below = [t.partition(":")[2] for t in self.traits if t.startswith("below:")]
        names = (_parsed(d)[1] for d in (*self.dims, *below) if not d.startswith("="))
        own = tuple(names)
        return own + tuple(s for item in self.items for s in item.symbols())


@cache
def _parsed(dimension: str) -> tuple[int, str, int]:
    """Factor, name and summand of a dimension."""
    match = DIMENSION.fullmatch(dimension)
    if match is None:
        return 1, dimension, 0
    return int(match["times"] or 1), match["name"], int(match["plus"] or 0)


def size_of(dimension: str, sizes: Mapping[str, int], missing: int | None = None) -> int:
    """The size of a dimension such as ``n``, ``=3`` or ``n+1``, where `n` has a size.

    Raises
    ------
    KeyError
        Where it has none and `missing` is None.
    """
    if dimension.startswith("="):
        return int(dimension[1:])
    times, name, plus = _parsed(dimension)
    known = sizes[name] if missing is None else sizes.get(name, missing)
    return max(times * known + plus, 0)


@dataclass(frozen=True, slots=True)
class Trial:
    """One example: everything that is needed to build its arguments again, bit for bit.

    ``init`` are the constructor's slots when the function is a method; ``device`` names the
    arguments that the port gets as CuPy arrays (``self.x``: the constructor's), None where it takes
    what the original takes.
    ``literals`` are numbers in the function's own text, near which its branches change.
    ``tied``: elements of arguments are equal to others', or one ULP beside.
    ``before`` are methods that are called on the instance first, with their slots. ``refused``:
    the guards of the port's kernels refuse, so that what stands beside them runs. ``edits`` are
    single elements exchanged, so that a comparison made on the way is at its edge, or just
    ``beside`` it. ``apart``: some of several arrays hold plain values beside what the others do.
    ``earlier``: the size of all that the methods before take and the call itself does not.
    ``twice``: both sides are called twice, and what the second call gives is compared.
    """

    slots: tuple[Slot, ...]
    init: tuple[Slot, ...] | None = None
    sizes: Mapping[str, int] = field(default_factory=dict)
    seed: tuple[int, ...] = (0,)
    family: str = "normal"
    dtype: str = "float64"
    layout: str = "C"
    alias: str = ""
    device: tuple[str, ...] | None = None
    literals: tuple[float, ...] = ()
    before: tuple[tuple[str, tuple[Slot, ...]], ...] = ()
    refused: bool = False
    tied: bool = False
    edits: tuple[tuple[str, int, float], ...] = ()
    beside: bool = False
    apart: bool = False
    earlier: int = BASE_SIZE
    twice: bool = False

    @property
    def parameters(self) -> tuple[Slot, ...]:
        """A slot for each parameter, those that one strategy fills together too."""
        each = ((slot,) if slot.name else slot.items for slot in self.slots)
        return tuple(part for parts in each for part in parts)

    @property
    def by_name(self) -> bool:
        """Whether all arguments are given by name: so are those of every fourth example."""
        return self.seed[-1] % 4 == 3

    @property
    def is_made(self) -> bool:
        """Whether strategies of the user make some of it."""
        return any(slot.kind == "made" for slot in (*self.slots, *(self.init or ())))

    @property
    def has_instance(self) -> bool:
        """Whether the one slot of ``init`` is the instance: recorded, made, or of a subclass."""
        if self.init is None or len(self.init) != 1:
            return False
        only = self.init[0]
        return only.kind in ("object", "reduced") or (
            only.kind in ("made", INSTANCE) and only.name == "self"
        )

    def to_json(self) -> dict[str, Any]:
        """A dictionary of plain data."""
        plain: dict[str, Any] = {name: getattr(self, name) for name in _TRIAL}
        plain["slots"] = [_plain(slot) for slot in self.slots]
        plain["init"] = None if self.init is None else [_plain(slot) for slot in self.init]
        plain["before"] = [[name, [_plain(s) for s in slots]] for name, slots in self.before]
        return plain

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> Trial:
        """The inverse of `to_json`, after a passage through JSON."""
        init = data["init"]
        device = data["device"]
        return Trial(
            slots=tuple(map(_slot, data["slots"])),
            init=None if init is None else tuple(map(_slot, init)),
            sizes=dict(data["sizes"]),
            seed=tuple(data["seed"]),
            family=data["family"],
            dtype=data["dtype"],
            layout=data["layout"],
            alias=data["alias"],
            device=None if device is None else tuple(device),
            literals=tuple(data["literals"]),
            before=tuple((name, tuple(map(_slot, slots))) for name, slots in data["before"]),
            refused=data["refused"],
            tied=data["tied"],
            edits=tuple((name, index, value) for name, index, value in data["edits"]),
            beside=data["beside"],
            apart=data["apart"],
            earlier=data["earlier"],
            twice=data["twice"],
        )


def _slot(data: Mapping[str, Any]) -> Slot:
    values = dict(data)
    values["dims"] = tuple(values["dims"])
    choices = (tuple(c) if isinstance(c, list) else c for c in values["choices"])
    values["choices"] = tuple(choices)
    values["domain"] = tuple(values["domain"])
    values["traits"] = tuple(values["traits"])
    values["items"] = tuple(map(_slot, values["items"]))
    return Slot(**values)


def _plain(slot: Slot) -> dict[str, Any]:
    # dataclasses.asdict takes a tenth of an example's time
    data = {name: getattr(slot, name) for name in _SLOT}
    data["items"] = [_plain(item) for item in slot.items]
    return data


_SLOT = tuple(f.name for f in fields(Slot))
_TRIAL = tuple(f.name for f in fields(Trial))
