"""Functions, lambdas, lazy generator expressions, classes."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable

from gpuport._frozen import frozen
from gpuport.ir import Function, Parameter, Passing, Value
from gpuport.lower.assignments import annotation
from gpuport.lower.lowering import Lowering, expression, statement
from gpuport.lower.scopes import Scope
from gpuport.lower.survey import Definition, listed


@frozen
class Given:
    """What a definition evaluates: operands of ``MakeFunction``."""

    defaults: list[Value]
    keyword: dict[str, Value]
    annotations: dict[str, Value]


def signature(arguments: ast.arguments, scope: Scope) -> tuple[Parameter, ...]:
    """The parameters of a function, in the order of its frame."""
    before = len(arguments.posonlyargs) + len(arguments.args) - len(arguments.defaults)
    passing = {argument.arg: Passing.POSITION for argument in arguments.posonlyargs}
    passing |= {argument.arg: Passing.KEYWORD for argument in arguments.kwonlyargs}
    if arguments.vararg is not None:
        passing[arguments.vararg.arg] = Passing.VARIADIC
    if arguments.kwarg is not None:
        passing[arguments.kwarg.arg] = Passing.KEYWORDS
    positional = [*arguments.posonlyargs, *arguments.args]
    optional = {argument.arg for argument in positional[before:]}
    optional |= {
        argument.arg
        for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
        if default is not None
    }
    return tuple(
        [
            Parameter(
                scope.mangled(argument.arg),
                passing.get(argument.arg, Passing.EITHER),
                argument.arg in optional,
            )
            for argument in listed(arguments)
        ]
    )


def documentation(node: ast.FunctionDef | ast.ClassDef | ast.Module) -> str | None:
    """The ``__doc__`` of a definition; from Python 3.13 on it is kept without its indentation."""
    doc = ast.get_docstring(node, clean=False)
    if doc is None or sys.version_info < (3, 13):
        return doc
    first, *rest = doc.expandtabs().split("\n")
    margins = [len(line) - len(line.lstrip(" ")) for line in rest if line.strip(" ")]
    margin = min(margins, default=0)
    cut = [line[min(margin, len(line) - len(line.lstrip(" "))) :] for line in rest]
    return "\n".join([first.lstrip(" "), *cut])


def begin(at: Lowering, node: ast.AST, name: str, parameters: tuple[Parameter, ...]) -> Lowering:
    """The lowering of a function inside; its parameters have their values."""
    scope = at.scope.children[node]
    is_global = name in at.scope.globals
    qualname = name if is_global else f"{at.path}{name}"
    function = Function(name, qualname, at.shared.spans.of(node), parameters)
    function.is_generator, function.module = scope.is_generator, at.shared.source.path
    if isinstance(at.scope.node, ast.ClassDef):
        function.owner_class = at.scope.node.name
    function.free = sorted(scope.free)
    function.cells = {scope.key(name): None for name in sorted(scope.cells)}
    function.bound = _set_before(at)
    at.shared.functions.append(function)
    inner = Lowering(at.shared, function, scope)
    for place, parameter in enumerate(parameters):
        value = function.fresh(parameter.name, function)
        function.parameters.append(value)
        if parameter.name in scope.cells:
            function.cells[parameter.name] = place
        else:
            inner.versions.set(parameter.name, value)
    return inner


def _set_before(at: Lowering) -> frozenset[str]:
    """Variables that functions share and that have a value where one is defined."""
    started = {name for name, place in at.function.cells.items() if place is not None}
    before = [*at.function.body.ops, *at.region.ops]
    stored = {op.attributes["name"] for op in before if op.kind == "StoreCell"}
    return at.function.bound | started | stored


def make(at: Lowering, node: ast.AST, function: Function, given: Given) -> Value:
    """The function as a value."""
    operands = [*given.defaults, *given.keyword.values(), *given.annotations.values()]
    return at.value(
        "MakeFunction",
        operands,
        node,
        function=function,
        defaults=len(given.defaults),
        keyword=tuple(given.keyword),
        annotations=tuple(given.annotations),
    )


def _given(at: Lowering, arguments: ast.arguments) -> Given:
    defaults = [at.expr(default) for default in arguments.defaults]
    keyword = {
        at.scope.mangled(argument.arg): at.expr(default)
        for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
        if default is not None
    }
    return Given(defaults, keyword, {})


@statement(ast.FunctionDef)
def _function(at: Lowering, node: ast.FunctionDef) -> None:
    def made() -> Value:
        given = _given(at, node.args)
        # the order in which Python evaluates them
        order = [*node.args.args, *node.args.posonlyargs]
        order += [one for one in listed(node.args) if one not in order]
        for argument in order:
            if argument.annotation is not None:
                name = at.scope.mangled(argument.arg)
                given.annotations[name] = annotation(at, argument.annotation)
        if node.returns is not None:
            given.annotations["return"] = annotation(at, node.returns)
        inner = begin(at, node, node.name, signature(node.args, at.scope.children[node]))
        inner.function.doc = documentation(node)
        if inner.block(node.body):
            inner.end("Return", (inner.const(None, node),), node)
        return make(at, node, inner.function, given)

    _decorated(at, node, made)


def _decorated(at: Lowering, node: Definition, made: Callable[[], Value]) -> None:
    """Decorators are evaluated first, and called last, the innermost first."""
    decorators = [at.expr(decorator) for decorator in node.decorator_list]
    value = made()
    for decorator in reversed(decorators):
        value = at.call(decorator, (value,), node)
    at.assign(node.name, value, node)


@expression(ast.Lambda)
def _lambda(at: Lowering, node: ast.Lambda) -> Value:
    given = _given(at, node.args)
    inner = begin(at, node, "<lambda>", signature(node.args, at.scope.children[node]))
    inner.end("Return", (inner.expr(node.body),), node.body)
    return make(at, node, inner.function, given)


@statement(ast.ClassDef)
def _class(at: Lowering, node: ast.ClassDef) -> None:
    def made() -> Value:
        bases = [at.expr(base) for base in node.bases]
        keywords = [at.expr(keyword.value) for keyword in node.keywords]
        qualname = node.name if node.name in at.scope.globals else f"{at.path}{node.name}"
        outer, path = at.scope, at.path
        at.scope, at.path = outer.children[node], f"{qualname}."
        scope = at.scope
        loops, at.loops = at.loops, []
        arm = at.inside(lambda: _class_body(at, node))
        at.scope, at.path, at.loops = outer, path, loops
        return at.emit(
            "MakeClass",
            [*bases, *keywords],
            node,
            ("",),
            [arm.region],
            name=node.name,
            qualname=qualname,
            bases=len(bases),
            keywords=tuple([keyword.arg for keyword in node.keywords]),
            cell=scope.key("__class__") if "__class__" in scope.cells else None,
            annotated=scope.is_annotated,
        ).result

    _decorated(at, node, made)


def _class_body(at: Lowering, node: ast.ClassDef) -> bool:
    doc = documentation(node)
    if doc is not None:
        at.emit("StoreName", (at.const(doc, node),), node, name="__doc__")
    return at.block(node.body) and at.end("Yield", (), node)
