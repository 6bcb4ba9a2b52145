"""``cupy.ElementwiseKernel``."""

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
    TypeMap,
    broadcast,
    output_arrays,
    parse_parameters,
    preprocess,
)
from gpuport.host.kernels.source import Kind
from gpuport.host.ndarray import ndarray
from gpuport.host.registry import implements


@implements("cupy.ElementwiseKernel")
class ElementwiseKernel(GeneratedKernel):
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
        super().__init__(in_params, out_params, name, reduce_dims, preamble)
        self.params = self.in_params + self.out_params + parse_parameters("CIndexer _ind", False)
        self.operation = operation
        self.no_return = no_return
        self.return_tuple = return_tuple
        self.kwargs = kwargs
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
        in_types, out_types, types = self._types(inputs, given)
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
        binary = self._binary([*kinds, kind], types)
        execution.run(self.name, binary, grid, [*arguments, argument])
        KERNELS[self.name] += 1

    def _written(self, kinds: list[Kind], types: TypeMap) -> tuple[Source, str]:
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
        header = source.ELEMENTWISE_HEADER
        written = Source(self.name, text, header, tuple(parts.items()), options)
        return written, "\n".join(parts.values())
