"""A match and its template to new text: the rule's own words around the user's own expressions."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from .matching import (
    METAVARIABLE,
    Match,
    compile_pattern,
    dotted,
    metavariable,
    rest_variable,
)
from .model import PatternRule, SwapRule


class ModuleName(str):
    """The name of a module inside a rewrite, to be written under the file's own alias.

    Its text is the module's full name (``cupy``), so that parts joined as they are still read
    as Python.
    """

    __slots__ = ()


Part = str | ast.expr | ast.keyword
"""Text of the rule, or an expression (or ``name=value``) of the user's, in its original text."""


@dataclass(frozen=True)
class Refusal:
    """Why a match is not rewritten, as the end of a sentence about it."""

    reason: str


def rewrite(
    rule: PatternRule, match: Match, parent: ast.AST | None = None
) -> tuple[Part, ...] | Refusal:
    """Fill in a rule's template.

    Parameters
    ----------
    rule : PatternRule
        One that has a ``rewrite``.
    match : Match
    parent : ast.AST, optional
        The node that holds ``match.node``; parentheses are added where it needs them. Without it
        they are added around everything that is no name, call, attribute or index.

    Returns
    -------
    tuple of Part or Refusal
        Text alternating with the user's own nodes, parenthesised where precedence needs it;
        ``ModuleName`` where a module's alias goes. Joined they are the new expression.
    """
    assert rule.rewrite is not None, f"{rule.id} has no rewrite"
    template = compile_pattern(rule.rewrite)
    refusal = _evaluated_differently(template, match)
    if refusal is not None:
        return refusal
    parts = _Template(rule.rewrite.strip(), template, match).parts()
    bound = _bound(template, match)
    several_lines = bound is not template and bound.lineno != bound.end_lineno
    if several_lines or _needs_parentheses(bound, parent, match.node):
        parts = ["(", *parts, ")"]
    return tuple(parts)


def swap_call(rule: SwapRule, call: ast.Call) -> tuple[Part, ...] | Refusal:
    """Write a call as the rule's replacement: arguments renamed, dropped at their default.

    Returns
    -------
    tuple of Part or Refusal
        As ``rewrite`` gives them.
    """
    parts: list[Part] = [
        ModuleName(rule.to.partition(".")[0]),
        "." + rule.to.partition(".")[2],
        "(",
    ]
    arguments: list[list[Part]] = []
    for number, argument in enumerate(call.args):
        if isinstance(argument, ast.Starred):
            if rule.positional or rule.drop or rule.refuse:
                return Refusal("what `*` stands for is not known")
            name = ""
        else:
            name = rule.positional[number] if number < len(rule.positional) else ""
        refusal, dropped = _parameter(rule, name, argument)
        if refusal is not None:
            return refusal
        if dropped and number != len(call.args) - 1:
            return Refusal(f"parameter {name!r} cannot be left out before others")
        if not dropped:
            arguments.append([argument])
    for keyword in call.keywords:
        if keyword.arg is None:
            return Refusal("what `**` stands for is not known")
        refusal, dropped = _parameter(rule, keyword.arg, keyword.value)
        if refusal is not None:
            return refusal
        if not dropped:
            new = rule.rename.get(keyword.arg, keyword.arg)
            arguments.append([keyword] if new == keyword.arg else [f"{new}=", keyword.value])
    for number, argument_parts in enumerate(arguments):
        parts += [", ", *argument_parts] if number else argument_parts
    return (*parts, ")")


def _parameter(rule: SwapRule, name: str, value: ast.expr) -> tuple[Refusal | None, bool]:
    """What becomes of a parameter: a refusal, or whether it is left out."""
    if name in rule.refuse:
        return Refusal(f"parameter {name!r}: {rule.refuse[name]}"), False
    if name not in rule.drop:
        return None, False
    try:
        given = ast.literal_eval(value)
    except ValueError:
        given = ...
    default = rule.drop[name]
    if type(given) is type(default) and given == default:
        return None, True
    return Refusal(f"parameter {name!r} can only be left out at its default, {default!r}"), False


def render(parts: tuple[Part, ...], source: str, aliases: dict[str, str]) -> str:
    """Join parts to text: the user's expressions as they stand in ``source``.

    Parameters
    ----------
    parts : tuple of Part
    source : str
        The text that the nodes were parsed from.
    aliases : dict
        Module -> the name it goes by in the file: ``{"cupy": "cp"}``.
    """
    texts = []
    for part in parts:
        if isinstance(part, ModuleName):
            texts.append(aliases.get(part, part))
        elif isinstance(part, str):
            texts.append(part)
        else:
            texts.append(ast.get_source_segment(source, part) or ast.unparse(part))
    return "".join(texts)


_PLAIN = (ast.Name, ast.Constant)
_EFFECTS = (ast.Call, ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr)


def _evaluated_differently(template: ast.expr, match: Match) -> Refusal | None:
    """Refuse where an expression would run more often, no more, or in another order."""
    used: list[str] = [
        name
        for node in _in_order(template)
        if (name := metavariable(node) or rest_variable(node)) is not None
    ]
    for name, expression in match.one.items():
        text = ast.unparse(expression)
        if used.count(name) > 1 and not isinstance(expression, _PLAIN):
            return Refusal(f"`{text}` would be evaluated {used.count(name)} times")
        if name not in used and _has_effects(expression):
            return Refusal(f"`{text}` would not be evaluated any more")
    for name, arguments in match.rest.items():
        if name not in used and any(_has_effects(a) for a in arguments):
            return Refusal("arguments would not be evaluated any more")
    bound = [*match.one, *match.rest]
    if sum(_has_effects(n) for n in match.one.values()) + bool(match.rest) < 2:
        return None
    order = [name for name in sorted(bound, key=lambda n: _start(match, n)) if name in used]
    if order != used:
        return Refusal("its arguments would be evaluated in another order")
    return None


def _in_order(node: ast.AST) -> list[ast.AST]:
    """Nodes in the order in which they are written."""
    found = [n for n in ast.walk(node) if hasattr(n, "col_offset")]
    return sorted(found, key=lambda n: (n.lineno, n.col_offset))  # type: ignore[attr-defined]


def _has_effects(node: ast.AST) -> bool:
    return any(isinstance(inner, _EFFECTS) for inner in ast.walk(node))


def _start(match: Match, name: str) -> tuple[int, int]:
    if name in match.one:
        return match.one[name].lineno, match.one[name].col_offset
    arguments = match.rest[name]
    last = (match.node.end_lineno or 0, match.node.end_col_offset or 0)
    return (arguments[0].lineno, arguments[0].col_offset) if arguments else last


class _Template:
    """Cuts a template's text at its metavariables and module names."""

    def __init__(self, text: str, tree: ast.expr, match: Match) -> None:
        self.text = text
        self.match = match
        self.parents = {
            id(child): node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)
        }
        self.nodes = [n for n in _in_order(tree) if metavariable(n) or rest_variable(n)]
        self.modules = {
            name.partition(".")[0]
            for node in ast.walk(tree)
            if isinstance(node, ast.Attribute) and (name := dotted(node)) is not None
        }

    def parts(self) -> list[Part]:
        """The parts of the rewritten expression."""
        parts: list[Part] = []
        end = 0
        for found, node in zip(METAVARIABLE.finditer(self.text), self.nodes, strict=True):
            parts += self._words(self.text[end : found.start()])
            end = found.end()
            if found.group(1):
                self._add_rest(parts, found.group(2))
                if not self.match.rest[found.group(2)] and str(parts[-1]).endswith("("):
                    end += len(self.text[end:]) - len(self.text[end:].lstrip(", "))
            else:
                parts += self._one(node, self.match.one[found.group(2)])
        return parts + self._words(self.text[end:])

    def _one(self, node: ast.AST, expression: ast.expr) -> list[Part]:
        parent = self.parents.get(id(node))
        if parent is None:  # the template is this metavariable: the result's own parentheses do
            return [expression]
        inside = isinstance(parent, ast.Call) and node is not parent.func
        inside = inside or isinstance(parent, ast.List | ast.keyword)
        several_lines = expression.lineno != expression.end_lineno
        if _needs_parentheses(expression, parent, node) or (several_lines and not inside):
            return ["(", expression, ")"]
        return [expression]

    def _add_rest(self, parts: list[Part], name: str) -> None:
        """Append the remaining arguments; without any, the comma before them goes too."""
        arguments = self.match.rest[name]
        if not arguments:
            if parts and isinstance(parts[-1], str):
                parts[-1] = parts[-1].rstrip().removesuffix(",")
            return
        for number, argument in enumerate(arguments):
            if number:
                parts.append(", ")
            parts.append(argument)

    def _words(self, text: str) -> list[Part]:
        """Split text where a module's name starts a dotted name."""
        words: list[Part] = []
        for module in self._split(text):
            words.append(ModuleName(module) if module in self.modules else module)
        return [word for word in words if word != ""]

    def _split(self, text: str) -> list[str]:
        if not self.modules:
            return [text]
        names = "|".join(sorted(map(re.escape, self.modules), key=len, reverse=True))
        return re.split(rf"(?<![\w.$\"'])({names})(?=\.)", text)


def _bound(template: ast.expr, match: Match) -> ast.expr:
    """The expression whose precedence the result has."""
    name = metavariable(template)
    return match.one[name] if name is not None else template


_PRECEDENCE: dict[type[ast.AST], int] = {
    ast.NamedExpr: 0, ast.Lambda: 1, ast.IfExp: 2, ast.Or: 3, ast.And: 4, ast.Not: 5,
    ast.Compare: 6, ast.BitOr: 7, ast.BitXor: 8, ast.BitAnd: 9, ast.LShift: 10, ast.RShift: 10,
    ast.Add: 11, ast.Sub: 11, ast.Mult: 12, ast.Div: 12, ast.FloorDiv: 12, ast.Mod: 12,
    ast.MatMult: 12, ast.UAdd: 13, ast.USub: 13, ast.Invert: 13, ast.Pow: 14, ast.Await: 15,
}  # fmt: skip
"""How tightly an expression binds, as Python's reference lists it, loosest first."""

_ATOM = 16


def _precedence(node: ast.AST) -> int:
    if isinstance(node, ast.BinOp | ast.UnaryOp | ast.BoolOp):
        return _PRECEDENCE[type(node.op)]
    if isinstance(node, ast.Yield | ast.YieldFrom | ast.Tuple | ast.Starred | ast.GeneratorExp):
        # A tuple or generator may stand without parentheses of its own: never rely on them.
        return -1
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float | complex):
        return 14  # `1.real` is no attribute of 1
    if isinstance(node, ast.Constant):
        return 14  # adjacent strings are one constant: `"a" "b".upper()`
    return _PRECEDENCE.get(type(node), _ATOM)


def _needs_parentheses(node: ast.AST, parent: ast.AST | None, place: ast.AST) -> bool:
    """Whether an expression must be parenthesised at a place in its parent."""
    binds = _precedence(node)
    if binds == _ATOM:
        return False
    if parent is None or place is parent:
        return binds < _ATOM and not isinstance(node, ast.Constant)
    if isinstance(parent, ast.BinOp):
        outer = _precedence(parent)
        tight_side = parent.left if isinstance(parent.op, ast.Pow) else parent.right
        return binds < outer or (binds == outer and place is tight_side)
    if isinstance(parent, ast.UnaryOp | ast.BoolOp | ast.Compare | ast.Await):
        return binds <= _precedence(parent)
    if isinstance(parent, ast.Attribute):
        return True
    if isinstance(parent, ast.Call):
        return place is parent.func or binds < 1
    if isinstance(parent, ast.Subscript):
        return place is parent.value or binds == 0
    if isinstance(parent, ast.keyword | ast.List | ast.Tuple | ast.Set | ast.Dict):
        return binds < 1
    if isinstance(parent, ast.Assign | ast.AugAssign | ast.AnnAssign | ast.Return | ast.Expr):
        return binds < 1
    return True
