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


def _limit(memory: int) -> None:
    """No more address space for this process, where the platform has such limits."""
    try:
        import resource
    except ImportError:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    if hard != resource.RLIM_INFINITY:
        memory = min(memory, hard)
    resource.setrlimit(resource.RLIMIT_AS, (memory, hard))


try:
    if os.environ.get("GPUPORT_HOST"):
        from gpuport import host

        host.install()
        if os.environ.get("GPUPORT_SUITE_MEMORY", "0") != "0":
            _limit(int(os.environ["GPUPORT_SUITE_MEMORY"]))
finally:
    _others()
