"""Functions of matrices, products and systems of equations, of stacks."""

from __future__ import annotations

import ast
from dataclasses import replace

from gpuport.batch.arguments import (
    fixed,
    function_text,
    named,
    not_followed,
    of_rank,
    one_array,
    spliced,
    two,
)
from gpuport.batch.records import FORM, UNKNOWN_SHAPE, Item, Refused
from gpuport.batch.scope import Scope
from gpuport.rules.stacking import MatrixFunction, stacking


def of_matrices(scope: Scope, node: ast.Call, path: str, function: MatrixFunction) -> Item:
    """A function of NumPy's that takes stacks along leading axes."""
    if len(node.args) != len(function.takes):
        raise not_followed(scope, node)
    items = [one_array(scope, argument) for argument in node.args]
    for argument, item, rank in zip(node.args, items, function.takes, strict=True):
        of_rank(scope, argument, item, rank)
    gives = function.gives
    parts: list[tuple[ast.AST, str]] = [(a, i.text) for a, i in zip(node.args, items, strict=True)]
    for keyword in _options(node, function):
        option = one_array(scope, keyword.value)
        if keyword.arg not in function.options or option.stacked or option.rank:
            raise Refused(FORM, node, f"`{keyword.arg}=` has no stacked form here")
        parts.append((keyword.value, option.text))
        if keyword.arg in function.results or keyword.arg == "compute_uv":
            gives = _results(keyword, function, gives)
    stacked = any(item.stacked for item in items)
    if function.raises and (stacked or not function.runtime):
        scope.raises.append(node)
        if function.runtime:
            scope.uneven.append(node)
    if function.target != path:
        options = [f"{k.arg}={one_array(scope, k.value).text}" for k in _options(node, function)]
        given = [*(item.text for item in items), *options, *filter(None, [function.adds])]
        text = f"{called(function, stacked=stacked)}({', '.join(given)})"
    else:
        name = function_text(scope, node, path, stacked)
        if stacked and function.runtime:
            name = f"{{batched}}.{function.runtime}"
        elif stacked:
            name = called(function, stacked=stacked)
        parts.append((node.func, name))
        text = spliced(scope, node, parts)
    if len(gives) == 1:
        return Item(text, gives[0], stacked, tight=True)
    results = tuple(Item("", rank, stacked, tight=True) for rank in gives)
    return Item(text, 0, stacked, tight=True, results=results)


def called(function: MatrixFunction, *, stacked: bool) -> str:
    """The function that the device has for this, or the runtime for stacks of any size."""
    target = stacking().matrices.get(function.target, function)
    owner = "{batched}" if stacked and target.sized else "{cupy}"
    return f"{owner}.{function.target.removeprefix('numpy.')}"


def _options(node: ast.Call, function: MatrixFunction) -> list[ast.keyword]:
    """The keywords of a call that the function on the device gets too."""
    needed = {
        k.arg for k in node.keywords
        if k.arg is not None and k.arg in function.needs and isinstance(k.value, ast.Constant)
        and k.value.value == function.needs[k.arg]
    }  # fmt: skip
    missing = sorted(function.needs.keys() - needed)
    if missing:
        value = function.needs[missing[0]]
        raise Refused(FORM, node, f"without `{missing[0]}={value}` it has no stacked form here")
    return [k for k in node.keywords if k.arg not in needed | function.ignores]


def _results(
    keyword: ast.keyword, function: MatrixFunction, gives: tuple[int, ...]
) -> tuple[int, ...]:
    """What the function gives with this option."""
    if not isinstance(keyword.value, ast.Constant):
        raise Refused(FORM, keyword.value, f"what it gives depends on `{keyword.arg}`")
    by_value = function.results.get(keyword.arg or "", {})
    value = keyword.value.value
    if value not in by_value and keyword.arg == "mode":
        raise Refused(FORM, keyword.value, f"`mode={value!r}` has no stacked form")
    return by_value.get(value, gives)


def solve(scope: Scope, node: ast.Call, base: Item | None) -> Item:
    """``solve(a, b)``: a stack of vectors would be taken for one matrix."""
    a, b = two(scope, node)
    of_rank(scope, node.args[0], a, 2)
    scope.raises.append(node)
    if b.rank not in (1, 2):
        raise Refused(UNKNOWN_SHAPE, node.args[1], "its right side is no vector or matrix")
    if a.stacked == b.stacked and (b.rank == 2 or not b.stacked):
        parts = [(node.args[0], a.text), (node.args[1], b.text)]
        function = function_text(scope, node, "numpy.linalg.solve", a.stacked)
        return Item(spliced(scope, node, [*parts, (node.func, function)]), b.rank, a.stacked,
                    tight=True)  # fmt: skip
    if a.stacked and b.stacked:
        text = f"{{cupy}}.linalg.solve({a.text}, {_bare(b.as_column())})"
        return Item(f"{text}[..., 0]", 1, stacked=True, tight=True, column=text)
    if b.stacked and b.rank == 1:
        return Item(f"{{cupy}}.linalg.solve({a.text}, {b.postfixed('.T')}).T", 1, stacked=True,
                    tight=True)  # fmt: skip
    if a.stacked:  # CuPy wants as many right sides as there are matrices
        right = f"{{cupy}}.repeat({b.postfixed('[None]' if b.rank == 2 else '[None, :, None]')}, "
        text = f"{{cupy}}.linalg.solve({a.text}, {right}{scope.count()}, axis=0))"
        if b.rank == 2:
            return Item(text, 2, stacked=True, tight=True)
        return Item(f"{text}[..., 0]", 1, stacked=True, tight=True, column=text)
    left = f"{{cupy}}.repeat({a.postfixed('[None]')}, {scope.count()}, axis=0)"
    return Item(f"{{cupy}}.linalg.solve({left}, {b.text})", 2, stacked=True, tight=True)


def least_squares(scope: Scope, node: ast.Call, base: Item | None) -> Item:
    """``lstsq(a, b)``: how many residuals there are differs from item to item."""
    given = named(scope, node, ("a", "b", "rcond"))
    if "a" not in given or "b" not in given:
        raise not_followed(scope, node)
    a, b = one_array(scope, given["a"]), one_array(scope, given["b"])
    of_rank(scope, given["a"], a, 2)
    if b.rank not in (1, 2):
        raise Refused(UNKNOWN_SHAPE, given["b"], "its right side is no vector or matrix")
    if not (a.stacked or b.stacked):
        raise Refused(FORM, node, "the system is the same for all items")
    scope.raises.append(node)
    right = b.text if b.stacked or b.rank == 1 else b.postfixed("[None]")
    left = a.text if a.stacked else a.postfixed("[None]")
    limit = f", rcond={fixed(scope, given['rcond'])}" if "rcond" in given else ""
    text = f"{{batched}}.least_squares({left}, {right}{limit})"
    absent = Item("", 0, stacked=True, absent=True)
    results = (Item("", b.rank, True), absent, Item("", 0, True), Item("", 1, True))
    return Item(text, 0, stacked=True, tight=True, results=results)


def exponential(scope: Scope, node: ast.Call, base: Item | None) -> Item:
    """``expm(a)``."""
    if len(node.args) != 1 or node.keywords:
        raise not_followed(scope, node)
    item = one_array(scope, node.args[0])
    of_rank(scope, node.args[0], item, 2)
    if not item.stacked:
        raise Refused(FORM, node, "the matrix is the same for all items")
    return Item(f"{{batched}}.exponentials({item.text})", 2, stacked=True, tight=True)


def _bare(text: str) -> str:
    """A product as an argument: without the parentheses that an operand needs."""
    return text[1:-1] if text.startswith("(") and text.endswith(")") else text


def product(scope: Scope, node: ast.expr, left: ast.expr, right: ast.expr) -> Item:
    """``left @ right``; `node` is the product as it is written, a call of matmul or dot perhaps."""
    a, b = one_array(scope, left), one_array(scope, right)
    return _product(scope, node, (left, a), (right, b))


def _product(
    scope: Scope, node: ast.expr, left: tuple[ast.expr, Item], right: tuple[ast.expr, Item]
) -> Item:
    a, b = left[1], right[1]
    ranks = (a.rank, b.rank)
    if ranks not in ((2, 2), (2, 1), (1, 2), (1, 1)):
        raise Refused(
            UNKNOWN_SHAPE,
            node,
            f"the product of items of {a.rank} and {b.rank} axes has no stacked form",
        )
    rank = a.rank + b.rank - 2
    stacked = a.stacked or b.stacked
    if ranks == (1, 1) and stacked:
        return _inner(a, b)
    if b.rank == 1 and b.stacked:
        text = f"({operand(a)} @ {b.as_column()})"
        return Item(f"{text}[..., 0]", 1, stacked=True, tight=True, column=text)
    if a.rank == 1 and a.stacked:
        return Item(f"({a.postfixed('[:, None]')} @ {operand(b)})[:, 0]", 1, stacked=True,
                    tight=True)  # fmt: skip
    if isinstance(node, ast.BinOp):
        text = spliced(scope, node, [(left[0], a.text), (right[0], b.text)])
        return Item(text, rank, stacked)
    if not stacked:
        assert isinstance(node, ast.Call)
        parts = [(left[0], a.text), (right[0], b.text)]
        if scope.source.resolve(node.func) is not None:
            parts.append((node.func, scope.source.function(node)))
        return Item(spliced(scope, node, parts), rank, stacked=False, tight=True)
    return Item(f"{operand(a)} @ {operand(b)}", rank, stacked)


def _inner(a: Item, b: Item) -> Item:
    if a.stacked and b.stacked:
        return Item(f'{{cupy}}.einsum("ij,ij->i", {a.text}, {b.text})', 0, stacked=True, tight=True)
    first, second = (a, b) if a.stacked else (b, a)
    return Item(f"{operand(first)} @ {operand(second)}", 0, stacked=True)


def conjugated(scope: Scope, node: ast.Call, base: Item | None) -> Item:
    """``np.vdot(a, b)``, ``np.vecdot(a, b)`` of vectors, the first of them conjugated."""
    if node.keywords or base is not None or len(node.args) != 2:
        raise not_followed(scope, node)
    first, second = (one_array(scope, argument) for argument in node.args)
    of_rank(scope, node.args[0], first, 1)
    of_rank(scope, node.args[1], second, 1)
    if first.stacked or second.stacked:
        return _inner(replace(first, text=f"{{cupy}}.conj({first.text})", tight=True), second)
    parts = [(a, i.text) for a, i in zip(node.args, (first, second), strict=True)]
    function = (node.func, scope.source.function(node))
    return Item(spliced(scope, node, [*parts, function]), 0, stacked=False, tight=True)


def operand(item: Item) -> str:
    return item.postfixed("")


def power(scope: Scope, node: ast.Call, base: Item | None) -> Item:
    """``np.linalg.matrix_power(a, 3)``: the same power of all matrices."""
    given = named(scope, node, ("a", "n"))
    if len(given) != 2:
        raise not_followed(scope, node)
    item = one_array(scope, given["a"])
    of_rank(scope, given["a"], item, 2)
    scope.raises.append(node)
    parts: list[tuple[ast.AST, str]] = [
        (given["a"], item.text),
        (given["n"], fixed(scope, given["n"])),
        (node.func, function_text(scope, node, "numpy.linalg.matrix_power", item.stacked)),
    ]
    return Item(spliced(scope, node, parts), 2, item.stacked, tight=True)


def call_of_product(scope: Scope, node: ast.Call, base: Item | None) -> Item:
    """``np.dot(a, b)``, ``np.matmul(a, b)``, ``a.dot(b)``."""
    if node.keywords or len(node.args) != (2 if base is None else 1):
        raise not_followed(scope, node)
    if base is None:
        return product(scope, node, *node.args)
    assert isinstance(node.func, ast.Attribute)
    argument = node.args[0]
    return _product(scope, node, (node.func.value, base), (argument, one_array(scope, argument)))


def contraction(scope: Scope, node: ast.Call, base: Item | None) -> Item:
    """``np.tensordot(a, b, axes=1)`` of matrices and vectors is their product."""
    given = named(scope, node, ("a", "b", "axes"))
    if not {"a", "b"} <= given.keys():
        raise not_followed(scope, node)
    axes = given.get("axes")
    one = isinstance(axes, ast.Constant) and axes.value == 1
    parts = [(given[name], one_array(scope, given[name])) for name in ("a", "b")]
    ranks = sorted(item.rank for _, item in parts)
    if not one or ranks not in ([1, 2], [2, 2]):  # of two vectors it is an array, not a number
        raise Refused(FORM, node, "a contraction over other axes than the last and the first")
    if not any(item.stacked for _, item in parts):
        raise Refused(FORM, node, "a contraction that is the same for all items")
    return _product(scope, node, *parts)


def outer(scope: Scope, node: ast.Call, base: Item | None) -> Item:
    """The outer product of two vectors."""
    a, b = two(scope, node)
    of_rank(scope, node.args[0], a, 1)
    of_rank(scope, node.args[1], b, 1)
    left = a.postfixed("[:, :, None]" if a.stacked else "[:, None]")
    right = b.postfixed("[:, None]") if b.stacked else operand(b)
    factors = (a.text, b.text) if a.stacked and b.stacked else None
    return Item(f"{left} * {right}", 2, a.stacked or b.stacked, factors=factors)
