"""Arrays that each iteration makes for itself."""
