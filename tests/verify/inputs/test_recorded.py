"""Recorded calls reach what a cold start cannot: shapes that depend on one another, objects."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gpuport.recording.calls import PLACE, read, write
from gpuport.recording.describe import describe
from gpuport.recording.hook import Recorder
from gpuport.verify.inputs.described import slot_of
from gpuport.verify.inputs.drawing import build
from gpuport.verify.records import Verdict, VerifyOptions
from gpuport.verify.slots import Trial


def test_sizes_that_differ_by_one_move_together(verify: Any, recorded: Any, tmp_path: Path) -> None:
    import numpy as np

    original = (
        "def f(e, h, n):\n"
        "    if e.size != h.size + 1 or e.size < len('twenty-two characters.'):\n"
        "        raise ValueError\n    return e[1:] + h * n\n"
    )
    port = original.replace("def f", "@device('e', 'h')\ndef f").replace("h * n", "n * h")
    assert verify(original, port)["f"].verdict is Verdict.UNTESTED
    recorded("f", e=np.ones(40), h=np.zeros(39), n=3)
    verdict = verify(original, port)["f"]
    assert verdict.verdict is Verdict.EQUIVALENT, verdict
    assert verdict.evidence.inputs == "recorded"
    many = VerifyOptions(root=tmp_path, examples=100)
    wrong = verify(original, port.replace("n * h", "n * h * (h.size != 33)"), many)["f"]
    assert wrong.verdict is Verdict.DIFFERS


def test_sizes_of_the_text_do_not_stand_in_for_the_recorded_ones(
    verify: Any, recorded: Any, tmp_path: Path
) -> None:
    import numpy as np

    original = (
        "def f(e, h, n):\n    if e.size != h.size + 1 or e.size < 9:\n"
        "        raise ValueError\n    return e[1:] + h * n\n"
    )
    port = original.replace("def f", "@device('e', 'h')\ndef f")
    wrong = port.replace("h * n", "h * n * (h.size {} 33)")
    assert verify(original, wrong.format("<"))["f"].verdict is Verdict.DIFFERS
    recorded("f", e=np.ones(20), h=np.zeros(19), n=3)
    for operator in ("<", "!="):
        many = VerifyOptions(root=tmp_path, examples=100)
        verdict = verify(original, wrong.format(operator), many)["f"]
        assert verdict.verdict is Verdict.DIFFERS, operator
        assert verdict.evidence.inputs == "recorded"


def test_recorded_whole_numbers_are_varied(verify: Any, recorded: Any, tmp_path: Path) -> None:
    """What 1e-12 beside two thousand hides shows beside one."""
    import numpy as np

    original = "def f(x, n):\n    return x.sum(axis=1) / n\n"
    port = original.replace("def f", "@device('x', 'n')\ndef f")
    recorded("f", x=np.ones((3, 4)), n=2000)
    assert verify(original, port)["f"].verdict is Verdict.EQUIVALENT
    wrong = port.replace("/ n", "/ (n + 1e-12)")
    found = verify(original, wrong, VerifyOptions(root=tmp_path, examples=100))["f"]
    assert found.verdict is Verdict.DIFFERS, found
    assert found.evidence.inputs == "recorded"


def test_methods_are_replayed_on_the_recorded_state(verify: Any, recorded: Any) -> None:
    import numpy as np

    original = """
    class Model:
        def __init__(self, path):
            self.weights = np.load(path)
            self.mode = "full"

        def apply(self, x):
            if self.mode != "full":
                raise ValueError
            return x @ self.weights
    """
    port = original.replace("x @ self.weights", "(x @ self.weights) {}")
    attributes = {"weights": describe(np.eye(3) + 1, ()), "mode": {"text": "full"}}
    instance = {"object": {"class": "module:Model", "attributes": attributes}}
    recorded("Model.apply", instance, x=np.ones(3))
    same = verify(original, port.format("* 1"))["Model.apply"]
    assert same.verdict is Verdict.EQUIVALENT, same
    wrong = verify(original, port.format("* 2"))["Model.apply"]
    assert wrong.verdict is Verdict.DIFFERS
    assert wrong.counterexample is not None


def test_calls_with_more_arguments_are_recorded_and_replayed(verify: Any, tmp_path: Path) -> None:
    """`*parts` of a size that nobody guesses, and `**options` of a form that none do."""
    import numpy as np

    original = (
        "def f(x, *parts, **options):\n"
        "    if len(parts) != 2 or x.shape != (len(parts[0]) + 1,):\n"
        "        raise ValueError\n"
        "    if sorted(options) != ['held', 'step']:\n        raise TypeError\n"
        "    return x[1:] + parts[0] * options['step'] - parts[1] @ options['held']\n"
    )
    names: dict[str, Any] = {}
    exec(original, names)
    (out := tmp_path / "out").mkdir()
    recorder = Recorder(tmp_path, data=False, out=out)
    call = recorder.recorded("new/module.py", "f", names["f"])
    call(np.ones(7), np.zeros(6), np.ones((6, 4)), held=np.ones(4), step=2.0)
    (kept,) = read(out / f"{os.getpid()}.jsonl")
    assert set(kept.arguments) == {"x", "*parts", "**options"}
    write(tmp_path / PLACE, [kept])
    port = original.replace("x[1:] +", "{} x[1:] +")
    same = verify(original, port.format("0 +"))["f"]
    assert same.verdict is Verdict.EQUIVALENT, same
    assert same.evidence.inputs == "recorded"
    assert verify(original, port.format("parts[0] +"))["f"].verdict is Verdict.DIFFERS


def test_recorded_tables_are_made_again_in_other_sizes() -> None:
    pandas = pytest.importorskip("pandas")
    times = pandas.date_range("2021-03-01", periods=5, freq="D", tz="UTC")
    frame = pandas.DataFrame({"a": np.arange(5.0), "b": np.ones(5)}, index=times)
    base: dict[str, int] = {}
    slot = slot_of("x", describe(frame, ()), base)
    assert slot is not None
    assert set(slot.symbols()) == {"x.0"}
    assert base == {"x.0": 5}
    made = build((slot,), Trial((slot,), sizes={"x.0": 7}, family="recorded"), resolve=_resolved)
    assert made["x"].shape == (7, 2)
    assert len(made["x"].index) == 7


def _resolved(place: str) -> Any:
    return getattr(pytest.importorskip("pandas"), place.partition(":")[2])
