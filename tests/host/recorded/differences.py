"""Where the host backend differs: ``python tests/host/recorded/differences.py HOST.jsonl.gz``.

Records of the host backend (``record.py --host``) are held against those of CuPy on a device, and
the differences are counted by category; with ``--show CATEGORY`` they are listed.
"""

from __future__ import annotations

import argparse
import base64
import gzip
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

DEVICE = Path(__file__).with_name("cupy-14.2.0.jsonl.gz")
CLOSE = 64
"""Units in the last place of the largest element, up to which values are the same."""
VERY_CLOSE = 4
"""Such units of the element itself: beyond them the values are only nearly the same."""

Record = dict[str, Any]


def load(path: Path) -> Iterator[tuple[str, Record]]:
    """Expressions and what each gave."""
    with gzip.open(path, "rt") as file:
        for line in file:
            text, record = json.loads(line)
            yield text, record


def category(device: Record, host: Record) -> str | None:
    """In what the host's record of an expression differs; None where in nothing that counts."""
    first, second = _kind(device), _kind(host)
    if first != second:
        if first == "x":
            return "the device raises"
        return "the host raises" if second == "x" else "kind of result"
    expected, found = device[first], host[second]
    if first == "x":
        if expected[0] != found[0]:
            return "exception"
        own = expected[0] == "CompileException"  # its message is the compiler's
        return None if own or expected[1] == found[1] else "message"
    if first == "t":
        if expected[:2] != found[:2]:
            return "kind of result"
        pairs = zip(expected[2], found[2], strict=True)
        return next(filter(None, (category(one, two) for one, two in pairs)), None)
    if first in ("a", "n", "g"):
        names = ("element type", "shape", "layout")
        for name, one, two in zip(names, expected, found, strict=False):
            if one != two:
                return name
        return None if expected[3] == found[3] else _values(_array(expected), _array(found))
    return None if expected == found else "Python value"


def _kind(record: Record) -> str:
    return next(key for key in record if key != "w")


def _array(described: list[Any]) -> Any:
    kind = "u1" if described[0] == "object" else described[0]
    return np.frombuffer(base64.b64decode(described[3]), dtype=kind)


def _values(expected: Any, found: Any) -> str | None:
    if expected.dtype.kind not in "fc":
        return "values of integers"
    if expected.dtype.kind == "c":
        expected, found = (x.view(x.real.dtype) for x in (expected, found))
    known = np.isfinite(expected) & np.isfinite(found)
    if not np.array_equal(expected[~known], found[~known], equal_nan=True):
        return "infinity or NaN"
    one, two = expected[known].astype(np.float64), found[known].astype(np.float64)
    if one.size == 0:
        return None
    unit = np.finfo(expected.dtype)
    scale = np.maximum(np.abs(one), np.abs(two))
    distance = np.abs(one - two) / float(unit.eps)
    if distance.max() > CLOSE * max(scale.max(), 1e-300):
        return "values"
    relative = distance / np.maximum(scale, float(unit.tiny))
    return "last places" if relative.max() > VERY_CLOSE else None


def main() -> None:
    """Count, or list one category."""
    from expressions import expressions

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("host", type=Path)
    parser.add_argument("--show", default="", help="list the differences of this category")
    arguments = parser.parse_args()
    functions = {text: name for name, text in expressions()}
    device = dict(load(DEVICE))
    counts: Counter[tuple[str, str]] = Counter()
    for text, host in load(arguments.host):
        if text not in device:
            continue
        found = category(device[text], host)
        counts[space(functions[text]), found or "none"] += 1
        if found and found == arguments.show:
            print(f"{text}\n    {device[text]}\n    {host}"[:600])
    for (part, name), count in sorted(counts.items()):
        print(f"{part:8} {name:20} {count}")


def space(function: str) -> str:
    """The part of CuPy that a function belongs to, whose differences are counted together."""
    return "cupyx" if function.startswith("cupyx") else "cupy"


if __name__ == "__main__":
    main()
