"""Kernels of whole-array statements: each thread computes one element of everything.

The statements are the user's; their names stand for single elements here. Types are NumPy's for
arrays: a name that stands for an array is never weak.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from gpuport.loops.cuda.expressions import Expressions
from gpuport.loops.cuda.flow import Flow
from gpuport.loops.cuda.functions import DeviceFunctions
from gpuport.loops.cuda.statements import Statements, folded
from gpuport.loops.cuda.storage import storage
from gpuport.loops.cuda.symbols import Symbols
from gpuport.loops.cuda.writer import Writer
from gpuport.loops.facts import Fact
from gpuport.loops.reasons import UNKNOWN_TYPE, UNSUPPORTED, Refused
from gpuport.parallel.cuda.helpers import used_by
from gpuport.parallel.cuda.names import Names
from gpuport.parallel.cuda.text import CONDITIONAL, OR, Text, call, cast
from gpuport.parallel.ranges import Value, dtype_bounds, join, of_type
from gpuport.parallel.typing import Type, TypeRefusal, kind
from gpuport.runtime.kernels.provided import PROVIDED
from gpuport.runtime.kernels.weak import HELPERS

CHOICE = "numpy.where"
BOUNDS = "numpy.clip"

_ROOTS = {0.5: "sqrt", -1: "reciprocal"}
"""What NumPy computes for these powers of an array; 2 is known to every kernel."""


@dataclass(frozen=True, slots=True)
class ElementwiseText:
    """What a kernel says in CUDA.

    Attributes
    ----------
    body : tuple of str
        Lines.
    preamble : str
        Functions that the body calls.
    outputs : tuple of (str, str)
        Names that the launch gives or writes, in order, with their dtypes.
    strong : frozenset of str
        Dtypes of NumPy's that anything in it is computed in.
    """

    body: tuple[str, ...]
    preamble: str
    outputs: tuple[tuple[str, str], ...]
    strong: frozenset[str]

    def of_type(self, letter: str) -> ElementwiseText:
        """The text with a letter in the place of ``double``."""
        body = tuple(re.sub(r"\bdouble\b", letter, line) for line in self.body)
        return replace(self, body=body)

    def indexed(self, arrays: Sequence[str], index: str, beside: Sequence[str]) -> ElementwiseText:
        """The text for raw arrays, behind lines that read some of them elsewhere."""
        names = re.compile(rf"(?<![\w.])({'|'.join(arrays)})\b")
        body = [names.sub(rf"\1[{{{index}}}]", line) for line in self.body]
        return replace(self, body=tuple(folded([*beside, *body])))


def elementwise_text(
    body: Sequence[ast.stmt],
    given: Mapping[str, Type],
    written: Mapping[str, str],
    made: Sequence[str],
    facts: Mapping[str, Fact],
) -> ElementwiseText:
    """The kernel of some assignments between whole arrays.

    Parameters
    ----------
    body : sequence of ast.stmt
        Assignments to names. Subscripts and loops are not among them.
    given : mapping of str to Type
        What the statements read and do not bind: weak for Python's numbers.
    written : mapping of str to str
        Arrays that the statements change in place, with their dtypes.
    made : sequence of str
        Names that the launch returns.
    facts : mapping of str to Fact
        What the names of modules and functions mean.

    Raises
    ------
    Refused
        Where an operation has no form, or a type of NumPy's is none of the device's.
    """
    numbers = {n: _outside(t) for n, t in given.items()}
    symbols = Symbols({}, numbers, facts)
    names = Names(verbatim=True)
    for parameter in (*given, *written, *made):
        if names[parameter] != parameter:
            raise Refused(UNSUPPORTED, body[0], f"`{parameter}` means something in C++")
    flow = ElementwiseFlow(symbols)
    functions_ = DeviceFunctions(names, flow=ElementwiseFlow, writer=ElementwiseWriter)
    functions_.attach(flow, symbols)
    local, outputs = _carried_out(flow, body, written, made)
    parameters = {n: storage(v, body[0]) for n, v in numbers.items()}
    writer = ElementwiseWriter(
        flow.expressions, names, local, parameters, {}, _no_length,
        functions_.write_call,
    )  # fmt: skip
    statements = Statements(writer, names)
    lines = statements.body(body, [n for n, _ in outputs])
    if writer.flagged or writer.unchecked:
        raise Refused(UNSUPPORTED, body[0], "a value has to be checked while it is computed")
    called = functions_.definitions()
    helpers = used_by("\n".join([*lines, called]), without=PROVIDED)
    preamble = "\n".join(part for part in (helpers, called) if part)
    values = flow.expressions.values.values()
    strong = frozenset(t.dtype for value in values for t in value.types if not t.weak)
    return ElementwiseText(tuple(folded(lines)), preamble, tuple(outputs), strong)


def generic(
    body: Sequence[ast.stmt],
    given: Mapping[str, Type],
    written: Mapping[str, str],
    made: Sequence[str],
    facts: Mapping[str, Fact],
) -> ElementwiseText | None:
    """The same for float64, where the text says the right thing of float32 too; None elsewhere.

    Python's numbers have a type of their own in the text, which makes of them what NumPy does: it
    is right where the texts for both types are the same but for the types' names.
    """
    wide, narrow = (_with_floats(dtype, given, written) for dtype in ("float64", "float32"))
    if wide is None or narrow is None:
        return None
    try:
        texts = [elementwise_text(body, *types, made, facts) for types in (wide, narrow)]
    except (Refused, TypeRefusal):
        return None
    first, second = texts
    if "float64" in second.strong or first.preamble != second.preamble:
        return None
    lines = ("\n".join(text.body) for text in texts)
    return first if _agree(*lines) else None


_FLOATS = frozenset({"float32", "float64"})
_TOKEN = re.compile(r"\d+\.?\d*(?:e[+-]?\d+)?f?|\.\d+|\w+|[^\w\s]")
_OF_WEAK = frozenset({*HELPERS, "pow"})
"""Functions that take numbers of Python's beside elements."""


def _with_floats(
    dtype: str, given: Mapping[str, Type], written: Mapping[str, str]
) -> tuple[dict[str, Type], dict[str, str]] | None:
    """The types with another one for floats; None where there are none, or two."""
    strong = [t.dtype for t in given.values() if not t.weak and t.dtype != "bool"]
    found = {*strong, *(d for d in written.values() if d != "bool")}
    if len(found) != 1 or not found <= _FLOATS:
        return None
    arrays = {n: dtype if d in _FLOATS else d for n, d in written.items()}
    types = {n: Type(dtype) if not t.weak and t.dtype in _FLOATS else t for n, t in given.items()}
    return types, arrays


def _agree(wide: str, narrow: str) -> bool:
    """Whether texts for float64 and float32 are the same but for the types and conversions."""
    if "double" in narrow or any(map(_is_weak, _arguments(narrow))):
        return False
    one, other = (_TOKEN.findall(_CAST.sub("", text)) for text in (wide, narrow))
    one, other = ([t for t in tokens if t not in ("(", ")")] for tokens in (one, other))
    return len(one) == len(other) and all(map(_same_token, one, other))


_CALL = re.compile(r"\b(\w+)\(")
_CAST = re.compile(r"\((?:float|double)\)")
_WEAK_ARGUMENT = re.compile(r"-?(?:[\d.]+(?:e[+-]?\d+)?f|\(float\)-?(?:\w+|\([^()]*\)))")


def _is_weak(argument: str) -> bool:
    """Whether an argument is a number of Python's that is converted, and no arithmetic with it."""
    return _WEAK_ARGUMENT.fullmatch(argument.strip()) is not None


def _arguments(text: str) -> Iterator[str]:
    """The arguments of functions that do not take numbers of Python's beside elements."""
    for found in _CALL.finditer(text):
        depth, begin = 0, found.end()
        for at in range(begin, len(text)):
            depth += (text[at] in "([{") - (text[at] in ")]}")
            if depth < 0 or (text[at] == "," and not depth):
                if found[1] not in _OF_WEAK:
                    yield text[begin:at]
                begin = at + 1
            if depth < 0:
                break


def _same_token(one: str, other: str) -> bool:
    if one == other or (one, other) == ("double", "float"):
        return True
    if not (one[0].isdigit() and other.endswith("f")):
        return False
    import numpy as np

    return bool(np.float32(one) == np.float32(other[:-1]))


def _carried_out(
    flow: ElementwiseFlow,
    body: Sequence[ast.stmt],
    written: Mapping[str, str],
    made: Sequence[str],
) -> tuple[dict[str, str], list[tuple[str, str]]]:
    """Dtypes of the names that the statements bind, and of what the launch gives or writes."""
    state: dict[str, Value] = {}
    for array, dtype in written.items():
        flow.bind(state, array, of_type(Type(dtype)))
    end = flow.run(body, state)
    assert end is not None
    local = {n: storage(v, body[0]) for n, v in flow.locals.items()}
    outputs = [(n, _settled(n, end, local, body)) for n in (*written, *made)]
    for array, dtype in outputs[: len(written)]:
        if dtype != written[array]:
            raise Refused(UNKNOWN_TYPE, body[0], f"`{array}` would change its type")
    return local, outputs


def _outside(type_: Type) -> Value:
    if type_.weak and type_.kind == "i":
        return of_type(type_, *dtype_bounds("int64"))
    return of_type(type_)


def _settled(
    name: str, end: Mapping[str, Value], local: Mapping[str, str], body: Sequence[ast.stmt]
) -> str:
    """The dtype of an array at the end, if it had no wider one before."""
    types = end[name].types
    if len(types) != 1 or next(iter(types)) != Type(local[name]):
        raise Refused(UNKNOWN_TYPE, body[0], f"the type of `{name}` changes")
    return local[name]


def _no_length(array: str, axis: int) -> Text:
    raise AssertionError(f"statements on elements know no length of {array}")


class ElementwiseExpressions(Expressions):
    """Values of expressions whose operands are elements of whole arrays."""

    def _call(self, node: ast.Call, state: Mapping[str, Value]) -> Value:
        path = self.symbols.path(node.func)
        if path == CHOICE:
            return self._choice(node, node.args, state)
        if path == BOUNDS:
            value, low, high = (self.value(a, state) for a in node.args)
            inner = self.apply(node, "maximum", [value, low], part=0, python=False)
            found = self.apply(node, "minimum", [inner, high], part=1, python=False)
            if any(t.kind == "b" for t in found.types):
                raise Refused(UNKNOWN_TYPE, node, "`numpy.clip` of truth values")
            return found
        return super()._call(node, state)

    def _ifexp(self, node: ast.IfExp, state: Mapping[str, Value]) -> Value:
        """Of elements at a mask and those beside it: what is stored has the type that both have."""
        return self._choice(node, [node.test, node.body, node.orelse], state)

    def _choice(
        self, node: ast.expr, given: Sequence[ast.expr], state: Mapping[str, Value]
    ) -> Value:
        """NumPy gives what `maximum` of both would be; the bounds are those of either."""
        _, one, other = (self.value(part, state) for part in given)
        found = self.apply(node, "maximum", [one, other], python=False)
        either = join(one, other)
        if either.low is None or either.high is None:
            return Value(found.alternatives)
        return Value(found.alternatives, either.low, either.high)


class ElementwiseFlow(Flow):
    """Goes through statements on whole arrays, element by element."""

    def __init__(self, symbols: Symbols) -> None:
        super().__init__(symbols)
        self.expressions = ElementwiseExpressions(symbols)


class ElementwiseWriter(Writer):
    """Writes what these expressions are in C++."""

    def _call(self, node: ast.Call) -> Text:
        path = self.expressions.symbols.path(node.func)
        if path == CHOICE:
            return self._choice(node, *node.args)
        if path == BOUNDS:
            text = self.write(node.args[0])
            for part, form in enumerate(("maximum", "minimum")):
                way = self.expressions.computed[node, part]
                bound = self.write(node.args[1 + part])
                both = zip((text, bound), way.inputs, strict=True)
                text = call(form, [cast(t, d, exact=True) for t, d in both], way.output)
            return text
        return super()._call(node)

    def _ifexp(self, node: ast.IfExp) -> Text:
        return self._choice(node, node.test, node.body, node.orelse)

    def _choice(self, node: ast.expr, test: ast.expr, one: ast.expr, other: ast.expr) -> Text:
        way = self.expressions.computed[node, 0]
        parts = [
            cast(self.write(e), d, exact=True)
            for e, d in zip((one, other), way.inputs, strict=True)
        ]
        first, second = parts[0].within(OR), parts[1].within(CONDITIONAL)
        inner = f"{self.truth(test).within(OR)} ? {first} : {second}"
        return Text(inner, CONDITIONAL, way.output)

    def computed(
        self, node: ast.AST, part: int, ufunc: str, texts: list[Text], nodes: list[ast.expr]
    ) -> Text:
        way = self.expressions.computed[node, part]
        if ufunc == "power" and kind(way.inputs[0]) == "f":
            constant = self.expressions.known(nodes[1]).constant
            form = None if isinstance(constant, complex | None) else _ROOTS.get(constant)
            if form is not None:
                return call(form, [cast(texts[0], way.inputs[0], exact=True)], way.output)
        return super().computed(node, part, ufunc, texts, nodes)


__all__ = ["BOUNDS", "CHOICE", "ElementwiseText", "elementwise_text", "generic"]
