"""``cupy.ReductionKernel``: CuPy's own reduction, block by block."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpuport.host.counters import KERNELS
from gpuport.host.kernels import execution, source
from gpuport.host.kernels.binary import Grid
from gpuport.host.kernels.building import Source
from gpuport.host.kernels.generated import GeneratedKernel
from gpuport.host.kernels.generated_arguments import describe, indexer, reduce_dims
from gpuport.host.kernels.parameters import (
    ParameterInfo,
    Scalar,
    TypeMap,
    broadcast,
    output_arrays,
    parse_parameters,
    preprocess,
)
from gpuport.host.kernels.source import Kind
from gpuport.host.ndarray import ndarray
from gpuport.host.registry import implements

_BLOCK_SIZE = 512


def split_axes(axis: Any, ndim: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Axes that are reduced, and the others.

    Raises
    ------
    numpy.exceptions.AxisError
        For an axis that the arrays do not have.
    ValueError
        For one named twice.
    """
    if axis is None:
        return tuple(range(ndim)), ()
    listed = tuple(axis) if isinstance(axis, (tuple, list)) else (axis,)
    reduced = tuple(sorted(np.lib.array_utils.normalize_axis_index(a, ndim) for a in listed))
    kept = tuple(a for a in range(ndim) if a not in reduced)
    if len(reduced) + len(kept) != ndim:
        raise ValueError("duplicate value in 'axis'")
    return reduced, kept


def block_stride(
    arrays: list[Any],
    params: tuple[ParameterInfo, ...],
    in_shape: tuple[int, ...],
    out_shape: tuple[int, ...],
) -> int:
    """Results that one block makes; ``_get_block_specs`` of CuPy."""
    contiguous = 1
    for p, array in zip(params, arrays, strict=False):
        if array is None or p.raw:
            continue
        found = 1
        for j in range(len(out_shape)):
            if array.strides[len(in_shape) - j - 1] != found * array.itemsize:
                break
            found *= out_shape[len(out_shape) - j - 1]
        contiguous = max(contiguous, found)
    per_result = max(1, int(np.prod(in_shape)) // int(np.prod(out_shape)))
    wanted = max(min(contiguous, 32), _BLOCK_SIZE // per_result)
    return 1 << (wanted // 2).bit_length()


@implements("cupy.ReductionKernel")
class ReductionKernel(GeneratedKernel):
    """A kernel that maps, reduces and maps again; see :class:`cupy.ReductionKernel`."""

    __module__ = "cupy._core._reduction"

    def __init__(
        self,
        in_params: str,
        out_params: str,
        map_expr: str,
        reduce_expr: str,
        post_map_expr: str,
        identity: Any,
        name: str = "reduce_kernel",
        reduce_type: str | None = None,
        reduce_dims: bool = True,
        preamble: str = "",
        options: tuple[str, ...] = (),
    ) -> None:
        super().__init__(in_params, out_params, name, reduce_dims, preamble)
        self.params = (
            self.in_params
            + self.out_params
            + parse_parameters("CIndexer _in_ind, CIndexer _out_ind", False)
            + parse_parameters("int32 _block_stride", True)
        )
        self.identity = "" if identity is None else str(identity)
        self.map_expr = map_expr
        self.reduce_expr = reduce_expr
        self.post_map_expr = post_map_expr
        self.reduce_type = self.out_params[0].ctype if reduce_type is None else reduce_type
        self.options = options

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run the kernel.

        Parameters
        ----------
        *args : cupy.ndarray or number
            Inputs, and outputs or none.
        out : cupy.ndarray, optional
            The output.
        axis : int or tuple of int, optional
            Axes to reduce; all by default.
        keepdims : bool, optional
            Whether reduced axes stay, with length one.
        stream : cupy.cuda.Stream, optional
            Accepted; work is done when it is asked for.

        Raises
        ------
        TypeError, ValueError, NotImplementedError
            As CuPy.
        CompileException
            Where the text does not compile.
        KernelFault
            Where the kernel does what a GPU leaves undefined.
        """
        out = kwargs.pop("out", None)
        axis = kwargs.pop("axis", None)
        keepdims = kwargs.pop("keepdims", False)
        kwargs.pop("stream", None)
        if kwargs:
            raise TypeError(f"Wrong arguments {kwargs}")
        if len(args) not in (self.nin, self.nargs):
            raise TypeError(f"Wrong number of arguments for {self.name}")
        given = list(args[self.nin :])
        if out is not None:
            if self.nout != 1:
                raise NotImplementedError("")
            if given:
                raise ValueError("cannot specify 'out' as both a positional and keyword argument")
            given = [out]
        inputs, given = preprocess(args[: self.nin]), preprocess(given)
        inputs, shape = broadcast(inputs, self.in_params, False)
        return self._call(inputs, given, shape, axis, keepdims)

    def _call(
        self,
        inputs: list[Any],
        given: list[Any],
        shape: tuple[int, ...],
        axis: Any,
        keepdims: bool,
    ) -> Any:
        in_types, out_types, types = self._types(inputs, given)
        reduced, kept = split_axes(axis, len(shape))
        if keepdims:
            out_shape = tuple(1 if a in reduced else n for a, n in enumerate(shape))
        else:
            out_shape = tuple(shape[a] for a in kept)
        outputs = output_arrays(given, out_types, out_shape, self.out_params, False)
        if outputs[0].size == 0:
            return outputs[0]
        if self.identity == "" and 0 in shape:
            raise ValueError(
                f"zero-size array to reduction operation {self.name} which has no identity"
            )
        arrays = [a._a if isinstance(a, ndarray) else None for a in inputs]
        only: Any = arrays[0]
        if len(inputs) == 1 and len(kept) <= 1 and not only.flags.c_contiguous:
            steps = only.strides
            reduced = tuple(sorted(reduced, key=lambda a: -abs(steps[a])))
        order = reduced + kept
        if order != tuple(range(len(shape))):
            if any(p.raw for p in self.in_params):
                raise NotImplementedError("Illegal conditions")
            arrays = [None if a is None else a.transpose(order) for a in arrays]
        self._launch(
            inputs, outputs, arrays, tuple(shape[a] for a in order), in_types + out_types, types,
            not given,
        )  # fmt: skip
        return outputs[0]

    def _launch(
        self,
        inputs: list[Any],
        outputs: list[ndarray],
        arrays: list[Any],
        in_shape: tuple[int, ...],
        dtypes: list[Any],
        types: TypeMap,
        fresh: bool,
    ) -> None:
        results = [a._a for a in outputs]
        out_shape = outputs[0].shape
        if self.reduce_dims:
            arrays, in_shape = reduce_dims(arrays, self.in_params, in_shape)
            results, out_shape = reduce_dims(results, self.out_params, out_shape)
        stride = block_stride(arrays, self.in_params, in_shape, out_shape)
        numbers = frozenset(range(self.nin, self.nargs)) if fresh else frozenset()
        kinds, arguments = describe(
            (*self.params[: self.nargs], self.params[-1]),
            [*inputs, *outputs, Scalar(stride)],
            [*arrays, *results, None],
            [*dtypes, np.dtype(np.int32)],
            numbers,
        )
        walks = [indexer("_in_ind", in_shape), indexer("_out_ind", out_shape)]
        for k, (kind, argument) in enumerate(walks):
            kinds.insert(self.nargs + k, kind)
            arguments.insert(self.nargs + k, argument)
        blocks = -(-int(np.prod(out_shape)) // stride)
        binary = self._binary(kinds, types)
        grid = Grid((blocks, 1, 1), (_BLOCK_SIZE, 1, 1))
        execution.run(self.name, binary, grid, arguments)
        KERNELS[self.name] += 1

    def _written(self, kinds: list[Kind], types: TypeMap) -> tuple[Source, str]:
        parts = {
            "map_expr": self.map_expr, "reduce_expr": self.reduce_expr,
            "post_map_expr": self.post_map_expr, "preamble": self.preamble,
        }  # fmt: skip
        expressions = source.Reduction(
            identity=self.identity, reduce_type=str(self.reduce_type), **parts
        )
        text = source.reduction(
            kinds, self.in_params, self.out_params, types, expressions, _BLOCK_SIZE
        )
        header, options = source.ELEMENTWISE_HEADER, tuple(self.options)
        written = Source(self.name, text, header, tuple(parts.items()), options)
        return written, "\n".join([*parts.values(), self.identity, str(self.reduce_type)])
