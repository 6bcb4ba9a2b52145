"""From how many operations on a chain is worth the lines of a kernel."""

from __future__ import annotations

import ast

from gpuport.analysis.chains.elementwise import rules
from gpuport.analysis.interpretation.unit import Unit


def least_launches(unit: Unit, *, repeated: bool, numbers: bool = False) -> int:
    """How many launches a kernel has to replace.

    Parameters
    ----------
    unit : Unit
    repeated : bool
        Whether the statements stand in a loop.
    numbers : bool
        Whether they work on nothing but numbers, which are the smallest arrays.
    """
    if repeated or unit.called_in_loops:
        return int(rules()["least_launches" if numbers else "least_launches_in_loops"])
    once = numbers or _runs_once(unit)
    return int(rules()["least_launches_once" if once else "least_launches"])


def _runs_once(unit: Unit) -> bool:
    """Whether code that no loop is seen to call is likely to run once: where all calls are seen."""
    seen = unit.objects is None or unit.project.why_imported is None
    return (seen and not unit.decorated) or isinstance(unit.node, ast.Module)


__all__ = ["least_launches"]
