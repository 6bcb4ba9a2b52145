"""Hangs, crashes, memory, exits and prints stay in the worker and are put down to their side."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from gpuport.verify.records import Verdict, VerifyOptions

PLAIN = "def f(x: np.ndarray) -> np.ndarray:\n    return x * 2\n"
BOUND = '@device("x")\n'

ENDS = {
    "hang": "while True:\n        pass",
    "exit at once": "import os\n    os._exit(3)",
    "segmentation fault": "import ctypes\n    ctypes.string_at(0)",
    "sys.exit": "import sys\n    sys.exit(2)",
    "memory": "return bytearray(64 << 30)",
    "deep recursion": "return f(x)",
}


def function(body: str) -> str:
    return f"def f(x: np.ndarray) -> np.ndarray:\n    {body}\n"


@pytest.fixture
def options(tmp_path: Path) -> VerifyOptions:
    return VerifyOptions(root=tmp_path, examples=12, example_seconds=1.0)


@pytest.mark.parametrize("name", ENDS)
def test_what_ends_the_port_is_an_error(name: str, verify: Any, options: VerifyOptions) -> None:
    verdict = verify(PLAIN, function(ENDS[name]), options)["f"]
    assert verdict.verdict is Verdict.ERROR, verdict
    assert "the port" in verdict.reason


@pytest.mark.parametrize("name", ENDS)
def test_what_ends_the_original_is_its_own(name: str, verify: Any, options: VerifyOptions) -> None:
    verdict = verify(function(ENDS[name]), PLAIN, options)["f"]
    assert verdict.verdict is Verdict.UNTESTED, verdict
    assert "the original" in verdict.reason


def test_functions_after_a_crash_are_still_verified(verify: Any, options: VerifyOptions) -> None:
    good = "def g(x: np.ndarray) -> np.ndarray:\n    return x + {}\n"
    verdicts = verify(
        PLAIN + good.format("1"),
        function(ENDS["exit at once"]) + BOUND + good.format("1.0 + 0 * x"),
        options,
    )
    assert verdicts["f"].verdict is Verdict.ERROR
    assert verdicts["g"].evidence.drawn > 0


def test_prints_do_not_disturb_the_protocol(verify: Any) -> None:
    noisy = 'import os\n    print("{{}}" * 9)\n    os.write(1, b"text")\n    return x {}\n'
    verdict = verify(function(noisy.format("* 2")), BOUND + function(noisy.format("+ x")))["f"]
    assert verdict.verdict is Verdict.EQUIVALENT, verdict


def test_other_printed_text_differs(verify: Any) -> None:
    port = function('print("small")\n    return x * 2')
    verdict = verify(function('print("large")\n    return x * 2'), BOUND + port)["f"]
    assert verdict.verdict is Verdict.DIFFERS
    assert "printed" in verdict.reason


def test_files_are_written_in_a_scratch_folder(
    verify: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    body = 'open("out.txt", "w").write("text")\n    return x {}'
    verify(function(body.format("* 2")), BOUND + function(body.format("+ x")))
    assert not list((tmp_path / "here").iterdir())


def test_random_state_is_equal_on_both_sides(verify: Any) -> None:
    body = "import random\n    return x {} * np.random.rand() * random.random()"
    verdict = verify(function(body.format("* 1")), function(body.format("* 1.0")))["f"]
    assert verdict.verdict is Verdict.EQUIVALENT, verdict


def test_an_import_that_fails_is_named(verify: Any) -> None:
    original = "import no_such_module_here\n" + PLAIN
    verdict = verify(original, PLAIN.replace("2", "3"))["f"]
    assert verdict.verdict is Verdict.UNTESTED
    assert "no_such_module_here" in verdict.reason
