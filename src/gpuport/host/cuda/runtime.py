"""``cupy.cuda.runtime``: what can be asked of the one device, and its errors."""

from __future__ import annotations

from typing import Any

from gpuport.host import counters
from gpuport.host.registry import implements

TOTAL_MEMORY = 16 << 30
_VERSION = 12090
STREAM_NON_BLOCKING = 1
STREAM_PER_THREAD = 2
LIMITS = {
    "MaxThreadsPerBlock": 1024, "MaxBlockDimX": 1024, "MaxBlockDimY": 1024, "MaxBlockDimZ": 64,
    "MaxGridDimX": 2**31 - 1, "MaxGridDimY": 65535, "MaxGridDimZ": 65535, "WarpSize": 32,
    "MaxSharedMemoryPerBlock": 48 << 10, "MaxSharedMemoryPerBlockOptin": 163 << 10,
    "MaxSharedMemoryPerMultiprocessor": 164 << 10, "TotalConstantMemory": 64 << 10,
    "MaxRegistersPerBlock": 65536, "MaxRegistersPerMultiprocessor": 65536,
    "MaxThreadsPerMultiProcessor": 2048, "MaxBlocksPerMultiprocessor": 32,
    "MultiProcessorCount": 1, "PciBusId": 0, "PciDeviceId": 0, "PciDomainId": 0,
}  # fmt: skip
"""Device attributes; source: technical specifications for 8.0, CUDA C++ Programming Guide."""


@implements("cupy.cuda.runtime.CUDARuntimeError")
class CUDARuntimeError(RuntimeError):
    """The runtime's refusal."""

    __module__ = "cupy_backends.cuda.api.runtime"

    def __init__(self, status: int) -> None:
        self.status = status
        super().__init__(_MESSAGES.get(status, f"cudaError{status}: unknown"))

    def __reduce__(self) -> Any:
        return type(self), (self.status,)


_MESSAGES = {
    1: "cudaErrorInvalidValue: invalid argument",
    101: "cudaErrorInvalidDevice: invalid device ordinal",
    400: "cudaErrorInvalidResourceHandle: invalid resource handle",
}


def check_device(number: int) -> int:
    """The number itself; there is device 0.

    Raises
    ------
    CUDARuntimeError
        For any other number.
    """
    if number != 0:
        raise CUDARuntimeError(101)
    return number


for _name, _answer in {
    "getDeviceCount": 1, "getDevice": 0, "runtimeGetVersion": _VERSION,
    "driverGetVersion": _VERSION,
}.items():  # fmt: skip

    def _query(_answer: int = _answer) -> int:
        return _answer

    _query.__name__ = _query.__qualname__ = _name
    implements(f"cupy.cuda.runtime.{_name}")(_query)


@implements("cupy.cuda.runtime.setDevice")
def setDevice(device: int) -> None:
    """Make a device current."""
    check_device(device)


@implements("cupy.cuda.runtime.memGetInfo")
def memGetInfo() -> tuple[int, int]:
    """Free and total bytes, as if arrays took theirs from 16 GiB."""
    return TOTAL_MEMORY - counters.MEMORY.held, TOTAL_MEMORY


@implements("cupy.cuda.runtime.deviceGetAttribute")
def deviceGetAttribute(attrib: int, device: int) -> int:
    """An attribute by its number; those that need hardware are not known."""
    check_device(device)
    if attrib in (75, 76):
        return {75: 8, 76: 0}[attrib]
    known = {NUMBERS[name]: value for name, value in LIMITS.items()}
    if attrib not in known:
        raise NotImplementedError(f"the host backend knows no device attribute {attrib}")
    return known[attrib]


NUMBERS = {
    "MaxThreadsPerBlock": 1, "MaxBlockDimX": 2, "MaxBlockDimY": 3, "MaxBlockDimZ": 4,
    "MaxGridDimX": 5, "MaxGridDimY": 6, "MaxGridDimZ": 7, "MaxSharedMemoryPerBlock": 8,
    "TotalConstantMemory": 9, "WarpSize": 10, "MaxRegistersPerBlock": 12,
    "MultiProcessorCount": 16, "PciBusId": 33, "PciDeviceId": 34, "PciDomainId": 50,
    "MaxThreadsPerMultiProcessor": 39, "MaxSharedMemoryPerMultiprocessor": 81,
    "MaxRegistersPerMultiprocessor": 82, "MaxSharedMemoryPerBlockOptin": 97,
    "MaxBlocksPerMultiprocessor": 106,
}  # fmt: skip
"""Their numbers; source: ``cudaDeviceAttr``, as ``cupy.cuda.runtime.cudaDevAttr...`` has them."""


@implements("cupy.cuda.runtime.getDeviceProperties")
def getDeviceProperties(device: int) -> dict[str, Any]:
    """Properties of the stand-in; what needs hardware has no key."""
    check_device(device)
    return {
        "name": b"gpuport host backend (no GPU)",
        "totalGlobalMem": TOTAL_MEMORY,
        "major": 8,
        "minor": 0,
        "sharedMemPerBlock": LIMITS["MaxSharedMemoryPerBlock"],
        "sharedMemPerBlockOptin": LIMITS["MaxSharedMemoryPerBlockOptin"],
        "sharedMemPerMultiprocessor": LIMITS["MaxSharedMemoryPerMultiprocessor"],
        "regsPerBlock": LIMITS["MaxRegistersPerBlock"],
        "regsPerMultiprocessor": LIMITS["MaxRegistersPerMultiprocessor"],
        "warpSize": LIMITS["WarpSize"],
        "maxThreadsPerBlock": LIMITS["MaxThreadsPerBlock"],
        "maxThreadsDim": tuple(LIMITS[f"MaxBlockDim{axis}"] for axis in "XYZ"),
        "maxGridSize": tuple(LIMITS[f"MaxGridDim{axis}"] for axis in "XYZ"),
        "maxThreadsPerMultiProcessor": LIMITS["MaxThreadsPerMultiProcessor"],
        "totalConstMem": LIMITS["TotalConstantMemory"],
        "multiProcessorCount": LIMITS["MultiProcessorCount"],
        "pciBusID": 0,
        "pciDeviceID": 0,
        "pciDomainID": 0,
    }


@implements("cupy.cuda.runtime.deviceSynchronize")
def deviceSynchronize() -> None:
    """Wait; counted."""
    counters.sync()


@implements("cupy.cuda.runtime.streamSynchronize")
def streamSynchronize(stream: int) -> None:
    """Wait; counted."""
    counters.sync()


@implements("cupy.cuda.runtime.profilerStart")
def profilerStart() -> None:
    """Nothing is profiled on the host."""


@implements("cupy.cuda.runtime.profilerStop")
def profilerStop() -> None:
    """Nothing is profiled on the host."""
