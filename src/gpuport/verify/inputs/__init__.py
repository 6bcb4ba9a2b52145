"""Which inputs are tried, in which order, and how they are drawn."""
