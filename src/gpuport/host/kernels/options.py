"""Options for NVRTC, and what they mean for the host's compiler."""

from __future__ import annotations

import re

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
