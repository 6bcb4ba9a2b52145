"""``cupy.RawKernel`` and ``cupy.RawModule``: CUDA C++ as the user wrote it."""

from __future__ import annotations

import re
import warnings
from functools import cache
from pathlib import Path
from typing import Any

from gpuport.host.counters import KERNELS
from gpuport.host.cuda.pointers import MemoryPointer, UnownedMemory
from gpuport.host.kernels import execution, settings, source
from gpuport.host.kernels.binary import Binary, Grid
from gpuport.host.kernels.building import Source, build, compiler_log
from gpuport.host.kernels.errors import ArgumentError, CompileException, CUDADriverError
from gpuport.host.kernels.raw_arguments import argument, parameter_names
from gpuport.host.registry import implements
from gpuport.host.state import cupy_major

_LARGEST_SHARED = 163 << 10
"""Of a block on compute capability 8.0, which the host stands for."""


def _instance(value: Any, kind: type, name: str) -> None:
    if not isinstance(value, kind):
        raise TypeError(
            f"Argument '{name}' has incorrect type (expected {kind.__name__}, got "
            f"{type(value).__name__})"
        )


def _source(code: str, name: str, options: tuple[str, ...], functions: tuple[str, ...]) -> Source:
    text = source.raw(code, functions, "source")
    return Source(name, text, source.RAW_HEADER, (("source", code),), options)


@cache
def _binary(
    code: str,
    name: str,
    options: tuple[str, ...],
    expressions: tuple[str, ...],
    strict: bool,
    folder: str,
) -> tuple[Binary, tuple[str, ...]]:
    """The compiled function and the codes of its parameters."""
    if name not in expressions and re.search(rf"\b{re.escape(name)}\s*\(", code) is None:
        raise CUDADriverError("CUDA_ERROR_NOT_FOUND: named symbol not found")
    functions = tuple(dict.fromkeys((*source.kernels_in(code), *expressions, name)))
    flush = not source.uses_double(code, [])

    def compiled(chosen: tuple[str, ...]) -> Binary:
        return build(_source(code, name, options, chosen), flush, strict, chosen.index(name))

    try:
        binary = compiled(functions)
    except CompileException:
        # another kernel may not be reachable by its bare name (in a namespace, say)
        binary = compiled((name,))
    if name not in expressions and not binary.exports(name):
        # without extern "C" the compiler decorates the name, and the driver does not find it
        raise CUDADriverError("CUDA_ERROR_NOT_FOUND: named symbol not found")
    return binary, binary.signature()


def _three(value: Any, what: str) -> tuple[int, int, int]:
    _instance(value, tuple, what)
    padded = tuple(max(1, int(n)) for n in (*value, 1, 1)[:3])
    return padded[0], padded[1], padded[2]


_JITIFY = {
    True: "jitify=True is deprecated and its support is staged for removal in CuPy v15.0.\n"
    "Please try compiling without jitify using the CCCL headers as needed.\n"
    "Also see https://nvidia.github.io/cccl/python/ for e.g. Thrust/CUB algorithm exposure to "
    "Python.",
    False: "The jitify argument is deprecated and staged for removal in CuPy v15.0. "
    "Avoid passing `jitify=False` to silence this warning.",
}


def _warn_of_jitify(jitify: bool | None) -> None:
    if jitify is not None and cupy_major() >= 14:
        warnings.warn(_JITIFY[bool(jitify)], DeprecationWarning, stacklevel=3)


@implements("cupy.RawKernel")
class RawKernel:
    """A kernel in CUDA C++; see :class:`cupy.RawKernel`."""

    __module__ = "cupy._core.raw"

    def __init__(
        self,
        code: str,
        name: str,
        options: tuple[str, ...] = (),
        backend: str = "nvrtc",
        *,
        translate_cucomplex: bool = False,
        enable_cooperative_groups: bool = False,
        jitify: bool | None = None,
    ) -> None:
        _instance(code, str, "code")
        _instance(name, str, "name")
        _instance(options, tuple, "options")
        _instance(backend, str, "backend")
        _warn_of_jitify(jitify)
        self.code = code
        self.name = self.__name__ = name
        self.options = options
        self.backend = backend
        self.translate_cucomplex = translate_cucomplex
        self.enable_cooperative_groups = enable_cooperative_groups
        self.jitify = jitify
        self.file_path = None
        self.name_expressions: tuple[str, ...] | None = None
        self._shared_limit = 48 << 10
        # the module's: whether its variables were given out of the text with checks
        self._handed_out: dict[str, bool] = {}

    @property
    def max_dynamic_shared_size_bytes(self) -> int:
        """Bytes of dynamic shared memory that a launch may ask for; 48 KiB unless raised."""
        return self._shared_limit

    @max_dynamic_shared_size_bytes.setter
    def max_dynamic_shared_size_bytes(self, value: int) -> None:
        if not 0 <= value <= _LARGEST_SHARED:
            raise CUDADriverError("CUDA_ERROR_INVALID_VALUE: invalid argument")
        self._shared_limit = value

    def __call__(self, grid: Any, block: Any, args: Any, **kwargs: Any) -> None:
        """Run the kernel.

        Parameters
        ----------
        grid, block : tuple of int
            Blocks of the grid, threads of a block.
        args : tuple
            Arrays, and numbers of exactly the parameters' types.
        shared_mem : int, optional
            Bytes of dynamic shared memory.
        stream : cupy.cuda.Stream, optional
            Accepted; work is done when it is asked for.

        Raises
        ------
        CUDADriverError
            For a grid that no device takes, or a name that the code does not export.
        CompileException
            Where the code does not compile.
        KernelFault
            Where the kernel does what a GPU leaves undefined.
        """
        shared = int(kwargs.pop("shared_mem", 0))
        kwargs.pop("stream", None)
        if kwargs:
            raise TypeError(f"__call__() got an unexpected keyword argument '{next(iter(kwargs))}'")
        if self.enable_cooperative_groups and "cooperative_groups" in self.code:
            raise NotImplementedError("the host backend has no cooperative groups")
        launched = Grid(_three(grid, "grid"), _three(block, "block"), shared, self._shared_limit)
        strict = settings.strict()
        binary, codes = self._compiled(strict)
        if strict and len(args) != len(codes):
            raise ArgumentError(self.name, f"{len(codes)} arguments expected, {len(args)} given")
        known: list[str | None] = list(codes) if strict else [None] * len(args)
        names = parameter_names(self.code, self.name)
        if len(names) != len(args):
            names = tuple(f"args[{k}]" for k in range(len(args)))
        arguments = [
            argument(self.name, arg, label, code)
            for arg, label, code in zip(args, names, known, strict=True)
        ]
        execution.run(self.name, binary, launched, arguments)
        KERNELS[self.name] += 1

    def _compiled(self, strict: bool) -> tuple[Binary, tuple[str, ...]]:
        from gpuport.host.kernels.toolchain import cache_folder

        if self.backend not in ("nvrtc", "nvcc"):
            raise ValueError(f"Invalid backend {self.backend}")
        expressions = self.name_expressions or ()
        folder = str(cache_folder())
        if self._handed_out.get("strict", strict) != strict:
            raise NotImplementedError(
                "the module's variables were written with the other kind of kernel checks"
            )
        return _binary(self._text(), self.name, self.options, expressions, strict, folder)

    def _text(self) -> str:
        return source.with_thrust_complex(self.code) if self.translate_cucomplex else self.code

    def _functions(self) -> tuple[str, ...]:
        named = (*source.kernels_in(self.code), *(self.name_expressions or ()), self.name)
        return tuple(dict.fromkeys(named))

    def __reduce__(self) -> Any:
        more = {
            "translate_cucomplex": self.translate_cucomplex,
            "enable_cooperative_groups": self.enable_cooperative_groups,
        }
        given = (self.code, self.name, self.options, self.backend)
        return _restored, (True, given, more, self.name_expressions)

    @property
    def kernel(self) -> Any:
        """The function itself, compiled."""
        self._compiled(settings.strict())
        return self

    def compile(self, log_stream: Any = None) -> None:
        """Compile now rather than at the first call; warnings go to `log_stream`."""
        self._compiled(settings.strict())
        if log_stream is not None:
            written = _source(self._text(), self.name, self.options, self._functions())
            log_stream.write(compiler_log(written))

    @property
    def attributes(self) -> dict[str, int]:
        """Not known without a device."""
        raise NotImplementedError("the host backend knows no attributes of device code")


@implements("cupy.RawModule")
class RawModule:
    """Several kernels in one text; see :class:`cupy.RawModule`."""

    __module__ = "cupy._core.raw"

    def __init__(
        self,
        *,
        code: str | None = None,
        path: str | None = None,
        options: tuple[str, ...] = (),
        backend: str = "nvrtc",
        translate_cucomplex: bool = False,
        enable_cooperative_groups: bool = False,
        name_expressions: Any = None,
        jitify: bool | None = None,
    ) -> None:
        if (code is None) == (path is None):
            raise TypeError("Exactly one of `code` and `path` keyword arguments must be given.")
        if name_expressions is not None:
            if code is None:
                raise ValueError("need CUDA C++ code for the requested kernels")
            if backend != "nvrtc":
                raise ValueError(
                    "only nvrtc supports retrieving the mangled names for the given name "
                    "expressions"
                )
        _instance(options, tuple, "options")
        _warn_of_jitify(jitify)
        if path is not None and not Path(path).exists():
            raise CUDADriverError("CUDA_ERROR_FILE_NOT_FOUND: file not found")
        if code is None:
            raise NotImplementedError("the host backend runs CUDA C++, not compiled modules")
        self.code = code
        self.file_path = path
        self.options = options
        self.backend = backend
        self.translate_cucomplex = translate_cucomplex
        self.enable_cooperative_groups = enable_cooperative_groups
        self.jitify = jitify
        self.name_expressions = None if name_expressions is None else tuple(name_expressions)
        self._handed_out: dict[str, bool] = {}

    def get_function(self, name: str) -> RawKernel:
        """The kernel of that name, or of that name expression.

        Raises
        ------
        CUDADriverError
            Where the code has no such kernel.
        CompileException
            Where the code does not compile.
        """
        found = RawKernel(
            self.code,
            name,
            self.options,
            self.backend,
            translate_cucomplex=self.translate_cucomplex,
            enable_cooperative_groups=self.enable_cooperative_groups,
            jitify=self.jitify,
        )
        found.name_expressions = self.name_expressions
        found._handed_out = self._handed_out
        found.compile()
        return found

    @property
    def module(self) -> RawModule:
        """The module itself."""
        return self

    def compile(self, log_stream: Any = None) -> None:
        """Compile what has been named; the rest is compiled when it is asked for."""
        named = self.name_expressions or source.kernels_in(self.code)
        for place, name in enumerate(named):
            kernel = self.get_function(name)
            kernel.compile(None if place else log_stream)

    def get_global(self, name: str) -> MemoryPointer:
        """Pointer to a variable of the module, ``__constant__`` or ``__device__``.

        Raises
        ------
        CUDADriverError
            Where the code has no such variable.
        """
        found = None
        for kernel in (self.name_expressions or source.kernels_in(self.code))[:1]:
            compiled = self.get_function(kernel)
            found = compiled._compiled(settings.strict())[0].variable(name)
            if found is not None:
                self._handed_out["strict"] = settings.strict()
        if found is None:
            raise CUDADriverError("CUDA_ERROR_NOT_FOUND: named symbol not found")
        return MemoryPointer(UnownedMemory(*found, self), 0)

    def __reduce__(self) -> Any:
        more = {
            name: getattr(self, name)
            for name in (
                "code", "options", "backend", "translate_cucomplex", "enable_cooperative_groups",
                "name_expressions",
            )
        }  # fmt: skip
        return _restored, (False, (), more, None)


def _restored(single: bool, given: tuple[Any, ...], more: dict[str, Any], named: Any) -> Any:
    """A kernel or module from its pickle."""
    found: Any = RawKernel(*given, **more) if single else RawModule(**more)
    if named is not None:
        found.name_expressions = named
    return found
