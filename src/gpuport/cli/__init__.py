"""The command line: one module per command, and no logic in them."""
