"""What is collected of all items: a stack, columns of several, numbers of Python's."""

from __future__ import annotations

import ast

from gpuport.batch.expressions import translate
from gpuport.batch.records import FORM, UNKNOWN_SHAPE, Refused
from gpuport.batch.scope import Scope, names_in


def to_host(text: str, moved: bool) -> str:
    """The text of a stack that is brought to the host as a whole."""
    return f"{{cupy}}.asnumpy({text})" if moved else text


def collected(
    scope: Scope,
    node: ast.expr,
    moved: frozenset[int] = frozenset(),
    taken_apart: bool = False,
) -> str:
    """The text of something that holds one value for each item, in their order.

    Parameters
    ----------
    scope : Scope
    node : ast.expr
        The value of one item, or a tuple of several.
    moved : frozenset of int
        Ids of expressions that are brought to the host.
    taken_apart : bool
        Whether several results of an item may be any tuple.
    """
    if isinstance(node, ast.Tuple) and node.elts:
        texts = columns(scope, node, moved)
        comma = "," if len(texts) == 1 else ""
        return f"({', '.join(texts)}{comma})" if scope.grouped else f"zip({', '.join(texts)})"
    plain = gives_tuple(scope, node)
    if id(node) not in moved and (plain or _gives_stacks(scope, node)):
        text = translate(scope, node).text
        if scope.grouped:
            return text
        return f"zip(*{text})" if plain or taken_apart else f"{{batched}}.items({text})"
    return column(scope, node, moved)


def columns(scope: Scope, node: ast.Tuple, moved: frozenset[int]) -> list[str]:
    """The texts of what is collected in tuples."""
    return [column(scope, element, moved) for element in node.elts]


def _number_of_item(scope: Scope, node: ast.expr) -> bool:
    """Whether this is the number that the loop counts: whole arrays have all of them in order."""
    return (
        isinstance(node, ast.Name)
        and node.id == scope.index
        and node.id not in scope.bound
        and not scope.grouped
    )


def _gives_stacks(scope: Scope, node: ast.expr) -> bool:
    """Whether a value is several arrays for each item: ``eigh(m)``, or a name of that."""
    counts = isinstance(node, ast.Name) and node.id == scope.index
    if counts or converter(scope, node) or not isinstance(node, ast.Call | ast.Name):
        return False
    results = translate(scope, node).results
    return bool(results) and all(one.stacked and not one.absent for one in results)


def column(scope: Scope, node: ast.expr, moved: frozenset[int]) -> str:
    if isinstance(node, ast.Name) and node.id == scope.index and scope.grouped:
        said = f"the number `{node.id}` of the item is collected with its value"
        raise Refused(FORM, node, f"{said}: collect the values, and enumerate them after that")
    if _number_of_item(scope, node) and (names := list(scope.guard.stacks)):
        if scope.where:
            raise Refused(FORM, node, "the place of an item is collected, a number of NumPy's")
        if scope.window is not None and scope.window.later:
            counts = scope.window.counts
            if scope.chosen or not scope.later.isdisjoint(names_in(counts)):
                raise Refused(FORM, node, "the number of an item is collected, of which the first "
                              f"is {scope.window.start or scope.window.first}")  # fmt: skip
            return f"range({counts})"
        if scope.chosen:
            return f"{scope.chosen}.tolist()"
        along = scope.guard.along.get(names[0], 0)
        return f"range({names[0]}.shape[{along}])" if along else f"range(len({names[0]}))"
    converts = converter(scope, node)
    inner = node.args[0] if converts and isinstance(node, ast.Call) else node
    item = translate(scope, inner)
    if not item.stacked:
        raise Refused(FORM, node, "a value that is the same for all items is collected")
    if item.results:
        raise Refused(FORM, node, "several results are collected as one")
    if item.mixed and not converts:
        raise Refused(FORM, node, "what is collected may be one of Python's numbers")
    if not converts:
        return to_host(item.text, id(node) in moved)
    if item.rank:
        raise Refused(UNKNOWN_SHAPE, node, f"`{converts}` of an item with {item.rank} axes")
    text = f"map({converts}, {to_host(item.text, moved=True)})"
    return f"list({text})" if scope.grouped else text


def converter(scope: Scope, node: ast.expr) -> str:
    """``float`` of ``float(x)``: one of Python's numbers for each item."""
    if not isinstance(node, ast.Call) or len(node.args) != 1 or node.keywords:
        return ""
    path = scope.source.resolve(node.func) or ""
    return path.removeprefix("builtins.") if path in _CONVERTERS else ""


_CONVERTERS = frozenset(f"builtins.{name}" for name in ("float", "int", "bool", "complex"))


def gives_tuple(scope: Scope, node: ast.expr) -> bool:
    """Whether a value is what a function of the module gives, a plain tuple of several."""
    function = scope.source.definition(node) if isinstance(node, ast.Call) else None
    last = None if function is None else function.body[-1]
    several = last.value if isinstance(last, ast.Return) else None
    return isinstance(several, ast.Tuple) and len(several.elts) > 0


def is_array(scope: Scope, node: ast.expr) -> bool:
    """Whether what is collected of all items is one array."""
    if isinstance(node, ast.Tuple) or gives_tuple(scope, node) or converter(scope, node):
        return False
    return not _gives_stacks(scope, node)
