"""Calls: whom they reach, what goes to which parameter, what they do and give."""
