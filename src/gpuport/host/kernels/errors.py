"""What can be wrong with a kernel, each with an exception of its own."""

from __future__ import annotations

import math
from typing import Any

from gpuport.host.registry import implements


class KernelFault(RuntimeError):
    """A kernel did what a GPU leaves undefined; nothing that it wrote is kept.

    Attributes
    ----------
    kernel : str
        Name of the kernel.
    argument : str or None
        The argument concerned.
    index : tuple of int or None
        The element concerned.
    """

    def __init__(
        self,
        kernel: str,
        message: str,
        argument: str | None = None,
        index: tuple[int, ...] | None = None,
    ) -> None:
        super().__init__(f"kernel '{kernel}': {message}")
        self.kernel = kernel
        self.argument = argument
        self.index = index
        self._message = message

    def __reduce__(self) -> Any:
        return type(self), (self.kernel, self._message, self.argument, self.index)


class RaceError(KernelFault):
    """The order in which threads run changes the result, or two meet in one element."""


class OutOfBoundsError(KernelFault):
    """An access beside an argument's elements, or outside a local array."""


class UninitialisedError(KernelFault):
    """A result holds, or depends on, memory that nobody has written."""


class BarrierError(KernelFault):
    """Threads of one block wait at different barriers, or for threads that do not come."""


class BarrierWarning(RuntimeWarning):
    """Threads end before a barrier that others of their block wait at."""


class EndlessError(KernelFault):
    """A thread does not end: it loops, or waits for one that runs after it."""


class ArgumentError(KernelFault):
    """An argument does not fit the parameter that it is given for."""


class UndefinedError(KernelFault):
    """An operation whose result C++ or CUDA leaves undefined; also assertions and traps."""


class NoCompilerError(RuntimeError):
    """No C++ compiler was found to compile kernels for the host."""


@implements("cupy.cuda.compiler.CompileException")
class CompileException(Exception):
    """CuPy's exception for a kernel that does not compile.

    The message is the compiler's; lines are those of the kernel's own text.
    """

    __module__ = "cupy.cuda.compiler"

    def __init__(
        self, msg: str, source: str, name: str, options: tuple[str, ...], backend: str = "nvrtc"
    ) -> None:
        self._msg = msg
        self.source = source
        self.name = name
        self.options = options
        self.backend = backend
        super().__init__()

    @classmethod
    def of_cupy(cls, message: str) -> CompileException:
        """Of a kernel of CuPy's own, which cannot be made for the types of its arguments."""
        return cls(message, "", "", ())

    def __reduce__(self) -> Any:
        return type(self), (self._msg, self.source, self.name, self.options, self.backend)

    def __repr__(self) -> str:
        return str(self)

    def __str__(self) -> str:
        return self.get_message()

    def get_message(self) -> str:
        """The compiler's message."""
        return self._msg

    def dump(self, f: Any) -> None:
        """Write message and numbered source to the stream `f`."""
        lines = self.source.split("\n")
        digits = int(math.log10(len(lines))) + 1
        f.write(f"{self.backend.upper()} compilation error: {self}\n-----\n")
        f.write(f"Name: {self.name}\nOptions: {' '.join(self.options)}\nCUDA source:\n")
        for number, line in enumerate(lines, 1):
            f.write(f"{number:0{digits}d} {line.rstrip()}\n")
        f.write("-----\n")
        f.flush()


class CUDADriverError(RuntimeError):
    """The driver's refusal of a launch or of a symbol."""

    __module__ = "cupy_backends.cuda.api.driver"
