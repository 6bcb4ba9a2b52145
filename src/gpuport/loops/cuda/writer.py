"""Expressions in C++, once their types are known."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from gpuport.loops.cuda.agreement import COMPARISONS
from gpuport.loops.cuda.call_texts import CallTexts
from gpuport.loops.cuda.errors import raised, unchanging, zero_raises
from gpuport.loops.cuda.expressions import Expressions
from gpuport.loops.cuda.operators import joined_by, prefixed, relation, simpler_form
from gpuport.loops.cuda.storage import cut_off, outgrows, refuse_complex, storage
from gpuport.loops.names import dotted, subscript_indices
from gpuport.loops.reasons import UNSUPPORTED, Refused
from gpuport.loops.records import SubscriptRange
from gpuport.parallel.cuda.names import Names
from gpuport.parallel.cuda.rules import functions
from gpuport.parallel.cuda.text import (
    AND,
    ATOM,
    BINDING,
    C_TYPES,
    CONDITIONAL,
    OR,
    UNARY,
    Text,
    call,
    cast,
    implicit,
    infix,
    literal,
    prepared,
)
from gpuport.parallel.ranges import Value, dtype_bounds, fits
from gpuport.parallel.typing import kind, width


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
    ranges : mapping of (node, axis) to SubscriptRange
    lengths : callable
        C++ for the length of an axis, by array and axis.
    function : callable or None
        C++ of a call of a project's function.
    olds : mapping of str to str
        C++ name of an array's copy from before the launch, which is read in its place.
    lent : frozenset of str
        Arrays of which no element is read that the thread has not written.
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
    together : dict of str to (str, str)
        Elements that threads add to, or keep extremes in, together: the operator and the dtype.
    """

    expressions: Expressions
    names: Names
    locals: Mapping[str, str]
    parameters: Mapping[str, str]
    ranges: Mapping[tuple[ast.AST, int], SubscriptRange]
    lengths: Callable[[str, int], Text]
    function: Callable[[Writer, ast.Call, list[Text]], Text] | None = None
    olds: Mapping[str, str] = field(default_factory=dict)
    lent: frozenset[str] = frozenset()
    flag: str = "out_of_range[0]"
    flagged: bool = False
    thorough: bool = False
    unchecked: list[ast.expr | ast.AugAssign] = field(default_factory=list)
    checks: set[str] = field(default_factory=set)
    guards: list[str] | None = None
    raising: list[tuple[ast.AST, str]] = field(default_factory=list)
    together: dict[str, tuple[str, str]] = field(default_factory=dict)

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
        indices = [self._index(node, name, k, e) for k, e in enumerate(subscript_indices(node))]
        shown = self.names[name]
        if name in self.olds and isinstance(node.ctx, ast.Load):
            shown = self.olds[name]
        if len(indices) == 1:
            return Text(f"{shown}[{indices[0].text}]", ATOM, dtype)
        return self._element(node, name, shown, indices)

    def _element(self, node: ast.Subscript, name: str, shown: str, indices: list[Text]) -> Text:
        dtype = self.expressions.symbols.arrays[name].dtype
        listed = ", ".join(cast(index, "int64", exact=True).text for index in indices)
        element = Text(f"{shown}[{{{listed}}}]", ATOM, dtype)
        if name in self.lent and isinstance(node.ctx, ast.Load):
            return replace(self.checked("written", [element]), dtype=dtype)
        return element

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
        """Note that one of NumPy's integers may not fit the signed ones that it is stored in."""
        if outgrows(value, dtype):
            self.unchecked.append(node)

    def cut(self, node: ast.AST, value: Value, dtype: str) -> None:
        """Note that a floating number may not fit the integers that it is stored in."""
        self.note(node, cut_off(value, dtype))

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
        return self.computed(node, 0, ufunc, [self.write(operand)], [operand])

    def _binop(self, node: ast.BinOp) -> Text:
        ufunc = functions().operators[type(node.op).__name__]
        operands: list[ast.expr] = [node.left, node.right]
        return self.computed(node, 0, ufunc, self.operands(node, ufunc, operands), operands)

    def augmented(self, node: ast.AugAssign, target: ast.expr) -> Text:
        """``target op value`` of an augmented assignment."""
        ufunc = functions().operators[type(node.op).__name__]
        operands = [target, node.value]
        return self.computed(node, 0, ufunc, self.operands(node, ufunc, operands), operands)

    def operands(self, node: ast.AST, ufunc: str, operands: list[ast.expr]) -> list[Text]:
        """Operands of an operator of Python, which may raise where one is zero."""
        texts = [self.write(e) for e in operands]
        if self.expressions.known(node).constant is not None:
            return texts  # computed from literals, and nothing was raised
        values = [self.expressions.known(e) for e in operands]
        rule = functions().raising.get(ufunc)
        python = all(any(t.weak for t in v.types) for v in values)
        if rule is not None and python and kind(self.expressions.computed[node, 0].output) == "f":
            self.note(node, raised(rule, values))
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
        texts = self.operands(node, ufunc, [target, node.value])
        values = [self.expressions.known(e) for e in (target, node.value)]
        simpler = simpler_form(ufunc, texts, values, dtype)
        form, texts = simpler or (functions().form(ufunc, kind(dtype)) or "", texts)
        if form not in BINDING or len(texts) != 2 or kind(dtype) == "b":
            return None
        left, right = prepared(form, (texts[0], texts[1]), dtype)
        return (form, right.text) if left == texts[0] else None

    def note(self, node: ast.AST, text: str | None) -> None:
        """Keep what an expression of the loop does and the kernel does not."""
        if text is not None:
            self.raising.append((node, text))

    def _compare(self, node: ast.Compare) -> Text:
        operands = [node.left, *node.comparators]
        found = []
        for k, op in enumerate(node.ops):
            two = operands[k : k + 2]
            ufunc = functions().operators[type(op).__name__]
            found.append(self.computed(node, k, ufunc, [self.write(e) for e in two], two))
        return joined_by("&&", AND, found)

    def _boolop(self, node: ast.BoolOp) -> Text:
        symbol, binding = ("&&", AND) if isinstance(node.op, ast.And) else ("||", OR)
        return joined_by(symbol, binding, [self.truth(e) for e in node.values])

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
        return CallTexts(self).text(node)

    def computed(
        self, node: ast.AST, part: int, ufunc: str, texts: list[Text], nodes: list[ast.expr]
    ) -> Text:
        """One of the operations of an expression, as NumPy computes it."""
        way = self.expressions.computed[node, part]
        form = functions().form(ufunc, kind(way.inputs[0]))
        if form is None:
            raise Refused(UNSUPPORTED, node, f"a kernel has no form for {ufunc} of {way.inputs[0]}")
        values = [self.expressions.known(n) for n in nodes]
        simpler = simpler_form(ufunc, texts, values, way.inputs[0])
        if simpler is not None:
            form, texts = simpler
        if ufunc in COMPARISONS:
            return relation(node, form, texts, values, way.inputs[0])
        if form in BINDING and len(texts) == 2:
            return infix(form, (texts[0], texts[1]), way.inputs[0], way.output)
        if not form[0].isalpha():
            return prefixed(form, texts[0], way.inputs[0], way.output)
        exact = [cast(t, d, exact=True) for t, d in zip(texts, way.inputs, strict=False)]
        return call(form, exact, way.output)
