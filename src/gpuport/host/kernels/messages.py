"""Messages of the host's compiler, in terms of the user's lines."""

from __future__ import annotations

import re
from pathlib import Path

from gpuport.host.kernels.errors import UninitialisedError

_MESSAGE = re.compile(
    r"^(?P<part>[^:\n]+):(?P<line>\d+):(?:\d+:)? +"
    r"(?P<rest>(?:fatal )?error: .*|required from here)$"
)
_WARNING = re.compile(r"^(?P<part>[^:\n]+):(?P<line>\d+):(?:\d+:)? +(?P<rest>warning: .*)$")
_MISSING = re.compile(r"error: ([^:]+): No such file or directory|error: '([^']+)' file not found")
_UNWRITTEN = re.compile(
    r"error: (?:variable )?['‘](?P<variable>[^'’]+)['’] is (?:used )?uninitialized.*"
    r"\[-Werror[=,](?:-W)?uninitialized\]"
)


def readable(name: str, message: str, parts: dict[str, str]) -> str:
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
        named = part in parts or "/" not in part  # by a `#line` of the kernel's own
        label = f"{part}({number})" if named else Path(part).name
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


def read_unwritten(name: str, message: str, parts: dict[str, str]) -> UninitialisedError | None:
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


def warnings_about(messages: str, parts: dict[str, str]) -> str:
    """The compiler's warnings about the user's own lines."""
    shown = [
        f"{match['part']}({match['line']}): {match['rest']}"
        for match in map(_WARNING.match, messages.splitlines())
        if match is not None and match["part"] in parts
    ]
    return "".join(f"{line}\n" for line in shown)
