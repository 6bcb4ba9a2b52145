"""Loop nests: what they read and write, whether their iterations may run in any order, and the
CUDA C++ kernels that say the same.

``nest`` -> ``dependence`` -> ``plan`` -> ``cuda`` -> ``kernel``: each step takes the record that
the one before it made. Nothing here edits a file or knows where arrays live.
"""
