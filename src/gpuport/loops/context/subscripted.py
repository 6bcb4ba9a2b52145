"""What the subscripts of a loop tell: how many axes arrays have, which names are whole numbers."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Mapping, Set

from gpuport.loops.context.scalars import exposed
from gpuport.loops.facts import ArrayFact, Fact, FunctionFact, ModuleFact, ScalarFact
from gpuport.loops.heads.named_ranges import named_range
from gpuport.loops.names import constant_int, dotted, is_shape, subscript_indices
from gpuport.loops.reasons import CARRIED, UNKNOWN_TYPE, UNSUPPORTED, Refused
from gpuport.source import syntax


def array_ranks(loop: ast.stmt, facts: Mapping[str, Fact]) -> dict[str, int]:
    """Axes of every array that the loop subscripts.

    Raises
    ------
    Refused
        Where subscripts disagree, or leave axes open.
    """
    ranks: dict[str, int] = {}
    for node in ast.walk(loop):
        if not isinstance(node, ast.Subscript) or is_shape(node.value):
            continue
        name = dotted(node.value)
        if name is None:
            raise Refused(
                UNSUPPORTED, node, f"`{ast.unparse(node)}`: subscript of an unnamed value"
            )
        count = len(subscript_indices(node))
        fact = facts.get(name)
        if isinstance(fact, ScalarFact | FunctionFact | ModuleFact):
            raise Refused(UNKNOWN_TYPE, node, _no_array(node, name, fact))
        known = fact.rank if isinstance(fact, ArrayFact) and fact.rank is not None else None
        expected = known if known is not None else ranks.get(name, count)
        if expected != count:
            raise _in_part(loop, node, name, expected, known is not None)
        if isinstance(fact, ArrayFact) and fact.dtype == "object":
            raise Refused(
                UNKNOWN_TYPE, node, f"`{name}` is an array of Python objects, not of numbers"
            )
        ranks[name] = count
    return ranks


def _no_array(node: ast.Subscript, name: str, fact: ScalarFact | FunctionFact | ModuleFact) -> str:
    """Why a name that is subscripted is none of an array."""
    if isinstance(fact, ScalarFact) and fact.type is None:
        return f"it is not known whether `{name}` is an array"
    what = {ScalarFact: "a number", FunctionFact: "a function"}.get(type(fact), "a module")
    return f"`{name}` is {what}, and `{ast.unparse(node)}` takes it for an array"


def _in_part(loop: ast.stmt, node: ast.Subscript, name: str, expected: int, known: bool) -> Refused:
    """The refusal of subscripts that do not all take one element."""
    count, text = len(subscript_indices(node)), ast.unparse(node)
    if count < expected:
        message = (
            f"`{text}` has {count} of {expected} indices: it is a part of the array, not one "
            "element, and what the loop does with it is left to array operations"
        )
        return Refused(UNSUPPORTED, node, message)
    if known:
        axes = "1 axis" if expected == 1 else f"{expected} axes"
        return Refused(UNSUPPORTED, node, f"`{text}` has {count} indices, and `{name}` has {axes}")
    part = next(
        one
        for one in ast.walk(loop)
        if isinstance(one, ast.Subscript)
        and dotted(one.value) == name
        and len(subscript_indices(one)) == expected
    )
    message = (
        f"`{ast.unparse(part)}` is a part of `{name}`, whose elements take {count} indices as in "
        f"`{text}`: what the loop does with it is left to array operations"
    )
    return Refused(UNSUPPORTED, part, message)


def refuse_rebound(loop: ast.stmt, ranks: Collection[str], facts: Mapping[str, Fact]) -> None:
    """Refuse a loop in which an array's name comes to stand for another one.

    Raises
    ------
    Refused
    """
    rebound = [
        node
        for node in ast.walk(loop)
        if isinstance(node, ast.Name)
        and isinstance(node.ctx, ast.Store)
        and (node.id in ranks or isinstance(facts.get(node.id), ArrayFact))
    ]
    carried = exposed([loop])
    for node in rebound:
        if node.id in carried:
            raise Refused(
                CARRIED,
                node,
                f"`{node.id}` is another array in each iteration, which begins with the one that "
                "the iteration before left (carried)",
            )
    for node in rebound:
        ranges = named_range(node.id, node, loop, facts)
        if ranges is not None:
            raise ranges
        call = _giving(loop, node)
        if call is not None and isinstance(facts.get(dotted(call.func) or ""), FunctionFact):
            raise Refused(
                UNSUPPORTED,
                node,
                f"`{node.id}` is what `{ast.unparse(call)}` gives, and is used by its parts: a "
                "function that gives several values at once has no form in a kernel",
            )
        raise Refused(
            UNSUPPORTED,
            node,
            f"`{node.id}` is another array in each iteration: where it is room to work in, "
            "make it before the loop, with a row for each iteration",
        )


def _giving(loop: ast.stmt, name: ast.Name) -> ast.Call | None:
    """The call whose result a name is bound to."""
    for one in ast.walk(loop):
        if isinstance(one, ast.Assign) and one.targets[0] is name:
            return one.value if isinstance(one.value, ast.Call) else None
    return None


def integer_names(loop: ast.stmt) -> set[str]:
    """Names that stand in a range or a subscript, outside calls and comparisons: whole numbers.

    So are those that decide, with the counters of the loop, which iterations are meant:
    ``(i + j) % 2 == colour``.
    """
    found = names_of_residues([loop], set())
    for node in syntax.walk(loop):
        if isinstance(node, ast.For) and isinstance(node.iter, ast.Call):
            for item in node.iter.args:
                found |= counted_names(item)
        elif isinstance(node, ast.Subscript) and not is_shape(node.value):
            for item in subscript_indices(node):
                found |= counted_names(item)
    return found


def names_of_residues(body: Iterable[ast.AST], counters: Set[str]) -> set[str]:
    """The names that stand with a counter of a loop in comparisons like ``(i + a) % 2 == b``.

    Parameters
    ----------
    body : iterable of ast.AST
    counters : set of str
        Those of the loops around.
    """
    nodes = [node for one in body for node in syntax.walk(one)]
    counters = counters | {
        one.id
        for node in nodes
        if isinstance(node, ast.For)
        for one in ast.walk(node.target)
        if isinstance(one, ast.Name)
    }
    found: set[str] = set()
    for node in nodes:
        if not isinstance(node, ast.Compare) or not isinstance(node.ops[0], ast.Eq | ast.NotEq):
            continue
        sides = [node.left, *node.comparators]
        divided = [
            one.left
            for one in sides
            if isinstance(one, ast.BinOp)
            and isinstance(one.op, ast.Mod)
            and constant_int(one.right) is not None
        ]
        if len(sides) == 2 and any(counters & counted_names(one) for one in divided):
            found |= {name for one in sides for name in counted_names(one)}
    return found - counters


def counted_names(node: ast.expr) -> set[str]:
    """The names that a whole-number expression is made of."""
    if isinstance(node, ast.Name | ast.Attribute):
        name = dotted(node)
        return set() if name is None else {name}
    parts: list[ast.expr] = []
    if isinstance(node, ast.BinOp):
        if isinstance(node.op, ast.Add | ast.Sub | ast.Mult | ast.FloorDiv | ast.Mod):
            parts = [node.left, node.right]
    elif isinstance(node, ast.UnaryOp):
        parts = [node.operand]
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        parts = node.args if node.func.id in ("max", "min") else []
    return {name for part in parts for name in counted_names(part)}
