"""Functions of the user that make inputs: found by reading their file, run in the worker alone."""

from __future__ import annotations

import ast
import importlib.util
import sys
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

SEPARATOR = "::"
CALL = ""  # the slot that holds all arguments at once
_SHOWN = 200


class StrategyError(Exception):
    """A strategy of the user raised; the message begins with its file and line."""


@dataclass(frozen=True, slots=True)
class Strategy:
    """A function that makes inputs: its first parameter is a generator, the others dimensions."""

    place: str
    line: int
    dims: tuple[str, ...]


def strategies_in(file: Path) -> dict[str, Strategy]:
    """The public module-level functions of a file, which is not run.

    Parameters
    ----------
    file : pathlib.Path

    Returns
    -------
    dict of str to Strategy
        By name.

    Raises
    ------
    ValueError
        With the place: for a function without a parameter for the generator, or with ``*`` ones,
        and where the file is no Python.
    OSError
        Where it cannot be read.
    """
    try:
        tree = ast.parse(file.read_bytes(), str(file))
    except SyntaxError as error:
        raise ValueError(f"{file}:{error.lineno}: {error.msg}") from None
    found = {}
    for node in tree.body:
        if not isinstance(node, ast.FunctionDef) or node.name.startswith("_"):
            continue
        every = node.args
        names = [a.arg for a in (*every.posonlyargs, *every.args)]
        if not names or every.vararg or every.kwarg or every.kwonlyargs:
            raise ValueError(
                f"{file}:{node.lineno}: `{node.name}` must take a generator and then the names of "
                f"dimensions, as in `def {node.name}(rng, n):` (helpers begin with `_`)"
            )
        place = f"{file.resolve()}{SEPARATOR}{node.name}"
        found[node.name] = Strategy(place, node.lineno, tuple(names[1:]))
    return found


def loaded(file: str) -> ModuleType:
    """A strategies file as a module of its own; its imports find the modules of the moment.

    Raises
    ------
    StrategyError
        What the file raises, with the place.
    """
    path = Path(file)
    name = f"_gpuport_inputs_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise StrategyError(f"{file}: not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.path.append(str(path.parent))
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise StrategyError(_placed(error, file)) from error
    finally:
        sys.path.remove(str(path.parent))
    return module


def made(function: Callable[..., Any], place: str, seed: int, sizes: Mapping[str, int]) -> Any:
    """What a strategy makes of a generator with this seed and these sizes.

    Raises
    ------
    StrategyError
        What it raises, with the place.
    """
    try:
        return function(np.random.default_rng(seed), **sizes)
    except Exception as error:
        raise StrategyError(_placed(error, place.partition(SEPARATOR)[0])) from error


def _placed(error: Exception, file: str) -> str:
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename == file]
    line = frames[-1].lineno if frames else getattr(error, "lineno", None) or 1
    text = f"{type(error).__name__}: {error}"[:_SHOWN]
    return f"{Path(file).name}:{line}: {text}"
