"""The public names of a package, in an interpreter that has no gpuport."""

from __future__ import annotations

import json
import re
import subprocess
import sys

from gpuport.rules.generate import render
from gpuport.rules.survey import command


def test_introspecting_twice_gives_the_same_text() -> None:
    line = command(sys.executable, "names", "numpy")
    runs = [subprocess.run(line, capture_output=True, check=True).stdout for _ in range(2)]
    assert runs[0] == runs[1]
    text = render(json.loads(runs[0]))
    assert not re.search(r"0x[0-9a-f]{6}", text)
    entries = json.loads(text)["entries"]
    assert entries["numpy.sum"]["parameters"][0] == ["a", "pk"]
