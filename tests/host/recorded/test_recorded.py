"""The host backend gives what CuPy gave on a GPU, but for as many differences as are known.

``cupy-14.2.0.jsonl.gz`` was recorded on 26 November 2026 with CuPy 14.2.0 on an NVIDIA H200 (driver
580.159.04, CUDA 13.0, Python 3.12, NumPy 2.5.2, SciPy 1.18.1): 96,910 calls with what each gave.
To record again, on a machine with a CUDA device and CuPy::

    python tests/host/recorded/record.py tests/host/recorded/cupy-14.2.0.jsonl.gz

``limits.json`` holds the differences that are left of every second call, by category. Lower a limit
once there are fewer; raise none. What is left, and why, is in docs/host.md.
"""

from __future__ import annotations

import importlib
import json
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from gpuport import host

HERE = Path(__file__).parent
STEP = 2
LIMITS = json.loads((HERE / "limits.json").read_text())


@pytest.fixture
def recorded(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[ModuleType, ...]]:
    """The modules of this folder, which import one another by their plain names."""
    monkeypatch.syspath_prepend(str(HERE))
    host.install(version=14)
    names = ("expressions", "evaluation", "differences")
    yield tuple(importlib.import_module(name) for name in names)
    for name in (*names, "values"):
        sys.modules.pop(name, None)
    host.uninstall()


@pytest.mark.everything  # 48,000 calls
@pytest.mark.filterwarnings("ignore")
def test_as_much_as_was_reached(recorded: tuple[Any, ...]) -> None:
    pytest.importorskip("scipy")
    expressions, evaluation, differences = recorded
    functions = {text: name for name, text in expressions.expressions()}
    evaluate = evaluation.Evaluator(importlib.import_module("cupy"))
    counts: Counter[str] = Counter()
    with np.errstate(all="ignore"):
        for text, device in islice(differences.load(differences.DEVICE), 0, None, STEP):
            found = differences.category(device, evaluate(text))
            if found is not None:
                counts[f"{differences.space(functions[text])}: {found}"] += 1
    more = {name: count for name, count in counts.items() if count > LIMITS.get(name, 0)}
    assert more == {}
    assert sum(counts.values()) > 0  # something was compared


def test_categories(recorded: tuple[Any, ...]) -> None:
    _, evaluation, differences = recorded
    evaluate = evaluation.Evaluator(importlib.import_module("cupy"))
    same = evaluate("f + f")
    assert differences.category(same, evaluate("2 * f")) is None
    for text, name in [
        ("f + g", "values"),
        ("i + i", "element type"),
        ("m + m", "shape"),
        ("f + 'a'", "the host raises"),
        ("2", "kind of result"),
    ]:
        assert differences.category(same, evaluate(text)) == name
    assert differences.category(evaluate("f + h"), same) == "the device raises"
