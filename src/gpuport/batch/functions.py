"""Small functions of the module that loops call for each item, as functions of a stack.

The body is vectorised over the new first axis, as that of a loop is, and becomes a function beside
the one that it was made of.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace

from gpuport.batch.arguments import one_array, spliced
from gpuport.batch.body import Body, bound_by
from gpuport.batch.changes import of_others, stored_in
from gpuport.batch.expressions import translate
from gpuport.batch.moments import several
from gpuport.batch.records import FORM, Guard, Item, Known, RankNeeded, Refused, Twin
from gpuport.batch.scope import Scope
from gpuport.source.syntax import walk


def is_straight(function: ast.AST) -> bool:
    """Whether a function is assignments, under conditions or in loops too, and a result."""
    if not isinstance(function, ast.FunctionDef) or function.decorator_list:
        return False
    if function.col_offset:  # what is made of it could not stand behind it
        return False
    *body, last = _statements(function) or [ast.Pass()]
    args = function.args
    return (
        isinstance(last, ast.Return)
        and last.value is not None
        and all(map(_is_plain, body))
        and args.vararg is None
        and args.kwarg is None
    )


def _is_plain(node: ast.stmt) -> bool:
    """Whether a statement assigns, or is a condition or loop around such statements."""
    if isinstance(node, (ast.If, ast.For)):
        return all(map(_is_plain, (*node.body, *node.orelse)))
    return isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Continue))


def called(scope: Scope, node: ast.Call, function: ast.FunctionDef) -> Item:
    """A call of a function of the module, for all items at once.

    Raises
    ------
    Refused
        Where the body has no form for a stack.
    """
    if not is_straight(function) or id(function) in scope.inside:
        raise Refused(FORM, node, f"`{function.name}` is more than assignments and a result")
    given = dict(_arguments(scope, node, function))
    once = not any(one.item.stacked for one in given.values() if one.passed)
    own = _own_scope(scope, function, given)
    try:
        lines, results, single = _body(own, function, once)
    except RankNeeded as needed:
        message = f"`{function.name}` reads `{needed.name}`, of which nothing is known"
        raise Refused(FORM, node, message) from needed
    except Refused as refused:
        raise Refused(refused.code, node, f"in `{function.name}`: {refused.message}") from refused
    asked, own.guard.several = own.guard.several, {}
    if own.guard != Guard():
        raise Refused(FORM, node, f"`{function.name}` reads names of the module")
    if own.raises:
        scope.raises.append(node)
    if own.uneven:
        scope.uneven.append(node)
    expressions = _given(node, function)
    for name, axis in asked:
        several(scope, expressions[name], axis, node)
    passed = [(name, one) for name, one in given.items() if one.passed]
    if once and not scope.source.made_here(node):
        why = f"`{function.name}`, which is given the same for all items, works on the host"
        raise Refused(FORM, node, why)
    if once:
        return _as_written(scope, node, [one.item for _, one in passed], results, single)
    arrays = tuple(name for name, one in passed if one.item.stacked or one.item.rank)
    twin = Twin(function, _signature(given), tuple(lines), _key(function, given), arrays)
    scope.twins += [*own.twins, twin]
    text = f"{twin.placeholder}({', '.join(one.item.text for _, one in passed)})"
    return _result(text, [one.item for _, one in passed], results, single)


def _as_written(
    scope: Scope, node: ast.Call, passed: list[Item], results: tuple[Item, ...], single: bool
) -> Item:
    """A call of the function itself, which is given the same for all items: once is enough."""
    arguments = [*node.args, *(keyword.value for keyword in node.keywords)]
    pairs = [(a, one_array(scope, a).text) for a in arguments]
    return _result(spliced(scope, node, pairs), passed, results, single)


def _result(text: str, passed: list[Item], results: tuple[Item, ...], single: bool) -> Item:
    """What a call with this text gives."""
    views = frozenset[str]().union(*(item.views for item in passed))
    results = tuple(
        replace(item, text="", views=views if of_others(item) else frozenset()) for item in results
    )
    if single:
        return replace(results[0], text=text, tight=True, column="")
    return Item(text, 0, stacked=results[0].stacked, tight=True, results=results)


@dataclass(frozen=True, slots=True)
class _Given:
    """What a parameter holds: an argument of the call, or its default."""

    item: Item
    passed: bool


def _statements(function: ast.FunctionDef) -> list[ast.stmt]:
    """The body without a docstring."""
    first = function.body[0]
    documented = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    return function.body[1:] if documented else function.body


def _given(node: ast.Call, function: ast.FunctionDef) -> dict[str, ast.expr]:
    """The arguments of a call by the names of the parameters."""
    positional = [a.arg for a in (*function.args.posonlyargs, *function.args.args)]
    given = dict(zip(positional, node.args, strict=False))
    return given | {k.arg: k.value for k in node.keywords if k.arg is not None}


def _arguments(
    scope: Scope, node: ast.Call, function: ast.FunctionDef
) -> Iterator[tuple[str, _Given]]:
    args = function.args
    positional = [a.arg for a in (*args.posonlyargs, *args.args)]
    names = [*positional, *(a.arg for a in args.kwonlyargs)]
    given = _given(node, function)
    if len(node.args) > len(positional) or not given.keys() <= set(names):
        raise Refused(FORM, node, f"`{function.name}` is called in a way that is not followed")
    first = len(positional) - len(args.defaults)
    defaults: dict[str, ast.expr | None] = {
        **dict(zip(positional[first:], args.defaults, strict=True)),
        **{a.arg: d for a, d in zip(args.kwonlyargs, args.kw_defaults, strict=True)},
    }
    for name in names:
        if name in given:
            yield name, _Given(one_array(scope, given[name]), passed=True)
            continue
        default = defaults.get(name)
        number = isinstance(default, ast.Name) and scope.source.inside(function).number(default.id)
        if default is None or not (number or isinstance(default, ast.Constant)):
            raise Refused(FORM, node, f"nothing simple is passed for `{name}`")
        yield name, _Given(Item(ast.unparse(default), 0, stacked=False), passed=False)


def _own_scope(scope: Scope, function: ast.FunctionDef, given: dict[str, _Given]) -> Scope:
    """The function's names, the parameters holding the arguments."""
    source = scope.source.inside(function)
    body = _statements(function)
    later = frozenset(bound_by(body))
    read = {n.id for s in body for n in walk(s) if isinstance(n, ast.Name)}
    known = {
        name: Known("number", 0, proven=True)
        for name in sorted(read - later - given.keys()) if source.number(name)
    }  # fmt: skip
    found = Scope(source, known, {}, later=later, inside=scope.inside | {id(function)})
    for name, one in given.items():
        views = frozenset({name}) if one.item.views else frozenset[str]()
        found.bound[name] = replace(one.item, text=name, tight=True, column="", views=views)
    found.parameters = frozenset(name for name, one in given.items() if one.item.stacked)
    return found


def _body(
    scope: Scope, function: ast.FunctionDef, once: bool
) -> tuple[list[str], tuple[Item, ...], bool]:
    """The statements, what is returned, and whether that is one value.

    `once`: whether the function is given nothing that differs from item to item.
    """
    *statements, last = _statements(function)
    body = Body(scope, stored=stored_in(statements))
    body.block(statements)
    assert isinstance(last, ast.Return)
    assert last.value is not None
    if isinstance(last.value, ast.Tuple):
        results = tuple(one_array(scope, value) for value in last.value.elts)
        text, single = ", ".join(item.text for item in results), False
    else:
        item = translate(scope, last.value)
        results, single = item.results or (item,), not item.results
        text = item.text
    if not results or not all(item.stacked is not once and not item.sizes for item in results):
        raise Refused(FORM, last, "a result is the same for all items")
    return [*body.lines, f"return {text}"], results, single


def _signature(given: dict[str, _Given]) -> str:
    passed = [name for name, one in given.items() if one.passed]
    left = [f"{name}={one.item.text}" for name, one in given.items() if not one.passed]
    return ", ".join([*passed, *left])


def _key(function: ast.FunctionDef, given: dict[str, _Given]) -> str:
    """What the body was vectorised for."""
    kinds = (f"{one.item.rank}{'s' if one.item.stacked else ''}" for one in given.values())
    passed = "".join("-+"[one.passed] for one in given.values())
    return f"{function.lineno}:{','.join(kinds)}:{passed}"
