"""Loops over matrices of one shape: the axis that is looped over moves into the calls."""
