"""Loops over items as functions that run once for all of them: the loop moves, and stands once.

`gpuport.runtime.batched.loop` runs the function's own statements for all items together where an
array of the device is among its arguments, and as they are everywhere else.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import chain, count

from gpuport.analysis.functions.summaries import Analysed
from gpuport.emit.aliases import Aliases
from gpuport.emit.kernelfunctions import Style
from gpuport.emit.lines import above, blank_before, indentation, inside_strings, on_lines, width
from gpuport.emit.loopfunctions import style_of
from gpuport.loops.names import kernel_name
from gpuport.parallel.items.records import Helped, ItemLoop
from gpuport.source.edits import Edit, Extent
from gpuport.source.module import Module
from gpuport.source.syntax import walk

Made = ItemLoop | Helped

_BEFORE_FUNCTION = 450
"""Order of such a function among what is inserted above one: above its decorator."""


@dataclass
class Functions:
    """The functions that the loops of a module become, by their texts.

    Attributes
    ----------
    names : dict
    reads : set of str
        Names of the module's imports that they read.
    """

    names: dict[tuple[str, ...], str] = field(default_factory=dict)
    reads: set[str] = field(default_factory=set)


def edits(
    analysed: Analysed,
    aliases: Aliases,
    made: Iterable[Made],
    others: Iterable[Edit],
    functions: Functions,
) -> list[Edit]:
    """All edits of a function, with those that put calls in the places of loops.

    ``others`` are the edits so far: those of the text that moves go.
    """
    made = list(made)
    extents = [analysed.unit.module.extent(one.node) for one in made]
    found = [one for one in others if not any(_moves(one, extent) for extent in extents)]
    for one, extent in zip(made, extents, strict=True):
        if isinstance(one, Helped):
            text = _parenthesised(analysed, one.node, one.text)
            found.append(Edit(*extent, (text.replace("{batched}", aliases.batched),), order=-1))
        else:
            found += _function(analysed, aliases, one, functions)
    return found


def _moves(edit: Edit, extent: Extent) -> bool:
    """Whether an edit is of text inside of a loop."""
    inside = extent[0] <= edit.start and edit.end <= extent[1]
    return inside and (edit.start, edit.end) != extent and edit.end > extent[0]


def _parenthesised(analysed: Analysed, node: ast.AST, text: str) -> str:
    """A call in the place of a generator, whose parentheses those of a call may be."""
    spread = analysed.unit.module.text[analysed.unit.module.extent(node)[0] - 1] == "*"
    return f"({text})" if isinstance(node, ast.GeneratorExp) and not spread else text


def _function(
    analysed: Analysed, aliases: Aliases, one: ItemLoop, functions: Functions
) -> Iterator[Edit]:
    """The function above what calls it, where it is a new one, and its call."""
    unit, module = analysed.unit, analysed.unit.module
    around = unit.node
    style = style_of(module, around, aliases)
    place = _statement_of(around, one.node) if isinstance(around, ast.Module) else around
    added = _sum_of(analysed, one)
    kept = list(
        _body(module, one, style.step) if added is None else _summing(module, one, style.step)
    )
    if added is not None:
        total = _total(one)
        hosted = (total,) if one.hosted else ()
        one = replace(one, parameters=(*one.parameters, total), sums=(total,), hosted=hosted)
    head = f"@{aliases.batched}.loop({_words(one)})"
    key = (head, ", ".join(one.parameters), *kept, str(isinstance(around, ast.Module)))
    name = functions.names.get(key, "")
    if not name:
        function = getattr(around, "name", "")
        wanted = f"{kernel_name(function)}_loop" if function else "_items_loop"
        name = functions.names[key] = _free(analysed, wanted, functions)
        at = above(module, place)
        lines = [*blank_before(module, at, 2 if isinstance(around, ast.Module) else 0)]
        lines += [head, *_signature(name, one, style.step, style.width, style.one_each), *kept]
        text = "".join(line + module.newline for line in [*lines, "", ""])
        yield Edit(at, at, (text,), order=_BEFORE_FUNCTION - len(functions.names))
    functions.reads |= _imports(analysed, one)
    if added is not None:
        start = module.segment(added.args[1]) if len(added.args) > 1 else "0"
        text = f"{name}({', '.join([*_arguments(one, aliases)[:-1], start])})"
        yield Edit(*module.extent(added), (text,), order=-1)
        return
    yield _call(analysed, one, name, aliases, style)


def _sum_of(analysed: Analysed, one: ItemLoop) -> ast.Call | None:
    """The call of ``sum`` that a generator or a list is given to."""
    if not isinstance(one.node, (ast.GeneratorExp, ast.ListComp)):
        return None
    for part in walk(analysed.unit.node):
        if not isinstance(part, ast.Call) or not part.args or part.args[0] is not one.node:
            continue
        if analysed.unit.scope.resolve(part.func) == _SUM:
            return part if not part.keywords else None
    return None


_SUM = "builtins.sum"


def _total(one: ItemLoop) -> str:
    """A name that nothing in a comprehension has."""
    taken = {part.id for part in walk(one.node) if isinstance(part, ast.Name)}
    return next(
        name for name in chain(["total"], map("total_{}".format, count(2))) if name not in taken
    )


def _summing(module: Module, one: ItemLoop, step: str) -> Iterator[str]:
    """The lines of a function that adds up what a generator gives, as ``sum`` does."""
    assert isinstance(one.node, (ast.GeneratorExp, ast.ListComp))
    (generator,), name = one.node.generators, _total(one)
    segments = [module.segment(part) for part in (generator.target, generator.iter, one.node.elt)]
    target, iterated, value = (" ".join(text.split()) for text in segments)
    yield f"{step}for {target} in {iterated}:"
    depth = step * 2
    for condition in generator.ifs:
        yield f"{depth}if {' '.join(module.segment(condition).split())}:"
        depth += step
    yield f"{depth}{name} += {value}"
    yield f"{step}return {name}"


def _words(one: ItemLoop) -> str:
    """What the decorator is told."""
    given = {"writes": one.writes, "sums": one.sums, "hosted": one.hosted}
    said = [f'{word}="{", ".join(names)}"' for word, names in given.items() if names]
    return ", ".join([*said, *([f"axes={one.axes}"] if one.axes > 1 else [])])


def _signature(name: str, one: ItemLoop, step: str, room: int, one_each: bool) -> list[str]:
    line = f"def {name}({', '.join(one.parameters)}):"
    if len(line) <= room:
        return [line]
    return [f"def {name}(", *on_lines(one.parameters, step, room, one_each), "):"]


def _body(module: Module, one: ItemLoop, step: str) -> Iterator[str]:
    """The lines of the function, as the user wrote them."""
    start, end = module.extent(one.node)
    inside, first = inside_strings(one.node), one.node.lineno
    indent = indentation(module, one.node)  # type: ignore[arg-type]
    lines = module.text[start:end].splitlines()
    lines = [
        line if number in inside or number == first else _deeper(line, indent, step)
        for number, line in enumerate(lines, first)
    ]  # fmt: skip
    if isinstance(one.node, ast.For):
        yield step + lines[0]
        yield from lines[1:]
        if one.sums or one.returns:
            yield f"{step}return {', '.join((*one.sums, *one.returns))}"
        return
    if isinstance(one.node, ast.GeneratorExp):
        opens = lines[0].startswith("(")
        lines[0] = "[" + lines[0].removeprefix("(")
        lines[-1] = (lines[-1].removesuffix(")") if opens else lines[-1]) + "]"
    yield f"{step}return {lines[0]}"
    yield from lines[1:]


def _deeper(line: str, indent: str, step: str) -> str:
    """A line of a loop as a line of a function."""
    return step + line.removeprefix(indent) if line.strip() else ""


def _call(analysed: Analysed, one: ItemLoop, name: str, aliases: Aliases, style: Style) -> Edit:
    """The call in the place of the loop."""
    module = analysed.unit.module
    left = ", ".join((*one.sums, *one.returns))
    called = f"{left} = {name}" if left else name
    arguments = _arguments(one, aliases)
    text = f"{called}({', '.join(arguments)})"
    indent = indentation(module, one.node)  # type: ignore[arg-type]
    if isinstance(one.node, ast.For) and width(indent + text) > style.width:
        room = style.width - width(indent)
        inner = on_lines(arguments, style.step, room, style.one_each)
        text = (module.newline + indent).join([f"{called}(", *inner, ")"])
    order = 0 if isinstance(one.node, ast.For) else -1
    return Edit(*module.extent(one.node), (_parenthesised(analysed, one.node, text),), order=order)


def _arguments(one: ItemLoop, aliases: Aliases) -> list[str]:
    return [
        f"{aliases.cupy}.asarray({name})" if name in one.moved else name for name in one.parameters
    ]


def _statement_of(around: ast.Module, node: ast.AST) -> ast.stmt:
    """The statement of a module that something stands in."""
    return next(one for one in around.body if any(part is node for part in walk(one)))


def _imports(analysed: Analysed, one: ItemLoop) -> set[str]:
    """The names of imports that a loop reads: they stay what they are for NumPy's arrays."""
    scope = analysed.unit.scope
    read = {part.id for part in walk(one.node) if isinstance(part, ast.Name)}
    return {name for name in read if scope.resolve(ast.Name(name, ast.Load())) is not None}


def _free(analysed: Analysed, wanted: str, functions: Functions) -> str:
    """A name that nothing in the module has, nor any kernel that is made for it."""
    results = analysed.unit.project.results.values()
    taken = {launch.kernel.name for one in results for launch in one.unit.forms.launches.values()}
    taken |= set(functions.names.values())
    for node in ast.walk(analysed.unit.module.tree):
        if isinstance(node, ast.Name):
            taken.add(node.id)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            taken.add(node.name)
        elif isinstance(node, ast.arg):
            taken.add(node.arg)
        elif isinstance(node, ast.alias):
            taken.add((node.asname or node.name).partition(".")[0])
    numbered = (f"{wanted}_{number}" for number in count(2))
    return next(name for name in chain([wanted], numbered) if name not in taken)


def within(inner: Extent, outer: Extent) -> bool:
    """Whether one part of the text lies in another."""
    return outer[0] <= inner[0] and inner[1] <= outer[1]


__all__ = ["Functions", "Made", "edits", "within"]
