"""What depends on the order in memory: views by ``ravel`` and ``reshape``, and the orders K and A.

NumPy's results keep the order of what they are computed from (F stays F), CuPy's are in C order.
So the same line may be a view on one side and a copy on the other, which nobody notices until
something is stored.

Views after which nothing reaches the array that they are made of: they may be copies of it.

A view is that where it takes a name, and the array has no other: either it takes the array's own
name, or the array was made for this view and is read nowhere else.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from itertools import chain

from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.placement.graph import Node
from gpuport.rules.numpynames import as_numpy, positional_name
from gpuport.source.syntax import DEFINITIONS, LOOPS, children, walk

Parents = Mapping[int, ast.AST]


def is_all_that_is_left(unit: Unit, parents: Parents, call: ast.Call, root: Node) -> bool:
    """Whether what a call gives is the only way left to its array, of the group ``root``."""
    assigned, array = parents.get(id(call)), _array_of(unit, call)
    whole = array
    while isinstance(whole, ast.Attribute):
        whole = whole.value
    if isinstance(whole, ast.BinOp) or (whole is not None and _makes_arrays(unit, whole)):
        return True  # it has no name
    if not isinstance(assigned, ast.Assign):
        return False
    return _takes_its_name(unit, assigned, array, root) or _is_read_once(
        unit, parents, assigned, array
    )


def _array_of(unit: Unit, call: ast.Call) -> ast.expr | None:
    """What the view is made of: `x` of ``x.reshape(n)``, and of ``np.reshape(x, n)``."""
    if isinstance(call.func, ast.Attribute) and unit.scope.resolve(call.func) is None:
        return call.func.value
    return call.args[0] if call.args else None


def _takes_its_name(unit: Unit, assigned: ast.Assign, array: ast.expr | None, root: Node) -> bool:
    """Whether the view takes the name, and the only one, of the array."""
    if root.parameters or not isinstance(array, ast.Name):
        return False
    names = [n for n, f in unit.env.items() if f.origin is not None and f.origin.root() is root]
    taken = [getattr(target, "id", None) for target in assigned.targets]
    return taken == names == [array.id]


def _is_read_once(
    unit: Unit, parents: Parents, assigned: ast.Assign, array: ast.expr | None
) -> bool:
    """Whether nothing reads the array, or what it is a part of, but the call that makes the view.

    It has to come from a call that makes one, under a name that is bound once.
    """
    while isinstance(array, ast.Subscript):
        array = array.value
    if not isinstance(array, ast.Name):
        return False
    named = [n for n in walk(unit.node) if isinstance(n, ast.Name) and n.id == array.id]
    bound = [n for n in named if n is not array]
    if len(bound) != 1 or not isinstance(bound[0].ctx, ast.Store):
        return False
    statement: ast.AST | None = bound[0]
    while isinstance(statement, ast.expr):
        statement = parents.get(id(statement))
    return (
        isinstance(statement, ast.Assign)
        and _makes_arrays(unit, statement.value)
        and _innermost_loop(parents, statement) is _innermost_loop(parents, assigned)
    )


def _makes_arrays(unit: Unit, value: ast.expr) -> bool:
    """Whether an expression is a call of NumPy's that gives no view, and nothing it is given."""
    if not isinstance(value, ast.Call):
        return False
    path = as_numpy(unit.scope.resolve(value.func) or "")
    if not path.startswith(("numpy.", "scipy.")) or _may_give_result(unit, path, value):
        return False
    effect = unit.knowledge.rules.effect(path)
    return effect is None or not effect.view


def _may_give_result(unit: Unit, path: str, call: ast.Call) -> bool:
    """Whether an argument may be the array that the result is written to."""
    entry, results = unit.knowledge.tables.entry(path), unit.knowledge.words.result_parameters
    if any(isinstance(argument, ast.Starred) for argument in call.args):
        return True
    if any(keyword.arg is None or keyword.arg in results for keyword in call.keywords):
        return True
    parameters = entry.parameters if entry is not None else None
    if parameters is None:
        return bool(call.args)
    names = (positional_name(parameters, place) for place in range(len(call.args)))
    return any(name in results for name in names)


def _innermost_loop(parents: Parents, node: ast.AST | None) -> ast.AST | None:
    while node is not None and not isinstance(node, LOOPS):
        node = parents.get(id(node))
    return node


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
        if isinstance(above, ast.stmt) and not isinstance(
            above, (*DEFINITIONS, ast.If, ast.With, ast.Try)
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
            if node is not above.value or not isinstance(above.ctx, ast.Load):
                return node is above.value
        elif isinstance(above, (ast.Attribute, ast.keyword, ast.Starred)):
            if isinstance(above, ast.keyword) and above.arg == "out":
                return True
        elif isinstance(above, ast.Call):
            shows = _shows(unit, node, above)
            if shows is not None:
                return shows
        else:  # an array takes the elements that are stored in it, or added to it
            takers = getattr(above, "targets", ())
            if isinstance(above, ast.AugAssign):
                takers = [above if ("operation", id(above)) in unit.nodes else above.target]
            return not takers or any(("operation", id(one)) not in unit.nodes for one in takers)
        node = above


def _shows(unit: Unit, node: ast.AST, call: ast.Call) -> bool | None:
    """Whether a call changes or keeps its argument; None where it gives a view of it."""
    method = isinstance(call.func, ast.Attribute) and call.func is node and call.func.attr
    path = as_numpy(f"numpy.ndarray.{method}" if method else unit.scope.resolve(call.func) or "")
    if not path.startswith(("numpy.", "scipy.")):
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
