"""Loops that are one call for each item: the runtime has a call for all of them."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from gpuport.parallel.items.records import Comprehension, Helped, Loop, Source, element
from gpuport.parallel.items.stores import appended
from gpuport.rules.stacking import stacking
from gpuport.source.carried import own_names
from gpuport.source.syntax import walk

_SIZES = frozenset(("shape", "ndim", "size"))
_PLAIN = (ast.Compare, ast.BoolOp, ast.UnaryOp, ast.BinOp, ast.Constant, ast.Tuple)

Kinds = Mapping[str, str]
"""Names that are arrays, lists or dicts of arrays."""


def helped(source: Source, node: Loop, kinds: Kinds) -> Helped | None:
    """``[np.linalg.svd(m) for m in matrices]`` as ``batched.svd(matrices)``.

    The runtime looks at each item, so that nothing has to be known of them here.

    Returns
    -------
    Helped or None
        None where the loop is something else.
    """
    text: str | None = None
    if isinstance(node, ast.Call):
        text = _mapped(source, node, kinds)
    elif isinstance(node, ast.For):
        found = call_of_each(node)
        value = None if found is None or node.orelse else _call(source, found, node, kinds)
        name = _filled(node)
        if value is not None and kinds.get(name) == "list":
            text = f"{name}.extend({value})"
    elif isinstance(node, (ast.ListComp, ast.GeneratorExp, ast.DictComp)):
        text = _of_comprehension(source, node, kinds)
    return None if text is None else Helped(node, text)


def call_of_each(node: Loop) -> ast.Call | None:
    """The call that a loop makes of each item, where it does nothing else."""
    value: ast.expr | None = None
    if isinstance(node, ast.For) and len(node.body) == 1:
        found = appended(node.body[0])
        value = None if found is None else found[1]
    elif isinstance(node, (ast.ListComp, ast.GeneratorExp, ast.DictComp)):
        value = element(node)
    return value if isinstance(value, ast.Call) else None


def _filled(node: ast.For) -> str:
    found = appended(node.body[0])
    return found[0].id if found is not None and isinstance(found[0], ast.Name) else ""


def _of_comprehension(source: Source, node: Comprehension, kinds: Kinds) -> str | None:
    call = call_of_each(node)
    if call is None or len(node.generators) != 1 or node.generators[0].is_async:
        return None
    (generator,) = node.generators
    if isinstance(node, ast.DictComp) and (generator.ifs or not _is_numbered(source, node)):
        return None
    names = {n.id for n in walk(generator.target) if isinstance(n, ast.Name)}
    if not all(_of_sizes(one, names) for one in generator.ifs):
        return None
    text = _call(source, call, generator, kinds)
    return f"dict(enumerate({text}))" if text and isinstance(node, ast.DictComp) else text


def _is_numbered(source: Source, node: ast.DictComp) -> bool:
    """``{i: ... for i, m in enumerate(ms)}``."""
    (generator,) = node.generators
    pair = generator.target.elts if isinstance(generator.target, ast.Tuple) else []
    over = generator.iter.func if isinstance(generator.iter, ast.Call) else None
    numbered = over is not None and source.resolve(over) == "builtins.enumerate"
    named = [one.id for one in (*pair[:1], node.key) if isinstance(one, ast.Name)]
    return numbered and len(pair) == 2 and len(named) == 2 and named[0] == named[1]


def _values_of(node: ast.expr, kinds: Kinds) -> str:
    """``d.values()`` of that, or of ``d.items()``, where `d` is a dict of arrays."""
    function = (
        node.func if isinstance(node, ast.Call) and not (node.args or node.keywords) else None
    )
    if not isinstance(function, ast.Attribute) or function.attr not in ("items", "values"):
        return ""
    owner = function.value
    named = isinstance(owner, ast.Name) and kinds.get(owner.id) == "dict"
    return f"{ast.unparse(owner)}.values()" if named else ""


def _of_sizes(node: ast.AST, items: set[str]) -> bool:
    """Whether a condition asks for no more than the sizes of items."""
    if isinstance(node, ast.Name):
        return node.id not in items
    if isinstance(node, ast.Attribute):
        return node.attr in _SIZES and isinstance(node.value, ast.Name)
    if isinstance(node, ast.Subscript):
        return _of_sizes(node.value, items) and _of_sizes(node.slice, items)
    if isinstance(node, ast.Call):
        length = isinstance(node.func, ast.Name) and node.func.id == "len" and not node.keywords
        return length and all(isinstance(a, ast.Name) or _of_sizes(a, items) for a in node.args)
    parts = [one for one in ast.iter_child_nodes(node) if isinstance(one, ast.expr)]
    return isinstance(node, _PLAIN) and all(_of_sizes(one, items) for one in parts)


def _mapped(source: Source, node: ast.Call, kinds: Kinds) -> str | None:
    """``map(np.linalg.inv, matrices)``, ``map(np.linalg.solve, matrices, rights)``."""
    path = source.resolve(node.args[0]) or "" if node.args and not node.keywords else ""
    lists = [one.id for one in node.args[1:] if isinstance(one, ast.Name)]
    if path not in stacking().helpers or len(lists) != len(node.args) - 1:
        return None
    if len(lists) != _lists_of(path) or any(kinds.get(n) not in ("array", "list") for n in lists):
        return None
    return f"{{batched}}.{path.rpartition('.')[2]}({', '.join(lists)})"


def _lists_of(path: str) -> int:
    """How many lists the runtime's function takes."""
    if path in stacking().hosted:
        return 1
    function = stacking().matrices.get(path)
    return 2 if stacking().forms.get(path) == "solve" else len(function.takes) if function else 0


def _call(
    source: Source, value: ast.Call, loop: ast.For | ast.comprehension, kinds: Kinds
) -> str | None:
    path = _meaning(source.resolve(value.func) or "", value)
    count = _lists_of(path)
    if path not in stacking().helpers.union(stacking().hosted) or len(value.args) != count:
        return None
    sources = dict(_in_step(source, loop.target, loop.iter, kinds))
    if isinstance(loop, ast.comprehension) and loop.ifs:
        if len(sources) != 1 or not isinstance(loop.target, ast.Name):
            return None
        conditions = "".join(f" if {source.segment(one)}" for one in loop.ifs)
        over = f"for {loop.target.id} in {source.segment(loop.iter)}{conditions}"
        sources = {loop.target.id: f"[{loop.target.id} {over}]"}
    lists = [sources.get(a.id) if isinstance(a, ast.Name) else None for a in value.args]
    names = {n.id for n in walk(loop.target) if isinstance(n, ast.Name)}
    options = [keyword.value for keyword in value.keywords]
    simple = all(isinstance(one, (ast.Constant, ast.Name)) for one in options)
    differs = any(name.id in names for one in options for name in own_names(one))
    if len(sources) != count or None in lists or differs or not simple:
        return None
    texts = [f"{k.arg}={source.segment(k.value)}" for k in value.keywords]
    return f"{{batched}}.{path.rpartition('.')[2]}({', '.join([*map(str, lists), *texts])})"


def _meaning(path: str, value: ast.Call) -> str:
    """NumPy's function that one of SciPy's is for matrices, called without options."""
    function = stacking().matrices.get(path)
    plain = function is not None and not (value.keywords or function.adds or function.needs)
    return function.target if function is not None and plain else path


def _in_step(
    source: Source, target: ast.expr, iterable: ast.expr, kinds: Kinds
) -> Iterator[tuple[str, str]]:
    """The loop's variables with the list or array that each goes over."""
    if isinstance(iterable, ast.Call) and len(iterable.args) == 1 and not iterable.keywords:
        numbered = source.resolve(iterable.func) == "builtins.enumerate"
        pair = target.elts if isinstance(target, ast.Tuple) and numbered else []
        if len(pair) == 2 and isinstance(iterable.args[0], ast.Name):
            target, iterable = pair[1], iterable.args[0]
    values = _values_of(iterable, kinds)
    if values and isinstance(target, ast.Tuple) and len(target.elts) == 2:
        target = target.elts[1]  # of `d.items()`
    if isinstance(target, ast.Name):
        over = values or _list_of(source, iterable, kinds)
        if over:
            yield target.id, over
    elif isinstance(target, ast.Tuple) and isinstance(iterable, ast.Call):
        zipped = source.resolve(iterable.func) == "builtins.zip" and not iterable.keywords
        if zipped and len(target.elts) == len(iterable.args):
            yield from _together(source, target.elts, iterable.args, kinds)


def _together(
    source: Source, targets: Sequence[ast.expr], lists: Sequence[ast.expr], kinds: Kinds
) -> Iterator[tuple[str, str]]:
    """The lists of a ``zip``: it ends with the shortest, whatever that is."""
    pairs = list(zip(targets, lists, strict=True))
    if all(isinstance(one, ast.Name) and isinstance(over, ast.Name) for one, over in pairs):
        found = [list(_in_step(source, one, over, kinds)) for one, over in pairs]
        if all(found):
            yield from (pair for each in found for pair in each)


def _list_of(source: Source, node: ast.expr, kinds: Kinds) -> str:
    """The text of `mats`, ``mats[1:]`` and ``reversed(mats)``; none of other expressions."""
    if isinstance(node, ast.Name):
        return node.id if kinds.get(node.id) in ("array", "list") else ""
    turned = isinstance(node, ast.Call) and source.resolve(node.func) == "builtins.reversed"
    owner = node.args[0] if turned and len(node.args) == 1 else None  # type: ignore[attr-defined]
    if owner is None and isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
        owner = node.value
    kind = kinds.get(owner.id) if isinstance(owner, ast.Name) else None
    if kind not in ("array", "list"):
        return ""
    if not turned:
        return source.segment(node)
    name = source.segment(owner) if owner is not None else ""
    return f"{name}[::-1]" if kind == "array" else f"list(reversed({name}))"


__all__ = ["call_of_each", "helped"]
