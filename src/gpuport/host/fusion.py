"""``cupy.fuse``: one launch a call, for what CuPy can fuse; the rest is refused as there.

CuPy traces the function once for the types of its arguments and makes one kernel of what it did:
first as one map, reduce and map; where that fails, with a more general tracer whose errors the
caller sees. Here the function runs at each call, on copies of its arguments that allow what the
tracers allow, and all of it is counted as one launch (``_core/fusion.pyx``, ``_fusion_trace.pyx``).
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from threading import get_ident
from typing import Any

import numpy as np

from gpuport.host.array.base import Array, wrap
from gpuport.host.counters import MEMORY, as_one
from gpuport.host.fusionvariables import ArrayVariable, ScalarVariable, Variable
from gpuport.host.kernels.errors import CompileException
from gpuport.host.kernels.parameters import is_valid_name
from gpuport.host.registry import implements
from gpuport.host.tracing import REDUCTIONS, TRACES, current

_ARGUMENTS = (Array, np.ndarray, np.generic, int, float, complex, bool, type(None))
_NUMBERS = (int, float, complex, bool, np.generic)


class Unsupported(NotImplementedError):
    """What CuPy fuses, and the host backend does not run."""


class Trace:
    """One run of a fused function.

    Parameters
    ----------
    general : bool
        Whether it is CuPy's second, more general tracer.
    args : tuple
        Arguments of the call.
    """

    def __init__(self, general: bool, args: tuple[Any, ...]) -> None:
        self.general = general
        self.reduced = False
        self.written: set[int] = set()
        arrays = [arg for arg in args if isinstance(arg, Array)]
        self.shape = () if general else np.broadcast_shapes(*(a.shape for a in arrays))
        self.copies: dict[int, tuple[Any, Any]] = {}
        for array in arrays:
            if id(array) not in self.copies:
                self.copies[id(array)] = (array, wrap(array._a.copy()))
        self.inputs = [self._input(arg) for arg in args]

    def _input(self, arg: Any) -> Any:
        if arg is None:
            return None
        return self.variable(self.copies[id(arg)][1] if isinstance(arg, Array) else arg)

    def variable(self, value: Any) -> Variable:
        """What the function sees of `value`."""
        array = isinstance(value, Array)
        if not self.general and self.reduced and array and value.ndim == 0:
            array = False
        return (ArrayVariable if array else ScalarVariable)(self, value, self.reduced)

    def value(self, operand: Any) -> Any:
        """What a variable or a number stands for."""
        if isinstance(operand, Variable):
            if not self.general and operand.reduced != self.reduced:
                raise TypeError("Shape mismatch")
            return operand.value
        if isinstance(operand, _NUMBERS):
            return operand
        if isinstance(operand, (np.ndarray, Array)):
            raise TypeError("Concrete ndarray is not supported in fusion.")
        raise TypeError(f"{type(operand)} type is not supported")

    def ufunc(self, ufunc: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Call a ufunc on variables."""
        given = dict(kwargs)
        out, dtype = given.pop("out", None), given.pop("dtype", None)
        if given or (dtype is not None and not self.general):
            raise TypeError(f"Wrong arguments {given or kwargs}")
        outs = args[ufunc.nin :]
        if out is not None:
            if outs:
                raise ValueError("cannot specify 'out' as both a positional and keyword argument")
            outs = (out,)
        if len(args) < ufunc.nin or len(outs) > ufunc.nout:
            raise ValueError("Invalid number of arguments")
        if not all(isinstance(target, ArrayVariable) for target in outs if target is not None):
            raise TypeError("Return arrays must be of ArrayType")
        values = [self.value(arg) for arg in args[: ufunc.nin]]
        targets = [None if target is None else self.value(target) for target in outs]
        self._write(targets)
        results = self._outside(ufunc, values, targets, dtype)
        made = results if isinstance(results, tuple) else (results,)
        shown = tuple(
            outs[i] if i < len(outs) and outs[i] is not None else self.variable(part)
            for i, part in enumerate(made)
        )
        return shown if isinstance(results, tuple) else shown[0]

    def _outside(self, function: Any, values: Any, targets: Any, dtype: Any) -> Any:
        keywords: dict[str, Any] = {} if dtype is None else {"dtype": dtype}
        if targets:
            keywords["out"] = tuple(targets) if len(targets) > 1 else targets[0]
        return self.plain(function, *values, **keywords)

    def plain(self, function: Any, *args: Any, **kwargs: Any) -> Any:
        """Call a function as if nothing was fused."""
        del TRACES[get_ident()]
        try:
            return function(*args, **kwargs)
        finally:
            TRACES[get_ident()] = self

    def _write(self, targets: Any) -> None:
        for target in targets:
            if target is not None:
                self.written.add(id(target.base if target.base is not None else target))

    def function(self, name: str, own: Any, args: tuple[Any, ...], kwargs: Any) -> Any:
        """Call one of the functions that can be fused."""
        if name in REDUCTIONS:
            return self._reduction(name, own, *args, **kwargs)
        if name in _FUSED_OTHERWISE:
            return _FUSED_OTHERWISE[name](self, own, *args, **kwargs)
        if kwargs.get("out") is not None:
            raise Unsupported(f"the host backend has no out= of cupy.{name} in fusion")
        given = {k: self._shown(x) for k, x in kwargs.items()}
        return self.variable(self.plain(own, *map(self._shown, args), **given))

    def _shown(self, operand: Any) -> Any:
        """What a function is given for an argument."""
        return operand if operand is None else self.value(operand)

    def _array(self, operand: Any) -> Any:
        """The same for a function that is given arrays alone."""
        value = self._shown(operand)
        return value if isinstance(value, Array) else wrap(np.asarray(value))

    def _copyto(
        self, own: Any, dst: Any, src: Any, casting: Any = "same_kind", where: Any = None
    ) -> None:
        self.assign(dst, src, where)

    def _copy(self, own: Any, a: Any, order: Any = "K") -> Any:
        if order != "K":
            raise NotImplementedError("cupy.copy does not support `order` in fusion yet.")
        return self.variable(self.plain(own, self._array(a)))

    def _where(self, own: Any, condition: Any, *branches: Any) -> Any:
        chosen = wrap(self._array(condition)._a.astype(bool))
        return self.variable(self.plain(own, chosen, *map(self._array, branches)))

    def assign(self, target: Any, value: Any, where: Any = None) -> None:
        """Overwrite a variable."""
        self._write([self.value(target)])
        source = self.value(value)
        source = source._a if isinstance(source, Array) else source
        mask: Any = True if where is None else self.value(where)
        np.copyto(
            target.value._a, source, "same_kind", mask._a if isinstance(mask, Array) else mask
        )

    def _reduction(
        self, name: str, own: Any, a: Any, axis: Any = None, dtype: Any = None, out: Any = None,
        keepdims: bool = False,
    ) -> Any:  # fmt: skip
        if keepdims:
            real = {"max": "amax", "min": "amin"}.get(name, name)
            raise NotImplementedError(f"cupy.{real} does not support `keepdims` in fusion yet.")
        if out is not None or (dtype is not None and not self.general):
            raise Unsupported(f"the host backend has no out= or dtype= of cupy.{name} in fusion")
        value = self.value(a)
        if not isinstance(value, Array):
            raise NotImplementedError("Reduction for scalar arguments is not supported.")
        if not self.general:
            if self.reduced:
                raise NotImplementedError("Multiple reduction is not implemented yet")
            value = wrap(np.broadcast_to(value._a, self.shape))
            self.reduced = True
        given = {} if dtype is None else {"dtype": dtype}
        return self.variable(self.plain(own, value, axis=axis, **given))

    def outputs(self, returned: Any) -> Any:
        """Device arrays of what the function returned."""
        if returned is None:
            return None
        several = isinstance(returned, tuple)
        parts = returned if several else (returned,)
        wanted = ArrayVariable if self.general else Variable
        if several and self.general and not all(isinstance(part, wanted) for part in parts):
            raise ValueError(
                "The all elements of return value of fused function must be of _ArrayProxy type."
            )
        if not several and not isinstance(returned, wanted):
            raise ValueError(
                "The return value of fused functions must be `None`, ndarray or a tuple of ndarays."
            )
        made = tuple(self._output(part) for part in parts)
        return made if several else made[0]

    def _output(self, part: Any) -> Any:
        value = self.value(part)
        values = value._a if isinstance(value, Array) else np.asarray(value)
        if not self.general and not self.reduced:
            values = np.broadcast_to(values, self.shape)
        return wrap(np.array(values, order="C"))

    def finish(self) -> None:
        """Write what the function wrote into the caller's arrays."""
        for array, copied in self.copies.values():
            if id(copied) in self.written:
                if any(
                    other is not array and np.shares_memory(other._a, array._a)
                    for other, _ in self.copies.values()
                ):
                    raise Unsupported("the host backend fuses no writes to overlapping arrays")
                array._a[...] = copied._a


_FUSED_OTHERWISE: dict[str, Callable[..., Any]] = {
    "copy": Trace._copy,
    "copyto": Trace._copyto,
    "where": Trace._where,
}
"""Functions that take or give something else in a fused function."""


class Fusion:
    """A fused function; see :func:`cupy.fuse`."""

    __module__ = "cupy._core.fusion"

    def __init__(self, func: Any, name: str | None = None) -> None:
        self.func = func
        self.name = name or func.__name__
        self.new_fusion: Any = None

    def __repr__(self) -> str:
        return f"<Fusion '{self.name}'>"

    def __call__(self, *args: Any) -> Any:
        """Run the function as one kernel, where an argument is a device array.

        Raises
        ------
        TypeError
            For arguments that are no arrays, numbers or None, and for conversions inside.
        ValueError, NotImplementedError
            For what CuPy does not fuse.
        """
        if TRACES and current():
            return self.func(*args)
        if not any(isinstance(arg, Array) for arg in args):
            return self.func(*args)
        if not all(isinstance(arg, _ARGUMENTS) for arg in args):
            kinds = ", ".join(repr(type(arg)) for arg in args)
            raise TypeError(f"Invalid argument type for '{self.name}': ({kinds})")
        with as_one(self.name):
            result = self._traced(args)
        MEMORY.allocations += len(result) if isinstance(result, tuple) else result is not None
        return result

    def _traced(self, args: tuple[Any, ...]) -> Any:
        if self.new_fusion is None:
            try:
                return self._run(False, args)
            except Unsupported:
                raise
            except Exception:  # whatever it is, CuPy tries its other tracer
                self.new_fusion = self.func
        return self._run(True, args)

    def _run(self, general: bool, args: tuple[Any, ...]) -> Any:
        trace = Trace(general, args)
        TRACES[get_ident()] = trace
        try:
            result = trace.outputs(self.func(*trace.inputs))
            if not is_valid_name(self.name):
                raise _unnamed(self.name, general)
        finally:
            TRACES.pop(get_ident(), None)
        trace.finish()
        return result

    def clear_cache(self) -> None:
        """Nothing is kept between calls."""


def _unnamed(name: str, general: bool) -> Exception:
    """What comes of a kernel called ``<lambda>``: one tracer looks at the name, NVRTC at the other.

    Source: CuPy 14.2.0 on a GPU, where the former's error leads to the latter.
    """
    if not general:
        return ValueError(f'Invalid kernel name: "{name}"')
    return CompileException(f"{name}: error: expected an identifier", "", name, ())


@implements("cupy.fuse")
def fuse(*args: Any, **kwargs: Any) -> Any:
    """Make one kernel of a function; ``@fuse`` or ``@fuse(kernel_name=...)``."""

    def decorated(function: Any, kernel_name: str | None = None) -> Any:
        return functools.update_wrapper(Fusion(function, kernel_name), function)

    if len(args) == 1 and not kwargs and callable(args[0]):
        return decorated(args[0])
    return lambda function: decorated(function, *args, **kwargs)
