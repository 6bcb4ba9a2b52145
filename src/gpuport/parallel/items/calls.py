"""Which calls a loop over items may hold: none that prints, draws or changes anything."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Sequence
from functools import cache

from gpuport.parallel.items.records import FORM, NO_STACKED_FORM, SIDE_EFFECT, Refused, Source
from gpuport.parallel.items.stores import root_of, views_of
from gpuport.rules.libraries import library_of
from gpuport.rules.stacking import stacking
from gpuport.source.carried import bound_names
from gpuport.source.depending import reads
from gpuport.source.parameters import written
from gpuport.source.syntax import walk

_OWN_STATEMENTS = (
    ast.Assign, ast.AnnAssign, ast.AugAssign, ast.If, ast.For, ast.While, ast.Return, ast.Raise,
    ast.Assert, ast.Pass, ast.Break, ast.Continue,
)  # fmt: skip


def check_calls(source: Source, part: ast.AST, items: Collection[str], around: Around = ()) -> None:
    """Refuse some code of which a call may do more than give a value.

    Parameters
    ----------
    source : Source
    part : ast.AST
    items : collection of str
        Names whose values differ from item to item.
    around : sequence of ast.FunctionDef
        Functions of the module that the code is in, each called by the one before it.

    Raises
    ------
    Refused
    """
    for call in walk(part):
        if isinstance(call, ast.Call):
            _check(source, call, items, around)


Around = Sequence[ast.FunctionDef]


def _check(source: Source, call: ast.Call, items: Collection[str], around: Around) -> None:
    function, table = source.definition(call), stacking()
    if function is not None:
        check_own(source, call, function, around)
        return
    if any(keyword.arg == "out" for keyword in call.keywords):
        raise Refused(NO_STACKED_FORM, call, f"`{_short(source, call.func)}` is given `out`")
    path = source.resolve(call.func)
    functions, methods, has_form = _known()
    given = written(call)
    if path is None and isinstance(call.func, ast.Attribute):
        if call.func.attr not in methods:
            why = f"unknown call: `.{call.func.attr}()` has no form for a stack of items"
            raise Refused(NO_STACKED_FORM, call, why)
        if not has_form(f".{call.func.attr}", given and (given[0] + 1, given[1])):
            raise Refused(NO_STACKED_FORM, call, _UNLIKE.format(_short(source, call)))
        return
    if path is not None and path in table.hosted:
        name = path.rpartition(".")[2]
        help = f"collect the matrices in a list, and `batched.{name}` takes all of them at once"
        raise Refused(FORM, call, f"{table.hosted[path]}; {help}")
    if path in table.builtins:
        return
    if path is not None and path in functions:
        if not has_form(path, given):
            raise Refused(NO_STACKED_FORM, call, _UNLIKE.format(_short(source, call)))
        return
    if path in table.calling and call.args:
        mapped = ast.copy_location(ast.Call(call.args[0], call.args[1:], []), call)
        _check(source, mapped, items, around)
        return
    if path is not None and library_of(path) is not None and not reads(call, items):
        why = f"`{_short(source, call)}` is the same for all: name it before the loop"
        raise Refused(FORM, call, why)
    why = f"unknown call: `{_short(source, call.func)}` has no form for a stack of items"
    raise Refused(NO_STACKED_FORM, call, why)


@cache
def _known() -> tuple[frozenset[str], frozenset[str], Callable[[str, Given], bool]]:
    """The functions that the runtime knows for all items at once, the methods, and with what."""
    from gpuport.runtime.items.knowledge import METHODS_OF_ARRAYS, has_form, known_functions

    methods = frozenset(METHODS_OF_ARRAYS) | stacking().reading_methods
    return known_functions(), methods, has_form


Given = tuple[int, list[str]] | None
"""How many arguments a call gives by place, and which by name; None where that is open."""


def check_own(
    source: Source, call: ast.expr, function: ast.FunctionDef, around: Around = ()
) -> None:
    """Refuse a call of a function of the module whose own text does not hold to the same.

    Raises
    ------
    Refused
    """
    try:
        check_function(source.inside(function), function, around)
    except Refused as refused:
        raise Refused(refused.code, call, f"in `{function.name}`: {refused.message}") from refused


def check_function(source: Source, function: ast.FunctionDef, around: Around = ()) -> None:
    """Refuse a function that does anything but give a value.

    Raises
    ------
    Refused
    """
    if function in around:
        raise Refused(FORM, function, "it calls itself")
    paths = [source.resolve(_called(one)) or "" for one in function.decorator_list]
    if not all(path.startswith(_DECORATORS) for path in paths):
        raise Refused(FORM, function, "it is decorated")
    body = _without_docstring(function)
    for part in (part for one in body for part in walk(one)):
        if isinstance(part, _NOT_FOLLOWED) or (
            isinstance(part, ast.stmt) and not isinstance(part, _OWN_STATEMENTS)
        ):
            raise Refused(FORM, part, "unsupported syntax: more than assignments and a result")
    _check_stores(source, function, body)
    own = {one.arg for one in walk(function.args) if isinstance(one, ast.arg)}
    for one in body:
        check_calls(source, one, own | bound_names(body).keys(), (*around, function))


_DECORATORS = ("gpuport.runtime.", "builtins.property")


def is_pure(source: Source, function: ast.FunctionDef) -> bool:
    """Whether a function does nothing but give a value."""
    try:
        check_function(source, function)
    except Refused:
        return False
    return True


def _check_stores(source: Source, function: ast.FunctionDef, body: Sequence[ast.stmt]) -> None:
    """Refuse what is stored in anything but arrays of the function's own."""
    made = {
        name for one in body for part in walk(one) if isinstance(part, ast.Assign)
        and not views_of(source, part.value) for name in bound_names(part.targets)
    }  # fmt: skip
    for part in (part for one in body for part in walk(one)):
        stored = isinstance(part, (ast.Attribute, ast.Subscript)) and isinstance(
            part.ctx, ast.Store
        )
        if stored and (isinstance(part, ast.Attribute) or root_of(part) not in made):
            text = " ".join(source.segment(part).split())[:60]
            raise Refused(SIDE_EFFECT, part, f"it stores to `{text}`")


_NOT_FOLLOWED = (ast.Lambda, ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr)


def _called(node: ast.expr) -> ast.expr:
    return node.func if isinstance(node, ast.Call) else node


def _without_docstring(function: ast.FunctionDef) -> list[ast.stmt]:
    first = function.body[0]
    documented = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    return function.body[1:] if documented else function.body


_UNLIKE = "`{}` has no form for a stack of items with these arguments"


def _short(source: Source, function: ast.expr) -> str:
    return " ".join(source.segment(function).split())[:60]


__all__ = ["check_calls", "check_function", "check_own", "is_pure"]
