"""CuPy's surface over NumPy: run a ported program, and count what it costs, without a GPU.

``install()`` puts ``cupy`` and ``cupyx`` into ``sys.modules``; ``python -m gpuport.host SCRIPT``
runs a program that way.
"""

from __future__ import annotations

from gpuport.host.counters import Counting, Snapshot, count, snapshot
from gpuport.host.install import install, installed, uninstall

__all__ = [
    "Counting",
    "Snapshot",
    "count",
    "install",
    "installed",
    "snapshot",
    "uninstall",
]
