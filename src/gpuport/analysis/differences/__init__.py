"""Where CuPy would give something else, or not raise what is waited for."""
