"""Functions of the main namespace where CuPy differs from NumPy in more than strictness."""

from gpuport.host.functions import (
    bits,
    files,
    histograms,
    interpolation,
    joining,
    products,
    questions,
    searching,
    selection,
    sorting,
    tapers,
    typenames,
    variance,
    windows,
)

__all__ = [
    "bits", "files", "histograms", "interpolation", "joining", "products", "questions",
    "searching", "selection", "sorting", "tapers", "typenames", "variance", "windows",
]  # fmt: skip
