"""What CuPy is given: the ``ElementwiseKernel`` for arguments of certain types."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gpuport.runtime.kernels.declared import FLAG, Declared
from gpuport.runtime.kernels.indices import (
    indices_of,
    with_whole_indices,
    without_comments,
)
from gpuport.runtime.kernels.provided import PROVIDED
from gpuport.runtime.kernels.signature import C_TYPES, WEAK, Parameter
from gpuport.runtime.kernels.weak import (
    PLAIN_NUMBERS,
    WEAK_NUMBERS,
    with_weak_literals,
)

KEYWORDS = frozenset({
    "case", "default", "delete", "export", "extern", "friend", "goto", "inline", "namespace", "new",
    "operator", "private", "public", "register", "struct", "switch", "template", "this", "typedef",
    "union", "virtual", "volatile",
})  # fmt: skip
"""Names of Python's that C++ keeps for itself: as parameters they are others in the kernel."""

_NARROW = frozenset({"float32", "complex64"})
_NO_CALL = r"(?!\s*\(|<[\w ]+>\s*\()"


@dataclass(frozen=True, slots=True)
class Instance:
    """What a text is made for.

    Attributes
    ----------
    generic : str
        The dtype of the letter in the signature.
    boxed : frozenset of str
        Numbers that are arrays without axes.
    python : frozenset of str
        Floating parameters that are given numbers of Python's.
    numbers : tuple of (str, str)
        Numbers of the module and their types, ``int`` or ``float``.
    """

    generic: str
    boxed: frozenset[str]
    python: frozenset[str]
    numbers: tuple[tuple[str, str], ...]

    def is_narrow(self, one: Declared) -> bool:
        """Whether Python's numbers meet float32."""
        return not _NARROW.isdisjoint(p.dtype(self.generic) for p in one.parameters)


def elementwise(one: Declared, instance: Instance, cupy: Any, *, first: bool = False) -> Any:
    """The kernel of CuPy's; with `first`, the one that is launched before it."""
    narrow = instance.is_narrow(one) and not one.typed
    weak = instance.python if narrow else frozenset[str]()
    other = instance.boxed | weak | meaning_more(one)
    labels = {p.name: _label(p.name, p.name in other) for p in one.parameters}
    lines = [*_domain(one), *_aliases(one, instance, weak, labels), *_numbers(instance, narrow)]
    letters = {p.type for p in one.parameters if p.generic}
    lines += [f"typedef {C_TYPES[instance.generic]} {letter};" for letter in sorted(letters)]
    body, indices = one.body, one.indices
    if one.first:
        body = without_comments(one.first if first else one.text)
        for p in one.inputs:
            body = p.named_in(body)
        raw = {p.name for p in one.parameters if p.raw}
        indices = indices_of(body, raw, one.function.__qualname__)
    body = re.sub(r"(\w)\.shape\[", r"\1.shape()[", with_whole_indices(body, indices))
    if narrow:
        body = with_weak_literals(body)
    for name in labels.keys() & meaning_more(one):
        body = re.sub(rf"(?<![\w.]){name}\b{_NO_CALL}", own_word(name), body)
    name = word_of(one.function.__name__ + ("_first" if first else ""))
    head = "const long long gp_index = i;\n{\n" + "\n".join(lines)

    def said(p: Parameter) -> str:
        raw = "raw " if p.raw or p.name in instance.boxed else ""
        return f"{raw}{'float64' if p.name in weak else p.dtype(instance.generic)} {labels[p.name]}"

    return cupy.ElementwiseKernel(
        ", ".join([*map(said, one.inputs), *_extra(one, instance.numbers)]),
        ", ".join([*map(said, one.outputs), *([f"raw bool {FLAG}"] if one.may_raise else [])]),
        f'{head}\n{{\n#line 1 "{name}"\n{body}\n}}\n}}',
        name,
        preamble="\n".join([
            WEAK_NUMBERS if narrow else PLAIN_NUMBERS, *(PROVIDED[word] for word in one.helpers),
            one.preamble,
        ]),
        options=("--fmad=false",),
    )  # fmt: skip


def word_of(name: str) -> str:
    """What CUDA calls a kernel: a word that no header of CUDA's or CuPy's has."""
    word = "".join(c if c.isascii() else f"u{ord(c):x}" for c in name.strip("_"))
    return f"{word}_kernel".lstrip("_")


def _label(name: str, other: bool) -> str:
    """The name that a parameter has for CuPy, which keeps some for itself."""
    taken = name in ("i", "n") or name.startswith("_")
    return f"gp_{name}" if other or taken else name


def _domain(one: Declared) -> list[str]:
    """The names of the domain from the number of the thread; the innermost runs fastest."""
    lines, rest = [], "gp_index"
    for place, axis in reversed(list(enumerate(one.axes))):
        at = f"{rest} % gp_{axis.name}_length" if place else rest
        start, step = f"gp_{axis.name}_start", f"gp_{axis.name}_step"
        lines.append(f"const long long {axis.name} = {start} + {step} * ({at});")
        rest = f"{rest} / gp_{axis.name}_length"
    return lines


def _aliases(
    one: Declared, instance: Instance, weak: frozenset[str], labels: Mapping[str, str]
) -> list[str]:
    """Parameters under the names that the text has for them."""
    lines, more = [], meaning_more(one)
    for p in one.parameters:
        label = labels[p.name]
        word = own_word(p.name) if p.name in more else p.name
        if p.name in instance.boxed:
            lines.append(f"const auto {word} = {label}[0];")
        elif p.name in weak:
            lines.append(f"const weak {word}({label});")
        elif label != p.name:
            lines.append(f"auto &{word} = {label};")
    return lines


def meaning_more(one: Declared) -> set[str]:
    """The parameters whose names mean something else in the text, too.

    They are C++'s words, or those of functions that it calls: ``floor`` in ``floor(x - floor)``.
    """
    names = {p.name for p in one.parameters}
    called = set(
        re.findall(r"(?<![\w.])([A-Za-z_]\w*)(?:<[\w ]+>)?\s*\(", f"{one.first}\n{one.text}")
    )
    return names & (KEYWORDS | called)


def own_word(name: str) -> str:
    """What such a parameter is called in the text that is compiled."""
    return f"gp_own_{name}"


def _numbers(instance: Instance, narrow: bool) -> list[str]:
    kinds = {"int": "long long", "float": "weak" if narrow else "double"}
    return [f"const {kinds[kind]} {name}(gp_{name});" for name, kind in instance.numbers]


def _extra(one: Declared, numbers: tuple[tuple[str, str], ...]) -> list[str]:
    """What the kernel is told beside the function's parameters."""
    names = [axis.name for axis in one.axes]
    return [
        *(f"{WEAK[kind]} gp_{name}" for name, kind in numbers),
        *(f"int64 gp_{name}_{end}" for name in names for end in ("start", "step")),
        *(f"int64 gp_{name}_length" for name in names[1:]),
    ]
