"""Loops over matrices, whose items may be stacked."""
