"""Chains of elementwise operations that become one launch: the kernel above its function.

The operations stay, for values that the kernel was not made for and for the host.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence

from gpuport.analysis.chains.search import Chain, chains
from gpuport.analysis.functions.summaries import Analysed
from gpuport.passes.aliases import Aliases
from gpuport.passes.lines import (
    INDENT,
    WIDE,
    above,
    folded,
    grouped,
    indentation,
    indented,
    inside_strings,
    step,
    width,
)
from gpuport.passes.parentheses import parenthesised
from gpuport.source.edits import Edit, Extent
from gpuport.source.module import Module

_BEFORE_FUNCTION = 400
"""Order of a kernel among what is inserted above a function: above its decorator, below loops'."""

Part = str | Extent


def fused(analysed: Analysed, others: Sequence[Edit]) -> tuple[Chain, ...]:
    """The chains of a function that run as kernels; none across what other edits replace."""
    module, node = analysed.unit.module, analysed.unit.node
    return tuple(
        chain
        for chain in chains(analysed)
        if _nests(_Layout(module, chain, Aliases(), node).edit(), others)
    )


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


def edits(analysed: Analysed, found: Iterable[Chain], aliases: Aliases) -> Iterator[Edit]:
    """The edits of a function's chains."""
    module, node = analysed.unit.module, analysed.unit.node
    for position, chain in enumerate(found):
        layout = _Layout(module, chain, aliases, node)
        at = above(module, chain.first if isinstance(node, ast.Module) else node)
        yield Edit(at, at, (layout.definition(),), order=_BEFORE_FUNCTION - position)
        yield layout.edit()


def _extent(module: Module, chain: Chain) -> Extent:
    last = chain.rest or chain.statements[-1]
    return module.extent(chain.first)[0], module.extent(last)[1]


class _Layout:
    """The text around a chain."""

    def __init__(
        self, module: Module, chain: Chain, aliases: Aliases, node: ast.stmt | ast.Module
    ) -> None:
        self.module = module
        self.chain = chain
        self.aliases = aliases
        self.start, self.end = _extent(module, chain)
        self.indent = indentation(module, chain.first)
        self.step = step(module, node) or INDENT
        self.line = module.newline + self.indent

    def definition(self) -> str:
        """The kernel, with the blank lines behind it."""
        text = f"{self.chain.name} = {self.chain.kernel.definition}"
        lines = [*text.replace("{cupy}", self.aliases.cupy).splitlines(), "", ""]
        return "".join(indented(line, self.step) + self.module.newline for line in lines)

    def edit(self) -> Edit:
        """The launch, and the statements as its other branch."""
        chain = self.chain
        parts: list[Part]
        if not chain.guarded:
            parts = self._in_its_place() or [*self._launch(""), *self._rest()]
        elif chain.returns:
            parts = [*self._condition(), *self._launch(self.step), self.line]
            parts.append((self.start, self.end))
        else:
            parts = [*self._condition(), *self._launch(self.step), f"{self.line}else:"]
            parts += [*self._deeper(), *self._tail(), *self._rest()]
        return Edit(self.start, self.end, tuple(parts))

    def _condition(self) -> Iterator[Part]:
        chain = self.chain
        kinds: dict[str, list[str]] = {}
        for kind, text in chain.guarded:
            kinds.setdefault(kind, []).append(text)
        given = [f"{kind}={grouped(texts)}" for kind, texts in kinds.items()]
        if chain.written:
            given.append(f"writes={grouped(list(chain.written))}")
        terms = [f"{self.aliases.launchable}({', '.join(given)})"]
        if chain.same_shape:
            shape, *others = (f"{text}.shape" for text in chain.same_shape)
            terms += [" == ".join((shape, *others))] if others else []
            either = ", ".join(f"{text}.shape" for text in chain.or_scalar)
            terms += [f"{{{either}}} <= {{(), {shape}}}"] if either else []
        line = f"if {' and '.join(terms)}:"
        left = WIDE - width(self.indent)
        if width(self.indent + line) <= WIDE:
            yield line
        elif len(terms) == 1:
            *broken, last = folded(line[:-1], left)
            yield self.line.join(indented(one, self.step) for one in (*broken, f"{last}:"))
        else:
            listed = [terms[0], *(f"and {term}" for term in terms[1:])]
            folds = (one for term in listed for one in folded(term, left - len(INDENT)))
            broken = ["if (", *(INDENT + one for one in folds), "):"]
            yield self.line.join(indented(one, self.step) for one in broken)
        yield self.line + self.step

    def _launch(self, deeper: str) -> Iterator[Part]:
        chain, cupy = self.chain, self.aliases.cupy
        if chain.written:
            dtypes = dict(chain.kernel.outputs)
            for name in chain.made:
                dtype = "bool_" if dtypes[name] == "bool" else dtypes[name]
                shape = f"{chain.written[0]}.shape"
                yield f"{name} = {cupy}.empty({shape}, dtype={cupy}.{dtype}){self.line}{deeper}"
        if chain.returns:
            yield "return "
        elif not chain.written:
            yield f"{', '.join(chain.made)} = "
        yield from self._call(deeper, len(", ".join(chain.made) + "return "))

    def _call(self, deeper: str, before: int) -> Iterator[Part]:
        """The call of the kernel, behind so many characters on its line."""
        chain = self.chain
        given: list[Part] = [self._given(one.expression) for one in chain.inputs]
        given += [*chain.written, *(chain.made if chain.written else ())]
        taken = sum(len(part) if isinstance(part, str) else part[1] - part[0] for part in given)
        start = width(self.indent + deeper + chain.name) + before + len("()")
        inner = self.line + deeper + self.step
        apart = ", "
        if start + taken + 2 * len(given) <= WIDE:
            yield f"{chain.name}("
        else:
            apart = ", " if width(inner) + taken + 2 * len(given) <= WIDE else f",{inner}"
            yield f"{chain.name}({inner}"
        for position, part in enumerate(given):
            yield from (apart, part) if position else (part,)
        if start + taken + 2 * len(given) > WIDE:
            yield f"{',' if apart != ', ' else ''}{self.line}{deeper}"
        yield ")"

    def _given(self, node: ast.expr) -> Part:
        return node.id if isinstance(node, ast.Name) else self.module.extent(node)

    def _deeper(self) -> Iterator[Part]:
        """The user's statements, one line deeper by one."""
        statements = self.chain.statements
        if not statements:
            return
        position, end = self.start, self.module.extent(statements[-1])[1]
        kept = {line for one in statements for line in inside_strings(one)}
        yield self.line + self.step
        for line in range(statements[0].lineno + 1, (statements[-1].end_lineno or 0) + 1):
            begin = self.module.line_starts[line - 1]
            yield (position, begin)
            position = begin
            if line not in kept and self.module.line_text(line).strip():
                yield self.step
        yield (position, end)

    # ------------------------------------------------------------------ inside a statement

    def _tail(self) -> Iterator[Part]:
        """The expression that belongs to the chain, under a name of its own."""
        if self.chain.tail is None:
            return
        start, end = self.module.extent(self.chain.tail)
        several = self.module.newline in self.module.text[start:end]
        yield f"{self.line}{self.step}{self.chain.made[0]} = "
        yield from ("(", (start, end), ")") if several else ((start, end),)

    def _rest(self) -> Iterator[Part]:
        """The statement that the expression stood in, with the name in its place."""
        if self.chain.tail is None or self.chain.rest is None:
            return
        yield self.line
        yield from self._around(self.chain.tail, self.chain.made[0])

    def _in_its_place(self) -> list[Part]:
        """The statement that the expression stood in, with the launch in its place.

        Nothing where the launch gives more than that, or would take more than one line.
        """
        chain, tail = self.chain, self.chain.tail
        if tail is None or len(chain.made) > 1 or chain.written:
            return []
        before = self.module.extent(tail)[0] - self.module.line_starts[tail.lineno - 1]
        call = [*self._call("", before - len(self.indent))]
        broken = any(isinstance(part, str) and self.line in part for part in call)
        return [] if broken else [*self._around(tail, *call)]

    def _around(self, tail: ast.expr, *instead: Part) -> Iterator[Part]:
        assert self.chain.rest is not None
        start, end = parenthesised(self.module.text, *self.module.extent(tail))
        yield (self.module.extent(self.chain.rest)[0], start)
        yield from instead
        yield (end, self.end)


__all__ = ["Chain", "edits", "fused"]
