"""Run a program with the host backend as ``cupy``, as the Python interpreter would run it."""

from __future__ import annotations

import io
import json
import os
import runpy
import sys
import traceback
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import NoReturn

USAGE = "usage: python -m gpuport.host [--counters FILE] [-m MODULE | SCRIPT] ARGS..."


@dataclass(frozen=True)
class Request:
    """What to run: a script's path or a module's name, and its arguments."""

    target: str
    is_module: bool
    arguments: list[str]
    counters: str | None


def parse(arguments: list[str]) -> Request:
    """Read the command line; everything after the program belongs to the program.

    Raises
    ------
    SystemExit
        Status 2 with a message for a command line that says nothing to run; 0 for ``--help``.
    """
    counters: str | None = None
    rest = list(arguments)
    while rest:
        word = rest.pop(0)
        if word in ("-h", "--help"):
            print(USAGE)
            raise SystemExit(0)
        if word == "--counters" or word.startswith("--counters="):
            if "=" not in word and not rest:
                _refuse("--counters needs a file")
            counters = word.partition("=")[2] if "=" in word else rest.pop(0)
        elif word == "-m":
            if not rest:
                _refuse("-m needs a module")
            return Request(rest[0], True, rest[1:], counters)
        elif word == "--" and rest:
            return Request(rest[0], False, rest[1:], counters)
        elif word.startswith("-"):
            _refuse(f"unknown option {word}")
        else:
            return Request(word, False, rest, counters)
    return _refuse("nothing to run")


def _refuse(message: str) -> NoReturn:
    print(f"{USAGE}\nerror: {message}", file=sys.stderr)
    raise SystemExit(2)


def _run_script(path: str) -> None:
    try:
        with io.open_code(os.path.abspath(path)) as stream:
            source = stream.read()
    except OSError as error:
        print(f"error: cannot read {path}: {error.strerror}", file=sys.stderr)
        raise SystemExit(2) from None
    sys.path[0] = os.path.dirname(os.path.realpath(path))
    module = ModuleType("__main__")
    module.__file__ = path
    module.__dict__["__builtins__"] = __builtins__
    sys.modules["__main__"] = module
    exec(compile(source, path, "exec"), module.__dict__)


def _status(code: object) -> int:
    if code is None:
        return 0
    if isinstance(code, int):
        return code
    print(code, file=sys.stderr)
    return 1


def _execute(request: Request) -> int:
    """Run the program; its exit status. Tracebacks show the program's frames only."""
    try:
        if request.is_module:
            sys.path[0] = os.getcwd()
            runpy.run_module(request.target, run_name="__main__", alter_sys=True)
        else:
            _run_script(request.target)
    except SystemExit as stop:
        return _status(stop.code)
    except KeyboardInterrupt:
        return 130
    except BaseException as error:
        frames = error.__traceback__
        while frames is not None and _is_runner(frames.tb_frame.f_code.co_filename):
            frames = frames.tb_next
        traceback.print_exception(error.with_traceback(frames))
        return 1
    return 0


def _is_runner(filename: str) -> bool:
    return filename == __file__ or filename.startswith("<frozen runpy")


def _write(path: str) -> bool:
    from gpuport.host.counters import snapshot

    text = json.dumps(snapshot().as_dict(), indent=2) + "\n"
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        print(f"error: cannot write {path}: {error.strerror}", file=sys.stderr)
        return False
    return True


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the program that the command line names, and exit with its status.

    Raises
    ------
    SystemExit
        The program's status; 2 where it could not be run or the counters not be written.
    """
    request = parse(sys.argv[1:] if arguments is None else arguments)
    from gpuport.host.install import install

    counters = None if request.counters is None else os.path.abspath(request.counters)
    install()
    sys.argv = [request.target, *request.arguments]
    status = _execute(request)
    if counters is not None and not _write(counters):
        status = status or 2
    sys.stdout.flush()
    sys.exit(status)
