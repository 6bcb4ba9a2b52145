"""Every kernel that a port holds compiles for GPUs: NVRTC, where its wheel is installed."""

from __future__ import annotations

import importlib.util
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gpuport.config import Config
from gpuport.host.kernels import nvrtc
from gpuport.host.kernels.declared import check_declared
from gpuport.passes.port import port_module
from gpuport.report.compiling import texts_of
from gpuport.source.reading import parse

pytest.importorskip("islpy")

ROOT = Path(__file__).parents[3]
RANDOM = 60


def cases() -> Iterator[tuple[Path, dict[str, Any]]]:
    """Programs with the configuration to port them with."""
    for path in sorted((ROOT / "tests" / "passes" / "cases").glob("*/before.py")):
        expected = json.loads((path.parent / "expected.json").read_text(encoding="utf-8"))
        yield path, expected.get("config", {})
    for folder in ("fixtures/pairs/*/before.py", "fixtures/programs/*/*.py"):
        for path in sorted(ROOT.glob(folder)):
            yield path, {}
    # The judge lies beside the checkout of those who develop gpuport.
    for path in sorted((ROOT.parent / "shared" / "acceptance").glob("cases/*/program.py")):
        yield path, {}


def compiled(text: str, wanted: tuple[int, ...] = nvrtc.WANTED) -> int:
    """Compile the kernels of a module, for both types; how many there are."""
    count = 0
    for dtype in ("float64", "float32"):
        for made in texts_of(text, dtype):
            parameters = [*made.in_params, *made.out_params]
            if "complex" in f"{made.operation}{[one.dtype for one in parameters]}":
                continue  # CuPy's own headers define these types; it is not a dependency
            results = check_declared(made, wanted)
            assert results, made.operation
            assert all(one.registers > 0 for one in results)
            count += 1
    return count


@pytest.fixture(scope="module", autouse=True)
def available() -> None:
    if not nvrtc.available():
        pytest.skip("NVRTC is not installed: pip install gpuport[nvrtc] (no GPU is needed)")


def test_an_architecture_of_each_generation_is_known() -> None:
    """NVRTC 13 has given up sm_70: those that it knows are compiled for."""
    assert {80, 90} <= set(nvrtc.architectures())


@pytest.mark.parametrize("part", range(3))
def test_kernels_of_ported_programs_compile(part: int) -> None:
    count = 0
    for path, config in list(cases())[part::3]:
        text = path.read_bytes().decode()
        if "for " not in text and "while " not in text:
            continue
        after = port_module(parse(path.name, text), Config(**config)).after
        if after is not None:
            count += compiled(after)
    assert count


@pytest.mark.parametrize("part", range(4))
def test_kernels_of_random_modules_compile(part: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "bench"))
    spec = importlib.util.find_spec("loop_ports")
    assert spec is not None
    assert spec.loader is not None
    ports = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "loop_ports", ports)
    spec.loader.exec_module(ports)
    count = 0
    for seed in range(part, RANDOM, 4):
        after = port_module(parse("module.py", ports.text_of(seed)), Config()).after
        if after is not None:
            count += compiled(after, (max(set(nvrtc.architectures()) & set(nvrtc.WANTED)),))
    assert count


def test_a_kernel_that_does_not_compile_is_told() -> None:
    """The check can fail."""
    text = (
        '@kernel("raw float64 x, int n", "raw float64 y", "y[k] = z[k]", over="k in range(n)")\n'
        "def f(x, n, y):\n    for k in range(n):\n        y[k] = x[k]\n"
    )
    with pytest.raises(Exception, match='identifier "z" is undefined'):
        compiled(text)


def test_kernels_of_functions_compile_for_both_types() -> None:
    ports = sorted((ROOT / "fixtures").glob("programs/*/ported/*.py"))
    assert sum(compiled(path.read_text("utf-8"), (80,)) for path in ports) > 5
