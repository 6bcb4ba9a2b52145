"""Launches in stages: a kernel for what each iteration tells, then one for what is made of that."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from gpuport.loops.records import Kernel, LoopPlan, Refusal
from gpuport.parallel.conditions import operand

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


def staged(stages: Sequence[Kernel], guards: Sequence[str]) -> Kernel:
    """The last of some kernels, with what is told of those before it.

    Parameters
    ----------
    stages : sequence of Kernel
        In their order.
    guards : sequence of str
        What is asked besides the guards of the kernels.
    """
    return replace(
        stages[-1],
        guards=tuple(dict.fromkeys([*guards, *(g for one in stages for g in one.guards)])),
        notes=tuple(dict.fromkeys(n for one in stages for n in one.notes)),
        remarks=tuple(dict.fromkeys(r for one in stages for r in one.remarks)),
    )


def asked_besides(plan: LoopPlan) -> list[str]:
    """What is asked of the arrays, but for what the runtime finds out itself."""
    trivial = f"{plan.grid[0].stop} > {plan.grid[0].start}"
    return [operand(g) for g in plan.guards if g != trivial and ".ndim == " not in g]
