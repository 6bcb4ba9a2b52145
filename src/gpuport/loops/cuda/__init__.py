"""Python statements and expressions as CUDA C++, with NumPy's types and meaning."""
