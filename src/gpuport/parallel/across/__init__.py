"""Loops whose iterations are operations on vectors: each element goes through all of them alone."""
