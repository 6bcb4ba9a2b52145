"""Operations on numbers as expressions of CUDA C++, with NumPy's and Python's meaning."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache

import numpy as np

from gpuport.canonicalise.blocked import Blocked
from gpuport.canonicalise.knowledge import element_rules
from gpuport.ir.structure import Op, Value
from gpuport.parallel.cuda.rules import functions
from gpuport.parallel.cuda.text import (
    ATOM,
    BINDING,
    CONDITIONAL,
    OR,
    UNARY,
    Text,
    call,
    cast,
    infix,
    literal,
)
from gpuport.parallel.growth import is_bounded, is_short_sum
from gpuport.parallel.numbers import Numbers
from gpuport.parallel.typing import PYTHON, Computation, Type, TypeRefusal, compute, kind, operate
from gpuport.records import Span

#: Operators of Python as the table of NumPy's functions names them.
NAMES = {
    "+": "Add",
    "-": "Sub",
    "*": "Mult",
    "/": "Div",
    "//": "FloorDiv",
    "%": "Mod",
    "**": "Pow",
    "&": "BitAnd",
    "|": "BitOr",
    "^": "BitXor",
    "<<": "LShift",
    ">>": "RShift",
    "<": "Lt",
    "<=": "LtE",
    ">": "Gt",
    ">=": "GtE",
    "==": "Eq",
    "!=": "NotEq",
}
ONE = {"-": "USub", "+": "UAdd", "~": "Invert"}
DIVIDES = frozenset({"/", "//", "%"})
GROWS = frozenset({"+", "-", "*", "**", "<<"})
SMALL_POWER = 64
MULTIPLIED = 2**31  #: a product of two such numbers, and some sums of them, fit 64 bits
SUMMED = 2**60  #: a short sum of such numbers does


@dataclass
class Expressions:
    """Writes the operations of a region.

    Parameters
    ----------
    numbers : Numbers
    text : callable
        The expression of an operand.

    Attributes
    ----------
    notes : list of (Span, str)
        What Python raises where the kernel gives a value.
    fits : list of (Value, str, Span)
        Whole numbers of Python's, and the dtype that each has to fit.
    nonzero : list of (Value, Span)
        Divisors of Python's numbers, which raises for zero.
    sizes : dict
        Whole numbers of the program, and how large each may be for 64 bits to hold what is made of
        it.
    """

    numbers: Numbers
    text: Callable[[Value], Text]
    notes: list[tuple[Span, str]] = field(default_factory=list)
    fits: list[tuple[Value, str, Span]] = field(default_factory=list)
    nonzero: list[tuple[Value, Span]] = field(default_factory=list)
    sizes: dict[Value, int] = field(default_factory=dict)

    def of(self, op: Op) -> Text:
        """The expression of what an operation gives.

        Raises
        ------
        Blocked
            Where a kernel cannot compute the same.
        """
        try:
            return self._WAYS[op.kind](self, op)
        except TypeRefusal as refusal:
            raise Blocked(str(refusal), op.span) from None

    def _const(self, op: Op) -> Text:
        value = op.attributes["value"]
        return literal(value, self.numbers.of(op.result).dtype)

    def _operands(self, op: Op) -> tuple[list[Text], list[Type]]:
        return [self.text(v) for v in op.operands], [self.numbers.of(v) for v in op.operands]

    def _binary(self, op: Op) -> Text:
        symbol = op.attributes["operator"]
        if op.kind == "Unary":
            return self._unary(op, symbol)
        if symbol not in NAMES:
            raise Blocked(f"a kernel has no operator `{symbol}`", op.span)
        texts, types = self._operands(op)
        ufunc = functions().operators[NAMES[symbol]]
        if all(t.weak for t in types):
            self._check_python(op, symbol, texts, types)
        computed = operate(ufunc, tuple(types))
        for value, given, dtype in zip(op.operands, types, computed.inputs, strict=True):
            if given.weak and not computed.output.weak:
                self.check_fits(op, value, dtype)
        if symbol == "**" and texts[1].literal == 2 and kind(computed.inputs[0]) != "c":
            square = cast(texts[0], computed.inputs[0], exact=True)
            return call("square", [square], computed.output.dtype)
        return self._applied(op, ufunc, texts, computed)

    def check_fits(self, op: Op, value: Value, dtype: str) -> None:
        """A number of Python's becomes one of NumPy's: Python raises where it does not fit.

        Raises
        ------
        Blocked
            Where it never fits, the types never do, or nothing can be asked.
        """
        text = self.text(value)
        if kind(text.dtype) not in "if" or kind(dtype) not in "iu":
            return
        if kind(text.dtype) == "f" and text.literal is None:
            self.fits.append((value, dtype, op.span))
            return
        limits = np.iinfo(dtype)
        number = text.literal
        if number is None:
            if dtype != "int64":
                self.fits.append((value, dtype, op.span))
        elif isinstance(number, (int, float)) and not limits.min <= number <= limits.max:
            raise Blocked(f"{number} does not fit {dtype}", op.span)

    def _unary(self, op: Op, symbol: str) -> Text:
        texts, types = self._operands(op)
        if symbol == "not":
            test = cast(texts[0], "bool")
            return Text(f"!{test.within(UNARY)}", UNARY, "bool")
        ufunc = functions().operators[ONE[symbol]]
        return self._applied(op, ufunc, texts, operate(ufunc, tuple(types)))

    def _check_python(self, op: Op, symbol: str, texts: list[Text], types: list[Type]) -> None:
        """Refuse what Python's numbers do and C++'s do not."""
        whole = all(t.kind in "bi" for t in types)
        divisor = texts[-1].literal
        if symbol in DIVIDES and divisor is None:
            self.nonzero.append((op.operands[1], op.span))
        elif symbol in DIVIDES and not divisor:
            raise Blocked("Python raises where it divides by zero", op.span)
        if symbol == "**":
            small = isinstance(divisor, int) and 0 <= divisor <= SMALL_POWER
            if not small or (whole and divisor != 2) or types[0].kind == "c":
                raise Blocked("a power of Python's numbers may be of another type", op.span)
        if whole and symbol in GROWS:
            if not is_bounded(op.result):
                raise Blocked("a whole number of Python's may outgrow 64 bits", op.span)
            made_here = self.numbers.elements.like
            largest = SUMMED if is_short_sum(op.result, made_here) else MULTIPLIED
            for value in op.operands:
                if value not in made_here:
                    self.sizes[value] = min(self.sizes.get(value, largest), largest)

    def _applied(self, op: Op, ufunc: str, texts: list[Text], computed: Computation) -> Text:
        """A function of NumPy's applied to operands, converted as NumPy converts them."""
        form = functions().form(ufunc, kind(computed.inputs[0]))
        if form is None:
            raise Blocked(f"a kernel has no `{ufunc}` of {computed.inputs[0]}", op.span)
        output = computed.output.dtype
        if form in BINDING and len(texts) == 2:
            if BINDING[form] in (BINDING["<"], BINDING["=="]):
                return self._compared(op, form, texts, computed)
            return infix(form, (texts[0], texts[1]), computed.inputs[0], output)
        given = [
            cast(text, dtype, exact=True)
            for text, dtype in zip(texts, computed.inputs, strict=True)
        ]
        if not form.isidentifier():
            return Text(f"{form}{given[0].within(ATOM)}", UNARY, output)
        return call(form, given, output)

    def _compared(self, op: Op, form: str, texts: list[Text], computed: Computation) -> Text:
        kinds = {kind(text.dtype) for text in texts}
        if "u" in kinds and kinds & set("ib"):
            raise Blocked("a signed number is compared with an unsigned one", op.span)
        return infix(form, (texts[0], texts[1]), computed.inputs[0], "bool")

    def _cast(self, op: Op) -> Text:
        return cast(self.text(op.operands[0]), self.numbers.of(op.result).dtype)

    def _wrap(self, op: Op) -> Text:
        """An index from the front; one of a slice is shown not to be negative before."""
        if op.attributes["clamped"]:
            raise Blocked("the start of a slice may be negative", op.span)
        index, size = (self.text(value) for value in op.operands)
        if kind(index.dtype) not in "iu":
            raise Blocked("an index is no whole number", op.span)
        given = [cast(text, "int64", exact=True) for text in (index, size)]
        return call("wrapped_index", given, "int64")

    # -- functions

    def _elementwise(self, op: Op) -> Text:
        path, table = op.attributes["path"], functions()
        texts, types = self._operands(op)
        if path in element_rules().chosen_by_test:
            return self._where(op, texts)
        if path in table.chosen:
            return self._chosen(op, table.chosen[path]["form"], texts)
        if path in table.conversions:
            return self._conversion(op, texts[0])
        if path in table.rounding and len(texts) == 1:
            return self._rounded(op, path, texts[0])
        if path in table.floating:
            return self._floating(op, path, texts)
        if path in table.operations:
            ufunc = table.operations[path]
            return self._applied(op, ufunc, texts, operate(ufunc, tuple(types)))
        if path.removeprefix("numpy.") in table.parts:
            return self._part(op, table.parts[path.removeprefix("numpy.")], texts[0])
        ufunc_name = table.ufunc(path)
        if ufunc_name is None:
            raise Blocked(f"a kernel has no `{path}`", op.span)
        return self._applied(op, ufunc_name, texts, compute(ufunc_name, tuple(types)))

    def _where(self, op: Op, texts: list[Text]) -> Text:
        dtype = self.numbers.of(op.result).dtype
        test = cast(texts[0], "bool")
        then, orelse = (cast(text, dtype) for text in texts[1:])
        shown = f"{test.within(OR)} ? {then.within(OR)} : {orelse.within(CONDITIONAL)}"
        return Text(shown, CONDITIONAL, dtype)

    def _chosen(self, op: Op, form: str, texts: list[Text]) -> Text:
        """One of the arguments, unchanged: they have to be of one type."""
        dtypes = {text.dtype for text in texts if text.literal is None}
        dtype = self.numbers.of(op.result).dtype
        if len(texts) < 2 or dtypes - {dtype}:
            raise Blocked("the arguments of an extreme are of several types", op.span)
        first, *others = (cast(text, dtype, exact=True) for text in texts)
        for other in others:  # of several alike the first, as when they come one after the other
            first = call(form, [first, other], dtype)
        return first

    def _conversion(self, op: Op, text: Text) -> Text:
        dtype = self.numbers.of(op.result).dtype
        if kind(text.dtype) == "c":
            raise Blocked("a conversion of complex numbers raises", op.span)
        if kind(text.dtype) == "f" and kind(dtype) in "iu":
            self.fits.append((op.operands[0], dtype, op.span))
        return cast(text, dtype)

    def _rounded(self, op: Op, path: str, text: Text) -> Text:
        if kind(text.dtype) != "f" or path.startswith("builtins"):
            raise Blocked(f"a kernel has no `{path}` of {text.dtype}", op.span)
        return call(functions().rounding[path]["form"], [text], text.dtype)

    def _floating(self, op: Op, path: str, texts: list[Text]) -> Text:
        """A function of Python's module ``math``, which computes in double precision."""
        entry = functions().floating[path]
        if len(texts) != entry.get("arguments", 1):
            raise Blocked(f"`{path}` has other arguments in a kernel", op.span)
        if "raises" in entry:
            self.notes.append((op.span, f"{entry['raises']}; {entry['instead']} here"))
        takes = PYTHON[entry.get("takes", "float")].dtype
        gives = PYTHON[entry.get("gives", "float")].dtype
        found = call(entry["form"], [cast(text, takes, exact=True) for text in texts], takes)
        return found if gives == takes else cast(found, gives)

    def _part(self, op: Op, part: str, text: Text) -> Text:
        if kind(text.dtype) != "c":
            return text if part == "real" else literal(0, text.dtype)
        dtype = "float32" if text.dtype == "complex64" else "float64"
        return Text(f"{text.within(ATOM)}.{part}()", ATOM, dtype)

    _WAYS = {
        "Const": _const,
        "Cast": _cast,
        "Wrap": _wrap,
        "Binary": _binary,
        "Compare": _binary,
        "Unary": _binary,
        "Elementwise": _elementwise,
    }


@cache
def raises_beyond(given: str, dtype: str) -> bool:
    """Whether NumPy raises where an element takes a whole number that it cannot hold.

    It does for some dtypes, and keeps the low bits for others.
    """
    number, limits = np.dtype(given).type, np.iinfo(given)
    element = np.zeros(1, dtype)
    try:
        element[0] = number(limits.min)
        element[0] = number(limits.max)
    except OverflowError:
        return True
    return False
