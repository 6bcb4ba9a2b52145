"""The body of a map as the text of an ``ElementwiseKernel``."""

from __future__ import annotations

from dataclasses import dataclass

from gpuport.canonicalise.blocked import Blocked
from gpuport.canonicalise.nests import Grid, ParallelRegion
from gpuport.facts.contexts import Context
from gpuport.ir.extents import Affine
from gpuport.ir.queries import walk
from gpuport.ir.structure import Value
from gpuport.parallel.cuda.helpers import used_by
from gpuport.parallel.cuda.names import Names
from gpuport.parallel.cuda.statements import Statements
from gpuport.parallel.cuda.text import ATOM, Text
from gpuport.parallel.numbers import Numbers
from gpuport.records import Span

LARGEST = 2**31  #: a product of two such numbers, and some sums of them, fit 64 bits


@dataclass(frozen=True, slots=True)
class Argument:
    """A parameter of a kernel, and the value of the program that is handed to it."""

    name: str
    dtype: str
    value: Value
    is_array: bool

    @property
    def text(self) -> str:
        """As a signature of CuPy has it."""
        return f"{'raw ' if self.is_array else ''}{self.dtype} {self.name}"


@dataclass(frozen=True, slots=True)
class KernelText:
    """A kernel, as CuPy is given it.

    Attributes
    ----------
    inputs, outputs : tuple of Argument
    totals : tuple of str
        Names of further outputs: an array for each term that a point gives for the reductions of
        the map, in their order; their dtypes are in ``total_dtypes``.
    body : tuple of str
    preamble : str
    bounds : tuple of str
        Names of further inputs, whole numbers: where each axis starts, and the length of each but
        the first.
    axes : tuple of Grid
    notes : tuple of (Span, str)
        What Python raises where the kernel gives a value.
    """

    inputs: tuple[Argument, ...]
    outputs: tuple[Argument, ...]
    totals: tuple[str, ...]
    total_dtypes: tuple[str, ...]
    bounds: tuple[str, ...]
    body: tuple[str, ...]
    preamble: str
    axes: tuple[Grid, ...]
    notes: tuple[tuple[Span, str], ...]


def kernel_text(region: ParallelRegion, context: Context, shared: frozenset[Value]) -> KernelText:
    """The text of a kernel for a region, in a context.

    Parameters
    ----------
    region : ParallelRegion
        Its iterations are independent.
    context : Context
        Tells the dtypes.
    shared : frozenset of Value
        Arrays of which iterations may update the same element.

    Raises
    ------
    Blocked
        Where a kernel cannot compute the same.
    """
    return _Writer(region, context, shared).write()


class _Writer:
    def __init__(self, region: ParallelRegion, context: Context, shared: frozenset[Value]) -> None:
        self.region = region
        self.numbers = Numbers(region.elements, context)
        self.names = Names()
        self.outside: dict[Value, Argument] = {}
        self.bounds: list[str] = []
        self.statements = Statements(self.names, self.numbers, self._outside, shared)

    def write(self) -> KernelText:
        """The whole text."""
        lines = self._indices()
        terms = [(self.names.fresh("total"), dtype) for dtype in self._term_dtypes()]
        body = [*lines, *self.statements.body(self.region.body, terms)]
        written = {
            op.operands[0] for op in walk(self.region.body) if op.kind in ("Store", "Update")
        }
        self._ask_for_sizes()
        arguments = sorted(self.outside.values(), key=lambda a: (not a.is_array, a.value.index))
        return KernelText(
            inputs=tuple(a for a in arguments if a.value not in written),
            outputs=tuple(a for a in arguments if a.value in written),
            totals=tuple(name for name, _ in terms),
            total_dtypes=tuple(dtype for _, dtype in terms),
            bounds=tuple(self.bounds),
            body=tuple(body),
            preamble=used_by("\n".join(body)),
            axes=self.region.grid,
            notes=tuple(self.statements.expressions.notes),
        )

    def _term_dtypes(self) -> list[str]:
        """Dtypes of what a point gives for each reduction: a test where it takes one, and terms."""
        results = iter(self.region.map.results)
        found: list[str] = []
        for one in self.region.map.attributes["reductions"]:
            found += ["bool"] * (one.terms - one.values)
            found += [self.numbers.of(next(results)).dtype for _ in range(one.values)]
        return found

    def _ask_for_sizes(self) -> None:
        """Let the map ask that whole numbers which are computed with are no larger than sizes."""
        needs = set(self.region.map.attributes["needs"])
        for value in self.statements.expressions.sizes:
            number = self.numbers.known(value).integer
            if number is None:
                raise Blocked(f"nothing tells how large `{value.name}` is")
            needs |= {("least", n, Affine((), -LARGEST)) for n in (number, -number)}
        self.region.map.attributes["needs"] = tuple(sorted(needs, key=repr))

    def _indices(self) -> list[str]:
        """The index of each axis, from the number of the thread."""
        lines: list[str] = []
        rest = "i"
        for axis, place in reversed(list(enumerate(self.region.grid))):
            name = self.statements.name(place.index, "index")
            start, length = (self.names.fresh(f"{name}_{end}") for end in ("start", "length"))
            self.bounds[:0] = [start, length] if axis else [start]
            turn = f"{rest} % {length}" if axis else rest
            scaled = turn if place.step == 1 else f"{place.step} * ({turn})"
            lines.insert(0, f"const long long {name} = {start} + {scaled};")
            rest = f"{rest} / {length}" if rest == "i" else f"({rest}) / {length}"
        return lines

    def _outside(self, value: Value) -> Text:
        """A value of the program, as a parameter of the kernel."""
        if value not in self.outside:
            known = self.numbers.known(value)
            is_array = known.kind == "array"
            dtype = known.dtype if is_array else self.numbers.of(value).dtype
            if dtype is None:
                raise Blocked(f"nothing tells the dtype of `{value.name}`")
            name = self.names.fresh(value.name or "value")
            self.outside[value] = Argument(name, dtype, value, is_array)
        found = self.outside[value]
        return Text(found.name, ATOM, found.dtype)
