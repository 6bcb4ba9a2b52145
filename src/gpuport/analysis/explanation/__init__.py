"""Why something is known, or is not, for ``--explain-values`` and for findings."""
