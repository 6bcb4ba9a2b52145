"""The device that computes nothing."""

from __future__ import annotations

import ctypes

import pytest

from gpuport.rules.survey import standin


def test_c_signatures_are_read() -> None:
    returned, kinds = standin.parse("int (intptr_t, size_t, int __pyx_skip_dispatch)")
    assert returned is ctypes.c_int
    assert kinds == [ctypes.c_ssize_t, ctypes.c_size_t, None]
    assert standin.parse("PyObject *(void)") == (ctypes.py_object, [])


def test_a_stand_in_comes_before_cupy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(standin.sys.modules, "cupy", standin)
    with pytest.raises(RuntimeError, match="imported already"):
        standin.stand_in()
