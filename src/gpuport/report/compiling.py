"""What NVRTC says of the kernels of a port: they are compiled for GPUs, and no GPU is needed."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from types import SimpleNamespace
from typing import Any

from gpuport.host.kernels import nvrtc
from gpuport.host.kernels.declared import check_declared
from gpuport.host.kernels.elementwise import ElementwiseKernel
from gpuport.host.kernels.errors import CompileException
from gpuport.runtime.kernels.declared import Declared, declared
from gpuport.runtime.kernels.text import KEYWORDS, Instance, elementwise

_WITH_OBJECTS = SimpleNamespace(ElementwiseKernel=ElementwiseKernel)
"""What stands for CuPy where a text is written and not launched."""


def compiled(kernels: Iterable[tuple[str, Sequence[str]]]) -> dict[str, Any]:
    """What NVRTC says of kernels: ``version`` and ``kernels``, or ``unavailable`` and why.

    Parameters
    ----------
    kernels : iterable of (str, sequence of str)
        Their names, and the lines of the functions with what stands above them.
    """
    found: list[dict[str, Any]] = []
    try:
        version = ".".join(map(str, nvrtc.version()))
        for name, lines in kernels:
            for made in texts_of("\n".join(lines), "float64"):
                found += _said(name, made)
    except nvrtc.UnavailableError as error:
        return {"unavailable": str(error)}
    return {"version": version, "kernels": found}


def _said(name: str, made: ElementwiseKernel) -> Iterator[dict[str, Any]]:
    try:
        results = check_declared(made)
    except CompileException as error:
        yield {"kernel": name, "error": str(error)}
        return
    for one in results:
        yield {
            "kernel": name, "architecture": one.architecture,
            "registers": one.registers, "spill_stores": one.spill_stores,
            "spill_loads": one.spill_loads, "stack": one.stack,
        }  # fmt: skip


def texts_of(text: str, dtype: str) -> Iterator[ElementwiseKernel]:
    """What CuPy would be given for the kernels of a module, where their letters are this dtype."""
    for one in _declared_in(text):
        if not KEYWORDS.isdisjoint(parameter.name for parameter in one.parameters):
            continue  # the check counts indices by the parameter's name, which the text has not
        if dtype != "float64" and not any(p.generic for p in one.parameters):
            continue
        weak = frozenset(p.name for p in one.inputs if p.type == "float")
        instance = Instance(dtype, frozenset(), weak, tuple((n, "float") for n in one.numbers))
        for first in (True, False) if one.first else (False,):
            yield elementwise(one, instance, _WITH_OBJECTS, first=first)


def _declared_in(text: str) -> Iterator[Declared]:
    """The functions of a module that are kernels."""
    for node in ast.parse(text).body:
        above = node.decorator_list[-1:] if isinstance(node, ast.FunctionDef) else []
        for call in above:
            if isinstance(call, ast.Call) and ast.unparse(call.func).endswith("kernel"):
                assert isinstance(node, ast.FunctionDef)
                node.decorator_list = []
                space: dict[str, Any] = {}
                exec(compile(ast.Module([node], []), "<port>", "exec"), space)
                given = [ast.literal_eval(one) for one in call.args]
                words = {k.arg: ast.literal_eval(k.value) for k in call.keywords if k.arg}
                yield declared(space[node.name], *given, **_EMPTY | words)


_EMPTY = {"over": "", "where": "", "returns": ""}


__all__ = ["compiled", "texts_of"]
