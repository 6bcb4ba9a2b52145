"""The text that a port has: written here, and nowhere else."""
