"""Differential verification: original against port, in an isolated worker process."""
