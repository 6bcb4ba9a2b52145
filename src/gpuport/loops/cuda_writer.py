"""Expressions in C++, once their types are known."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from .cuda_errors import raised, unchanging, zero_raises
from .cuda_expressions import Expressions
from .cuda_names import Names
from .cuda_rules import functions
from .cuda_text import (
    AND,
    ATOM,
    BINDING,
    C_TYPES,
    CONDITIONAL,
    OR,
    UNARY,
    Text,
    arithmetic,
    call,
    cast,
    implicit,
    infix,
    literal,
    prepared,
)
from .cuda_values import Value, dtype_bounds, fits
from .names import dotted, subscript_indices
from .reasons import UNKNOWN_TYPE, UNSUPPORTED, Refused
from .records import SubscriptRange
from .typing import TypeRefusal, kind, widest, width


def storage(value: Value, node: ast.AST) -> str:
    """The dtype that holds a value of several possible types.

    Raises
    ------
    Refused
        Where none holds them all exactly.
    """
    import numpy as np

    dtypes = {t.dtype for t in value.types}
    weak = [a for a in value.alternatives if a.type.weak and a.type.dtype == "float64"]
    strong_wide = any(t.dtype == "float64" and not t.weak for t in value.types)
    if "float32" in dtypes and weak and not strong_wide:
        constants = [a.constant for a in weak]
        if all(c is not None and float(np.float32(c)) == c for c in constants):  # type: ignore[arg-type]
            dtypes.discard("float64")
    try:
        found = widest(frozenset(dtypes))
    except TypeRefusal as error:
        raise Refused(UNKNOWN_TYPE, node, str(error)) from error
    mixed = len(dtypes) > 1 and kind(found) == "f"
    whole = any(kind(d) in "iu" for d in dtypes)
    if mixed and whole and not fits(value, -(2**53), 2**53):
        shown = " or ".join(sorted(map(str, value.types)))
        raise Refused(UNKNOWN_TYPE, node, f"a value is {shown}, depending on the path")
    return found


@dataclass
class Writer:
    """Writes expressions.

    Attributes
    ----------
    expressions : Expressions
        Their values.
    names : Names
    locals : mapping of str to str
        Dtype of each variable of the body.
    parameters : mapping of str to str
        Dtype of each number that is passed.
    single : frozenset of str
        Arrays of which the kernel sees one element, under the array's name.
    ranges : mapping of (node, axis) to SubscriptRange
    lengths : callable
        C++ for the length of an axis, by array and axis.
    function : callable or None
        C++ of a call of a project's function.
    olds : mapping of str to str
        C++ name of an array's copy from before the launch, which is read in its place.
    flag : str
        The bool that an index out of range sets.
    flagged : bool
        Whether the text may set the flag.
    thorough : bool
        Whether integers that are stored in 32 bits are checked too.
    unchecked : list of ast.expr or ast.AugAssign
        Those that were not.
    checks : set of str
        Arrays that the text indexes by what data say.
    guards : list of str or None
        Python conditions without which an operator of Python's numbers would raise; None in a
        function, where the flag has to tell.
    raising : list of (ast.AST, str)
        What raises where the kernel does not, and how.
    """

    expressions: Expressions
    names: Names
    locals: Mapping[str, str]
    parameters: Mapping[str, str]
    single: frozenset[str]
    ranges: Mapping[tuple[ast.AST, int], SubscriptRange]
    lengths: Callable[[str, int], Text]
    function: Callable[[Writer, ast.Call, list[Text]], Text] | None = None
    olds: Mapping[str, str] = field(default_factory=dict)
    flag: str = "out_of_range[0]"
    flagged: bool = False
    thorough: bool = False
    unchecked: list[ast.expr | ast.AugAssign] = field(default_factory=list)
    checks: set[str] = field(default_factory=set)
    guards: list[str] | None = None
    raising: list[tuple[ast.AST, str]] = field(default_factory=list)

    def write(self, node: ast.expr) -> Text:
        """An expression in C++."""
        value = self.expressions.known(node)
        length = self.expressions.symbols.length_of(node)
        if length is not None:
            return self.lengths(*length)
        outer = self.expressions.symbols.outer_length(node)
        if outer is not None and outer in self.parameters:
            return Text(self.names[outer], ATOM, self.parameters[outer])
        name = dotted(node)
        if name is not None and (name in self.locals or name in self.parameters):
            dtype = self.locals.get(name) or self.parameters[name]
            return Text(self.names[name], ATOM, dtype)
        if isinstance(node, ast.Name | ast.Attribute) and value.constant is not None:
            return literal(value.constant, storage(value, node))
        if isinstance(node, ast.Attribute):
            constant = functions().constants.get(self.expressions.symbols.path(node) or "")
            if constant is not None:
                return literal(constant, "float64")
        found: Text = getattr(self, f"_{type(node).__name__.lower()}")(node)
        return found

    def stored(self, node: ast.expr, dtype: str) -> Text:
        """An expression as it is assigned to something of a dtype."""
        return implicit(self.write(node), dtype)

    def _constant(self, node: ast.Constant) -> Text:
        value = self.expressions.known(node)
        return literal(node.value, next(iter(value.types)).dtype)  # type: ignore[arg-type]

    def _subscript(self, node: ast.Subscript) -> Text:
        name = dotted(node.value)
        assert name is not None
        dtype = self.expressions.symbols.arrays[name].dtype
        if name in self.single:
            return Text(self.names[name], ATOM, dtype)
        indices = [self._index(node, name, k, e) for k, e in enumerate(subscript_indices(node))]
        shown = self.names[name]
        if name in self.olds and isinstance(node.ctx, ast.Load):
            shown = self.olds[name]
        if len(indices) == 1:
            return Text(f"{shown}[{indices[0].text}]", ATOM, dtype)
        listed = ", ".join(cast(index, "int64", exact=True).text for index in indices)
        return Text(f"{shown}[{{{listed}}}]", ATOM, dtype)

    def _index(self, node: ast.Subscript, array: str, axis: int, index: ast.expr) -> Text:
        text = self.write(index)
        if kind(text.dtype) == "f":  # held with other values, but whole here
            text = cast(text, "int64")
        known = self.ranges.get((node, axis))
        value = self.expressions.known(index)
        negative = known.negative if known else not value.nonnegative
        if known is not None and not known.proven:
            self.checks.add(array)
            return self.checked("checked", [cast(text, "int64"), self.lengths(array, axis)])
        if not negative or value.nonnegative:
            return text
        if value.constant is not None:
            length = self.lengths(array, axis)
            return infix("-", (length, literal(-int(value.constant), "int64")), "int64", "int64")  # type: ignore[arg-type]
        if value.high is not None and value.high < 0:
            return infix("+", (self.lengths(array, axis), cast(text, "int64")), "int64", "int64")
        return call("wrap", [cast(text, "int64"), self.lengths(array, axis)], "int64")

    def checked(self, form: str, arguments: list[Text]) -> Text:
        """A call of a function that sets the flag where its argument is out of range."""
        self.flagged = True
        return call(form, [*arguments, Text(self.flag, ATOM, "bool")], "int64")

    def fitting(self, node: ast.expr, dtype: str) -> Text:
        """A value as it is stored in an array; a Python integer has to fit there.

        Those of 32 bits and more are checked where something else is: for them alone the host
        would have to wait for the flag.
        """
        text, value = self.write(node), self.expressions.known(node)
        refuse_complex(node, text.dtype, dtype)
        weak = any(t.weak and t.dtype == "int64" for t in value.types)
        self.cut(node, value, dtype)
        self.narrowed(node, value, dtype)
        if kind(dtype) not in "iu" or not weak or fits(value, *dtype_bounds(dtype)):
            return implicit(text, dtype)
        if width(dtype) >= 4 and not self.thorough:
            self.unchecked.append(node)
            return implicit(text, dtype)
        found = self.checked(f"fitting<{C_TYPES[dtype]}>", [cast(text, "int64")])
        return replace(found, dtype=dtype)

    def narrowed(self, node: ast.expr | ast.AugAssign, value: Value, dtype: str) -> None:
        """Note that one of NumPy's integers may not fit the signed ones that it is stored in.

        In unsigned ones NumPy wraps it around, as the kernel does.
        """
        if kind(dtype) != "i" or fits(value, *dtype_bounds(dtype)):
            return
        low, high = dtype_bounds(dtype)
        for one in value.types:
            if one.weak or one.kind not in "iu":
                continue
            least, most = dtype_bounds(one.dtype)
            if least < low or most > high:
                self.unchecked.append(node)
                return

    def cut(self, node: ast.AST, value: Value, dtype: str) -> None:
        """Note that a floating number may not fit the integers that it is stored in."""
        constants = [a.constant for a in value.alternatives if a.type.kind == "f"]
        if kind(dtype) not in "iu" or not constants:
            return
        low, high = dtype_bounds(dtype)
        if all(isinstance(c, float) and low <= c <= high for c in constants):
            return
        raises = width(dtype) >= 4 or any(t.weak and t.kind == "f" for t in value.types)
        error = "raises ValueError or OverflowError" if raises else "is cut off by the processor"
        self._note(
            node,
            f"{error} where it is nan or does not fit {dtype}; the kernel gives what the GPU's "
            "conversion gives",
        )

    def _attribute(self, node: ast.Attribute) -> Text:
        text = self.write(node.value)
        if kind(text.dtype) == "c":
            part = "float32" if text.dtype == "complex64" else "float64"
            return Text(f"{text.within(ATOM)}.{functions().parts[node.attr]}()", ATOM, part)
        return text if node.attr == "real" else literal(0, text.dtype)

    def _unaryop(self, node: ast.UnaryOp) -> Text:
        if isinstance(node.op, ast.Not):
            text = self.truth(node.operand)
            return Text(f"!{text.within(UNARY)}", UNARY, "bool")
        operand = node.operand
        if isinstance(operand, ast.Constant) and isinstance(node.op, ast.USub):
            value = self.expressions.known(node)
            return literal(-operand.value, storage(value, node))  # type: ignore[operator]
        ufunc = functions().operators[type(node.op).__name__]
        return self._computed(node, 0, ufunc, [self.write(operand)], [operand])

    def _binop(self, node: ast.BinOp) -> Text:
        ufunc = functions().operators[type(node.op).__name__]
        operands: list[ast.expr] = [node.left, node.right]
        return self._computed(node, 0, ufunc, self._operands(node, ufunc, operands), operands)

    def augmented(self, node: ast.AugAssign, target: ast.expr) -> Text:
        """``target op value`` of an augmented assignment."""
        ufunc = functions().operators[type(node.op).__name__]
        operands = [target, node.value]
        return self._computed(node, 0, ufunc, self._operands(node, ufunc, operands), operands)

    def _operands(self, node: ast.AST, ufunc: str, operands: list[ast.expr]) -> list[Text]:
        """Operands of an operator of Python, which may raise where one is zero."""
        texts = [self.write(e) for e in operands]
        values = [self.expressions.known(e) for e in operands]
        rule = functions().raising.get(ufunc)
        python = all(any(t.weak for t in v.types) for v in values)
        if rule is not None and python and kind(self.expressions.computed[node, 0].output) == "f":
            self._note(node, raised(rule, values))
        at = zero_raises(ufunc, values)
        if at is None:
            return texts
        if values[at].constant is not None:
            raise Refused(UNSUPPORTED, node, f"`{ast.unparse(node)}` divides by zero")
        if self.guards is not None and unchanging(
            operands[at], self.expressions.symbols, self.locals
        ):
            self.guards.append(f"{ast.unparse(operands[at])} != 0")
            return texts
        exact = cast(texts[at], texts[at].dtype, exact=True)
        texts[at] = replace(self.checked("nonzero", [exact]), dtype=exact.dtype)
        return texts

    def joined(self, node: ast.AugAssign, target: ast.expr, dtype: str) -> tuple[str, str] | None:
        """Symbol and operand of ``target += value``, where C++ computes that as NumPy does."""
        way = self.expressions.computed[node, 0]
        if way.output != dtype or set(way.inputs) != {dtype} or width(dtype) < 4:
            return None
        ufunc = functions().operators[type(node.op).__name__]
        texts = self._operands(node, ufunc, [target, node.value])
        values = [self.expressions.known(e) for e in (target, node.value)]
        simpler = _simpler(ufunc, texts, values, dtype)
        form, texts = simpler or (functions().form(ufunc, kind(dtype)) or "", texts)
        if form not in BINDING or len(texts) != 2 or kind(dtype) == "b":
            return None
        left, right = prepared(form, (texts[0], texts[1]), dtype)
        return (form, right.text) if left == texts[0] else None

    def _note(self, node: ast.AST, text: str | None) -> None:
        if text is not None:
            self.raising.append((node, text))

    def _compare(self, node: ast.Compare) -> Text:
        operands = [node.left, *node.comparators]
        found = []
        for k, op in enumerate(node.ops):
            two = operands[k : k + 2]
            ufunc = functions().operators[type(op).__name__]
            found.append(self._computed(node, k, ufunc, [self.write(e) for e in two], two))
        return _joined("&&", AND, found)

    def _boolop(self, node: ast.BoolOp) -> Text:
        symbol, binding = ("&&", AND) if isinstance(node.op, ast.And) else ("||", OR)
        return _joined(symbol, binding, [self.truth(e) for e in node.values])

    def truth(self, node: ast.expr) -> Text:
        """An expression as a condition."""
        return cast(self.write(node), "bool")

    def _ifexp(self, node: ast.IfExp) -> Text:
        dtype = storage(self.expressions.known(node), node)
        test = self.truth(node.test)
        body, other = (cast(self.write(e), dtype, exact=True) for e in (node.body, node.orelse))
        inner = f"{test.within(OR)} ? {body.within(OR)} : {other.within(CONDITIONAL)}"
        return Text(inner, CONDITIONAL, dtype)

    def _call(self, node: ast.Call) -> Text:
        rules, arguments = functions(), [self.write(a) for a in node.args]
        if self.expressions.symbols.function(node.func) is not None:
            assert self.function is not None
            return self.function(self, node, arguments)
        path = self.expressions.symbols.path(node.func) or ""
        dtype = storage(self.expressions.known(node), node)
        ufunc = rules.ufunc(path)
        if ufunc is None and path in rules.operations:
            ufunc = rules.operations[path]
            arguments = self._operands(node, ufunc, list(node.args))
        if ufunc is not None:
            return self._computed(node, 0, ufunc, arguments, list(node.args))
        if path in rules.chosen:
            form = str(rules.chosen[path]["form"])
            exact = [cast(a, dtype, exact=True) for a in arguments]
            found = exact[0]
            for argument in exact[1:]:
                found = call(form, [found, argument], dtype)
            return found
        if path in rules.floating:
            self._note(
                node, raised(rules.floating[path], [self.expressions.known(a) for a in node.args])
            )
            return self._floating(node, str(rules.floating[path]["form"]), arguments, dtype)
        if path in rules.rounding:
            return self._rounded(node, path, arguments[0], dtype)
        if len(arguments) == 2:
            part = [cast(a, "float64") for a in arguments]
            return call("complex<double>", part, dtype)
        return self._cut(node, arguments[0], dtype)

    def _cut(self, node: ast.AST, text: Text, dtype: str) -> Text:
        """A float as a Python integer."""
        if node not in self.expressions.cut or kind(text.dtype) != "f":
            return cast(text, dtype)
        return cast(self.checked("to_int", [text]), dtype)

    def _floating(self, node: ast.Call, form: str, arguments: list[Text], dtype: str) -> Text:
        inputs = self.expressions.computed[node, 0].inputs
        if inputs == ("int64",):
            return cast(arguments[0], "int64")
        exact = [cast(a, d, exact=True) for a, d in zip(arguments, inputs, strict=True)]
        text = call(form, exact, "float64")
        if dtype == "bool":
            return Text(text.text, ATOM, "bool")
        return self._cut(node, text, dtype)

    def _rounded(self, node: ast.Call, path: str, argument: Text, dtype: str) -> Text:
        if kind(argument.dtype) in "iu":
            return cast(argument, dtype)
        if (node, 0) in self.expressions.computed:
            argument = cast(argument, self.expressions.computed[node, 0].inputs[0])
        form = str(functions().rounding[path]["form"])
        return self._cut(node, call(form, [argument], argument.dtype), dtype)

    def _computed(
        self, node: ast.AST, part: int, ufunc: str, texts: list[Text], nodes: list[ast.expr]
    ) -> Text:
        way = self.expressions.computed[node, part]
        form = functions().form(ufunc, kind(way.inputs[0]))
        if form is None:
            raise Refused(UNSUPPORTED, node, f"a kernel has no form for {ufunc} of {way.inputs[0]}")
        values = [self.expressions.known(n) for n in nodes]
        simpler = _simpler(ufunc, texts, values, way.inputs[0])
        if simpler is not None:
            form, texts = simpler
        if ufunc in _RELATIONS:
            return self._relation(node, form, texts, values, way.inputs[0])
        if form in BINDING and len(texts) == 2:
            return infix(form, (texts[0], texts[1]), way.inputs[0], way.output)
        if not form[0].isalpha():
            return _prefixed(form, texts[0], way.inputs[0], way.output)
        exact = [cast(t, d, exact=True) for t, d in zip(texts, way.inputs, strict=False)]
        return call(form, exact, way.output)

    def _relation(
        self, node: ast.AST, form: str, texts: list[Text], values: list[Value], computed: str
    ) -> Text:
        """Whole numbers are compared as numbers, whatever their types."""
        if all(kind(t.dtype) in "biu" for t in texts):
            a, b = texts
            signed = [
                kind(t.dtype) in "bi" and not v.nonnegative
                for t, v in zip(texts, values, strict=True)
            ]
            if "uint64" in (a.dtype, b.dtype) and any(signed):
                raise Refused(UNSUPPORTED, node, "a comparison of uint64 with a signed integer")
            if any(kind(t.dtype) == "u" for t in texts) and any(signed):
                a, b = (t if kind(t.dtype) == "i" else cast(t, "int64") for t in texts)
            computed = arithmetic(a.dtype, b.dtype)
        else:
            a, b = texts
        return Text(infix(form, (a, b), computed, "bool").text, BINDING[form], "bool")


_RELATIONS = frozenset({"less", "less_equal", "greater", "greater_equal", "equal", "not_equal"})


def _simpler(
    ufunc: str, texts: list[Text], values: list[Value], computed: str
) -> tuple[str, list[Text]] | None:
    """A plain operator of C++, where the values make it mean the same."""
    if kind(computed) in "iu":
        positive = len(values) == 2 and values[0].nonnegative and values[1].nonnegative
        divides = positive and values[1].low is not None and values[1].low > 0
        if ufunc in ("floor_divide", "remainder") and divides:
            return ("/" if ufunc == "floor_divide" else "%"), texts
        bits = 8 * width(computed)
        if ufunc == "right_shift" and fits(values[1], 0, bits - 1):
            return ">>", texts
        most = dtype_bounds(computed)[1]
        high, by = values[0].high, values[1].high if len(values) == 2 else None
        known = positive and high is not None and by is not None
        if ufunc == "left_shift" and known and by < bits and high << by <= most:  # type: ignore[operator]
            return "<<", texts
    if ufunc == "power" and values[1].constant == 2:
        if texts[0].text.isidentifier():
            return "*", [texts[0], texts[0]]
        return "square", texts[:1]
    return None


def _prefixed(form: str, text: Text, computed: str, output: str) -> Text:
    text = cast(text, computed, exact=True)
    if form == "+":
        return text
    found = Text(
        f"{form}{text.within(ATOM if text.text.startswith(form) else UNARY)}", UNARY, output
    )
    if kind(output) in "iu" and dtype_bounds(output)[1] < 2**31 - 1:
        return Text(f"({C_TYPES[output]}){found.text}", UNARY, output)
    return found


def refuse_complex(node: ast.AST, computed: str, dtype: str) -> None:
    """Refuse to store a complex number as a real one, of which NumPy warns and Python raises."""
    if kind(computed) == "c" and kind(dtype) != "c":
        message = f"`{ast.unparse(node)}` is complex and would be stored in an array of {dtype}"
        raise Refused(UNKNOWN_TYPE, node, message)


def _joined(symbol: str, binding: int, parts: list[Text]) -> Text:
    if len(parts) == 1:
        return parts[0]
    shown = [p.text if p.binding > AND else f"({p.text})" for p in parts]
    return Text(f" {symbol} ".join(shown), binding, "bool")
