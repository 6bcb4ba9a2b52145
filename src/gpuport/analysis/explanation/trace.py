"""What was learned of each expression of a function: kept only where someone asks why."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gpuport.analysis.values.lattice import Value

if TYPE_CHECKING:
    from gpuport.analysis.interpretation.flows import Flow


@dataclass(slots=True)
class Trace:
    """The expressions and bindings of one unit, as its interpretation met them.

    Attributes
    ----------
    flows : dict
        By id of the expression: it and what it gave when it was last looked at, which is after
        the loops around it have settled.
    earlier : dict
        By id of the expression: other claims that earlier trips of a loop made of it.
    bindings : dict
        By name: the targets that bind it, each with what it was bound to last.
    """

    flows: dict[int, tuple[ast.expr, Flow]] = field(default_factory=dict)
    earlier: dict[int, list[Value]] = field(default_factory=dict)
    bindings: dict[str, dict[int, tuple[ast.AST, Flow]]] = field(default_factory=dict)

    def saw(self, node: ast.expr, flow: Flow) -> None:
        """An expression was interpreted."""
        before = self.flows.get(id(node))
        if before is not None and before[1].value != flow.value:
            self.earlier.setdefault(id(node), []).append(before[1].value)
        self.flows[id(node)] = node, flow

    def bound(self, name: str, target: ast.AST, flow: Flow) -> None:
        """A name was bound."""
        self.bindings.setdefault(name, {})[id(target)] = target, flow


@dataclass(frozen=True, slots=True)
class CallSite:
    """An argument that a call of a function of the module passes for one of its parameters."""

    call: ast.Call
    value: Value
