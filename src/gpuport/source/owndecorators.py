"""Decorators of the program that leave what a function takes and gives as it is.

``@timed``, ``@counted``, ``@logged("solver")``: a wrapper with ``*args`` and ``**kwargs`` that does
no more with them than to hand them on, and gives back what it was given; and decorators that write
the function down somewhere and give it back.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gpuport.source.names import FunctionNode, Scope
from gpuport.source.syntax import children, is_name, walk

_ASKED = frozenset({"__doc__", "__module__", "__name__", "__qualname__"})
_COPYING_NAMES = frozenset({"functools.wraps", "functools.update_wrapper"})
_KEEPING = frozenset({"add", "append"})
_AROUND = (ast.Yield, ast.YieldFrom, ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith)
"""What makes more of a call than that: one that is repeated, or made in another state of errors."""
_STATES = ("numpy", "warnings")
"""Modules by which a wrapper may set how errors are told while the function runs."""


def leaves_as_it_is(scope: Scope, decorator: ast.expr, *, seen: bool = False) -> bool:
    """Whether calls of a decorated function are calls of the function that is decorated.

    Parameters
    ----------
    scope : Scope
        Of the module in which the decorator is defined.
    decorator : ast.expr
        As it stands above the function.
    seen : bool
        Whether all calls have to be by the function's name: it may not be kept elsewhere.
    """
    defined = _defined(scope, decorator)
    if defined is None or not _hands_on(scope, defined):
        return False
    name = defined.args.args[0].arg if defined.args.args else defined.args.posonlyargs[0].arg
    return not seen or not any(is_name(one, name) for n in walk(defined) for one in _kept(n))


def gives_class_back(scope: Scope, decorator: ast.expr) -> bool:
    """Whether a decorator of the program does no more with a class than to write it down."""
    defined = _defined(scope, decorator)
    itself = defined is not None and _given_back(defined) is None
    return itself and leaves_as_it_is(scope, decorator)


def _defined(scope: Scope, decorator: ast.expr) -> ast.FunctionDef | None:
    """The function of the module that a decorator is, or that its call gives back."""
    head = decorator.func if isinstance(decorator, ast.Call) else decorator
    name = head.id if isinstance(head, ast.Name) else ""
    defined = scope.functions.get(name) if scope.bound.get(name) == 1 else None
    if not isinstance(defined, ast.FunctionDef):
        return None
    if isinstance(decorator, ast.Call):
        return _given_back(defined) if not defined.decorator_list else None
    return defined


def called_as_written(scope: Scope, node: FunctionNode, *, seen: bool = True) -> bool:
    """Whether calls of a function by its name are calls of its text, whatever stands above it.

    ``seen``: whether all its calls have to be by its name.
    """
    return all(leaves_as_it_is(scope, one, seen=seen) for one in node.decorator_list)


def keeping(scope: Scope, node: FunctionNode | ast.ClassDef) -> list[ast.expr]:
    """The decorators of a function or class that keep it where others find it, and give it back
    itself."""
    if isinstance(node, ast.ClassDef):
        own = [one for one in node.decorator_list if gives_class_back(scope, one)]
        return [one for one in own if not leaves_as_it_is(scope, one, seen=True)]
    if not node.decorator_list or not called_as_written(scope, node, seen=False):
        return []
    return [one for one in node.decorator_list if not leaves_as_it_is(scope, one, seen=True)]


def _kept(node: ast.AST) -> list[ast.expr]:
    """What a call or an assignment keeps."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return _written_out(node.args) if node.func.attr in _KEEPING else []
    stores = isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript)
    return _written_out([node.value]) if stores else []  # type: ignore[attr-defined]


def _written_out(expressions: list[ast.expr]) -> list[ast.expr]:
    """Expressions, with the parts of tuples, lists and dicts among them as they are written."""
    found: list[ast.expr] = []
    for one in expressions:
        found.append(one)
        if isinstance(one, (ast.Tuple, ast.List)):
            found += _written_out(one.elts)
        elif isinstance(one, ast.Dict):
            found += _written_out(one.values)
    return found


def _hands_on(scope: Scope, decorator: ast.FunctionDef) -> bool:
    arguments = decorator.args
    names = [one.arg for one in (*arguments.posonlyargs, *arguments.args)]
    plain = not (arguments.vararg or arguments.kwarg or arguments.kwonlyargs or arguments.defaults)
    if len(names) != 1 or not plain or decorator.decorator_list:
        return False
    wrapper = _given_back(decorator)
    returned = decorator.body[-1]
    itself = isinstance(returned, ast.Return) and is_name(returned.value, names[0])
    if wrapper is None and not itself:
        return False
    if any(isinstance(node, ast.Return) for node in _own(decorator) if node is not returned):
        return False
    calls = [
        node for node in walk(decorator)
        if isinstance(node, ast.Call) and is_name(node.func, names[0])
    ]  # fmt: skip
    if wrapper is None:
        return not calls and _is_only_handed_on(scope, decorator, names[0])
    made = (getattr(one, "func", None) for one in wrapper.decorator_list)
    if any(one is None or scope.resolve(one) not in _COPYING_NAMES for one in made):
        return False
    alone = len(calls) == 1 and _is_only_handed_on(scope, decorator, names[0])
    return alone and not _sets_states(scope, wrapper) and _wraps(wrapper, calls[0])


def _given_back(function: ast.FunctionDef) -> ast.FunctionDef | None:
    """The function that stands in a function, which gives it back at its end."""
    last = function.body[-1]
    if not isinstance(last, ast.Return) or not isinstance(last.value, ast.Name):
        return None
    inside = [
        one
        for one in function.body
        if isinstance(one, ast.FunctionDef) and one.name == last.value.id
    ]
    bound = [node for node in walk(function) if _binds(node, last.value.id)]
    return inside[0] if len(inside) == len(bound) == 1 else None


def _binds(node: ast.AST, name: str) -> bool:
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return node.name == name
    stored = isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)
    return stored and getattr(node, "id", "") == name


def _own(function: ast.FunctionDef) -> Iterator[ast.AST]:
    """What stands in a function, without functions in it."""
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            waiting += children(node)


def _is_only_handed_on(scope: Scope, decorator: ast.FunctionDef, name: str) -> bool:
    """Whether the function that is decorated is called, asked for its name and kept, no more."""
    allowed = {
        id(part) for node in walk(decorator) for part in _harmless(scope, node)
    } | {id(getattr(decorator.body[-1], "value", None))}  # fmt: skip
    return not any(
        (is_name(node, name) and id(node) not in allowed) or _binds(node, name)
        for node in walk(decorator)
    )


def _harmless(scope: Scope, node: ast.AST) -> Iterator[ast.AST]:
    """The parts of an expression or statement in which a function may stand."""
    if isinstance(node, ast.Call):
        yield node.func
        if scope.resolve(node.func) in _COPYING_NAMES:
            yield from node.args
    if isinstance(node, ast.Attribute) and node.attr in _ASKED:
        yield node.value
    yield from _kept(node)


def _sets_states(scope: Scope, wrapper: ast.FunctionDef) -> bool:
    paths = (scope.resolve(node) for node in walk(wrapper) if isinstance(node, ast.Name))
    return any(path.partition(".")[0] in _STATES for path in paths if path is not None)


def _wraps(wrapper: ast.FunctionDef, call: ast.Call) -> bool:
    """Whether a wrapper hands on all that it is given, and gives back what it gets, untouched."""
    arguments = wrapper.args
    rest, options = arguments.vararg, arguments.kwarg
    if rest is None or options is None or arguments.args or arguments.posonlyargs:
        return False
    if arguments.kwonlyargs:
        return False
    if not _gives_all(call, rest.arg, options.arg):
        return False
    given = {id(part) for part in (*walk(call.args[0]), call.keywords[0].value)}
    if any(
        isinstance(node, ast.Name) and node.id in (rest.arg, options.arg) and id(node) not in given
        for node in walk(wrapper)
    ):
        return False
    own = list(_own(wrapper))
    around = any(isinstance(node, _AROUND) for node in own)
    around |= any(isinstance(node, ast.Try) and bool(node.handlers) for node in own)
    return not around and call in own and _gives_back(own, call)


def _gives_all(call: ast.Call, rest: str, options: str) -> bool:
    if len(call.args) != 1 or len(call.keywords) != 1 or call.keywords[0].arg is not None:
        return False
    first = call.args[0]
    starred = isinstance(first, ast.Starred) and is_name(first.value, rest)
    return starred and is_name(call.keywords[0].value, options)


def _gives_back(own: list[ast.AST], call: ast.Call) -> bool:
    """Whether the result of a call is what is returned, and nothing else is done with it."""
    returned = [node.value for node in own if isinstance(node, ast.Return)]
    if len(returned) != 1:
        return False
    if returned[0] is call:
        return True
    kept = [
        node.targets[0].id for node in own
        if isinstance(node, ast.Assign) and node.value is call and len(node.targets) == 1
        and isinstance(node.targets[0], ast.Name)
    ]  # fmt: skip
    named = [node for node in own if isinstance(node, ast.Name) and node.id in kept]
    return len(kept) == 1 and len(named) == 2 and returned[0] in named


__all__ = ["called_as_written", "gives_class_back", "keeping", "leaves_as_it_is"]
