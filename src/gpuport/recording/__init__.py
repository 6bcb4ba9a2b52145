"""Real calls of a program's functions: recorded while it runs, kept as descriptions, read back."""
