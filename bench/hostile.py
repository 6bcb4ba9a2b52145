"""Faults that a hostile reviewer plants: rare inputs, state, and small things beside the result.

Those of `faults` are what porting gets wrong; these are wrong for some inputs alone, in what is
left behind, or by so little that a tolerance might let them pass. More harmless rewrites are here
too, as controls.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import libcst as cst

from faults import Operator, _code, _e, _keyword, _name, _template

_MODULES = ("cp", "np")
_REDUCTIONS = ("sum", "mean", "max", "min", "prod", "std", "var", "median", "cumsum")


def _called(*names: str) -> Callable[[cst.CSTNode], cst.Call | None]:
    """A call of one of these functions of CuPy or NumPy."""

    def of(node: cst.CSTNode) -> cst.Call | None:
        if not isinstance(node, cst.Call) or _name(node) not in names:
            return None
        function = node.func
        own = isinstance(function, cst.Attribute) and _code(function.value) in _MODULES
        return node if own else None

    return of


def _keyword_added(name: str, value: str, *functions: str) -> Operator:
    matches = _called(*functions)

    def operator(node: cst.CSTNode) -> cst.CSTNode | None:
        call = matches(node)
        if call is None or _keyword(call, name) is not None:
            return None
        given = ", ".join(_code(a).rstrip(", ") for a in call.args)
        return _e(f"{_code(call.func)}({given}, {name}={value})")

    return operator


def _of_first(pattern: str, *functions: str) -> Operator:
    """Another expression for a call with one argument, which is ``{a}``; the module is ``{m}``."""
    matches = _called(*functions)

    def operator(node: cst.CSTNode) -> cst.CSTNode | None:
        call = matches(node)
        if call is None or len(call.args) != 1 or call.args[0].star or call.args[0].keyword:
            return None
        assert isinstance(call.func, cst.Attribute)
        parts = {"m": _code(call.func.value), "f": _name(call), "a": _code(call.args[0].value)}
        return _e(pattern.format(**parts))

    return operator


def _float_times(factor: float) -> Operator:
    def operator(node: cst.CSTNode) -> cst.CSTNode | None:
        if not isinstance(node, cst.Float) or not float(node.value):
            return None
        return cst.Float(repr(float(node.value) * factor))

    return operator


def _bounds_swapped(node: cst.CSTNode) -> cst.CSTNode | None:
    if not isinstance(node, cst.Call) or _name(node) != "clip" or len(node.args) < 2:
        return None
    *first, low, high = node.args
    return node.with_changes(
        args=[*first, low.with_changes(value=high.value), high.with_changes(value=low.value)]
    )


def _slice_without(bound: str) -> Operator:
    def operator(node: cst.CSTNode) -> cst.CSTNode | None:
        if not isinstance(node, cst.Slice) or getattr(node, bound) is None:
            return None
        if bound == "step" and _code(node.step) == "1":
            return None
        return node.with_changes(**{bound: None})

    return operator


def _other_exception(node: cst.CSTNode) -> cst.CSTNode | None:
    if not isinstance(node, cst.Raise) or not isinstance(node.exc, cst.Call):
        return None
    return node.with_changes(exc=node.exc.with_changes(func=cst.Name("KeyError")))


def _every_exception(node: cst.CSTNode) -> cst.CSTNode | None:
    if not isinstance(node, cst.ExceptHandler) or node.type is None:
        return None
    return None if _code(node.type) == "Exception" else node.with_changes(type=_e("Exception"))


def _generator(node: cst.CSTNode) -> cst.CSTNode | None:
    if not isinstance(node, cst.ListComp):
        return None
    return cst.GeneratorExp(node.elt, node.for_in)


def _statements(node: cst.IndentedBlock) -> Iterator[tuple[int, cst.BaseSmallStatement]]:
    for number, line in enumerate(node.body):
        if isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1:
            yield number, line.body[0]


def _targets(statement: cst.BaseSmallStatement) -> set[str]:
    if isinstance(statement, cst.AugAssign):
        return {_code(statement.target)}
    if isinstance(statement, cst.Assign):
        return {_code(target.target) for target in statement.targets}
    return set()


def _order_reversed(node: cst.CSTNode) -> cst.CSTNode | None:
    """Two statements exchanged, of which the second uses what the first one makes."""
    if not isinstance(node, cst.IndentedBlock):
        return None
    held = dict(_statements(node))
    for number in held:
        first, second = held[number], held.get(number + 1)
        if second is None or not _targets(first) or not _targets(second):
            continue
        used = _code(second)
        if any(re.search(rf"(?<![\w.]){re.escape(t)}\b", used) for t in _targets(first)):
            body = list(node.body)
            body[number], body[number + 1] = body[number + 1], body[number]
            return node.with_changes(body=body)
    return None


def _in_place(node: cst.CSTNode) -> cst.CSTNode | None:
    """``y = x + z`` as ``x += z``: the caller's array changes."""
    if not isinstance(node, cst.FunctionDef) or not isinstance(node.body, cst.IndentedBlock):
        return None
    parameters = {p.name.value for p in node.params.params}
    for number, one in _statements(node.body):
        value = one.value if isinstance(one, cst.Assign) else None
        if not isinstance(value, cst.BinaryOperation) or _code(value.left) not in parameters:
            continue
        left, operator = _code(value.left), _code(value.operator).strip()
        lines = [
            f"{left} {operator}= {_code(value.right)}",
            f"{_code(one)[: -len(_code(value))]}{left}",
        ]
        body = list(node.body.body)
        body[number : number + 1] = [cst.parse_statement(line) for line in lines]
        return node.with_changes(body=node.body.with_changes(body=body))
    return None


def _array_of(node: cst.FunctionDef) -> str | None:
    """The first array that a function's boundary names."""
    for decorator in node.decorators:
        named = re.search(r'\bdevice\("(\w+)"', _code(decorator))
        if named is not None:
            return named[1]
    return None


def _begun_with(*lines: str) -> Operator:
    """Statements at the beginning of a function; ``{x}`` is the array of its boundary."""

    def operator(node: cst.CSTNode) -> cst.CSTNode | None:
        if not isinstance(node, cst.FunctionDef) or not isinstance(node.body, cst.IndentedBlock):
            return None
        array = _array_of(node)
        if array is None:
            return None
        made = [cst.parse_statement(line.format(x=array)) for line in lines]
        body = list(node.body.body)
        start = node.get_docstring() is not None
        return node.with_changes(
            body=node.body.with_changes(body=[*body[:start], *made, *body[start:]])
        )

    return operator


def _only(condition: str) -> Operator:
    """A result that is wrong for some arrays alone; ``{x}`` is that of the boundary."""

    class Wrong(cst.CSTTransformer):
        def __init__(self, test: str) -> None:
            self.test, self.places = test, 0

        def visit_FunctionDef(self, node: cst.FunctionDef) -> bool:
            return False

        def leave_Return(self, original: cst.Return, updated: cst.Return) -> cst.Return:
            simple = cst.BinaryOperation | cst.Name | cst.Call | cst.Subscript
            if updated.value is None or not isinstance(updated.value, simple):
                return updated
            self.places += 1
            value = _code(updated.value)
            return updated.with_changes(
                value=_e(f"(({value}) * 1.001 + 1e-3 if {self.test} else {value})")
            )

    def operator(node: cst.CSTNode) -> cst.CSTNode | None:
        if not isinstance(node, cst.FunctionDef):
            return None
        array = _array_of(node)
        if array is None:
            return None
        known = f"getattr({array}, 'size', 0) and hasattr({array}, 'ndim')"
        wrong = Wrong(f"{known} and ({condition.format(x=array)})")
        body = node.body.visit(wrong)
        return node.with_changes(body=body) if wrong.places else None

    return operator


HOSTILE: dict[str, Operator] = {
    "only above 32 elements": _only("{x}.size > 32"),
    "only one element": _only("{x}.size == 1"),
    "only sizes that are odd": _only("{x}.size % 2 == 1 and {x}.size > 1"),
    "only a NaN inside": _only("{x}.dtype.kind == 'f' and bool(({x} != {x}).any())"),
    "only values above 1e5": _only("bool((abs({x}) > 1e5).any())"),
    "only all negative": _only("{x}.dtype.kind == 'f' and bool(({x} < 0).all())"),
    "only neighbours alike": _only(
        "{x}.size > 1 and bool(({x}.ravel()[1:] == {x}.ravel()[:-1]).any())"
    ),
    "only whole numbers": _only("{x}.dtype.kind in 'iu'"),
    "only single precision": _only("{x}.dtype == np.float32"),
    "nothing for an empty array": _begun_with("if getattr({x}, 'size', 1) == 0:\n    return None"),
    "a random number drawn": _begun_with("np.random.random()"),
    "a line printed": _begun_with("print('begun')"),
    "print options changed": _begun_with("np.set_printoptions(precision=3)"),
    "error state changed": _begun_with("np.seterr(all='raise')", "np.seterr(under='ignore')"),
    "in place": _in_place,
    "order of updates": _order_reversed,
    "another exception": _other_exception,
    "every exception caught": _every_exception,
    "generator for list": _generator,
    "bounds of clip swapped": _bounds_swapped,
    "ddof given": _keyword_added("ddof", "1", "std", "var"),
    "keepdims given": _keyword_added("keepdims", "True", *_REDUCTIONS[:-1]),
    "axis given": _keyword_added("axis", "0", *_REDUCTIONS, "argmax", "argmin"),
    "float32 accumulator": _keyword_added("dtype", "np.float32", "sum", "mean", "cumsum", "prod"),
    "float32 buffer": _keyword_added("dtype", "np.float32", "zeros", "ones", "empty", "full"),
    "side given": _keyword_added("side", "'right'", "searchsorted"),
    "endpoint given": _keyword_added("endpoint", "False", "linspace"),
    "order of elements": _keyword_added("order", "'F'", "reshape", "ravel"),
    "another quantile": _keyword_added("method", "'lower'", "percentile", "quantile"),
    "another fill value": _template(r"(cp|np)\.zeros\((.+)\)", r"\1.ones(\2)"),
    "last of equal ones": _of_first(
        "({m}.size({a}) - 1 - {m}.{f}({m}.ravel({a})[::-1]))", "argmax", "argmin"
    ),
    "NaN made a number": _of_first("{m}.nan_to_num({m}.{f}({a}))", "sqrt", "log", "exp", "sum"),
    "narrowed on the way": _of_first(
        "{m}.{f}({a}).astype(np.float32).astype(np.float64)", "sqrt", "exp", "sum", "sin", "abs"
    ),
    "real part alone": _of_first("{m}.{f}({a}).real", "sqrt", "exp", "sum", "conj"),
    "cancellation": _of_first("({m}.exp({a}) - 1)", "expm1"),
    "cancellation of a logarithm": _of_first("{m}.log(1 + ({a}))", "log1p"),
    "sum without the last": _of_first("{m}.{f}(({a})[..., :-1])", "sum", "mean", "max", "min"),
    "NaN lost in a maximum": _template(r"(cp|np)\.maximum\((.+)\)", r"\1.fmax(\2)"),
    "largest not subtracted": _template(r"(.+) - (?:cp\.max\(.+\)|\w+\.max\(.*\))", r"\1"),
    "divisor kept from zero": _template(r"(.+) / (\w+(?:\[\w+\])?)", r"\1 / (\2 + 1e-12)"),
    "rounded for truncated": _template(r"int\((\w+ / \w+|\w+ \* \w+)\)", r"int(round(\1))"),
    "a permille": _float_times(1.001),
    "a millionth of a permille": _float_times(1 + 1e-9),
    "step lost": _slice_without("step"),
    "upper bound lost": _slice_without("upper"),
}  # fmt: skip


def _named(node: cst.CSTNode) -> cst.CSTNode | None:
    """What is returned gets a name first."""
    if not isinstance(node, cst.IndentedBlock):
        return None
    for number, one in _statements(node):
        if isinstance(one, cst.Return) and isinstance(one.value, cst.BinaryOperation | cst.Call):
            lines = [f"what_is_returned = {_code(one.value)}", "return what_is_returned"]
            made = [cst.parse_statement(line) for line in lines]
            return node.with_changes(body=[*node.body[:number], *made, *node.body[number + 1 :]])
    return None


def _regrouped(kind: type[cst.BaseBinaryOp]) -> Operator:
    """``a + b + c`` as ``a + (b + c)``."""

    def operator(node: cst.CSTNode) -> cst.CSTNode | None:
        if not isinstance(node, cst.BinaryOperation) or not isinstance(node.operator, kind):
            return None
        left = node.left
        if not isinstance(left, cst.BinaryOperation) or not isinstance(left.operator, kind):
            return None
        sign = _code(node.operator).strip()
        if left.lpar or any(isinstance(p, cst.BaseString) for p in (left.left, node.right)):
            return None
        rest = f"({_code(left.right)} {sign} {_code(node.right)})"
        return _e(f"({_code(left.left)} {sign} {rest})")

    return operator


HARMLESS: dict[str, Operator] = {
    "result named": _named,
    "sum regrouped": _regrouped(cst.Add),
    "product regrouped": _regrouped(cst.Multiply),
    "sum of sorted": _of_first("{m}.sum({m}.sort({m}.ravel({a})))", "sum"),
    "largest of one row": _of_first("{m}.{f}({m}.ravel({a}))", "max", "min"),
    "zeros as full": _template(r"(cp|np)\.zeros\((\w+)\)", r"\1.full(\2, 0.0)"),
    "list by its name": lambda node: (
        _e(f"list({_code(cst.GeneratorExp(node.elt, node.for_in))})")
        if isinstance(node, cst.ListComp) else None
    ),
    "transpose by its name": _template(r"(\w+)\.T", r"cp.transpose(\1)"),
    "new axis by its name": _template(r"(\w+)\[:, None\]", r"\1[:, cp.newaxis]"),
    "choice turned": lambda node: (
        node.with_changes(test=_e(f"not ({_code(node.test)})"), body=node.orelse, orelse=node.body)
        if isinstance(node, cst.IfExp) else None
    ),
    "cube as product": _template(r"(\w+) ?\*\* ?3", r"(\1 * \1 * \1)"),
    "stored in full": _template(r"(cp)\.(exp|sqrt|log)\((.+)\)", r"(\1.\2(\3) + 0)"),
}  # fmt: skip
