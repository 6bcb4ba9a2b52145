"""Between which bounds floating numbers of a kernel stay, in Python that a call can be asked.

Each operation of double precision is monotone in each operand, rounding included: computed at the
ends, in the same way, it gives the ends. That all numbers are finite is asked besides.
"""

from __future__ import annotations

from collections.abc import Callable

from gpuport.canonicalise.knowledge import element_rules
from gpuport.ir.structure import Op, Value
from gpuport.parallel.numbers import Numbers

Ends = tuple[str, str]
#: Products and sums of a few numbers up to this are finite.
LARGEST = "1e+100"


class Reals:
    """The least and the largest values of floating numbers.

    Parameters
    ----------
    numbers : Numbers
    whole : callable
        The ends of a whole number.
    name : callable
        What an array, or a number from outside, is called.
    written : set of Value
        Arrays that the region stores to.

    Attributes
    ----------
    finite : dict
        Conditions under which all numbers are finite.
    """

    def __init__(
        self,
        numbers: Numbers,
        whole: Callable[[Value], Ends | None],
        name: Callable[[Value], str],
        written: set[Value],
    ) -> None:
        self.numbers, self.whole, self.name, self.written = numbers, whole, name, written
        self.finite: dict[str, None] = {}

    def of(self, value: Value) -> Ends | None:
        """The least and the largest value; None where nothing tells them."""
        t, made = self.numbers.of(value), value.definition
        if t.kind in "biu":
            return self.whole(value)
        if t.dtype != "float64":
            return None
        if value not in self.numbers.elements.like:
            name = self.name(value)
            self._ask(name)
            return name, name
        way = self._WAYS.get(made.kind) if isinstance(made, Op) else None
        return way(self, made, value) if way is not None and isinstance(made, Op) else None

    def _ask(self, text: str) -> None:
        self.finite[f"abs({text}) <= {LARGEST}"] = None

    def _all(self, values: list[Value]) -> list[Ends] | None:
        found = [self.of(value) for value in values]
        told = [ends for ends in found if ends is not None]
        return told if len(told) == len(found) else None

    def _const(self, op: Op, value: Value) -> Ends | None:
        number = float(op.attributes["value"])
        return (repr(number),) * 2 if abs(number) <= float(LARGEST) else None

    def _load(self, op: Op, value: Value) -> Ends | None:
        array = op.operands[0]
        if array in self.written:
            return None
        name = self.name(array)
        ends = f"float({name}.min())", f"float({name}.max())"
        for end in ends:
            self._ask(end)
        return ends

    def _binary(self, op: Op, value: Value) -> Ends | None:
        both, symbol = self._all(op.operands), op.attributes["operator"]
        if both is None:
            return None
        (a, b), (c, d) = both
        if symbol == "+":
            return f"({a} + {c})", f"({b} + {d})"
        if symbol == "-":
            return f"({a} - {d})", f"({b} - {c})"
        if symbol == "*" and _is_natural(a) and a == b:
            (a, b), (c, d) = (c, d), (a, b)
        if symbol in ("*", "/") and c == d and _is_natural(c):
            return f"({a} {symbol} {c})", f"({b} {symbol} {c})"
        if symbol == "*" or (symbol == "/" and c == d):
            corners = dict.fromkeys(f"{x} {symbol} {y}" for x in (a, b) for y in (c, d))
            if len(corners) == 1:
                return (f"({next(iter(corners))})",) * 2
            listed = ", ".join(corners)
            return f"min({listed})", f"max({listed})"
        return None

    def _unary(self, op: Op, value: Value) -> Ends | None:
        ends = self.of(op.operands[0])
        if ends is None or op.attributes["operator"] != "-":
            return None
        return f"(-{ends[1]})", f"(-{ends[0]})"

    def _same(self, op: Op, value: Value) -> Ends | None:
        return self.of(op.operands[0])

    def _if(self, op: Op, value: Value) -> Ends | None:
        place = op.results.index(value)
        ends = [region.terminator for region in op.regions]
        found = self._all([end.operands[place] for end in ends if end.kind == "Yield"])
        return None if found is None else _joined(found)

    def _elementwise(self, op: Op, value: Value) -> Ends | None:
        word, found = element_rules().between.get(op.attributes["path"]), self._all(op.operands)
        if word is None or found is None:
            return None
        if word == "same":
            return found[0]
        if word == "floor":
            return f"({found[0][0]} // 1)", f"({found[0][1]} // 1)"
        lows, highs = (", ".join(dict.fromkeys(side)) for side in zip(*found, strict=True))
        return f"{word}({lows})", f"{word}({highs})"

    _WAYS = {
        "Const": _const,
        "Load": _load,
        "Binary": _binary,
        "Unary": _unary,
        "Cast": _same,
        "If": _if,
        "Elementwise": _elementwise,
    }


def _is_natural(text: str) -> bool:
    """Whether a text is a number that is positive."""
    return text.replace(".", "", 1).replace("e", "", 1).isdigit() and float(text) > 0


def _joined(found: list[Ends]) -> Ends:
    lows, highs = (list(dict.fromkeys(side)) for side in zip(*found, strict=True))
    low = lows[0] if len(lows) == 1 else f"min({', '.join(lows)})"
    return low, highs[0] if len(highs) == 1 else f"max({', '.join(highs)})"
