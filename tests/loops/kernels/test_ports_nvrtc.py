"""Every kernel that a port holds compiles for GPUs: NVRTC, where its wheel is installed."""

from __future__ import annotations

import ast
import importlib.util
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gpuport.config import Config
from gpuport.host.kernels import nvrtc
from gpuport.host.kernels.declared import check_declared, elementwise
from gpuport.passes.port import port_module
from gpuport.runtime.kernels.declared import Declared, declared
from gpuport.runtime.kernels.text import KEYWORDS, Instance
from gpuport.runtime.kernels.text import elementwise as text_of
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


def definitions(text: str) -> list[str]:
    """The kernels that a module makes."""
    return [
        ast.unparse(node.value)
        for node in ast.parse(text).body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)
        if ast.unparse(node.value.func).endswith("ElementwiseKernel")
    ]


def compiled(text: str, wanted: tuple[int, ...] = nvrtc.WANTED) -> int:
    """Compile the kernels of a module; how many there are."""
    found = definitions(text)
    for definition in found:
        if "complex" in definition or "float16" in definition:
            continue  # CuPy's own headers define these types; it is not a dependency
        results = check_declared(elementwise(definition), wanted)
        assert results, definition
        assert all(one.registers > 0 for one in results)
    return len(found)


@pytest.fixture(scope="module", autouse=True)
def available() -> None:
    if not nvrtc.available():
        pytest.skip("NVRTC is not installed: pip install gpuport[nvrtc] (no GPU is needed)")


def test_an_architecture_of_each_generation_is_known() -> None:
    """NVRTC 13 has given up sm_70: those that it knows are compiled for."""
    assert {80, 90} <= set(nvrtc.architectures())


@pytest.mark.parametrize("part", range(3))
def test_kernels_of_ported_programs_compile(part: int, emulated: Any) -> None:
    count = 0
    for path, config in list(cases())[part::3]:
        text = path.read_bytes().decode()
        if "for " not in text and "while " not in text:
            continue
        after = port_module(parse(path.name, text), Config(**config)).after
        if after is not None:
            count += compiled(after) + compiled_functions(after, emulated)
    assert count


@pytest.mark.parametrize("part", range(4))
def test_kernels_of_random_modules_compile(
    part: int, monkeypatch: pytest.MonkeyPatch, emulated: Any
) -> None:
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
            count += compiled_functions(after, emulated)
    assert count


def test_a_kernel_that_does_not_compile_is_told() -> None:
    """The check can fail."""
    text = 'k = cp.ElementwiseKernel("raw float64 x", "raw float64 y", "y[i] = z[i]", "k")'
    with pytest.raises(Exception, match='identifier "z" is undefined'):
        compiled(text)


def functions(text: str) -> Iterator[Declared]:
    """The functions of a port that are kernels."""
    for node in ast.parse(text).body:
        decorator = node.decorator_list[-1:] if isinstance(node, ast.FunctionDef) else []
        for call in decorator:
            if isinstance(call, ast.Call) and ast.unparse(call.func).endswith("kernel"):
                assert isinstance(node, ast.FunctionDef)
                node.decorator_list = []
                space: dict[str, Any] = {}
                exec(compile(ast.Module([node], []), "<port>", "exec"), space)
                given = [ast.literal_eval(one) for one in call.args]
                words = {k.arg: ast.literal_eval(k.value) for k in call.keywords}
                names = ("over", "where", "returns", "preamble", "within", "then",
                         "first", "before")  # fmt: skip
                yield declared(space[node.name], *given, *(words.get(name, "") for name in names))


def compiled_functions(text: str, emulated: Any) -> int:
    """Compile the functions of a module that are kernels, for both types; how many there are."""
    count = 0
    for one in functions(text):
        if "complex" in f"{one.body}{[parameter.type for parameter in one.parameters]}":
            continue
        if not KEYWORDS.isdisjoint(parameter.name for parameter in one.parameters):
            continue  # the check counts indices by the parameter's name, which the text has not
        count += 1
        weak = frozenset(p.name for p in one.inputs if p.type == "float")
        numbers = tuple((name, "float") for name in one.numbers)
        generic = any(p.generic for p in one.parameters)
        for dtype in ("float32", "float64") if generic else ("float64",):
            for first in (False, True)[: 1 + bool(one.first)]:
                instance = Instance(dtype, frozenset(), weak, numbers)
                made = text_of(one, instance, emulated, first=first)
                assert all(found.registers for found in check_declared(made, (80,)))
    return count


def test_functions_that_are_kernels_compile_for_both_types(emulated: Any) -> None:
    ports = sorted((ROOT / "fixtures").glob("programs/*/ported/*.py"))
    assert sum(compiled_functions(path.read_text("utf-8"), emulated) for path in ports) > 5
