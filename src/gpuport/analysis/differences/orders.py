"""What depends on the order in memory: views by ``ravel`` and ``reshape``, and the orders K and A.

NumPy's results keep the order of what they are computed from (F stays F), CuPy's are in C order.
So the same line may be a view on one side and a copy on the other, which nobody notices until
something is stored.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import chain

from gpuport.analysis.differences.soleviews import is_all_that_is_left
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.knowledge.numpynames import as_numpy
from gpuport.analysis.placement.graph import Node
from gpuport.source.syntax import LOOPS, children, walk

_HELP = "store into the array itself, or take a `.copy()` of it first"
_READERS = (
    ast.BinOp, ast.UnaryOp, ast.Compare, ast.BoolOp, ast.Expr, ast.Return, ast.FormattedValue
)  # fmt: skip


def settle(unit: Unit) -> None:
    """Keep on the host what is stored into beside, or through, such a view.

    What is given to functions that store so, and what is asked of this one, likewise; and what is
    read in the order of its memory.
    """
    for root, call in _stored_beside(unit):
        text = unit.module.segment(call)[:60]
        message = (
            f"whether `{text}` is a view or a copy is not the same in CuPy and NumPy (arrays "
            "differ in their order in memory), and something is stored here"
        )
        _keep(unit, root, message, call)
    for node, part in _laid_out(unit):
        text = unit.module.segment(part)[:60]
        message = (
            f"`{text}` depends on the order in which elements lie in memory, which need not be the "
            "same in CuPy and NumPy"
        )
        _keep(unit, node.root(), message, part, 'ask for the order "C" or "F" where there is one')
    for origin, call, name in unit.memory.ordered:
        message = f"what `{name}` does with it depends on its order in memory"
        _keep(unit, origin.root(), message, call)
    if unit.project.program.asks_for_order(unit.node):
        message = "what a caller does with the result depends on its order in memory"
        for returned in unit.returning_nodes:
            _keep(unit, returned.root(), message, unit.node)


def _laid_out(unit: Unit) -> Iterator[tuple[Node, ast.expr]]:
    """What depends on the order in memory; not windows by the steps of the array itself."""
    given = ((part, getattr(part, "args", ())) for _, part in unit.memory.laid_out)
    windows = {unit.module.segment(args[0]) + ".strides": part for part, args in given if args}
    steps = {unit.module.segment(part) for _, part in unit.memory.laid_out}
    own = {id(call) for text, call in windows.items() if text in steps}
    for node, part in unit.memory.laid_out:
        if id(part) not in own and unit.module.segment(part) not in windows:
            yield node, part


def _keep(unit: Unit, root: Node, message: str, place: ast.AST, help: str = _HELP) -> None:
    """Keep an array on the host, and all that its order in memory comes from."""
    found = _made_from(unit, root)
    results = {id(one.root()) for one in unit.returning_nodes}
    for node in found:
        if id(node) not in results:
            unit.pin(node, "GP508", message, place, "semantic-difference", help=help)
        unit.parameters.ordered |= node.parameters
    for given, function in chain.from_iterable(one.calls.given_back for one in _together(unit)):
        if given.root() in found:
            unit.project.program.ask_for_order(function)


def _stored_beside(unit: Unit) -> Iterator[tuple[Node, ast.Call]]:
    """Arrays of which such a view is made and kept, and that are stored into."""
    if not any(_may_be_stored_into(graph_node.root()) for graph_node, _ in unit.memory.reshaped):
        return
    by_calls = ((node, getattr(call, "lineno", 0)) for node, call in unit.memory.changing)
    stores = [*unit.memory.written, *unit.calls.given, *by_calls]
    parents = {id(child): node for node in walk(unit.node) for child in children(node)}
    for graph_node, call in {id(call): (one, call) for one, call in unit.memory.reshaped}.values():
        root = graph_node.root()
        since = _since(parents, call)
        written = any(at >= since for node, at in stores if node.root() is root)
        if (
            written
            and _may_be_stored_into(root)
            and _kept(unit, parents, call)
            and not is_all_that_is_left(unit, parents, call, root)
        ):
            yield root, call


def _may_be_stored_into(root: Node) -> bool:
    """Whether something stores into an array, or may do so where nobody looks."""
    return root.mutated or root.let_go


def _since(parents: dict[int, ast.AST], node: ast.AST) -> int:
    """The first line of which a store is made beside the view: loops come back to their first."""
    line = getattr(node, "lineno", 0)
    above: ast.AST | None = node
    while above is not None:
        if isinstance(above, (*LOOPS, ast.stmt)) and not isinstance(
            above, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.If, ast.With, ast.Try)
        ):
            line = min(line, above.lineno)
        above = parents.get(id(above))
    return line


def _kept(unit: Unit, parents: dict[int, ast.AST], call: ast.expr) -> bool:
    """Whether more is done with the view than to read it where it is made."""
    node: ast.AST = call
    while True:
        above = parents.get(id(node))
        if isinstance(above, _READERS) or above is None:
            return False
        if isinstance(above, ast.Subscript):
            if node is not above.value:
                return False
            if not isinstance(above.ctx, ast.Load):
                return True
        elif isinstance(above, (ast.Attribute, ast.keyword, ast.Starred)):
            if isinstance(above, ast.keyword) and above.arg == "out":
                return True
        elif isinstance(above, ast.Call):
            shows = _shows(unit, node, above)
            if shows is not None:
                return shows
        else:
            return True
        node = above


def _shows(unit: Unit, node: ast.AST, call: ast.Call) -> bool | None:
    """Whether a call changes or keeps its argument; None where it gives a view of it."""
    if isinstance(call.func, ast.Attribute) and call.func is node:
        path: str | None = f"numpy.ndarray.{call.func.attr}"
    else:
        path = unit.scope.resolve(call.func)
    path = None if path is None else as_numpy(path)
    if path is None or not path.startswith(("numpy.", "scipy.")):
        return True
    effect = unit.knowledge.rules.effect(path)
    if effect is None:
        return False
    return True if set(effect.mutates) - {"out"} else None if effect.view else False


def _together(unit: Unit) -> list[Unit]:
    """A function, with those that are followed beside it: they hand arrays to each other."""
    return [unit] if unit.objects is None else [unit, *unit.objects.units.values()]


def _made_from(unit: Unit, root: Node) -> list[Node]:
    """A group and all that it is computed from: its order in memory comes from these."""
    found = [root]
    graphs = {id(member.graph): member.graph for member in _together(unit)}.values()
    own = {id(node) for member in _together(unit) for node in _with_own_order(member)}
    uses = [use for graph in graphs for use in graph.uses.values() if id(use.consumer) not in own]
    for one in found:
        for use in uses:
            if use.consumer.root() is one and use.producer.root() not in found:
                found.append(use.producer.root())
    return [node for node in found if node is not unit.host.root()]


def _with_own_order(unit: Unit) -> Iterator[Node]:
    """Calls whose results are in the same order in memory whatever they are given."""
    for operation in unit.work.operations.values():
        effect = operation.path and unit.knowledge.rules.effect(operation.path)
        if effect and (effect.own_order or effect.c_order):
            yield operation.graph_node
