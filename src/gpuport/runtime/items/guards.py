"""What may not be read while a loop runs once for all items."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

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
    """A number to which each item adds: nothing else may be done with it."""

    def __init__(self, trace: Trace, start: Any, terms: tuple[tuple[int, Any], ...] = ()) -> None:
        self.trace = trace
        self.start = start
        self.terms = terms

    def _with(self, value: Any, sign: int) -> Sum:
        made = Sum(self.trace, self.start, (*self.terms, (sign, value)))
        self.trace.sums += 1
        return made

    def __add__(self, value: Any) -> Sum:
        return self._with(value, 1)

    def __sub__(self, value: Any) -> Sum:
        return self._with(value, -1)

    __radd__ = __iadd__ = __add__
    __isub__ = __sub__
    __array_priority__ = 2e6

    def _refused(self, *given: Any) -> Any:
        refuse("what the items add up to is read before the loop ends")

    __bool__ = __float__ = __int__ = __index__ = __len__ = __iter__ = __getitem__ = _refused
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __str__ = __format__ = _refused
    __mul__ = __rmul__ = __rsub__ = __truediv__ = __rtruediv__ = __pow__ = __neg__ = _refused
    __hash__ = _refused

    def __getattr__(self, name: str) -> Any:
        refuse("what the items add up to is read before the loop ends")
