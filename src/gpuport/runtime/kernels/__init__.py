"""Kernels with a reference: CUDA for the device above, the Python that it stands for below."""
