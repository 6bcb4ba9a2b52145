"""One call of one side, and the circumstances that are varied around it."""
