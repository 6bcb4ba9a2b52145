"""Faults that porting makes, and harmless rewrites, as edits of single expressions and statements.

An operator takes one LibCST node and gives what a porter might have written in its place, or None
where it does not apply. `mutants` applies one operator at one place of one function.
"""

from __future__ import annotations

import ast
import builtins
import re
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import libcst as cst

Operator = Callable[[cst.CSTNode], cst.CSTNode | None]
DELETED = cst.Pass()
_OF_ARGUMENTS = ("result copied", "mutation lost")


@dataclass(frozen=True)
class Mutant:
    """One changed program: where, by which operator, and the text before and after."""

    function: str
    operator: str
    line: int
    before: str
    after: str
    text: str


def _e(text: str) -> cst.BaseExpression:
    return cst.parse_expression(text)


def _code(node: cst.CSTNode) -> str:
    return cst.Module([]).code_for_node(node)


def _name(call: cst.CSTNode) -> str:
    """``sum`` for ``cp.sum(x)`` and ``x.sum()``."""
    if not isinstance(call, cst.Call):
        return ""
    function = call.func
    if isinstance(function, cst.Attribute):
        return function.attr.value
    return function.value if isinstance(function, cst.Name) else ""


def _renamed(names: dict[str, str]) -> Operator:
    """Another function in the place of one."""

    def operator(node: cst.CSTNode) -> cst.CSTNode | None:
        new = names.get(_name(node))
        if new is None or not isinstance(node, cst.Call):
            return None
        if isinstance(node.func, cst.Attribute):
            module = _code(node.func.value) in ("cp", "np", "xp", "math", "cp.linalg")
            if not module and new.startswith("nan"):
                return None  # arrays have no such method
            return node.with_changes(func=node.func.with_changes(attr=cst.Name(new)))
        return None

    return operator


def _keyword(node: cst.CSTNode, name: str) -> cst.Arg | None:
    for argument in node.args if isinstance(node, cst.Call) else ():
        if argument.keyword is not None and argument.keyword.value == name:
            return argument
    return None


def _keyword_lost(name: str) -> Operator:
    def operator(node: cst.CSTNode) -> cst.CSTNode | None:
        found = _keyword(node, name)
        if found is None or not isinstance(node, cst.Call):
            return None
        kept = [a for a in node.args if a is not found]
        if kept:
            kept[-1] = kept[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
        return node.with_changes(args=kept)

    return operator


def _keyword_value(name: str, values: dict[str, str]) -> Operator:
    def operator(node: cst.CSTNode) -> cst.CSTNode | None:
        found = _keyword(node, name)
        new = values.get(_code(found.value)) if found is not None else None
        if new is None or found is None or not isinstance(node, cst.Call):
            return None
        args = [a.with_changes(value=_e(new)) if a is found else a for a in node.args]
        return node.with_changes(args=args)

    return operator


def _binary(old: type[cst.BaseBinaryOp], new: cst.BaseBinaryOp) -> Operator:
    def operator(node: cst.CSTNode) -> cst.CSTNode | None:
        if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, old):
            return node.with_changes(operator=new)
        return None

    return operator


def _swapped(*kinds: type[cst.BaseBinaryOp]) -> Operator:
    def operator(node: cst.CSTNode) -> cst.CSTNode | None:
        if not isinstance(node, cst.BinaryOperation) or not isinstance(node.operator, kinds):
            return None
        left, right = (
            part if part.lpar or isinstance(part, cst.Name | cst.Call | cst.Subscript | cst.Float)
            else _parenthesised(part)
            for part in (node.right, node.left)
        )  # fmt: skip
        return node.with_changes(left=left, right=right)

    return operator


def _commuted(node: cst.CSTNode) -> cst.CSTNode | None:
    """A sum with its operands exchanged; one of tuples or lists is none."""
    if not isinstance(node, cst.BinaryOperation):
        return None
    joined = (cst.Tuple, cst.List, cst.BaseString)
    if isinstance(node.left, joined) or isinstance(node.right, joined):
        return None
    return _swapped(cst.Add)(node)


def _product_commuted(node: cst.CSTNode) -> cst.CSTNode | None:
    """A product with its operands exchanged; that of an instance is what its class makes of it."""
    if not isinstance(node, cst.BinaryOperation) or "self" in (_code(node.left), _code(node.right)):
        return None
    return _swapped(cst.Multiply)(node)


def _parenthesised(node: cst.BaseExpression) -> cst.BaseExpression:
    return node.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])


def _compared(old: type[cst.BaseCompOp], new: cst.BaseCompOp) -> Operator:
    def operator(node: cst.CSTNode) -> cst.CSTNode | None:
        if isinstance(node, cst.ComparisonTarget) and isinstance(node.operator, old):
            return node.with_changes(operator=new)
        return None

    return operator


def _template(pattern: str, result: str) -> Operator:
    """A rewrite of an expression's text by a regular expression that must match all of it."""
    compiled = re.compile(pattern, re.S)

    def operator(node: cst.CSTNode) -> cst.CSTNode | None:
        if not isinstance(node, cst.BaseExpression):
            return None
        match = compiled.fullmatch(_code(node))
        if match is None or _unbalanced(match.groups()):
            return None
        try:
            return _e(match.expand(result))
        except cst.ParserSyntaxError:
            return None

    return operator


def _unbalanced(parts: tuple[str | None, ...]) -> bool:
    for part in parts:
        depth = 0
        for letter in part or "":
            depth += letter in "([{"
            depth -= letter in ")]}"
            if depth < 0 or (depth == 0 and letter == ","):
                return True
        if depth:
            return True
    return False


def _slice(which: str) -> Operator:
    def operator(node: cst.CSTNode) -> cst.CSTNode | None:
        if not isinstance(node, cst.Slice):
            return None
        bound = getattr(node, which)
        if bound is None:
            return None
        sign = "+" if which == "lower" else "-"
        return node.with_changes(**{which: _e(f"{_code(bound)} {sign} 1")})

    return operator


def _index_shifted(node: cst.CSTNode) -> cst.CSTNode | None:
    simple = isinstance(node, cst.Index) and isinstance(node.value, cst.Name | cst.Integer)
    if not simple or not isinstance(node, cst.Index) or _code(node.value) == "None":
        return None
    return node.with_changes(value=_e(f"{_code(node.value)} - 1"))


def _integer_shifted(node: cst.CSTNode) -> cst.CSTNode | None:
    return cst.Integer(str(int(node.value, 0) + 1)) if isinstance(node, cst.Integer) else None


def _single_literal(node: cst.CSTNode) -> cst.CSTNode | None:
    import numpy as np

    if not isinstance(node, cst.Float):
        return None
    single = float(np.float32(float(node.value)))
    return cst.Float(repr(single)) if single != float(node.value) else None


def _literal_negated(node: cst.CSTNode) -> cst.CSTNode | None:
    if isinstance(node, cst.Float) and float(node.value) != 0:
        return _e(f"(-{node.value})")
    return None


def _condition_negated(node: cst.CSTNode) -> cst.CSTNode | None:
    if isinstance(node, cst.If):
        return node.with_changes(test=_e(f"not ({_code(node.test)})"))
    return None


def _else_lost(node: cst.CSTNode) -> cst.CSTNode | None:
    return node.with_changes(orelse=None) if isinstance(node, cst.If) and node.orelse else None


def _and_or(node: cst.CSTNode) -> cst.CSTNode | None:
    if not isinstance(node, cst.BooleanOperation):
        return None
    other = cst.Or() if isinstance(node.operator, cst.And) else cst.And()
    return node.with_changes(operator=other)


def _bits(node: cst.CSTNode) -> cst.CSTNode | None:
    if not isinstance(node, cst.BinaryOperation):
        return None
    pairs = {cst.BitAnd: cst.BitOr(), cst.BitOr: cst.BitAnd()}
    new = pairs.get(type(node.operator))
    return node.with_changes(operator=new) if new is not None else None


def _arguments_swapped(node: cst.CSTNode) -> cst.CSTNode | None:
    if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Attribute):
        return None
    plain = [a for a in node.args if a.keyword is None and not a.star]
    commuting = ("maximum", "minimum", "add", "multiply", "hypot", "equal", "logical_and", "array")
    if len(plain) < 2 or _name(node) in commuting or _code(node.func.value) not in ("cp", "np"):
        return None
    if _code(plain[0].value) == _code(plain[1].value):
        return None
    values = [plain[1].value, plain[0].value]
    args = [
        a.with_changes(value=values[plain.index(a)]) if a in plain[:2] else a for a in node.args
    ]
    return node.with_changes(args=args)


def _range(text: str) -> Operator:
    def operator(node: cst.CSTNode) -> cst.CSTNode | None:
        if _name(node) not in ("range", "arange") or not isinstance(node, cst.Call):
            return None
        if len(node.args) != 1:
            return None
        function, bound = _code(node.func), _code(node.args[0].value)
        return _e(text.format(f=function, n=bound))

    return operator


def _mutation_lost(node: cst.CSTNode) -> cst.CSTNode | None:
    if not isinstance(node, cst.AugAssign) or not isinstance(node.target, cst.Name):
        return None
    operator = _code(node.operator).strip().rstrip("=")
    text = f"{node.target.value} = {node.target.value} {operator} ({_code(node.value)})"
    statement = cst.parse_statement(text)
    assert isinstance(statement, cst.SimpleStatementLine)
    return statement.body[0]


def _accumulation_lost(node: cst.CSTNode) -> cst.CSTNode | None:
    if not isinstance(node, cst.AugAssign):
        return None
    return cst.Assign([cst.AssignTarget(node.target)], node.value)


def _store_lost(node: cst.CSTNode) -> cst.CSTNode | None:
    stores = isinstance(node, cst.Assign) and isinstance(node.targets[0].target, cst.Subscript)
    return DELETED if stores else None


def _update_lost(node: cst.CSTNode) -> cst.CSTNode | None:
    return DELETED if isinstance(node, cst.AugAssign) else None


def _call_lost(node: cst.CSTNode) -> cst.CSTNode | None:
    return DELETED if isinstance(node, cst.Expr) and isinstance(node.value, cst.Call) else None


def _raise_lost(node: cst.CSTNode) -> cst.CSTNode | None:
    return DELETED if isinstance(node, cst.Raise) else None


def _break_lost(node: cst.CSTNode) -> cst.CSTNode | None:
    return DELETED if isinstance(node, cst.Break | cst.Continue) else None


def _returned(change: Callable[[cst.BaseExpression], cst.BaseExpression | None]) -> Operator:
    def operator(node: cst.CSTNode) -> cst.CSTNode | None:
        if not isinstance(node, cst.Return) or node.value is None:
            return None
        new = change(node.value)
        return None if new is None else node.with_changes(value=new)

    return operator


def _reversed_tuple(value: cst.BaseExpression) -> cst.BaseExpression | None:
    if not isinstance(value, cst.Tuple) or len(value.elements) < 2:
        return None
    parts = [_code(element.value) for element in reversed(value.elements)]
    return _e(f"({', '.join(parts)})")


def _as_list(value: cst.BaseExpression) -> cst.BaseExpression | None:
    if not isinstance(value, cst.Tuple):
        return None
    return _e("[" + ", ".join(_code(element.value) for element in value.elements) + "]")


def _copied(value: cst.BaseExpression) -> cst.BaseExpression | None:
    return _e(f"{value.value}.copy()") if isinstance(value, cst.Name) else None


def _first_only(value: cst.BaseExpression) -> cst.BaseExpression | None:
    if isinstance(value, cst.Tuple) and len(value.elements) > 1:
        return _e(f"({', '.join(_code(e.value) for e in value.elements[:-1])},)")
    return None


def _writes_lost(node: cst.CSTNode) -> cst.CSTNode | None:
    if not isinstance(node, cst.Decorator):
        return None
    new = _keyword_lost("writes")(node.decorator)
    return None if new is None else node.with_changes(decorator=new)


def _single(number: re.Match[str]) -> str:
    """As a float32 literal, where that is another number."""
    same = struct.unpack("f", struct.pack("f", float(number[1])))[0] == float(number[1])
    return number[1] if same else f"{number[1]}f"


def _kernel(pattern: str, result: str | Callable[[re.Match[str]], str]) -> Operator:
    """A change in the text of a kernel: the first match in a string that holds statements."""
    compiled = re.compile(pattern)

    def operator(node: cst.CSTNode) -> cst.CSTNode | None:
        if not isinstance(node, cst.SimpleString) or ";" not in node.value:
            return None
        if "__device__" in node.value:
            return None
        new = compiled.sub(result, node.value, count=1)
        return node.with_changes(value=new) if new != node.value else None

    return operator


_ONE = r"(cp|np)\.{}\(([^,]+)\)"
FAULTS: dict[str, Operator] = {
    "wrong function": _renamed({"sin": "cos", "cos": "sin", "sinh": "tanh", "tanh": "sinh",
        "exp": "expm1", "log": "log1p", "log2": "log10", "log10": "log", "arctan": "arcsin",
        "arctan2": "hypot", "hypot": "arctan2", "ones": "zeros", "ones_like": "zeros_like",
        "vstack": "hstack", "hstack": "vstack", "tril": "triu", "triu": "tril"}),
    "maximum for minimum": _renamed({"maximum": "minimum", "minimum": "maximum", "max": "min",
        "min": "max", "amax": "amin"}),
    "argmax for argmin": _renamed({"argmax": "argmin", "argmin": "argmax"}),
    "sum for mean": _renamed({"mean": "sum", "std": "var", "var": "std"}),
    "product for sum": _renamed({"sum": "prod", "prod": "sum", "cumsum": "cumprod"}),
    "NaN ignored": _renamed({"max": "nanmax", "min": "nanmin", "sum": "nansum", "mean": "nanmean",
        "std": "nanstd", "var": "nanvar", "argmax": "nanargmax", "argmin": "nanargmin",
        "cumsum": "nancumsum", "percentile": "nanpercentile", "median": "nanmedian"}),
    "truncation for floor": _renamed({"floor": "trunc", "ceil": "floor"}),
    "half away from even": _template(r"(cp|np)\.(?:round|rint|around)\(([^,]+)\)",
        r"\1.floor(\2 + 0.5)"),
    "any for all": _renamed({"any": "all", "all": "any"}),
    "axis changed": _keyword_value("axis", {"0": "-1", "1": "0", "-1": "0", "2": "1"}),
    "axis lost": _keyword_lost("axis"),
    "ddof lost": _keyword_lost("ddof"),
    "keepdims lost": _keyword_lost("keepdims"),
    "dtype lost": _keyword_lost("dtype"),
    "dtype narrowed": _template(r"(cp|np)\.float64", r"\1.float32"),
    "integer dtype narrowed": _template(r"(cp|np)\.int64", r"\1.int32"),
    "side lost": _keyword_lost("side"),
    "full_matrices lost": _keyword_lost("full_matrices"),
    "minlength lost": _keyword_lost("minlength"),
    "endpoint lost": _keyword_lost("endpoint"),
    "indexing lost": _keyword_lost("indexing"),
    "first element missing": _slice("lower"),
    "last element missing": _slice("upper"),
    "loop ends early": _range("{f}(({n}) - 1)"),
    "loop begins late": _range("{f}(1, {n})"),
    "index off by one": _index_shifted,
    "number off by one": _integer_shifted,
    "float32 literal": _single_literal,
    "literal's sign": _literal_negated,
    "floor division for division": _binary(cst.Divide, cst.FloorDivide()),
    "division for floor division": _binary(cst.FloorDivide, cst.Divide()),
    "fmod for mod": _template(r"(\w+(?:\.\w+|\[[^\]]*\])*) % (.+)", r"cp.fmod(\1, \2)"),
    "minus for plus": _binary(cst.Add, cst.Subtract()),
    "plus for minus": _binary(cst.Subtract, cst.Add()),
    "plus for times": _binary(cst.Multiply, cst.Add()),
    "times for divided by": _binary(cst.Divide, cst.Multiply()),
    "times for power": _binary(cst.Power, cst.Multiply()),
    "matrix product for product": _binary(cst.Multiply, cst.MatrixMultiply()),
    "operands swapped": _swapped(cst.Subtract, cst.Divide, cst.FloorDivide, cst.Modulo, cst.Power),
    "arguments swapped": _arguments_swapped,
    "less-equal for less": _compared(cst.LessThan, cst.LessThanEqual()),
    "less for less-equal": _compared(cst.LessThanEqual, cst.LessThan()),
    "greater-equal for greater": _compared(cst.GreaterThan, cst.GreaterThanEqual()),
    "greater for greater-equal": _compared(cst.GreaterThanEqual, cst.GreaterThan()),
    "greater for less": _compared(cst.LessThan, cst.GreaterThan()),
    "unequal for equal": _compared(cst.Equal, cst.NotEqual()),
    "condition negated": _condition_negated,
    "else lost": _else_lost,
    "or for and": _and_or,
    "bit operators changed": _bits,
    "branches of where swapped": _template(r"(cp|np)\.where\(([^,]+), ([^,]+), ([^,]+)\)",
        r"\1.where(\2, \4, \3)"),
    "clip's upper bound lost": _template(r"(cp|np)\.clip\(([^,]+), ([^,]+), ([^,]+)\)",
        r"\1.maximum(\2, \3)"),
    "absolute value lost": _template(r"(?:(?:cp|np)\.)?(?:abs|absolute|fabs)\((.+)\)", r"(\1)"),
    "square root lost": _template(r"(?:cp|np|math)\.sqrt\((.+)\)", r"(\1)"),
    "conjugate lost": _template(r"(?:cp|np)\.conj(?:ugate)?\((.+)\)", r"(\1)"),
    "conjugate method lost": _template(r"(.+)\.conj\(\)", r"\1"),
    "transpose lost": _template(r"(.+)\.T", r"\1"),
    "column for row": _template(r"(.+)\[:, None\]", r"\1[None, :]"),
    "row for column": _template(r"(.+)\[None, :\]", r"\1[:, None]"),
    "scan exclusive": _template(_ONE.format("cumsum"), r"\1.cumsum(\2) - \2"),
    "sort descending": _template(_ONE.format("sort"), r"-\1.sort(-\2)"),
    "argsort unstable": _template(_ONE.format("argsort"), r"\1.argsort(\2)[::-1]"),
    "duplicate scatter": _template(r"(cp|np)\.add\.at\((.+), (.+), (.+)\)",
        r"\2.__setitem__(\3, \2[\3] + \4)"),
    "copy lost": _template(r"(.+)\.copy\(\)", r"\1"),
    "asnumpy lost": _template(r"cp\.asnumpy\((.+)\)", r"\1"),
    "zero axes for a scalar": _template(r"(cp\.asnumpy\(.+\))\[\(\)\]", r"\1"),
    "float() lost": _template(r"(?:float|int|bool)\((.+)\)", r"(\1)"),
    "another random stream": _template(r"(.*default_rng)\((\w+)\)", r"\1(\2 + 1)"),
    "mutation lost": _mutation_lost,
    "accumulation lost": _accumulation_lost,
    "store lost": _store_lost,
    "update lost": _update_lost,
    "call lost": _call_lost,
    "error swallowed": _raise_lost,
    "break lost": _break_lost,
    "results swapped": _returned(_reversed_tuple),
    "list for tuple": _returned(_as_list),
    "last result lost": _returned(_first_only),
    "result copied": _returned(_copied),
    "write-back lost": _writes_lost,
    "kernel: less-equal for less": _kernel(r" < ", " <= "),
    "kernel: greater-equal for greater": _kernel(r" > ", " >= "),
    "kernel: neighbour off by one": _kernel(r" \+ 1([,}\]])", r" + 2\1"),
    "kernel: other neighbour": _kernel(r" - 1([,}\]])", r"\1"),
    "kernel: plus for minus": _kernel(r"(\w|\)) - (\w)", r"\1 + \2"),
    "kernel: minus for plus": _kernel(r"([a-z]\w*|\)) \+ ([a-z])", r"\1 - \2"),
    "kernel: plus for times": _kernel(r" \* ", " + "),
    "kernel: single precision": _kernel(r"\bdouble (\w+ =)", r"float \1"),
    "kernel: float literal": _kernel(r"(\d+\.\d*[1-9])(?![\d.f])", _single),
    "kernel: maximum for minimum": _kernel(r"\bfmin\b|\bmin\b", "max"),
    "kernel: and for or": _kernel(r"\|\|", "&&"),
    "kernel: or for and": _kernel(r"&&", "||"),
    "kernel: assignment for update": _kernel(r" \+= ", " = "),
}  # fmt: skip

_SIMPLE = r"(\w+(?:\[\w+\])?)"
BENIGN: dict[str, Operator] = {
    "sum commuted": _commuted,
    "product commuted": _product_commuted,
    "square as product": _template(_SIMPLE + r" ?\*\* ?2(?:\.0)?", r"(\1 * \1)"),
    "halved by product": _template(_SIMPLE + r" / 2(?:\.0)?", r"(\1 * 0.5)"),
    "doubled by sum": _template(r"2(?:\.0)? \* " + _SIMPLE, r"(\1 + \1)"),
    "comparison turned": _template(_SIMPLE + " < " + _SIMPLE, r"(\2 > \1)"),
    "greater turned": _template(_SIMPLE + " > " + _SIMPLE, r"(\2 < \1)"),
    "difference as sum": _template(_SIMPLE + r" - ([a-zA-Z_]\w*(?:\[\w+\])?)", r"(\1 + -\2)"),
    "division by reciprocal": _template(_SIMPLE + r" / ([1-9]\d*(?:\.\d*)?)", r"(\1 * (1.0 / \2))"),
    "function for method": _template(r"(\w+)\.(sum|mean|max|min)\(\)", r"cp.\2(\1)"),
    "method for function": _template(r"cp\.(sum|mean|max|min|cumsum)\((\w+)\)", r"\2.\1()"),
    "sum reversed": _template(r"cp\.sum\((\w+)\)", r"cp.sum(\1.ravel()[::-1])"),
    "sum by rows": _template(r"(\w+)\.sum\(\)", r"\1.sum(axis=0).sum()"),
    "mean as quotient": _template(r"cp\.mean\((\w+)\)", r"(cp.sum(\1) / \1.size)"),
    "mean method as quotient": _template(r"(\w+)\.mean\(\)", r"(\1.sum() / \1.size)"),
    "absolute value by its name": _template(r"cp\.abs\(([^()]+)\)", r"cp.absolute(\1)"),
    "keyword spelled out": _template(r"cp\.sum\((\w+), (\d)\)", r"cp.sum(\1, axis=\2)"),
    "difference by slices": _template(r"cp\.diff\((\w+)\)", r"(\1[..., 1:] - \1[..., :-1])"),
    "negation by difference": _template(r"-([a-zA-Z_]\w*)", r"(0 - \1)"),
    "exponential of a negative": _template(r"cp\.exp\(-(\w+)\)", r"(1.0 / cp.exp(\1))"),
    "operator as matmul": _template(r"(\w+) @ (\w+)", r"cp.matmul(\1, \2)"),
    "copy of a temporary": _returned(
        lambda value: (
            _e(f"({_code(value)}) * 1") if isinstance(value, cst.BinaryOperation) else None
        )
    ),
    "where turned": _template(
        r"(cp|np)\.where\((\w+ [<>] \w+), ([^,]+), ([^,]+)\)", r"\1.where(~(\2), \4, \3)"
    ),
    "if turned": lambda node: (
        node.with_changes(
            test=_e(f"not ({_code(node.test)})"), body=node.orelse.body,
            orelse=cst.Else(body=node.body),
        )
        if isinstance(node, cst.If) and isinstance(node.orelse, cst.Else) else None
    ),
}  # fmt: skip


class _Applied(cst.CSTTransformer):
    """Apply an operator at the `wanted` place inside one function, and count the places."""

    def __init__(
        self, name: str, operator: Operator, function: str, kernels: set[str], wanted: int
    ) -> None:
        self.name, self.operator, self.function, self.kernels = name, operator, function, kernels
        self.parameters: set[str] = set()
        self.wanted, self.places = wanted, 0
        self.path: list[str] = []
        self.inside = 0
        self.change: tuple[str, str] | None = None

    def on_visit(self, node: cst.CSTNode) -> bool:
        if isinstance(node, cst.FunctionDef | cst.ClassDef):
            self.path.append(node.name.value)
            if isinstance(node, cst.FunctionDef) and self._here():
                self.inside += 1
                self.parameters = {p.name.value for p in node.params.params}
        elif self._kernel(node):
            self.inside += 1
        return not isinstance(node, cst.Annotation)

    def _idle(self, node: cst.CSTNode) -> bool:
        """A copy, or a new value, of a name that the caller cannot know makes no difference."""
        held = node.value if isinstance(node, cst.Return) else None
        held = node.target if isinstance(node, cst.AugAssign) else held
        if self.name not in _OF_ARGUMENTS or held is None:
            return False
        return not (isinstance(held, cst.Name) and held.value in self.parameters)

    def _here(self) -> bool:
        return ".".join(self.path) == self.function

    def _kernel(self, node: cst.CSTNode) -> bool:
        if not isinstance(node, cst.Assign) or self.path:
            return False
        target = node.targets[0].target
        kernel = _name(node.value) in ("ElementwiseKernel", "ReductionKernel", "RawKernel")
        return kernel and isinstance(target, cst.Name) and target.value in self.kernels

    def on_leave(self, original: cst.CSTNode, updated: cst.CSTNode) -> cst.CSTNode:  # type: ignore[override]
        result = updated
        if self.inside and self.change is None and not isinstance(original, cst.Module):
            new = None if self._idle(updated) else self.operator(updated)
            if new is not None and (new is DELETED or not new.deep_equals(updated)):
                if self.places == self.wanted:
                    self.change = (_code(updated), _code(new))
                    result = new
                self.places += 1
        if isinstance(original, cst.FunctionDef | cst.ClassDef):
            self.inside -= isinstance(original, cst.FunctionDef) and self._here()
            self.path.pop()
        elif self._kernel(original):
            self.inside -= 1
        return result


def mutants(
    module: cst.Module,
    function: str,
    kernels: set[str],
    operators: dict[str, Operator],
    pick: Callable[[int], list[int]],
) -> Iterator[Mutant]:
    """Changed programs: for each operator, at the places that `pick` chooses of those there are."""
    for name, operator in operators.items():
        counting = _Applied(name, operator, function, kernels, -1)
        module.visit(counting)
        for place in pick(counting.places):
            applied = _Applied(name, operator, function, kernels, place)
            text = module.visit(applied).code
            try:
                compile(text, "mutant", "exec")
            except SyntaxError:
                continue
            if applied.change is None or text == module.code:
                continue
            # one that fails by a name that the program lacks tells nothing
            if _unbound(text) <= _unbound(module.code):
                line = _first_difference(module.code, text)
                yield Mutant(function, name, line, *applied.change, text)


def _unbound(text: str) -> set[str]:
    """Names that a program reads, and neither it nor Python binds anywhere."""
    nodes = [*ast.walk(ast.parse(text))]
    names = [node for node in nodes if isinstance(node, ast.Name)]
    bound = {name.id for name in names if not isinstance(name.ctx, ast.Load)}
    for node in nodes:
        if isinstance(node, ast.alias):
            bound.add((node.asname or node.name).partition(".")[0])
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            bound.add(node.name)
        elif isinstance(node, ast.arg):
            bound.add(node.arg)
        elif isinstance(node, ast.ExceptHandler) and node.name:
            bound.add(node.name)
    return {name.id for name in names} - bound - {*dir(builtins)}


def _first_difference(before: str, after: str) -> int:
    pairs = zip(before.splitlines(), after.splitlines(), strict=False)
    return next((n for n, (a, b) in enumerate(pairs, 1) if a != b), 0)
