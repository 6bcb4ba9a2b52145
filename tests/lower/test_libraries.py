"""Every function of real libraries lowers, and its IR is well formed."""

from __future__ import annotations

import sysconfig
from pathlib import Path

import numpy as np
import pytest

from gpuport.ir import check, opaque
from gpuport.lower import lower

STDLIB = Path(sysconfig.get_path("stdlib"))
LIBRARIES = {
    "numpy": Path(np.__file__).parent,
    "standard library": STDLIB,
    "its tests of syntax": STDLIB / "test",
}
#: Tests of Python's own that use its syntax in odd ways.
ODD = (
    "test_patma.py", "test_generators.py", "test_named_expressions.py", "test_scope.py",
    "test_except_star.py", "test_with.py", "test_fstring.py", "test_unpack_ex.py", "test_super.py",
    "test_coroutines.py", "test_grammar.py", "test_listcomps.py", "test_dynamicclassattribute.py",
)  # fmt: skip
PART = 60


def _files(library: str) -> list[Path]:
    folder = LIBRARIES[library]
    if library == "its tests of syntax":
        return [folder / name for name in ODD if (folder / name).exists()]
    found = sorted(folder.rglob("*.py"))
    left_out = {"test", "tests", "site-packages"}
    found = [path for path in found if not left_out & set(path.relative_to(folder).parts)]
    return found[::PART]


@pytest.mark.parametrize("library", LIBRARIES)
def test_every_function_of_a_library_lowers(library):
    seen = 0
    for path in _files(library):
        try:
            text = path.read_text(encoding="utf-8")
            module = lower(text, path.name)
        except (UnicodeDecodeError, SyntaxError):
            continue  # a few files are meant not to parse
        for function in module.functions:
            check(function)
        seen += len(module.functions)
        assert all(op.attributes["reason"] for op in opaque(module))
    if library != "its tests of syntax":
        assert seen > 100
