"""Statements that run as Python: which can, with what names, and as what text."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterator

from gpuport.lower.scopes import Home, Kind, Scope
from gpuport.lower.survey import Definition, Mark, Place
from gpuport.source.module import Module

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def innermost_possible(mark: Mark) -> Place:
    """The innermost statement around a mark that can run as Python by itself."""
    for statement, scope in reversed(mark.around):
        can = not (
            mark.whole and not isinstance(statement, FUNCTIONS) and scope.kind is not Kind.MODULE
        )
        if can and _stands_alone(statement, scope):
            return statement, scope
    return mark.around[0]


def _stands_alone(statement: ast.stmt, scope: Scope) -> bool:
    """Whether a statement can run with copies of the names that it reads."""
    if scope.kind is Kind.MODULE:
        return True
    if _leaves(statement):
        return False
    if scope.private is not None and _names_private(statement):
        return False
    if not isinstance(statement, Definition) and _stores_shared(statement, scope):
        return False
    if _is_generic(statement) and any(_is_variable(node, scope) for node in ast.walk(statement)):
        return False
    return not any(_captures(inner, statement, scope) for inner in _scopes_in(statement, scope))


def _leaves(statement: ast.stmt) -> bool:
    """Whether control can leave a statement other than by an exception, or come in again."""
    waiting: list[tuple[ast.AST, bool]] = [(statement, False)]
    while waiting:
        node, in_loop = waiting.pop()
        if isinstance(node, (ast.Return, ast.Yield, ast.YieldFrom, ast.Await)):
            return True
        if isinstance(node, (ast.Break, ast.Continue)) and not in_loop:
            return True
        if isinstance(node, (ast.AsyncFor, ast.AsyncWith)):
            return True
        if isinstance(node, (ast.For, ast.While)):
            head = node.test if isinstance(node, ast.While) else node.iter
            waiting += [(child, True) for child in node.body]
            waiting += [(child, in_loop) for child in (head, *node.orelse)]
        else:
            waiting += [(child, in_loop) for child in in_frame(node)]
    return False


def in_frame(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes right below one that are evaluated in the same frame, or in one that it makes."""
    if isinstance(node, FUNCTIONS):
        if not isinstance(node, ast.Lambda):
            yield from node.decorator_list
        yield from node.args.defaults
        yield from (default for default in node.args.kw_defaults if default is not None)
    else:
        yield from ast.iter_child_nodes(node)


def _is_generic(statement: ast.stmt) -> bool:
    """Whether a statement has type parameters, which see names by a scope of their own."""
    return bool(getattr(statement, "type_params", None)) or type(statement).__name__ == "TypeAlias"


def _is_variable(node: ast.AST, scope: Scope) -> bool:
    if not isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Load):
        return False
    owner = scope.find(scope.mangled(node.id))
    return owner is not None and owner.kind is not Kind.MODULE


def _stores_shared(statement: ast.stmt, scope: Scope) -> bool:
    """Whether a statement may bind, or leave as they are, names that are no SSA values."""
    return scope.kind is Kind.CLASS or any(
        scope.resolve(name).home is Home.CELL for name in stored_names(statement, scope)
    )


def _names_private(statement: ast.stmt) -> bool:
    for node in ast.walk(statement):
        for name in ("id", "attr", "arg", "name"):
            text = getattr(node, name, None)
            if isinstance(text, str) and text.startswith("__") and not text.endswith("__"):
                return True
    return False


def _scopes_in(statement: ast.stmt, scope: Scope) -> list[Scope]:
    """The scopes that a statement opens, at any depth."""
    inside = [scope.children[node] for node in ast.walk(statement) if node in scope.children]
    for one in inside:
        inside += one.children.values()
    return inside


def _captures(inner: Scope, statement: ast.stmt, scope: Scope) -> bool:
    """Whether a scope inside a statement uses variables of the frame around the statement."""
    for name in inner.used | inner.nonlocals:
        owner = inner.find(name)
        if owner is None or owner.kind is Kind.MODULE:
            continue
        here: Scope | None = owner
        while here is not None and here is not scope:
            here = here.parent
        if here is None or owner is scope:
            return True
    return False


def loaded_names(node: ast.AST, scope: Scope) -> set[str]:
    """Names that a statement or expression reads in its own frame."""
    return {scope.mangled(name.id) for name in _names(node) if isinstance(name.ctx, ast.Load)} | {
        scope.mangled(one.target.id)
        for one in _frame_nodes(node)
        if isinstance(one, ast.AugAssign) and isinstance(one.target, ast.Name)
    }


def stored_names(node: ast.AST, scope: Scope) -> set[str]:
    """Names that a statement binds or deletes in its own frame."""
    found: set[str] = set()
    for one in _frame_nodes(node):
        if isinstance(one, ast.Name) and not isinstance(one.ctx, ast.Load):
            found.add(one.id)
        elif isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.add(one.name)
        elif isinstance(one, (ast.Import, ast.ImportFrom)):
            found |= {(alias.asname or alias.name).split(".")[0] for alias in one.names}
        elif isinstance(one, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and one.name:
            found.add(one.name)
        elif isinstance(one, ast.MatchMapping) and one.rest:
            found.add(one.rest)
    return {scope.mangled(name) for name in found} - {"*"}


def _names(node: ast.AST) -> list[ast.Name]:
    return [one for one in _frame_nodes(node) if isinstance(one, ast.Name)]


def _frame_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """A node and what is below it, without bodies of functions and classes and comprehensions."""
    waiting = [node]
    while waiting:
        one = waiting.pop()
        yield one
        if isinstance(one, ast.ClassDef):
            waiting += [*one.decorator_list, *one.bases, *one.keywords]
        elif isinstance(one, COMPREHENSIONS):
            waiting += [inner.target for inner in ast.walk(one) if isinstance(inner, ast.NamedExpr)]
            waiting.append(one.generators[0].iter)
        else:
            waiting += in_frame(one)


def statement_text(module: Module, node: ast.stmt) -> str:
    """The text of a statement as it can be run by itself: as written, if that is possible."""
    decorators = getattr(node, "decorator_list", [])
    start, end = module.extent(node)
    if decorators:
        first = module.line_starts[decorators[0].lineno - 1]
    else:
        first = module.line_starts[node.lineno - 1]
    lead = module.text[first:start]
    whole = module.text[first:end] if decorators or not lead.strip() else module.text[start:end]
    return _checked(textwrap.dedent(whole), node)


def expression_text(module: Module, node: ast.expr) -> str:
    """The text of an expression as it can be evaluated by itself."""
    return _checked(f"({module.segment(node)})", node)


def _checked(text: str, node: ast.stmt | ast.expr) -> str:
    """A text, if it says what a node says; else one that is made anew from the node."""
    try:
        return text if _says(text, node) else ast.unparse(node)
    except RecursionError:  # too deep to be compared: only its own text is left
        return text


def _says(text: str, node: ast.stmt | ast.expr) -> bool:
    try:
        (found,) = ast.parse(text).body
    except (SyntaxError, ValueError, MemoryError):
        return False
    if isinstance(node, ast.expr):
        return isinstance(found, ast.Expr) and ast.dump(found.value) == ast.dump(node)
    return ast.dump(found) == ast.dump(node)
