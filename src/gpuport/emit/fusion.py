"""Chains of elementwise operations that become one launch: a call in the place of the statements.

The statements are the function that is called, with their kernel above it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from gpuport.analysis.chains.records import Chain, Parts
from gpuport.analysis.chains.search import chains
from gpuport.analysis.functions.summaries import Analysed
from gpuport.emit.aliases import Aliases
from gpuport.emit.kernelfunctions import Declaration, KernelFunction, Style, lines_of
from gpuport.emit.lines import (
    INDENT,
    above,
    blank_before,
    filled,
    has_one_each,
    indentation,
    room,
    step,
    width,
)
from gpuport.emit.sharednames import renamed
from gpuport.source.edits import Edit, Extent, parenthesised
from gpuport.source.excerpts import laid_out, line_end
from gpuport.source.module import Module
from gpuport.source.syntax import dotted

_BEFORE_FUNCTION = 400
"""Order of a kernel among what is inserted above a function: above its decorator, below loops'."""

Part = str | Extent


def fused(analysed: Analysed, others: Sequence[Edit]) -> tuple[Chain, ...]:
    """The chains of a function that run as kernels; none across what other edits replace."""
    module = analysed.unit.module
    found = []
    for chain in chains(analysed):
        gone = {module.extent(statement) for statement in chain.statements}
        left = [one for one in others if (one.start, one.end) not in gone]
        if _nests(_Layout(module, chain).edit(), left):
            found.append(chain)
    return tuple(found)


def _nests(edit: Edit, others: Iterable[Edit]) -> bool:
    """Whether an edit keeps the other edits of what it moves: each within one of its pieces."""
    for other in others:
        if other.start >= edit.end or other.end <= edit.start:
            continue
        if other.start < edit.start or other.end > edit.end or other.start == other.end:
            return False
        for piece in edit.parts:
            if isinstance(piece, str) or other.start >= piece[1] or other.end <= piece[0]:
                continue
            if other.start < piece[0] or other.end > piece[1]:
                return False
    return True


def with_calls(analysed: Analysed, found: Iterable[Chain], others: Iterable[Edit]) -> list[Edit]:
    """The edits of a function with the calls of its chains; those of what became functions go."""
    calls = [_Layout(analysed.unit.module, chain).edit() for chain in found]
    return [*(one for one in others if not any(_goes(one, call) for call in calls)), *calls]


def _goes(edit: Edit, call: Edit) -> bool:
    """Whether an edit is of text that the call takes the place of."""
    pieces = (piece for piece in call.parts if not isinstance(piece, str))
    inside = call.start <= edit.start and edit.end <= call.end and edit.start < edit.end
    return inside and not any(a <= edit.start and edit.end <= b for a, b in pieces)


# ---------------------------------------------------------------------- definitions


@dataclass
class Kernels:
    """The functions that the chains of a module are, each with all its places."""

    places: dict[str, list[tuple[int, Chain]]] = field(default_factory=dict)
    amid: set[int] = field(default_factory=set)
    """Where they stand amid the statements of the module."""

    def add(self, analysed: Analysed, found: Iterable[Chain]) -> None:
        """Note the chains of a function."""
        module, node = analysed.unit.module, analysed.unit.node
        for chain in found:
            at = above(module, chain.first if isinstance(node, ast.Module) else node)
            self.places.setdefault(chain.name, []).append((at, chain))
            self.amid |= {at} if isinstance(node, ast.Module) else set()

    @property
    def reads(self) -> frozenset[str]:
        """Names of the module that the functions read."""
        every = [chain.reads for places in self.places.values() for _, chain in places]
        return frozenset[str]().union(*every)

    def edits(self, module: Module, aliases: Aliases) -> Iterator[Edit]:
        """The functions, above the first that calls them."""
        style = Style(
            step(module, module.tree) or INDENT, room(module), aliases.kernel, has_one_each(module)
        )
        begun: set[int] = set()
        for number, places in enumerate(self.places.values()):
            at = min(position for position, _ in places)
            made = kernel_function([chain for _, chain in places])
            lines = [*lines_of(made, style), "", ""]
            if at in self.amid and at not in begun:
                lines = [*blank_before(module, at, 2), *lines]
            begun.add(at)
            text = "".join(line + module.newline for line in lines)
            yield Edit(at, at, (text,), order=_BEFORE_FUNCTION - number)


def kernel_function(same: Sequence[Chain]) -> KernelFunction:
    """The function of chains that are one kernel."""
    chain = same[0]
    text = "".join(part for part in chain.python if isinstance(part, str))
    names = renamed(_words(chain), map(_words, same[1:]), set(re.findall(r"[A-Za-z_]\w*", text)))
    every = [*chain.inputs, *chain.written]
    made = tuple(Declaration(name, type_) for name, type_ in chain.outputs)
    listed = [Declaration(names[one.name], one.type, one.raw) for one in every]
    inputs, changed = listed[: len(chain.inputs)], listed[len(chain.inputs) :]
    parameters = [one.name for one in listed]
    return KernelFunction(
        chain.name,
        tuple(inputs),
        (*changed, *made),
        tuple(_with_names(line, names) for line in chain.text.body),
        tuple(laid_out(_written(chain.python, parameters)).split("\n")),
        made=frozenset(one.name for one in made),
        over=_written(chain.over, parameters),
        where=_written(chain.where, parameters),
        preamble=chain.text.preamble,
    )


def _words(chain: Chain) -> dict[str, str]:
    return {one.name: one.word for one in (*chain.inputs, *chain.written)}


def _with_names(line: str, names: dict[str, str]) -> str:
    """A line of CUDA with other names for the parameters."""
    return re.sub(r"(?<![\w.])[A-Za-z_]\w*", lambda found: names.get(found[0], found[0]), line)


def _written(parts: Parts, parameters: Sequence[str]) -> str:
    return "".join(part if isinstance(part, str) else parameters[part] for part in parts)


# ---------------------------------------------------------------------- calls


class _Layout:
    """The text of a call."""

    def __init__(self, module: Module, chain: Chain) -> None:
        self.module = module
        self.chain = chain
        self.start = module.extent(chain.first)[0]
        self.end = (
            line_end(module, chain.statements[-1])
            if chain.rest is None
            else module.extent(chain.rest)[1]
        )
        self.indent = indentation(module, chain.first)
        self.line = module.newline + self.indent
        self.step = step(module, module.tree) or INDENT

    def edit(self) -> Edit:
        """The call in the place of the statements."""
        alone = len(self.chain.made) == max(len(self.chain.tails), 1)
        parts = self._in_its_place() if alone else None
        return Edit(self.start, self.end, tuple(parts or self._on_its_line()))

    def _on_its_line(self) -> Iterator[Part]:
        chain, names = self.chain, self.chain.made
        head: list[Part] = ["return "] if chain.returns else []
        target = self._target()
        bound: list[Part] = [*names] if not chain.returns else []
        bound[: target is not None] = [] if target is None else [target]
        bound += [self._given(one) for one in chain.given_back]
        for number, one in enumerate(bound):
            head += [", " if number else "", one]
        head += [" = "] if bound else []
        yield from head
        yield from self._call(sum(map(_length, head)))
        if chain.tails and target is None:
            yield self.line
            named = zip(chain.tails, names, strict=False)
            yield from self._around({tail: [name] for tail, name in named})

    def _call(self, before: int) -> Iterator[Part]:
        """The call, behind so many characters on its line."""
        chain = self.chain
        given = [self._given(one.expression) for one in (*chain.inputs, *chain.written)]
        taken = sum(map(_length, given)) + 2 * (len(given) - 1)
        free = room(self.module)
        start = width(self.indent + chain.name) + before + len("()")
        inner, left = self.line + self.step, free - width(self.indent + self.step)
        if start + taken <= free:
            begins, opening, closing = [], "", ""
        elif has_one_each(self.module) and taken > left:
            begins, opening, closing = list(range(len(given))), inner, f",{self.line}"
        else:
            begins = filled([*map(_length, given)], left)
            opening, closing = inner, self.line
        yield f"{chain.name}({opening}"
        for position, part in enumerate(given):
            apart = f",{inner}" if position in begins else ", "
            yield from (apart, part) if position else (part,)
        yield f"{closing})"

    def _given(self, node: ast.expr) -> Part:
        return node.id if isinstance(node, ast.Name) else self.module.extent(node)

    def _in_its_place(self) -> list[Part] | None:
        """The statement that the expressions stood in, with the call in their place.

        None where that would take more than one line, or would be something else.
        """
        whole = self._replaced()
        if whole is None:
            return None
        before = self.module.extent(whole)[0] - self.module.line_starts[whole.lineno - 1]
        call = [*self._call(before - len(self.indent))]
        broken = any(isinstance(part, str) and self.line in part for part in call)
        return None if broken and not self._is_whole(whole) else [*self._around({whole: call})]

    def _replaced(self) -> ast.expr | None:
        """The one expression, or the display of several that a function is given: ``np.stack([x,
        y])``, which takes the tuple that the call gives as well; None for others.
        """
        tails = self.chain.tails
        if len(tails) < 2 or self.chain.rest is None:
            return tails[0] if tails else None
        calls = (node for node in ast.walk(self.chain.rest) if isinstance(node, ast.Call))
        given = (call.args[0] for call in calls if call.args and dotted(call.func) is not None)
        same = (one for one in given if tuple(getattr(one, "elts", ())) == tails)
        return next((one for one in same if isinstance(one, ast.List | ast.Tuple)), None)

    def _target(self) -> Part | None:
        """The name or attribute that an expression at the end is stored under, as it is."""
        rest, tails = self.chain.rest, self.chain.tails
        if len(tails) != 1 or not isinstance(rest, ast.Assign) or not self._is_whole(tails[0]):
            return None
        (target, *others) = rest.targets
        plain = isinstance(target, ast.Name | ast.Attribute) and not others
        root = (dotted(target) or "").partition(".")[0]
        start, end = self.module.extent(rest)
        if not plain or not root or root in self.chain.made or "#" in self.module.text[start:end]:
            return None
        return self.module.extent(target)

    def _is_whole(self, tail: ast.expr) -> bool:
        """Whether an expression is all that its statement computes."""
        return self.chain.rest is not None and getattr(self.chain.rest, "value", None) is tail

    def _around(self, instead: Mapping[ast.expr, Sequence[Part]]) -> Iterator[Part]:
        """The last statement, with something else in the place of some expressions."""
        assert self.chain.rest is not None
        at = self.module.extent(self.chain.rest)[0]
        for one, parts in instead.items():
            start, end = parenthesised(self.module.text, *self.module.extent(one))
            yield (at, start)
            yield from parts
            at = end
        yield (at, self.end)


def _length(part: Part) -> int:
    return len(part) if isinstance(part, str) else part[1] - part[0]


__all__ = ["Chain", "Kernels", "fused", "kernel_function", "with_calls"]
