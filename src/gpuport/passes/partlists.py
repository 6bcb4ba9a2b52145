"""Parts of arrays that a loop takes out one after the other, as lists of parts.

``for i in range(0, len(x), n)`` with ``x[i:i + n]`` in it is ``for x_part in x_parts``, where
``x_parts`` lists these; ``for part in np.array_split(x, k)`` goes over such a list. What is
known of lists of matrices holds for it then: blocks of one size and windows that overlap are
stacked, a shorter last one is a stack of its own. A port has them only where stacked code came of
it: the module is ported both ways.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from gpuport.analysis.interpretation.unit import Unit
from gpuport.source.edits import Edit
from gpuport.source.syntax import bound_in, walk

_SPLIT = frozenset(f"numpy.{name}" for name in ("array_split", "split", "vsplit", "hsplit"))
_COUNTS_OR_CUTS = frozenset({"builtins.range"}) | _SPLIT
_FRESH = frozenset(
    f"numpy.{name}" for name in ("zeros", "ones", "empty", "full", "zeros_like", "empty_like")
)
LOCAL = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef, ast.Global, ast.Nonlocal)
LOOPING = (ast.For, ast.Assign, ast.Return)
"""Statements that may be loops, or be made by one."""
_ONE_AFTER_ANOTHER = (ast.ListComp, ast.GeneratorExp)


def part_lists(unit: Unit, node: ast.FunctionDef) -> Iterator[Edit]:
    """The edits that make lists of the parts that the loops of a function take out."""
    if not any(unit.scope.resolve(call.func) in _COUNTS_OR_CUTS for call in unit.scope.calls):
        return
    loops = [
        (part, loop) for part in unit.module.nodes.inside(node, *LOOPING)
        if (loop := _loop(part)) is not None
    ]  # fmt: skip
    if not loops or unit.scope.resolve(ast.Name("range", ast.Load())) != "builtins.range":
        return
    if any(part is not node for part in unit.module.nodes.below(node, *LOCAL)):
        return
    names = Names(unit)
    for part, loop in loops:
        if not starts_line(unit, part):
            continue
        if any(isinstance(n, ast.Call) and _maps(unit, n) for n in walk(part)):
            continue  # such a call is written anew as a whole, with the counter in it
        head = loop if isinstance(loop, ast.For) else loop.generators[0]
        if isinstance(head.iter, ast.Call) and unit.scope.resolve(head.iter.func) in _SPLIT:
            yield from _named(unit, part, head.iter, names)
        else:
            yield from _taken_out(unit, node, part, loop, names)


@dataclass(slots=True)
class Names:
    """Names that nothing in the module has."""

    unit: Unit
    taken: set[str] | None = None

    def free(self, name: str) -> str:
        if self.taken is None:
            self.taken = {*self.unit.module.names, *self.unit.module.parameters}
        while name in self.taken:
            name += "_"
        self.taken.add(name)
        return name


def _maps(unit: Unit, call: ast.Call) -> bool:
    return unit.scope.resolve(call.func) in ("builtins.map", "itertools.starmap")


def starts_line(unit: Unit, node: ast.stmt) -> bool:
    before = unit.module.line_text(node.lineno)[: node.col_offset]
    return not before.strip() and before.isascii()


def loop_of(node: ast.stmt) -> ast.For | ast.ListComp | ast.GeneratorExp | None:
    """The loop that a statement is, or that what it binds or returns is made by."""
    if isinstance(node, ast.For):
        return None if node.orelse else node
    return _comprehension(node)


def _loop(node: ast.stmt) -> ast.For | ast.ListComp | ast.GeneratorExp | None:
    """The loop that a statement is, or that what it binds or returns is made by."""
    if isinstance(node, ast.For):
        return node if isinstance(node.iter, ast.Call) and not node.orelse else None
    found = _comprehension(node)
    return found if found and isinstance(found.generators[0].iter, ast.Call) else None


def _comprehension(node: ast.stmt) -> ast.ListComp | ast.GeneratorExp | None:
    """The comprehension that a statement binds or returns, or all that it makes something of."""
    value = node.value if isinstance(node, (ast.Assign, ast.Return)) else None
    if (
        isinstance(value, ast.Call)
        and len(value.args) == 1
        and isinstance(value.func, ast.Name | ast.Attribute)
    ):
        value = value.args[0]
    if not isinstance(value, _ONE_AFTER_ANOTHER) or len(value.generators) != 1:
        return None
    inner = value.generators[0]
    return None if inner.ifs or inner.is_async else value


def _named(unit: Unit, statement: ast.stmt, call: ast.Call, names: Names) -> Iterator[Edit]:
    """``for part in np.array_split(x, k)``: the list gets a name."""
    array = call.args[0] if call.args else None
    text = unit.module.segment(call)
    if isinstance(array, ast.Name) and "\n" not in text:
        name = names.free(f"{array.id}_parts")
        yield line_above(unit, statement, f"{name} = {text}")
        yield Edit(*unit.module.extent(call), (name,))


def line_above(unit: Unit, statement: ast.stmt, text: str) -> Edit:
    module = unit.module
    indent = module.line_text(statement.lineno)[: statement.col_offset]
    start = module.line_starts[statement.lineno - 1]
    return Edit(start, start, (indent + text + module.newline,))


def _taken_out(
    unit: Unit,
    function: ast.FunctionDef,
    statement: ast.stmt,
    loop: ast.For | ast.ListComp | ast.GeneratorExp,
    names: Names,
) -> Iterator[Edit]:
    """``for i in range(0, len(x), n)`` with ``x[i:i + n]`` in it."""
    head = loop if isinstance(loop, ast.For) else loop.generators[0]
    index, counting = head.target, head.iter
    counted = isinstance(counting, ast.Call) and ast.unparse(counting.func) == "range"
    if not isinstance(index, ast.Name) or not counted or "\n" in unit.module.segment(counting):
        return
    parts = _parts(loop, index.id)
    if not parts or not _is_still(unit, function, loop, index.id, parts):
        return
    assert isinstance(counting, ast.Call)
    numbers = _numbers(loop, index.id, parts, counting)
    if numbers is None:
        return
    module, range_text = unit.module, unit.module.segment(counting)
    items, lists = [], []
    for text, nodes in parts.items():
        owner = text.partition("[")[0]
        items.append(names.free(f"{owner}_part"))
        lists.append(names.free(f"{owner}_parts"))
        made = f"{lists[-1]} = [{text} for {index.id} in {range_text}]"
        yield line_above(unit, statement, made)
        for one in nodes:
            yield Edit(*module.extent(one), (items[-1],))
    target, over = ", ".join(items), lists[0] if len(lists) == 1 else f"zip({', '.join(lists)})"
    if numbers:
        number = index.id if isinstance(numbers[0], ast.Name) else names.free("k")
        yield from (Edit(*module.extent(one), (number,)) for one in numbers)
        target = f"{number}, {target if len(items) == 1 else f'({target})'}"
        over = f"enumerate({over})"
    yield Edit(*module.extent(index), (target,))
    yield Edit(*module.extent(counting), (over,))


Parts = dict[str, list[ast.Subscript]]


def _parts(loop: ast.AST, index: str) -> Parts:
    """Slices with the counter in them, by their text: those of one array are all alike."""
    found: Parts = {}
    for part in walk(loop):
        if isinstance(part, ast.Subscript) and isinstance(part.value, ast.Name):
            several = part.slice.elts if isinstance(part.slice, ast.Tuple) else [part.slice]
            first = several[0] if several else None  # none of `x[()]`
            if isinstance(first, ast.Slice) and _has(first, index) and _is_plain(part):
                found.setdefault(ast.unparse(part), []).append(part)
    owners = [text.partition("[")[0] for text in found]
    return found if len(set(owners)) == len(owners) else {}


def _has(node: ast.AST, name: str) -> bool:
    return any(isinstance(part, ast.Name) and part.id == name for part in walk(node))


def _is_plain(node: ast.Subscript) -> bool:
    """Whether nothing but names and numbers tells which part it is."""
    allowed = (ast.Name, ast.Constant, ast.BinOp, ast.operator, ast.Slice, ast.Tuple,
               ast.Subscript, ast.expr_context)  # fmt: skip
    return isinstance(node.ctx, ast.Load) and all(isinstance(p, allowed) for p in ast.walk(node))


def _is_still(
    unit: Unit, function: ast.FunctionDef, loop: ast.AST, index: str, parts: Parts
) -> bool:
    """Whether the arrays and where they are cut stay the same in the loop, and nothing after it
    asks how far it counted."""
    inner = {id(part) for nodes in parts.values() for one in nodes for part in ast.walk(one)}
    used = {n.id for nodes in parts.values() for n in ast.walk(nodes[0]) if isinstance(n, ast.Name)}
    owners = {text.partition("[")[0] for text in parts}
    body = [part for part in ast.walk(loop) if id(part) not in inner]
    bound = bound_in(loop) | {n.id for n in body if isinstance(n, ast.Name) and _stores(n)}
    if bound & (used - {index}) or _escapes(function, loop, index):
        return False
    iterable = loop.iter if isinstance(loop, ast.For) else loop.generators[0].iter  # type: ignore[attr-defined]
    head = {id(part) for part in ast.walk(iterable)}
    measured = {
        id(part.value) for part in body if isinstance(part, ast.Attribute) and part.attr == "shape"
    }
    for part in body:
        if isinstance(part, ast.Name) and part.id in owners and id(part) not in head | measured:
            return False
        if isinstance(part, (ast.Subscript, ast.Attribute)) and not isinstance(part.ctx, ast.Load):
            owner = part.value if isinstance(part, ast.Subscript) else None
            if not isinstance(owner, ast.Name) or not is_new(unit, function, owner.id):
                return False
    return True


def _stores(node: ast.Name) -> bool:
    return not isinstance(node.ctx, ast.Load)


def is_new(unit: Unit, function: ast.FunctionDef, name: str) -> bool:
    """Whether a name is bound once, to an array that nothing else refers to."""
    stores = [
        n for n in ast.walk(function) if isinstance(n, ast.Name) and n.id == name and _stores(n)
    ]
    for part in ast.walk(function):
        if isinstance(part, ast.Assign) and part.targets == stores and len(stores) == 1:
            made = part.value
            return isinstance(made, ast.Call) and unit.scope.resolve(made.func) in _FRESH
    return False


def _escapes(function: ast.FunctionDef, loop: ast.AST, index: str) -> bool:
    """Whether the counter of a loop is read where no loop of its own sets it."""
    safe: set[int] = {id(part) for part in ast.walk(loop)}
    for part in ast.walk(function):
        heads = getattr(part, "generators", [part] if isinstance(part, ast.For) else [])
        if any(isinstance(h.target, ast.Name) and h.target.id == index for h in heads):
            safe |= {id(one) for one in ast.walk(part)}
    return any(
        isinstance(part, ast.Name) and part.id == index and id(part) not in safe
        for part in ast.walk(function)
    )


def _numbers(loop: ast.AST, index: str, parts: Parts, call: ast.Call) -> list[ast.expr] | None:
    """Where a loop reads the number of the part it has; None where it reads more of its counter.

    That is the counter of ``range(n)``, and ``t - w`` where ``t`` is that of ``range(w, n)``.
    """
    inner = {id(part) for nodes in parts.values() for one in nodes for part in ast.walk(one)}
    own = [part for part in ast.walk(loop) if isinstance(part, ast.expr) and id(part) not in inner]
    read = [
        part for part in own
        if isinstance(part, ast.Name) and part.id == index and isinstance(part.ctx, ast.Load)
    ]  # fmt: skip
    begin = call.args[0] if len(call.args) == 2 else ast.Constant(0)
    if not read or (len(call.args) < 3 and ast.unparse(begin) == "0"):
        return list(read)
    bound = bound_in(loop) if isinstance(loop, ast.stmt) else frozenset((index,))
    named = {part.id for part in ast.walk(begin) if isinstance(part, ast.Name)}
    plain = (ast.Name, ast.Constant, ast.expr_context)
    if len(call.args) == 3 or bound & named or not all(isinstance(p, plain) for p in walk(begin)):
        return None
    less = f"{index} - {ast.unparse(begin)}"
    found = [part for part in own if isinstance(part, ast.BinOp) and ast.unparse(part) == less]
    return list(found) if len(found) == len(read) else None


__all__ = ["LOCAL", "Names", "is_new", "line_above", "loop_of", "part_lists", "starts_line"]
