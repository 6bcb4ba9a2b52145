"""Loops that become functions with their kernel above them: the loop moves, and stands once."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Collection, Mapping

from gpuport.analysis.functions.summaries import Analysed
from gpuport.analysis.loops.nests import Launch
from gpuport.emit.aliases import Aliases
from gpuport.emit.kernelfunctions import (
    Declaration,
    KernelFunction,
    Style,
    refusal_of,
)
from gpuport.emit.lines import INDENT, WIDE, indentation, inside_strings, step, width
from gpuport.loops.context.scalars import exposed
from gpuport.loops.names import loaded, walk
from gpuport.loops.records import DeclaredKernel, Given
from gpuport.parallel.cuda.declared import stored_numbers
from gpuport.runtime.expressions import names_in
from gpuport.source.module import Module


def style_of(module: Module, node: ast.stmt | ast.Module, aliases: Aliases) -> Style:
    """How the lines of a module are written."""
    return Style(step(module, node) or INDENT, WIDE, aliases.kernel)


def kernel_function(analysed: Analysed, launch: Launch) -> KernelFunction | None:
    """The function that a loop becomes; None where it needs more than its kernel is given."""
    unit, declared, region = analysed.unit, launch.kernel.declared, launch.plan.region
    if declared is None or launch.constants or launch.held or launch.calls:
        return None
    more = launch.written != launch.plan.writes or id(region) in unit.forms.other_branches
    if more or not unit.module.stands_alone(region):
        return None
    stored = stored_numbers(launch.plan.nest.facts)
    made = _function(unit.module, launch, declared, indentation(unit.module, region))
    free = exposed([region]) - set(made.parameters)
    owners = {one.argument.partition(".")[0] for one in _given(declared) if "." in one.argument}
    owners -= loaded(_bare_uses(region, declared))
    local = {name for name in free - owners if not _is_global(analysed, name)}
    if local or _clash(region, declared, stored) or _asks_more(declared, stored):
        return None
    known = dict.fromkeys(free - vars(builtins).keys(), 1)
    return made if refusal_of(made, known) is None else None


def _asks_more(declared: DeclaredKernel, stored: Collection[str]) -> bool:
    """Whether what is asked reads more of what stores numbers than the numbers that are passed, or
    these have names that mean something else outside of their class.
    """
    passed = [one.argument for one in _given(declared) if one.argument in stored]
    if any(re.search(r"\.__\w*(?<!__)(?!\w)", text) for text in passed):
        return True
    owners = {_root(text) for text in passed}
    for said in (f"({declared.over},)", declared.where, declared.returns):
        text = said
        for one in sorted(passed, key=len, reverse=True):
            text = re.sub(rf"(?<![\w.]){re.escape(one)}(?!\w)", "0", text)
        if text and not owners.isdisjoint(names_in(text)):
            return True
    return False


def _root(text: str) -> str:
    return re.split(r"[.\[]", text)[0]


def _given(declared: DeclaredKernel) -> tuple[Given, ...]:
    return (*declared.inputs, *declared.outputs)


def _is_global(analysed: Analysed, name: str) -> bool:
    """Whether a name is one of the module's, or a builtin, wherever it is read."""
    scope = analysed.unit.scope
    root = analysed.unit.project.root
    if scope is root:  # what a script binds below is there when the loop runs
        return name in scope.imports or name in vars(builtins)
    return scope.owner(name) in (root, None)


def _bare_uses(region: ast.stmt, declared: DeclaredKernel) -> list[ast.AST]:
    """The names in a loop that stand in no attribute which becomes a parameter."""
    passed = {one.argument for one in _given(declared)}
    within = {
        id(inner)
        for node in walk([region])
        if isinstance(node, ast.Attribute) and ast.unparse(node) in passed
        for inner in walk([node])
    }
    return [n for n in walk([region]) if isinstance(n, ast.Name) and id(n) not in within]


def _clash(region: ast.stmt, declared: DeclaredKernel, stored: Collection[str]) -> bool:
    """Whether a parameter for an attribute has the name of something else in the loop."""
    made = {o.name for o in _given(declared) if "." in o.argument or o.argument in stored}
    names = {node.id for node in walk([region]) if isinstance(node, ast.Name)}
    return not made.isdisjoint(names)


def _function(
    module: Module, launch: Launch, declared: DeclaredKernel, indent: str
) -> KernelFunction:
    region = launch.plan.region
    first, last = region.lineno, region.end_lineno or region.lineno
    inside = inside_strings(region)
    stored = stored_numbers(launch.plan.nest.facts)
    spoken = {one.name: one.argument for one in declared.inputs if one.argument in stored}
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
    if declared.number:
        python = (*python, f"return {declared.number}")
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
        made=frozenset(one.name for one in declared.outputs if declared.number),
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
    declared, stored = launch.kernel.declared, stored_numbers(launch.plan.nest.facts)
    assert declared is not None
    given = declared.inputs if declared.number else _given(declared)
    every = (_root(g.argument) if g.argument in stored else g.argument for g in given)
    arguments = list(dict.fromkeys(every))
    arguments = [
        f"{cupy}.asarray({passed.get(text, text)})"
        if text in launch.borrowed
        else passed.get(text, text)
        for text in arguments
    ]
    called = f"{declared.number} = {one.name}" if declared.number else one.name
    line = f"{called}({', '.join(arguments)})"
    if width(indent + line) <= style.width:
        return [line]
    inner = f"{style.step}{', '.join(arguments)}"
    listed = [inner] if width(indent + inner) <= style.width else [
        f"{style.step}{text}," for text in arguments
    ]  # fmt: skip
    return [f"{called}(", *listed, ")"]


__all__ = ["call_of", "kernel_function", "style_of"]
