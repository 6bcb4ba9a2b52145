"""Which examples a function gets, in which order, and what they are varied to."""

from __future__ import annotations

import itertools
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from gpuport.verify.inputs.layouts import LAYOUTS
from gpuport.verify.inputs.sizes import Proven, drawn_sizes, one_large
from gpuport.verify.inputs.values import FAMILIES, RANGE
from gpuport.verify.signatures.signatures import Signature
from gpuport.verify.signatures.templates import Template
from gpuport.verify.slots import BASE_SIZE, ITERATED, LISTED, Slot, Trial

State = tuple[str, tuple[Slot, ...]]

_DRAWS_PER_EXAMPLE = 5
_REFUSED_ELEMENTS = 300
"""Elements up to which what stands beside a kernel is run, as it is slow,"""
_REFUSED = 0.4
"""in this share of the examples;"""
_CUT_DOWN, _CUT_TO = 0.2, (2, 3, 5, 8)
"""of those with more elements this share has no axis longer than one of these."""
_FLOAT_FAMILIES = ("specials",)
_DTYPES = ("float64", "float64", "float32", "float64", "int64", "mixed", "float64", "complex128")
_PLAIN_FIRST = 3
"""Examples of float64 alone, before the dtypes turn."""
_USUAL_FIRST = 12
"""Examples before the first of a dtype that programs seldom hold."""
# each in examples of its own, as in mixtures they hide behind the others
_SELDOM = ("uint8", "float16", "bool", "uint16", "int32", "complex64", "uint64", "int8", "int64",
           "int16", "uint32")  # fmt: skip
_SELDOM_SHARE = 0.25
_WHOLE, _ALL_OVER = tuple(name for name in _SELDOM if "int" in name), 0.7
# what they hold, in turns: small whole numbers say nothing of how narrow ones wrap
_SELDOM_WHOLE = (RANGE, "ties", RANGE, "sorted")
_SELDOM_FLOATS = ("normal", "wide", "ties", "specials")
_SELDOM_HALF = ("normal", "ties", "uniform", "sorted")  # where it overflows is chance
_SELDOM_TURNS = (0, 1, 3, 6, 7, 9, 10)  # of the sizes: what sums of one element hold tells nothing
_AS_MASK = 0.12
"""Share of the examples in which what is an index, by the function's text, is a mask."""
_BEYOND_BLOCKS = 0.12
"""Share of the examples with a size that is a number of the program's own texts,"""
_BESIDE_BLOCKS = (1, 1, 0, 7, 1000)
"""or so much more,"""
_MOST_BEYOND = 40_000
"""where the example has no more elements than that."""
_APART, _APART_ALL_OVER = 0.35, 0.7
"""Share in which some of several arrays hold plain values beside what the others do, and that of
the whole numbers of any magnitude: a quotient of two such ones is small."""
_LISTED = 0.08
"""Share in which what the function makes arrays of is given as lists."""
_ITERATED = 0.2
"""Share in which what it goes through is given as iterators."""
_HISTORIES = (0, 1, 1, 2, 3, 1, 2, 9)  # the last for buffers that are full and begin anew
_EARLIER, _EARLIER_SMALL = (1, 2, 3, 5), 0.3
"""Sizes of what is given to earlier calls, in this share of the examples;"""
_EARLIER_AS_USUAL, _LARGEST_EARLIER = 0.6, 300
_TIED = 0.3
"""Share in which elements are equal to others', or one ULP beside, but in these families."""
_UNTIED = ("definite", "shares")
_ALIASES = ("same", "overlap", "equal", "", "", "", "", "", "")
_ALIKE = ("same", "equal")
_ALIKE_SPECIAL = 0.4
"""Share of these with special values: whether a NaN equals itself, infinities cancel."""
_COMPLEX_SPECIAL = 0.2
"""Share of the complex ones with NaN in one part: what looks at the other one does not see it."""
_AT_NEW_NUMBERS = 0.1
"""Share of the examples near the numbers of the texts, where the port has some of its own."""
_CHOICES = 19
"""Keeps what is chosen here apart from what is drawn for the arguments by the same seed: NumPy
takes no notice of a zero at the end of one."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """The examples of one function: every family with every size sooner or later.

    Layouts, dtypes and aliasing rotate. ``states`` are methods that may have been called on the
    instance before, ``needed`` those that must have been; ``guarded``: the file has something that
    stands beside a kernel. ``proven`` are sizes of the examples that were accepted so far, by their
    number, added while the trials are drawn: where few are, most of the further ones have sizes
    of these. The latest `AHEAD` are not looked at, because they may not be known yet. ``blocks``
    are numbers of the texts that longer arrays may be cut into: some examples have such lengths.
    ``literals`` are all numbers of both texts, near which one of the two may branch; ``of_port``:
    the port has some that the original has not.
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
    literals: tuple[float, ...] = ()
    of_port: bool = False

    def trials(self) -> Iterator[Trial]:
        """The examples in order, the same ones for the same seed."""
        stream = zlib.crc32(self.signature.name.encode())
        varied = _varied(self.templates)
        # those whose dtypes vary twice: whole numbers and masks alone have fewer ways to fail
        templates = [*self.templates, *(varied if len(varied) < len(self.templates) else ())]
        seldom, known = 0, Proven(self.proven)
        for index in range(_DRAWS_PER_EXAMPLE * self.examples):
            seed = (self.seed, stream, index)
            rng = np.random.default_rng((*seed, _CHOICES))
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
            sizes = known.or_other(index, drawn_sizes(template, turn, rng), rng)
            sizes = self._beyond_blocks(template, sizes, turn, rng)
            sizes = self._cut_down(template, sizes, rng)
            if template.recorded and (turn == 0 or rng.random() < 0.5):
                family = "recorded"
            alias = _ALIASES[int(rng.integers(len(_ALIASES)))]
            if alias in _ALIKE and family in FAMILIES and rng.random() < _ALIKE_SPECIAL:
                family = "specials"
            if dtype.startswith("complex") and rng.random() < _COMPLEX_SPECIAL:
                family = "specials"
            if self.of_port and family in FAMILIES and rng.random() < _AT_NEW_NUMBERS:
                family = "thresholds"
            if family in _FLOAT_FAMILIES and dtype in ("int64", "mixed"):
                dtype = "float64"
            slots, dtype = self._of_dtype(template, dtype)
            if index >= _USUAL_FIRST and not template.recorded:
                slots, family = self._of_other_width(slots, family, rng)
                slots, sizes = self._as_masks(slots, sizes, rng)
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
                literals=self.literals,
                before=self._history(rng),
                refused=self._refuses(template, sizes, rng),
                tied=family not in _UNTIED and bool(rng.random() < _TIED),
                apart=not alias and _several(template) and bool(rng.random() < _apart(family)),
                earlier=_earlier(sizes, rng) if self.states else BASE_SIZE,
            )

    def _beyond_blocks(
        self, template: Template, sizes: dict[str, int], turn: int, rng: np.random.Generator
    ) -> dict[str, int]:
        """Sizes of which one is a number of the texts, or beside it, in some examples."""
        if not self.blocks or not turn or rng.random() >= _BEYOND_BLOCKS:
            return sizes
        block = self.blocks[int(rng.integers(len(self.blocks)))]
        longer = dict(one_large(template, rng, block + int(rng.choice(_BESIDE_BLOCKS))))
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

        Where all its arrays are such, over all that their type holds in most of these examples.
        """
        whole = [_is_open_whole(slot) for slot in slots]
        if not any(whole) or rng.random() >= _SELDOM_SHARE:
            return slots, family
        others = any(s.kind == "array" and not w for s, w in zip(slots, whole, strict=True))
        family = RANGE if not others and rng.random() < _ALL_OVER else family
        guessed = {p.name for p in self.signature.parameters if p.source == "guessed"}
        dtype = str(rng.choice(_WHOLE))
        pairs = zip(slots, whole, strict=True)
        other = (replace(s, dtype=dtype) if w and s.name in guessed else s for s, w in pairs)
        return tuple(other), family

    def _as_masks(
        self, slots: tuple[Slot, ...], sizes: dict[str, int], rng: np.random.Generator
    ) -> tuple[tuple[Slot, ...], dict[str, int]]:
        """A mask now and then for what is an index, ``x[where]``, as long as what it chooses of."""
        guessed = {p.name for p in self.signature.parameters if p.source == "guessed"}
        names = guessed & self.signature.masks
        masks = [s for s in slots if _is_open_whole(s) and s.name in names]
        others = [s for s in slots if s.kind == "array" and s not in masks]
        if not masks or not others or rng.random() >= _AS_MASK:
            return slots, sizes
        longest = max(others, key=lambda slot: len(slot.dims)).dims
        for slot in masks:
            pairs = zip(slot.dims, longest, strict=False)
            sizes = sizes | {own: sizes[other] for own, other in pairs if {own, other} <= {*sizes}}
        return tuple(replace(s, dtype="bool") if s in masks else s for s in slots), sizes

    def _cut_down(
        self, template: Template, sizes: dict[str, int], rng: np.random.Generator
    ) -> dict[str, int]:
        """Sizes that are small enough for what stands beside a kernel, in some examples."""
        if not self.guarded or self._is_small(template, sizes) or rng.random() >= _CUT_DOWN:
            return sizes
        longest = int(rng.choice(_CUT_TO))
        return {name: min(size, longest) for name, size in sizes.items()}

    def _is_small(self, template: Template, sizes: Mapping[str, int]) -> bool:
        return template.elements(dict(sizes)) <= _REFUSED_ELEMENTS

    def _refuses(self, template: Template, sizes: dict[str, int], rng: np.random.Generator) -> bool:
        """In some examples, small ones, what stands beside a kernel runs (it is slow)."""
        small = self._is_small(template, sizes)
        return self.guarded and small and bool(rng.random() < _REFUSED)

    def _history(self, rng: np.random.Generator) -> tuple[State, ...]:
        """Up to three calls that the instance has behind it, in most trials; many now and then."""
        if not self.states:
            return self.needed
        picks = rng.integers(len(self.states), size=int(rng.choice(_HISTORIES)))
        return (*self.needed, *(self.states[int(k)] for k in picks))


def _earlier(sizes: Mapping[str, int], rng: np.random.Generator) -> int:
    """How large what methods before take is: as usual, as something of this call, or small."""
    others = (BASE_SIZE, *(size for size in sizes.values() if 0 < size <= _LARGEST_EARLIER))
    known = BASE_SIZE if rng.random() < _EARLIER_AS_USUAL else int(rng.choice(others))
    return int(rng.choice(_EARLIER)) if rng.random() < _EARLIER_SMALL else known


def _apart(family: str) -> float:
    return _APART_ALL_OVER if family == RANGE else _APART


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
