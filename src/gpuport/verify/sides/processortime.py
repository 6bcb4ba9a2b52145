"""What another process gets of the processor: one that is kept waiting has not hung."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

_STATE, _USER, _SYSTEM = 0, 11, 12  # of what stands behind the name in /proc/PID/stat
_RUNNABLE = frozenset("RD")  # running, waiting for a processor, or for a disk


@dataclass(frozen=True, slots=True)
class ProcessorTime:
    """Seconds of the processor that a process has used, and whether it could use more just now."""

    seconds: float
    runnable: bool

    def starved(self, since: ProcessorTime, wanted: float) -> bool:
        """Whether it wants to run, and has not had `wanted` seconds since then."""
        return self.runnable and self.seconds - since.seconds < wanted


def processor_time(process: int) -> ProcessorTime | None:
    """That of a process; None where the system does not tell, or there is none."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    ticks = int(fields[_USER]) + int(fields[_SYSTEM])
    return ProcessorTime(ticks / os.sysconf("SC_CLK_TCK"), fields[_STATE] in _RUNNABLE)
