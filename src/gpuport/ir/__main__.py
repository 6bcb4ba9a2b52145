"""``python -m gpuport.ir``: print the IR of a file, or run the file through it.

    python -m gpuport.ir show FILE [FUNCTION ...]
    python -m gpuport.ir run FILE [ARGUMENT ...]

``run`` does what ``python FILE ARGUMENT ...`` does; where it does not, lowering is wrong.
"""

from __future__ import annotations

import builtins
import sys
import types
from pathlib import Path

import click

from gpuport.ir.interpreter import Interpreter
from gpuport.ir.printing import render
from gpuport.ir.structure import Module
from gpuport.lower import lower


@click.group()
def main() -> None:
    """The program representation of a file."""


@main.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("functions", nargs=-1)
def show(file: Path, functions: tuple[str, ...]) -> None:
    """Print the IR of FILE, or of some of its FUNCTIONS."""
    for function in lower(file.read_text(encoding="utf-8"), str(file)).functions:
        if not functions or function.qualname in functions:
            click.echo(render(function))


@main.command(context_settings={"ignore_unknown_options": True})
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def run(file: Path, arguments: tuple[str, ...]) -> None:
    """Run FILE through its IR, with ARGUMENTS."""
    module = lower(file.read_text(encoding="utf-8"), str(file))
    sys.path.insert(0, str(file.resolve().parent))
    run_module(module, str(file), arguments)


def run_module(module: Module, path: str, arguments: tuple[str, ...]) -> None:
    """Run a lowered file as ``python path arguments`` would."""
    program = types.ModuleType("__main__")
    vars(program).update(__file__=path, __builtins__=builtins)
    sys.modules["__main__"] = program
    sys.argv = [path, *arguments]
    Interpreter(module, vars(program)).run()


if __name__ == "__main__":
    main()
