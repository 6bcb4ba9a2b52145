"""From a kernel's text to a binary, or to the error that its user reads."""

from __future__ import annotations

import re
import threading
from dataclasses import dataclass

from gpuport.host.kernels import toolchain
from gpuport.host.kernels.binary import Binary
from gpuport.host.kernels.errors import CompileException
from gpuport.host.kernels.messages import read_unwritten, readable, warnings_about
from gpuport.host.kernels.options import UnknownOption, host_options


@dataclass(frozen=True)
class Source:
    """A kernel as it is compiled for the host.

    Attributes
    ----------
    name : str
        The kernel's name.
    text, header : str
        C++ for the host, and the header it starts with.
    parts : tuple of (str, str)
        The user's texts, each after the label that it carries in `text`.
    options : tuple of str
        Options for NVRTC.
    """

    name: str
    text: str
    header: str
    parts: tuple[tuple[str, str], ...]
    options: tuple[str, ...]

    def exception(self, message: str) -> CompileException:
        """What is raised where it does not compile."""
        source = "\n".join(part for _, part in self.parts)
        return CompileException(message, source, self.name, self.options)

    def defining(self, definitions: str) -> str:
        """The text, with definitions behind the header that it starts with."""
        include, _, rest = self.text.partition("\n")
        return f"{include}\n{definitions}{rest}"


SOURCES: dict[Source, None] = {}
"""Every kernel that this process has compiled, in that order."""
_BINARIES: dict[tuple[object, ...], Binary] = {}
_LOCK = threading.Lock()
_INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)
_STANDARD_NAME = re.compile(r"(?<![\w:])std::(\w+)")
_BUILT_IN = frozenset({"move", "forward", "initializer_list"})


def _refusal(text: str, label: str, folders: bool) -> str | None:
    """What a host compiler accepts and NVRTC does not: headers and names of the host's library."""
    for match in _INCLUDE.finditer(text):
        name = match[1]
        if not (toolchain.INCLUDE / name).is_file() and not folders:
            line = text.count("\n", 0, match.start(1)) + 1
            return (
                f'{label}({line}): error: cannot open source file "{name}" '
                "(no header of the host backend)"
            )
    for match in _STANDARD_NAME.finditer(text):
        if match[1] not in _BUILT_IN:
            line = text.count("\n", 0, match.start()) + 1
            return f'{label}({line}): error: namespace "std" has no member "{match[1]}"'
    return None


def _accepted(kernel: Source) -> tuple[tuple[str, ...], str]:
    """Options for the host's compiler, and definitions, of what NVRTC would not refuse at once."""
    try:
        own, definitions = host_options(kernel.options)
    except UnknownOption as error:
        raise kernel.exception(str(error)) from None
    folders = any(option.startswith("-I") for option in own)
    for label, part in kernel.parts:
        refused = _refusal(part, label, folders)
        if refused is not None:
            raise kernel.exception(f"{kernel.name}: {refused}")
    return own, definitions


def compiler_log(kernel: Source) -> str:
    """The compiler's warnings about the user's own lines."""
    own, definitions = host_options(kernel.options)
    messages = toolchain.warnings_of(kernel.defining(definitions), own)
    return warnings_about(messages, dict(kernel.parts))


def build(kernel: Source, flush: bool, strict: bool, number: int | None = None) -> Binary:
    """The compiled kernel, from memory or from disk where it has been compiled before.

    Parameters
    ----------
    kernel : Source
        What is compiled.
    flush, strict, number
        See :class:`Binary`.

    Raises
    ------
    CompileException
        Where the kernel does not compile, or would not on a GPU.
    UninitialisedError
        Where the kernel reads a local variable that it has not written.
    NoCompilerError
        Where the host has no C++ compiler.
    """
    key = (kernel.text, kernel.options, flush, strict, number, str(toolchain.cache_folder()))
    found = _BINARIES.get(key)
    if found is not None:
        return found
    own, definitions = _accepted(kernel)
    with _LOCK:
        try:
            text = kernel.defining(definitions)
            path = toolchain.compile_kernel(text, kernel.header, own, strict)
        except toolchain.Failure as error:
            parts = dict(kernel.parts)
            if (read := read_unwritten(kernel.name, error.message, parts)) is not None:
                raise read from None
            raise kernel.exception(readable(kernel.name, error.message, parts)) from None
        SOURCES[kernel] = None
        return _BINARIES.setdefault(key, Binary(path, flush, strict, number))
