"""Loops that become kernels: the kernel above its function, the launch in the loop's place.

The loop stays below the launch, for values that the kernel was not made for and for the host.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator, Sequence

from gpuport.analysis.functions.summaries import Analysed
from gpuport.analysis.loops.nests import Launch
from gpuport.analysis.placement.graph import Place
from gpuport.emit.aliases import Aliases
from gpuport.emit.directarguments import NOTHING, Direct, direct_arguments
from gpuport.emit.kernelfunctions import KernelFunction, Style, lines_of
from gpuport.emit.lines import above, blank_before, indentation
from gpuport.emit.loopfunctions import begin_of, call_of, kernel_function, style_of
from gpuport.emit.replacement import OfElements, Replacement
from gpuport.source.edits import Edit
from gpuport.source.module import Module
from gpuport.source.syntax import walk

_BEFORE_FUNCTION = 500
"""Order of a kernel among what is inserted above a function: above its decorator."""


def launches(analysed: Analysed) -> Iterator[Launch]:
    """The loops of a function that run as kernels, in source order."""
    found = analysed.unit.forms.launches.values()
    if analysed.unit.refusal is not None:
        return
    for launch in sorted(found, key=lambda one: one.plan.region.lineno):
        if analysed.placement.of(launch.graph_node) is Place.DEVICE:
            yield launch


def apart_from(loops: Collection[ast.AST], made: Iterable[Launch]) -> Iterator[Launch]:
    """The loops that run as kernels, but for those inside of loops that run once for all items."""
    gone = {id(part) for loop in loops for part in walk(loop)}
    yield from (launch for launch in made if id(launch.plan.region) not in gone)


def kept_on_host(analysed: Analysed) -> Iterator[tuple[Launch, str, str]]:
    """The loops that could run as kernels and do not: each with a code, and why."""
    for launch in analysed.unit.forms.launches.values():
        if analysed.placement.of(launch.graph_node) is not Place.DEVICE:
            yield launch, *why_kept(launch)


def why_kept(launch: Launch) -> tuple[str, str]:
    """Code and reason of a loop that stays on the host though a kernel could be made of it."""
    pinned = launch.graph_node.root().pinned
    if pinned is not None:
        return pinned.code, pinned.message
    return "GP407", "moving its arrays would cost more than the device saves"


def edits(
    analysed: Analysed,
    aliases: Aliases,
    others: Sequence[Edit],
    without: Collection[ast.AST] = (),
) -> Iterator[Edit]:
    """The edits of a function's loops, beside other ones; of none within some others."""
    module = analysed.unit.module
    node = analysed.unit.node
    passed = direct_arguments(analysed, others)
    for position, launch in enumerate(apart_from(without, launches(analysed))):
        at = above(module, launch.plan.region if isinstance(node, ast.Module) else node)
        function = kernel_function(analysed, launch)
        blank = 0 if not isinstance(node, ast.Module) else 1 if function is None else 2
        lines = list(blank_before(module, at, blank))
        if function is not None:
            lines += [*lines_of(function, style_of(module, node, aliases)), "", ""]
            direct = passed.get(id(launch.plan.region), NOTHING)
            style = style_of(module, node, aliases)
            begin = begin_of(analysed, launch)
            replaced = [_called(module, launch, function, style, direct, aliases, begin)]
            replaced += direct.edits(module)
        else:
            if launch.plan.left:
                raise AssertionError(f"`{launch.plan.left[0]}` is left by no function")
            replacement = replacing(analysed, launch, aliases)
            lines += _objects(launch, replacement, aliases)
            replaced = list(replacement.edits())
        if isinstance(node, ast.Module) and function is None:
            lines.pop()  # among the statements of a script, one blank line is enough
        text = "".join(line + module.newline for line in lines)
        yield Edit(at, at, (text,), order=_BEFORE_FUNCTION - position)
        yield from replaced


def _objects(launch: Launch, replacement: Replacement, aliases: Aliases) -> Iterator[str]:
    """The lines of kernel objects."""
    kernel = launch.kernel
    for name, definition in (*kernel.others, (kernel.name, kernel.definition)):
        text = f"{name} = {definition}".replace("{cupy}", aliases.cupy)
        yield from map(replacement.indented, text.splitlines())
        yield from ("", "")


def _called(
    module: Module,
    launch: Launch,
    function: KernelFunction,
    style: Style,
    direct: Direct,
    aliases: Aliases,
    begin: ast.stmt,
) -> Edit:
    """The call in the place of its loop."""
    region = launch.plan.region
    indent = indentation(module, region)
    lines = call_of(function, launch, style, indent, aliases.cupy, direct.texts)
    return Edit(
        module.extent(begin)[0], module.extent(region)[1], ((module.newline + indent).join(lines),)
    )


def condition(module: Module, launch: Launch, aliases: Aliases) -> list[str]:
    """The ``if`` that asks, before each launch, for all that the kernel was made for."""
    lines = Replacement(module, launch, aliases).condition()
    return [line.replace("{cupy}", aliases.cupy) for line in lines]


def replacing(analysed: Analysed, launch: Launch, aliases: Aliases) -> Replacement:
    """What takes the place of a loop, or of a call for each element that the loop stands for."""
    other = analysed.unit.forms.other_branches.get(id(launch.plan.region))
    module = analysed.unit.module
    return (
        Replacement(module, launch, aliases)
        if other is None
        else OfElements(module, launch, aliases, other)
    )


__all__ = ["apart_from", "condition", "edits", "kept_on_host", "launches", "why_kept"]
