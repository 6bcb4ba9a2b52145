"""One function or the code of a module, read statement by statement."""
