"""What ported programs import: NumPy in, NumPy out; CuPy in, CuPy out.

Imports NumPy, and CuPy only once an array has to move, so that a ported package stays importable
and usable on a machine without a GPU.
"""

from gpuport.runtime import batched
from gpuport.runtime.blocks import block
from gpuport.runtime.choices import select
from gpuport.runtime.device import device
from gpuport.runtime.division import (
    floor_divide,
    floor_divide_ufunc,
    remainder,
    remainder_ufunc,
)
from gpuport.runtime.fallback import FallbackError, FallbackWarning
from gpuport.runtime.histograms import histogram
from gpuport.runtime.hostpath import NoHostCounterpartError
from gpuport.runtime.inserting import insert
from gpuport.runtime.interpolation import interp
from gpuport.runtime.kernels.building import KernelError
from gpuport.runtime.kernels.decorator import kernel
from gpuport.runtime.masking import masked, put_where
from gpuport.runtime.places import add_at, add_to, put_last
from gpuport.runtime.running import running_maximum, running_minimum
from gpuport.runtime.spacing import geomspace
from gpuport.runtime.stats import CallStats, reset_stats, stats
from gpuport.runtime.windowfunctions import bartlett, blackman, hamming, hanning

__all__ = [
    "CallStats",
    "FallbackError",
    "FallbackWarning",
    "KernelError",
    "NoHostCounterpartError",
    "add_at",
    "add_to",
    "bartlett",
    "batched",
    "blackman",
    "block",
    "device",
    "floor_divide",
    "floor_divide_ufunc",
    "geomspace",
    "hamming",
    "hanning",
    "histogram",
    "insert",
    "interp",
    "kernel",
    "masked",
    "put_last",
    "put_where",
    "remainder",
    "remainder_ufunc",
    "reset_stats",
    "running_maximum",
    "running_minimum",
    "select",
    "stats",
]
