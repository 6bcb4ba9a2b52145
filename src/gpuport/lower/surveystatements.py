"""How the survey goes through statements."""

from __future__ import annotations

import ast

from gpuport.lower.blocks import Block, Parts, Protected, guarded
from gpuport.lower.scopes import Kind
from gpuport.lower.survey import Definition, Survey, defaults, parameters, visits


@visits(ast.FunctionDef, ast.AsyncFunctionDef)
def _function(survey: Survey, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
    survey.all(node.decorator_list)
    defaults(survey, node.args)
    survey.visit(node.returns)
    _definition(survey, node)
    if isinstance(node, ast.AsyncFunctionDef):
        survey.mark("it is a coroutine")
    survey.frame(node, parameters(node.args), lambda: survey.body(node.body))


@visits(ast.ClassDef)
def _class(survey: Survey, node: ast.ClassDef) -> None:
    survey.all(node.decorator_list)
    survey.all(node.bases)
    survey.all(node.keywords)
    _definition(survey, node)
    if any(isinstance(base, ast.Starred) for base in node.bases) or any(
        keyword.arg is None for keyword in node.keywords
    ):
        survey.mark("its bases are unpacked")
    outer = survey.enter(Kind.CLASS, node)
    survey.scope.private = node.name
    survey.nested(lambda: survey.body(node.body))
    survey.scope = outer


def _definition(survey: Survey, node: Definition) -> None:
    survey.bind(node.name)
    if getattr(node, "type_params", None):
        survey.mark("it has type parameters")


@visits(ast.Import)
def _import(survey: Survey, node: ast.Import) -> None:
    for alias in node.names:
        top = alias.name.split(".")[0]
        survey.bind(alias.asname or top, alias.name if alias.asname else top)
        if alias.name == "__main__":
            survey.module.is_reflective = True


@visits(ast.ImportFrom)
def _import_from(survey: Survey, node: ast.ImportFrom) -> None:
    for alias in node.names:
        if alias.name == "*":
            survey.stars.append(node.module or "" if not node.level else "")
            survey.module.is_reflective = survey.module.is_reflective or len(survey.around) > 1
        else:
            path = f"{node.module}.{alias.name}" if node.module and not node.level else None
            survey.bind(alias.asname or alias.name, path)


@visits(ast.Global)
def _global(survey: Survey, node: ast.Global) -> None:
    names = {survey.scope.mangled(name) for name in node.names}
    survey.scope.globals |= names
    survey.module.cells |= names
    survey.module.paths |= dict.fromkeys(names)


@visits(ast.Nonlocal)
def _nonlocal(survey: Survey, node: ast.Nonlocal) -> None:
    survey.scope.nonlocals |= {survey.scope.mangled(name) for name in node.names}


@visits(ast.Assign)
def _assign(survey: Survey, node: ast.Assign) -> None:
    survey.visit(node.value)
    survey.all(node.targets)


@visits(ast.AugAssign)
def _augmented(survey: Survey, node: ast.AugAssign) -> None:
    if isinstance(node.target, ast.Name):
        survey.read(survey.scope.mangled(node.target.id))
    survey.visit(node.value)
    survey.visit(node.target)


@visits(ast.AnnAssign)
def _annotated(survey: Survey, node: ast.AnnAssign) -> None:
    survey.scope.is_annotated = True
    survey.visit(node.value)
    if node.value is not None or not isinstance(node.target, ast.Name):
        survey.visit(node.target)
    elif node.simple:  # the name is local to the scope even where nothing is assigned
        survey.bind(node.target.id, surely=False)
    if survey.scope.kind is not Kind.FUNCTION:
        survey.visit(node.annotation)


@visits(ast.Break, ast.Continue)
def _jump(survey: Survey, node: ast.Break | ast.Continue) -> None:
    survey.block.jumps = True


@visits(ast.If)
def _if(survey: Survey, node: ast.If) -> None:
    survey.visit(node.test)
    then = survey.nested(lambda: survey.body(node.body))
    orelse = survey.nested(lambda: survey.body(node.orelse))
    survey.block.certain |= then.certain & orelse.certain


@visits(ast.For, ast.AsyncFor)
def _for(survey: Survey, node: ast.For | ast.AsyncFor) -> None:
    survey.visit(node.iter)

    def visit() -> None:
        survey.visit(node.target)
        survey.body(node.body)

    _loop(survey, node, survey.nested(visit, is_loop=True))


@visits(ast.While)
def _while(survey: Survey, node: ast.While) -> None:
    def visit() -> None:
        survey.visit(node.test)
        survey.body(node.body)

    _loop(survey, node, survey.nested(visit, is_loop=True))


def _loop(survey: Survey, node: ast.For | ast.AsyncFor | ast.While, body: Block) -> None:
    orelse = survey.nested(lambda: survey.body(node.orelse))
    body.stored |= orelse.stored
    body.deleted |= orelse.deleted
    survey.blocks[node] = body


@visits(ast.Try, ast.TryStar)
def _try(survey: Survey, node: ast.Try | ast.TryStar) -> None:
    parts = Parts()
    survey.nested(lambda: survey.body(node.body), block=parts.body)
    for handler in node.handlers:
        survey.nested(lambda handler=handler: _handler(survey, handler, parts.handlers))  # type: ignore[misc]
    parts.orelse.certain |= parts.body.certain
    survey.nested(lambda: survey.body(node.orelse), block=parts.orelse)
    survey.nested(lambda: survey.body(node.finalbody), block=parts.final)
    if not node.handlers or all(
        isinstance(h.body[-1], ast.Raise | ast.Return) for h in node.handlers
    ):
        survey.block.certain |= parts.body.certain
    if isinstance(node, ast.TryStar):
        survey.mark("it handles groups of exceptions")
    else:
        survey.block.protected += guarded(survey.scope, node, parts)


def _handler(survey: Survey, node: ast.ExceptHandler, handlers: Block) -> None:
    survey.visit(node.type)
    if node.name:
        survey.bind(node.name)
    survey.body(node.body)
    if node.name and survey.scope.kind in (Kind.MODULE, Kind.FUNCTION):
        name = survey.scope.mangled(node.name)
        survey.block.deleted.add(name)
        survey.block.certain.discard(name)
    handlers.close(survey.block)


@visits(ast.With, ast.AsyncWith)
def _with(survey: Survey, node: ast.With | ast.AsyncWith) -> None:
    def visit(place: int) -> None:
        if place == len(node.items):
            survey.body(node.body)
            return
        survey.visit(node.items[place].context_expr)
        body = survey.nested(lambda: _entered(place))
        protected = Protected(survey.scope, set(body.stored), body.loads.copy(), None, node)
        survey.block.protected.append(protected)

    def _entered(place: int) -> None:
        survey.visit(node.items[place].optional_vars)
        visit(place + 1)

    visit(0)


@visits(ast.Match)
def _match(survey: Survey, node: ast.Match) -> None:
    survey.visit(node.subject)
    regions = survey.regions

    def visit(case: ast.match_case) -> None:
        survey.visit(case.pattern)
        survey.visit(case.guard)
        survey.body(case.body)

    for case in node.cases:
        survey.nested(lambda case=case: visit(case))  # type: ignore[misc]
        survey.regions += 1
    survey.regions = regions


@visits(ast.MatchAs)
def _match_as(survey: Survey, node: ast.MatchAs) -> None:
    survey.visit(node.pattern)
    if node.name:
        survey.bind(node.name, surely=False)


@visits(ast.MatchStar)
def _match_star(survey: Survey, node: ast.MatchStar) -> None:
    if node.name:
        survey.bind(node.name, surely=False)


@visits(ast.MatchMapping)
def _match_mapping(survey: Survey, node: ast.MatchMapping) -> None:
    survey.all(node.keys)
    survey.all(node.patterns)
    if node.rest:
        survey.bind(node.rest, surely=False)


def _alias(survey: Survey, node: ast.AST) -> None:
    survey.mark("it is a type alias")
    name = getattr(node, "name", None)
    if isinstance(name, ast.Name):
        survey.name(name)


if hasattr(ast, "TypeAlias"):
    visits(ast.TypeAlias)(_alias)
