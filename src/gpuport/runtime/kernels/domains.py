"""The domain of a kernel, in the words of the loops that it stands for."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from gpuport.runtime.expressions import names_in, parsed

_STEP = 2
"""Where the step stands among the arguments of ``range``."""


@dataclass(frozen=True, slots=True)
class Axis:
    """``i in range(1, n - 1)``.

    Attributes
    ----------
    name : str
    bounds : str
        The arguments of ``range``, as they are written.
    upwards : bool
        Whether the step is known to be positive.
    """

    name: str
    bounds: str
    upwards: bool


def parse_over(text: str, function: str) -> list[Axis]:
    """The loops that ``over=`` names, the outermost first.

    Raises
    ------
    TypeError
        Where it is anything else, with the part that is.
    """
    if not text.strip():
        return []
    tree = parsed(f"({text},)", f"over={text!r}", function)
    axes: list[Axis] = []
    for one in tree.elts if isinstance(tree, ast.Tuple) else [tree]:
        match one:
            case ast.Compare(
                left=ast.Name(id=name),
                ops=[ast.In()],
                comparators=[ast.Call(func=ast.Name(id="range"), args=args, keywords=[])],
            ) if 1 <= len(args) <= 1 + _STEP:
                bounds = ", ".join(map(ast.unparse, args))
                axes.append(Axis(name, bounds, _is_upwards(args)))
            case _:
                raise TypeError(
                    f"kernel: {ast.unparse(one)!r} in over= of {function} is not of the form "
                    "'i in range(...)'"
                )
    names = [one.name for one in axes]
    if len(set(names)) < len(names):
        raise TypeError(f"kernel: over={text!r} of {function} names a variable twice")
    for axis in axes:
        if inner := sorted(names_in(f"({axis.bounds},)") & set(names)):
            raise TypeError(
                f"kernel: the range of {axis.name} in over= of {function} depends on {inner[0]}: "
                "each range must be the same for all the others"
            )
    return axes


def _is_upwards(args: list[ast.expr]) -> bool:
    if len(args) <= _STEP:
        return True
    step = args[_STEP]
    return isinstance(step, ast.Constant) and type(step.value) is int and step.value > 0
