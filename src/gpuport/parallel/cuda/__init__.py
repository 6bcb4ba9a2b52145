"""Pieces of CUDA C++: what operations are in it, and how expressions are written."""
