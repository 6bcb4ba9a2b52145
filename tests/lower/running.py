"""Runs programs as Python and through their IR, in children that may die, and compares."""

from __future__ import annotations

import builtins
import contextlib
import io
import json
import os
import signal
import sys
import tempfile
import types
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from gpuport.ir import check
from gpuport.ir.interpreter import Interpreter
from gpuport.lower import lower

Outcome = dict[str, Any]


def forked(text: str, path: Path, *, through_ir: bool, seconds: int = 60) -> Outcome:
    """What a program printed, raised and saved, run in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            _in_child(text, path, through_ir, seconds, folder, write)
        os.close(write)
        with os.fdopen(read) as pipe:
            answer = pipe.read()
        os.waitpid(child, 0)
        outcome: Outcome = json.loads(answer) if answer else {"error": "died or took too long"}
        return outcome


def _in_child(
    text: str, path: Path, through_ir: bool, seconds: int, folder: str, write: int
) -> None:
    signal.alarm(seconds)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    try:
        outcome = _execute(text, path, through_ir, folder)
    except BaseException as error:
        outcome = {"error": f"the harness: {error!r}"}
    with os.fdopen(write, "w") as pipe:
        pipe.write(json.dumps(outcome, default=str))
    os._exit(0)


def _execute(text: str, path: Path, through_ir: bool, folder: str) -> Outcome:
    os.chdir(folder)
    sys.path.insert(0, str(path.parent))
    sys.argv = [str(path), "out.npz"]
    warnings.simplefilter("ignore")
    np.random.seed(0)
    main = types.ModuleType("__main__")
    main.__file__ = str(path)
    main.__dict__["__builtins__"] = builtins
    sys.modules["__main__"] = main
    out, error = io.StringIO(), None
    with contextlib.redirect_stdout(out):
        try:
            if through_ir:
                Interpreter(lower(text, str(path)), vars(main)).run()
            else:
                exec(compile(text, str(path), "exec", dont_inherit=True), vars(main))
        except SystemExit as raised:
            error = f"SystemExit {raised.code}"
        except BaseException as raised:
            error = f"{type(raised).__name__}: {raised}"
    return {"out": out.getvalue(), "error": error, "files": _saved(Path(folder))}


def _saved(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for file in sorted(folder.rglob("*")):
        if file.suffix == ".npz":
            with np.load(file, allow_pickle=True) as data:
                found[file.name] = {key: _told(data[key]) for key in data.files}
        elif file.suffix == ".npy":
            found[file.name] = _told(np.load(file, allow_pickle=True))
        elif file.is_file():
            found[file.name] = file.stat().st_size
    return found


def _told(array: np.ndarray) -> list[Any]:
    content = repr(array.tolist()) if array.dtype == object else array.tobytes().hex()
    return [str(array.dtype), list(array.shape), content]


def printed(text: str, *, through_ir: bool) -> str:
    """What a program that ends well prints when it runs here."""
    space: dict[str, Any] = {"__name__": "__main__", "__builtins__": builtins}
    out = io.StringIO()
    with contextlib.redirect_stdout(out), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if through_ir:
            module = lower(text)
            for function in module.functions:
                check(function)
            Interpreter(module, space).run()
        else:
            exec(compile(text, "sample", "exec", dont_inherit=True), space)
    return out.getvalue()
