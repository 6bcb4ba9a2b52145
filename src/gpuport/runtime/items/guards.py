"""What may not be read while a loop runs once for all items."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gpuport.runtime.items.signals import refuse

if TYPE_CHECKING:
    from gpuport.runtime.items.trace import Trace


class Forbidden:
    """What may have effects, or answers that differ from item to item: it is asked nothing."""

    def __init__(self, name: str) -> None:
        object.__setattr__(self, "_gp", name)

    def _refused(self, *given: Any, **named: Any) -> Any:
        refuse(f"`{object.__getattribute__(self, '_gp')}`")

    __call__ = __getitem__ = __setitem__ = __iter__ = __len__ = __bool__ = _refused
    __enter__ = __exit__ = __eq__ = __ne__ = __str__ = __repr__ = __format__ = _refused
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __contains__ = _refused
    __lt__ = __le__ = __gt__ = __ge__ = __hash__ = _refused

    def __getattr__(self, name: str) -> Any:
        refuse(f"`{object.__getattribute__(self, '_gp')}.{name}`")

    def __setattr__(self, name: str, value: Any) -> None:
        refuse(f"`{object.__getattribute__(self, '_gp')}.{name}` is bound")


class Sum:
    """A number to which each item adds, or of which the least is kept: nothing else may be done.

    Attributes
    ----------
    start : number
    terms : tuple of (str, object)
        What has been done so far: ``add``, ``subtract``, the builtins ``min`` and ``max`` with it
        as their first argument, or ``minimum`` and ``maximum`` of NumPy's; and with what.
    """

    def __init__(self, trace: Trace, start: Any, terms: tuple[tuple[str, Any], ...] = ()) -> None:
        self.trace = trace
        self.start = start
        self.terms = terms

    def joined(self, way: str, value: Any) -> Sum:
        """It, after one more step."""
        ways = {one for one, _ in self.terms} | {way}
        if len(ways) > 1 and not ways <= {"add", "subtract"}:
            refuse("what the items add up to is compared as well")
        made = Sum(self.trace, self.start, (*self.terms, (way, value)))
        self.trace.sums += 1
        return made

    def __add__(self, value: Any) -> Sum:
        return self.joined("add", value)

    def __sub__(self, value: Any) -> Sum:
        return self.joined("subtract", value)

    __radd__ = __add__

    def __iadd__(self, value: Any) -> Sum:
        return self._changed(value, "add")

    def __isub__(self, value: Any) -> Sum:
        return self._changed(value, "subtract")

    def _changed(self, value: Any, way: str) -> Sum:
        """``total += value``: an array is changed in place."""
        if isinstance(self.start, np.generic) or not hasattr(self.start, "shape"):
            return self.joined(way, value)
        self.trace.operate_in_place(way, self.trace.outer(self.start), value)
        return self

    is_asked_first = True

    def _refused(self, *given: Any) -> Any:
        refuse("what the items add up to is read before the loop ends")

    __bool__ = __float__ = __int__ = __index__ = __len__ = __iter__ = __getitem__ = _refused
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __str__ = __format__ = _refused
    __mul__ = __rmul__ = __rsub__ = __truediv__ = __rtruediv__ = __pow__ = __neg__ = _refused
    __hash__ = _refused

    def __getattr__(self, name: str) -> Any:
        refuse("what the items add up to is read before the loop ends")
