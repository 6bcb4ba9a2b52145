from .core import Rod, np
from .tools import *
