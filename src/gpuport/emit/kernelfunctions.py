"""A function of the user's own statements with the kernel that does the same above it.

`gpuport.runtime.kernel` launches the kernel where the arrays are on the device, and runs the
function everywhere else, so that no statement stands twice in a port.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import FunctionType
from typing import Any

from gpuport.emit.lines import on_lines
from gpuport.runtime.kernels.declared import declared

STEP = "    "
MIXED = "whole numbers of arrays take part in arithmetic with float32"
"""What is refused of a text that does not say the types of its numbers."""
_SEPARATORS = {"where": " and ", "before": "; ", "work": "; "}
QUOTES = '"""'


@dataclass(frozen=True, slots=True)
class Declaration:
    """One parameter of a kernel: ``raw float64 x``.

    Attributes
    ----------
    name : str
        The same in Python and in CUDA; ``p.dx`` or ``p['dx']`` for a number that `p` stores.
    type : str
        A dtype, ``T`` for float32 or float64, ``float`` or ``int`` for Python's numbers.
    raw : bool
        An array that the text indexes.
    """

    name: str
    type: str
    raw: bool = False

    @property
    def text(self) -> str:
        """As a signature has it."""
        return f"{'raw ' if self.raw else ''}{self.type} {self.name}"

    @property
    def parameter(self) -> str:
        """The function's parameter that it is, or that stores it."""
        return re.split(r"[.\[]", self.name)[0]


@dataclass(frozen=True, slots=True)
class KernelFunction:
    """A decorated function.

    Attributes
    ----------
    name : str
    inputs, outputs : tuple of Declaration
        Outputs that are parameters are written in place; others are made and returned.
    body : tuple of str
        Lines of CUDA C++.
    python : tuple of str
        Lines of the function's body, as deep as if they stood at the left margin; a line that
        begins inside a string is among ``kept`` by its position, and is never moved.
    made : frozenset of str
        Outputs that are no parameters.
    over, where, within, before, then, returns, preamble, first, work : str
        As `gpuport.runtime.kernel` has them.
    typed : bool
    when : str
        Where it is called; empty for always.
    kept : frozenset of int
    """

    name: str
    inputs: tuple[Declaration, ...]
    outputs: tuple[Declaration, ...]
    body: tuple[str, ...]
    python: tuple[str, ...]
    made: frozenset[str] = frozenset()
    over: str = ""
    where: str = ""
    within: str = ""
    before: str = ""
    then: str = ""
    returns: str = ""
    first: str = ""
    work: str = ""
    preamble: str = ""
    typed: bool = False
    when: str = ""
    kept: frozenset[int] = frozenset()

    @property
    def parameters(self) -> tuple[str, ...]:
        """The function's, in the order in which a call passes them."""
        every = [one.parameter for one in (*self.inputs, *self.outputs)]
        return tuple(name for name in dict.fromkeys(every) if name not in self.made)


@dataclass(frozen=True, slots=True)
class Style:
    """How the lines of a module are written.

    Attributes
    ----------
    step : str
        What a line inside a statement is indented by.
    width : int
        How long a line may be.
    decorator : str
        What `gpuport.runtime.kernel` is called in the module.
    one_each : bool
        Whether each argument of a long call has a line of its own.
    """

    step: str = STEP
    width: int = 88
    decorator: str = "kernel"
    one_each: bool = False


def lines_of(one: KernelFunction, style: Style) -> list[str]:
    """The decorator and the function, line by line."""
    step = style.step
    head = f"def {one.name}({', '.join(one.parameters)}):"
    if len(head) <= style.width:
        lines = [head]
    else:
        listed = on_lines(one.parameters, step, style.width, style.one_each)
        lines = [f"def {one.name}(", *listed, "):"]
    return [*_decorator(one, style), *lines, *_indented(one, step)]


def _indented(one: KernelFunction, step: str) -> Iterator[str]:
    """The lines of the function's body."""
    for number, line in enumerate(one.python):
        if number in one.kept:
            yield line
        else:
            yield step + line if line.strip() else ""


def _decorator(one: KernelFunction, style: Style) -> list[str]:
    """``@kernel(...)``, on one line where it fits."""
    given = [*map(_signature, (one.inputs, one.outputs))]
    words = {
        "over": one.over, "where": one.where, "within": one.within, "work": one.work,
        "before": one.before, "then": one.then, "returns": one.returns,
    }  # fmt: skip
    said = [f'{name}="{text}"' for name, text in words.items() if text]
    said += ["typed=True"] if one.typed else []
    if len(one.body) == 1 and not (one.preamble or one.first):
        arguments = [*given, f'"{one.body[0]}"', *said]
        line = f"@{style.decorator}({', '.join(arguments)})"
        if len(line) <= style.width:
            return [line]
        inner = ", ".join(arguments)
        if len(style.step) + len(inner) <= style.width:
            return [f"@{style.decorator}(", style.step + inner, ")"]
    lines = [f"@{style.decorator}("]
    for part in (one.inputs, one.outputs):
        lines += _folded("", ", ", [declaration.text for declaration in part], style)
    lines += [*_block("", one.body, style.step)]
    lines += _block("first=", tuple(one.first.splitlines()), style.step) if one.first else []
    for name, text in words.items():
        separator = _SEPARATORS.get(name, ", ")
        pieces = _pieces(text, separator)
        if any(len(piece) + 2 * len(style.step) + 4 > style.width for piece in pieces):
            separator, pieces = " ", text.split(" ")
        lines += _folded(f"{name}=", separator, pieces, style) if text else []
    if one.preamble:
        lines += _block("preamble=", tuple(one.preamble.splitlines()), style.step)
    lines += [f"{style.step}typed=True,"] if one.typed else []
    return [*lines, ")"]


def _signature(part: Sequence[Declaration]) -> str:
    return f'"{", ".join(declaration.text for declaration in part)}"'


def _block(word: str, text: tuple[str, ...], step: str) -> list[str]:
    """An argument of several lines."""
    inner = [step + _stepped(line, step) if line else "" for line in text]
    return [f"{step}{word}{QUOTES}", *inner, f"{step}{QUOTES},"]


def _stepped(line: str, step: str) -> str:
    """A line of CUDA, which is written with `STEP`, in the module's own indentation."""
    bare = line.lstrip(" ")
    depth, rest = divmod(len(line) - len(bare), len(STEP))
    return step * depth + " " * rest + bare


def _folded(word: str, separator: str, pieces: Sequence[str], style: Style) -> list[str]:
    """A string as an argument, on as many lines as it takes."""
    whole = f'{style.step}{word}"{separator.join(pieces)}",'
    if len(whole) <= style.width or len(pieces) < 2:
        return [whole]
    rows = [""]
    depth = len(style.step) * (2 if word else 1)
    for number, piece in enumerate(pieces):
        text = piece + (separator if number < len(pieces) - 1 else "")
        if rows[-1] and depth + len(rows[-1]) + len(text) + 3 > style.width:
            rows.append("")
        rows[-1] += text
    if not word:
        quoted = [f'{style.step}"{row}"' for row in rows]
        return [*quoted[:-1], f"{quoted[-1]},"]
    return [f"{style.step}{word}(", *(f'{style.step * 2}"{row}"' for row in rows),
            f"{style.step}),"]  # fmt: skip


def _pieces(text: str, separator: str) -> list[str]:
    """The parts of a text between separators that stand in no bracket."""
    pieces, depth, begin = [], 0, 0
    for at, char in enumerate(text):
        depth += (char in "[({") - (char in "])}")
        if not depth and at >= begin and text.startswith(separator, at):
            pieces.append(text[begin:at])
            begin = at + len(separator)
    return [*pieces, text[begin:]]


def refusal_of(one: KernelFunction, names: Mapping[str, Any]) -> str | None:
    """What the runtime would say of a function where it is decorated; None where it takes it.

    Parameters
    ----------
    one : KernelFunction
    names : mapping
        Names of the module that the function may read, with values of their types.
    """
    source = "\n".join(["def f(" + ", ".join(one.parameters) + "):", *_indented(one, STEP)])
    space = dict(names)
    exec(compile(source, f"<{one.name}>", "exec"), space)  # defines the function, calls nothing
    function = space["f"]
    assert isinstance(function, FunctionType)
    ins, outs = (", ".join(d.text for d in part) for part in (one.inputs, one.outputs))
    text = "\n".join(one.body)
    try:
        made = declared(
            function, ins, outs, text, one.over, one.where, one.returns, one.preamble, one.within,
            one.then, one.first, one.before, one.work, one.typed,
        )  # fmt: skip
    except TypeError as error:
        return str(error)
    if made.mixes_whole and any(d.type in ("float32", "complex64") for d in made.parameters):
        return MIXED
    return None
