"""Runs over files: ``verify``, gated rewriting, test suites, clusters."""
