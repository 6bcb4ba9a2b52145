"""The body of a map as the text of a kernel, for one point of its grid."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from gpuport.canonicalise.blocked import Blocked
from gpuport.canonicalise.grids import Grid
from gpuport.canonicalise.nests import ParallelRegion
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
from gpuport.runtime.kernels.weak import LITERAL


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
class Total:
    """A further output: its name, and what a point gives for it."""

    name: str
    dtype: str
    text: str


#: Dtypes beside which Python's numbers are of single precision.
NARROW = frozenset({"float32", "complex64"})


@dataclass(frozen=True, slots=True)
class KernelText:
    """A kernel: what is done for one point of the grid.

    Attributes
    ----------
    inputs, outputs : tuple of Argument
    totals : tuple of Total
        What a point gives for the reductions of the map, in their order.
    body : tuple of str
        It reads the indices of the grid under the names in ``indices``. Indices of arrays are of
        any whole type: CuPy wants all of one.
    preamble : str
    indices : tuple of str
    axes : tuple of Grid
    fits : tuple of (Value, str, Span)
        Numbers, and dtypes of whole numbers that they have to fit: Python raises where they do not.
    nonzero : tuple of (Value, Span)
        Divisors of Python's numbers, which raises for zero.
    notes : tuple of (Span, str)
        What Python raises where the kernel gives a value.
    """

    inputs: tuple[Argument, ...]
    outputs: tuple[Argument, ...]
    totals: tuple[Total, ...]
    body: tuple[str, ...]
    preamble: str
    indices: tuple[str, ...]
    axes: tuple[Grid, ...]
    fits: tuple[tuple[Value, str, Span], ...]
    nonzero: tuple[tuple[Value, Span], ...]
    notes: tuple[tuple[Span, str], ...]


def kernel_text(
    region: ParallelRegion,
    context: Context,
    shared: frozenset[Value],
    called: Mapping[Value, str] = MappingProxyType({}),
    words: frozenset[str] = frozenset(),
) -> KernelText:
    """The text of a kernel for a region, in a context.

    Parameters
    ----------
    region : ParallelRegion
        Its iterations are independent.
    context : Context
        Tells the dtypes.
    shared : frozenset of Value
        Arrays of which iterations may update the same element.
    called : mapping of Value to str
        Values that are parameters by all means, and what the program calls them.
    words : frozenset of str
        Names that no other parameter has.

    Raises
    ------
    Blocked
        Where a kernel cannot compute the same.
    """
    return _Writer(region, context, (called, words)).write(shared)


class _Writer:
    def __init__(
        self,
        region: ParallelRegion,
        context: Context,
        wanted: tuple[Mapping[Value, str], frozenset[str]],
    ) -> None:
        self.region = region
        self.called, self.words = wanted
        self.numbers = Numbers(region.elements, context)
        self.names = Names(verbatim=True)
        self.outside: dict[Value, Argument] = {}
        self.is_narrow = False

    def write(self, shared: frozenset[Value]) -> KernelText:
        """The whole text."""
        statements = Statements(self.names, self.numbers, self._outside, shared)
        self._name_arguments()
        self.is_narrow = any(a.is_array and a.dtype in NARROW for a in self.outside.values())
        indices = [statements.name(place.index, "index") for place in self.region.grid]
        terms = [(self.names.fresh(name), dtype) for name, dtype in self._terms()]
        body, texts = statements.body(self.region.body, [dtype for _, dtype in terms])
        written = {
            op.operands[0] for op in walk(self.region.body) if op.kind in ("Store", "Update")
        }
        self._ask_for_sizes(statements.expressions.sizes)
        arguments = sorted(self.outside.values(), key=lambda a: (not a.is_array, a.value.index))
        return KernelText(
            inputs=tuple(a for a in arguments if a.value not in written),
            outputs=tuple(a for a in arguments if a.value in written),
            totals=tuple(
                Total(*term, self._exact(text)) for term, text in zip(terms, texts, strict=True)
            ),
            body=tuple(map(self._exact, body)),
            preamble=used_by("\n".join([*body, *texts])),
            indices=tuple(indices),
            axes=self.region.grid,
            fits=tuple(statements.expressions.fits),
            nonzero=tuple(statements.expressions.nonzero),
            notes=tuple(statements.expressions.notes),
        )

    def _exact(self, line: str) -> str:
        """A line in which literals of double precision stay that among those of single."""
        return LITERAL.sub(r"double(\g<0>)", line) if self.is_narrow else line

    def _name_arguments(self) -> None:
        """Give what comes from outside the names that it has there, before any of the text's."""
        for value in self.called:
            self._outside(value)
        for op in walk(self.region.body):
            for value in op.operands:
                if value not in self.numbers.elements.like:
                    self._outside(value)

    def _terms(self) -> list[tuple[str, str]]:
        """Names and dtypes of what a point gives for each reduction: a test, and terms."""
        results = iter(self.region.map.results)
        called = {made: old.name for old, made in self.region.results}
        found: list[tuple[str, str]] = []
        for one in self.region.map.attributes["reductions"]:
            given = [next(results) for _ in range(one.values)]
            found += [(f"{called[given[0]]}_is_set", "bool")] * (one.terms - one.values)
            found += [(f"{called[v]}_each", self.numbers.of(v).dtype) for v in given]
        return found

    def _ask_for_sizes(self, sizes: Mapping[Value, int]) -> None:
        """Let the map ask that whole numbers which are computed with are no larger than sizes."""
        needs = set(self.region.map.attributes["needs"])
        for value, largest in sizes.items():
            number = self.numbers.known(value).integer
            if number is None:
                raise Blocked(f"nothing tells how large `{value.name}` is")
            needs |= {("least", n, Affine((), -largest)) for n in (number, -number)}
        self.region.map.attributes["needs"] = tuple(sorted(needs, key=repr))

    def _outside(self, value: Value) -> Text:
        """A value of the program, as a parameter of the kernel."""
        if value not in self.outside:
            known = self.numbers.known(value)
            is_array = known.kind == "array"
            dtype = known.dtype if is_array else self.numbers.of(value).dtype
            if dtype is None:
                raise Blocked(f"nothing tells the dtype of `{value.name}`")
            said = self.called.get(value, value.name or "value")
            wanted = said.rpartition(".")[2] if "(" not in said else "value"
            name = self.names.fresh(wanted)
            while name != said and name in self.words:
                name = self.names.fresh(wanted)
            self.outside[value] = Argument(name, dtype, value, is_array)
        found = self.outside[value]
        # the runtime has a type of its own for Python's numbers among those of single precision
        plain = found.is_array or found.dtype != "float64" or not self.is_narrow
        return Text(found.name if plain else f"double({found.name})", ATOM, found.dtype)
