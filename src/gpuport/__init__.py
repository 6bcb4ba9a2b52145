"""gpuport: port NumPy programs to CuPy, keep what is proven equal, say why about the rest."""

__version__ = "0.1.0"
