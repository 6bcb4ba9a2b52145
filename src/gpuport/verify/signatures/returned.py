"""Functions that a function returns: what its caller may call them with.

``def kernel(sigma): def k(x): ...; return k`` says nothing until somebody calls what it returns.
Their parameters stand behind the function's own, and are drawn, varied and compared as these.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from gpuport.verify.signatures.parameters import (
    Function,
    Parameter,
    parameter_of,
    parameters_of,
)
from gpuport.verify.slots import RETURNED, Slot

_MOST = 3  # functions that are returned together
_DEEPEST = 3  # functions that return what the next one returns
_Inner = ast.FunctionDef | ast.Lambda


def parameters_of_returned(node: Function, tree: ast.Module) -> tuple[Parameter, ...]:
    """Those of the functions that are returned, alone or in a tuple or list.

    None where some are unknown, or different statements return different ones: nothing is called
    then. What another function of the file, `tree`, returns may be returned, too.
    """
    given = _given(node, tree, _DEEPEST)
    if len(given) > _MOST or any(_is_open(one) for _, one in given):
        return ()
    parameters = [_placed(p, place) for place, one in given for p in _parameters(one)]
    # one that takes nothing is called all the same
    bare = [place for place, one in given if not _names(one)]
    return (*parameters, *(_nothing(place) for place in bare))


def _given(node: Function, tree: ast.Module, depth: int) -> list[tuple[str, _Inner]]:
    """The functions that are returned, by place; none where that is not the same each time."""
    found: dict[tuple[tuple[str, tuple[str, ...]], ...], list[tuple[str, _Inner]]] = {}
    inner = _defined_once(node)
    made = _bound_once(node)
    for statement in _own(node):
        if isinstance(statement, ast.Return) and statement.value is not None:
            value = statement.value
            if isinstance(value, ast.Name):
                value = made.get(value.id, value)
            given = _of_another(value, tree, depth) or list(_returned(value, inner))
            if given:
                kinds = tuple((place, _names(one)) for place, one in given)
                found.setdefault(kinds, given)
    return next(iter(found.values())) if len(found) == 1 else []


def _defined_once(node: Function) -> dict[str, ast.FunctionDef]:
    """Functions of a function by name; not those whose name is bound otherwise as well.

    What such a name is where it is returned is known when the function runs.
    """
    defined = [one for one in _own(node) if isinstance(one, ast.FunctionDef)]
    bound = {
        one.id for one in _own(node) if isinstance(one, ast.Name) and type(one.ctx) is ast.Store
    }
    found: dict[str, ast.FunctionDef] = {}
    for one in defined:
        if _names(found.setdefault(one.name, one)) != _names(one):
            bound.add(one.name)
    return {name: one for name, one in found.items() if name not in bound}


def _bound_once(node: Function) -> dict[str, ast.expr]:
    """Lambdas and results of calls that have a name."""
    found: dict[str, list[ast.expr]] = {}
    for one in _own(node):
        if isinstance(one, ast.Assign) and isinstance(one.targets[0], ast.Name):
            found.setdefault(one.targets[0].id, []).append(one.value)
    return {
        name: values[0]
        for name, values in found.items()
        if len(values) == 1 and isinstance(values[0], ast.Lambda | ast.Call)
    }


def _of_another(value: ast.expr, tree: ast.Module, depth: int) -> list[tuple[str, _Inner]]:
    """What the function of the file that is called returns."""
    if not depth or not isinstance(value, ast.Call) or not isinstance(value.func, ast.Name):
        return []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name == value.func.id:
            return [] if node.decorator_list else _given(node, tree, depth - 1)
    return []


def _own(node: Function) -> Iterator[ast.AST]:
    """What stands in a function, and not inside another one in it."""
    todo: list[ast.AST] = list(node.body)
    while todo:
        one = todo.pop(0)
        yield one
        if not isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            todo += ast.iter_child_nodes(one)


def _returned(
    value: ast.expr, inner: dict[str, ast.FunctionDef], place: str = RETURNED
) -> Iterator[tuple[str, _Inner]]:
    if isinstance(value, ast.Name) and value.id in inner:
        yield place, inner[value.id]
    elif isinstance(value, ast.Lambda):
        yield place, value
    elif isinstance(value, ast.Tuple | ast.List) and place == RETURNED:
        for number, item in enumerate(value.elts):
            yield from _returned(item, inner, f"{RETURNED}[{number}]")


def _is_open(one: _Inner) -> bool:
    """Whether it is decorated, or takes any number of arguments: what it takes is not known."""
    decorated = isinstance(one, ast.FunctionDef) and bool(one.decorator_list)
    return decorated or one.args.vararg is not None or one.args.kwarg is not None


def _names(one: _Inner) -> tuple[str, ...]:
    a = one.args
    return tuple(argument.arg for argument in (*a.posonlyargs, *a.args, *a.kwonlyargs))


def _parameters(one: _Inner) -> Iterator[Parameter]:
    if isinstance(one, ast.FunctionDef):
        yield from parameters_of(one, bound=False)
        return
    a = one.args
    positional = [*a.posonlyargs, *a.args]
    defaults = [*([None] * (len(positional) - len(a.defaults))), *a.defaults]
    rows = [*zip(positional, defaults, strict=True), *zip(a.kwonlyargs, a.kw_defaults, strict=True)]
    for argument, default in rows:
        yield parameter_of(argument, default, True, one, {})


def _placed(parameter: Parameter, place: str) -> Parameter:
    """Under a name that no parameter of the function itself has, and dimensions of its own."""
    name = f"{place}{parameter.name}"
    owner = f"returned{''.join(c for c in place if c.isdigit())}_{parameter.name}"

    def placed(slot: Slot) -> Slot:
        dims = tuple(
            owner + dim.removeprefix(parameter.name)
            if dim.startswith(f"{parameter.name}.")
            else dim
            for dim in slot.dims
        )
        return replace(slot, dims=dims, items=tuple(map(placed, slot.items)))

    slots = (replace(placed(slot), name=name, keyword=True) for slot in parameter.candidates)
    return replace(parameter, name=name, candidates=tuple(slots))


def _nothing(place: str) -> Parameter:
    return Parameter(place, (Slot(place, "none", keyword=True),), "annotated")
