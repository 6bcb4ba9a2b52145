"""What ``gpuport verify`` tells on stderr while it runs."""

from __future__ import annotations

import shutil
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gpuport.verify.sessions.progress import Step


class Told:
    """One line that changes on a terminal, nothing elsewhere; `lines`: one for each verdict."""

    def __init__(self, *, lines: bool = False) -> None:
        self._lines = lines
        self._terminal = sys.stderr.isatty()
        self._drawn = False

    def __call__(self, step: Step) -> None:
        """Tell where the run is."""
        count = f"{step.done}/{step.total}"
        if self._lines and step.verdict is not None:
            self.close()
            sys.stderr.write(f"[{count}] {step.place}: {step.verdict.verdict.value}\n")
        if self._terminal:
            width = shutil.get_terminal_size().columns - 1
            text = f"[{count}] {', '.join(step.running) or step.place}"
            sys.stderr.write(f"\r\x1b[K{text[:width]}")
            self._drawn = True
        sys.stderr.flush()

    def close(self) -> None:
        """Wipe the line away."""
        if self._drawn:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
            self._drawn = False
