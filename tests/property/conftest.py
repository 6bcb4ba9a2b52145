"""Run a program before and after its port, in this process, and say where the two differ."""

from __future__ import annotations

import contextlib
import importlib
import io
import linecache
import math
import os
import re
import sys
import textwrap
import traceback
import types
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gpuport import engine
from gpuport.config import Config
from gpuport.host import install, uninstall
from gpuport.passes.port import port_module
from gpuport.records import FileReport
from gpuport.source.reading import parse

RELATIVE = 1e-9
"""What the order of a sum may change; the host backend computes with NumPy."""


@dataclass(frozen=True)
class Outcome:
    """What one run of a program left behind."""

    arrays: dict[str, np.ndarray] | None
    stdout: str
    error: str | None
    trace: str


@dataclass(frozen=True)
class Examination:
    """A program, its port, and everything that is wrong with the port."""

    original: Outcome
    port: Outcome | None
    after: str
    report: FileReport | None
    faults: tuple[str, ...]


def run_program(source: str, name: str, target: Path) -> Outcome:
    """Execute a script as ``python SCRIPT TARGET`` would, within this process."""
    module = types.ModuleType("__main__")
    module.__file__ = name
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    previous, arguments = sys.modules["__main__"], sys.argv
    sys.modules["__main__"], sys.argv = module, [name, str(target)]
    output, error, trace = io.StringIO(), None, ""
    state = np.random.get_state()
    np.random.seed(12345)
    try:
        with contextlib.redirect_stdout(output), warnings.catch_warnings(), np.errstate():
            warnings.simplefilter("ignore")
            code = compile(source, name, "exec", dont_inherit=True)
            exec(code, module.__dict__)
    except Exception as raised:
        error, trace = f"{type(raised).__name__}: {raised}", traceback.format_exc()
    finally:
        sys.modules["__main__"], sys.argv = previous, arguments
        np.random.set_state(state)
    arrays = None
    if target.exists():
        with np.load(target, allow_pickle=True) as stored:
            arrays = {key: stored[key] for key in stored.files}
        target.unlink()
    return Outcome(arrays, output.getvalue(), error, trace)


def compare(want: Outcome, got: Outcome) -> Iterator[str]:
    """The differences that a user of the program would notice."""
    if got.error is not None and want.error is None:
        yield f"the port raises {got.error}"
        return
    if (want.error or "").split(":")[0] != (got.error or "").split(":")[0]:
        yield f"the original raises {want.error}, the port {got.error}"
    if not _same_text(want.stdout, got.stdout):
        yield f"printed {got.stdout!r}, not {want.stdout!r}"
    if (want.arrays is None) != (got.arrays is None):
        yield "only one of the two stored results"
    if want.arrays is None or got.arrays is None:
        return
    if list(want.arrays) != list(got.arrays):
        yield f"stored {list(got.arrays)}, not {list(want.arrays)}"
        return
    for key, expected in want.arrays.items():
        actual = got.arrays[key]
        if (expected.dtype, expected.shape) != (actual.dtype, actual.shape):
            yield (f"{key}: {actual.dtype}{actual.shape}, not {expected.dtype}{expected.shape}")
        elif not _equal(expected, actual):
            yield f"{key}: {actual!r}, not {expected!r}"


_DIGITS = re.compile(r"\d+\.\d*(?:e[+-]?\d+)?")


def _same_text(expected: str, actual: str) -> bool:
    """Whether two texts differ in nothing but the last digits of floating-point numbers."""
    if _DIGITS.sub("#", expected) != _DIGITS.sub("#", actual):
        return False
    pairs = zip(_DIGITS.findall(expected), _DIGITS.findall(actual), strict=True)
    return all(math.isclose(float(a), float(b), rel_tol=RELATIVE) for a, b in pairs)


def _equal(expected: np.ndarray, actual: np.ndarray) -> bool:
    if expected.dtype.kind in "fc":
        scale = np.finfo(expected.dtype).eps / np.finfo(np.float64).eps
        return bool(
            np.allclose(actual, expected, rtol=RELATIVE * scale, atol=1e-13 * scale, equal_nan=True)
        )
    if expected.dtype.hasobject:
        return repr(expected.tolist()) == repr(actual.tolist())
    return bool(np.array_equal(expected, actual, equal_nan=expected.dtype.kind in "mM"))


def examine_program(
    source: str,
    folder: Path,
    name: str = "program.py",
    boundary: str = "match",
    *,
    again: bool = True,
) -> Examination:
    """Run, port, run the port, port ``again``."""
    target, config = folder / "out.npz", Config(boundary=boundary)
    original = run_program(source, name, target)
    try:
        report = port_module(parse(name, source), config)
    except Exception:
        return Examination(original, None, "", None, (f"the tool: {traceback.format_exc()}",))
    after = source if report.after is None else report.after
    port = run_program(after, f"ported_{name}", target)
    faults = list(compare(original, port))
    if not again:
        return Examination(original, port, after, report, tuple(faults))
    try:
        second = port_module(parse(name, after), config)
    except Exception:
        faults.append(f"the tool, second pass: {traceback.format_exc()}")
    else:
        if second.after is not None and second.after != after:
            faults.append("a second pass changes the port")
    return Examination(original, port, after, report, tuple(faults))


def run_project(folder: Path) -> Outcome:
    """Run ``program.py`` of a folder, its other files modules beside it."""
    importlib.invalidate_caches()
    sys.path.insert(0, str(folder))
    without_files, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        text = (folder / "program.py").read_text()
        return run_program(text, "program.py", folder / "out.npz")
    finally:
        sys.dont_write_bytecode = without_files
        sys.path.remove(str(folder))
        for name, module in list(sys.modules.items()):
            if (getattr(module, "__file__", None) or "").startswith(f"{folder}{os.sep}"):
                del sys.modules[name]


def examine_project(texts: dict[str, str], folder: Path, *named: str) -> Examination:
    """As `examine_program`, for a folder of files; ``named`` are those to port, or all of them."""
    for name, text in texts.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    original = run_project(folder)
    before = Path.cwd()
    os.chdir(folder)
    try:
        report = engine.run(list(named) or ["."], Config())
        faults = [f"the tool: {file.error}" for file in report.files if file.error is not None]
        ported = {name: (folder / name).read_text() for name in texts}
        port = run_project(folder)
        faults += compare(original, port)
        engine.run(list(named) or ["."], Config())
        if ported != {name: (folder / name).read_text() for name in texts}:
            faults.append("a second run changes the port")
    finally:
        os.chdir(before)
    return Examination(original, port, "\n".join(ported.values()), None, tuple(faults))


# ---------------------------------------------------------------- snippets in several surroundings

INITIAL = """\
a = np.linspace(0.0, 1.0, 6)
b = np.linspace(1.0, 2.0, 6)
m = np.outer(np.linspace(0.0, 1.0, 3), np.linspace(1.0, 2.0, 4))
i = np.array([2, 0, 1, 4])
"""
WORK = """\
a = np.sin(a) + 1.5
b = np.cos(b) * 2.0
m = np.exp(-m)
i = np.floor(np.abs(i * 1.25)).astype(np.int64)
"""
AFTERWARDS = """\
a2 = np.exp(-a) * 2.0
b2 = np.exp(-b) * 2.0
m2 = np.exp(-m) * 2.0
i2 = np.sqrt(i * 2.0)
"""
HEAD = "import sys\nimport numpy as np\n\n\n"
FLATTEN = """

def flatten(value, name, out):
    if isinstance(value, dict):
        for key in value:
            flatten(value[key], name + str(key), out)
    elif isinstance(value, (list, tuple)):
        out[name + "_n"] = np.asarray(len(value))
        for k, item in enumerate(value):
            flatten(item, name + "_" + str(k), out)
    else:
        out[name] = np.asarray(value)
        print(name, type(value).__name__)


if __name__ == "__main__":
"""
CONTEXTS = ("parameters", "annotated", "locals", "script")


def surround(snippet: str, context: str) -> str:
    """A program around a snippet on the arrays a, b, m (2-D) and i (integers); r is its result."""
    indented = lambda text: textwrap.indent(text.strip("\n") + "\n", "    ")  # noqa: E731
    start, work, after, snippet = map(indented, (INITIAL, WORK, AFTERWARDS, snippet))
    result = "    return r, a2, b2, m2, i2\n"
    called = "    out = {}\n    flatten(f(%s), 'r', out)\n    np.savez(sys.argv[1], %s**out)\n"
    if context == "parameters":
        body = f"def f(a, b, m, i):\n    r = 0.0\n{work}{snippet}{after}{result}"
        return HEAD + body + FLATTEN + start + called % ("a, b, m, i", "a=a, b=b, m=m, i=i, ")
    if context == "annotated":
        typed = ", ".join(f"{name}: np.ndarray" for name in "abmi")
        body = f"def f({typed}):\n    r = 0.0\n{snippet}{after}{result}"
        return HEAD + body + FLATTEN + start + called % ("a, b, m, i", "a=a, b=b, m=m, i=i, ")
    if context == "locals":
        body = f"def f():\n    r = 0.0\n{start}{work}{snippet}{after}{result}"
        return HEAD + body + FLATTEN + called % ("", "")
    flat = textwrap.dedent(start + work + snippet + after)
    stored = "np.savez(sys.argv[1], a=a2, b=b2, m=m2, i=i2, r=np.asarray(r))\n"
    return f"{HEAD}r = 0.0\n{flat}print(type(r).__name__)\n{stored}"


@pytest.fixture(scope="module")
def host_backend() -> Iterator[None]:
    """``import cupy`` gives the host backend."""
    patch = pytest.MonkeyPatch()
    patch.setenv("GPUPORT_FALLBACK", "loops")
    install()
    yield
    uninstall()
    patch.undo()


@pytest.fixture
def examine(
    host_backend: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Any]:
    """Examine a program's text."""
    monkeypatch.chdir(tmp_path)  # where programs leave their files

    def run(source: str, name: str = "program.py", **options: Any) -> Examination:
        return examine_program(source, tmp_path, name, **options)

    return run


@pytest.fixture
def examine_files(host_backend: None, tmp_path: Path) -> Callable[..., Any]:
    """Examine a project, by the texts of its files."""

    def run(texts: dict[str, str], name: str, *named: str) -> Examination:
        (tmp_path / name).mkdir()
        return examine_project(texts, tmp_path / name, *named)

    return run


@pytest.fixture
def in_context() -> Callable[[str, str], str]:
    """The program around a snippet."""
    return surround
