"""Loops that become functions with their kernel above them: the loop moves, and stands once."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

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
    WIDE,
    has_one_each,
    indentation,
    inside_strings,
    step,
)
from gpuport.emit.unbound import without_unbound
from gpuport.loops.context.scalars import exposed, surely_runs
from gpuport.loops.names import loaded, stored, walk
from gpuport.parallel.cuda.declared import extents, stored_numbers
from gpuport.parallel.declared import DeclaredKernel, Given
from gpuport.runtime.expressions import names_in
from gpuport.runtime.kernels.rooms import assignments
from gpuport.runtime.kernels.signature import OBJECT
from gpuport.source.bindings import each_bound, is_empty_list
from gpuport.source.module import Module
from gpuport.source.standing import bound_before, way_to


def style_of(module: Module, node: ast.stmt | ast.Module, aliases: Aliases) -> Style:
    """How the lines of a module are written."""
    return Style(step(module, node) or INDENT, WIDE, aliases.kernel, has_one_each(module))


def kernel_function(analysed: Analysed, launch: Launch) -> KernelFunction | str:
    """The function that a loop becomes; why there is none, where it needs more than it is given."""
    unit, declared, region = analysed.unit, launch.kernel.declared, launch.plan.region
    if declared is None:
        return NO_WORDS
    if not unit.module.stands_alone(region):
        return "it shares a line with other statements: write it on lines of its own"
    declared = _asking(declared, launch.constants)
    numbers = _stored(launch, declared)
    made = _function(unit.module, launch, declared, indentation(unit.module, region))
    given_back = [node for node in walk([region]) if isinstance(node, ast.Return)]
    free = exposed([region]) | (loaded(given_back) - stored([region]))
    free -= set(made.parameters)
    owners = {one.argument.partition(".")[0] for one in _given(declared) if "." in one.argument}
    owners -= loaded(_bare_uses(region, declared))
    local = {name for name in free - owners if not _is_global(analysed, name)}
    lists = _lists_before(analysed, launch)
    made = _with_lists(made, [analysed.unit.module.segment(one) for one in lists], stored(lists))
    found = _without_own(_with_objects(made, sorted(local)), unit.node, region)
    if isinstance(found, str):
        return found
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
    known = dict.fromkeys((free | dict(launch.constants).keys()) - vars(builtins).keys(), 1)
    refusal = refusal_of(found, known)
    if refusal == MIXED:  # the compiler's text says all types
        found = replace(found, typed=True)
        refusal = refusal_of(found, known)
    return NO_WORDS if refusal is not None else found


_PRIVATE = re.compile(r"\.__\w*(?<!__)(?!\w)")
NO_WORDS = (
    "what it leaves, or begins with, is nothing that the call of a kernel can give: leave arrays "
    "and numbers of one type, set before the loop"
)


def _asking(declared: DeclaredKernel, constants: Sequence[tuple[str, object]]) -> DeclaredKernel:
    """The kernel, which asks whether numbers of the module are what its text holds for them."""
    asked = [f"{name} == {value!r}" for name, value in constants]
    return replace(declared, where=" and ".join([*filter(None, [declared.where]), *asked]))


def _lists_before(analysed: Analysed, launch: Launch) -> list[ast.stmt]:
    """The statements right before a loop that make the empty lists which it fills."""
    declared, region = launch.kernel.declared, launch.plan.region
    assert declared is not None
    lists = {one.name for one in launch.plan.workspaces} & set(declared.numbers)
    block, at = list(way_to(analysed.unit.node, region))[-1]
    found: list[ast.stmt] = []
    for one in reversed(block[:at] if lists else []):
        if not _makes_empty_lists(one, lists) or not analysed.unit.module.stands_alone(one):
            break
        found.insert(0, one)
    lines = range(found[0].lineno, region.lineno) if found else []
    told = [n for n in lines if analysed.unit.module.line_text(n).strip()]
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


def begin_of(analysed: Analysed, launch: Launch) -> ast.stmt:
    """The first of the statements that a call takes the place of."""
    return [*_lists_before(analysed, launch), launch.plan.region][0]


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


def _stored(launch: Launch, declared: DeclaredKernel) -> set[str]:
    """The numbers that arguments store."""
    given = (one.argument for one in declared.inputs if not one.raw)
    return stored_numbers(launch.plan.nest.facts) | extents(given)


def _function(
    module: Module, launch: Launch, declared: DeclaredKernel, indent: str
) -> KernelFunction:
    region = launch.plan.region
    first, last = region.lineno, region.end_lineno or region.lineno
    inside = inside_strings(region)
    numbers = _stored(launch, declared)
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


__all__ = ["NO_WORDS", "begin_of", "kernel_function", "style_of"]
