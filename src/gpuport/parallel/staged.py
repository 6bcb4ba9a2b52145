"""Kernels whose iterations are tied by numbers that they add to, or that some of them set."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from gpuport.parallel.declared import DeclaredKernel, Given, of_double, woven
from gpuport.parallel.shares import last_of
from gpuport.parallel.typing import Type
from gpuport.runtime.kernels.signature import C_TYPES

_BEFORE = {
    "int": "int", "int|int64": "int", "float": "float", "float|float64|int24": "float",
    "float|float64": "float", "float|int24": "float", "complex": "complex128",
}  # fmt: skip
"""The runtime's word for a number by what is known of it before the loop."""


def word_before(types: str | None) -> str | None:
    """The runtime's word for a number that the loop begins with; None where it has none."""
    return _BEFORE.get(str(types)) or (types if types in C_TYPES else None)


def types_asked(assumed: Mapping[str, str]) -> list[str]:
    """What is asked of such numbers besides, where the word allows more."""
    whole = [f"type({n}) is not int" for n, types in assumed.items() if types == "float|float64"]
    pythons = [n for n, types in assumed.items() if types == "float|int24"]
    return whole + [f"type({name}) in (float, int)" for name in pythons]


def of_tallies(
    first: DeclaredKernel | None,
    rest: DeclaredKernel | None,
    types: Mapping[str, Type],
    scans: Mapping[str, str],
    live: Collection[str],
) -> DeclaredKernel | None:
    """The kernel of a loop whose iterations add to numbers; None where there are no words for it.

    Parameters
    ----------
    first, rest : DeclaredKernel or None
        What each iteration adds, and what it does with the numbers as they are before it.
    types : mapping of str to Type
        Those of the numbers.
    scans : mapping of str to str
        The arrays from which `rest` reads them.
    live : collection of str
        Names that are read after the loop.
    """
    if first is None or rest is None:
        return None
    counted, terms = of_double(first), {name: f"{name}_terms" for name in types}
    made = {one.name: one for one in counted.outputs}
    if any(made[terms[n]].type != t.dtype if terms[n] in made else True for n, t in types.items()):
        return None
    left = {}
    for name in (name for name in types if name in live):
        left[name] = last_of(terms[name], types[name])
        mark = f"{name}_added_terms"
        left[name] += f" if {mark}.any() else {name}" if mark in made else ""
    before = (
        f"{terms[name]} = running_sum({terms[name]}, begin={name}); "
        f"{scans[name]} = before_each({terms[name]}, {name})"
        for name in types
    )
    scanned = [Given(scans[name], type_.dtype, False, "") for name, type_ in types.items()]
    return woven(
        (replace(counted, numbers=(), returns=""), {name: name for name in made}),
        rest,
        [*made.values(), *scanned],
        "; ".join(before),
        left,
        [Given(name, "object", False, name) for name in types],
        [],
    )


@dataclass(frozen=True, slots=True)
class Held:
    """A number that some iterations set.

    Attributes
    ----------
    name : str
    type : Type
    terms, places, scanned : str
        The arrays of what they set it to, of their own indices where they do, and of the number
        after each iteration.
    counts : str
        That of what others add to it; empty where none does.
    left : bool
        It is read after the loop.
    """

    name: str
    type: Type
    terms: str
    places: str
    scanned: str
    counts: str
    left: bool

    @property
    def arrays(self) -> dict[str, str]:
        """What the first kernel makes, with the dtypes."""
        found = {self.terms: self.type.dtype, self.places: "int64"}
        return found | ({self.counts: "int64"} if self.counts else {})

    @property
    def running(self) -> str:
        """What makes the number after each iteration, in the runtime's words."""
        more = [f"counts={self.counts}"] if self.counts else []
        given = ", ".join([self.terms, self.places, self.name, *more])
        return f"{self.scanned} = running_latest({given})"


def of_latest(
    first: DeclaredKernel | None,
    rest: DeclaredKernel | None,
    held: Sequence[Held],
    asked: Sequence[str],
) -> DeclaredKernel | None:
    """The kernel of a loop whose iterations set numbers; None where there are no words for it.

    Parameters
    ----------
    first, rest : DeclaredKernel or None
        What iterations set them to, and what is done with them.
    held : sequence of Held
    asked : sequence of str
        Conditions.
    """
    if first is None or rest is None:
        return None
    arrays = {name: dtype for one in held for name, dtype in one.arrays.items()}
    scanned = {one.scanned: one.type.dtype for one in held}
    made = woven(
        (first, {name: name for name in arrays}),
        rest,
        [Given(name, dtype, False, "") for name, dtype in (arrays | scanned).items()],
        "; ".join(one.running for one in held),
        {one.name: last_of(one.scanned, one.type) for one in held if one.left},
        [Given(one.name, "object", False, one.name) for one in held],
        asked,
    )
    zeros = [f"{one.counts} = 0;" for one in held if one.counts]
    return made and replace(made, first="\n".join([*zeros, made.first]))


__all__ = ["Held", "of_latest", "of_tallies", "types_asked", "word_before"]
