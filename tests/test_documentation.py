"""The diffs that the documentation shows are those that the tool makes."""

from __future__ import annotations

import re
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gpuport.config import Config
from gpuport.passes.port import port_module
from gpuport.porter import port_text
from gpuport.records import RunReport
from gpuport.report import transfers
from gpuport.report.text import render
from gpuport.runtime import reset_stats, stats
from gpuport.source.reading import decode, parse

ROOT = Path(__file__).parents[1]

BEHIND = {
    "GRAVITY": """
print(step(np.zeros((50, 59)), np.ones((50, 60)), 0.1, 1.0).sum())
""",
    "def batches": """
def largest(n):
    x, y = np.arange(3.0 * n).reshape(n, 3), np.ones(n)
    found = 0.0
    for rows, values in batches(x, y, 4):
        found = max(found, float((rows.sum(axis=1) * values).max()))
    return found

print(largest(16))
""",
    "METHODS =": """
u = np.zeros((9, 9))
for _ in range(3):
    advance(0.1)
np.save("u.npy", u)
""",
}
"""What makes a program of an excerpt, by what the excerpt has."""

BEFORE = {
    "GRAVITY": """
GRAVITY = 9.81


""",
    "METHODS =": """
x = np.linspace(0.0, 1.0, 9)

def euler(u, dt):
    return u + dt * np.cos(u)

def heun(u, dt):
    return 0.5 * (u + euler(euler(u, dt), dt))

""",
}


def _shown(page: str) -> Iterator[str]:
    text = (ROOT / page).read_text("utf-8")
    yield from (match[1] for match in re.finditer(r"```diff\n(.*?)```", text, re.DOTALL))


def _diffs() -> list[tuple[str, str]]:
    """Those of a file that stands by itself, by their places; a kernel alone is of the first."""
    found = [(f"{page}-{k}", diff) for page in ("README.md", "docs/guide.md")
             for k, diff in enumerate(_shown(page))]  # fmt: skip
    return [(place, diff) for place, diff in found if re.search(r"^[- ]", diff, re.MULTILINE)
            and "ops." not in diff]  # fmt: skip


def _side(diff: str, mark: str) -> list[str]:
    return [line[1:] for line in diff.splitlines() if line[:1] in (" ", mark, "")]


def _around(texts: dict[str, str], excerpt: str) -> str:
    return "".join(text for words, text in texts.items() if words in excerpt)


@pytest.mark.parametrize(("place", "diff"), _diffs(), ids=[place for place, _ in _diffs()])
def test_a_diff_is_what_the_tool_makes(place: str, diff: str) -> None:
    excerpt = "\n".join(_side(diff, "-"))
    numpy = "" if "import numpy" in excerpt else "import numpy as np\n\n"
    text = numpy + _around(BEFORE, excerpt) + excerpt + "\n" + _around(BEHIND, excerpt)
    ported = port_module(parse("program.py", text), Config()).after
    assert ported is not None
    lines = iter([line.rstrip() for line in ported.splitlines()])
    missing = [one for one in _side(diff, "+") if one.strip() and one.rstrip() not in lines]
    assert not missing, ported


def test_the_kernel_of_the_guide_is_that_of_the_first_page() -> None:
    (first,) = _shown("README.md")
    (kernel,) = (diff for diff in _shown("docs/guide.md") if "raw T u" in diff)
    assert kernel in first


def _told(page: str, beginning: str) -> str:
    """The text that a page shows and that begins so."""
    text = (ROOT / page).read_text("utf-8")
    (found,) = (one for one in re.findall(r"```text\n(.*?)```", text, re.DOTALL)
                if one.startswith(beginning))  # fmt: skip
    return found


def test_the_report_of_the_guide_is_that_of_the_tool() -> None:
    program = (ROOT / "fixtures/programs/heat2d/heat2d.py").read_bytes()
    config = Config(dry_run=True)
    report = RunReport((port_text("heat2d.py", decode(program), config),))
    assert _told("docs/guide.md", "heat2d.py") == render(report, config)


def test_the_transfers_of_the_command_line_are_those_of_the_tool() -> None:
    (diff,) = _shown("README.md")
    report = port_module(parse("heat.py", "\n".join(_side(diff, "-"))), Config(dry_run=True))
    table = "".join(line + "\n" for line in transfers.table(RunReport((report,))))
    assert _told("docs/cli.md", "Transfers:") == table


def _of_the_runtime(word: str) -> Any:
    """The module that the page on the runtime shows with this word in it."""
    page = (ROOT / "docs" / "runtime.md").read_text("utf-8")
    shown = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    (text,) = (one for one in shown if word in one)
    module = types.ModuleType("shown")
    reset_stats()
    exec(compile(text, "shown.py", "exec"), vars(module))
    return module


def test_the_boundary_of_the_runtimes_page(emulated: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GPUPORT_FROM_SIZE")
    blurred = _of_the_runtime("from_size=30_000").blurred
    rng = np.random.default_rng(0)
    for shape, other in (((4, 4), (4, 4)), ((200, 160), (200, 160)), ((200, 160), (3, 3))):
        image, psf = rng.random(shape), rng.random(other)
        if shape != other:
            with pytest.raises(ValueError, match="broadcast"):
                blurred(image, psf)
            continue
        expected = np.fft.irfft2(np.fft.rfft2(image) * np.fft.rfft2(psf), shape)
        np.testing.assert_allclose(blurred(image, psf), expected)
    found = stats()["shown.blurred"]
    assert (found.device, found.host) == (1, 2)
    assert found.reason == "not image.shape == psf.shape"


def test_the_kernel_of_the_runtimes_page(emulated: Any) -> None:
    module = _of_the_runtime("def _relax")
    u, source = np.random.default_rng(1).random((2, 9, 8))
    expected = module.relax.__wrapped__(u.copy(), source, 0.1, 3)
    assert (stats()["shown._relax"].device, stats()["shown._relax"].host) == (0, 3)
    np.testing.assert_array_equal(module.relax(u, source, 0.1, 3), expected)
    assert stats()["shown._relax"].device == 3
