"""The runner of CuPy's own tests."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

HERE = Path(__file__).resolve().parent
collect_ignore = ["plugin.py", "run.py", "sitecustomize.py"]


@pytest.fixture(scope="session")
def conformance() -> ModuleType:
    """The runner, ``run.py``."""
    return load_runner()


def load_runner() -> ModuleType:
    """Import ``run.py`` from its path: tests are no package."""
    name = "gpuport_conformance_run"
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, HERE / "run.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
    return sys.modules[name]
