"""Types of the numbers of a region, in one context: NumPy's, and Python's own, which are weak."""

from __future__ import annotations

from gpuport.canonicalise.blocked import Blocked
from gpuport.canonicalise.elements import Elements
from gpuport.facts.contexts import Context
from gpuport.ir.structure import Value
from gpuport.ir.types import UNKNOWN
from gpuport.ir.types import Type as Known
from gpuport.parallel.typing import PYTHON, Type, TypeRefusal, named


class Numbers:
    """What is known of the numbers of a region in a context.

    Parameters
    ----------
    elements : Elements
        Says what each new value is like.
    context : Context
        Says what that is for certain types of arguments.
    """

    def __init__(self, elements: Elements, context: Context) -> None:
        self.elements, self.context = elements, context

    def of(self, value: Value) -> Type:
        """The type of a number.

        Raises
        ------
        Blocked
            Where nothing tells it, or where it is either of two that compute differently.
        """
        like = self.elements.like.get(value, value)
        if isinstance(like, str):  # made by a rewrite: a Python number
            return next(t for t in PYTHON.values() if t.dtype == like)
        found = self.context.types.get(like, UNKNOWN)
        try:
            return _number(found, like.name)
        except TypeRefusal as refusal:
            raise Blocked(str(refusal)) from None

    def known(self, value: Value) -> Known:
        """All that is known of a value of the program."""
        return self.context.types.get(value, UNKNOWN)


def _number(found: Known, name: str) -> Type:
    if found.kind == "numeric":
        members = {_number(item, name) for item in found.items or ()}
        strong = {t for t in members if not t.weak}
        if len(strong) == 1 and all(_takes(t, *strong) for t in members if t.weak):
            return strong.pop()  # the weak ones are what it begins with, and take its type
        if not strong and len(members) > 1:
            return PYTHON[_widest(members)]
        raise Blocked(f"`{name}` is a number of several types")
    if found.dtype is None:
        raise Blocked(f"nothing tells the dtype of `{name}`")
    return named(found.dtype) if found.kind == "number" else Type(found.dtype)


def _takes(weak: Type, strong: Type) -> bool:
    """Whether a Python number becomes one of NumPy's type without another value."""
    order = "biufc"
    return order.index(weak.kind) <= order.index(strong.kind)


def _widest(members: set[Type]) -> str:
    order = ["bool", "int64", "float64", "complex128"]
    widest = max(members, key=lambda t: order.index(t.dtype))
    return next(name for name, t in PYTHON.items() if t == widest)
