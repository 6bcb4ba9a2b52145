"""Ways of filling all parameters of a function, and what is known of one that was refused."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from gpuport.verify.slots import MAPPING, OMITTED, Slot, Trial, size_of

_LEFT_OUT = 0.5
_MISFIT = ("broadcast", "shape", "mismatch", "dimension", "size")


@dataclass(frozen=True, slots=True)
class Template:
    """One way of filling all parameters; ``groups`` are dimensions that vary independently.

    ``base`` are the sizes that a recorded call had, ``offsets`` how much larger than the smallest
    of its group a dimension is. ``ladders``: of some dimensions these sizes are known to be
    accepted, together, and hardly any others are. ``single`` are dimensions that may be of one
    element while the others of their group are not.
    """

    slots: tuple[Slot, ...]
    init: tuple[Slot, ...] | None
    groups: tuple[tuple[str, ...], ...] = field(default=())
    base: Mapping[str, int] = field(default_factory=dict)
    offsets: Mapping[str, int] = field(default_factory=dict)
    ladders: tuple[tuple[Mapping[str, int], ...], ...] = field(default=())
    recorded: bool = False
    single: tuple[str, ...] = ()

    def symbols(self) -> tuple[str, ...]:
        """All free dimensions."""
        every = [s for slot in (*self.slots, *(self.init or ())) for s in slot.symbols()]
        return tuple(dict.fromkeys(every))

    @property
    def given(self) -> frozenset[str]:
        """Parameters that are not left to their defaults, and not None."""
        every = (*self.slots, *(self.init or ()))
        return frozenset(s.name for s in every if s.kind not in (OMITTED, "none"))

    @property
    def all_given(self) -> Template:
        """The same with nothing left out by chance: what is accepted then is accepted."""
        init = None if self.init is None else tuple(map(_given, self.init))
        return replace(self, slots=tuple(map(_given, self.slots)), init=init)

    def without_some(self, seed: tuple[int, ...]) -> Template:
        """The same with about half of what may be left out left out in all examples."""
        rng = np.random.default_rng(seed)

        def some(slots: tuple[Slot, ...]) -> tuple[Slot, ...]:
            gone = rng.random(len(slots)) < _LEFT_OUT
            pairs = zip(slots, gone, strict=True)
            return tuple(left_out(s) if s.omit and out else s for s, out in pairs)

        return replace(
            self, slots=some(self.slots), init=some(self.init) if self.init else self.init
        )

    def elements(self, sizes: Mapping[str, int] | None = None) -> int:
        """Elements of all arrays at these sizes, or the recorded ones."""
        slots = (*self.slots, *(self.init or ()))
        return sum(_elements(slot, self.base if sizes is None else sizes) for slot in slots)

    def trial(
        self, sizes: dict[str, int], seed: tuple[int, ...], family: str = "recorded"
    ) -> Trial:
        """A plain trial of this template."""
        return Trial(self.slots, self.init, sizes, seed, family)


def left_out(slot: Slot) -> Slot:
    """A slot of the same name that is left to its default; it tells that it may be a dictionary."""
    traits = (MAPPING,) if slot.kind == "dict" else ()
    return replace(slot, kind=OMITTED, dims=(), items=(), traits=traits)


def _given(slot: Slot) -> Slot:
    return replace(slot, omit=False, nullable=False) if slot.omit or slot.nullable else slot


def _elements(slot: Slot, sizes: Mapping[str, int]) -> int:
    own = math.prod(size_of(d, sizes, 1) for d in slot.dims) if slot.kind == "array" else 0
    return own + sum(_elements(item, sizes) for item in slot.items)


Accepts = Callable[[Trial], bool]


@dataclass(frozen=True, slots=True)
class Refusal:
    """How far the original came with an input that it refused.

    ``line`` is the last line of the function itself that was reached, 0 where none was; ``text``
    what stands there; ``message`` what was raised.
    """

    line: int = 0
    text: str = ""
    message: str = ""

    @property
    def misfit(self) -> bool:
        """Whether arrays do not fit each other."""
        return any(word in self.message for word in _MISFIT)

    def names(self, parameter: str) -> bool:
        """Whether the line that failed uses a parameter."""
        return bool(parameter) and re.search(rf"\b{re.escape(parameter)}\b", self.text) is not None
