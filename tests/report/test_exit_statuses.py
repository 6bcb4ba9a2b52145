"""What makes the exit status of a run 1 is printed in every form of the report."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

from gpuport.config import OUTPUT_FORMATS, Config
from gpuport.engine import exit_status
from gpuport.porter import port_text
from gpuport.records import Finding, RunReport, Severity, Span
from gpuport.report.formats import render
from gpuport.source.reading import decode

CHANGED = "import numpy as np\n\n\ndef wave(x: np.ndarray):\n    return np.sin(x)\n"
REFUSED = "import numpy as np\n\n\ndef kept(x: np.ndarray):\n    return np.piecewise(x, 1, [0])\n"
SUPPRESSED = CHANGED + "# gpuport: ignore[GP1, GP4]\n"
PLAIN = "import numpy as np\n"
ERROR = Finding("GP914", Severity.ERROR, Span(4, 1, 4, 1), "another result", "wave")
SETTINGS: list[dict[str, object]] = [
    {},
    {"quiet": True},
    {"verbose": True, "diff": True},
    {"quiet": True, "diff": True},
    {"quiet": True, "select": ("GP2",)},
    {"verbose": True, "ignore": ("GP",)},
    {"quiet": True, "ignore": ("GP109",), "diff": True},
]


@pytest.mark.parametrize("form", OUTPUT_FORMATS)
@pytest.mark.parametrize("text", [CHANGED, REFUSED, SUPPRESSED, PLAIN])
@pytest.mark.parametrize("error", [False, True])
def test_what_makes_the_exit_status_one_is_printed(form: str, text: str, error: bool):
    for settings, dry_run in product(SETTINGS, (False, True)):
        config = Config(dry_run=dry_run, output_format=form, **settings)  # type: ignore[arg-type]
        file = port_text("a.py", decode(text.encode()), config)
        if error and config.reports("GP914"):
            file = replace(file, findings=(*file.findings, ERROR))
        report = RunReport((file,))
        said = render(report, config)
        to_port = file.changed and dry_run
        assert exit_status(report, config) == (to_port or ERROR in file.findings)
        assert ("GP914" in said) == (ERROR in file.findings)
        if to_port:
            assert "GP109" in said or "+import cupy as cp" in said
            assert form not in ("json", "sarif", "github") or "GP109" in said
        else:
            assert "GP109" not in said


def test_the_functions_to_port_are_named():
    text = CHANGED + "".join(f"\n\ndef f{k}(x: np.ndarray):\n    return np.sin(x)\n" for k in "abc")
    config = Config(dry_run=True, output_format="concise")
    report = RunReport((port_text("a.py", decode(text.encode()), config),))
    assert (
        render(report, config) == "a.py:4:1: GP109 `wave`, `fa`, `fb` and 1 more would be ported\n"
    )
