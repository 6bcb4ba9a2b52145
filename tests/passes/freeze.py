"""Write ``after.py`` and ``expected.json`` of the named cases: ``python freeze.py NAME...``.

Read the result as a reviewer would before committing it: a port that is wrong must not be frozen.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from conftest import CASES, port


def freeze(name: str) -> None:
    """Port a case's ``before.py`` and keep what comes out."""
    folder = CASES / name
    record = folder / "expected.json"
    old = json.loads(record.read_text(encoding="utf-8")) if record.exists() else {}
    before = (folder / "before.py").read_bytes().decode()
    report = port(before, old.get("path", f"{name}.py"), **old.get("config", {}))
    kept = {key: old[key] for key in ("path", "config") if key in old}
    kept["functions"] = {f.name: f.status.value for f in report.functions}
    kept["findings"] = [f"{f.span.line} {f.code}" for f in report.findings]
    record.write_text(json.dumps(kept, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    (folder / "after.py").unlink(missing_ok=True)
    if report.changed and report.after is not None:
        (folder / "after.py").write_bytes(report.after.encode())


if __name__ == "__main__":
    for case in sys.argv[1:]:
        freeze(case)
