"""Patterns: Python expressions with ``$X`` and ``$...ARGS``, matched on ``ast`` by resolved name.

A dotted name in a pattern (``numpy.linalg.norm``) stands for every spelling that resolves to it.
A metavariable that occurs twice must stand for equal expressions. Keyword arguments match in any
order. ``$...ARGS`` stands for the arguments that are left, positional and by keyword.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from .model import PatternRule

Resolve = Callable[[ast.expr], str | None]
"""Dotted name that an expression stands for, or None: ``numpy.linalg.svd``, ``builtins.len``,
``numpy.ndarray.sum`` for a method of an expression known to be an array."""

IsKind = Callable[[ast.expr, str], bool]
"""Whether an expression is known to be of a kind of ``WHERE_KINDS`` that syntax cannot decide."""

METAVARIABLE = re.compile(r"\$(\.\.\.)?([A-Za-z_]\w*)?")
_ONE, _REST = "_metavariable_", "_arguments_"

OPERATORS: dict[type[ast.AST], str] = {
    ast.Add: "__add__",
    ast.Sub: "__sub__",
    ast.Mult: "__mul__",
    ast.Div: "__truediv__",
    ast.FloorDiv: "__floordiv__",
    ast.Mod: "__mod__",
    ast.Pow: "__pow__",
    ast.MatMult: "__matmul__",
    ast.LShift: "__lshift__",
    ast.RShift: "__rshift__",
    ast.BitAnd: "__and__",
    ast.BitOr: "__or__",
    ast.BitXor: "__xor__",
    ast.USub: "__neg__",
    ast.UAdd: "__pos__",
    ast.Invert: "__invert__",
    ast.Eq: "__eq__",
    ast.NotEq: "__ne__",
    ast.Lt: "__lt__",
    ast.LtE: "__le__",
    ast.Gt: "__gt__",
    ast.GtE: "__ge__",
}
"""Operators go by the method of ``numpy.ndarray`` they call: ``numpy.ndarray.__floordiv__``."""


class PatternError(ValueError):
    """A pattern or template that cannot be read; ``offset`` is 0-based in its text."""

    def __init__(self, message: str, offset: int = 0) -> None:
        super().__init__(message)
        self.offset = offset


@dataclass(frozen=True)
class Match:
    """What the metavariables of a pattern stand for.

    Attributes
    ----------
    node : ast.expr
        The expression that matched.
    one : dict
        Metavariable -> the expression it stands for.
    rest : dict
        ``$...NAME`` -> positional arguments and keywords, in the order written.
    """

    node: ast.expr
    one: dict[str, ast.expr] = field(default_factory=dict)
    rest: dict[str, tuple[ast.expr | ast.keyword, ...]] = field(default_factory=dict)


def compile_pattern(text: str) -> ast.expr:
    """Parse a pattern or a rewrite template.

    Raises
    ------
    PatternError
        Where it is no Python expression or has a badly formed metavariable.
    """
    pieces: list[str] = []
    starts: list[tuple[int, int]] = []  # (offset in the plain text, offset in the pattern)
    end = length = 0
    for found in METAVARIABLE.finditer(text):
        dots, name = found.groups()
        if not name or not name.isupper():
            shown = text[found.start() :].split()[0][:20].rstrip(",)]")
            raise PatternError(
                f"{shown!r} is no metavariable: write $NAME or $...NAME in capitals",
                found.start(),
            )
        piece = text[end : found.start()] + (_REST if dots else _ONE) + name
        pieces.append(piece)
        length += len(piece)
        end = found.end()
        starts.append((length, end))
    plain = "".join(pieces) + text[end:]
    try:
        return ast.parse(plain.strip(), mode="eval").body
    except SyntaxError as error:
        column = (error.offset or 1) - 1
        shift = next((original - at for at, original in reversed(starts) if at <= column), 0)
        raise PatternError(
            f"not a Python expression: {error.msg}", min(max(column + shift, 0), len(text))
        ) from None
    except ValueError as error:
        raise PatternError(f"not a Python expression: {error}") from None


def metavariable(node: ast.AST) -> str | None:
    """Name of the metavariable that a pattern node is, else None."""
    if isinstance(node, ast.Name) and node.id.startswith(_ONE):
        return node.id[len(_ONE) :]
    return None


def rest_variable(node: ast.AST) -> str | None:
    """Name of the ``$...NAME`` that a pattern node is, else None."""
    if isinstance(node, ast.Name) and node.id.startswith(_REST):
        return node.id[len(_REST) :]
    return None


def variables(pattern: ast.expr) -> dict[str, int]:
    """Metavariables of a pattern (``...ARGS`` for ``$...ARGS``) with how often each occurs."""
    counts: dict[str, int] = {}
    for node in ast.walk(pattern):
        name = metavariable(node)
        rest = rest_variable(node)
        found = name if name is not None else f"...{rest}" if rest is not None else None
        if found is not None:
            counts[found] = counts.get(found, 0) + 1
    return counts


def misplaced(pattern: ast.expr) -> str | None:
    """Name of a ``$...NAME`` that is anywhere but among the arguments of a call, last."""
    allowed: set[int] = set()
    for node in ast.walk(pattern):
        if isinstance(node, ast.Call) and node.args and rest_variable(node.args[-1]):
            allowed.add(id(node.args[-1]))
    for node in ast.walk(pattern):
        rest = rest_variable(node)
        if rest is not None and id(node) not in allowed:
            return rest
    return None


def dotted(node: ast.expr) -> str | None:
    """``numpy.linalg.norm`` of a plain attribute chain in a pattern, else None."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name) or metavariable(node) or rest_variable(node):
        return None
    return ".".join([node.id, *reversed(parts)])


def head(pattern: ast.expr) -> str | None:
    """Resolved name under which a pattern is indexed, or None where it has none.

    A call goes by its callable, a method by ``numpy.ndarray.<method>``, an operator by the
    method of ``numpy.ndarray`` it calls, an index by ``numpy.ndarray.__getitem__``.
    """
    if isinstance(pattern, ast.Call):
        return head(pattern.func)
    if isinstance(pattern, ast.Attribute | ast.Name):
        name = dotted(pattern)
        if name is not None:
            return name if "." in name else f"builtins.{name}"
        return f"numpy.ndarray.{pattern.attr}" if isinstance(pattern, ast.Attribute) else None
    if isinstance(pattern, ast.BinOp | ast.UnaryOp):
        method = OPERATORS.get(type(pattern.op))
        return f"numpy.ndarray.{method}" if method else None
    if isinstance(pattern, ast.Compare) and len(pattern.ops) == 1:
        method = OPERATORS.get(type(pattern.ops[0]))
        return f"numpy.ndarray.{method}" if method else None
    return "numpy.ndarray.__getitem__" if isinstance(pattern, ast.Subscript) else None


def match_rule(
    rule: PatternRule, node: ast.expr, resolve: Resolve, is_kind: IsKind | None = None
) -> Match | None:
    """Match an expression against the patterns of a rule, its ``where`` included.

    Parameters
    ----------
    rule : PatternRule
    node : ast.expr
        The expression as a whole: the call, not its function.
    resolve : callable
        Dotted name that an expression stands for, or None.
    is_kind : callable, optional
        Decides the kinds that syntax alone cannot; without it they do not hold.

    Returns
    -------
    Match or None
    """
    for pattern in rule.patterns:
        match = match_pattern(pattern, node, resolve)
        if match is not None and all(
            _holds(match, name, kind, is_kind) for name, kind in rule.where.items()
        ):
            return match
    return None


def match_pattern(pattern: ast.expr, node: ast.expr, resolve: Resolve) -> Match | None:
    """Match an expression against one compiled pattern."""
    match = Match(node)
    return match if _Matcher(resolve, match).same(pattern, node) else None


def _holds(match: Match, name: str, kind: str, is_kind: IsKind | None) -> bool:
    if name not in match.one:
        return all(
            _kind_of(part.value if isinstance(part, ast.keyword) else part, kind, is_kind)
            for part in match.rest.get(name, ())
        )
    return _kind_of(match.one[name], kind, is_kind)


def _kind_of(node: ast.expr, kind: str, is_kind: IsKind | None) -> bool:
    """Decide a kind by syntax where that is enough, else ask the caller."""
    if kind == "any":
        return True
    if kind == "name":
        return isinstance(node, ast.Name)
    value = _unsigned(node)
    constant = value.value if isinstance(value, ast.Constant) else ...
    if kind == "literal":
        return constant is not ...
    if constant is not ...:
        number = isinstance(constant, int | float | complex)
        return {
            "integer": type(constant) is int,
            "string": isinstance(constant, str),
            "scalar": number and not isinstance(constant, bool),
        }.get(kind, False)
    return is_kind is not None and is_kind(node, kind)


def _unsigned(node: ast.expr) -> ast.expr:
    """The operand of a sign, else the expression itself."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        return node.operand
    return node


class _Matcher:
    """Walks a pattern and an expression side by side, binding metavariables."""

    def __init__(self, resolve: Resolve, match: Match) -> None:
        self.resolve = resolve
        self.match = match

    def same(self, pattern: ast.AST, node: ast.AST) -> bool:
        """Whether a pattern node and a node of the program say the same."""
        name = metavariable(pattern)
        if name is not None:
            return self._bind(name, node)
        if isinstance(pattern, ast.Attribute | ast.Name):
            return self._same_name(pattern, node)
        if type(pattern) is not type(node):
            return False
        if isinstance(pattern, ast.Call) and isinstance(node, ast.Call):
            return self.same(pattern.func, node.func) and self._same_arguments(pattern, node)
        return all(
            self._same_field(getattr(pattern, name, None), getattr(node, name, None))
            for name in pattern._fields
            if name not in ("ctx", "kind")
        )

    def _same_field(self, pattern: object, value: object) -> bool:
        if isinstance(pattern, ast.AST):
            return isinstance(value, ast.AST) and self.same(pattern, value)
        if isinstance(pattern, list):
            return (
                isinstance(value, list)
                and len(pattern) == len(value)
                and all(self._same_field(p, v) for p, v in zip(pattern, value, strict=True))
            )
        return type(pattern) is type(value) and pattern == value

    def _same_name(self, pattern: ast.Attribute | ast.Name, node: ast.AST) -> bool:
        name = dotted(pattern)
        if name is not None:
            if not isinstance(node, ast.Attribute | ast.Name):
                return False
            found = self.resolve(node)
            return found == name or found == f"builtins.{name}"
        if not isinstance(pattern, ast.Attribute) or not isinstance(node, ast.Attribute):
            return False
        # A method of a metavariable is a method of arrays: `frame.sum()` is none of ours.
        return (
            pattern.attr == node.attr
            and self.resolve(node) == f"numpy.ndarray.{node.attr}"
            and self.same(pattern.value, node.value)
        )

    def _bind(self, name: str, node: ast.AST) -> bool:
        if not isinstance(node, ast.expr) or isinstance(node, ast.Starred):
            return False
        known = self.match.one.setdefault(name, node)
        return known is node or ast.dump(known) == ast.dump(node)

    def _same_arguments(self, pattern: ast.Call, node: ast.Call) -> bool:
        wanted = list(pattern.args)
        rest = rest_variable(wanted[-1]) if wanted else None
        if rest is not None:
            wanted.pop()
        if any(isinstance(a, ast.Starred) for a in node.args[: len(wanted)]):
            return False
        extra = node.args[len(wanted) :]
        if len(node.args) < len(wanted) or (extra and rest is None):
            return False
        if not all(self.same(p, a) for p, a in zip(wanted, node.args, strict=False)):
            return False
        left = {k.arg: k for k in node.keywords if k.arg is not None}
        for keyword in pattern.keywords:
            given = left.pop(keyword.arg, None) if keyword.arg is not None else None
            if given is None or not self.same(keyword.value, given.value):
                return False
        if rest is None:
            return not left and all(k.arg is not None for k in node.keywords)
        remaining = tuple(k for k in node.keywords if k.arg is None or k.arg in left)
        self.match.rest[rest] = (*extra, *remaining)
        return True


def names_in(pattern: ast.expr) -> Iterator[str]:
    """Dotted names that a pattern or template mentions, outermost chains only."""
    if isinstance(pattern, ast.Attribute | ast.Name):
        name = dotted(pattern)
        if name is not None:
            yield name
            return
    for child in ast.iter_child_nodes(pattern):
        if isinstance(child, ast.expr):
            yield from names_in(child)
        elif isinstance(child, ast.keyword):
            yield from names_in(child.value)
