"""``max(runs, key=lambda run: run.score)``: what is compared is read where the call stands."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from gpuport.analysis.expressions.evaluation import evaluate
from gpuport.analysis.expressions.iterating import iterate
from gpuport.analysis.interpretation.flows import Flow
from gpuport.analysis.statements.closures import capture
from gpuport.analysis.values.lattice import (
    Mapping,
    Number,
    Object,
    Scalar,
    Sequence,
    Unknown,
    Value,
    is_container,
)

if TYPE_CHECKING:
    from gpuport.analysis.calls.arguments import Argument
    from gpuport.analysis.interpretation.unit import Unit


def announce_key(unit: Unit, node: ast.Call, *, arguments: int = 1) -> ast.Lambda | None:
    """The lambda that is given as ``key``, if it is to be read where the call stands.

    ``arguments``: how many others the call has by position.
    """
    key = _key(node)
    told = all(k.arg in ("key", "reverse") for k in node.keywords)
    if key is None or not told or len(node.args) != arguments:
        return None
    unit.marked.compared.add(id(key))  # no code that waits
    return key


def chosen_by_key(
    unit: Unit, node: ast.Call, key: ast.Lambda, name: str, args: list[Argument]
) -> Flow | None:
    """``max``, ``min`` and ``sorted`` of a container by a lambda that was announced.

    Returns
    -------
    Flow or None
        An item of the container, or a list of its items; None where they cannot be followed.
    """
    whole = args[0].flow
    item = item_by_key(unit, node, key, args[0].expression, whole, args)
    return item if item is None or name != "sorted" else _in_order(item.value, whole)


def item_by_key(
    unit: Unit, node: ast.Call, key: ast.Lambda, container: ast.expr, whole: Flow,
    args: list[Argument],
) -> Flow | None:  # fmt: skip
    """An item of a container, where what a lambda makes of each is followed; else None."""
    given = next(a.flow.value for a in args if a.keyword == "key")
    if not isinstance(given, Object) and is_container(whole.value):
        item, origin = iterate(unit, node, container, whole)
        known = origin is not None or isinstance(item, (Object, Scalar))
        if known and not isinstance(item, Unknown):
            found = Flow(item, origin, view=True)
            if isinstance(_compared(unit, node, key, found).value, (Number, Scalar)):
                return found
    capture(unit, key)
    return None


def _in_order(item: Value, whole: Flow) -> Flow:
    return Flow(Sequence(item), None if isinstance(whole.value, Mapping) else whole.origin)


def _compared(unit: Unit, node: ast.Call, key: ast.Lambda, item: Flow) -> Flow:
    """What a lambda gives of an item, which is compared on the host."""
    parameter = key.args.args[0].arg
    before = unit.env.get(parameter)
    with unit.loop(frozenset((parameter,)), node):
        unit.env[parameter] = item
        compared = evaluate(unit, key.body)
        unit.to_host(key.body, compared)
    del unit.env[parameter]
    if before is not None:
        unit.env[parameter] = before
    return compared


def _key(node: ast.Call) -> ast.Lambda | None:
    """A lambda of one parameter that is given as ``key``."""
    found = next((k.value for k in node.keywords if k.arg == "key"), None)
    if not isinstance(found, ast.Lambda):
        return None
    taken = found.args
    others = (*taken.posonlyargs, *taken.kwonlyargs, *taken.defaults)
    plain = len(taken.args) == 1 and not others and taken.vararg is None and taken.kwarg is None
    return found if plain else None


__all__ = ["announce_key", "chosen_by_key", "item_by_key"]
