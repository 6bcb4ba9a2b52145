"""What the names of a plan's body are: arrays, numbers from outside, the grid's variables."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from .cuda_symbols import Array, Magnitudes, Symbols, array_of, is_length, scalar_value
from .cuda_values import Alternative, Value, of_type
from .names import constant_int, dotted, function_path, stored, subscript_indices, walk
from .records import ArrayFact, Axis, Fact, LoopPlan, ModuleFact, ScalarFact
from .typing import DEVICE_DTYPES, PYTHON, Type, kind


class Breadth(Enum):
    """For how many types of the numbers from outside a kernel is tried to be right at once."""

    WIDE = "wide"
    MEDIUM = "medium"
    NARROW = "narrow"


_SMALL = 2**24
_TYPES: dict[Breadth, dict[str, tuple[Type, ...]]] = {
    Breadth.WIDE: {
        "float": (PYTHON["int"], PYTHON["float"], Type("float64")),
        "int": (PYTHON["int"], Type("int64")),
    },
    Breadth.MEDIUM: {"float": (PYTHON["int"], PYTHON["float"])},
    Breadth.NARROW: {},
}


def accepted(value: Value) -> str:
    """The types of a number for which a kernel is right, joined by ``|``.

    ``int24`` is a Python integer of at most 2**24, beside ``float``.
    """
    names = sorted(map(str, value.types))
    if "float" in names or "float64" in names:
        names = ["int24" if name == "int" else name for name in names]
    return "|".join(names)


@dataclass(frozen=True, slots=True)
class Outside:
    """Names of a plan that are bound before the launch.

    Attributes
    ----------
    symbols : Symbols
    numbers : tuple of str
        Numbers that the body or the grid reads, in the order in which they are met.
    """

    symbols: Symbols
    numbers: tuple[str, ...]


def outside(
    plan: LoopPlan, body: Sequence[ast.stmt], magnitudes: Magnitudes, breadth: Breadth
) -> Outside:
    """Find out what each name is.

    Parameters
    ----------
    plan : LoopPlan
    body : sequence of ast.stmt
        The plan's, the prologue before it.
    magnitudes : Magnitudes
        How large whole numbers from outside are.
    breadth : Breadth
    """
    facts = plan.nest.facts
    arrays = _arrays(plan, body)
    grid = {axis.variable for axis in plan.grid}
    bounds = [ast.parse(text, mode="eval").body for axis in plan.grid for text in _texts(axis)]
    whole = _whole_numbers(plan, body) | {n.id for n in walk(bounds) if isinstance(n, ast.Name)}
    counts = _counting(plan, body, bounds)
    local = stored(body) | grid
    numbers: dict[str, Value] = {}
    for node in [*body, *bounds]:
        for name, where in _free(node, set(arrays), facts):
            if name in local or name in numbers:
                continue
            assumed = PYTHON["int" if name in whole else "float"]
            value = scalar_value(facts.get(name), assumed, magnitudes, where)
            if name in counts and value.constant is None and value.whole:
                most = magnitudes.counted
                value = replace(value, low=_least(name, plan, -most), high=most)
            value = _limited(value, name, plan)
            numbers[name] = broadened(value, breadth)
    for node in walk(body):
        if isinstance(node, ast.expr) and is_length(node):
            owner = node.args[0] if isinstance(node, ast.Call) else node
            while isinstance(owner, ast.Subscript) or (
                isinstance(owner, ast.Attribute) and owner.attr in ("shape", "size")
            ):
                owner = owner.value
            known = facts.get(dotted(owner) or "")
            if dotted(owner) not in arrays and isinstance(known, ArrayFact):
                numbers[ast.unparse(node)] = of_type(PYTHON["int"], 0, magnitudes.counted)
    scalars = dict(numbers)
    for axis in plan.grid:
        scalars[axis.variable] = _counter(axis, magnitudes)
    symbols = Symbols(arrays, scalars, facts, magnitudes)
    order = {name: k for k, name in enumerate(_parameters(plan))}
    listed = sorted(numbers, key=lambda name: order.get(name, len(order)))
    return Outside(symbols, tuple(listed))


def _texts(axis: Axis) -> tuple[str, str, str]:
    return axis.start, axis.stop, axis.step


def _arrays(plan: LoopPlan, body: Sequence[ast.stmt]) -> dict[str, Array]:
    ranks = dict(plan.ranks)
    nodes: dict[str, ast.AST] = {}
    for node in walk(body):
        if isinstance(node, ast.Subscript):
            name = dotted(node.value)
            if name is not None:
                nodes.setdefault(name, node)
                if name in plan.reads | plan.writes:
                    ranks.setdefault(name, len(subscript_indices(node)))
    index = _index_arrays(plan, body)
    facts = plan.nest.facts
    used = [n for n in ranks if n in plan.reads | plan.writes or n in nodes]
    order = {name: k for k, name in enumerate([*_parameters(plan), *nodes])}
    used.sort(key=lambda name: (order.get(name, len(order)), name))
    return {
        n: array_of(facts.get(n), ranks[n], n in index, nodes.get(n, plan.region)) for n in used
    }


def _parameters(plan: LoopPlan) -> list[str]:
    listed = getattr(plan.nest.function, "args", None)
    return [] if listed is None else [a.arg for a in (*listed.posonlyargs, *listed.args)]


def broadened(value: Value, breadth: Breadth) -> Value:
    """A number of one type from outside, for all the types that it may as well be of."""
    if value.constant is not None or len(value.types) != 1:
        return value
    (type_,) = value.types
    types = _TYPES[breadth].get(str(type_))
    if types is None:
        return value
    alternatives = frozenset(Alternative(t) for t in types)
    if value.whole:
        return replace(value, alternatives=alternatives)
    return Value(alternatives, -_SMALL, _SMALL)


def _least(name: str, plan: LoopPlan, least: int) -> int:
    """The lower bound that a guard gives a number."""
    for guard in plan.guards:
        match = re.fullmatch(rf"{re.escape(name)} (>=?) (\d+)", guard)
        if match:
            return int(match[2]) + (match[1] == ">")
    return least


def _limited(value: Value, name: str, plan: LoopPlan) -> Value:
    """A number within the bounds that a guard gives it."""
    for guard in plan.guards:
        match = re.fullmatch(rf"(-?\d+) <= {re.escape(name)} <= (\d+)", guard)
        if match and value.whole and value.constant is None:
            value = replace(value, low=int(match[1]), high=int(match[2]))
    return value


def _counting(plan: LoopPlan, body: Sequence[ast.stmt], bounds: Sequence[ast.expr]) -> set[str]:
    """Numbers that end a loop: they are no larger than loops are long."""
    found = [bound for bound in bounds if isinstance(bound, ast.Name)]
    for node in walk(body):
        if isinstance(node, ast.Call) and dotted(node.func) == "range":
            found += [a for a in node.args if isinstance(a, ast.Name)]
    guarded = {m[1] for g in plan.guards if (m := re.fullmatch(r"(\w+) >=? \d+", g))}
    return {node.id for node in found} | guarded


def _index_arrays(plan: LoopPlan, body: Sequence[ast.stmt]) -> set[str]:
    """Arrays of whole numbers: indices, what bit operators are applied to, what is stored whole.

    A guess for arrays of which nothing is known; the launch makes sure of it.
    """
    places = _index_places(body)
    named = {name for place in places for name in _index_names(place)}
    found = {dotted(n.value) for place in places for n in _elements(place)}
    stores = _whole_stores(plan, body)
    named |= {name for store in stores for name in _bare(store)}
    found |= {dotted(n.value) for store in stores for n in _elements(store)}
    for _ in range(3):
        for name, value in _bindings(body):
            if name in named:
                named |= _bare(value)
                found |= {dotted(n.value) for n in _elements(value)}
    for node in walk(body):
        if isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, _BITS):
            value = node.value if isinstance(node, ast.AugAssign) else node.left
            both = [value] if isinstance(node, ast.AugAssign) else [value, node.right]
            found |= {dotted(n.value) for n in walk(both) if isinstance(n, ast.Subscript)}
            named |= {n.id for n in both if isinstance(n, ast.Name)}
    for name, value in _bindings(body):
        if name in named and isinstance(value, ast.Subscript):
            found.add(dotted(value.value))
    return {name for name in found if name is not None}


def _bindings(body: Sequence[ast.stmt]) -> Iterator[tuple[str, ast.expr]]:
    """Names with the values that assignments give them, those in tuples one by one."""
    for node in walk(body):
        if not isinstance(node, ast.Assign):
            continue
        for target in node.targets:
            if isinstance(target, ast.Name):
                yield target.id, node.value
            elif isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                for one, value in zip(target.elts, node.value.elts, strict=False):
                    if isinstance(one, ast.Name):
                        yield one.id, value


_BITS = ast.BitAnd | ast.BitOr | ast.BitXor | ast.LShift | ast.RShift


def _whole_stores(plan: LoopPlan, body: Sequence[ast.stmt]) -> list[ast.expr]:
    """Values that are stored in arrays known to hold integers."""
    found = []
    for node in walk(body):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript):
            fact = plan.nest.facts.get(dotted(node.targets[0].value) or "")
            dtype = fact.dtype if isinstance(fact, ArrayFact) else None
            if dtype is not None and dtype in DEVICE_DTYPES and kind(dtype) in "iu":
                found.append(node.value)
    return found


def _index_names(node: ast.expr) -> set[str]:
    """Names that are whole numbers because an index is made of them."""
    found = _bare(node)
    for call in ast.walk(node):
        if isinstance(call, ast.Call) and dotted(call.func) in ("abs", "max", "min"):
            found |= {name for argument in call.args for name in _bare(argument)}
    return found


def _elements(node: ast.expr) -> list[ast.Subscript]:
    """Elements that an expression is made of by arithmetic alone."""
    if isinstance(node, ast.Subscript):
        return [node]
    if isinstance(node, ast.BinOp) and not isinstance(node.op, ast.Div):
        return [*_elements(node.left), *_elements(node.right)]
    if isinstance(node, ast.UnaryOp):
        return _elements(node.operand)
    if isinstance(node, ast.IfExp):
        return [*_elements(node.body), *_elements(node.orelse)]
    if isinstance(node, ast.Call) and dotted(node.func) in ("abs", "max", "min"):
        return [element for argument in node.args for element in _elements(argument)]
    return []


def _index_places(body: Sequence[ast.stmt]) -> list[ast.expr]:
    return [i for n in walk(body) if isinstance(n, ast.Subscript) for i in subscript_indices(n)]


def _whole_numbers(plan: LoopPlan, body: Sequence[ast.stmt]) -> set[str]:
    """Names that count or index, directly or through others: integers where nothing is known."""
    places: list[ast.expr] = [*_index_places(body), *_whole_stores(plan, body)]
    for node in walk(body):
        if isinstance(node, ast.Call) and dotted(node.func) == "range":
            places += node.args
    found = {axis.variable for axis in plan.grid}
    for place in places:
        found |= _bare(place)
    counted = found | {
        t.id
        for n in walk(body)
        if isinstance(n, ast.Assign) and constant_int(n.value) is not None
        for t in n.targets
        if isinstance(t, ast.Name)
    }
    for node in walk(body):
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            sides = [s.id for s in (node.left, *node.comparators) if isinstance(s, ast.Name)]
            if len(sides) == 2 and counted & set(sides):
                found |= set(sides)
    for node in walk(body):
        if isinstance(node, ast.BinOp) and isinstance(node.op, _BITS):
            found |= {n.id for n in (node.left, node.right) if isinstance(n, ast.Name)}
    size = -1
    while size != len(found):
        size = len(found)
        for name, value in _bindings(body):
            if name in found:
                found |= _bare(value)
    return found


def _bare(node: ast.expr) -> set[str]:
    """Names in an expression, those inside calls and subscripts left out."""
    calls = [c for c in ast.walk(node) if isinstance(c, ast.Call | ast.Subscript)]
    hidden = {id(n) for call in calls for n in ast.walk(call)}
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and id(n) not in hidden}


def _free(node: ast.AST, arrays: set[str], facts: object) -> Iterator[tuple[str, ast.AST]]:
    """Names of numbers that a node reads: plain, or dotted where a fact tells of them."""
    assert hasattr(facts, "get")
    if isinstance(node, ast.Attribute | ast.Name):
        name = dotted(node)
        if name is not None and isinstance(facts.get(name), ScalarFact):
            yield name, node
            return
        if name in arrays:
            return
        if isinstance(node, ast.Name):
            fact: Fact | None = facts.get(node.id)
            plain = fact is None or not isinstance(fact, ModuleFact)
            if plain and isinstance(node.ctx, ast.Load) and not _callable(node, facts):
                yield node.id, node
            return
        owner = node
        while isinstance(owner, ast.Attribute):
            owner = owner.value  # type: ignore[assignment]
        if isinstance(facts.get(dotted(owner) or ""), ModuleFact):
            return
    if isinstance(node, ast.Call):
        children: list[ast.AST] = [*node.args, *node.keywords]
        if dotted(node.func) == "len":  # of an array, whether the kernel reads it or not
            children = [a for a in children if dotted(a) is None]  # type: ignore[arg-type]
    elif isinstance(node, ast.Attribute) and node.attr in ("shape", "size", "ndim"):
        children = [] if dotted(node.value) is not None else [node.value]
    else:
        children = list(ast.iter_child_nodes(node))
    for child in children:
        yield from _free(child, arrays, facts)


def _callable(node: ast.Name, facts: object) -> bool:
    return type(facts.get(node.id)).__name__ == "FunctionFact" or (  # type: ignore[attr-defined]
        facts.get(node.id) is None  # type: ignore[attr-defined]
        and (function_path(node, facts) or "").startswith("builtins.")  # type: ignore[arg-type]
    )


def _counter(axis: Axis, magnitudes: Magnitudes) -> Value:
    start = constant_int(ast.parse(axis.start, mode="eval").body)
    step = constant_int(ast.parse(axis.step, mode="eval").body)
    most = magnitudes.counted
    low, high = -most, most
    stop = ast.parse(axis.stop, mode="eval").body
    if step is None or step > 0:
        if start is not None:
            low = start
        if constant_int(stop) is not None:
            high = max(low, constant_int(stop) - 1)  # type: ignore[operator]
    elif constant_int(stop) is not None:
        low = constant_int(stop) + 1  # type: ignore[operator]
    return of_type(PYTHON["int"], low, high)
