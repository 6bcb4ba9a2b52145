"""The first launch of a kernel: its text is compiled, and what does not compile is shown."""

from __future__ import annotations

import linecache
import re
from typing import Any

from gpuport.runtime.kernels.declared import Declared
from gpuport.runtime.kernels.text import word_of


class KernelError(RuntimeError):
    """The text of a kernel does not compile."""


class FirstLaunch:
    """A kernel of CuPy's until it ran once.

    Parameters
    ----------
    one : Declared
    made : callable
        The kernel of CuPy's.
    done : callable
        What to call with it once it ran.
    """

    def __init__(self, one: Declared, made: Any, done: Any) -> None:
        self._one, self._made, self._done = one, made, done

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        try:
            result = self._made(*args, **kwargs)
        except Exception as error:
            if type(error).__name__ != "CompileException":
                raise
            raise KernelError(_told(self._one, str(error))) from error
        self._done(self._made)
        return result


def _told(one: Declared, message: str) -> str:
    """The compiler's message, with the lines of the user's file."""
    name = word_of(one.function.__name__)
    lines = one.text.splitlines()
    file = one.function.__code__.co_filename
    first = _first_line(one)
    numbers = dict.fromkeys(
        int(found[1]) for found in re.finditer(rf"\b{re.escape(name)}[(:](\d+)", message)
    )
    shown = []
    for number in numbers:
        if 0 < number <= len(lines):
            place = f'File "{file}", line {first + number - 1}' if first else f"line {number}"
            shown.append(f"  {place}\n    {lines[number - 1].strip()}")
    head = f"the text of the kernel {one.name} does not compile"
    return "\n".join([head, *shown, message])


def _first_line(one: Declared) -> int:
    """The line of the user's file on which the text begins; 0 where that is not known."""
    code = one.function.__code__
    source = linecache.getlines(code.co_filename)
    wanted = one.text.splitlines()
    for at in range(code.co_firstlineno - 1, len(source)):
        found = [line.rstrip("\r\n") for line in source[at : at + len(wanted)]]
        if len(found) == len(wanted) and all(
            given in line for given, line in zip(wanted, found, strict=True)
        ):
            return at + 1
    return 0
