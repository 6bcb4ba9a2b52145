"""Types of what the kernel of a chain is passed, and what its launch asks of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gpuport.analysis.chains.elementwise import Unfit
from gpuport.analysis.chains.runs import Leaf, Run
from gpuport.analysis.interpretation.rehearsal import Rehearsal
from gpuport.analysis.values.lattice import Number, Scalar

if TYPE_CHECKING:
    from gpuport.parallel.typing import Type

_PYTHON = ("int", "float", "bool")


class Types:
    """Types of the leaves of a run.

    Attributes
    ----------
    dtypes : dict of str to str
        By the text of an array.

    Raises
    ------
    Unfit
        Where a type is not known.
    """

    def __init__(self, rehearsal: Rehearsal, run: Run) -> None:
        self.rehearsal = rehearsal
        self.run = run
        self.dtypes = self._dtypes_of_arrays()

    def _dtypes_of_arrays(self) -> dict[str, str]:
        """The dtype of each array; where some are known and alike, the others likely are too."""
        leaves = (*self.run.leaves.items(), *self.run.written.items())
        known = {text: getattr(leaf.value, "dtype", None) for text, leaf in leaves if leaf.array}
        common = {dtype for dtype in known.values() if dtype is not None}
        if not common:
            raise Unfit(f"the dtype of `{next(iter(known), '')}` is not known")
        assumed = min(common)
        unknown = [text for text, dtype in known.items() if dtype is None]
        doubtful = len(common) > 1 or not assumed.startswith("float")
        if unknown and (doubtful or not self._are_parameters(unknown)):
            raise Unfit(f"the dtype of `{unknown[0]}` is not known")
        return {text: dtype or assumed for text, dtype in known.items()}

    def _are_parameters(self, texts: list[str]) -> bool:
        return self.rehearsal.unit.parameters.nodes.keys() >= set(texts)

    def of_parameter(self, text: str, leaf: Leaf) -> Type:
        """The type of a kernel's parameter."""
        from gpuport.parallel.typing import PYTHON, Type, named

        if leaf.array or isinstance(leaf.value, Number):
            dtype = self.dtypes[text] if leaf.array else str(getattr(leaf.value, "dtype", None))
            either = isinstance(leaf.value, Number) and not leaf.value.numpy_scalar
            if either and set(self.dtypes.values()) | {dtype} != {"float64"}:
                raise Unfit  # it matters whether it is one of Python's
            return Type(dtype) if dtype == "bool" else named(dtype)
        python = getattr(leaf.value, "type", None)
        real = self._number_kind(python) in ("real", "python_real")
        return PYTHON["float" if real else str(python)]

    def _all_double(self) -> bool:
        return set(self.dtypes.values()) == {"float64"}

    def _number_kind(self, python: str | None) -> str:
        """What a number of Python's may be beside these arrays without changing a type."""
        found = set(self.dtypes.values())
        if python in (None, "assumed", "float", "int"):
            if found == {"float64"}:
                return "real"
            if found <= {"float32", "float64"}:
                return "python_real"
        if python not in _PYTHON:
            raise Unfit
        return str(python)

    def guard_word(self, text: str, leaf: Leaf) -> str:
        """The word of the runtime's guard for something that is passed."""
        every = [*self.run.leaves.values(), *self.run.written.values()]
        arrays = any(one.array and not isinstance(one.value, Number) for one in every)
        if leaf.array:
            number = isinstance(leaf.value, Number) and text == leaf.held and arrays
            return "number" if number and self._all_double() else self.dtypes[text]
        if isinstance(leaf.value, Number):
            wide = leaf.value.dtype == "float64" and self._all_double()
            return "real" if wide else f"{leaf.value.dtype}_scalar"
        return self._number_kind(getattr(leaf.value, "type", None))

    def of_inner_numbers(self) -> Iterator[tuple[str, str]]:
        """Numbers of which Python computes what is passed."""
        held = {leaf.held for leaf in self.run.leaves.values()}
        for name, node in self.run.numbers.items():
            value = self.rehearsal.value(node)
            if name in held:
                continue
            if isinstance(value, Number):
                yield f"{value.dtype}_scalar", name
            elif isinstance(value, Scalar) and value.type in ("int", "bool"):
                yield value.type, name
            elif isinstance(value, Scalar) and value.type in (None, "assumed", "float"):
                yield self._number_kind(value.type), name


__all__ = ["Types"]
