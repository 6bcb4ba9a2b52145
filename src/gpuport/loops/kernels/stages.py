"""Launches in stages: a kernel for what each iteration tells, then one for what is made of that."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

from gpuport.loops.facts import ArrayFact
from gpuport.loops.records import Kernel, LoopPlan, Refusal

Make = Callable[[LoopPlan, frozenset[str]], Kernel | Refusal]
"""Makes the kernel of a plan whose iterations nothing ties, with names that are taken."""


def staged(
    stages: Sequence[Kernel],
    before: Sequence[str],
    last: Sequence[str],
    guards: Sequence[str],
    assumed: Mapping[str, str],
) -> Kernel:
    """The last of some kernels, with what is launched before it.

    Parameters
    ----------
    stages : sequence of Kernel
        In their order.
    before : sequence of str
        Statements up to the last launch, those that make the other launches among them.
    last : sequence of str
        Statements after it that bind what the loop carried.
    guards : sequence of str
        What is asked besides the guards of the kernels.
    assumed : mapping of str to str
        What the kernels were made for.
    """
    rest = stages[-1]
    return replace(
        rest,
        before=(*before, *rest.before),
        after=(*last, *rest.after),
        guards=tuple(dict.fromkeys([*guards, *(g for one in stages for g in one.guards)])),
        assumed=assumed,
        others=tuple((one.name, one.definition) for one in stages[:-1]),
        notes=tuple(dict.fromkeys(n for one in stages for n in one.notes)),
    )


def assumed_by(parts: Sequence[Kernel], made: Collection[str]) -> dict[str, str]:
    """What the kernels were made for, but for the arrays that are made between them."""
    return {n: t for part in parts for n, t in part.assumed.items() if n not in made}


def dtypes_asked(plan: LoopPlan, assumed: Mapping[str, str], rest: Kernel) -> list[str]:
    """Guards for the dtypes of arrays that only the first kernel reads."""
    facts = plan.nest.facts
    return [
        f"{name}.dtype == '{dtype}'"
        for name, dtype in assumed.items()
        if name not in rest.arguments
        and isinstance(facts.get(name), ArrayFact | None)
        and name in plan.reads
    ]
