"""Types of what the kernel of a chain is passed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from gpuport.analysis.chains.elementwise import Unfit, rules
from gpuport.analysis.chains.runs import Leaf, Run
from gpuport.analysis.interpretation.rehearsal import Rehearsal
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.values.lattice import Number
from gpuport.loops.names import loaded
from gpuport.parallel.typing import PYTHON, Type, named
from gpuport.source.numbers import likely_complex, likely_whole

if TYPE_CHECKING:
    from gpuport.parallel.typing import Type

_PYTHON = ("int", "float", "bool")


class Types:
    """Types of the leaves of a run.

    Attributes
    ----------
    dtypes : dict of str to str
        By the text of an array.
    open : bool
        Whether nothing speaks of a dtype: it takes a kernel for any float.

    Raises
    ------
    Unfit
        Where a type is not known.
    """

    def __init__(self, rehearsal: Rehearsal, run: Run) -> None:
        self.rehearsal = rehearsal
        self.run = run
        self.open = False
        self.dtypes = self._dtypes_of_arrays()

    def _dtypes_of_arrays(self) -> dict[str, str]:
        """The dtype of each array; where some are known and alike, the others likely are too."""
        leaves = (*self.run.leaves.items(), *self.run.written.items())
        known = {text: getattr(leaf.value, "dtype", None) for text, leaf in leaves if leaf.array}
        common = {dtype for dtype in known.values() if dtype is not None}
        unknown = [text for text, dtype in known.items() if dtype is None]
        if other := self._no_floats(unknown):
            raise Unfit(f"the dtype of `{other}` is not known")
        if known and not common:
            self.open, common = True, {"float64"}
        assumed = min(common, default="")
        doubtful = len(common) > 1 or not assumed.startswith("float")
        if unknown and not self.open and (doubtful or not self._are_parameters(unknown)):
            raise Unfit(f"the dtype of `{unknown[0]}` is not known")
        return {text: dtype or assumed for text, dtype in known.items()}

    def _no_floats(self, texts: Iterable[str]) -> str | None:
        """One of these arrays which likely holds no floats: what is done with it tells."""
        unit, words = self.rehearsal.unit, rules()
        found = likely_whole(self.run.body, lambda f: unit.scope.resolve(f) in words["chooses"])
        found |= likely_complex(unit.node, lambda f: unit.scope.resolve(f) in words["of_complex"])
        every = {**self.run.leaves, **self.run.written}
        return next((text for text in texts if every[text].owner in found), None)

    def _are_parameters(self, texts: list[str]) -> bool:
        every = {**self.run.leaves, **self.run.written}
        unit = self.rehearsal.unit
        return unit.parameters.nodes.keys() >= {
            name for text in texts for name in owners_of(unit, every[text])
        }

    def of_parameter(self, text: str, leaf: Leaf) -> Type:
        """The type of a kernel's parameter."""
        if leaf.array or isinstance(leaf.value, Number):
            dtype = self.dtypes[text] if leaf.array else str(getattr(leaf.value, "dtype", None))
            if dtype == "None":
                raise Unfit
            either = isinstance(leaf.value, Number) and not leaf.value.numpy_scalar
            if either and set(self.dtypes.values()) | {dtype} != {"float64"}:
                raise Unfit  # it matters whether it is one of Python's
            return Type(dtype) if dtype == "bool" else named(dtype)
        python = getattr(leaf.value, "type", None)
        floating = {"float32", "float64"}.issuperset(self.dtypes.values())
        if floating and python in (None, "assumed", "number", "float", "int"):
            return PYTHON["float"]
        if python not in _PYTHON:
            raise Unfit
        return PYTHON[str(python)]


def owners_of(unit: Unit, leaf: Leaf) -> set[str]:
    """The array behind what is read, or those that it is computed of before the kernel."""
    if leaf.owner:
        return {leaf.owner}
    return {name for name in loaded([leaf.expression]) if unit.scope.owner(name) is unit.scope}


__all__ = ["Types"]
