"""What NumPy, SciPy and CuPy do with arguments: tables, rules, and the real functions, asked."""
