"""Chains of elementwise operations, as they are handed to what writes their kernels."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gpuport.analysis.chains.elementwise import rules
from gpuport.analysis.interpretation.unit import Unit

if TYPE_CHECKING:
    from gpuport.loops.kernels.elementwise import ElementwiseText


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


Parts = tuple[str | int, ...]
"""Python with numbers in the place of a kernel's parameters."""


@dataclass(frozen=True, slots=True)
class Given:
    """What a kernel is passed.

    Attributes
    ----------
    name : str
        What the kernel calls it.
    word : str
        What the user calls what it is, or is a part of.
    type : str
        As a signature has it.
    expression : ast.expr
        What the call passes: the user's own expression.
    raw : bool
        Whether the kernel indexes it.
    """

    name: str
    word: str
    type: str
    expression: ast.expr
    raw: bool = False


@dataclass(frozen=True, slots=True)
class Chain:
    """Statements that one kernel can do.

    Attributes
    ----------
    statements : tuple of ast.stmt
        Consecutive ones of a block.
    tails : tuple of ast.expr
        Expressions in `rest`, the statement behind them, that belong to the chain; they get the
        names that are `made` first.
    rest : ast.stmt or None
    name : str
        The function's that is the kernel; equal ones share it.
    text : ElementwiseText
    python : tuple of str or int
        The body of the function, with a number for each of `inputs` and `written`.
    reads : frozenset of str
        Names of the module that the function reads.
    where, over : tuple of str or int
        What must hold for a launch, and the domain, likewise.
    inputs, written : tuple of Given
        What is read, and what is changed in place.
    made : tuple of str
        Names that are bound to what the call gives.
    outputs : tuple of (str, str)
        What the kernel calls it, with the types.
    given_back : tuple of ast.expr
        What is bound to what the call gives where all is changed in place.
    returns : bool
        Whether the last statement returns what is made.
    launches : int
        Those that the kernel replaces.
    covered : frozenset of int
        Ids of the operations that it does.
    """

    statements: tuple[ast.stmt, ...]
    tails: tuple[ast.expr, ...]
    rest: ast.stmt | None
    name: str
    text: ElementwiseText
    python: Parts
    reads: frozenset[str]
    where: Parts
    over: Parts
    inputs: tuple[Given, ...]
    written: tuple[Given, ...]
    made: tuple[str, ...]
    outputs: tuple[tuple[str, str], ...]
    given_back: tuple[ast.expr, ...]
    returns: bool
    launches: int
    covered: frozenset[int]

    @property
    def first(self) -> ast.stmt:
        """Where the call stands."""
        found = self.statements[0] if self.statements else self.rest
        assert found is not None
        return found


__all__ = ["Chain", "Given", "Parts", "least_launches"]
