"""CuPy over NumPy in a process that ``gpuport verify --suite`` started; then the user's own."""

import os
import sys
from importlib.machinery import PathFinder
from importlib.util import module_from_spec

_HERE = os.path.dirname(os.path.abspath(__file__))


def _others() -> None:
    """The ``sitecustomize`` that this one hides."""
    places = [p for p in sys.path if os.path.abspath(p) != _HERE]
    spec = PathFinder.find_spec("sitecustomize", places)
    if spec is not None and spec.loader is not None:
        spec.loader.exec_module(module_from_spec(spec))


try:
    if os.environ.get("GPUPORT_HOST"):
        from gpuport import host

        host.install()
finally:
    _others()
