"""The C++ compiler that stands in for nvcc, and the cache of what it made.

Everything is kept by content: the name of a file is the digest of its source, of the options, of
the headers here and of the compiler, so that nothing in the cache is ever out of date. Files are
written beside their place and moved there at once, so that processes may share a cache.
"""

from __future__ import annotations

import hashlib
import os
import platform
import shlex
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from gpuport.host.kernels.errors import NoCompilerError

INCLUDE = Path(__file__).parent / "include"
# -ffp-contract=off: a*b+c is two rounded operations, as in NumPy. nvcc contracts it into one fma
# unless it is told --fmad=false, so that on a GPU the last bits may differ without that option.
# -frounding-math: without it GCC 12 makes 0.0 - (double)k the negative of k, which is -0.0 for 0.
_FLAGS = (
    "-O1", "-fPIC", "-ffp-contract=off", "-fno-strict-aliasing", "-fno-exceptions",
    "-fno-rtti", "-fno-threadsafe-statics", "-nostdinc++", "-fwrapv", "-frounding-math",
    "-fvisibility=hidden", "-U_FORTIFY_SOURCE",
)  # fmt: skip
# Division by zero would end this process, and the others give values that a GPU does not give:
# both modes ask for them. The handlers are the runtime's own, so that no library is linked.
_UNDEFINED = ("integer-divide-by-zero", "shift-exponent", "float-cast-overflow")


# Folders of headers that a cluster's modules or a CUDA image add to every compilation: among them
# is the C++ library's <math.h>, whose overloads are not the device's.
_FOLDERS = frozenset({"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "OBJC_INCLUDE_PATH"})


@dataclass(frozen=True)
class Compiler:
    """A C++ compiler: how to call it, and what says which one it is."""

    command: tuple[str, ...]
    version: str

    def instrumentation(self, strict: bool) -> tuple[str, ...]:
        """Options that make the compiler call the runtime."""
        # clang's "bounds" would trap; the part of it that calls is named otherwise
        bounds = "array-bounds" if self.is_clang else "bounds"
        called = ",".join((*_UNDEFINED, bounds, *(("alignment",) if strict else ())))
        checks = f"thread,{called}" if strict else called
        defined = ("-DGPUPORT_STRICT=1", *self._unwritten()) if strict else ("-w",)
        if strict and self.is_clang:
            # the read of a[i] += 1 counts, too: it is what makes a lost update visible
            defined += ("-mllvm", "-tsan-instrument-read-before-write=1")
        if not self.version.startswith("zig "):
            return (f"-fsanitize={checks}", *defined)
        # zig's driver would bring its own runtime and headers along, and trap instead of calling
        passed = (f"-fsanitize={checks}", f"-fsanitize-recover={called}")
        return ("-fno-sanitize=all", *(word for p in passed for word in ("-Xclang", p)), *defined)

    def _unwritten(self) -> tuple[str, ...]:
        """Options that refuse reads of local variables that are certain to be unwritten.

        What only may be unwritten is often right. Other warnings make no difference.
        """
        uncertain = "sometimes" if self.is_clang else "maybe"
        return "-Werror=uninitialized", f"-Wno-{uncertain}-uninitialized"

    @property
    def is_clang(self) -> bool:
        """Whether it is clang, under its own name or in zig; else it is GCC.

        GCC finds precompiled headers by itself; for clang none are made.
        """
        return "clang" in self.version


class Failure(Exception):
    """The compiler's refusal of a kernel: what it wrote, as `message`."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


def cache_folder() -> Path:
    """Where compiled kernels are kept: ``GPUPORT_CACHE_DIR``, else the user's cache folder."""
    chosen = os.environ.get("GPUPORT_CACHE_DIR")
    if chosen:
        return Path(chosen)
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "gpuport"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "gpuport"


def _candidates() -> list[tuple[str, ...]]:
    found: list[tuple[str, ...]] = []
    chosen = os.environ.get("CXX")
    if chosen:
        found.append(tuple(shlex.split(chosen)))
    found += [(path,) for name in ("c++", "g++", "clang++") if (path := shutil.which(name))]
    if find_spec("ziglang") is not None:
        found.append((sys.executable, "-m", "ziglang", "cc"))
    return found


@cache
def _find(chosen: str | None) -> Compiler | None:
    for command in _candidates():
        try:
            answer = _call([*command, "--version"])
        except OSError:
            continue
        if answer.returncode == 0:
            label = "zig " if "ziglang" in command else ""
            return Compiler(command, label + answer.stdout)
    return None


def available() -> bool:
    """Whether kernels can be compiled here."""
    return _find(os.environ.get("CXX")) is not None


def compiler() -> Compiler:
    """The compiler to use: ``CXX``, else the system's, else that of the ``ziglang`` wheel.

    Raises
    ------
    NoCompilerError
        Where there is none.
    """
    found = _find(os.environ.get("CXX"))
    if found is None:
        raise NoCompilerError(
            "kernels need a C++ compiler on the host and none was found: install g++ or clang++, "
            "name one in CXX, or install the extra gpuport[host], which brings one"
        )
    return found


@cache
def _headers_digest() -> str:
    digest = hashlib.sha256()
    for path in sorted(INCLUDE.rglob("*")):
        if path.is_file():
            digest.update(str(path.relative_to(INCLUDE)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:40]


def _call(command: list[str]) -> subprocess.CompletedProcess[str]:
    """Run the compiler; the only headers that it finds are the system's and those named to it."""
    environment = {name: value for name, value in os.environ.items() if name not in _FOLDERS}
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)


def _run(command: list[str]) -> None:
    answer = _call(command)
    if answer.returncode != 0:
        raise Failure(answer.stderr or answer.stdout or f"exit status {answer.returncode}")


def _build(target: Path, commands: list[list[str]], scratch: Path) -> None:
    """Run the commands, the last of which writes ``scratch / target.name``, and move it there."""
    for command in commands:
        _run(command)
    target.parent.mkdir(parents=True, exist_ok=True)
    os.replace(scratch / target.name, target)


def _base(found: Compiler, flags: tuple[str, ...]) -> Path:
    """Folder of the runtime's object file and of the precompiled headers for these flags."""
    key = _digest(_headers_digest(), found.version, platform.machine(), *found.command, *flags)
    folder = cache_folder() / f"base-{key}"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _runtime_object(found: Compiler) -> Path:
    flags = (*_FLAGS, "-std=c++17")
    target = _base(found, flags) / "runtime.o"
    if not target.exists():
        with tempfile.TemporaryDirectory(dir=target.parent) as scratch:
            source, made = INCLUDE / "gpuport" / "runtime.cpp", Path(scratch) / target.name
            command = [*found.command, *flags, f"-I{INCLUDE}", "-c", str(source), "-o", str(made)]
            _build(target, [command], Path(scratch))
    return target


def _precompiled(found: Compiler, flags: tuple[str, ...], header: str) -> Path:
    """Folder to search before the headers: GCC finds the precompiled one in it."""
    folder = _base(found, flags) / "precompiled"
    target = folder / f"{header}.gch"
    if not found.is_clang and not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder) as scratch:
            made = Path(scratch) / target.name
            command = [*found.command, *flags, f"-I{INCLUDE}", "-x", "c++-header"]
            _build(target, [[*command, str(INCLUDE / header), "-o", str(made)]], Path(scratch))
    return folder


def _standard_and_others(options: tuple[str, ...]) -> tuple[str, list[str]]:
    """The option that counts of those for a standard, or that for C++17, and all other options."""
    standards = [option for option in options if option.startswith("-std=")]
    others = [option for option in options if option not in standards]
    return standards[-1] if standards else "-std=c++17", others


def warnings_of(text: str, options: tuple[str, ...]) -> str:
    """What the compiler warns of in a text that compiles."""
    found = compiler()
    standard, others = _standard_and_others(options)
    with tempfile.TemporaryDirectory() as scratch:
        source = Path(scratch) / "kernel.cpp"
        source.write_text(text, encoding="utf-8")
        command = [*found.command, *_FLAGS, standard, *others, "-Wall", f"-I{INCLUDE}"]
        answer = _call([*command, "-fsyntax-only", str(source)])
    return answer.stderr


def compile_kernel(text: str, header: str, options: tuple[str, ...], strict: bool) -> Path:
    """Shared object made from `text`, from the cache where it has been made before.

    Parameters
    ----------
    text : str
        C++ whose first line includes `header`.
    header : str
        The header that is precompiled, relative to the headers here.
    options : tuple of str
        The user's options that mean something here (definitions, include folders, standard).
    strict : bool
        Whether every access to memory is checked.

    Raises
    ------
    Failure
        Where the text does not compile.
    NoCompilerError
        Where there is no compiler.
    """
    found = compiler()
    standard, others = _standard_and_others(options)
    flags = (*_FLAGS, *found.instrumentation(strict), standard)
    key = _digest(text, _headers_digest(), found.version, platform.machine(), *flags, *others)
    target = cache_folder() / "kernels" / key[:2] / f"{key}.so"
    if target.exists():
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as scratch:
        source, made = Path(scratch) / "kernel.cpp", Path(scratch) / "kernel.o"
        source.write_text(text, encoding="utf-8")
        first = [*found.command, *flags, *others, f"-I{_precompiled(found, flags, header)}"]
        first += [f"-I{INCLUDE}", "-c", str(source), "-o", str(made)]
        link = [*found.command, "-shared", str(made), str(_runtime_object(found))]
        _build(target, [first, [*link, "-o", str(Path(scratch) / target.name)]], Path(scratch))
    return target
