"""Loops over items whose body the runtime runs once, for all items together."""
