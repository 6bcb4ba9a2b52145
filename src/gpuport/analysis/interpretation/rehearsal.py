"""A function read a second time, as if its parameters were what call sites pass.

Call sites are likely, not certain: what is built on them is guarded at run time.
"""

from __future__ import annotations

import ast
import contextlib
from functools import cached_property

from gpuport.analysis.chains.elementwise import (
    elementwise_call,
    elementwise_operator,
    function_called,
    launches_inside,
    rules,
)
from gpuport.analysis.explanation.trace import Trace
from gpuport.analysis.functions.summaries import Analysed
from gpuport.analysis.interpretation.entering import enter_as_called
from gpuport.analysis.interpretation.flows import Operation, Refused
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.placement.graph import Place, Use
from gpuport.analysis.statements import statements
from gpuport.analysis.values.lattice import Number, Scalar, Value, is_arraylike


class Rehearsal:
    """What the expressions of an analysed function likely are.

    Parameters
    ----------
    analysed : Analysed
        Where its operations run.
    """

    def __init__(self, analysed: Analysed) -> None:
        self.analysed = analysed
        self.unit = analysed.unit
        self.uses: dict[int, list[Use]] = {}
        for use in self.unit.graph.uses.values():
            self.uses.setdefault(id(use.expression), []).append(use)

    @cached_property
    def _again(self) -> tuple[Trace, dict[int, Value]]:
        """The trace, and what is used without being an expression: targets that are changed."""
        followed = self.unit.objects is not None  # its parameters are what calls pass
        unit = self.unit if followed else _read_again(self.unit)
        assert unit.trace is not None
        return unit.trace, {id(use.expression): use.value for use in unit.graph.uses.values()}

    def value(self, node: ast.expr) -> Value | None:
        """What an expression is."""
        trace, values = self._again
        found = trace.flows.get(id(node))
        return values.get(id(node)) if found is None else found[1].value

    def is_array(self, node: ast.expr) -> bool:
        """Whether an expression takes part as an array, or as a number of NumPy's."""
        value = self.value(node)
        return value is not None and is_arraylike(value)

    def from_device(self, node: ast.expr) -> bool:
        """Whether the value of an expression is one of the device."""
        place = self.analysed.placement.of
        return any(place(use.producer) is Place.DEVICE for use in self.uses.get(id(node), ()))

    def keeps(self, target: ast.expr) -> bool:
        """Whether an array that is changed in place is on the device."""
        found = self.uses.get(id(target))
        return found is None or self.from_device(target)

    def crosses(self, node: ast.AST) -> bool:
        """Whether something is moved between host and device here, but for what kernels do."""
        place = self.analysed.placement.of
        for use in self.uses.get(id(node), ()):
            if place(use.producer) is place(use.consumer) or use.implicit:
                continue
            if isinstance(use.value, (Number, Scalar)) and place(use.consumer) is Place.DEVICE:
                continue  # it goes to the device as it is
            if not (self._kept_node(use.producer) or self._kept_node(use.consumer)):
                return True
        return False

    def _kept_node(self, node: object) -> bool:
        pinned = node.root().pinned  # type: ignore[attr-defined]
        return pinned is not None and pinned.code in rules()["kept"]

    # ------------------------------------------------------------------ operations

    def operation(self, node: ast.AST) -> Operation | None:
        """The operation of an expression, where a kernel may do it as the device does."""
        found = self.unit.work.operations.get(id(node))
        if found is None or id(node) in self.unit.work.replacements:
            return None
        on_device = self.analysed.placement.of(found.graph_node) is Place.DEVICE
        return found if on_device or self._kept_node(found.graph_node) else None

    def stays(self, node: ast.AST) -> bool:
        """Whether an expression is computed on the device, with a kernel or without, for there."""
        place = self.analysed.placement.of
        if any(place(use.consumer) is not Place.DEVICE for use in self.uses.get(id(node), ())):
            return False
        found = self.unit.work.operations.get(id(node))
        graph_node = found.graph_node if found else self.unit.nodes.get(("project", id(node)))
        return graph_node is not None and place(graph_node) is Place.DEVICE

    def launches(self, node: ast.expr) -> int:
        """Operations that an elementwise expression is, its operands apart; 0 for any other."""
        if elementwise_operator(node):
            return int(self.operation(node) is not None)
        if not isinstance(node, ast.Call):
            return 0
        if self.operation(node) is not None and self.is_elementwise_call(node):
            return 1
        return self._inside(node)

    def is_elementwise_call(self, node: ast.Call) -> bool:
        """Whether what is called works element by element."""
        return elementwise_call(self.path(node), node)

    def _inside(self, node: ast.Call) -> int:
        """Operations of a project's function that a kernel can do itself."""
        call = self.unit.nodes.get(("project", id(node)))
        if call is None or self.analysed.placement.of(call) is not Place.DEVICE:
            return 0
        if node.keywords or not all(map(self.is_array, node.args)):
            return 0
        definition = function_called(self.unit, node.func)
        return 0 if definition is None else launches_inside(self.unit.project, definition)

    def path(self, node: ast.Call) -> str:
        """The resolved name of what is called."""
        found = self.unit.scope.resolve(node.func)
        if found is None and isinstance(node.func, ast.Name):
            found = "" if self.unit.scope.owner(node.func.id) else f"builtins.{node.func.id}"
        return found or ""


def _read_again(unit: Unit) -> Unit:
    project, node = unit.project, unit.node
    again = project.unit(unit.scope, decorated=unit.decorated)
    again.trace, again.trial = Trace(), {}
    if isinstance(node, ast.FunctionDef):
        enter_as_called(again)
    with contextlib.suppress(Refused):
        statements.run(again, node.body)
    return again


__all__ = ["Rehearsal"]
