"""Calls are recorded in tests, scripts and modules, without changing what the program does."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from gpuport.recording.calls import PER_FUNCTION, Call, append, read, write
from gpuport.recording.command import INTERRUPTED, RecordingFailed, record
from gpuport.recording.describe import describe
from gpuport.recording.hook import Recorder

MODULE = '''"""A module."""
import functools
import numpy as np

TABLE = {}


def register(f):
    TABLE[f.__name__] = f
    return f


@register
def smooth(x, mode="same", *, weight=0.5):
    if mode == "same":
        return x * weight
    raise ValueError(mode)


class Filter:
    def __init__(self, width):
        self.width = width

    def push(self, x):
        return x[: self.width]

    @staticmethod
    def twice(x):
        return 2 * x

    @property
    def half(self):
        return self.width / 2


if __name__ == "__main__":
    import sys

    print(smooth(np.ones(3)).sum(), sys.argv[1:])
    print(Filter(2).push(np.arange(5)), Filter.twice(np.ones(2)), Filter(4).half)
'''

TESTS = """import numpy as np
import pytest
from module import TABLE, Filter, smooth


def test_smooth():
    a = np.arange(6.0)
    for n in range(1, 20):
        assert smooth(np.ones(n)).shape == (n,)
    assert TABLE["smooth"](a, weight=2.0)[1] == 2
    with pytest.raises(ValueError):
        smooth(a, "a password")


def test_filter():
    assert list(Filter(2).push(np.arange(5))) == [0, 1]
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "module.py").write_text(MODULE, encoding="utf-8")
    (tmp_path / "test_module.py").write_text(TESTS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def by_function(path: Path) -> dict[str, list[Call]]:
    found: dict[str, list[Call]] = {}
    for call in read(path):
        found.setdefault(call.function, []).append(call)
    return found


def test_tests_are_recorded(project: Path) -> None:
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    outcome = record(words, project, None, data=False)
    assert outcome.status == 0
    calls = by_function(outcome.path)
    assert len(calls["smooth"]) == PER_FUNCTION
    shapes = [c.arguments["x"]["array"]["shape"] for c in calls["smooth"]]
    assert [1] in shapes
    (push,) = calls["Filter.push"]
    assert push.instance == {
        "object": {"class": "module:Filter", "attributes": {"width": {"int": 2}}}
    }
    assert push.arguments["x"]["array"]["high"] == 4
    assert not list(project.rglob("module*.pyc"))


def test_a_script_prints_what_it_prints_without_recording(project: Path) -> None:
    plain = subprocess.run(
        [sys.executable, "module.py", "one"], capture_output=True, text=True, check=True
    ).stdout
    code = (
        "from pathlib import Path; from gpuport.recording.command import record; "
        f"record([{sys.executable!r}, 'module.py', 'one'], Path('.'), None, False)"
    )
    recorded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout
    assert recorded == plain
    assert set(by_function(project / ".gpuport" / "calls.jsonl")) == {
        "register", "smooth", "Filter.push", "Filter.twice", "Filter.half",
    }  # fmt: skip


def test_nothing_secret_is_kept(project: Path) -> None:
    code = "import module, numpy as np\ntry:\n    module.smooth(np.pi * np.ones(2), 'hunter2')\n"
    (project / "run.py").write_text(code + "except ValueError:\n    pass\n", encoding="utf-8")
    outcome = record([sys.executable, "run.py"], project, None, data=False)
    (call,) = by_function(outcome.path)["smooth"]
    assert call.raised == "ValueError"
    assert "hunter2" not in outcome.path.read_text(encoding="utf-8")
    assert call.arguments["mode"] == {"secret": 7}
    assert "data" not in call.arguments["x"]["array"]


def test_a_second_recording_adds_to_the_first(project: Path) -> None:
    for n in (2, 3):
        code = f"import module, numpy as np\nmodule.smooth(np.ones({n}))\n"
        (project / "run.py").write_text(code, encoding="utf-8")
        outcome = record([sys.executable, "run.py"], project, None, data=False)
    assert len(by_function(outcome.path)["smooth"]) == 2


def test_a_command_that_is_not_there(project: Path) -> None:
    with pytest.raises(RecordingFailed, match="no-such-command"):
        record(["no-such-command"], project, None, data=False)


@pytest.mark.parametrize(
    ("value", "traits"),
    [
        (np.arange(5.0), {"integral", "sorted"}),
        (np.array([0.25, 0.5, 0.25]), {"sums"}),
        (np.eye(3) + 0.1, {"definite"}),
        (np.array([3.5, -1.0]), set()),
    ],
)
def test_properties_of_arrays_are_described(value: np.ndarray, traits: set[str]) -> None:
    node = describe(value, ())["array"]
    assert {t for t in ("integral", "sorted", "sums", "definite") if node.get(t)} == traits
    assert json.loads(json.dumps(node)) == node


def test_another_form_is_not_read(tmp_path: Path) -> None:
    file = tmp_path / "calls.jsonl"
    file.write_text('{"schema": 99}\n{}\n', encoding="utf-8")
    assert read(file) == []
    write(file, [Call("a.py", "f", {"x": {"int": 1}})])
    assert read(file) == [Call("a.py", "f", {"x": {"int": 1}})]


def test_what_a_decorator_made_of_a_function_is_left_alone() -> None:
    class Compiled:
        def __call__(self) -> int:
            return 1

    recorder = Recorder(Path.cwd(), False)
    compiled = Compiled()
    assert recorder.recorded("a.py", "f", compiled) is compiled
    assert recorder.recorded("a.py", "f", print) is print


def test_a_notebook_is_run_cell_by_cell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "module.py").write_text(MODULE)
    cells = [
        ("markdown", ["# A title?"]),
        ("code", ["%matplotlib inline\n", "import numpy as np\n", "from module import smooth"]),
        ("code", ["%%bash\n", "exit 3"]),
        ("code", ["if True:\n", "    !ls\n", "smooth?\n", "x = smooth(np.ones(4))\n", "x"]),
        ("code", "display(x.sum(), '%d ?' % 3)\nopen('told.txt', 'w').write(str(x.sum()))"),
    ]
    notebook = {
        "nbformat": 4, "nbformat_minor": 5, "metadata": {},
        "cells": [{"cell_type": kind, "source": source} for kind, source in cells],
    }  # fmt: skip
    (tmp_path / "book.ipynb").write_text(json.dumps(notebook))
    monkeypatch.chdir(tmp_path)
    recorded = record(["book.ipynb"], tmp_path, None, data=False)
    assert recorded.status == 0
    assert (tmp_path / "told.txt").read_text() == "2.0"
    assert "smooth" in {call.function for call in read(recorded.path)}


def test_tables_of_pandas_are_described_by_what_makes_one_like_them() -> None:
    pandas = pytest.importorskip("pandas")
    times = pandas.date_range("2021-03-01", periods=5, freq="D", tz="UTC")
    node = describe(pandas.Series(np.arange(5.0), index=times), ())["made"]
    assert node["call"] == "pandas:Series"
    assert node["arguments"]["data"]["array"]["shape"] == [5]
    index = node["arguments"]["index"]["made"]["arguments"]
    assert index["periods"] == {"int": 5}
    assert index["freq"] == {"text": "D"}
    assert "2021" not in json.dumps(node)  # when it was is the program's own affair


class Table(dict):  # type: ignore[type-arg]
    """A dictionary with attributes of its own."""


def test_of_a_long_list_of_things_alike_some_are_described() -> None:
    node = describe([np.ones((20, 4)) for _ in range(60)], ())
    assert len(node["list"]) == 40
    assert node["list"][0]["array"]["shape"] == [20, 4]
    assert "opaque" in describe([1.0] * 50 + [None], ())
    assert "opaque" in describe((1.0,) * 50, ())


def test_dictionaries_of_a_class_keep_their_items() -> None:
    value = Table(a=1.0)
    value.unit = "m"
    node = describe(value, ("m",))["object"]
    assert node["attributes"] == {"unit": {"text": "m"}}
    assert node["items"] == [["a", {"float": (1.0).hex()}]]


LONG = """
import os, signal, sys, time
import numpy as np
import module

module.smooth(np.ones(3))
if os.fork() == 0:
    module.smooth(np.ones(5))
    os._exit(0)
os.wait()
print("begun", flush=True)
{ending}
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes cannot be forked here")
def test_what_was_recorded_outlives_a_process_that_is_killed(project: Path) -> None:
    ending = "os.kill(os.getpid(), signal.SIGKILL)"
    (project / "run.py").write_text(LONG.replace("{ending}", ending), encoding="utf-8")
    outcome = record([sys.executable, "run.py"], project, None, data=False)
    assert outcome.status == -signal.SIGKILL
    shapes = [c.arguments["x"]["array"]["shape"] for c in by_function(outcome.path)["smooth"]]
    assert sorted(shapes) == [[3], [5]]


def _heed_interrupts() -> None:
    """What a shell starts in the background ignores them, and so does all that it starts."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes cannot be forked here")
def test_an_interrupted_command_keeps_its_recording(project: Path) -> None:
    (project / "run.py").write_text(LONG.replace("{ending}", "time.sleep(60)"), encoding="utf-8")
    words = [sys.executable, "-m", "gpuport", "record", "--", sys.executable, "run.py"]
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, start_new_session=True,
        preexec_fn=_heed_interrupts,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        os.killpg(process.pid, signal.SIGINT)  # as the terminal does
        assert process.wait() == INTERRUPTED
    assert len(by_function(project / ".gpuport" / "calls.jsonl")["smooth"]) == 2


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes cannot be forked here")
def test_what_is_recorded_ends_with_a_command_that_is_terminated(project: Path) -> None:
    ending = "print(os.getpid(), flush=True); time.sleep(60)"
    (project / "run.py").write_text(LONG.replace("{ending}", ending), encoding="utf-8")
    words = [sys.executable, "-m", "gpuport", "record", "--", sys.executable, "run.py"]
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        preexec_fn=_heed_interrupts,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        recorded = int(process.stdout.readline())
        process.terminate()
        process.wait()
    with pytest.raises(ProcessLookupError):
        os.kill(recorded, 0)
    assert len(by_function(project / ".gpuport" / "calls.jsonl")["smooth"]) == 2


def test_half_a_line_costs_no_other(tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    for size in (1, 2):
        node = {"array": {"dtype": "float64", "shape": [size]}}
        append(path, Call("m.py", "f", {"x": node}))
    text = path.read_text(encoding="utf-8")
    path.write_text(text[:-9], encoding="utf-8")
    assert [c.arguments["x"]["array"]["shape"] for c in read(path)] == [[1]]


def test_texts_of_a_subclass_are_its_own_files(project: Path) -> None:
    base = "class Base:\n    def run(self, x):\n        return x * len(self.kind)\n"
    own = "from base import Base\n\n\nclass Own(Base):\n    kind = None\n\n"
    own += "    def __init__(self):\n        self.kind = 'spherical'\n"
    (project / "base.py").write_text(base, encoding="utf-8")
    (project / "own.py").write_text(own, encoding="utf-8")
    (project / "run.py").write_text("import own\nown.Own().run(1.0)\n", encoding="utf-8")
    outcome = record([sys.executable, "run.py"], project, None, data=False)
    (call,) = by_function(outcome.path)["Base.run"]
    assert call.instance is not None
    assert call.instance["object"]["attributes"]["kind"] == {"text": "spherical"}
