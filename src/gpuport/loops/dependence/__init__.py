"""Which iterations touch the same cell, and which loops may therefore run at once."""
