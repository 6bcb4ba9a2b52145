"""Functions, modules and programs together: who calls whom, and who else may see a name."""
