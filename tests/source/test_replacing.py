"""Functions of libraries that a program replaces are none of the libraries' any more."""

from __future__ import annotations

import ast

import pytest
from tests.passes.conftest import port

from gpuport.source.layout import Files, Layout
from gpuport.source.replacing import replaced_around, replacements
from gpuport.source.scoping import build_scopes

HEAD = "import math, sys\nimport numpy as np\nfrom numpy import linalg as la\n"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("np.sqrt = f", {"numpy.sqrt"}),
        ("la.norm, x = f, 1", {"numpy.linalg.norm"}),
        ("del np.sqrt", {"numpy.sqrt"}),
        ("with f() as np.sqrt: pass", {"numpy.sqrt"}),
        ("def install():\n    math.sin = f", {"math.sin"}),
        ("setattr(np, 'sqrt', f)", {"numpy.sqrt"}),
        ("setattr(np, name, f)", {"numpy"}),
        ("np.__dict__['sqrt'] = f", {"numpy.sqrt"}),
        ("vars(np).update(found)", {"numpy"}),
        ("sys.modules['numpy'] = f", {"numpy"}),
        ("with mock.patch('numpy.sqrt', f): pass", {"numpy.sqrt"}),
        ("@mock.patch.object(np, 'sqrt')\ndef g(): pass", {"numpy.sqrt"}),
        ("def test(monkeypatch):\n    monkeypatch.setattr(np, 'sqrt', f)", {"numpy.sqrt"}),
        ("s = np.sqrt\nnp.sqrt = s", {"numpy.sqrt"}),
        ("x.sqrt = np.sqrt\nx[0] = np.sqrt(2.0)\nsetattr(x, 'sqrt', 1)\nnp = x", set()),
    ],
)
def test_what_is_replaced_is_found(text, names):
    root = build_scopes(ast.parse(HEAD + text))
    assert {path for path, _ in replacements(root)} == names


REPLACING = """import math
import numpy as np
{replaced}

def work(x):
    return np.exp(x) * np.sin(x) + x

def loop(x):
    y = np.empty(len(x))
    for i in range(len(x)):
        y[i] = {called}(x[i]) * 2.0
    return y

def other(x):
    return np.cos(x) * np.tan(x) + x
"""


@pytest.mark.parametrize(
    ("replaced", "called"),
    [("np.exp = print", "np.exp"), ("setattr(np, 'exp', print)\nmath.exp = print", "math.exp")],
)
def test_its_calls_stay_and_all_else_is_ported(replaced, called):
    found = port(REPLACING.format(replaced=replaced, called=called))
    text = found.after or ""
    assert "np.exp(x) * np.sin(x)" in text
    assert "Kernel" not in text
    assert "cp.cos(x) * cp.tan(x)" in text
    assert "GP108" in {one.code for one in found.findings}


def test_what_is_replaced_in_modules_that_it_imports_counts(tmp_path):
    (tmp_path / "patches.py").write_text("import numpy as np\nnp.exp = print\n")
    (tmp_path / "between.py").write_text("import patches\n")
    file = tmp_path / "work.py"
    file.write_text("import between\nimport numpy as np\n")
    files = Files(Layout.of([file]))
    assert replaced_around(files, file) == {"numpy.exp"}
    assert replaced_around(files, tmp_path / "patches.py") == frozenset()
