"""Inputs tried on both sides in the worker process, and what that proves."""
