"""Importing a module takes no work to the device; its functions take what they need there."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.passes.conftest import port

from gpuport.config import Config
from gpuport.porter import port_text
from gpuport.source.layout import Files
from gpuport.source.reading import decode

COLORS = """\
import numpy as np

TO_XYZ = np.array([[0.4, 0.35, 0.18], [0.21, 0.71, 0.07], [0.02, 0.12, 0.95]])
{made}


def to_rgb(image: np.ndarray):
    return np.clip(image @ MADE, 0.0, 1.0) + np.sqrt(image)
"""
MADE = {
    "an inverse": "MADE = np.linalg.inv(TO_XYZ)",
    "a product": "MADE = np.linalg.inv(TO_XYZ @ np.diag(np.exp(TO_XYZ[0])))",
    "a series": "MADE = sum(np.linalg.matrix_power(TO_XYZ, k) for k in range(9))",
}


@pytest.mark.parametrize("made", MADE.values(), ids=MADE)
def test_what_a_module_works_out_when_it_is_imported_stays(made: str):
    report = port(COLORS.format(made=made))
    top, _, function = (report.after or "").partition("@device(")
    assert "cp.clip(image @ cp.asarray(MADE)" in function
    assert "cp." not in top
    assert any(f.code == "GP405" and "imported" in f.message for f in report.findings)


def test_a_module_that_calls_something_is_none_that_runs_where_others_import_it(tmp_path: Path):
    text = COLORS.format(made=f"print('colors')\n{MADE['an inverse']}")
    path = tmp_path / "colors.py"
    path.write_text(text)

    def top() -> str:
        after = port_text(str(path), decode(text.encode()), Config(), files=Files()).after or ""
        return after.partition("@device(")[0]

    assert "cp.linalg.inv" in top()
    Path(tmp_path, "shown.py").write_text("from colors import to_rgb\n")
    assert "cp." not in top()
