"""Functions and operators whose form for a stack differs from that for one item."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from gpuport.batch.knowledge import MatrixFunction, stacking
from gpuport.batch.records import FORM, NO_STACKED_FORM, UNKNOWN_SHAPE, Item, Refused

if TYPE_CHECKING:
    from gpuport.batch.expressions import Scope

_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ,-> ")


def of_matrices(scope: Scope, node: ast.Call, path: str, function: MatrixFunction) -> Item:
    """A function of NumPy's that takes stacks along leading axes."""
    if len(node.args) != len(function.takes):
        raise Refused(FORM, node, f"`{_name(scope, node)}` is called in a way that is not followed")
    items = [_array(scope, argument) for argument in node.args]
    for argument, item, rank in zip(node.args, items, function.takes, strict=True):
        _of_rank(scope, argument, item, rank)
    gives = function.gives
    parts: list[tuple[ast.AST, str]] = [(a, i.text) for a, i in zip(node.args, items, strict=True)]
    for keyword in node.keywords:
        option = _array(scope, keyword.value)
        if keyword.arg not in function.options or option.stacked or option.rank:
            raise Refused(FORM, node, f"`{keyword.arg}=` has no stacked form here")
        parts.append((keyword.value, option.text))
        if keyword.arg in function.results or keyword.arg == "compute_uv":
            gives = _results(keyword, function, gives)
    stacked = any(item.stacked for item in items)
    if function.raises:
        scope.raises.append(node)
    if function.adds:
        text = (
            f"{{cupy}}.{function.target.removeprefix('numpy.')}({items[0].text}, {function.adds})"
        )
    else:
        parts.append((node.func, _function(scope, node, path, stacked)))
        text = _spliced(scope, node, parts)
    if len(gives) == 1:
        return Item(text, gives[0], stacked, tight=True)
    results = tuple(Item("", rank, stacked, tight=True) for rank in gives)
    return Item(text, 0, stacked, tight=True, results=results)


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
    a, b = _two(scope, node)
    _of_rank(scope, node.args[0], a, 2)
    scope.raises.append(node)
    if b.rank not in (1, 2):
        raise Refused(UNKNOWN_SHAPE, node.args[1], "its right side is no vector or matrix")
    if a.stacked == b.stacked and (b.rank == 2 or not b.stacked):
        parts = [(node.args[0], a.text), (node.args[1], b.text)]
        function = _function(scope, node, "numpy.linalg.solve", a.stacked)
        return Item(_spliced(scope, node, [*parts, (node.func, function)]), b.rank, a.stacked,
                    tight=True)  # fmt: skip
    if a.stacked and b.stacked:
        text = f"{{cupy}}.linalg.solve({a.text}, {_bare(b.as_column())})"
        return Item(f"{text}[..., 0]", 1, stacked=True, tight=True, column=text)
    if b.stacked and b.rank == 1:
        return Item(f"{{cupy}}.linalg.solve({a.text}, {b.postfixed('.T')}).T", 1, stacked=True,
                    tight=True)  # fmt: skip
    raise Refused(FORM, node, "one side of the system is the same for all items, the other is not")


def _bare(text: str) -> str:
    """A product as an argument: without the parentheses that an operand needs."""
    return text[1:-1] if text.startswith("(") and text.endswith(")") else text


def product(scope: Scope, node: ast.expr, left: ast.expr, right: ast.expr) -> Item:
    """``left @ right``; `node` is the product as it is written, a call of matmul or dot perhaps."""
    a, b = _array(scope, left), _array(scope, right)
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
        text = f"({_operand(a)} @ {b.as_column()})"
        return Item(f"{text}[..., 0]", 1, stacked=True, tight=True, column=text)
    if a.rank == 1 and a.stacked:
        return Item(f"({a.postfixed('[:, None]')} @ {_operand(b)})[:, 0]", 1, stacked=True,
                    tight=True)  # fmt: skip
    if isinstance(node, ast.BinOp):
        text = _spliced(scope, node, [(left[0], a.text), (right[0], b.text)])
        return Item(text, rank, stacked)
    if not stacked:
        assert isinstance(node, ast.Call)
        parts = [(left[0], a.text), (right[0], b.text)]
        if scope.source.resolve(node.func) is not None:
            parts.append((node.func, scope.source.function(node)))
        return Item(_spliced(scope, node, parts), rank, stacked=False, tight=True)
    return Item(f"{_operand(a)} @ {_operand(b)}", rank, stacked)


def _inner(a: Item, b: Item) -> Item:
    if a.stacked and b.stacked:
        return Item(f'{{cupy}}.einsum("ij,ij->i", {a.text}, {b.text})', 0, stacked=True, tight=True)
    first, second = (a, b) if a.stacked else (b, a)
    return Item(f"{_operand(first)} @ {_operand(second)}", 0, stacked=True)


def _operand(item: Item) -> str:
    return item.postfixed("")


def call_of_product(scope: Scope, node: ast.Call, base: Item | None) -> Item:
    """``np.dot(a, b)``, ``np.matmul(a, b)``, ``a.dot(b)``."""
    if node.keywords or len(node.args) != (2 if base is None else 1):
        raise Refused(FORM, node, f"`{_name(scope, node)}` is called in a way that is not followed")
    if base is None:
        return product(scope, node, *node.args)
    assert isinstance(node.func, ast.Attribute)
    argument = node.args[0]
    return _product(scope, node, (node.func.value, base), (argument, _array(scope, argument)))


def norm(scope: Scope, node: ast.Call, base: Item | None) -> Item:
    """``norm(x)``: over the axes of the item."""
    names = ("x", "ord", "axis", "keepdims")
    given = _given(scope, node, names)
    item = _array(scope, given["x"])
    order = given.get("ord")
    orders = "" if order is None or _is_none(order) else f", {_fixed(scope, order)}"
    keeps = _flag(scope, given.get("keepdims"))
    axis = given.get("axis")
    if axis is None or _is_none(axis):
        if item.rank not in (1, 2):
            raise Refused(UNKNOWN_SHAPE, node, "the norm of an item that is no vector or matrix")
        where, left = ("1" if item.rank == 1 else "(1, 2)"), 0
    else:
        where, left = _shifted(scope, axis, item.rank)
    if not item.stacked:
        return _unstacked(scope, node, given["x"], item, item.rank if keeps else left)
    tail = ", keepdims=True" if keeps else ""
    text = f"{{cupy}}.linalg.norm({item.text}{orders}, axis={where}{tail})"
    return Item(text, item.rank if keeps else left, stacked=True, tight=True)


def reduced(
    scope: Scope, node: ast.Call, name: str, item: Item, args: Sequence[ast.expr], path: str | None
) -> Item:
    """``x.sum(axis=0)``: the axes of the item are those behind the first of the stack."""
    given = {"axis": args[0]} if args else {}
    if len(args) > 1:
        raise Refused(FORM, node, f"`{name}` is called in a way that is not followed")
    given |= {k.arg: k.value for k in node.keywords if k.arg}
    if set(given) - {"axis", "keepdims", "ddof"}:
        raise Refused(FORM, node, f"`{name}` is called with options that have no stacked form here")
    if item.rank == 0:
        raise Refused(UNKNOWN_SHAPE, node, f"`{name}` of a number")
    keeps = _flag(scope, given.get("keepdims"))
    axis = given.get("axis")
    kept = name in ("cumsum", "cumprod", "sort", "argsort")
    if axis is None or _is_none(axis):
        if item.rank > 1 and name in stacking().along:
            raise Refused(FORM, node, f"`{name}` without an axis flattens the item")
        axes = range(1, item.rank + 1)
        where, left = ("1" if item.rank == 1 else f"({', '.join(map(str, axes))})"), 0
    else:
        where, left = _shifted(scope, axis, item.rank)
    rank = item.rank if keeps or kept else left
    if not item.stacked:
        inner = node.args[0] if path is not None else None
        assert isinstance(node.func, ast.Attribute) or inner is not None
        return _unstacked(scope, node, inner or node.func.value, item, rank)  # type: ignore[attr-defined]
    options = "".join(
        f", {key}={_fixed(scope, value)}" for key, value in given.items() if key != "axis"
    )
    if path is None:
        text = item.postfixed(f".{name}(axis={where}{options})")
    else:
        text = f"{{cupy}}.{name}({item.text}, axis={where}{options})"
    return Item(text, rank, stacked=True, tight=True)


def transpose(scope: Scope, node: ast.Call, base: Item | None) -> Item:
    """``x.transpose()``, ``np.transpose(x)``, with the axes in order where they are given."""
    args = list(node.args)
    if node.keywords:
        raise Refused(FORM, node, f"`{_name(scope, node)}` is called in a way that is not followed")
    item = base if base is not None else _array(scope, args.pop(0))
    if not args:
        return transposed(node, item, "T")
    axes = [_number(a) for a in (args[0].elts if isinstance(args[0], ast.Tuple) else args)]
    if sorted(axes) != list(range(item.rank)):
        raise Refused(FORM, node, "its axes are not followed")
    order = [0, *(a + 1 for a in axes)] if item.stacked else axes
    text = item.postfixed(f".transpose({', '.join(map(str, order))})")
    return replace(item, text=text, tight=True)


def transposed(node: ast.expr, item: Item, attribute: str) -> Item:
    """``x.T``."""
    if item.rank < 2 and attribute == "T":
        return item
    if not item.stacked:
        return replace(item, text=item.postfixed(f".{attribute}"), tight=True)
    if item.rank != 2:
        raise Refused(UNKNOWN_SHAPE, node, "the transpose of an item that is no matrix")
    return replace(item, text=item.postfixed(".swapaxes(-1, -2)"), tight=True)


def swapaxes(scope: Scope, node: ast.Call, base: Item | None) -> Item:
    """``x.swapaxes(i, j)``."""
    args = list(node.args)
    item = base if base is not None else _array(scope, args.pop(0))
    if len(args) != 2 or node.keywords:
        raise Refused(FORM, node, f"`{_name(scope, node)}` is called in a way that is not followed")
    axes = [_number(a) for a in args]
    if item.stacked:
        axes = [a + 1 if a >= 0 else a for a in axes]
    return replace(item, text=item.postfixed(f".swapaxes({axes[0]}, {axes[1]})"), tight=True)


def diagonal(scope: Scope, node: ast.Call, base: Item | None) -> Item:
    """The diagonal of a matrix."""
    item = _matrix(scope, node, base)
    return Item(f"{{cupy}}.diagonal({item.text}, axis1=-2, axis2=-1)", 1, item.stacked, tight=True,
                views=item.views)  # fmt: skip


def trace(scope: Scope, node: ast.Call, base: Item | None) -> Item:
    """The trace of a matrix."""
    item = _matrix(scope, node, base)
    return Item(f"{{cupy}}.trace({item.text}, axis1=-2, axis2=-1)", 0, item.stacked, tight=True)


def _matrix(scope: Scope, node: ast.Call, base: Item | None) -> Item:
    args = list(node.args)
    item = base if base is not None else _array(scope, args.pop(0))
    if args or node.keywords:
        raise Refused(FORM, node, f"`{_name(scope, node)}` is called in a way that is not followed")
    _of_rank(scope, node, item, 2)
    return item


def diagonal_matrix(scope: Scope, node: ast.Call, base: Item | None) -> Item:
    """``np.diag``: of a vector the matrix, of a matrix the diagonal."""
    if len(node.args) != 1 or node.keywords:
        raise Refused(FORM, node, f"`{_name(scope, node)}` is called in a way that is not followed")
    item = _array(scope, node.args[0])
    if item.rank not in (1, 2):
        raise Refused(UNKNOWN_SHAPE, node, "`diag` of an item that is no vector or matrix")
    if not item.stacked:
        return _unstacked(scope, node, node.args[0], item, 3 - item.rank)
    if item.rank == 2:
        return diagonal(scope, node, item if not node.args else None)
    return Item(f"{{batched}}.diag({item.text})", 2, stacked=True, tight=True)


def outer(scope: Scope, node: ast.Call, base: Item | None) -> Item:
    """The outer product of two vectors."""
    a, b = _two(scope, node)
    _of_rank(scope, node.args[0], a, 1)
    _of_rank(scope, node.args[1], b, 1)
    left = a.postfixed("[:, :, None]" if a.stacked else "[:, None]")
    right = b.postfixed("[:, None]") if b.stacked else _operand(b)
    return Item(f"{left} * {right}", 2, a.stacked or b.stacked)


def einsum(scope: Scope, node: ast.Call, base: Item | None) -> Item:
    """``einsum`` with letters for the axes of the item: an ellipsis stands for the stack's."""
    first = node.args[0] if node.args else node
    text = first.value if isinstance(first, ast.Constant) else None
    if not isinstance(text, str) or node.keywords or set(text) - _LETTERS or "->" not in text:
        raise Refused(FORM, node, "`einsum` without literal subscripts and `->` is not followed")
    inputs, _, output = text.replace(" ", "").partition("->")
    items = [_array(scope, a) for a in node.args[1:]]
    terms = inputs.split(",")
    if len(terms) != len(items):
        raise Refused(FORM, node, "`einsum` with as many terms as operands")
    for argument, item, term in zip(node.args[1:], items, terms, strict=True):
        _of_rank(scope, argument, item, len(term))
    stacked = any(item.stacked for item in items)
    if stacked:
        terms = [f"...{t}" if i.stacked else t for t, i in zip(terms, items, strict=True)]
        quote = scope.source.segment(first)[0]
        quote = quote if quote in "'\"" else '"'
        letters = f"{quote}{','.join(terms)}->...{output}{quote}"
        inner = ", ".join([letters, *(i.text for i in items)])
        return Item(f"{{cupy}}.einsum({inner})", len(output), stacked=True, tight=True)
    parts: list[tuple[ast.AST, str]] = [
        (a, i.text) for a, i in zip(node.args[1:], items, strict=True)
    ]
    parts.append((node.func, scope.source.function(node)))
    return Item(_spliced(scope, node, parts), len(output), stacked=False, tight=True)


def identity(scope: Scope, node: ast.Call, base: Item | None) -> Item:
    """``np.eye(n)``: one matrix for all items."""
    parts: list[tuple[ast.AST, str]] = [(node.func, scope.source.function(node))]
    for value in (*node.args, *(k.value for k in node.keywords)):
        parts.append((value, _fixed(scope, value)))
    return Item(_spliced(scope, node, parts), 2, stacked=False, tight=True)


# ---------------------------------------------------------------------- arguments


def _array(scope: Scope, node: ast.expr) -> Item:
    from gpuport.batch.expressions import array, translate

    return array(scope, node, translate(scope, node))


def _spliced(scope: Scope, node: ast.AST, parts: Sequence[tuple[ast.AST, str]]) -> str:
    from gpuport.batch.expressions import spliced

    return spliced(scope, node, parts)


def _function(scope: Scope, node: ast.Call, path: str, stacked: bool) -> str:
    from gpuport.batch.expressions import function_text

    return function_text(scope, node, path, stacked)


def _unstacked(scope: Scope, node: ast.Call, inner: ast.expr, item: Item, rank: int) -> Item:
    """A call that is the same for all items."""
    parts: list[tuple[ast.AST, str]] = [(inner, item.text)]
    if scope.source.resolve(node.func) is not None:
        parts.append((node.func, scope.source.function(node)))
    return Item(_spliced(scope, node, parts), rank, stacked=False, tight=True)


def _name(scope: Scope, node: ast.Call) -> str:
    return scope.source.segment(node.func)


def _two(scope: Scope, node: ast.Call) -> tuple[Item, Item]:
    if len(node.args) != 2 or node.keywords:
        raise Refused(FORM, node, f"`{_name(scope, node)}` is called in a way that is not followed")
    return _array(scope, node.args[0]), _array(scope, node.args[1])


def _of_rank(scope: Scope, node: ast.AST, item: Item, rank: int) -> None:
    if item.rank != rank:
        raise Refused(
            UNKNOWN_SHAPE, node, f"an item with {item.rank} axes where one with {rank} is meant"
        )


def _given(scope: Scope, node: ast.Call, names: Sequence[str]) -> dict[str, ast.expr]:
    given = dict(zip(names, node.args, strict=False))
    given |= {k.arg: k.value for k in node.keywords if k.arg is not None and k.arg in names}
    if len(node.args) > len(names) or any(k.arg not in names for k in node.keywords):
        raise Refused(
            NO_STACKED_FORM, node, f"`{_name(scope, node)}` is called in a way that is not followed"
        )
    return given


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _fixed(scope: Scope, node: ast.expr) -> str:
    item = _array(scope, node)
    if item.stacked or item.rank:
        raise Refused(FORM, node, f"`{scope.source.segment(node)}` differs from item to item")
    return item.text


def _flag(scope: Scope, node: ast.expr | None) -> bool:
    if node is None:
        return False
    if not isinstance(node, ast.Constant) or not isinstance(node.value, bool):
        raise Refused(FORM, node, f"what it gives depends on `{scope.source.segment(node)}`")
    return node.value


def _number(node: ast.expr) -> int:
    try:
        value = ast.literal_eval(node)
    except ValueError:
        value = None
    if type(value) is not int:
        raise Refused(FORM, node, "an axis that is not written as a number")
    return value


def _shifted(scope: Scope, node: ast.expr, rank: int) -> tuple[str, int]:
    """An axis of the item as one of the stack; and how many axes are left without it."""
    several = isinstance(node, ast.Tuple)
    axes = [_number(a) for a in (node.elts if isinstance(node, ast.Tuple) else [node])]
    if not axes or any(not -rank <= a < rank for a in axes):
        raise Refused(UNKNOWN_SHAPE, node, f"the item has no axis `{scope.source.segment(node)}`")
    moved = [str(a + 1 if a >= 0 else a) for a in axes]
    return (f"({', '.join(moved)})" if several else moved[0]), rank - len(axes)


FORMS: dict[str, Callable[[Scope, ast.Call, Item | None], Item]] = {
    "solve": solve,
    "product": call_of_product,
    "norm": norm,
    "transpose": transpose,
    "swapaxes": swapaxes,
    "diagonal": diagonal,
    "trace": trace,
    "diagonal_matrix": diagonal_matrix,
    "outer": outer,
    "einsum": einsum,
    "identity": identity,
}
