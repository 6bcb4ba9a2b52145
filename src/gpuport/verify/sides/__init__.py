"""The two versions of a file: where they come from, what changed, and both in one process."""
