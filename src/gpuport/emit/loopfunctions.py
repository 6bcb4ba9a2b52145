"""Loops that become functions with their kernel above them: the loop moves, and stands once."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import partial

from gpuport.analysis.functions.summaries import Analysed
from gpuport.analysis.loops.nests import Launch
from gpuport.emit.aliases import Aliases
from gpuport.emit.kernelfunctions import (
    MIXED,
    Declaration,
    KernelFunction,
    Style,
    refusal_of,
)
from gpuport.emit.lines import (
    INDENT,
    has_one_each,
    indentation,
    room,
    step,
)
from gpuport.emit.looplines import as_function, stored_numbers_of
from gpuport.emit.unbound import without_unbound
from gpuport.loops.context.scalars import exposed, surely_runs
from gpuport.loops.names import loaded, stored, walk
from gpuport.parallel.declared import DeclaredKernel, Given
from gpuport.runtime.expressions import names_in
from gpuport.runtime.kernels.rooms import assignments
from gpuport.runtime.kernels.signature import OBJECT
from gpuport.source.bindings import each_bound, is_empty_list
from gpuport.source.module import Module
from gpuport.source.standing import bound_before, way_to


def style_of(module: Module, node: ast.stmt | ast.Module, aliases: Aliases) -> Style:
    """How the lines of a module are written."""
    return Style(step(module, node) or INDENT, room(module), aliases.kernel, has_one_each(module))


def kernel_function(analysed: Analysed, launch: Launch) -> KernelFunction | str:
    """The function that a loop becomes; why there is none, where it needs more than it is given."""
    unit = analysed.unit
    return function_of(unit.module, unit.node, launch, partial(_is_global, analysed))


def function_of(
    module: Module, around: ast.AST, launch: Launch, is_global: Callable[[str], bool]
) -> KernelFunction | str:
    """The same for a loop of which `is_global` tells what names are known wherever it is read.

    Parameters
    ----------
    module : Module
    around : ast.AST
        The function, or the module, in which the loop stands.
    launch : Launch
    is_global : callable
    """
    declared, region = launch.kernel.declared, launch.plan.region
    if declared is None:
        return NO_WORDS
    if not module.stands_alone(region):
        return "it shares a line with other statements: write it on lines of its own"
    declared = _asking(declared, launch.constants)
    numbers = stored_numbers_of(launch, declared)
    made = as_function(module, launch, declared, indentation(module, region))
    given_back = [node for node in walk([region]) if isinstance(node, ast.Return)]
    free = exposed([region]) | (loaded(given_back) - stored([region]))
    free -= set(made.parameters)
    owners = {one.argument.partition(".")[0] for one in _given(declared) if "." in one.argument}
    owners -= loaded(_bare_uses(region, declared))
    local = {name for name in free - owners if not is_global(name)}
    lists = _lists_before(module, around, launch)
    made = _with_lists(made, [module.segment(one) for one in lists], stored(lists))
    found = _without_own(_with_objects(made, sorted(local)), around, region)
    if isinstance(found, str):
        return found
    if (unread := _unreadable(region, declared, numbers)) is not None:
        return unread
    known = dict.fromkeys((free | dict(launch.constants).keys()) - vars(builtins).keys(), 1)
    refusal = refusal_of(found, known)
    if refusal == MIXED:  # the compiler's text says all types
        found = replace(found, typed=True)
        refusal = refusal_of(found, known)
    return NO_WORDS if refusal is not None else found


def _unreadable(region: ast.stmt, declared: DeclaredKernel, numbers: Collection[str]) -> str | None:
    """Why numbers that arguments store cannot be read in the function; None where they can."""
    if private := [text for text in _passed(declared, numbers) if _PRIVATE.search(text)]:
        return (
            f"the name `{private[0]}` is one of its class alone: give the number another name "
            "before it"
        )
    if _clash(region, declared, numbers) or _asks_more(declared, numbers):
        return (
            "it reads attributes under names that the loop has for something else: name them "
            "before the loop"
        )
    return None


_PRIVATE = re.compile(r"\.__\w*(?<!__)(?!\w)")
NO_WORDS = (
    "what it leaves, or begins with, is nothing that the call of a kernel can give: leave arrays "
    "and numbers of one type, set before the loop"
)


def _asking(declared: DeclaredKernel, constants: Sequence[tuple[str, object]]) -> DeclaredKernel:
    """The kernel, which asks whether numbers of the module are what its text holds for them."""
    asked = [f"{name} == {value!r}" for name, value in constants]
    return replace(declared, where=" and ".join([*filter(None, [declared.where]), *asked]))


def _lists_before(module: Module, around: ast.AST, launch: Launch) -> list[ast.stmt]:
    """The statements right before a loop that make the empty lists which it fills."""
    declared, region = launch.kernel.declared, launch.plan.region
    assert declared is not None
    lists = {one.name for one in launch.plan.workspaces} & set(declared.numbers)
    block, at = list(way_to(around, region))[-1]
    found: list[ast.stmt] = []
    for one in reversed(block[:at] if lists else []):
        if not _makes_empty_lists(one, lists) or not module.stands_alone(one):
            break
        found.insert(0, one)
    lines = range(found[0].lineno, region.lineno) if found else []
    told = [n for n in lines if module.line_text(n).strip()]
    return found if len(told) == len(found) else []


def _makes_empty_lists(node: ast.stmt, names: Collection[str]) -> bool:
    """``out = []``, ``out, other = [], []``."""
    made = each_bound(node)
    return bool(made) and made.keys() <= set(names) and all(map(is_empty_list, made.values()))


def _without_own(made: KernelFunction, function: ast.AST, region: ast.stmt) -> KernelFunction | str:
    """The function without parameters that the loop binds itself, and nothing before it.

    Why there is none, where there are others that nothing may have bound.
    """
    runs = isinstance(region, ast.For) and surely_runs(region.iter)
    own = stored([region.target]) if runs and isinstance(region, ast.For) else set()
    own = {one.name for one in made.inputs if one.type == OBJECT} & own
    made = replace(made, inputs=tuple(one for one in made.inputs if one.name not in own))
    passed = {one.name for one in made.inputs if one.type == OBJECT}
    named = {
        one.name for block, at in way_to(function, region) for one in block[:at]
        if isinstance(one, ast.FunctionDef)
    }  # fmt: skip
    unbound = sorted(passed - bound_before(function, region) - named)
    found = without_unbound(made, region, unbound) if unbound else made
    if found is not None:
        return found
    return f"`{unbound[0]}` may have no value before it, and iterations may keep it: set it before"


def _with_objects(made: KernelFunction, names: Sequence[str]) -> KernelFunction:
    """The function with further parameters that are none of its kernel's.

    The kernel has been made for the one value that each can have.
    """
    more = tuple(Declaration(name, OBJECT) for name in names)
    return replace(made, inputs=(*made.inputs, *more))


def _with_lists(made: KernelFunction, lines: list[str], names: set[str]) -> KernelFunction:
    """The function with the empty lists that it fills made in it."""
    return replace(
        made,
        inputs=tuple(one for one in made.inputs if one.name not in names),
        python=(*lines, *made.python),
        kept=frozenset(number + len(lines) for number in made.kept),
    )


def begin_of(module: Module, around: ast.AST, launch: Launch) -> ast.stmt:
    """The first of the statements that a call takes the place of."""
    return [*_lists_before(module, around, launch), launch.plan.region][0]


def _asks_more(declared: DeclaredKernel, numbers: Collection[str]) -> bool:
    """Whether what is asked reads more of what stores numbers than the numbers that are passed."""
    passed = _passed(declared, numbers)
    owners = {_root(text) for text in passed}
    made = (text for said in (declared.before, declared.work) for _, text in assignments(said))
    texts = (f"({declared.over},)", declared.where, declared.then, declared.returns, *made)
    for said in texts:
        text = f"({said})" if said else ""
        for one in sorted(passed, key=len, reverse=True):
            text = re.sub(rf"(?<![\w.]){re.escape(one)}(?!\w)", "0", text)
        if text and not owners.isdisjoint(names_in(text)):
            return True
    return False


def _passed(declared: DeclaredKernel, numbers: Collection[str]) -> list[str]:
    """The numbers that arguments store."""
    return [one.argument for one in _given(declared) if one.argument in numbers]


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


def _clash(region: ast.stmt, declared: DeclaredKernel, numbers: Collection[str]) -> bool:
    """Whether a parameter for an attribute has the name of something else in the loop."""
    made = {o.name for o in _given(declared) if "." in o.argument or o.argument in numbers}
    names = {node.id for node in walk([region]) if isinstance(node, ast.Name)}
    return not made.isdisjoint(names)


__all__ = ["NO_WORDS", "begin_of", "function_of", "kernel_function", "style_of"]
