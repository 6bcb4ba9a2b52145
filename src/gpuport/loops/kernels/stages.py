"""Launches in stages: a kernel for what each iteration tells, then one for what is made of that."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np

from gpuport.loops.facts import ArrayFact
from gpuport.loops.records import Kernel, LoopPlan, Refusal
from gpuport.parallel.conditions import operand
from gpuport.parallel.cuda.objects import renamed as of_other_name

Make = Callable[[LoopPlan, frozenset[str]], Kernel | Refusal]
"""Makes the kernel of a plan whose iterations nothing ties, with names that are taken."""


def in_another_order(name: str, operator: str, dtype: str) -> str:
    """How far a sum or a product is from the loop's, which takes its terms one by one.

    About the expected error of n roundings (Higham, Accuracy and Stability of Numerical
    Algorithms, 2.8): it grows with the square root of n.
    """
    rounding = f"{np.finfo(dtype).eps / 2:.0e}".replace("e-0", "e-")
    if operator == "*":
        return (
            f"`{name}` is multiplied in another order: {dtype} products of n factors differ by "
            f"about {rounding} * sqrt(n) of themselves"
        )
    return (
        f"`{name}` is added up in another order: {dtype} sums of n terms differ by about "
        f"{rounding} * sqrt(n) of the sum of the terms' sizes"
    )


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
        remarks=tuple(dict.fromkeys(r for one in stages for r in one.remarks)),
    )


def asked_besides(plan: LoopPlan) -> list[str]:
    """What is asked of the arrays, but for what the runtime finds out itself."""
    trivial = f"{plan.grid[0].stop} > {plan.grid[0].start}"
    return [operand(g) for g in plan.guards if g != trivial and ".ndim == " not in g]


def renamed(kernel: Kernel, name: str) -> Kernel:
    """The kernel under another name: its object's, and the one that profilers show."""
    return replace(
        kernel,
        name=name,
        definition=of_other_name(kernel.definition, kernel.name, name),
        call=kernel.call.replace(f"{kernel.name}(", f"{name}(", 1),
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
