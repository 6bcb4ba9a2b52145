"""The text of a kernel object: parameters, body and preamble in a call of ``ElementwiseKernel``."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from gpuport.parallel.cuda.helpers import used_by
from gpuport.parallel.cuda.names import kernel_word

INDENT = "    "
_WIDE = 84
"""Letters of a line of parameters."""


def definition(
    name: str, inputs: Sequence[str], outputs: Sequence[str], operation: str, functions: str
) -> str:
    """The expression that makes a kernel object.

    Parameters
    ----------
    name : str
        The name of the object.
    inputs, outputs : sequence of str
        Declarations of the parameters: ``raw float64 x``.
    operation : str
        The body.
    functions : str
        Device functions of the project that the body calls; helpers are added.
    """
    helpers = used_by(f"{operation}\n{functions}")
    preamble = "\n".join(part for part in (helpers, functions) if part)
    lines = ["{cupy}.ElementwiseKernel(", *_listed(inputs), *_listed(outputs)]
    lines.append('    """')
    lines += [INDENT + line for line in operation.splitlines()]
    lines += ['    """,', _named(name)]
    if preamble:
        lines.append('    preamble="""')
        lines += [INDENT + line if line else "" for line in preamble.splitlines()]
        lines.append('    """,')
    lines += ['    options=("--fmad=false",),', ")"]
    return "\n".join(lines)


def renamed(definition: str, old: str, new: str) -> str:
    """The definition of a kernel of another name: the one that profilers show."""
    before, _, after = definition.rpartition(f"\n{_named(old)}\n")
    return f"{before}\n{_named(new)}\n{after}"


def unused(wanted: str, taken: Collection[str]) -> str:
    """A Python name that the function does not use, the same each time."""
    number, name = 1, wanted
    while name in taken:
        number += 1
        name = f"{wanted}_{number}"
    return name


def _named(name: str) -> str:
    """The line of a definition that says what CUDA calls the kernel."""
    return f'    "{kernel_word(name)}",'


def _listed(declared: Sequence[str]) -> list[str]:
    """The parameters as one Python string, broken where it is too long."""
    rows = [""]
    for k, text in enumerate(declared):
        piece = text + (", " if k < len(declared) - 1 else "")
        if rows[-1] and len(rows[-1]) + len(piece) > _WIDE:
            rows.append("")
        rows[-1] += piece
    return [f'    "{text}"{"," if k == len(rows) - 1 else ""}' for k, text in enumerate(rows)]
