"""Calls of ``np.apply_along_axis`` for the rows or columns of a matrix, as the loops over these.

``y = np.apply_along_axis(spread, 1, x)`` is a loop that appends ``spread(row)`` to a list for each
row, and an array of the list, where each gives one number; where there are no rows, which is an
error, the call itself is the other branch. A port has such loops only where a kernel came of them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace

from gpuport.analysis.interpretation.unit import Unit
from gpuport.passes.elementtexts import of_element
from gpuport.passes.listtexts import Names
from gpuport.passes.writtenout import ITEMS, WrittenOut, named


@dataclass(frozen=True, slots=True, eq=False)
class _Loop:
    """One call as a loop.

    Attributes
    ----------
    call : ast.Call
    result, array, items, vector, item : str
        Names of what is made, of the matrix, of the list and of a vector; what is made of that.
    columns : str
        The name of the matrix with its columns as rows; empty where rows are gone through.
    numpy, other : str
        NumPy's name in the module; the text of the call.
    """

    call: ast.Call
    result: str
    array: str
    items: str
    vector: str
    item: str
    columns: str
    numpy: str
    other: str

    def lines(self) -> Iterator[str]:
        """The loop, and the call itself where it is the other branch."""
        yield f"if {self.array}.size:"
        if self.columns:
            yield f"    {self.columns} = {self.array}.T"
        yield f"    {self.items} = []"
        yield f"    for {self.vector} in {self.columns or self.array}:"
        yield f"        {self.items}.append({self.item})"
        yield f"    {self.result} = {self.numpy}.array({self.items})"
        yield "else:"
        yield f"    {self.result} = {self.other}"


def loop_over_vectors(
    unit: Unit, statement: ast.stmt, call: ast.Call, numpy: str, names: Names
) -> WrittenOut | None:
    """A call as a loop; None where the text does not show how."""
    known, segment = unit.work.disguised_loops[id(call)], unit.module.segment
    (matrix,) = known.given
    array, rows = matrix.expression, known.over == "rows"
    if not isinstance(array, ast.Name) or len(segment(call).splitlines()) > 1:
        return None
    vector = names.free("row" if rows else "column")
    given = replace(matrix, position=0, keyword=None)
    item = of_element(unit, known.callback, [(given, vector)])
    if item is None:
        return None
    whole = call is getattr(statement, "value", None)
    result = (named(statement) if whole else None) or names.free("values")
    items = names.free(f"{result}{ITEMS}")
    columns = "" if rows else names.free(f"{array.id}_columns")
    return _Loop(call, result, array.id, items, vector, item, columns, numpy, segment(call))


__all__ = ["loop_over_vectors"]
