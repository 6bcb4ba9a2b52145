"""From facts to edits: each pass reads the analysis of the original and proposes changes."""
