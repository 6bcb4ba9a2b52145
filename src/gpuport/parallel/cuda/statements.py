"""Operations of a region as statements of CUDA C++.

The text is SSA written out: a value that is used once stands where it is used, others get a name.
What a loop or a branch hands on is assigned all at once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import numpy as np

from gpuport.canonicalise.blocked import Blocked
from gpuport.ir.queries import walk
from gpuport.ir.structure import Op, Region, Value
from gpuport.parallel.cuda.expressions import Expressions, raises_beyond
from gpuport.parallel.cuda.names import Names
from gpuport.parallel.cuda.rules import functions
from gpuport.parallel.cuda.text import ATOM, C_TYPES, Text, cast, implicit, infix, literal
from gpuport.parallel.numbers import Numbers
from gpuport.parallel.typing import kind

INDENT = "    "
NEUTRAL = {"+": 0, "*": 1, "|": 0, "&": 1}
#: Values that stand where they are used, however often.
INLINE = frozenset({"Const", "Extent"})


class Statements:
    """Writes the regions of one kernel.

    Parameters
    ----------
    outside : callable
        The expression of a value of the program from outside the region.
    shared : frozenset of Value
        Arrays of which iterations may update the same element.
    """

    def __init__(
        self,
        names: Names,
        numbers: Numbers,
        outside: Callable[[Value], Text],
        shared: frozenset[Value],
    ) -> None:
        self.names, self.numbers, self.outside, self.shared = names, numbers, outside, shared
        self.expressions = Expressions(numbers, self.text)
        self._texts: dict[Value, Text] = {}
        self._users: dict[Value, list[Op]] = {}
        self._stored: set[Value] = set()
        self._loops: list[tuple[list[str], Sequence[Value]]] = []

    def name(self, value: Value, otherwise: str) -> str:
        """A name for a whole number that the kernel sets."""
        name = self.names.fresh(value.name or otherwise)
        self._texts[value] = Text(name, ATOM, "int64")
        return name

    def body(self, region: Region, dtypes: Sequence[str]) -> tuple[list[str], list[str]]:
        """The statements of one point of the grid, and its terms, of some dtypes."""
        inside = list(walk(region))
        for op in inside:
            for value in op.operands:
                self._users.setdefault(value, []).append(op)
        self._stored = {op.operands[0] for op in inside if op.kind in ("Store", "Update")}
        lines = self._region(region)
        given = zip(region.terminator.operands, dtypes, strict=True)
        return lines, [implicit(self.text(value), dtype).text for value, dtype in given]

    # -- values

    def text(self, value: Value) -> Text:
        """The expression of a value."""
        if value in self._texts:
            return self._texts[value]
        made = value.definition
        if isinstance(made, Op) and made.kind == "Const":
            number = made.attributes["value"]
            return literal(number, self.numbers.of(value).dtype)
        if value in self.numbers.elements.like:
            raise Blocked(f"`{value.name}` has no value here")
        return self.outside(value)

    def _index(self, value: Value) -> str:
        text = self.text(value)
        return text.text if kind(text.dtype) in "iu" else cast(text, "int64").text

    def _place(self, array: Value, indices: Sequence[Value]) -> Text:
        """An element of an array."""
        name = self.outside(array)
        inner = ", ".join(self._index(index) for index in indices)
        shown = f"{name.text}[{inner}]" if len(indices) == 1 else f"{name.text}[{{{inner}}}]"
        return Text(shown, ATOM, name.dtype)

    def _is_place(self, value: Value) -> bool:
        """Whether a value is a sum or product of indices and sizes, and used as an index alone."""
        if not self._is_of_indices(value):
            return False
        for user in self._users.get(value, ()):
            indexes = user.kind in ("Load", "Store", "Update") and user.operands[-1] is not value
            indexes = indexes or (user.kind == "Load" and user.operands[0] is not value)
            if not indexes and not (user.results and self._is_place(user.result)):
                return False
        return True

    def _is_of_indices(self, value: Value) -> bool:
        made = value.definition
        if value not in self.numbers.elements.like:
            return True  # a number from outside
        if isinstance(made, Op) and made.kind == "Binary":
            plain = made.attributes["operator"] in ("+", "-", "*")
            return plain and all(map(self._is_of_indices, made.operands))
        is_index = isinstance(made, Region) and value in self._texts
        return is_index or not isinstance(made, Op) or made.kind in INLINE

    # -- regions

    def _region(self, region: Region) -> list[str]:
        lines: list[str] = []
        for op in region.ops[:-1]:
            lines += self._statement(op)
        return lines

    def _statement(self, op: Op) -> list[str]:
        if op.kind in ("Iterate", "Const"):
            return []
        if op.kind in self._WAYS:
            return self._WAYS[op.kind](self, op)
        return self._value(op, self._expression(op))

    def _expression(self, op: Op) -> Text:
        if op.kind == "Load":
            return self._place(op.operands[0], op.operands[1:])
        if op.kind == "Extent":
            array = self.outside(op.operands[0])
            return Text(f"{array.text}.shape[{op.attributes['axis']}]", ATOM, "int64", loose=True)
        return self.expressions.of(op)

    def _value(self, op: Op, text: Text) -> list[str]:
        """A value under a name, unless it stands well where it is used."""
        value = op.result
        users = self._users.get(value, [])
        once = not value.name and len(users) <= 1 and all(u.parent is op.parent for u in users)
        changes = op.kind == "Load" and op.operands[0] in self._stored
        if (once or op.kind in INLINE or self._is_place(value) or self._is_short(value)) and (
            not changes
        ):
            self._texts[value] = text
            return []
        dtype = self.numbers.of(value).dtype
        name = self.names.fresh(value.name or "value")
        self._texts[value] = Text(name, ATOM, dtype)
        return [f"const {C_TYPES[dtype]} {name} = {implicit(text, dtype).text};"]

    def _store(self, op: Op) -> list[str]:
        array, *indices, value = op.operands
        place = self._place(array, indices)
        self._check_stored(op, array, value, place.dtype)
        return [f"{place.text} = {implicit(self.text(value), place.dtype).text};"]

    def _check_stored(self, op: Op, array: Value, value: Value, dtype: str) -> None:
        given = self.numbers.of(value)
        if given.kind == "c" != kind(dtype):
            raise Blocked(f"`{array.name}` is given complex numbers, and is not complex", op.span)
        whole = kind(dtype) in "iu"
        if given.weak:
            self.expressions.check_fits(op, value, dtype)
        elif whole and (given.kind == "f" or raises_beyond(given.dtype, dtype)):
            self.expressions.fits.append((value, dtype, op.span))

    def _update(self, op: Op) -> list[str]:
        array, *indices, value = op.operands
        place, symbol = self._place(array, indices), op.attributes["operator"]
        given = self.numbers.of(value)
        term = implicit(self.text(value), place.dtype)
        wider = not np.can_cast(given.dtype, place.dtype, "same_kind")
        if given.dtype != place.dtype and (not given.weak or wider):
            raise Blocked(f"`{array.name}` is updated with numbers of another type", op.span)
        self._check_stored(op, array, value, place.dtype)
        if array not in self.shared:
            return [f"{place.text} {symbol}= {term.text};"]
        if symbol != "+" or place.dtype not in functions().atomic_add:
            raise Blocked(f"a kernel cannot put numbers of `{array.name}` together", op.span)
        return [f"atomicAdd(&{place.text}, {cast(term, place.dtype, exact=True).text});"]

    # -- control

    def _variables(self, values: Sequence[Value]) -> tuple[list[str], list[str]]:
        """Names for values that regions hand on, and the lines that declare them."""
        names, lines = [], []
        for value in values:
            dtype = self.numbers.of(value).dtype
            name = self.names.fresh(value.name or "value")
            self._texts[value] = Text(name, ATOM, dtype)
            names.append(name)
            lines.append(f"{C_TYPES[dtype]} {name};")
        return names, lines

    def _handed(self, value: Value, target: Value, *, begins: bool) -> str:
        """What a variable is set to; a Python number only where NumPy's type keeps its value.

        What a loop begins with is soon a number of NumPy's. Elsewhere it would go on to compute
        in Python's precision, which makes no difference for 0 alone.
        """
        given, taken, text = self.numbers.of(value), self.numbers.of(target), self.text(value)
        if given.weak and not taken.weak and not np.can_cast(given.dtype, taken.dtype):
            number = text.literal
            kept = number is not None and bool(np.asarray(number).astype(taken.dtype) == number)
            if not kept or (number and not begins):
                raise Blocked(f"`{target.name}` is a number of several types")
        return implicit(text, taken.dtype).text

    def _assigned(
        self, names: list[str], targets: Sequence[Value], values: list[Value]
    ) -> list[str]:
        """Assign all at once: what is read after it is set is kept under another name before."""
        pairs = [
            (name, self._handed(value, target, begins=False), target)
            for name, target, value in zip(names, targets, values, strict=True)
        ]
        pairs = [pair for pair in pairs if pair[0] != pair[1]]
        lines: list[str] = []
        ready: list[tuple[str, str]] = []
        for place, (name, text, target) in enumerate(pairs):
            earlier = [other for other, _, _ in pairs[:place]]
            if any(re.search(rf"\b{re.escape(other)}\b", text) for other in earlier):
                kept = self.names.fresh(f"next_{name}")
                dtype = C_TYPES[self.numbers.of(target).dtype]
                lines.append(f"const {dtype} {kept} = {text};")
                text = kept
            ready.append((name, text))
        return [*lines, *(f"{name} = {text};" for name, text in ready)]

    def _is_short(self, value: Value) -> bool:
        """Whether a test is used by ``and`` or ``or`` alone, which give it where it decides."""
        users = self._users.get(value, [])
        deciding = [user for user in users if user.kind == "If"]
        if len(users) != 2 or len(deciding) != 1 or self._symbol(deciding[0]) is None:
            return False
        return any(user is r.terminator for r in deciding[0].regions for user in users)

    def _symbol(self, op: Op) -> str | None:
        """``&&`` or ``||``, where an ``If`` gives its test in one arm and another in the other."""
        if len(op.results) != 1 or self.numbers.of(op.result).dtype != "bool":
            return None
        ends = [region.terminator for region in op.regions]
        plain = all(end.kind == "Yield" for end in ends)
        given = [end.operands[0] is op.operands[0] for end in ends if plain]
        if given in ([False, True], [True, False]):
            return "&&" if given[1] else "||"
        return None

    def _chosen(self, op: Op) -> bool:
        """Write ``a and b`` as an expression, where nothing has to be computed for b alone."""
        symbol = self._symbol(op)
        if symbol is None:
            return False
        region = op.regions[0 if symbol == "&&" else 1]
        if any(inner.kind in ("For", "While", "Store", "Update") for inner in walk(region)):
            return False
        if self._region(region):
            return False
        other = region.terminator.operands[0]
        self._texts[op.result] = infix(
            symbol, (self.text(op.operands[0]), self.text(other)), "bool", "bool"
        )
        return True

    def _if(self, op: Op) -> list[str]:
        if self._chosen(op):
            return []
        names, lines = self._variables(op.results)
        test = cast(self.text(op.operands[0]), "bool").text
        then, orelse = (self._arm(region, names, op.results) for region in op.regions)
        lines += [f"if ({test}) {{", *then]
        return [*lines, *(["} else {", *orelse] if orelse else []), "}"]

    def _arm(self, region: Region, names: list[str], targets: Sequence[Value]) -> list[str]:
        lines = self._region(region)
        end = region.terminator
        if end.kind == "Yield":
            lines += self._assigned(names, targets, end.operands)
        elif end.kind in ("Continue", "Break"):
            # outside of serial loops it ends the thread: CuPy's own loop goes over the grid
            carried, values = self._loops[-1] if self._loops else ([], ())
            lines += self._assigned(carried, values, end.operands)
            lines.append(f"{end.kind.lower()};")
        return [INDENT + line for line in lines]

    def _entered(self, op: Op, first: int) -> tuple[list[str], list[str]]:
        """Variables for what a loop carries, set to what it begins with."""
        names, lines = self._variables(op.results)
        inits = op.operands[first:]
        lines = [
            f"{line[:-1]} = {self._handed(init, result, begins=True)};"
            for line, init, result in zip(lines, inits, op.results, strict=True)
        ]
        for region in op.regions:
            skip = first if region is op.regions[0] else 0
            for parameter, result in zip(region.parameters[skip:], op.results, strict=True):
                self._texts[parameter] = self._texts[result]
        return names, lines

    def _for(self, op: Op) -> list[str]:
        over = op.operands[0].definition
        assert isinstance(over, Op), "serial loops of a region go over ranges"
        low, high, *step = over.operands
        stride = self._step(step)
        names, lines = self._entered(op, 1)
        index = op.regions[0].parameters[0]
        name = self.name(index, "k")
        sign = "<" if stride > 0 else ">"
        turn = f"++{name}" if stride == 1 else f"{name} += {stride}"
        bounds = f"long long {name} = {self._index(low)}; {name} {sign} {self._index(high)}; {turn}"
        self._check_else(op)
        return [*lines, f"for ({bounds}) {{", *self._loop_body(op.regions[0], names, op), "}"]

    def _step(self, step: list[Value]) -> int:
        made = step[0].definition if step else None
        return int(made.attributes["value"]) if isinstance(made, Op) else 1

    def _while(self, op: Op) -> list[str]:
        names, lines = self._entered(op, 0)
        test, body, _ = op.regions
        self._check_else(op)
        before = [INDENT + line for line in self._region(test)]
        end = test.terminator
        if end.operands[1:] != list(test.parameters):
            raise Blocked("the condition of a loop changes what it carries", op.span)
        holds = cast(self.text(end.operands[0]), "bool")
        inside = [*before, f"{INDENT}if (!({holds.text})) break;"] if before else []
        head = "while (true) {" if before else f"while ({holds.text}) {{"
        return [*lines, head, *inside, *self._loop_body(body, names, op), "}"]

    def _loop_body(self, region: Region, names: list[str], op: Op) -> list[str]:
        self._loops.append((names, op.results))
        lines = self._region(region)
        end = region.terminator
        if end.kind in ("Continue", "Break"):
            lines += self._assigned(names, op.results, end.operands)
            lines += ["break;"] if end.kind == "Break" else []
        self._loops.pop()
        return [INDENT + line for line in lines]

    def _check_else(self, op: Op) -> None:
        last = op.regions[-1]
        if len(last.ops) > 1 or last.terminator.operands != last.parameters:
            raise Blocked("a loop goes on in its `else`", op.span)

    def _reduce(self, op: Op) -> list[str]:
        """A sum over an index; of nothing it is 0."""
        low, high, *start = op.operands
        dtype, how = self.numbers.of(op.result).dtype, op.attributes["operator"]
        if how not in NEUTRAL:
            raise Blocked("an extreme of an array in an iteration", op.span)
        (total,), _ = self._variables([op.result])
        first = self.text(start[0]) if start else literal(NEUTRAL[how], dtype)
        name = self.name(op.regions[0].parameters[0], "k")
        lines = [INDENT + line for line in self._region(op.regions[0])]
        term = implicit(self.text(op.regions[0].terminator.operands[0]), dtype).text
        bounds = f"long long {name} = {self._index(low)}; {name} < {self._index(high)}; ++{name}"
        return [
            f"{C_TYPES[dtype]} {total} = {implicit(first, dtype).text};",
            f"for ({bounds}) {{",
            *lines,
            f"{INDENT}{total} {how}= {term};",
            "}",
        ]

    _WAYS = {
        "Store": _store,
        "Update": _update,
        "If": _if,
        "For": _for,
        "While": _while,
        "Reduce": _reduce,
    }
