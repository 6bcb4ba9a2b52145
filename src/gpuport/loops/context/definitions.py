"""What the function's own text says about extents: ``n = len(x)``, ``y = np.zeros(n)``."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence

from gpuport.loops.facts import ArrayFact, LoopNest
from gpuport.loops.heads.heads import parse
from gpuport.loops.names import constant_int, dotted, function_path, is_shape, loaded, stored, walk
from gpuport.loops.sets.affine import Whole
from gpuport.loops.sets.wholes import Wholes
from gpuport.rules.loopfunctions import makers
from gpuport.source.bindings import statements_before, value_set

_RESIZING = frozenset(("resize", "refcheck", "shape"))

Equality = tuple[str, int, ast.expr]
"""An array, an axis, and the expression that its extent equals."""


def holds_number(function: ast.AST, node: ast.stmt, name: str) -> bool:
    """Whether a literal number was assigned to a name in the block before a statement."""
    value = value_set(statements_before(function, node), name)
    literal = value.operand if isinstance(value, ast.UnaryOp) else value
    return isinstance(literal, ast.Constant) and isinstance(literal.value, int | float | complex)


def literal_before(function: ast.AST, node: ast.stmt, name: str) -> ast.expr | None:
    """The integer literal that a name holds where a statement begins, if the text tells.

    Only the statements before it in the same block are asked.
    """
    return last_literal(statements_before(function, node), name)


def last_literal(block: Sequence[ast.stmt], name: str) -> ast.expr | None:
    """The integer literal that a name holds after consecutive statements."""
    value = value_set(block, name)
    return None if constant_int(value) is None else value


def equal_extents(nest: LoopNest, node: ast.stmt, wholes: Wholes) -> list[tuple[Whole, Whole]]:
    """Pairs of whole numbers that are equal where the loop begins.

    Parameters
    ----------
    nest : LoopNest
    node : stmt
        The region's loop.
    wholes : Wholes
        Reads expressions as of the loop's beginning.
    """
    found: list[tuple[Whole, Whole]] = []
    ranks = wholes.ranks
    measured: list[Equality] = []
    for array, axis, definition in extents_told(nest, node):
        if array not in ranks:
            measured.append((array, axis, definition))
        value = wholes.whole(definition) if axis < ranks.get(array, 0) else None
        if value is not None:
            found.append((Whole(wholes.symbols.extent(array, axis)), value))
    found += _of_models(measured, wholes)
    found += _lengths(node, wholes)
    shapes: dict[str, Whole] = {}
    for array, rank in ranks.items():
        fact = nest.facts.get(array)
        if not isinstance(fact, ArrayFact) or fact.shape is None or len(fact.shape) != rank:
            continue
        for axis, symbol in enumerate(fact.shape):
            extent = Whole(wholes.symbols.extent(array, axis))
            if symbol.isdecimal():
                found.append((extent, Whole(symbol)))
            elif symbol in shapes:
                found.append((extent, shapes[symbol]))
            shapes.setdefault(symbol, extent)
    return found


def _of_models(equalities: Sequence[Equality], wholes: Wholes) -> list[tuple[Whole, Whole]]:
    """What is told of arrays that the loop uses for nothing, but that others have the shape of."""
    texts = {text: name for name, text in wholes.symbols.texts.items()}
    found: list[tuple[Whole, Whole]] = []
    for array, axis, definition in equalities:
        extent = texts.get(f"{array}.shape[{axis}]")
        value = None if extent is None else wholes.whole(definition)
        if extent is not None and value is not None:
            found.append((Whole(extent), value))
    return found


def _lengths(node: ast.stmt, wholes: Wholes) -> list[tuple[Whole, Whole]]:
    """``len(x)`` and ``x.shape[0]``, where the loop measures an array that it never subscripts."""
    measured = {text: name for name, text in wholes.symbols.texts.items()}
    found: list[tuple[Whole, Whole]] = []
    for call in walk([node]):
        array = dotted(call.args[0]) if isinstance(call, ast.Call) and call.args else None
        extent = measured.get(f"{array}.shape[0]")
        if extent is None or array in wholes.ranks:
            continue
        assert isinstance(call, ast.Call)
        length = wholes.whole(call) if dotted(call.func) == "len" else None
        if length is not None:
            found.append((Whole(extent), length))
    return found


def views(nest: LoopNest, node: ast.stmt) -> dict[str, tuple[str, int | None]]:
    """Names that are views of other arrays: whose, and the shift of the first axis if known."""
    if isinstance(nest.function, ast.Module):
        return {}
    found: dict[str, tuple[str, int | None]] = {}
    once = _bound_once(nest.function)
    for statement in _straight(nest.function.body):
        if statement.lineno >= node.lineno or not isinstance(statement, ast.Assign):
            continue
        target, value = statement.targets[0], statement.value
        if not isinstance(target, ast.Name) or target.id not in once:
            continue
        base, shift = _view_of(value)
        if base is None or base not in once:
            continue
        root, before = found.get(base, (base, 0))
        whole = shift + before if shift is not None and before is not None else None
        found[target.id] = (root, whole)
    return found


def outer_ranges(outer: Sequence[ast.For | ast.While], wholes: Wholes) -> list[str]:
    """What the loops that stay in Python say of their variables, as isl constraints."""
    made = []
    for loop in outer:
        if not isinstance(loop, ast.For) or not isinstance(loop.target, ast.Name):
            continue
        call = loop.iter
        if not isinstance(call, ast.Call) or not 1 <= len(call.args) <= 2:
            continue
        if function_path(call.func, wholes.facts) != "builtins.range" or call.keywords:
            continue
        start, stop = call.args if len(call.args) == 2 else (ast.Constant(0), call.args[0])
        if ({loop.target.id} | loaded([start, stop])) & stored(loop.body):
            continue
        low, high = wholes.whole(start), wholes.whole(stop)
        variable = wholes.symbols.parameter(loop.target.id)
        made += [f"{variable} >= {low.text}"] if low is not None and not low.sides else []
        made += [f"{variable} < {high.text}"] if high is not None and not high.sides else []
    return made


_VIEWING = frozenset(("T", "ravel", "reshape", "view", "transpose", "swapaxes", "squeeze", "flat"))


def _view_of(value: ast.expr) -> tuple[str | None, int | None]:
    """The array that an expression is a view of, and the shift of its first axis."""
    if isinstance(value, ast.Name):
        return value.id, 0
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
        value = value.func
    if isinstance(value, ast.Attribute) and value.attr in _VIEWING:
        return dotted(value.value), None
    if not isinstance(value, ast.Subscript) or is_shape(value.value):
        return None, None
    array, part = dotted(value.value), value.slice
    if isinstance(part, ast.Slice):
        lower = 0 if part.lower is None else constant_int(part.lower)
        plain = part.step is None and lower is not None and lower >= 0
        return array, lower if plain else None
    if isinstance(part, ast.Tuple) and any(isinstance(item, ast.Slice) for item in part.elts):
        return array, None
    return None, None


def extents_told(nest: LoopNest, node: ast.stmt) -> Iterator[Equality]:
    """Extents that assignments outside loops, before this one, tell for good."""
    function = nest.function
    if isinstance(function, ast.Module):
        return
    for child in walk([function]):
        if isinstance(child, ast.Attribute) and child.attr in _RESIZING:
            if isinstance(child.ctx, ast.Store) or child.attr == "resize":
                return
        elif isinstance(child, ast.Nonlocal | ast.Global):
            return
    once = _bound_once(function)
    for statement in _straight(function.body):
        if statement.lineno >= node.lineno or not isinstance(statement, ast.Assign):
            continue
        if len(statement.targets) != 1:
            continue
        for array, axis, extent in _equalities(statement.targets[0], statement.value, nest):
            names = {c.id for c in ast.walk(extent) if isinstance(c, ast.Name)} - {"len"}
            if (names | {array}) <= once:
                yield array, axis, extent


def _straight(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """Statements that run at most once per call, in order."""
    for statement in body:
        yield statement
        if isinstance(statement, ast.If):
            yield from _straight(statement.body)
            yield from _straight(statement.orelse)
        elif isinstance(statement, ast.With):
            yield from _straight(statement.body)


def _bound_once(function: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    counts: Counter[str] = Counter()
    arguments = function.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    every += [item for item in (arguments.vararg, arguments.kwarg) if item is not None]
    counts.update(item.arg for item in every)
    for child in walk([function]):
        if isinstance(child, ast.Name) and not isinstance(child.ctx, ast.Load):
            counts[child.id] += 1
    return {name for name, count in counts.items() if count == 1}


def _equalities(target: ast.expr, value: ast.expr, nest: LoopNest) -> Iterator[Equality]:
    if isinstance(target, ast.Tuple) and is_shape(value) and isinstance(value, ast.Attribute):
        array = dotted(value.value)
        for axis, item in enumerate(target.elts):
            if isinstance(item, ast.Name) and array is not None:
                yield array, axis, _load(item)
        return
    if not isinstance(target, ast.Name):
        return
    if isinstance(value, ast.Subscript) and isinstance(value.value, ast.Attribute):
        array, axis_ = dotted(value.value.value), constant_int(value.slice)
        if is_shape(value.value) and array is not None and axis_ is not None and axis_ >= 0:
            yield array, axis_, _load(target)
    elif isinstance(value, ast.Attribute) and value.attr == "size":
        array = dotted(value.value)
        fact = nest.facts.get(array or "")
        if array is not None and isinstance(fact, ArrayFact) and fact.rank == 1:
            yield array, 0, _load(target)
    elif isinstance(value, ast.Call):
        yield from _made(target, value, nest)


def _made(target: ast.Name, call: ast.Call, nest: LoopNest) -> Iterator[Equality]:
    path = function_path(call.func, nest.facts)
    first = call.args[0] if call.args else None
    if path == "builtins.len" and first is not None:
        array = dotted(first)
        if array is not None:
            yield array, 0, _load(target)
    elif path in makers().of_shape and first is not None:
        yield from _shaped(target, first)
    elif path in makers().of_shape_of and first is not None and not _gives_shape(call):
        yield from _same_shape(target, first)
    elif isinstance(call.func, ast.Attribute) and call.func.attr == "copy" and path is None:
        yield from _same_shape(target, call.func.value)


def _gives_shape(call: ast.Call) -> bool:
    return any(keyword.arg in ("shape", None) for keyword in call.keywords)


def _shaped(target: ast.Name, shape: ast.expr) -> Iterator[Equality]:
    if is_shape(shape) and isinstance(shape, ast.Attribute):
        yield from _same_shape(target, shape.value)
        return
    extents = list(shape.elts) if isinstance(shape, ast.Tuple | ast.List) else [shape]
    if any(isinstance(extent, ast.Starred) for extent in extents):
        return
    for axis, extent in enumerate(extents):
        yield target.id, axis, extent


def _same_shape(target: ast.Name, like: ast.expr) -> Iterator[Equality]:
    """Up to the axes that a kernel indexes; one that an array lacks is never asked for."""
    array = dotted(like)
    if array is not None:
        for axis in range(8):
            yield target.id, axis, parse(f"{array}.shape[{axis}]", target)


def _load(name: ast.Name) -> ast.expr:
    return ast.copy_location(ast.Name(name.id, ast.Load()), name)
