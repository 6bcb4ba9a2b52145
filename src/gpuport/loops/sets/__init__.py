"""Iterations, cells and conditions as sets and relations of isl."""
