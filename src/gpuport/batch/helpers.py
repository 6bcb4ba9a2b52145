"""Loops that are one call for each item: the runtime has a call for all of them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from gpuport.batch.arguments import spliced
from gpuport.batch.collecting import appended
from gpuport.batch.expressions import translate
from gpuport.batch.filters import ask_for_sizes_only, filtered
from gpuport.batch.guesses import is_stretch
from gpuport.batch.headers import keyed, values_of, with_keys
from gpuport.batch.records import (
    FORM,
    Batch,
    Comprehension,
    Known,
    Loop,
    RankNeeded,
    Refused,
    element,
)
from gpuport.batch.scope import Scope, backwards
from gpuport.rules.stacking import stacking


def helper(node: Loop, scope: Scope) -> Batch | None:
    """``[np.linalg.svd(m) for m in matrices]`` as ``batched.svd(matrices)``.

    The runtime looks at each item, so that nothing has to be known of them here.

    Returns
    -------
    Batch or None
        None where the loop is something else.
    """
    if isinstance(node, ast.Call):
        text = _mapped(scope, node)
        return None if text is None else Batch(node, scope.guard, (text,), helper=True)
    if isinstance(node, ast.While):
        return None
    if not isinstance(node, ast.For):
        generators = node.generators
        if len(generators) != 1 or generators[0].is_async:
            return None
        target, iterable = generators[0].target, generators[0].iter
        if generators[0].ifs and not _choosable(node, generators[0]):
            return None
        key = keyed(scope, target, iterable)
        if key is not None and isinstance(target, ast.Tuple):
            # A dict of another class, on the host, may have items of its own making.
            if key[1] or not isinstance(node, ast.DictComp):
                return None
            target, iterable = target.elts[1], iterable.args[0]  # type: ignore[attr-defined]
        elif isinstance(node, ast.DictComp):
            return None
        chosen = filtered(scope, node, target.id) if generators[0].ifs else ""  # type: ignore[attr-defined]
        text = _call(scope, element(node), target, iterable, chosen)
        if isinstance(node, ast.DictComp) and text is not None:
            text = with_keys(node, key, text)
        return None if text is None else Batch(node, scope.guard, (text,), helper=True)
    appended = _appended(node)
    if appended is None:
        return None
    name, value = appended
    known = scope.known.get(name, Known())
    text = _call(scope, value, node.target, node.iter)
    if text is None or known.kind != "list" or known.argument:
        return None
    return Batch(node, scope.guard, (f"{name}.extend({text})",), helper=True)


def hosted_call(node: Loop, resolve: Callable[[ast.expr], str | None]) -> ast.Call | None:
    """The call for each item of a loop that is nothing else, by a function of the host."""
    value: ast.expr | None = None
    if isinstance(node, ast.For):
        found = _appended(node)
        value = found[1] if found is not None else None
    elif isinstance(node, (ast.ListComp, ast.GeneratorExp, ast.DictComp)):
        value = element(node)
    if not isinstance(value, ast.Call) or resolve(value.func) not in stacking().hosted:
        return None
    return value


def _mapped(scope: Scope, node: ast.Call) -> str | None:
    """``map(np.linalg.inv, matrices)``, ``map(np.linalg.solve, matrices, rights)``."""
    if node.keywords or not scope.source.on_device(node):
        return None
    path = scope.source.resolve(node.args[0]) or ""
    lists = [one.id for one in node.args[1:] if isinstance(one, ast.Name)]
    if path not in stacking().helpers or len(lists) != len(node.args) - 1:
        return None
    if len(lists) != _lists_of(path):
        return None
    if any(scope.known.get(one, Known()).kind not in ("array", "list") for one in lists):
        return None
    return f"{{batched}}.{path.rpartition('.')[2]}({', '.join(lists)})"


def _lists_of(path: str) -> int:
    """How many lists the runtime's function takes."""
    if path in stacking().hosted:
        return 1
    function = stacking().matrices.get(path)
    return 2 if stacking().forms.get(path) == "solve" else len(function.takes) if function else 0


def _appended(node: ast.For) -> tuple[str, ast.expr] | None:
    """The list and the value of a loop that does nothing but append to it."""
    statement = node.body[0]
    if len(node.body) != 1 or node.orelse:
        return None
    return appended(statement)


def _choosable(node: Comprehension, generator: ast.comprehension) -> bool:
    """Whether a condition asks for no more than the sizes of the items of one list."""
    if isinstance(node, ast.DictComp) or not isinstance(generator.target, ast.Name):
        return False
    try:
        ask_for_sizes_only(generator.ifs, {generator.target.id})
    except Refused:
        return False
    return True


def _call(
    scope: Scope, value: ast.expr, target: ast.expr, iterable: ast.expr, chosen: str = ""
) -> str | None:
    if not isinstance(value, ast.Call):
        return None
    path = _meaning(scope.source.resolve(value.func) or "", value)
    count = _lists_of(path)
    if path not in stacking().helpers.union(stacking().hosted) or len(value.args) != count:
        return None
    if not scope.source.on_device(value):
        return None
    sources = dict(_in_step(scope, target, iterable))
    if chosen:
        sources = dict.fromkeys(sources, chosen)
    lists = [sources.get(a.id) if isinstance(a, ast.Name) else None for a in value.args]
    if len(sources) != count or None in lists:
        return None
    try:
        options = [_option(scope, keyword, set(sources)) for keyword in value.keywords]
    except (Refused, RankNeeded):
        return None
    inner = ", ".join([*(one for one in lists if one), *options])
    return f"{{batched}}.{path.rpartition('.')[2]}({inner})"


def _meaning(path: str, value: ast.Call) -> str:
    """NumPy's function that one of SciPy's is for matrices, called without options."""
    function = stacking().matrices.get(path)
    plain = function is not None and not (value.keywords or function.adds or function.needs)
    return function.target if function is not None and plain else path


def _in_step(scope: Scope, target: ast.expr, iterable: ast.expr) -> Iterator[tuple[str, str]]:
    """The loop's variables with the list or array that each goes over."""
    values = values_of(scope, iterable)
    if isinstance(target, ast.Name) and values is not None:
        yield target.id, values
    elif isinstance(target, ast.Name) and isinstance(iterable, ast.Name):
        if scope.known.get(iterable.id, Known()).kind in ("array", "list"):
            yield target.id, iterable.id
    elif isinstance(target, ast.Name) and (part := _part_of_list(scope, iterable)):
        yield target.id, part
    elif isinstance(target, ast.Tuple) and isinstance(iterable, ast.Call):
        zipped = scope.source.resolve(iterable.func) == "builtins.zip" and not iterable.keywords
        if zipped and len(target.elts) == len(iterable.args):
            each = [
                list(_in_step(scope, one, over)) if isinstance(over, ast.Name) else []
                for one, over in zip(target.elts, iterable.args, strict=True)
            ]
            if all(each):  # it ends with the shortest, whatever that is
                yield from (found for one in each for found in one)


def _part_of_list(scope: Scope, node: ast.expr) -> str:
    """The text of ``mats[1:]``, and of ``reversed(mats)``; none of other expressions."""
    turned = (
        isinstance(node, ast.Call)
        and len(node.args) == 1
        and scope.source.resolve(node.func) == "builtins.reversed"
    )
    owner = node.args[0] if turned else node.value if is_stretch(node) else None  # type: ignore
    if not isinstance(owner, ast.Name):
        return ""
    kind = scope.known.get(owner.id, Known()).kind
    if kind not in ("array", "list"):
        return ""
    return backwards(owner.id, kind) if turned else ast.unparse(node)


def _option(scope: Scope, keyword: ast.keyword, items: set[str]) -> str:
    if any(isinstance(n, ast.Name) and n.id in items for n in ast.walk(keyword.value)):
        raise Refused(FORM, keyword.value, "an option differs from item to item")
    fixed = translate(scope, keyword.value)
    return spliced(scope, keyword, [(keyword.value, fixed.text)])
