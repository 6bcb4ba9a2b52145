"""The value that an expression of a loop has in each iteration, for all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from gpuport.runtime.items.signals import refuse

if TYPE_CHECKING:
    from gpuport.runtime.items.trace import Trace

WEAK_DTYPES = {"bool": np.dtype("?"), "int": np.dtype("q"), "float": np.dtype("d")}
"""Python's numbers, by the dtype in which the numbers of all items are kept."""


class Operand:
    """What takes part in arithmetic: an `Item`, or an array from outside of the loop."""

    __array_priority__ = 1e6
    __slots__ = ()
    trace: Trace
    stacked: bool

    def __array_ufunc__(self, ufunc: Any, method: str, *given: Any, **options: Any) -> Any:
        if method != "__call__":
            refuse(f"`{ufunc.__name__}.{method}`")
        return self.trace.call(f"numpy.{ufunc.__name__}", *given, **options)

    def __array_function__(self, function: Any, types: Any, given: Any, options: Any) -> Any:
        return self.trace.call(f"{function.__module__}.{function.__name__}", *given, **options)

    def __array__(self, *given: Any, **options: Any) -> Any:
        refuse("a library asks for NumPy's array")

    def __iter__(self) -> Iterator[Any]:
        return iter([self[k] for k in range(len(self))])  # type: ignore[index]

    def __hash__(self) -> int:
        return self.trace.hash_of(self)

    def __getattr__(self, name: str) -> Any:
        return self.trace.attribute(self, name)

    def __divmod__(self, other: Any) -> Any:
        return self // other, self % other

    def __rdivmod__(self, other: Any) -> Any:
        return other // self, other % self

    def __matmul__(self, other: Any) -> Any:
        return self.trace.call("numpy.matmul", self, other)

    def __rmatmul__(self, other: Any) -> Any:
        return self.trace.call("numpy.matmul", other, self)


class Item(Operand):
    """A value of an iteration, for all iterations.

    Attributes
    ----------
    trace : Trace
    stacked : bool
        Whether it differs from item to item: then the first axis of the data is theirs.
    weak : str
        ``int``, ``float`` or ``bool`` where it is one of Python's numbers; else empty.
    known : numpy.ndarray or None
        The data where the host has them.
    origin : object or None
        What of an array from outside it is: a change in place is one of that array.
    frozen : str
        Why it cannot be changed in place; else empty.
    mixed : bool
        Whether it is one of Python's numbers for some items, as ``max(0.0, x)`` is.
    viewed : bool
        Whether something else shares its memory.
    kept : bool
        Whether an effect is to store its data as they are now.
    base : Item or None
        What it is a view of.
    on_host : bool
        Whether the program has NumPy's array, or number, here.
    """

    __slots__ = (
        "_data", "base", "frozen", "kept", "known", "mixed", "on_host", "origin", "stacked",
        "trace", "viewed", "weak",
    )  # fmt: skip

    def __init__(
        self,
        trace: Trace,
        data: Any = None,
        *,
        stacked: bool = True,
        weak: str = "",
        known: Any = None,
        origin: Any = None,
        frozen: str = "",
        on_host: bool = False,
    ) -> None:
        self.trace = trace
        self._data = data
        self.stacked = stacked
        self.weak = weak
        self.known = known
        self.origin = origin
        self.frozen = frozen
        self.mixed = False
        self.viewed = False
        self.kept = False
        self.base: Item | None = None
        self.on_host = on_host
        if trace.entered < trace.axes or not trace.places.size:
            trace.made.append(self)

    @property
    def data(self) -> Any:
        """All items' values on the device."""
        if self._data is None:
            self._data = self.trace.cupy.asarray(self.known)
        return self._data

    @data.setter
    def data(self, value: Any) -> None:
        self._data, self.known = value, None

    @property
    def whole_shape(self) -> tuple[int, ...]:
        """The shape with that of the items."""
        shape: tuple[int, ...] = (self._data if self.known is None else self.known).shape
        return shape

    @property
    def shape(self) -> tuple[int, ...]:
        return self.whole_shape[1:] if self.stacked else self.whole_shape

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return int(np.prod(self.shape))

    @property
    def dtype(self) -> Any:
        return (self._data if self.known is None else self.known).dtype

    def numbers(self) -> Any:
        """The data on the host: of each item its number."""
        if self.known is None:
            self.known = self.trace.cupy.asnumpy(self._data)
        return self.known if self.stacked else np.broadcast_to(self.known, self.trace.count)

    def __len__(self) -> int:
        if not self.ndim:
            raise TypeError("len() of unsized object")
        return self.shape[0]

    def __bool__(self) -> bool:
        if self.size != 1:
            raise ValueError("The truth value of an array with more than one element is ambiguous")
        truth = self.numbers().reshape(-1).astype(bool)
        return bool(self.trace.uniform(truth))

    def __index__(self) -> int:
        if self.ndim or self.dtype.kind not in "iu":
            raise TypeError("only whole numbers can be an index")
        return int(self.trace.uniform(self.numbers()))

    def __getitem__(self, index: Any) -> Any:
        return self.trace.read(self, index)

    def __setitem__(self, index: Any, value: Any) -> None:
        self.trace.change(self, index, value)

    def __float__(self) -> float:
        refuse("a number of each item is handed to a function of the host")

    def __int__(self) -> int:
        refuse("a number of each item is handed to a function of the host")

    def __complex__(self) -> complex:
        refuse("a number of each item is handed to a function of the host")

    def __format__(self, spec: str) -> str:
        refuse("the text of a number of each item")

    def __str__(self) -> str:
        refuse("the text of a number of each item")

    __repr__ = __str__


def is_stack(value: Any) -> bool:
    """Whether something is an array or number that differs from item to item."""
    return isinstance(value, Operand) and value.stacked


def _binary(ufunc: str, *, reflected: bool = False) -> Callable[[Any, Any], Any]:
    def method(self: Any, other: Any) -> Any:
        if _is_foreign(other):
            return NotImplemented
        first, second = (other, self) if reflected else (self, other)
        return self.trace.operate(ufunc, first, second)

    return method


def _is_foreign(other: Any) -> bool:
    return (
        getattr(type(other), "is_asked_first", False)
        or isinstance(other, (str, bytes, dict, set))
        or other is None
    )


def _unary(ufunc: str) -> Callable[[Any], Any]:
    return lambda self: self.trace.operate(ufunc, self)


def _in_place(ufunc: str) -> Callable[[Any, Any], Any]:
    return lambda self, other: self.trace.operate_in_place(ufunc, self, other)


_BINARY = {
    "add": "add", "sub": "subtract", "mul": "multiply", "truediv": "divide",
    "floordiv": "floor_divide", "mod": "remainder", "pow": "power", "and": "bitwise_and",
    "or": "bitwise_or", "xor": "bitwise_xor", "lshift": "left_shift", "rshift": "right_shift",
}  # fmt: skip
_COMPARED = {
    "lt": "less", "le": "less_equal", "gt": "greater", "ge": "greater_equal", "eq": "equal",
    "ne": "not_equal",
}  # fmt: skip
_UNARY = {"neg": "negative", "pos": "positive", "abs": "absolute", "invert": "invert"}

for _name, _ufunc in _BINARY.items():
    setattr(Operand, f"__{_name}__", _binary(_ufunc))
    setattr(Operand, f"__r{_name}__", _binary(_ufunc, reflected=True))
    setattr(Operand, f"__i{_name}__", _in_place(_ufunc))
for _name, _ufunc in _COMPARED.items():
    setattr(Operand, f"__{_name}__", _binary(_ufunc))
for _name, _ufunc in _UNARY.items():
    setattr(Operand, f"__{_name}__", _unary(_ufunc))
setattr(Operand, "__imatmul__", _in_place("matmul"))  # noqa: B010
