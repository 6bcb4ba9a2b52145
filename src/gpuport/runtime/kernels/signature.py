"""What the signature of a kernel says: ``"raw T u, float h"``."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from gpuport.runtime.kernels.plaindata import PATH, Path, path_of, same_path

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

_PARAMETER = re.compile(rf"(raw\s+)?(?!raw\b)([A-Za-z_]\w*)\s+([A-Za-z_]\w*)({PATH})?")


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter: ``raw T u``, or ``float p.dx``: a number that a parameter of the function has.

    Attributes
    ----------
    name : str
        What the kernel calls it; of ``p.dx`` a word that stands nowhere else.
    type : str
    raw : bool
    owner : str
        The function's parameter that has it; empty where it is one itself.
    path : tuple
    """

    name: str
    type: str
    raw: bool
    owner: str = ""
    path: Path = ()

    @property
    def shown(self) -> str:
        """As the signature has it."""
        steps = (f"[{name!r}]" if entry else f".{name}" for entry, name in self.path)
        return "".join([self.owner, *steps]) or self.name

    def named_in(self, text: str) -> str:
        """A text in which what it is a number of is written as its name."""
        return same_path(self.owner, self.path).sub(self.name, text) if self.owner else text

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
                "form 'raw float64 x', 'T x' or 'float p.x'"
            )
        one = Parameter(match[3], match[2], bool(match[1]))
        if match[4]:
            one = Parameter(one.name, one.type, one.raw, match[3], path_of(match[4]))
        if not one.generic and one.type not in (*C_TYPES, *WEAK, OBJECT):
            raise TypeError(
                f"kernel: {one.type!r}, the type of {one.name} of {function}, is none of "
                f"{', '.join([*C_TYPES, *WEAK, OBJECT])}, nor one letter (float32 or float64)"
            )
        found.append(one)
    return found


def _word_of(step: tuple[bool, str | int]) -> str:
    return str(step[1]).replace("-", "minus_")


def with_words(parameters: Iterable[Parameter], taken: set[str]) -> list[Parameter]:
    """Parameters with words of their own for what they are numbers of.

    Parameters
    ----------
    parameters : iterable of Parameter
    taken : set of str
        Words that stand for something else; grows.
    """
    found = []
    for one in parameters:
        word = "_".join([one.owner, *map(_word_of, one.path)]) if one.owner else one.name
        while one.owner and word in taken:
            word += "_"
        taken.add(word)
        found.append(replace(one, name=word))
    return found
