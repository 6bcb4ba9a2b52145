"""Loops over elements, as placement sees them."""
