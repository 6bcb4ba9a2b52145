"""Run the verifier on two versions of a module given as text."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gpuport.recording.calls import PLACE, Call, write
from gpuport.recording.describe import describe
from gpuport.verify.records import FunctionVerdict, VerifyOptions, VerifyReport
from gpuport.verify.sessions.session import verify_paths

ORIGINAL_HEAD = "import math\nimport numpy as np\n"
PORT_HEAD = (
    "import math\nimport cupy as cp\nimport numpy as np\nfrom gpuport.runtime import device\n"
)

Verify = Callable[..., dict[str, FunctionVerdict]]


def run(
    folder: Path, original: str, port: str, options: VerifyOptions | None = None
) -> VerifyReport:
    for name, head, text in (("old", ORIGINAL_HEAD, original), ("new", PORT_HEAD, port)):
        (folder / name).mkdir(exist_ok=True)
        body = head + textwrap.dedent(text)
        (folder / name / "module.py").write_text(body, encoding="utf-8")
    options = options or VerifyOptions(root=folder, examples=25)
    return verify_paths([folder / "new"], str(folder / "old"), options)


@pytest.fixture
def verify(tmp_path: Path) -> Verify:
    def verdicts(
        original: str, port: str, options: VerifyOptions | None = None
    ) -> dict[str, FunctionVerdict]:
        report = run(tmp_path, original, port, options)
        assert not report.failed, report
        return {function.name: function for function in report.functions()}

    return verdicts


@pytest.fixture
def recorded(tmp_path: Path) -> Callable[..., None]:
    """Puts down a call of a function of the module, as a recording does."""

    def write_call(function: str, instance: Any = None, **arguments: Any) -> None:
        nodes = {name: describe(value, ("full",)) for name, value in arguments.items()}
        write(tmp_path / PLACE, [Call("new/module.py", function, nodes, instance)])

    return write_call


@pytest.fixture(scope="module")
def wanted(request: pytest.FixtureRequest) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """Of the cases of a module, those whose tests are run: all are verified together."""
    tests = [item for item in request.session.items if item.path == request.path]
    names = {item.callspec.params.get("name") for item in tests if hasattr(item, "callspec")}
    return lambda cases: {name: case for name, case in cases.items() if name in names}


@pytest.fixture(scope="session")
def run_verify() -> Callable[..., VerifyReport]:
    return run
