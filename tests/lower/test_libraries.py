"""Every function of real libraries lowers, and its IR is well formed."""

from __future__ import annotations

import sysconfig
from pathlib import Path

import numpy as np
import pytest

from gpuport.ir import check, opaque
from gpuport.lower import lower

STDLIB = Path(sysconfig.get_path("stdlib"))
LIBRARIES = (Path(np.__file__).parent, STDLIB)
#: Tests of Python's own that use its syntax in odd ways.
ODD = (
    "test_patma.py", "test_generators.py", "test_named_expressions.py", "test_scope.py",
    "test_except_star.py", "test_with.py", "test_fstring.py", "test_unpack_ex.py", "test_super.py",
    "test_coroutines.py", "test_grammar.py", "test_listcomps.py", "test_dynamicclassattribute.py",
)  # fmt: skip


def _files(folder: Path) -> list[Path]:
    left_out = {"test", "tests", "site-packages"}
    found = sorted(folder.rglob("*.py"))
    return [path for path in found if not left_out & set(path.relative_to(folder).parts)]


FILES = [path for folder in LIBRARIES for path in _files(folder)]
SYNTAX = [STDLIB / "test" / name for name in ODD if (STDLIB / "test" / name).exists()]


def _lowers(path: Path) -> None:
    try:
        module = lower(path.read_text(encoding="utf-8"), path.name)
    except (UnicodeDecodeError, SyntaxError):
        pytest.skip("it is meant not to parse")
    for function in module.functions:
        check(function)
    assert module.functions[0] is module.body
    assert all(op.attributes["reason"] for op in opaque(module))


@pytest.mark.sampled(40)
@pytest.mark.parametrize("path", FILES, ids=lambda path: "-".join(path.parts[-2:]))
def test_every_function_of_a_library_lowers(path):
    _lowers(path)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("path", SYNTAX, ids=lambda path: path.stem)
def test_every_function_of_tests_of_syntax_lowers(path):
    _lowers(path)
