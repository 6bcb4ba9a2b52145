"""``cupy.cuda.Device``."""

from __future__ import annotations

from typing import Any

from gpuport.host import counters
from gpuport.host.cuda import runtime
from gpuport.host.registry import implements


@implements("cupy.cuda.Device", "cupy.cuda.device.Device")
class Device:
    """A device; there is one, number 0."""

    __module__ = "cupy.cuda.device"
    __slots__ = ("id",)

    def __init__(self, device: Any = None) -> None:
        self.id = 0 if device is None else int(device)

    @classmethod
    def from_pci_bus_id(cls, pci_bus_id: str) -> Device:
        """The device at a PCI address."""
        if pci_bus_id != "0000:00:00.0":
            raise runtime.CUDARuntimeError(101)
        return cls(0)

    def __enter__(self) -> Device:
        return self.use()

    def __exit__(self, *args: object) -> None:
        return None

    def __int__(self) -> int:
        return self.id

    def __repr__(self) -> str:
        return f"<CUDA Device {self.id}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Device) and self.id == other.id

    def __lt__(self, other: object) -> Any:
        return self.id < other.id if isinstance(other, Device) else NotImplemented

    def __le__(self, other: object) -> Any:
        return self.id <= other.id if isinstance(other, Device) else NotImplemented

    def __gt__(self, other: object) -> Any:
        return self.id > other.id if isinstance(other, Device) else NotImplemented

    def __ge__(self, other: object) -> Any:
        return self.id >= other.id if isinstance(other, Device) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def use(self) -> Device:
        """Make it current.

        Raises
        ------
        CUDARuntimeError
            For any device but 0.
        """
        runtime.check_device(self.id)
        return self

    def synchronize(self) -> None:
        """Wait; counted."""
        self.use()
        counters.sync()

    @property
    def compute_capability(self) -> str:
        """Of the stand-in: 8.0."""
        self.use()
        return "80"

    @property
    def mem_info(self) -> tuple[int, int]:
        """Free and total bytes, of the stand-in."""
        self.use()
        return runtime.memGetInfo()

    @property
    def attributes(self) -> dict[str, int]:
        """Limits of the stand-in; what needs hardware has no key."""
        self.use()
        return dict(runtime.LIMITS)

    @property
    def pci_bus_id(self) -> str:
        """An address that no device has."""
        self.use()
        return "0000:00:00.0"

    def _no_library(self) -> int:
        raise NotImplementedError("the host backend has no handles of CUDA's libraries")

    cublas_handle = cusolver_handle = cusolver_sp_handle = property(_no_library)
    cusparse_handle = cutensor_handle = property(_no_library)


@implements("cupy.cuda.is_available", "cupy.is_available")
def is_available() -> bool:
    """True: the host is there."""
    return True


@implements("cupy.cuda.get_device_id")
def get_device_id() -> int:
    """Always 0."""
    return 0
