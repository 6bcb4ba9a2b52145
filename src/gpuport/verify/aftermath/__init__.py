"""All that a call leaves behind: results, state, files."""
