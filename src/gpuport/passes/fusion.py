"""Chains of elementwise operations that become one launch: the kernel above its function.

The operations stay, for values that the kernel was not made for and for the host.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from gpuport.analysis.chains import Chain, chains
from gpuport.analysis.summaries import Analysed
from gpuport.passes.aliases import Aliases
from gpuport.passes.lines import (
    INDENT,
    WIDE,
    above,
    grouped,
    indentation,
    indented,
    inside_strings,
    step,
)
from gpuport.source.edits import Edit, Extent
from gpuport.source.module import Module

_BEFORE_FUNCTION = 400
"""Order of a kernel among what is inserted above a function: above its decorator, below loops'."""

Part = str | Extent


def fused(analysed: Analysed, others: Iterable[Edit]) -> tuple[Chain, ...]:
    """The chains of a function that run as kernels; none across what other edits replace."""
    found = chains(analysed)
    return tuple(chain for chain in found if _free(analysed.unit.module, chain, others))


def _free(module: Module, chain: Chain, others: Iterable[Edit]) -> bool:
    start, end = _extent(module, chain)
    return all(
        start <= edit.start and edit.end <= end
        for edit in others if edit.start < end and edit.end > start
    )  # fmt: skip


def _extent(module: Module, chain: Chain) -> Extent:
    return module.extent(chain.statements[0])[0], module.extent(chain.statements[-1])[1]


def edits(analysed: Analysed, found: Iterable[Chain], aliases: Aliases) -> Iterator[Edit]:
    """The edits of a function's chains."""
    module = analysed.unit.module
    node = analysed.unit.node
    for position, chain in enumerate(found):
        layout = _Layout(module, chain, aliases, node)
        at = above(module, chain.statements[0] if isinstance(node, ast.Module) else node)
        definition = f"{chain.name} = {chain.kernel.definition}"
        definition = definition.replace("{cupy}", aliases.cupy)
        lines = [*map(layout.indented, definition.splitlines()), "", ""]
        text = "".join(line + module.newline for line in lines)
        yield Edit(at, at, (text,), order=_BEFORE_FUNCTION - position)
        yield layout.edit()


class _Layout:
    """The text around a chain."""

    def __init__(
        self, module: Module, chain: Chain, aliases: Aliases, node: ast.stmt | ast.Module
    ) -> None:
        self.module = module
        self.chain = chain
        self.aliases = aliases
        first = chain.statements[0]
        self.indent = indentation(module, first)
        self.step = step(module, node) or INDENT

    def indented(self, line: str) -> str:
        """A line with the module's own indentation."""
        return indented(line, self.step)

    def edit(self) -> Edit:
        """The launch in front of the statements, which become its other branch."""
        start, end = _extent(self.module, self.chain)
        parts = [*self._join(self._condition()), *self._launch()]
        newline = self.module.newline
        if self.chain.returns:
            return Edit(start, end, (*parts, newline + self.indent, (start, end)))
        parts.append(f"{newline}{self.indent}else:{newline}{self.indent}{self.step}")
        return Edit(start, end, (*parts, *self._deeper(start, end)))

    def _join(self, lines: list[str]) -> Iterator[str]:
        yield (self.module.newline + self.indent).join(map(self.indented, lines))

    def _condition(self) -> list[str]:
        kinds: dict[str, list[str]] = {}
        for kind, text in self.chain.guarded:
            kinds.setdefault(kind, []).append(text)
        given = [f"{kind}={grouped(texts)}" for kind, texts in kinds.items()]
        if self.chain.written:
            given.append(f"writes={grouped(list(self.chain.written))}")
        terms = [f"{self.aliases.launchable}({', '.join(given)})"]
        if self.chain.same_shape:
            terms.append(" == ".join(f"{text}.shape" for text in self.chain.same_shape))
        line = f"if {' and '.join(terms)}:"
        if len(self.indent) + len(line) <= WIDE:
            return [line]
        broken = ["if (", *(f"    {'and ' if k else ''}{t}" for k, t in enumerate(terms)), "):"]
        return broken if len(terms) > 1 else [line]

    def _launch(self) -> Iterator[Part]:
        chain = self.chain
        head = self.module.newline + self.indent + self.step
        if chain.written and chain.made:
            dtypes = dict(chain.kernel.outputs)
            like = chain.written[0]
            for name in chain.made:
                dtype = "bool_" if dtypes[name] == "bool" else dtypes[name]
                yield f"{head}{name} = {self.aliases.cupy}.empty({like}.shape, "
                yield f"dtype={self.aliases.cupy}.{dtype})"
        yield head
        if chain.returns:
            yield "return "
        elif chain.made and not chain.written:
            yield f"{', '.join(chain.made)} = "
        yield f"{chain.name}("
        given: list[Part] = [self._given(one.expression) for one in chain.inputs]
        given += [*chain.written, *(chain.made if chain.written else ())]
        for position, part in enumerate(given):
            yield from (", ", part) if position else (part,)
        yield ")"

    def _given(self, node: ast.expr) -> Part:
        if isinstance(node, ast.Name):
            return node.id
        return self.module.extent(node)

    def _deeper(self, start: int, end: int) -> Iterator[Part]:
        """The user's statements, one line deeper by one."""
        statements = self.chain.statements
        position = start
        kept = {line for one in statements for line in inside_strings(one)}
        for line in range(statements[0].lineno + 1, (statements[-1].end_lineno or 0) + 1):
            begin = self.module.line_starts[line - 1]
            yield (position, begin)
            position = begin
            if line not in kept and self.module.line_text(line).strip():
                yield self.step
        yield (position, end)


__all__ = ["Chain", "edits", "fused"]
