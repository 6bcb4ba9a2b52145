"""Whether a kernel compiles for GPUs, before it has run: its parameters say their types."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from gpuport.host.kernels import nvrtc, source
from gpuport.host.kernels.building import Source
from gpuport.host.kernels.elementwise import ElementwiseKernel
from gpuport.host.kernels.source import Kind


def check_declared(
    kernel: ElementwiseKernel,
    ranks: Mapping[str, int],
    wanted: Iterable[int] = nvrtc.WANTED,
    *,
    contiguous: bool = True,
) -> tuple[nvrtc.Compiled, ...]:
    """Compile a kernel for GPUs for the types that it declares.

    Parameters
    ----------
    kernel : ElementwiseKernel
        One whose parameters have types of their own, no placeholders.
    ranks : mapping of str to int
        Axes of the parameters that are arrays. Outputs and raw parameters that it does not name
        have one axis, other inputs are numbers.
    wanted : iterable of int
        Compute capabilities times ten; those that the installed NVRTC does not know are left out.
    contiguous : bool
        Whether the elements of the arrays follow each other in memory.

    Raises
    ------
    ValueError
        For a kernel with placeholders.
    CompileException, UnavailableError
        As :func:`gpuport.host.kernels.nvrtc.check_all`.
    """
    return nvrtc.check_sources([_source(kernel, ranks, contiguous)], wanted)


def _source(kernel: ElementwiseKernel, ranks: Mapping[str, int], contiguous: bool) -> Source:
    outputs = {p.name for p in kernel.out_params}
    kinds = []
    for p in kernel.params[:-1]:
        if p.dtype is None:
            raise ValueError(f"the type of parameter '{p.name}' is a placeholder")
        array = p.raw or p.name in outputs or p.name in ranks
        ndim = ranks.get(p.name, 1) if p.raw else 1  # axes of looped arrays are joined
        sort = "array" if array else "scalar"
        const = p.name not in outputs
        kinds.append(Kind(p.name, sort, p.dtype, ndim if array else 0, contiguous, const, p.raw))
    kinds.append(Kind("_ind", "indexer", None, 1, True, False, True))
    extra = {key: str(kernel.kwargs.get(key, "")) for key in ("loop_prep", "after_loop")}
    parts = {"operation": kernel.operation, "preamble": kernel.preamble, **extra}
    text = source.elementwise(kinds, kernel.params, (), **parts)
    options = tuple(kernel.kwargs.get("options", ()))
    return Source(kernel.name, text, source.ELEMENTWISE_HEADER, tuple(parts.items()), options)
