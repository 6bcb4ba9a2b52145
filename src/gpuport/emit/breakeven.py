"""Whether the size of its arrays says how much work a function is, and how many are worth it."""

from __future__ import annotations

import ast
from collections.abc import Collection

from gpuport.analysis.chains.elementwise import elementwise_call
from gpuport.analysis.chains.records import Chain
from gpuport.analysis.functions.summaries import Analysed
from gpuport.analysis.interpretation.flows import Operation
from gpuport.analysis.placement.graph import Place
from gpuport.cost.breakeven import break_even
from gpuport.source.syntax import walk

_OF_THE_HOST = ("builtins.", "math.")


def worth_from(
    analysed: Analysed,
    arrays: Collection[str],
    written: Collection[str],
    chains: Collection[Chain],
) -> int:
    """How many elements an array of a call must have for the device; 0 where that says nothing.

    The work of a pairwise difference, a product of matrices or a loop over elements grows faster
    than the arrays it is given, and what functions of the program do is not looked into.

    Parameters
    ----------
    analysed : Analysed
    arrays, written : collection of str
        Parameters that go to the device, and those that come back.
    chains : collection of Chain
        Operations that run as one kernel.
    """
    unit = analysed.unit
    launched = (one.graph_node for one in unit.forms.launches.values())
    if not arrays or any(analysed.placement.of(node) is Place.DEVICE for node in launched):
        return 0
    known = unit.work.operations
    for node in walk(unit.node):
        if id(node) in known:
            if not is_of_their_size(analysed, known[id(node)]):
                return 0
        elif isinstance(node, ast.Call):
            path = unit.scope.resolve(node.func) or ""
            if not path.startswith(_OF_THE_HOST) and not elementwise_call(path, node):
                return 0  # `np.sqrt(t)` of a number is as it is on either side
        elif isinstance(node, ast.Subscript) and _adds_axes(node.slice):
            return 0
    nodes = (one for one in unit.graph.nodes if one.parent is None)
    work = sum(one.host_cost for one in nodes if analysed.placement.of(one) is Place.DEVICE)
    spared = sum(chain.launches - 1 for chain in chains) / max(len(known), 1)
    moved = len(arrays) + len(written) + (unit.returned.value is not None)
    return break_even(work, work * max(1.0 - spared, 0.0), moved)


def is_of_their_size(analysed: Analysed, operation: Operation) -> bool:
    """Whether an operation is as much work as its operands have elements, and gives no more."""
    node, path = operation.node, operation.path
    if path is None:
        product = isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.MatMult)
        return not product and not isinstance(node, ast.For | ast.While | ast.comprehension)
    if path in analysed.unit.knowledge.words.of_their_size:
        return True
    return isinstance(node, ast.Call) and elementwise_call(path, node)


def _adds_axes(index: ast.expr) -> bool:
    """``x[:, None]``: what it meets may have other axes, and the result all of them."""
    parts = index.elts if isinstance(index, ast.Tuple) else [index]
    return any(
        (isinstance(part, ast.Constant) and part.value is None)
        or getattr(part, "attr", getattr(part, "id", "")) == "newaxis"
        for part in parts
    )


__all__ = ["is_of_their_size", "worth_from"]
