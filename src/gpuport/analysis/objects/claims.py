"""What is said of instances, attributes and parameters from one look at a program to the next."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gpuport.analysis.functions.returncases import Case
from gpuport.analysis.knowledge.readings import DEVICE_DTYPES
from gpuport.analysis.placement.graph import Graph, Node, Reason
from gpuport.analysis.values.contents import is_undecided
from gpuport.analysis.values.lasting import lasting
from gpuport.analysis.values.lattice import (
    EMPTY,
    UNKNOWN,
    Array,
    Either,
    Mapping,
    Number,
    Scalar,
    Tuple,
    Unknown,
    Value,
    elements,
    is_container,
    join_paths,
    on_device_possible,
    parts,
)

if TYPE_CHECKING:
    from gpuport.analysis.interpretation.unit import Unit
    from gpuport.analysis.values.nesting import Held

Key = tuple[int, str]
"""A function and one of its parameters."""


@dataclass(slots=True)
class Learned:
    """What one round learned, which the next one starts from.

    Attributes
    ----------
    attributes : dict
        By class and name.
    parameters : dict
        By function and name: what the calls give.
    placed : set
        Parameters that are given values with a place.
    results : dict
        By function and case.
    kept : set
        Functions whose result may be something that others hold too.
    shared : set
        Parameters that a function may keep or change: of others a copy does as well.
    written : set
        Attributes whose arrays are written.
    contents : dict
        What the containers among all these hold.
    depths : dict
        How many loops are around the calls of a function, at most.
    within_kernels : set
        Methods that loops call which become kernels.
    """

    attributes: dict[tuple[str, str], Value] = field(default_factory=dict)
    parameters: dict[Key, Value] = field(default_factory=dict)
    placed: set[Key] = field(default_factory=set)
    results: dict[tuple[int, Case], Value] = field(default_factory=dict)
    kept: set[int] = field(default_factory=set)
    shared: set[Key] = field(default_factory=set)
    written: set[tuple[str, str]] = field(default_factory=set)
    contents: dict[tuple[object, str], Held] = field(default_factory=dict)
    depths: dict[int, int] = field(default_factory=dict)
    within_kernels: set[int] = field(default_factory=set)


def joined(before: Value | None, now: Value | None) -> Value | None:
    """What two rounds claim: where nothing more is learned, that is what both claim.

    A round that reads what it has learned so far, too, takes fewer others after it.
    """
    if before is None or now is None:
        return now if before is None else before
    return join_paths(before, now)


def why_host(why: str) -> str:
    return f"attributes stay NumPy arrays: {why}"


def pin_undecided(graph: Graph, node: Node, value: Value, name: str, at: ast.AST) -> None:
    """What may be an array or something else is nowhere but on the host for certain."""
    either = isinstance(value, Either) and (value.python or value.optional)
    python = isinstance(value, Number) and not value.numpy_scalar
    undecided = isinstance(value, Unknown) or _holds_undecided(value) or either or python
    strange = isinstance(value, Array) and value.dtype is not None and _foreign(value.dtype)
    if undecided or strange:
        graph.pin(
            node,
            Reason(
                "GP905" if strange else "GP901",
                f"unknown type: `{name}` may be an array or something else" if undecided
                else f"`{name}` has a dtype that CuPy has no arrays of",
                at,
                "object-dtype" if strange else "unknown-type",
            ),
        )  # fmt: skip


def _holds_undecided(value: Value) -> bool:
    """Whether what a container holds somewhere may be an array or something else."""
    return any(is_undecided(one) or _holds_undecided(one) for one in parts(value))


def hides(claim: Value, value: Value) -> bool:
    """Whether a claim says nothing of arrays that a value holds: nobody would bring them back."""
    if isinstance(claim, Tuple) and isinstance(value, Tuple):
        return len(claim.items) != len(value.items) or any(map(hides, claim.items, value.items))
    if isinstance(claim, Unknown):
        return claim != EMPTY and on_device_possible(value)
    if isinstance(claim, Mapping) and isinstance(value, Mapping) and None not in (
        claim.fields, value.fields
    ):  # fmt: skip
        told = dict(claim.fields or ())
        return any(hides(told.get(key, UNKNOWN), one) for key, one in value.fields or ())
    inside = elements(claim) if is_container(claim) else None
    return inside is not None and any(hides(inside, one) for one in parts(value))


def _foreign(dtype: str) -> bool:
    import numpy as np

    try:
        return np.dtype(dtype).char not in DEVICE_DTYPES
    except TypeError:
        return True


def literal(node: ast.expr | None) -> Value | None:
    """A literal as a claim; `Unknown` for anything else, None for nothing."""
    if node is None:
        return None
    if isinstance(node, (ast.Constant, ast.UnaryOp, ast.BinOp)):
        return _number(node)
    if isinstance(node, ast.Tuple):
        return Tuple(tuple(literal(e) or UNKNOWN for e in node.elts))
    return UNKNOWN


def default_of(unit: Unit, node: ast.expr | None) -> Value | None:
    """What a default is: a literal, or what holds no arrays and has a name in the module."""
    root = unit.project.root
    if not isinstance(node, ast.Name) or unit.scope.parent is None:
        return literal(node)
    value = unit.project.constant(node.id) if unit.scope.parent.owner(node.id) is root else UNKNOWN
    return UNKNOWN if on_device_possible(value) else lasting(value)


def _number(node: ast.expr) -> Value:
    """What a constant is, or what is computed of constants: ``-5.0 / 2``."""
    if isinstance(node, ast.Constant):
        return Scalar("None" if node.value is None else type(node.value).__name__)
    if isinstance(node, ast.UnaryOp):
        return _number(node.operand)
    if not isinstance(node, ast.BinOp):
        return UNKNOWN
    kinds = [getattr(_number(part), "type", None) for part in (node.left, node.right)]
    ranks = [_KINDS.index(kind) if kind in _KINDS else None for kind in kinds]
    if ranks[0] is None or ranks[1] is None or isinstance(node.op, ast.MatMult):
        return UNKNOWN
    divided = isinstance(node.op, (ast.Div, ast.Pow))  # 2**-1 is no int
    return Scalar(_KINDS[max(ranks[0], ranks[1], divided and 1)])


_KINDS = ("int", "float", "complex")
