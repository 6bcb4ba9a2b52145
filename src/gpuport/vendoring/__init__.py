"""The runtime as one file in the user's own code, for ports that need no package."""
