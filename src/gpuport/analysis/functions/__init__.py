"""Functions of the program: their parameters, what they return, and as values."""
