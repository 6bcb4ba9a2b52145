"""Whose code a worker runs at the moment, in memory that its parent reads when it is lost.

A message for each call would take longer than most calls.
"""

from __future__ import annotations

import mmap
import os
import tempfile
from pathlib import Path

STAGES = ("worker", "original", "port", "original-again")
OF_ORIGINAL = ("original", "original-again")
STAGE_BYTES = 16


def tell_stage(memory: mmap.mmap, stage: str) -> None:
    """Write the stage that begins, and that one more has begun (in the worker)."""
    begun = int.from_bytes(memory[8:16], "little") + 1
    memory[0] = STAGES.index(stage)
    memory[8:16] = begun.to_bytes(8, "little")


class Stages:
    """The parent's end: a file of a few bytes without a name."""

    def __init__(self, folder: Path) -> None:
        self._file = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115
        os.truncate(self._file.fileno(), STAGE_BYTES)
        self._memory = mmap.mmap(self._file.fileno(), STAGE_BYTES)

    @property
    def descriptor(self) -> int:
        """For the worker to inherit."""
        return self._file.fileno()

    def last(self) -> str:
        """The stage that began last; ``worker`` before the first one."""
        return STAGES[0] if self._memory.closed else STAGES[self._memory[0]]

    def count(self) -> int:
        """How many stages have begun."""
        return int.from_bytes(self._memory[8:16], "little")

    def close(self) -> None:
        """Give the memory back."""
        self._memory.close()
        self._file.close()
