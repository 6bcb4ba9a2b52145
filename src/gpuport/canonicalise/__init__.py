"""Programs on arrays as programs on elements: loops, chains and products become one kind."""

from gpuport.canonicalise import arithmetic, views

__all__ = ["arithmetic", "views"]
