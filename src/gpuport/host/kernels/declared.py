"""Whether a kernel compiles for GPUs, before it has run: its text says what its parameters are."""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np

from gpuport.host.kernels import nvrtc, source
from gpuport.host.kernels.building import Source
from gpuport.host.kernels.elementwise import ElementwiseKernel
from gpuport.host.kernels.parameters import ParameterInfo
from gpuport.host.kernels.source import Kind

_PLACEHOLDER = np.dtype("float64")


def check_declared(
    kernel: ElementwiseKernel,
    wanted: Iterable[int] = nvrtc.WANTED,
    *,
    contiguous: bool = True,
) -> tuple[nvrtc.Compiled, ...]:
    """Compile a kernel for GPUs for the types that it declares.

    Raw parameters have as many axes as the text subscripts them with. Parameters that are not raw
    are numbers where the kernel writes to raw ones, and elements of arrays elsewhere.
    Placeholders stand for float64.

    Parameters
    ----------
    kernel : ElementwiseKernel
    wanted : iterable of int
        Compute capabilities times ten; those that the installed NVRTC does not know are left out.
    contiguous : bool
        Whether the elements of the arrays follow each other in memory.

    Raises
    ------
    CompileException, UnavailableError
        As :func:`gpuport.host.kernels.nvrtc.check_all`.
    """
    return nvrtc.check_sources([_source(kernel, contiguous)], wanted)


def axes(name: str, operation: str) -> int:
    """Axes of an array by its subscripts in a kernel: ``x[k]``, ``x[{r, c}]``, ``x.shape()[k]``."""
    found = [1]
    for match in re.finditer(rf"\b{name}\[\{{", operation):
        depth, count = 0, 1
        for character in operation[match.end() :]:
            depth += (character in "([{") - (character in ")]}")
            if depth < 0:
                break
            count += character == "," and depth == 0
        found.append(count)
    sizes = re.finditer(rf"\b{name}\.shape\(\)\[(\d+)\]", operation)
    return max([*found, *(int(match[1]) + 1 for match in sizes)])


def _source(kernel: ElementwiseKernel, contiguous: bool) -> Source:
    raw = any(p.raw for p in kernel.out_params)
    outputs = {p.name for p in kernel.out_params}
    kinds = [_kind(p, kernel.operation, p.name in outputs or not raw, contiguous)
             for p in kernel.params[:-1]]  # fmt: skip
    kinds.append(Kind("_ind", "indexer", None, 1, True, False, True))
    types = tuple({p.ctype: _PLACEHOLDER for p in kernel.params[:-1] if not p.dtype and p.ctype})
    extra = {key: str(kernel.kwargs.get(key, "")) for key in ("loop_prep", "after_loop")}
    parts = {"operation": kernel.operation, "preamble": kernel.preamble, **extra}
    named = tuple((name, _PLACEHOLDER) for name in types)
    text = source.elementwise(kinds, kernel.params, named, **parts)
    options = tuple(kernel.kwargs.get("options", ()))
    return Source(kernel.name, text, source.ELEMENTWISE_HEADER, tuple(parts.items()), options)


def _kind(p: ParameterInfo, operation: str, array: bool, contiguous: bool) -> Kind:
    dtype = p.dtype or _PLACEHOLDER
    if not (p.raw or array):
        return Kind(p.name, "scalar", dtype, 0, contiguous, p.is_const, False)
    ndim = axes(p.name, operation) if p.raw else 1  # axes of the others are joined
    return Kind(p.name, "array", dtype, ndim, contiguous, p.is_const, p.raw)
