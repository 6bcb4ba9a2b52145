"""What an expression gives and what is done with it: the records of an interpretation."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from gpuport._frozen import frozen
from gpuport.analysis.placement.graph import Node, Reason
from gpuport.analysis.project.failures import Answer
from gpuport.analysis.values.lattice import UNKNOWN, Sequence, Tuple, Value


@dataclass(slots=True)  # frozen ones take three times as long to make
class Flow:
    """The result of an expression: what it is, and which node it comes from.

    Attributes
    ----------
    value : Value
    origin : Node or None
        The operation or storage group; None for plain Python values.
    view : bool
        Whether it may be a part or another shape of the origin's memory, not the object itself.
    fresh : bool
        Whether it is the new result of an operation that nothing else refers to.
    element : bool
        Whether it is a single element of an array in a loop, or computed from such alone.
    ordered : bool
        Whether its elements lie in C order without gaps, in NumPy and in CuPy.
    memory : frozenset of Node or None
        The groups of which one owns its memory; None where that may be any with the origin's place.
    """

    value: Value
    origin: Node | None = None
    view: bool = False
    fresh: bool = False
    element: bool = False
    ordered: bool = False
    memory: frozenset[Node] | None = None


@frozen
class Operation:
    """A piece of array work: a call of NumPy, an operator, a store.

    ``path`` is the resolved NumPy name of a call, ``numpy.ndarray.<m>`` for a method, None for
    operators. ``function`` is the expression to be renamed where the operation is on the device.
    ``one_element``: a store of a single number, which is launched and gains nothing. ``little``: it
    is done on so few elements that it gains nothing.
    """

    node: ast.AST
    graph_node: Node
    path: str | None = None
    function: ast.expr | None = None
    target: str | None = None
    only_numbers: bool = False
    creates: bool = False
    one_element: bool = False
    little: bool = False


@frozen
class Rewrite:
    """A change other than a rename that is made when ``graph_node`` is on the device.

    ``kind`` is ``rebind`` (``x += e`` on a number), ``copy`` (a kept scalar element), ``shared``
    (one that is none where its array is changed: a mark, nothing is written), ``joined`` (a list
    of arrays that becomes one), ``elements`` or ``displayed`` (numbers of the device and of
    Python's in one array), ``int`` (an integer of NumPy's that has to be one of Python's),
    ``instead`` (an operation for which the function ``name`` stands), ``stored`` (likewise
    ``x[places] = e`` or ``+=``), ``masked`` (the function of a call with ``where``, of the ufunc
    ``name``) or ``named`` (the name of an item of a tuple, which is at the place ``name``).
    """

    kind: str
    node: ast.AST
    graph_node: Node
    name: str = ""


class Refused(Answer):
    """The unit as a whole stays on the host."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.message)
        self.reason = reason


def tuple_item(value: Value, index: int) -> Value:
    """Value at a position of a tuple or sequence."""
    if isinstance(value, Tuple) and -len(value.items) <= index < len(value.items):
        return value.items[index]
    if isinstance(value, Sequence):
        return value.of
    return UNKNOWN


def place_of(value: Value, index: int) -> str | None:
    """The place of an item in a tuple by which it is told apart, as a key."""
    if isinstance(value, Tuple) and -len(value.items) <= index < len(value.items):
        return str(index % len(value.items))
    return None


__all__ = ["Flow", "Operation", "Refused", "Rewrite", "place_of", "tuple_item"]
