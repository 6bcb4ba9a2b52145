"""Small arrays that each iteration makes for itself: ``force = np.zeros(3)``, ``[a, b, c]``.

A thread has no arrays. Where the length is written out, each element becomes a number with a name
of its own, and what is done with the whole array is done with each of them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from gpuport.loops.context.scalars import exposed
from gpuport.loops.facts import ArrayFact, Fact, ScalarFact
from gpuport.loops.names import constant_int, dotted, function_path, walk
from gpuport.loops.parts.parts import Parts, operation
from gpuport.rules.loopfunctions import makers

Loop = ast.For | ast.While

MOST = 9
"""Elements of an array that are written out."""

_CASTS = {
    "builtins.float": "float64", "numpy.float64": "float64", "numpy.float32": "float32",
    "builtins.int": "int64", "numpy.int64": "int64", "numpy.int32": "int32",
}  # fmt: skip

_OTHERS = frozenset(("float16", "float32", "longdouble", "complex", "complex64", "complex128"))
"""Types that numbers may have and that an array of float64 has not."""


@dataclass(frozen=True)
class Private:
    """An array of an iteration's own.

    Attributes
    ----------
    name : str
    length : int
    cast : str
        The dtype that its elements are stored in; empty for a list or tuple, whose elements stay
        what they are, and for what an expression gives.
    listed : bool
        It is a list or a tuple: nothing is computed with it as a whole.
    """

    name: str
    length: int
    cast: str
    listed: bool = False


def made_of(value: ast.expr, facts: Mapping[str, Fact]) -> tuple[int, str, list[ast.expr]] | None:
    """Length, dtype and elements of an array that is made with a length that is written out.

    Parameters
    ----------
    value : expr
        ``np.zeros(3)``, ``np.array([x, y, 0.0])``.
    facts : mapping of str to Fact
    """
    if not isinstance(value, ast.Call) or not value.args:
        return None
    path = function_path(value.func, facts) or ""
    words = {k.arg: k.value for k in value.keywords}
    given = words.pop("dtype", value.args[-1] if len(value.args) > 1 else None)
    if words:
        return None
    known = makers()
    if path in known.of_items and len(value.args) == 1:
        return _listed(value.args[0], given, facts)
    if path in known.filled_with and len(value.args) == 2:
        fill = value.args[1]
        given = words.get("dtype", given if given is not fill else None)
        cast = _cast(given, facts) if given is not None else _literal_type(fill)
    elif path in known.filled and len(value.args) <= 2:
        fill = ast.copy_location(ast.Constant(known.filled[path] or 0), value)
        cast = "float64" if given is None else _cast(given, facts)
    else:
        return None
    length = _length(value.args[0], facts)
    if length is None or cast is None:
        return None
    return length, cast, [fill] * length


def _length(shape: ast.expr, facts: Mapping[str, Fact]) -> int | None:
    if isinstance(shape, ast.Tuple) and len(shape.elts) == 1:
        shape = shape.elts[0]
    fact = facts.get(shape.id) if isinstance(shape, ast.Name) else None
    known = fact.value if isinstance(fact, ScalarFact) else constant_int(shape)
    return known if type(known) is int and 1 <= known <= MOST else None


def _cast(node: ast.expr, facts: Mapping[str, Fact]) -> str | None:
    return _CASTS.get(function_path(node, facts) or "")


def _literal_type(node: ast.expr) -> str | None:
    inner = node.operand if isinstance(node, ast.UnaryOp) else node
    value = inner.value if isinstance(inner, ast.Constant) else None
    return {float: "float64", int: "int64"}.get(type(value))


def _listed(
    node: ast.expr, dtype: ast.expr | None, facts: Mapping[str, Fact]
) -> tuple[int, str, list[ast.expr]] | None:
    """``np.array([a, b, c])``: of floating numbers, where anything shows that they are."""
    if not isinstance(node, ast.List | ast.Tuple) or not 1 <= len(node.elts) <= MOST:
        return None
    cast = _cast(dtype, facts) if dtype is not None else elements_type(node.elts, facts)
    return None if cast is None else (len(node.elts), cast, list(node.elts))


def elements_type(
    items: list[ast.expr],
    facts: Mapping[str, Fact],
    values_of: Mapping[str, list[ast.expr]] | None = None,
) -> str | None:
    """The dtype of an array of such elements; None where nothing shows that they are floating.

    Parameters
    ----------
    items : list of expr
    facts : mapping of str to Fact
    values_of : mapping of str to list of expr, optional
        What names are given that stand among the elements.
    """
    if any(isinstance(item, ast.List | ast.Tuple | ast.Starred) for item in items):
        return None
    floating, waiting = False, dict(values_of or {})
    reading = list(walk(items))
    for node in reading:
        if _otherwise_typed(node, facts):
            return None
        if isinstance(node, ast.Name):
            reading += walk(waiting.pop(node.id, []))
        elif isinstance(node, ast.Constant):
            floating = floating or isinstance(node.value, float)
        elif isinstance(node, ast.BinOp):
            floating = floating or isinstance(node.op, ast.Div)
        elif isinstance(node, ast.Subscript) and not _of_list(node, values_of or {}):
            fact = facts.get(dotted(node.value) or "")
            known = fact.dtype if isinstance(fact, ArrayFact) else "unknown"
            if known not in (None, "float64"):
                return None
            floating = True
        elif isinstance(node, ast.Call):
            path = function_path(node.func, facts) or ""
            floating = floating or path.startswith("math.") or path == "builtins.float"
    return "float64" if floating else None


def _otherwise_typed(node: ast.AST, facts: Mapping[str, Fact]) -> bool:
    """Whether something is a number of NumPy's of another floating type, or a complex one."""
    if isinstance(node, ast.Name):
        fact = facts.get(node.id)
        return isinstance(fact, ScalarFact) and fact.type in _OTHERS
    if isinstance(node, ast.Constant):
        return isinstance(node.value, complex)
    path = function_path(node.func, facts) if isinstance(node, ast.Call) else None
    return (path or "").rpartition(".")[2] in _OTHERS


def _of_list(node: ast.Subscript, values_of: Mapping[str, list[ast.expr]]) -> bool:
    values = values_of.get(dotted(node.value) or "", [])
    return bool(values) and all(map(is_list, values))


def private_arrays(loop: Loop, parts: Parts, live: frozenset[str]) -> dict[str, Private]:
    """The arrays that a loop's iterations make for themselves.

    Parameters
    ----------
    loop : ast.For or ast.While
    parts : Parts
    live : frozenset of str
        Names that something reads after the loop.
    """
    found: dict[str, Private] = {}
    outside = live | exposed(loop.body)
    assigned = [(n, v) for n, v in _assignments(loop) if n not in outside]
    while True:
        known = with_privates(parts.facts, found)
        more = dict(_made(loop, assigned, found, known))
        more |= dict(_derived(loop, assigned, found, parts))
        if not more:
            return {n: one for n, one in found.items() if _bound_well(loop, one, known)}
        found |= more


def with_privates(facts: Mapping[str, Fact], found: Mapping[str, Private]) -> dict[str, Fact]:
    """The facts, with those of the private arrays."""
    arrays: dict[str, Fact] = {
        name: ArrayFact(one.cast, 1) for name, one in found.items() if one.cast
    }
    return {**facts, **arrays}


def _made(
    loop: Loop,
    assigned: list[tuple[str, ast.expr]],
    found: Mapping[str, Private],
    facts: Mapping[str, Fact],
) -> Iterator[tuple[str, Private]]:
    """Names of what is made with a length that is written out."""
    for name, value in assigned:
        if name in found:
            continue
        made = made_of(value, facts)
        if made is not None:
            yield name, Private(name, made[0], made[1])
        elif is_list(value) and _subscripted(loop, name):
            yield name, Private(name, len(value.elts), "", listed=True)  # type: ignore[attr-defined]


def _assignments(loop: Loop) -> Iterator[tuple[str, ast.expr]]:
    for node in walk([loop]):
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            target = node.targets[0]
            if isinstance(target, ast.Name):
                yield target.id, node.value


def is_list(value: ast.expr) -> bool:
    """Whether an expression is a short list or tuple whose elements are written out."""
    if not isinstance(value, ast.List | ast.Tuple) or not 1 <= len(value.elts) <= MOST:
        return False
    return not any(isinstance(e, ast.Starred | ast.List | ast.Tuple) for e in value.elts)


def _subscripted(loop: Loop, name: str) -> bool:
    return any(isinstance(n, ast.Subscript) and dotted(n.value) == name for n in walk([loop]))


def _derived(
    loop: Loop,
    assigned: list[tuple[str, ast.expr]],
    found: Mapping[str, Private],
    parts: Parts,
) -> Iterator[tuple[str, Private]]:
    """Names of what is computed from private arrays, and of rows that are computed with them."""
    for name, value in assigned:
        if name in found:
            continue
        others = [found[n] for n in whole_names(value, found, parts.facts)]
        lengths = {one.length for one in others}
        if len(lengths) == 1 and all(one.cast == "float64" for one in others):
            yield name, Private(name, lengths.pop(), "float64")
    rows = {name for name, value in assigned if name not in found and _of_rows(value, parts)}
    guessed = {name: Private(name, 0, "") for name in rows}
    for one, value in _set_as_a_whole(loop, found):
        for name in whole_names(value, guessed, parts.facts):
            if one.cast == "float64":
                yield name, Private(name, one.length, "float64")


def _of_rows(value: ast.expr, parts: Parts) -> bool:
    """Whether an expression computes with rows of arrays."""
    made = operation(value, parts, None)
    return made is not None and made.axes == 1


def _set_as_a_whole(loop: Loop, found: Mapping[str, Private]) -> Iterator[tuple[Private, ast.expr]]:
    """Private arrays, and what is assigned or added to them."""
    for node in walk([loop]):
        if isinstance(node, ast.AugAssign | ast.Assign):
            targets = [node.target] if isinstance(node, ast.AugAssign) else node.targets
            for target in targets:
                if isinstance(target, ast.Name) and target.id in found:
                    yield found[target.id], node.value


def whole_names(
    value: ast.expr, found: Mapping[str, Private], facts: Mapping[str, Fact]
) -> Iterator[str]:
    """Private arrays that an elementwise expression takes as a whole."""
    if isinstance(value, ast.Name):
        if value.id in found and not found[value.id].listed:
            yield value.id
    elif isinstance(value, ast.BinOp) and not isinstance(value.op, ast.MatMult):
        yield from whole_names(value.left, found, facts)
        yield from whole_names(value.right, found, facts)
    elif isinstance(value, ast.UnaryOp):
        yield from whole_names(value.operand, found, facts)
    elif isinstance(value, ast.Call) and (is_copy(value) or by_element(value, facts)):
        given = [value.func.value] if is_copy(value) else value.args  # type: ignore[attr-defined]
        for one in given:
            yield from whole_names(one, found, facts)


def is_copy(value: ast.expr) -> bool:
    """``v.copy()``."""
    function = value.func if isinstance(value, ast.Call) and not value.args else None
    return isinstance(function, ast.Attribute) and function.attr == "copy"


def by_element(call: ast.Call, facts: Mapping[str, Fact]) -> bool:
    """Whether a call computes floating elements from those at their places, or is ``np.cross``."""
    import numpy as np

    library, _, name = (function_path(call.func, facts) or "").rpartition(".")
    if call.keywords:
        return False
    if library != "numpy":
        return (library, name) == ("builtins", "abs")
    function = getattr(np, name, None)
    if getattr(function, "signature", None) is not None:
        return False  # of vectors and matrices: np.matmul
    types = getattr(function, "types", ())
    return name in ("cross", "round") or "d->d" in types or "dd->d" in types


def _bound_well(loop: Loop, one: Private, facts: Mapping[str, Fact]) -> bool:
    """Whether each binding of a name makes such an array, and no other name shares it."""
    bindings = sum(
        isinstance(n, ast.Name) and n.id == one.name and isinstance(n.ctx, ast.Store)
        for n in walk([loop])
    )
    added = sum(
        isinstance(n, ast.AugAssign) and isinstance(n.target, ast.Name) and n.target.id == one.name
        for n in walk([loop])
    )
    values = [value for name, value in _assignments(loop) if name == one.name]
    if len(values) + added != bindings:
        return False
    changed = added > 0 or any(
        isinstance(n, ast.Subscript) and dotted(n.value) == one.name and not _is_read(n)
        for n in walk([loop])
    )
    if changed and any(isinstance(v, ast.Name | ast.Subscript) for v in values):
        return False  # what it names is changed as well
    return all(_fits(value, one, facts) for value in values) and not _shared(loop, one.name)


def _is_read(node: ast.Subscript) -> bool:
    return isinstance(node.ctx, ast.Load)


def _fits(value: ast.expr, one: Private, facts: Mapping[str, Fact]) -> bool:
    if one.listed:
        return is_list(value) and len(value.elts) == one.length  # type: ignore[attr-defined]
    made = made_of(value, facts)
    if made is not None:
        return made[:2] == (one.length, one.cast)
    # What is computed from it is a new array, of a type of its own.
    return one.cast == "float64" and not isinstance(value, ast.List | ast.Tuple | ast.Constant)


def _shared(loop: Loop, name: str) -> bool:
    """Whether another name is bound to the very array: ``w = v``."""
    return any(isinstance(v, ast.Name) and v.id == name for _, v in _assignments(loop))
