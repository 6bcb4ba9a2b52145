"""`match`: patterns become tests and bindings (PEP 634)."""

from __future__ import annotations

import ast
from copy import deepcopy

from gpuport._frozen import frozen
from gpuport.ir import Value
from gpuport.lower.extraction import loaded_names, stored_names
from gpuport.lower.knowledge import MATCH_THEMSELVES
from gpuport.lower.lowering import Lowering, statement

#: Patterns that look into the subject are asked of Python: what is a sequence or a mapping, and
#: which attributes the positions of a class stand for, only the subject and its class can tell.
ASKED = """\
match subject__:
    case {pattern}:
        matched__ = True
    case _:
        matched__ = False
"""


@frozen
class Found:
    """Whether a pattern matched, and what its names would be bound to."""

    matched: Value
    captures: dict[str, Value]


@statement(ast.Match)
def _match(at: Lowering, node: ast.Match) -> bool:
    subject = at.expr(node.subject)

    def case(place: int) -> bool:
        if place == len(node.cases):
            return True
        one = node.cases[place]
        if _always(one.pattern) and one.guard is None:
            _bind(at, _test(at, one.pattern, subject), one.pattern)
            return at.block(one.body)
        holds = _holds(at, one, subject)
        return at.branch(holds, lambda: at.block(one.body), lambda: case(place + 1), node)

    return case(0)


def _always(pattern: ast.pattern) -> bool:
    return isinstance(pattern, ast.MatchAs) and pattern.pattern is None


def _holds(at: Lowering, case: ast.match_case, subject: Value) -> Value:
    """Whether a case is taken; its names are bound before its guard is asked."""
    found = _test(at, case.pattern, subject)

    def bound() -> list[Value]:
        _bind(at, found, case.pattern)
        return [found.matched if case.guard is None else at.expr(case.guard)]

    if case.guard is None and not found.captures:
        return found.matched
    return at.choose(found.matched, bound, lambda: [found.matched], _whole(case))[0]


def _whole(case: ast.match_case) -> ast.AST:
    """A node as large as the pattern and its guard."""
    if case.guard is None:
        return case.pattern
    start, end = case.pattern, case.guard
    return ast.Pass(
        lineno=start.lineno,
        col_offset=start.col_offset,
        end_lineno=end.end_lineno,
        end_col_offset=end.end_col_offset,
    )


def _bind(at: Lowering, found: Found, node: ast.pattern) -> None:
    for name, value in found.captures.items():
        at.bind(name, value, node)


def _test(at: Lowering, pattern: ast.pattern, subject: Value) -> Found:
    match pattern:
        case ast.MatchValue():
            return _compared(at, pattern, subject, at.expr(pattern.value), "==")
        case ast.MatchSingleton():
            return _compared(at, pattern, subject, at.const(pattern.value, pattern), "is")
        case ast.MatchAs():
            return _capture(at, pattern, subject)
        case ast.MatchOr():
            return _any(at, pattern, subject, 0)
        case ast.MatchClass() if _is_simple(at, pattern):
            return _class(at, pattern, subject)
        case _:
            return _asked(at, pattern, subject)


def _compared(
    at: Lowering, pattern: ast.pattern, subject: Value, other: Value, operator: str
) -> Found:
    return Found(at.value("Compare", (subject, other), pattern, operator=operator), {})


def _capture(at: Lowering, pattern: ast.MatchAs, subject: Value) -> Found:
    if pattern.pattern is None:
        found = Found(at.const(True, pattern), {})
    else:
        found = _test(at, pattern.pattern, subject)
    if pattern.name is None:
        return found
    return Found(found.matched, found.captures | {at.scope.mangled(pattern.name): subject})


def _any(at: Lowering, pattern: ast.MatchOr, subject: Value, place: int) -> Found:
    """Alternatives bind the same names."""
    first = _test(at, pattern.patterns[place], subject)
    if place == len(pattern.patterns) - 1:
        return first
    names = list(first.captures)

    def rest() -> list[Value]:
        found = _any(at, pattern, subject, place + 1)
        return [found.matched, *[found.captures[name] for name in names]]

    def keep() -> list[Value]:
        return [first.matched, *first.captures.values()]

    matched, *captured = at.choose(first.matched, keep, rest, pattern)
    return Found(matched, dict(zip(names, captured, strict=True)))


def _is_simple(at: Lowering, pattern: ast.MatchClass) -> bool:
    """Whether a class pattern asks for nothing but the class and the subject itself."""
    if pattern.kwd_attrs or len(pattern.patterns) > 1:
        return False
    path = at.shared.known.paths.of(at.scope, pattern.cls)
    return not pattern.patterns or path in MATCH_THEMSELVES


def _class(at: Lowering, pattern: ast.MatchClass, subject: Value) -> Found:
    kind = at.expr(pattern.cls)
    callee = at.builtin("isinstance", pattern)
    test = at.call(callee, (subject, kind), pattern)
    if not pattern.patterns:
        return Found(test, {})
    inner = pattern.patterns[0]
    names = sorted(stored_names(inner, at.scope))

    def rest() -> list[Value]:
        found = _test(at, inner, subject)
        return [found.matched, *[found.captures[name] for name in names]]

    def missed() -> list[Value]:
        return [test, *[at.const(None, pattern) for _ in names]]

    matched, *captured = at.choose(test, rest, missed, pattern)
    return Found(matched, dict(zip(names, captured, strict=True)))


def _asked(at: Lowering, pattern: ast.pattern, subject: Value) -> Found:
    names = sorted(stored_names(pattern, at.scope))
    reads = {"subject__": subject} | at.readable(loaded_names(pattern, at.scope), pattern)
    text = ASKED.format(pattern=ast.unparse(_mangled(at, pattern)))
    reason = "what the pattern asks for depends on the class of the subject"
    matched, *captured = at.opaque_text(pattern, reason, text, reads, ["matched__", *names])
    return Found(matched, dict(zip(names, captured, strict=True)))


def _mangled(at: Lowering, pattern: ast.pattern) -> ast.pattern:
    """A pattern as it reads outside of the class that it stands in."""
    if at.scope.private is None:
        return pattern
    copied = deepcopy(pattern)
    for node in ast.walk(copied):
        if isinstance(node, ast.Name):
            node.id = at.scope.mangled(node.id)
        elif isinstance(node, ast.Attribute):
            node.attr = at.scope.mangled(node.attr)
        elif isinstance(node, (ast.MatchAs, ast.MatchStar)) and node.name is not None:
            node.name = at.scope.mangled(node.name)
        elif isinstance(node, ast.MatchMapping) and node.rest is not None:
            node.rest = at.scope.mangled(node.rest)
    return copied
