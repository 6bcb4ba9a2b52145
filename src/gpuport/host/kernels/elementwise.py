"""``cupy.ElementwiseKernel``."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from gpuport.host.counters import KERNELS
from gpuport.host.kernels import execution, settings, source
from gpuport.host.kernels.binary import Binary, Grid
from gpuport.host.kernels.building import build
from gpuport.host.kernels.parameters import (
    ParameterInfo,
    TypeMap,
    broadcast,
    decide_types,
    is_valid_name,
    output_arrays,
    parse_parameters,
    preprocess,
)
from gpuport.host.kernels.source import Kind
from gpuport.host.kernels.staging import Argument
from gpuport.host.ndarray import ndarray
from gpuport.host.registry import implements


def reduce_dims(
    arrays: list[Any], params: tuple[ParameterInfo, ...], shape: tuple[int, ...]
) -> tuple[list[Any], tuple[int, ...]]:
    """Arrays with neighbouring axes joined where all of them allow it, and the shape so joined.

    As ``_reduce_dims`` of CuPy: what ``_ind.get()`` gives depends on it.
    """
    looped = [k for k, a in enumerate(arrays) if a is not None and not params[k].raw]
    if len(shape) <= 1 or not looped:
        return arrays, shape
    strided = [k for k in looped if not arrays[k].flags.c_contiguous]
    if strided and len(shape) == 2 and len(arrays) > 1:
        return arrays, shape
    axes: list[int] = []
    lengths = list(shape)
    last = -1
    for axis in range(len(shape)):
        if lengths[axis] == 1:
            continue
        if last >= 0:
            if all(
                arrays[k].strides[axis] * lengths[axis] == arrays[k].strides[last] for k in strided
            ):
                lengths[axis] *= lengths[last]
            else:
                axes.append(last)
        last = axis
    if last >= 0:
        axes.append(last)
    if len(axes) == len(shape) and strided:
        return arrays, shape
    reduced = tuple(lengths[axis] for axis in axes)
    result = list(arrays)
    for k in looped:
        steps = tuple(arrays[k].strides[axis] for axis in axes)
        if not strided:
            reduced, steps = (arrays[k].size,), (arrays[k].itemsize,)
        result[k] = np.lib.stride_tricks.as_strided(arrays[k], reduced, steps)
    return result, reduced


def describe(
    params: tuple[ParameterInfo, ...],
    args: list[Any],
    arrays: list[Any],
    types: list[Any],
    fresh: frozenset[int],
) -> tuple[list[Kind], list[Argument]]:
    """What each argument is to the kernel's text, and to a launch of it."""
    kinds, arguments = [], []
    for k, (p, arg, array) in enumerate(zip(params, args, arrays, strict=True)):
        if array is None:
            value = arg.as_type(types[k])
            data = value.tobytes().ljust(16, b"\0")
            words = tuple(int(word) for word in np.frombuffer(data, np.int64))
            kinds.append(Kind(p.name, "scalar", value.dtype, 0, True, p.is_const, p.raw))
            arguments.append(Argument(p.name, None, None, False, False, words))
            continue
        contiguous = bool(array.flags.c_contiguous)
        kinds.append(Kind(p.name, "array", array.dtype, array.ndim, contiguous, p.is_const, p.raw))
        words = (array.__array_interface__["data"][0], *array.shape, *array.strides)
        arguments.append(Argument(p.name, array, arg._a, not p.is_const, k in fresh, words))
    return kinds, arguments


def indexer(name: str, shape: tuple[int, ...]) -> tuple[Kind, Argument]:
    """The parameter that walks over a shape."""
    kind = Kind(name, "indexer", None, len(shape), True, False, True)
    return kind, Argument(name, None, None, False, False, shape)


class CachedCodes:
    """The generated texts, by the types of the arguments, for debugging."""

    _cached_codes: dict[tuple[Any, ...], str]

    @property
    def cached_codes(self) -> dict[tuple[Any, ...], str]:
        """Texts by types of the arguments; the host's, not CuPy's."""
        if not self._cached_codes:
            warnings.warn(
                "No codes are cached because compilation is deferred until "
                "the first function call.",
                stacklevel=2,
            )
        return dict(self._cached_codes)

    @property
    def cached_code(self) -> str:
        """The first of the texts."""
        if len(self._cached_codes) > 1:
            warnings.warn(
                "The input types of the kernel could not be inferred. "
                "Please use `.cached_codes` instead.",
                stacklevel=2,
            )
        return next(iter(self._cached_codes.values()))


@implements("cupy.ElementwiseKernel")
class ElementwiseKernel(CachedCodes):
    """A kernel that runs a text for each index of a loop; see :class:`cupy.ElementwiseKernel`."""

    __module__ = "cupy._core._kernel"

    def __init__(
        self,
        in_params: str,
        out_params: str,
        operation: str,
        name: str = "kernel",
        reduce_dims: bool = True,
        preamble: str = "",
        no_return: bool = False,
        return_tuple: bool = False,
        **kwargs: Any,
    ) -> None:
        if not is_valid_name(name):
            raise ValueError(f'Invalid kernel name: "{name}"')
        self.in_params = parse_parameters(in_params, True)
        self.out_params = parse_parameters(out_params, False)
        self.nin = len(self.in_params)
        self.nout = len(self.out_params)
        self.nargs = self.nin + self.nout
        self.params = self.in_params + self.out_params + parse_parameters("CIndexer _ind", False)
        self.operation = operation
        self.name = self.__name__ = name
        self.reduce_dims = reduce_dims
        self.preamble = preamble
        self.no_return = no_return
        self.return_tuple = return_tuple
        self.kwargs = kwargs
        self._cached_codes = {}
        self._binaries: dict[Any, Binary] = {}
        if "i" in [p.name for p in self.in_params + self.out_params]:
            raise ValueError("Can not use 'i' as a parameter name")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run the kernel.

        Parameters
        ----------
        *args : cupy.ndarray or number
            Inputs, and outputs or none.
        size : int, optional
            Number of indices, where all arrays are raw.
        block_size : int, optional
            Threads of a block; 128 by default.
        stream : cupy.cuda.Stream, optional
            Accepted; work is done when it is asked for.

        Raises
        ------
        TypeError, ValueError
            As CuPy.
        CompileException
            Where the text does not compile.
        KernelFault
            Where the kernel does what a GPU leaves undefined.
        """
        size = kwargs.pop("size", -1)
        kwargs.pop("stream", None)
        block_size = kwargs.pop("block_size", 128)
        if kwargs:
            raise TypeError(f"Wrong arguments {kwargs}")
        if block_size <= 0:
            raise ValueError("block_size must be greater than zero")
        if len(args) not in (self.nin, self.nargs):
            raise TypeError(
                f"Wrong number of arguments for {self.name!r}. It must be either {self.nin} or "
                f"{self.nargs} (with outputs), but given {len(args)}."
            )
        listed = preprocess(args)
        looped, shape = broadcast(listed, self.params, size != -1)
        inputs, given = looped[: self.nin], listed[self.nin :]
        in_types, out_types, types = decide_types(
            self.in_params,
            self.out_params,
            tuple(a.dtype if isinstance(a, ndarray) else None for a in inputs),
            tuple(a.dtype if isinstance(a, ndarray) else None for a in given),
        )
        if size != -1:
            shape = (size,)
        outputs = output_arrays(given, out_types, shape, self.out_params, size != -1)
        result = self._result(outputs)
        if 0 in shape:
            return result
        fresh = frozenset(range(self.nin, self.nargs)) if not given else frozenset()
        self._launch([*inputs, *outputs], in_types + out_types, types, shape, block_size, fresh)
        return result

    def _result(self, outputs: list[ndarray]) -> Any:
        if self.no_return:
            return None
        return outputs[0] if self.nout == 1 and not self.return_tuple else tuple(outputs)

    def _launch(
        self,
        args: list[Any],
        dtypes: list[Any],
        types: TypeMap,
        shape: tuple[int, ...],
        block_size: int,
        fresh: frozenset[int],
    ) -> None:
        arrays = [a._a if isinstance(a, ndarray) else None for a in args]
        if self.reduce_dims:
            arrays, shape = reduce_dims(arrays, self.params, shape)
        kinds, arguments = describe(self.params[:-1], args, arrays, dtypes, fresh)
        kind, argument = indexer("_ind", shape)
        count = int(np.prod(shape))
        grid = Grid((-(-count // block_size), 1, 1), (min(block_size, count), 1, 1))
        binary = self._binary([*kinds, kind], types, settings.strict())
        execution.run(self.name, binary, grid, [*arguments, argument])
        KERNELS[self.name] += 1

    def _binary(self, kinds: list[Kind], types: TypeMap, strict: bool) -> Binary:
        key = (tuple(kinds), types, strict)
        found = self._binaries.get(key)
        if found is not None:
            return found
        extra = dict(self.kwargs)
        options = tuple(extra.pop("options", ()))
        loop_prep, after_loop = extra.pop("loop_prep", ""), extra.pop("after_loop", "")
        if extra:
            unknown = next(iter(extra))
            raise TypeError(
                f"_get_elementwise_kernel() got an unexpected keyword argument '{unknown}'"
            )
        parts = {
            "operation": self.operation, "preamble": self.preamble, "loop_prep": loop_prep,
            "after_loop": after_loop,
        }  # fmt: skip
        text = source.elementwise(kinds, self.params, types, **parts)
        self._cached_codes.setdefault(tuple(k.dtype for k in kinds if k.sort == "array"), text)
        flush = not source.uses_double("\n".join(parts.values()), [k.dtype for k in kinds])
        binary = build(self.name, text, source.ELEMENTWISE_HEADER, parts, options, flush, strict)
        self._binaries[key] = binary
        return binary
