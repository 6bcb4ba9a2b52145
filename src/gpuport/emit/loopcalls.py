"""The calls that take the place of loops."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping

from gpuport.analysis.loops.nests import Launch
from gpuport.emit.kernelfunctions import KernelFunction, Style
from gpuport.emit.lines import on_lines, width
from gpuport.loops.names import walk
from gpuport.source.fresh import unused


def call_of(
    one: KernelFunction,
    launch: Launch,
    style: Style,
    indent: str,
    cupy: str,
    passed: Mapping[str, str],
) -> list[str]:
    """The lines of the call that takes a loop's place, but for the indentation.

    ``passed`` tells what stands for some of the names.
    """
    declared = launch.kernel.declared
    assert declared is not None
    known = {given.name: given.argument for given in (*declared.inputs, *declared.outputs)}
    arguments = [known.get(name, name) for name in one.parameters]
    arguments = [
        f"{cupy}.asarray({passed.get(text, text)})"
        if text in launch.borrowed
        else passed.get(text, text)
        for text in arguments
    ]
    maybe = declared.ends == "not None"
    left = _fresh(launch, "found") if maybe else ", ".join(declared.numbers)
    called = f"{left} = {one.name}" if left else one.name
    called = f"return {called}" if declared.ends == "always" else called
    lines = [f"{called}({', '.join(arguments)})"]
    indent += style.step if one.when else ""
    if width(indent + lines[0]) > style.width:
        lines = [
            f"{called}(",
            *on_lines(arguments, style.step, style.width - width(indent), style.one_each),
            ")",
        ]
    if maybe:
        lines += [f"if {left} is not None:", f"{style.step}return {left}"]
    if not one.when:
        return lines
    when = one.when
    for name, argument in known.items():
        when = re.sub(rf"(?<![\w.]){name}\b", argument or name, when)
    return [f"if {when}:", *(style.step + line for line in lines)]


def _fresh(launch: Launch, wanted: str) -> str:
    """A name that the function around does not have."""
    nodes = [*walk([launch.plan.nest.function])]
    taken = {node.id for node in nodes if isinstance(node, ast.Name)}
    return unused(wanted, taken | {node.arg for node in nodes if isinstance(node, ast.arg)})


__all__ = ["call_of"]
