"""Loops as people write them, brought into the one plain form that the rest reads."""
