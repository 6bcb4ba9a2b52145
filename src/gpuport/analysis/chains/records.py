"""Chains of elementwise operations, as they are handed to what writes their launches."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gpuport.loops.kernels.elementwise import ElementwiseKernel


@dataclass(frozen=True, slots=True)
class Input:
    """What a kernel is passed.

    Attributes
    ----------
    name : str
        What the kernel's statements call it.
    expression : ast.expr
        What the launch passes: the user's own expression.
    """

    name: str
    expression: ast.expr


@dataclass(frozen=True, slots=True)
class Chain:
    """Statements that one kernel can replace.

    Attributes
    ----------
    statements : tuple of ast.stmt
        Consecutive ones of a block.
    tail : ast.expr or None
        An expression in `rest`, the statement behind them, that belongs to the chain; it gets the
        name that is `made` first.
    rest : ast.stmt or None
    name : str
        The kernel object's.
    kernel : ElementwiseKernel
    inputs : tuple of Input
        In the order of the kernel's parameters.
    guarded : tuple of (str, str)
        Kind, as the runtime's guard has it, and text of what the launch is guarded by; empty
        where everything is certain.
    written : tuple of str
        Arrays that are changed in place.
    made : tuple of str
        Names that the launch gives, in order.
    returns : bool
        Whether the last statement returns them.
    same_shape : tuple of str
        Arrays that must have one shape, where outputs are made of different ones.
    or_scalar : tuple of str
        Others, which must have that shape or no axes.
    launches : int
        Those that the kernel replaces.
    covered : frozenset of int
        Ids of the operations that it does.
    """

    statements: tuple[ast.stmt, ...]
    tail: ast.expr | None
    rest: ast.stmt | None
    name: str
    kernel: ElementwiseKernel
    inputs: tuple[Input, ...]
    guarded: tuple[tuple[str, str], ...]
    written: tuple[str, ...]
    made: tuple[str, ...]
    returns: bool
    same_shape: tuple[str, ...]
    or_scalar: tuple[str, ...]
    launches: int
    covered: frozenset[int]

    @property
    def first(self) -> ast.stmt:
        """Where the launch stands."""
        found = self.statements[0] if self.statements else self.rest
        assert found is not None
        return found


__all__ = ["Chain", "Input"]
