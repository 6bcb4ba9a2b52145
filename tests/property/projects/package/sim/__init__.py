"""A package that hands on what its modules define."""

from .grid import Grid, coordinates
from .solve import Diffusion as Solver

__all__ = ["Grid", "Solver", "coordinates"]
