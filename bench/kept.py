"""Finished parts of a long measurement, kept in a file: it goes on where it was cut off."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from record import machine


class Kept:
    """One line of JSON for each finished part, with the revision that it was measured at.

    Parts of other revisions are not taken: what is measured is one version.
    """

    def __init__(self, file: Path | None, *circumstances: object) -> None:
        self._file = file
        self._of = [machine()["commit"], *circumstances]
        self.parts: dict[str, Any] = {}
        if file is not None and file.exists():
            for line in file.read_text(encoding="utf-8").splitlines():
                row = json.loads(line)
                if row["of"] == self._of:
                    self.parts[row["part"]] = row["result"]

    def keep(self, part: str, result: Any) -> None:
        """Write one part down."""
        self.parts[part] = result
        if self._file is not None:
            row = {"of": self._of, "part": part, "result": result}
            with self._file.open("a", encoding="utf-8") as stream:
                stream.write(json.dumps(row) + "\n")
