"""User kernels on the host: CUDA C++ compiled by the host's compiler, checked as it runs.

``ElementwiseKernel``, ``ReductionKernel``, ``RawKernel`` and ``RawModule`` behave as CuPy's. In
strict mode, the default, every launch runs over its indices forward, reversed and scrambled; what
the order changes is a race. Each access to memory is checked against the arguments and against
what other threads do. :func:`checks` and ``GPUPORT_KERNEL_CHECKS=fast`` turn all that off.
"""

from __future__ import annotations

from gpuport.host.kernels import elementwise, raw, reduction
from gpuport.host.kernels.errors import (
    ArgumentError,
    BarrierError,
    BarrierWarning,
    CompileException,
    CUDADriverError,
    EndlessError,
    KernelFault,
    NoCompilerError,
    OutOfBoundsError,
    RaceError,
    UndefinedError,
    UninitialisedError,
)
from gpuport.host.kernels.settings import checks

__all__ = [
    "ArgumentError",
    "BarrierError",
    "BarrierWarning",
    "CUDADriverError",
    "CompileException",
    "EndlessError",
    "KernelFault",
    "NoCompilerError",
    "OutOfBoundsError",
    "RaceError",
    "UndefinedError",
    "UninitialisedError",
    "checks",
    "elementwise",
    "raw",
    "reduction",
]
