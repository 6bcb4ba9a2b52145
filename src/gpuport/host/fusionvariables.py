"""What a fused function sees in the place of its arguments: CuPy's proxies, with their limits."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpuport.host.array.base import FUNCTIONS, Array, wrap
from gpuport.host.dtypes import cast, check_dtype

_GENERAL = frozenset({"sum", "prod", "max", "min", "all", "any", "ndim", "shape"})


def _operator(name: str) -> tuple[Any, Any, Any]:
    def forward(self: Any, other: Any) -> Any:
        return FUNCTIONS[name](self, other)

    def reflected(self: Any, other: Any) -> Any:
        return FUNCTIONS[name](other, self)

    def in_place(self: Any, other: Any) -> Any:
        return FUNCTIONS[name](self, other, self)

    return forward, reflected, in_place


class Variable:
    """An array or a number inside a fused function."""

    __slots__ = ("reduced", "trace", "value")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, trace: Any, value: Any, reduced: bool) -> None:
        self.trace, self.value, self.reduced = trace, value, reduced

    __add__, __radd__, _ = _operator("add")
    __sub__, __rsub__, _ = _operator("subtract")
    __mul__, __rmul__, _ = _operator("multiply")
    __truediv__, __rtruediv__, _ = _operator("true_divide")
    __floordiv__, __rfloordiv__, _ = _operator("floor_divide")
    __mod__, __rmod__, _ = _operator("remainder")
    __pow__, _, _ = _operator("power")
    __lshift__, __rlshift__, _ = _operator("left_shift")
    __rshift__, __rrshift__, _ = _operator("right_shift")
    __and__, __rand__, _ = _operator("bitwise_and")
    __or__, __ror__, _ = _operator("bitwise_or")
    __xor__, __rxor__, _ = _operator("bitwise_xor")
    __lt__, _, _ = _operator("less")
    __le__, _, _ = _operator("less_equal")
    __gt__, _, _ = _operator("greater")
    __ge__, _, _ = _operator("greater_equal")
    __eq__, _, _ = _operator("equal")
    __ne__, _, _ = _operator("not_equal")
    del _

    def __neg__(self) -> Any:
        return FUNCTIONS["negative"](self)

    def __invert__(self) -> Any:
        return FUNCTIONS["invert"](self)

    def _refuse(self) -> Any:
        raise TypeError("Cannot convert to Python scalar in cupy.fuse")

    __bool__ = __int__ = __float__ = __complex__ = _refuse

    @property
    def dtype(self) -> Any:
        """Element type."""
        return self.value.dtype if hasattr(self.value, "dtype") else np.dtype(type(self.value))

    def __getattr__(self, name: str) -> Any:
        if name not in _GENERAL or not self.trace.general:
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        if name == "shape":
            raise NotImplementedError("`shape` is not supported, currently.")
        if name == "ndim":
            return np.ndim(self.value._a if isinstance(self.value, Array) else self.value)

        def method(axis: Any = None, **kwargs: Any) -> Any:
            return FUNCTIONS[name](self, axis=axis, **kwargs)

        return method

    def copy(self) -> Any:
        """A copy."""
        return FUNCTIONS["copy"](self)

    def astype(
        self, dtype: Any, order: Any = None, casting: Any = None, subok: Any = None,
        copy: bool = True,
    ) -> Any:  # fmt: skip
        """Cast to `dtype`."""
        target = check_dtype(dtype)
        for name, value in (("order", order), ("casting", casting), ("subok", subok)):
            if value is not None:
                raise TypeError(f"{name} is not supported yet")
        if not copy and self.dtype == target:
            return self
        value = self.trace.value(self)
        values = value._a if isinstance(value, Array) else np.asarray(value)
        return self.trace.variable(wrap(np.asarray(cast(values, target))))


class ScalarVariable(Variable):
    """A number."""

    __slots__ = ()


class ArrayVariable(Variable):
    """An array."""

    __slots__ = ()

    _, _, __iadd__ = _operator("add")
    _, _, __isub__ = _operator("subtract")
    _, _, __imul__ = _operator("multiply")
    _, _, __itruediv__ = _operator("true_divide")
    _, _, __ifloordiv__ = _operator("floor_divide")
    _, _, __imod__ = _operator("remainder")
    _, _, __ipow__ = _operator("power")
    _, _, __ilshift__ = _operator("left_shift")
    _, _, __irshift__ = _operator("right_shift")
    _, _, __iand__ = _operator("bitwise_and")
    _, _, __ior__ = _operator("bitwise_or")
    _, _, __ixor__ = _operator("bitwise_xor")
    del _

    def __getitem__(self, key: Any) -> Any:
        if not self.trace.general:
            raise TypeError(f"'{type(self).__name__}' object is not subscriptable")
        for part in key if isinstance(key, tuple) else (key,):
            if isinstance(part, slice):
                if (
                    part.start is not None
                    or part.stop is not None
                    or part.step not in (1, -1, None)
                ):
                    raise NotImplementedError(
                        "Only full range ``x[::]`` or reverse ``x[::-1]`` is supported for basic "
                        "slicing in CuPy fusion."
                    )
            elif not (isinstance(part, int) or part is None or part is Ellipsis):
                raise IndexError(
                    "Indices must be integers, slices, ellipsis, None or integer or boolean arrays."
                )
        return self.trace.variable(self.trace.plain(lambda: self.value[key]))

    def __setitem__(self, key: Any, value: Any) -> None:
        if key is not Ellipsis and not (isinstance(key, slice) and key == slice(None)):
            raise ValueError("The fusion supports `[...]` or `[:]`.")
        self.trace.assign(self, value)


for _kind, _name in ((Variable, "_VariableProxy"), (ScalarVariable, "_ScalarProxy")):
    _kind.__name__ = _kind.__qualname__ = _name
ArrayVariable.__name__ = ArrayVariable.__qualname__ = "_ArrayProxy"
for _kind in (Variable, ScalarVariable, ArrayVariable):
    _kind.__module__ = "cupy._core._fusion_interface"  # as CuPy's messages show it
