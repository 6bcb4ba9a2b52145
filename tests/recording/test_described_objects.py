"""Objects are described by their attributes, or as they are pickled; what they refer to as such."""

from __future__ import annotations

import json
import zoneinfo
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gpuport.recording import calls
from gpuport.recording.calls import Call, read, write
from gpuport.recording.describe import describe, describe_all
from gpuport.recording.hook import Recorder
from gpuport.verify.inputs.described import slot_of
from gpuport.verify.inputs.drawing import build
from gpuport.verify.slots import Trial

HERE = __name__


class Guarded:
    """Holds what cannot be described, and says how it is pickled."""

    def __init__(self, gain: float) -> None:
        self.gain = gain
        self.view = memoryview(b"abc")

    def __getstate__(self) -> dict[str, Any]:
        return {"gain": self.gain}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(**state)  # type: ignore[misc]


class Slotted:
    """Has no dictionary."""

    __slots__ = ("_memo", "scale")

    def __init__(self, scale: float) -> None:
        self.scale, self._memo = scale, None


class Chain:
    """Has its own method as an attribute, and a part that knows it."""

    def __init__(self) -> None:
        self.step = self.double
        self.part = Part(self)

    def double(self, x: float) -> float:
        return 2 * x


class Part:
    def __init__(self, owner: Chain) -> None:
        self.owner = owner


def again(value: Any) -> Any:
    """What is made of the description of a value."""
    node = json.loads(json.dumps(describe(value, ())))
    base: dict[str, int] = {}
    slot = slot_of("x", node, base)
    assert slot is not None, node
    trial = Trial((slot,), sizes=base, family="recorded")
    return build((slot,), trial, resolve=_resolved)["x"]


def _resolved(place: str) -> Any:
    import importlib

    module, _, name = place.partition(":")
    target: Any = importlib.import_module(module)
    for part in name.split(".") if name else ():
        target = getattr(target, part)
    return target


def test_what_cannot_be_described_is_as_it_is_pickled() -> None:
    made = again(Guarded(0.5))
    assert type(made) is Guarded
    assert made.gain in (0.5, 0.25, 0.625, 0.45)  # recorded numbers are varied
    assert made.view.nbytes == 3


def test_objects_that_know_each_other() -> None:
    made = again(Chain())
    assert made.part.owner is made
    assert made.step.__self__ is made
    assert made.step(4) == 8


def test_sets_zones_slices_and_ufuncs() -> None:
    special = pytest.importorskip("scipy.special")
    zone = zoneinfo.ZoneInfo("Etc/GMT+7")
    given = [frozenset({"none"}), zone, special.erf, np.sin, {1, 2}]
    texts = describe(given, ("none",))
    assert texts["list"][0] == {"frozenset": [{"text": "none"}]}
    made = again(given)
    assert made[1].key == "Etc/GMT+7"
    assert made[2] is special.erf
    assert made[3] is np.sin
    assert type(made[4]) is set
    node = describe(slice(1, None, 2), ())["reduced"]
    assert node["call"] == "builtins:slice"


def test_an_instance_with_slots_is_made_again() -> None:
    made = again(Slotted(2.5))
    assert (type(made), made.scale, made._memo) == (Slotted, 2.5, None)


def test_texts_in_arrays_are_those_that_may_be_kept() -> None:
    node = describe(np.array(["low", "high", "low"]), ("low",))["labels"]
    assert node == {"of": [{"text": "low"}, {"secret": 4}], "shape": [3], "dtype": "str"}
    made = again(np.array(["low", "high", "low"], object))
    assert made.shape == (3,)
    assert set(made) <= {"xxx", "xxxx"}


def test_columns_of_texts_and_times() -> None:
    pandas = pytest.importorskip("pandas")
    times = pandas.date_range("2021-03-01", periods=4, freq="D")
    frame = pandas.DataFrame({"level": ["a", "b", "a", "b"], "when": times})
    base: dict[str, int] = {}
    slot = slot_of("x", describe(frame, ("a", "b")), base)
    assert slot is not None
    trial = Trial((slot,), sizes={"x.0": 9}, family="recorded")
    made = build((slot,), trial, resolve=_resolved)["x"]
    assert list(made.columns) == ["level", "when"]
    assert set(made["level"]) == {"a", "b"}
    assert made["when"].dt.year.max() == 2019


def test_a_table_that_is_not_understood_is_not_taken_for_an_object() -> None:
    pandas = pytest.importorskip("pandas")
    node = describe(pandas.DataFrame({(1, 2): [1.0]}), ())
    assert node == {"opaque": "pandas.DataFrame"}


def test_texts_that_are_keys_are_kept_wherever_they_stand() -> None:
    nodes = describe_all({"names": ["width"], "values": {"width": 1.0}}, ())
    assert nodes["names"] == {"list": [{"text": "width"}]}
    assert describe_all({"names": ["width"]}, ())["names"] == {"list": [{"secret": 5}]}


def test_each_function_has_its_first_call_in_a_full_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calls, "LARGEST", 600)
    file = tmp_path / "calls.jsonl"
    made = [Call("a.py", name, {"n": {"int": n}}) for name in "fgh" for n in range(6)]
    count = write(file, made)
    kept = read(file)
    assert [call.function for call in kept[:3]] == ["f", "g", "h"]
    assert count == len(kept) < len(made)


def test_what_an_object_does_while_it_is_described_is_not_recorded(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path, data=False, out=tmp_path)
    state = recorder.recorded("a.py", "Kept.__getstate__", lambda self: {"gain": 2.0})

    class Kept:
        def __init__(self) -> None:
            self.view = memoryview(b"abc")

        __getstate__ = state

    Kept.__qualname__ = "Kept"
    recorder.recorded("a.py", "f", lambda x: x)(Kept())
    (file,) = tmp_path.glob("*.jsonl")
    (call,) = read(file)
    assert call.function == "f"
    assert "reduced" in call.arguments["x"]


def scaled_by(gain: list[int]) -> Any:
    def scaled(x: float, offset: float = 0.0) -> float:
        return gain[0] * x + offset

    return scaled


def test_functions_that_another_one_made() -> None:
    gain = 3
    made = again({"scaled": scaled_by([7]), "plain": lambda x: x + 1, "held": lambda x: x * gain})
    assert made["plain"](1) == 2
    assert made["scaled"](0, 0.5) == 0.5
    assert made["scaled"](2) in {2 * n for n in (7, 1, 2, 3, 6, 8)}  # recorded numbers are varied
    assert made["held"](1) in {3, 1, 2, 4}


def test_calls_that_can_be_made_again_are_kept_first(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path, data=False, out=tmp_path)
    function = recorder.recorded("a.py", "f", lambda x: x)
    for size in range(20):
        function([iter(())] * size)
    for size in range(3):
        function(np.ones(size))
    (file,) = tmp_path.glob("*.jsonl")
    write(tmp_path / "calls", read(file))
    kept = read(tmp_path / "calls")
    assert [call.is_known for call in kept] == [True] * 4 + [False] * 4


def test_calls_that_lack_no_text_are_kept_first(tmp_path: Path) -> None:
    nodes = [{"secret": n} for n in range(1, 9)] + [{"text": "mode"}, {"opaque": "m.C"}]
    write(tmp_path / "calls", [Call("a.py", "f", {"x": node}) for node in nodes])
    kept = [call.arguments["x"] for call in read(tmp_path / "calls")]
    assert kept[0] == {"text": "mode"}
    assert len(kept) == 8
    assert {"opaque": "m.C"} not in kept
