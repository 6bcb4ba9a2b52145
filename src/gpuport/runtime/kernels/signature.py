"""What the signature of a kernel says: ``"raw T u, float h"``."""

from __future__ import annotations

import re
from dataclasses import dataclass

C_TYPES = {
    "bool": "bool", "int8": "signed char", "int16": "short", "int32": "int", "int64": "long long",
    "uint8": "unsigned char", "uint16": "unsigned short", "uint32": "unsigned int",
    "uint64": "unsigned long long", "float32": "float", "float64": "double",
    "complex64": "complex<float>", "complex128": "complex<double>",
}  # fmt: skip

WEAK = {"float": "float64", "int": "int64"}
"""Python's numbers, which take the dtype of the arrays that they meet."""

OBJECT = "object"
"""What the Python body and `returns` are given, and the text is not."""

_PARAMETER = re.compile(r"(raw\s+)?(?!raw\b)([A-Za-z_]\w*)\s+([A-Za-z_]\w*)")


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter: ``raw T u``."""

    name: str
    type: str
    raw: bool

    @property
    def generic(self) -> bool:
        """Whether the type is a letter that stands for float32 or float64."""
        return len(self.type) == 1

    def dtype(self, generic: str) -> str:
        """The dtype where letters stand for `generic`."""
        return generic if self.generic else WEAK.get(self.type, self.type)


def parse_signature(text: str, function: str) -> list[Parameter]:
    """The parameters of one side of a signature.

    Raises
    ------
    TypeError
        Where it is none, with what is wrong.
    """
    found = []
    for number, part in enumerate(text.split(","), 1):
        part = part.strip()
        if not part and not text.strip():
            continue
        match = _PARAMETER.fullmatch(part)
        if not match:
            raise TypeError(
                f"kernel: parameter {number} of {function}, {part!r} in {text!r}, is not of the "
                "form 'raw float64 x' or 'T x'"
            )
        one = Parameter(match[3], match[2], bool(match[1]))
        if not one.generic and one.type not in (*C_TYPES, *WEAK, OBJECT):
            raise TypeError(
                f"kernel: {one.type!r}, the type of {one.name} of {function}, is none of "
                f"{', '.join([*C_TYPES, *WEAK, OBJECT])}, nor one letter (float32 or float64)"
            )
        found.append(one)
    return found
