"""What a loop leaves in names, made of what a kernel gives for each point: ``s + s_each.sum()``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from gpuport.canonicalise.blocked import Blocked
from gpuport.canonicalise.nests import ParallelRegion
from gpuport.facts.contexts import Context
from gpuport.ir.reductions import Reduction
from gpuport.ir.structure import Value
from gpuport.ir.types import UNKNOWN
from gpuport.parallel.cuda.kernels import KernelText, Total
from gpuport.parallel.cuda.text import ATOM, CONDITIONAL, OR, RELATION, Text, cast, infix
from gpuport.parallel.numbers import Numbers
from gpuport.parallel.typing import Type, width

#: Of which dtypes a sum is of another one, unless it is told.
WHOLE = "iu"
BEYOND = {"max": ">", "min": "<", "max first": ">", "max last": ">=", "min first": "<"}
BEYOND["min last"] = "<="


@dataclass(frozen=True, slots=True)
class Returned:
    """What a kernel's outputs are, and what is made of them.

    Attributes
    ----------
    names : tuple of str
        The names of the program that the results are assigned to.
    texts : tuple of str
        Python, one for each of them.
    totals : tuple of Total
        The outputs.
    lines : tuple of str
        Further statements of the kernel.
    counted : tuple of Value
        Terms of which the sum has to fit 64 bits.
    """

    names: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    totals: tuple[Total, ...] = ()
    lines: tuple[str, ...] = ()
    counted: tuple[Value, ...] = ()


def returned(
    region: ParallelRegion, kernel: KernelText, context: Context, name: Callable[[Value], str]
) -> Returned:
    """How the results of a region come out of what its kernel gives.

    Raises
    ------
    Blocked
        Where the kernel gives something else than the loop.
    """
    if len(region.results) != len(region.map.results):
        raise Blocked("the loop makes arrays of running totals, or of what it collects")
    return _Returning(region, kernel, context, name).run()


class _Returning:
    def __init__(
        self,
        region: ParallelRegion,
        kernel: KernelText,
        context: Context,
        name: Callable[[Value], str],
    ) -> None:
        self.region, self.context, self.name = region, context, name
        self.numbers = Numbers(region.elements, context)
        self.names = {made: old for old, made in region.results}
        self.totals = list(kernel.totals)
        self.outputs: list[Total] = []
        self.lines: list[str] = []
        self.counted: list[Value] = []
        self.last = f"[{', '.join(['-1'] * len(region.grid))}]"
        self.flat = "" if len(region.grid) == 1 else ".ravel()"

    def run(self) -> Returned:
        """All results, in the order of the reductions."""
        map_op = self.region.map
        starts, results = list(map_op.operands[2 * len(self.region.grid) :]), list(map_op.results)
        terms = list(self.region.body.terminator.operands)
        names: list[str] = []
        texts: list[str] = []
        for one in map_op.attributes["reductions"]:
            given = [results.pop(0) for _ in range(one.values)]
            begins = [starts.pop(0) for _ in range(one.values)]
            totals = [self.totals.pop(0) for _ in range(one.terms)]
            made = [terms.pop(0) for _ in range(one.terms)]
            names += [self.names[value].name for value in given]
            texts += self._reduced(one, begins, given, totals, made)
        return Returned(
            tuple(names), tuple(texts), tuple(self.outputs), tuple(self.lines), tuple(self.counted)
        )

    def _reduced(
        self,
        one: Reduction,
        begins: list[Value],
        given: list[Value],
        totals: list[Total],
        terms: list[Value],
    ) -> list[str]:
        if one.how in ("+", "*"):
            return [self._sum(one.how, begins[0], given[0], totals[0], terms[0])]
        if one.how in ("maximum", "minimum"):
            start = self._start(begins[0], totals[0].dtype).text
            folded = f"{one.how}({totals[0].text}, {start})"
            self.outputs.append(replace(totals[0], text=folded))
            flat = f"{totals[0].name}{self.flat}"
            return [f"{flat}[{flat}.arg{one.how[:3]}()]"]
        if one.how == "last":
            self.outputs += totals
            return [self._typed(given[0], f"{totals[0].name}{self.last}", terms[0])]
        if one.how in BEYOND:
            return self._extreme(one.how, begins, given, totals, terms)
        self.outputs += totals
        test, *rest = totals
        chosen = f"[{test.name}]" + ("[-1]" if one.how == "last where" else "[0]")
        found: list[str] = []
        for begin, result, total, term in zip(begins, given, rest, terms[1:], strict=True):
            taken = self._typed(result, f"{total.name}{chosen}", term)
            other = self._typed(result, f"{total.name}{self.last}", term)
            otherwise = other if one.how == "first or last" else self.name(begin)
            found.append(f"{taken} if {test.name}.any() else {otherwise}")
        return found

    # -- types

    def _typed(self, result: Value, text: str, term: Value | None = None) -> str:
        """A number of Python's where the loop gives one, instead of an array without axes."""
        t = self.numbers.of(result if term is None else term)
        if term is not None:
            self._check_one_type(result, term)
        return f"{t}({text})" if t.weak else text

    def _check_one_type(self, result: Value, term: Value) -> None:
        """Refuse terms that are Python's numbers here and NumPy's there."""
        like = self.numbers.elements.like.get(term, term)
        known = self.context.types.get(like, UNKNOWN) if isinstance(like, Value) else UNKNOWN
        if known.kind == "numeric":
            raise Blocked(f"`{self.names[result].name}` is a number of several types")

    def _start(self, start: Value, dtype: str) -> Text:
        """What a value begins with, in the kernel."""
        given = self.numbers.of(start)
        return cast(_spoken(self.name(start), given.dtype), dtype)

    # -- sums

    def _sum(self, how: str, start: Value, result: Value, total: Total, term: Value) -> str:
        t = self.numbers.of(term)
        self.outputs.append(total)
        narrow = t.kind in WHOLE and width(total.dtype) < width("int64")
        dtype = f"dtype={total.name}.dtype" if narrow else ""
        method = "sum" if how == "+" else "prod"
        text = f"{total.name}.{method}({dtype})"
        if t.weak and t.kind in "bi":
            if how == "*":
                raise Blocked(f"`{self.names[result].name}` may outgrow 64 bits")
            self.counted.append(term)
            text = f"int({text})"
        elif t.weak:
            text = f"{t}({text})"
        return f"{self.name(start)} {how} {text}"

    # -- extremes

    def _extreme(
        self,
        how: str,
        begins: list[Value],
        given: list[Value],
        totals: list[Total],
        terms: list[Value],
    ) -> list[str]:
        """The largest, and what belongs to it; what it begins with stays where nothing is beyond.

        Points at which nothing is beyond it give what it begins with, where that has their type.
        """
        alone = len(totals) == len(given)
        test, (first, *rest) = None if alone else totals[0], totals if alone else totals[1:]
        made = terms if alone else terms[1:]
        starts = [self.numbers.of(start) for start in begins]
        ours = [self.numbers.of(term) for term in made]
        same = all(
            start == term or start.dtype == term.dtype == "float64"
            for start, term in zip(starts, ours, strict=True)
        )
        symbol = BEYOND[how]
        beats = self._beats(symbol, begins[0], first, test, ours[0])
        flag = test.name if test is not None else f"{first.name}_is_set"
        back = "[::-1]" if how.endswith("last") else ""
        word = how[:3]
        if not same:
            self.outputs += [Total(flag, "bool", beats), first, *rest]
            taken = f"[{flag}]{back}"
            at = f"[{first.name}{taken}.arg{word}()]"
            found = [f"{one.name}{taken}{at}" for one in (first, *rest)]
            return [
                f"{self._typed(result, text, term)} if {flag}.any() else {self.name(start)}"
                for result, text, term, start in zip(given, found, made, begins, strict=True)
            ]
        for result, term in zip(given, made, strict=True):
            self._check_one_type(result, term)
        self.lines.append(f"const bool {flag} = {beats};")
        for start, total in zip(begins, [first, *rest], strict=True):
            shown = f"{flag} ? {_spoken(total.text, total.dtype).within(OR)} : {self.name(start)}"
            self.outputs.append(replace(total, text=shown))
        # of several alike, zeros of both signs among them, the one that the loop keeps
        at = f"{first.name}{self.flat}{back}.arg{word}()"
        texts = [f"{one.name}{self.flat}{back}[{at}]" for one in (first, *rest)]
        return [self._typed(value, text) for value, text in zip(given, texts, strict=True)]

    def _beats(
        self, symbol: str, start: Value, first: Total, test: Total | None, ours: Type
    ) -> str:
        """Whether a point is beyond what the extreme begins with."""
        given = self.numbers.of(start)
        computed = first.dtype if given.weak or given.dtype == first.dtype else None
        if computed is None or (given.weak and given.kind == "f" and ours.kind in WHOLE):
            raise Blocked(f"`{self.name(start)}` begins as a number of another type")
        key = _spoken(first.text, first.dtype)
        mine = _spoken(self.name(start), given.dtype)
        compared = infix(symbol, (key, cast(mine, computed)), computed, "bool")
        if test is None or test.text == "true":
            return compared.text
        return f"{_spoken(test.text, 'bool').within(RELATION)} && {compared.within(RELATION)}"


def _spoken(text: str, dtype: str) -> Text:
    """A text of which nothing is known but whether it is a name."""
    return Text(text, ATOM if text.isidentifier() else CONDITIONAL, dtype)
