"""Hooks in functions for a while."""

from __future__ import annotations

import ast
import importlib.util
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from gpuport.verify.sides.instrument import call_of, instrumented
from gpuport.verify.sides.sides import Side


class _Doubled(ast.NodeTransformer):
    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        return call_of("__doubled__", node, [node])


def test_what_has_several_names_is_put_back(tmp_path: Path) -> None:
    file = tmp_path / "named_twice.py"
    file.write_text("def f():\n    return 3\n\n\ng = f\n")
    spec = importlib.util.spec_from_file_location("named_twice", file)
    assert spec is not None
    assert spec.loader is not None
    module: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    side = cast(Side, SimpleNamespace(file=file, module=module, instruments=()))
    with instrumented(side, _Doubled, "__doubled__", lambda value: 2 * value):
        assert module.f() == 6
    assert module.f() == module.g() == 3
