"""Loops that become kernels: each a function with its kernel above it, called in its place."""

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
from gpuport.emit.loopcalls import call_of
from gpuport.emit.loopfunctions import begin_of, kernel_function, style_of
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


def without_function(results: Iterable[Analysed]) -> dict[int, str]:
    """The loops that were to run as kernels and can become no function, by their ids, and why."""
    found: dict[int, str] = {}
    for analysed in results:
        for launch in launches(analysed):
            made = kernel_function(analysed, launch)
            if isinstance(made, str):
                found[id(launch.plan.region)] = made
    return found


def edits(
    analysed: Analysed,
    aliases: Aliases,
    others: Sequence[Edit],
    without: Collection[ast.AST] = (),
) -> Iterator[Edit]:
    """The edits of a function's loops, beside other ones; of none within some others."""
    module = analysed.unit.module
    node = analysed.unit.node
    passed, begun = direct_arguments(analysed, others), set[int]()
    for position, launch in enumerate(apart_from(without, launches(analysed))):
        at = above(module, launch.plan.region if isinstance(node, ast.Module) else node)
        function = kernel_function(analysed, launch)
        assert isinstance(function, KernelFunction)
        style = style_of(module, node, aliases)
        amid = isinstance(node, ast.Module) and at not in begun
        lines = [*blank_before(module, at, 2 if amid else 0)]
        lines += [*lines_of(function, style), "", ""]
        begun.add(at)
        direct = passed.get(id(launch.plan.region), NOTHING)
        begin = begin_of(module, node, launch)
        text = "".join(line + module.newline for line in lines)
        yield Edit(at, at, (text,), order=_BEFORE_FUNCTION - position)
        yield _called(module, launch, function, style, direct, aliases, begin)
        yield from direct.edits(module)


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


__all__ = ["apart_from", "edits", "kept_on_host", "launches", "why_kept", "without_function"]
