"""Whether a call's result on the device is what the host's function gives: dtypes and ranks."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.placement.graph import Node
from gpuport.analysis.values.lattice import Array, Either, Number, Value
from gpuport.records import Severity
from gpuport.rules.resultkinds import ResultKinds

_CODE = "GP515"
_USUAL = "float64"
_COMMON = frozenset({"float32", "int64", "int32", "complex128"})


def check_result(
    unit: Unit, node: ast.Call, path: str, values: Sequence[Value], graph_node: Node
) -> None:
    """Keep a call on the host whose result would be of another kind; note where it might be."""
    tables = unit.knowledge.tables
    if id(node) in unit.work.replacements or not tables.compares_results(path):
        return
    text = unit.module.segment(node.func).splitlines()[-1]
    known = tables.results(path)
    if known is None:
        _differs(
            unit, node, graph_node,
            f"whether CuPy's `{text}` gives results of the same kind could not be found out",
        )  # fmt: skip
        return
    for dtype in _dtypes_of_data(values):
        _check_dtype(unit, node, text, known, dtype, graph_node)


def _check_dtype(
    unit: Unit, node: ast.Call, text: str, known: ResultKinds, dtype: str | None, graph_node: Node
) -> None:
    asked = dtype or _USUAL
    if asked in known.raises:
        unit.pin(
            graph_node,
            "GP103",
            f"unsupported parameter: CuPy's `{text}` takes no {asked} data",
            node,
            "unsupported-parameter",
        )
    elif asked in known.differs:
        _differs(unit, node, graph_node, f"`{text}` of {asked} data gives {known.differs[asked]}")
    elif dtype not in known.same and known.differs:
        others = ", ".join(known.differs)
        first = next(iter(known.differs.values()))
        unit.note(
            _CODE,
            f"`{text}` of {others} data gives other dtypes ({first}); annotate the dtype where "
            "such data are given",
            node,
            on=graph_node,
            severity=Severity.WARNING if _COMMON & set(known.differs) else Severity.INFO,
        )


def _differs(unit: Unit, node: ast.Call, graph_node: Node, message: str) -> None:
    if unit.knowledge.unsafe:
        unit.note(_CODE, message, node, on=graph_node)
    else:
        unit.pin(graph_node, _CODE, message, node, "semantic-difference")


def _dtypes_of_data(values: Sequence[Value]) -> list[str | None]:
    """Dtypes of the arrays given, the inexact ones where there are such; None: not known."""
    arrays = [v for v in values if isinstance(v, (Array, Either, Number))]
    dtypes = list(dict.fromkeys(v.dtype for v in arrays))
    inexact = [d for d in dtypes if d is None or d.startswith(("float", "complex"))]
    return inexact or dtypes or [_USUAL]
