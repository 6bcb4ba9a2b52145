"""Which examples a function gets, in which order, and what they are varied to."""

from __future__ import annotations

import itertools
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from gpuport.verify.inputs.layouts import LAYOUTS
from gpuport.verify.inputs.values import FAMILIES, RANGE
from gpuport.verify.signatures.signatures import Signature
from gpuport.verify.signatures.templates import Template
from gpuport.verify.slots import BASE_SIZE, INSTANCE, ITERATED, LISTED, OWN, Slot, Trial

State = tuple[str, tuple[Slot, ...]]

# so many examples are sent to the worker before the first of them is answered
AHEAD = 4
_DRAWS_PER_EXAMPLE = 5
_SIZES = (4, 5, 3, 8, 2, 1, 33, 7, 0, 6, 65, 130)
_BLOCKS = (9, 64, 16, 257)  # and their neighbours: what a launch or a buffer is cut into
_LARGE, _FEW = 40, 2
_SUBSETS = 6
_MODEST = 50_000
_REFUSED_ELEMENTS = 150
_FLOAT_FAMILIES = ("specials",)
_DTYPES = ("float64", "float64", "float32", "float64", "int64", "mixed", "float64", "complex128")
_PLAIN_FIRST, _USUAL_FIRST = 3, 12
# each in examples of its own, as in mixtures they hide behind the others
_SELDOM = ("uint8", "float16", "bool", "uint16", "int32", "complex64", "uint64", "int8", "int64",
           "int16", "uint32")  # fmt: skip
_SELDOM_SHARE = 0.25
_WHOLE, _ALL_OVER = tuple(name for name in _SELDOM if "int" in name), 0.5
# what they hold, in turns: small whole numbers say nothing of how narrow ones wrap
_SELDOM_WHOLE = (RANGE, "ties", RANGE, "sorted")
_SELDOM_FLOATS = ("normal", "wide", "ties", "specials")
_SELDOM_HALF = ("normal", "ties", "uniform", "sorted")  # where it overflows is chance
_SELDOM_TURNS = (0, 1, 3, 6, 7, 9, 10)  # of the sizes: what sums of one element hold tells nothing
_REFUSED = 0.3
_SETTLED, _PROVEN = 12, 0.6
_SINGLE = 0.12
_ONE_LARGE, _BEYOND = 0.12, (65, 130, 257)
_VERY_LARGE, _LARGEST, _MANY = 0.04, 1025, 5000
_BEYOND_BLOCKS, _BESIDE_BLOCKS, _MOST_BEYOND = 0.12, (1, 1, 0, 7, 1000), 40_000
_APART, _LISTED, _ITERATED = 0.35, 0.08, 0.2
_HISTORIES = (0, 1, 1, 2, 3, 1, 2, 9)  # the last for buffers that are full and begin anew
_TIED, _UNTIED = 0.3, ("definite", "shares")
_ALIASES = ("same", "overlap", "equal", "", "", "", "", "", "")
_ALIKE, _ALIKE_SPECIAL = ("same", "equal"), 0.4  # whether a NaN equals itself, infinities cancel


@dataclass(frozen=True, slots=True)
class Schedule:
    """The examples of one function: every family with every size sooner or later.

    Layouts, dtypes and aliasing rotate. ``states`` are methods that may have been called on the
    instance before, ``needed`` those that must have been; ``guarded``: the file has something that
    stands beside a kernel. ``proven`` are sizes of the examples that were accepted so far, by their
    number, added while the trials are drawn: where few are, most of the further ones have sizes
    of these. The latest `AHEAD` are not looked at, because they may not be known yet. ``blocks``
    are numbers of the texts that longer arrays may be cut into: some examples have such lengths.
    """

    signature: Signature
    templates: Sequence[Template]
    examples: int
    seed: int
    states: Sequence[State] = ()
    needed: tuple[State, ...] = ()
    guarded: bool = False
    proven: Sequence[tuple[int, Mapping[str, int]]] = ()
    blocks: tuple[int, ...] = ()

    def trials(self) -> Iterator[Trial]:
        """The examples in order, the same ones for the same seed."""
        stream = zlib.crc32(self.signature.name.encode())
        varied = _varied(self.templates)
        # those whose dtypes vary twice: whole numbers and masks alone have fewer ways to fail
        templates = [*self.templates, *(varied if len(varied) < len(self.templates) else ())]
        seldom, known = 0, _Proven(self.proven)
        for index in range(_DRAWS_PER_EXAMPLE * self.examples):
            seed = (self.seed, stream, index)
            rng = np.random.default_rng(seed)
            # sizes turn with the rounds over the templates, so that none meets only some of them
            turn, chosen = divmod(index, len(templates))
            template = templates[chosen]
            family = FAMILIES[(index + index // len(FAMILIES)) % len(FAMILIES)]
            dtype = _dtype(index, rng)
            if varied and index >= _USUAL_FIRST and rng.random() < _SELDOM_SHARE:
                dtype, family = _seldom(seldom)
                template = varied[seldom // len(_SELDOM) % len(varied)]
                seldom += 1
                turn = int(rng.choice(_SELDOM_TURNS)) if turn else turn
            sizes = known.or_other(index, _sizes(template, turn, rng), rng)
            sizes = self._beyond_blocks(template, sizes, turn, rng)
            if template.recorded and (turn == 0 or rng.random() < 0.5):
                family = "recorded"
            alias = _ALIASES[int(rng.integers(len(_ALIASES)))]
            if alias in _ALIKE and family in FAMILIES and rng.random() < _ALIKE_SPECIAL:
                family = "specials"
            if family in _FLOAT_FAMILIES and dtype in ("int64", "mixed"):
                dtype = "float64"
            slots, dtype = self._of_dtype(template, dtype)
            if index >= _USUAL_FIRST and not template.recorded:
                slots, family = self._of_other_width(slots, family, rng)
            slots, listed = self._listed(slots, rng)
            slots = self._iterated(slots, rng)
            yield Trial(
                slots,
                template.init,
                sizes,
                seed,
                family=family,
                dtype=dtype,
                layout=LAYOUTS[int(rng.integers(len(LAYOUTS)))],
                alias="" if listed else alias,
                literals=self.signature.literals,
                before=self._history(rng),
                refused=self._refuses(template, sizes, rng),
                tied=family not in _UNTIED and bool(rng.random() < _TIED),
                apart=not alias and _several(template) and bool(rng.random() < _APART),
            )

    def _beyond_blocks(
        self, template: Template, sizes: dict[str, int], turn: int, rng: np.random.Generator
    ) -> dict[str, int]:
        """Sizes of which one is a number of the texts, or beside it, in some examples."""
        if not self.blocks or not turn or rng.random() >= _BEYOND_BLOCKS:
            return sizes
        block = self.blocks[int(rng.integers(len(self.blocks)))]
        longer = dict(_one_large(template, rng, block + int(rng.choice(_BESIDE_BLOCKS))))
        fits = template.elements({**sizes, **longer}) <= _MOST_BEYOND
        return {**sizes, **longer} if fits else sizes

    def _listed(
        self, slots: tuple[Slot, ...], rng: np.random.Generator
    ) -> tuple[tuple[Slot, ...], bool]:
        """Lists now and then for what the function itself makes an array of."""
        if not self.signature.listed or rng.random() >= _LISTED:
            return slots, False
        listed = self.signature.listed
        chosen = [s.kind == "array" and s.name in listed and not s.traits for s in slots]
        pairs = zip(slots, chosen, strict=True)
        return tuple(replace(s, traits=(LISTED,)) if one else s for s, one in pairs), any(chosen)

    def _iterated(self, slots: tuple[Slot, ...], rng: np.random.Generator) -> tuple[Slot, ...]:
        """Iterators in some examples for what is gone through: they can be so once."""
        once = self.signature.iterated
        if not once or rng.random() >= _ITERATED:
            return slots
        return tuple(
            replace(s, traits=(*s.traits, ITERATED))
            if s.name in once and s.kind in ("list", "tuple")
            else s
            for s in slots
        )

    def _of_dtype(self, template: Template, dtype: str) -> tuple[tuple[Slot, ...], str]:
        """The slots and the dtype of all others: booleans are for those that may hold a mask."""
        if dtype != "bool":
            return template.slots, dtype
        masks = self.signature.masks
        free = [s.kind == "array" and s.dtype is None and s.name in masks for s in template.slots]
        pairs = zip(template.slots, free, strict=True)
        return tuple(replace(s, dtype="bool") if mask else s for s, mask in pairs), "float64"

    def _of_other_width(
        self, slots: tuple[Slot, ...], family: str, rng: np.random.Generator
    ) -> tuple[tuple[Slot, ...], str]:
        """Whole numbers of another width now and then, where it was found out that it takes such.

        Where all its arrays are such, over all that their type holds in half of these examples.
        """
        guessed = {p.name for p in self.signature.parameters if p.source == "guessed"}
        whole = [_is_open_whole(slot) and slot.name in guessed for slot in slots]
        if not any(whole) or rng.random() >= _SELDOM_SHARE:
            return slots, family
        dtype = str(rng.choice(_WHOLE))
        others = any(s.kind == "array" and not w for s, w in zip(slots, whole, strict=True))
        family = RANGE if not others and rng.random() < _ALL_OVER else family
        pairs = zip(slots, whole, strict=True)
        return tuple(replace(s, dtype=dtype) if w else s for s, w in pairs), family

    def _refuses(self, template: Template, sizes: dict[str, int], rng: np.random.Generator) -> bool:
        """In some examples, small ones, what stands beside a kernel runs (it is slow)."""
        small = template.elements(sizes) <= _REFUSED_ELEMENTS
        return self.guarded and small and bool(rng.random() < _REFUSED)

    def _history(self, rng: np.random.Generator) -> tuple[State, ...]:
        """Up to three calls that the instance has behind it, in most trials; many now and then."""
        if not self.states:
            return self.needed
        picks = rng.integers(len(self.states), size=int(rng.choice(_HISTORIES)))
        return (*self.needed, *(self.states[int(k)] for k in picks))


@dataclass(slots=True)
class _Proven:
    """The sizes that were accepted so far, by which dimensions they are of.

    ``taken`` is how many of those that are ``told`` are known here: each is looked at once.
    """

    told: Sequence[tuple[int, Mapping[str, int]]]
    taken: int = 0
    alike: dict[frozenset[str], list[Mapping[str, int]]] = field(default_factory=dict)

    def or_other(
        self, index: int, sizes: dict[str, int], rng: np.random.Generator
    ) -> dict[str, int]:
        """These sizes, or such as were accepted before where hardly any are (three by three)."""
        while self.taken < len(self.told) and self.told[self.taken][0] + AHEAD <= index:
            accepted = self.told[self.taken][1]
            self.alike.setdefault(frozenset(accepted), []).append(accepted)
            self.taken += 1
        if index < _SETTLED or self.taken > index / 2:
            return sizes
        alike = self.alike.get(frozenset(sizes))
        if not alike or rng.random() > _PROVEN:
            return sizes
        return dict(alike[int(rng.integers(len(alike)))])


def _several(template: Template) -> bool:
    return sum(slot.kind == "array" for slot in template.slots) > 1


def _is_open_whole(slot: Slot) -> bool:
    """An array of whole numbers of which nothing else is known."""
    return slot.kind == "array" and slot.dtype == "int64" and not slot.traits and not slot.domain


def _varied(templates: Sequence[Template]) -> list[Template]:
    """Those with an array whose dtype is open."""
    return [t for t in templates if any(s.kind == "array" and s.dtype is None for s in t.slots)]


def _dtype(index: int, rng: np.random.Generator) -> str:
    """Each in turn first, then at random, so that every one meets every family of values."""
    if index < len(_DTYPES):
        return _DTYPES[index] if index >= _PLAIN_FIRST else "float64"
    return _DTYPES[int(rng.integers(len(_DTYPES)))]


def _seldom(number: int) -> tuple[str, str]:
    """A dtype that programs seldom hold, and a family of values: each with each sooner or later."""
    turn, place = divmod(number, len(_SELDOM))
    dtype = _SELDOM[place]
    families = _SELDOM_WHOLE if "int" in dtype else _SELDOM_FLOATS
    families = _SELDOM_HALF if dtype == "float16" else families
    return dtype, families[turn % len(families)]


def _sizes(template: Template, turn: int, rng: np.random.Generator) -> dict[str, int]:
    """A size for each dimension; those of a group vary together."""
    sizes: dict[str, int] = dict(template.base)
    alike = rng.random() < 0.3
    usual = turn == 0 or rng.random() < 0.2
    if template.recorded and usual and template.elements() <= _MODEST:
        return sizes
    many = len(template.symbols()) > _FEW
    usable = _SIZES if many else (*_SIZES, *_BLOCKS)
    for k, group in enumerate(template.groups):
        first = k == 0 or alike
        size = usable[(turn if first else int(rng.integers(100))) % len(usable)]
        if size > _LARGE and many:
            size = _LARGE - 7
        sizes.update({name: size + template.offsets.get(name, 0) for name in group})
    if many and turn and rng.random() < _ONE_LARGE:
        longer = {**sizes, **dict(_one_large(template, rng))}
        # of axes that have to be alike all are long
        sizes = longer if template.elements(longer) <= _MODEST else sizes
    if turn and len(template.groups) == 1 and rng.random() < _VERY_LARGE:
        larger = {name: _LARGEST + template.offsets.get(name, 0) for name in template.groups[0]}
        if template.elements({**sizes, **larger}) <= _MANY:
            sizes.update(larger)
    for rungs in template.ladders:
        sizes.update(rungs[0 if turn == 0 else int(rng.integers(len(rungs)))])
    if template.single and turn and rng.random() < _SINGLE:
        sizes[template.single[int(rng.integers(len(template.single)))]] = 1
    return sizes


def _one_large(
    template: Template, rng: np.random.Generator, size: int = 0
) -> Iterator[tuple[str, int]]:
    """What is cut into blocks along one axis of many: that one of this size, or of a usual one."""
    chosen = int(rng.integers(max(len(template.groups), 1)))
    size = size or int(rng.choice(_BEYOND))
    for k, group in enumerate(template.groups):
        small = int(rng.integers(1, BASE_SIZE + 1))
        for name in group:
            yield name, (size if k == chosen else small) + template.offsets.get(name, 0)


def turned(templates: Sequence[Template], seed: int) -> Iterator[Trial]:
    """Arrays of as many elements in another shape, as (3, 2) beside (2, 3): most refuse them."""
    for template in templates:
        arrays = [slot for slot in template.slots if slot.kind == "array"]
        if len(arrays) < 2 or any(d.startswith("=") for slot in arrays for d in slot.dims):
            continue
        sizes = dict.fromkeys(template.symbols(), 2)
        for slot in arrays:
            sizes |= dict(zip(slot.dims, itertools.count(2), strict=False))
        first = arrays[0].dims
        for slot in arrays[1:]:
            if len(slot.dims) == len(first) > 1 and not set(slot.dims) & {*first}:
                back = zip(slot.dims, reversed(slot.dims), strict=True)
                sizes |= {name: sizes[other] for name, other in [*back]}
                yield template.all_given.trial(sizes, (seed, 6), "normal")
                break


def most_arrays(templates: Sequence[Template]) -> list[Template]:
    """Callers that hold device arrays do not pass numbers where an array is possible."""
    counts = [sum(slot.kind == "array" for slot in t.slots) for t in templates]
    return [t for t, count in zip(templates, counts, strict=True) if count == max(counts)]


def residencies(trial: Trial) -> list[tuple[str, ...]]:
    """Which arguments, and which of the constructor's (``self.name``), may be CuPy arrays."""
    names = may_hold_arrays(trial)
    sizes: Sequence[int] = range(len(names), -1, -1)
    if len(names) > _SUBSETS:
        sizes = (len(names), 1, len(names) - 1, 0)
    return [choice for size in sizes for choice in itertools.combinations(names, size)]


def may_hold_arrays(trial: Trial) -> list[str]:
    """Arguments, and those of the constructor (``self.name``), that are arrays or hold some."""
    names = [s.name for s in trial.parameters if _may_hold_arrays(s)]
    return names + [f"{OWN}{name}" for s in trial.init or () for name in _own(s)]


def _own(slot: Slot) -> Iterator[str]:
    """A constructor's argument; of an instance that is given as it is each attribute."""
    held = [f"{slot.name}.{s.name}" for s in slot.items if _given_arrays(s)]
    if slot.kind == "object" and len(held) > 1:
        yield from held
    elif _given_arrays(slot):
        yield slot.name


def _given_arrays(slot: Slot) -> bool:
    return bool(slot.symbols()) or slot.kind in ("array", INSTANCE)


def _may_hold_arrays(slot: Slot) -> bool:
    if slot.kind == "size":
        return False
    return bool(slot.symbols()) or slot.kind in ("array", "list", "made", INSTANCE)
