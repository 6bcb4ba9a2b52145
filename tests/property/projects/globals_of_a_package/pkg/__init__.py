from .grid import X, weights, rescale
from . import state
