"""What the parameters of a function may hold, by all that its text says."""
