"""Chains of elementwise operations that may run as one kernel."""
