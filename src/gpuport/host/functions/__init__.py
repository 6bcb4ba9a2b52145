"""Functions of the main namespace where CuPy differs from NumPy in more than strictness."""

from gpuport.host.functions import (
    files,
    joining,
    products,
    questions,
    searching,
    selection,
    sorting,
)

__all__ = ["files", "joining", "products", "questions", "searching", "selection", "sorting"]
