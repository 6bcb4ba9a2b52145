"""The function of a loop that becomes one: its own lines, and what its kernel says of them."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping

from gpuport.analysis.loops.nests import Launch
from gpuport.emit.kernelfunctions import Declaration, KernelFunction
from gpuport.emit.lines import inside_strings
from gpuport.loops.names import walk
from gpuport.parallel.cuda.declared import extents, stored_numbers
from gpuport.parallel.declared import DeclaredKernel
from gpuport.source.module import Module


def stored_numbers_of(launch: Launch, declared: DeclaredKernel) -> set[str]:
    """The numbers that arguments store."""
    given = (one.argument for one in declared.inputs if not one.raw)
    return stored_numbers(launch.plan.nest.facts) | extents(given)


def as_function(
    module: Module, launch: Launch, declared: DeclaredKernel, indent: str
) -> KernelFunction:
    """The lines of a loop, which stands so deep, as a function with its kernel above it."""
    region = launch.plan.region
    first, last = region.lineno, region.end_lineno or region.lineno
    inside = inside_strings(region)
    numbers = stored_numbers_of(launch, declared)
    spoken = {one.name: one.argument for one in declared.inputs if one.argument in numbers}
    renamed = {
        one.argument: one.name
        for one in declared.inputs
        if "." in one.argument and one.name not in spoken
    }
    lines = [_line(module, region, renamed, number) for number in range(first, last + 1)]
    python = tuple(
        line if number in inside else line.removeprefix(indent)
        for number, line in enumerate(lines, first)
    )
    if declared.numbers:
        python = (*python, f"return {', '.join(declared.numbers)}")
    return KernelFunction(
        launch.kernel.name,
        tuple(
            Declaration(spoken.get(one.name, one.name), one.type, one.raw)
            for one in declared.inputs
        ),
        tuple(Declaration(one.name, one.type, one.raw) for one in declared.outputs),
        tuple(_with_names(line, spoken) for line in declared.body),
        python,
        over=declared.over,
        where=declared.where,
        within=declared.within,
        preamble=declared.preamble,
        kept=frozenset(number - first for number in inside),
        made=frozenset(one.name for one in declared.outputs if not one.argument),
        then=declared.then,
        first="\n".join(_with_names(line, spoken) for line in declared.first.splitlines()),
        before=declared.before,
        work=declared.work,
        returns=declared.returns,
    )


def _with_names(text: str, spoken: Mapping[str, str]) -> str:
    """A line of CUDA in which the numbers that an argument stores are called what they are."""
    return re.sub(r"(?<![\w.])[^\W\d]\w*", lambda found: spoken.get(found[0], found[0]), text)


def _line(module: Module, region: ast.stmt, names: Mapping[str, str], number: int) -> str:
    """A line of a loop, with the parameters in the place of attributes that are passed."""
    text = module.line_text(number).rstrip("\r\n")
    start = module.line_starts[number - 1]
    found = [
        (*module.extent(node), names[ast.unparse(node)])
        for node in (walk([region]) if names else ())
        if isinstance(node, ast.Attribute) and node.lineno == number == node.end_lineno
        if ast.unparse(node) in names
    ]
    for begin, end, name in sorted(found, reverse=True):
        text = text[: begin - start] + name + text[end - start :]
    return text


__all__ = ["as_function", "stored_numbers_of"]
