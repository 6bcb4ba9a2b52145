"""Names that nothing has bound before the loop that leaves them: its call is made where it runs."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection
from dataclasses import replace

from gpuport.emit.kernelfunctions import KernelFunction
from gpuport.loops.context.scalars import exposed
from gpuport.runtime.kernels.signature import OBJECT


def without_unbound(
    made: KernelFunction, region: ast.stmt, names: Collection[str]
) -> KernelFunction | None:
    """The function without parameters for such names, called where there are iterations.

    Parameters
    ----------
    made : KernelFunction
    region : ast.stmt
        Its loop.
    names : collection of str
        Each iteration has to set all of them.

    Returns
    -------
    KernelFunction or None
        None where what they were before matters.
    """
    when = _runs(made.over)
    if not when or not isinstance(region, ast.For) or not exposed([region]).isdisjoint(names):
        return None
    returns = made.returns
    for name in names:
        returns = re.sub(rf"(\blatest\((?:\w+\(\w+\)|\w+), ){name}\)", r"\1None)", returns)
    said = f"{returns} {made.where} {made.before} {made.then} {made.work} {made.over}"
    if not {*re.findall(r"\w+", said)}.isdisjoint(names):
        return None
    inputs = tuple(one for one in made.inputs if one.type != OBJECT or one.name not in names)
    return replace(made, inputs=inputs, returns=returns, when=when)


def _runs(over: str) -> str:
    """Python text that is true where one loop has iterations; empty for several of them."""
    call = ast.parse(f"({over},)", mode="eval").body
    if not isinstance(call, ast.Tuple) or len(call.elts) != 1:
        return ""
    (one,) = call.elts
    if not isinstance(one, ast.Compare) or not isinstance(one.comparators[0], ast.Call):
        return ""
    arguments = [ast.unparse(each) for each in one.comparators[0].args]
    if len(arguments) == 1:
        return f"{arguments[0]} > 0"
    if len(arguments) == 2:
        return " < ".join(arguments)
    return ast.unparse(one.comparators[0])


__all__ = ["without_unbound"]
