"""From a kernel's text to a binary; compiler messages in terms of the user's lines."""

from __future__ import annotations

import re
import threading
from dataclasses import dataclass
from pathlib import Path

from gpuport.host.kernels import toolchain
from gpuport.host.kernels.binary import Binary
from gpuport.host.kernels.errors import CompileException, UninitialisedError


@dataclass(frozen=True)
class Source:
    """A kernel as it was compiled for the host.

    Attributes
    ----------
    name, text, header : str
        See :func:`build`.
    parts : tuple of (str, str)
        The user's texts with their labels.
    options : tuple of str
        Options for NVRTC.
    """

    name: str
    text: str
    header: str
    parts: tuple[tuple[str, str], ...]
    options: tuple[str, ...]


SOURCES: dict[Source, None] = {}
"""Every kernel that this process has compiled, in that order."""
_BINARIES: dict[tuple[object, ...], Binary] = {}
_LOCK = threading.Lock()
_WITH_VALUE = ("-D", "--define-macro", "-I", "--include-path", "-U", "--undefine-macro")
# Options of NVRTC that change the machine code and not what a program means here.
_WITHOUT_MEANING = re.compile(
    r"--?(?:fmad|ftz|prec-div|prec-sqrt|use_fast_math|lineinfo|generate-line-info|G|"
    r"device-debug|maxrregcount|restrict|default-device|device-as-default-execution-space|"
    r"gpu-architecture|arch|extra-device-vectorization|w|disable-warnings|"
    r"extensible-whole-program|ewp|relocatable-device-code|rdc|dc|device-c|dlto|"
    r"dopt|split-compile|minimal|no-source-include|builtin-.*|diag-.*|ptxas-options|Xptxas|"
    r"brief-diagnostics|display-error-number|err-no)(?:=.*)?"
)
_STANDARD = re.compile(r"--?std=(c\+\+(?:03|11|14|17|20))")


class UnknownOption(Exception):
    """An option that NVRTC does not know."""


def host_options(options: tuple[str, ...]) -> tuple[tuple[str, ...], str]:
    """What means something here: include folders and the standard; definitions as a text.

    Definitions are not given to the compiler, for they must not reach the host's own headers.

    Raises
    ------
    UnknownOption
        For an option that NVRTC refuses.
    """
    kept: list[str] = []
    definitions: list[str] = []
    rest = list(options)
    while rest:
        option = rest.pop(0)
        standard = _STANDARD.fullmatch(option)
        prefix = next((p for p in _WITH_VALUE if option.startswith(p)), None)
        if standard:
            # the runtime's headers need C++17; older dialects of kernels are almost all in it
            kept.append(f"-std={max(standard[1], 'c++17')}")
        elif prefix is not None:
            value = option[len(prefix) :].removeprefix("=") or (rest.pop(0) if rest else "")
            kind = prefix.lstrip("-")[0].upper()
            if kind == "I":
                kept.append(f"-I{value}")
            else:
                name, given, content = value.partition("=")
                content = (content if given else "1") if kind == "D" else ""
                word = "#define" if kind == "D" else "#undef"
                definitions.append(f"{word} {name} {content}\n")
        elif option in ("-maxrregcount", "-arch") and rest:
            rest.pop(0)
        elif not _WITHOUT_MEANING.fullmatch(option):
            raise UnknownOption(f"nvrtc: error: unrecognized option {option!r} found")
    return tuple(kept), "".join(definitions)


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


_MESSAGE = re.compile(
    r"^(?P<part>[^:\n]+):(?P<line>\d+):(?:\d+:)? +"
    r"(?P<rest>(?:fatal )?error: .*|required from here)$"
)


_WARNING = re.compile(r"^(?P<part>[^:\n]+):(?P<line>\d+):(?:\d+:)? +(?P<rest>warning: .*)$")
_MISSING = re.compile(r"error: ([^:]+): No such file or directory|error: '([^']+)' file not found")


def _readable(name: str, message: str, parts: dict[str, str]) -> str:
    """The compiler's errors, each with the line of the kernel's text that it is about."""
    shown: list[str] = []
    count = 0
    called_from = None
    for line in message.splitlines():
        match = _MESSAGE.match(line)
        if match is None:
            continue
        if match["rest"] == "required from here":
            called_from = match
            continue
        # an error in a template of the headers here is shown where the kernel uses it
        place = called_from if match["part"] not in parts and called_from else match
        part, number = place["part"], int(place["line"])
        label = f"{part}({number})" if part in parts else Path(part).name
        rest = _MISSING.sub(
            lambda m: f'error: cannot open source file "{m[1] or m[2]}"', match["rest"]
        )
        shown.append(f"{name}: {label}: {rest}")
        lines = parts.get(part, "").split("\n")
        if 0 < number <= len(lines):
            shown.append(f"    {lines[number - 1].strip()}")
        count += 1
        called_from = None
    if not shown:
        return message
    return "\n".join([*shown, "", f"{count} error{'s' if count > 1 else ''} detected."])


_UNWRITTEN = re.compile(
    r"error: (?:variable )?['‘](?P<variable>[^'’]+)['’] is (?:used )?uninitialized.*"
    r"\[-Werror[=,](?:-W)?uninitialized\]"
)


def _read_unwritten(name: str, message: str, parts: dict[str, str]) -> UninitialisedError | None:
    """What is said of a local variable that is read before it is written, if that is the error."""
    errors = [m for m in map(_MESSAGE.match, message.splitlines()) if m and "error:" in m["rest"]]
    found = [(match, _UNWRITTEN.match(match["rest"])) for match in errors]
    if not found or not all(about for _, about in found):
        return None
    place, about = next((row for row in found if row[0]["part"] in parts), found[0])
    assert about is not None
    return UninitialisedError(
        name,
        f"{place['part']}:{place['line']}: the local variable '{about['variable']}' is read before "
        "anything was written to it",
    )


def compiler_log(text: str, parts: dict[str, str], options: tuple[str, ...]) -> str:
    """The compiler's warnings about the user's own lines."""
    own, definitions = host_options(options)
    include, _, rest = text.partition("\n")
    messages = toolchain.warnings_of(f"{include}\n{definitions}{rest}", own)
    shown = [
        f"{match['part']}({match['line']}): {match['rest']}"
        for match in map(_WARNING.match, messages.splitlines())
        if match is not None and match["part"] in parts
    ]
    return "".join(f"{line}\n" for line in shown)


def build(
    name: str,
    text: str,
    header: str,
    parts: dict[str, str],
    options: tuple[str, ...],
    flush: bool,
    strict: bool,
    number: int | None = None,
) -> Binary:
    """The compiled kernel, from memory or from disk where it has been compiled before.

    Parameters
    ----------
    name : str
        The kernel's name.
    text, header : str
        C++ for the host, and the header it starts with.
    parts : dict
        The user's texts by the label that they carry in `text`.
    options : tuple of str
        Options for NVRTC.
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
    key = (text, options, flush, strict, number, str(toolchain.cache_folder()))
    found = _BINARIES.get(key)
    if found is not None:
        return found
    source = "\n".join(parts.values())
    try:
        own, definitions = host_options(options)
    except UnknownOption as error:
        raise CompileException(str(error), source, name, options) from None
    include, _, rest = text.partition("\n")
    folders = any(option.startswith("-I") for option in own)
    for label, part in parts.items():
        refused = _refusal(part, label, folders)
        if refused is not None:
            raise CompileException(f"{name}: {refused}", source, name, options)
    with _LOCK:
        try:
            path = toolchain.compile_kernel(f"{include}\n{definitions}{rest}", header, own, strict)
        except toolchain.Failure as error:
            if (read := _read_unwritten(name, error.message, parts)) is not None:
                raise read from None
            message = _readable(name, error.message, parts)
            raise CompileException(message, source, name, options) from None
        SOURCES[Source(name, text, header, tuple(parts.items()), options)] = None
        return _BINARIES.setdefault(key, Binary(path, flush, strict, number))
