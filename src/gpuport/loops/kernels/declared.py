"""A kernel of a loop in the form of `gpuport.runtime.kernel`: its signature says what is asked.

The runtime asks at each call for the dtypes and axes that the signature and the indices tell, for
indices within their arrays, and for arrays apart; what else the plan rests on goes into ``where``.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence

from gpuport.loops.cuda.symbols import Symbols
from gpuport.loops.cuda.values import Value
from gpuport.loops.names import stored, walk
from gpuport.loops.records import Axis, DeclaredKernel, Given, Kernel, LoopPlan
from gpuport.loops.sets.guards import conjuncts
from gpuport.parallel.cuda.helpers import used_by
from gpuport.parallel.cuda.names import Names
from gpuport.runtime.kernels.signature import C_TYPES
from gpuport.runtime.kernels.weak import HELPERS

_NUMBERS = {
    frozenset({"int", "int64"}): "int",
    frozenset({"int", "float", "float64"}): "float",
    frozenset({"int", "float"}): "float",
    frozenset({"bool"}): "bool",
}
"""The runtime's word for a number that may be of these types."""


def is_alone(plan: LoopPlan, made: Kernel) -> bool:
    """Whether a launch is one call that leaves nothing but written arrays."""
    left = (plan.accumulations, plan.last_values, plan.snapshots, plan.workspaces, plan.packed)
    tied = (plan.scan, plan.tallies, plan.latest, plan.hit, plan.begins, plan.prologue)
    around = (made.flag, made.before, made.after, made.others, made.lists)
    return bool(plan.writes) and not any((*left, *tied, *around))


def in_words(
    plan: LoopPlan,
    made: Kernel,
    symbols: Symbols,
    numbers: Sequence[str],
    names: Names,
    operation: str,
    functions: str,
) -> DeclaredKernel | None:
    """The kernel, or None where the runtime has no words for it.

    Parameters
    ----------
    plan : LoopPlan
    made : Kernel
        The same kernel as an object.
    symbols : Symbols
        What its names are.
    numbers : sequence of str
        Numbers from outside, as Python text.
    names : Names
        What CUDA calls each.
    operation : str
        The text, without the lines that find a thread's indices.
    functions : str
        Functions of the project that it calls.
    """
    if {known.array for known in plan.ranges} != symbols.arrays.keys():
        return None  # no index would tell the runtime how many axes there are
    arrays = [Given(names[n], a.dtype, True, n) for n, a in symbols.arrays.items()]
    words = {text: _word(symbols.scalars[text]) for text in numbers}
    given = [Given(names[text], word, False, text) for text, word in words.items() if word]
    named = all(one.name == one.argument.rpartition(".")[2] for one in (*arrays, *given))
    if len(given) < len(words) or not named:
        return None
    axes = (f"{a.variable} in range({_arguments(a)})" for a in plan.grid)
    called = "\n".join((operation, functions))
    dotted = {one.argument: one.name for one in given if "." in one.argument}
    return DeclaredKernel(
        inputs=(*(one for one in arrays if one.argument not in plan.writes), *given),
        outputs=tuple(one for one in arrays if one.argument in plan.writes),
        body=tuple(operation.replace(".shape()[", ".shape[").splitlines()),
        over=_without_owners(", ".join(axes), dotted),
        where=_without_owners(_where(plan, made.guards), dotted),
        preamble="\n".join(p for p in (used_by(called, without=HELPERS), functions) if p),
    )


def _word(value: Value) -> str | None:
    """The runtime's word for a number; None where it has none that takes the same."""
    types = frozenset(map(str, value.types))
    if value.constant is not None:
        (word,) = types if len(types) == 1 else ("",)
        return word or None
    if len(types) == 1 and types <= C_TYPES.keys():
        return next(iter(types))
    return _NUMBERS.get(types)


def _arguments(axis: Axis) -> str:
    """The arguments of ``range``, none that it has anyway."""
    if axis.step != "1":
        return f"{axis.start}, {axis.stop}, {axis.step}"
    return axis.stop if axis.start == "0" else f"{axis.start}, {axis.stop}"


def _where(plan: LoopPlan, guards: Sequence[str]) -> str:
    """What the runtime has to be told beside what it finds out itself: all, where it is any."""
    parts = [part for guard in guards for part in conjuncts(guard)]
    more = [p for p in parts if p not in plan.bounds and not _RANK.fullmatch(p)]
    known = all(one.proven and not one.negative for one in plan.ranges)
    if not more and known and not _restricted(plan):
        return ""
    return " and ".join(_operand(part) for part in parts if not _RANK.fullmatch(part)) or "True"


def _restricted(plan: LoopPlan) -> bool:
    """Whether an index is reached under a condition on what it is made of.

    It goes further then than the ranges that it runs over: that follows from none of them.
    """
    asked = _made_of(plan, {n for one in walk(plan.body) for n in _plain_names(_test_of(one))})
    return any(
        not asked.isdisjoint(_plain_names(one.node.slice))
        for one in plan.ranges
        if _is_under_condition(plan, one.node)
    )


def _test_of(node: ast.AST) -> ast.expr | None:
    if isinstance(node, ast.BoolOp):
        return node
    return node.test if isinstance(node, ast.If | ast.IfExp | ast.While) else None


def _is_under_condition(plan: LoopPlan, node: ast.AST) -> bool:
    conditions = (one for one in walk(plan.body) if _test_of(one) is not None)
    return any(inner is node for one in conditions for inner in walk([one]))


def _made_of(plan: LoopPlan, names: set[str]) -> set[str]:
    """Names, and those that the iteration makes them of; elements of arrays restrict no index."""
    found: set[str] = set()
    pending = set(names)
    while pending:
        name = pending.pop()
        found.add(name)
        for node in walk(plan.body):
            if isinstance(node, ast.Assign | ast.AugAssign) and name in stored([node]):
                pending |= _plain_names(node.value) - found
    return found


def _plain_names(node: ast.expr | None) -> set[str]:
    if node is None or isinstance(node, ast.Subscript):
        return set()
    if isinstance(node, ast.Name):
        return {node.id}
    children = (one for one in ast.iter_child_nodes(node) if isinstance(one, ast.expr))
    return {name for child in children for name in _plain_names(child)}


_RANK = re.compile(r"\w+\.ndim == \d+")


def _operand(text: str) -> str:
    whole = isinstance(ast.parse(text, mode="eval").body, ast.Compare | ast.Call | ast.Name)
    return text if whole else f"({text})"


def _without_owners(text: str, dotted: Mapping[str, str]) -> str:
    """A text in which attributes are the parameters that they are passed as."""
    for attribute, name in dotted.items():
        text = re.sub(rf"(?<![\w.]){re.escape(attribute)}(?!\w)", name, text)
    return text
