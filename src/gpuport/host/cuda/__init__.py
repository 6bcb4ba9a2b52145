"""``cupy.cuda``: honest stand-ins for one device that is the host.

Limits are those of compute capability 8.0; what only hardware has (clocks, handles of libraries,
addresses of device memory) is absent or raises.
"""

from __future__ import annotations

from gpuport.host.cuda import device, memory, pointers, runtime, streams
from gpuport.host.cuda.device import Device
from gpuport.host.cuda.pointers import MemoryPointer, pointer_to

__all__ = [
    "Device", "MemoryPointer", "device", "memory", "pointer_to", "pointers", "runtime", "streams",
]  # fmt: skip
