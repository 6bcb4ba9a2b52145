"""Which lines and branches of the original ran: what was never run was never compared."""

from __future__ import annotations

import ast
import contextlib
import dis
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from types import CodeType, FrameType
from typing import Any

from gpuport.verify.sides.conditions import COLUMN

Branch = tuple[int, bool]
FINITE, OTHER = 2, 1
"""What an example proves with finite results, and without: NaN hides what was calculated."""
_USUAL = 3 * FINITE
_COMPREHENSION = (ast.ListComp, ast.SetComp, ast.GeneratorExp)
_SILENT = ("RESUME", "COPY_FREE_VARS", "MAKE_CELL", "RETURN_GENERATOR", "POP_TOP", "NOP")


@dataclass(frozen=True, slots=True)
class _Decision:
    """An ``if`` or ``while``: its lines to the end of its test, and those of its body."""

    test: range
    body: range


@dataclass(slots=True)
class Coverage:
    """Lines and branches of one function (nested ones included), and those that have run.

    ``lines`` and ``branches`` are all that count: what ends in a ``raise`` of the function's own is
    left out, as the inputs that reach it are compared by the exception. What a ``lambda`` does is a
    line of its own. ``weights`` is how much the examples together prove that took a branch.
    """

    codes: set[CodeType]
    lines: set[int]
    branches: set[Branch] = field(default_factory=set)
    seen: set[int] = field(default_factory=set)
    taken: set[Branch] = field(default_factory=set)
    weights: Counter[Branch] = field(default_factory=Counter)
    _fresh: set[int | Branch] = field(default_factory=set)
    _decisions: dict[int, _Decision] = field(default_factory=dict)
    _pieces: dict[tuple[CodeType, int], Branch] = field(default_factory=dict)

    @classmethod
    def of(cls, code: CodeType, tree: ast.AST | None) -> Coverage:
        """The coverage of a function whose file has the syntax tree `tree`."""
        codes = set(_nested(code))
        lines = {line for code in codes for line in _body_lines(code)}
        made = cls(codes, lines)
        inside = range(min(lines, default=0), max(lines, default=0) + 1)
        for node in ast.walk(tree) if tree is not None else ():
            if isinstance(node, ast.stmt) and node.lineno in inside:
                made._learn(node)
            if isinstance(node, ast.IfExp | ast.If) and node.lineno in inside:
                made._divide(node)
            if isinstance(node, ast.Lambda) and node.lineno in inside:
                made._expect(node)
        for part, outcome in _conditional(tree) if tree is not None else ():
            if part.lineno in inside:
                made._watch([part], (part.lineno + (part.col_offset + 1) * COLUMN, outcome))
        return made

    def _divide(self, node: ast.IfExp | ast.If) -> None:
        """Branches that share a line with their test: their instructions are looked at."""
        if isinstance(node.test, ast.Constant):
            return
        for part, outcome in ((node.body, True), (node.orelse, False)):
            nodes = part if isinstance(part, list) else [part]
            if isinstance(node, ast.If) and (not nodes or nodes[0].lineno not in _span(node.test)):
                continue
            if nodes and isinstance(nodes[-1], ast.Raise):
                continue
            self._watch(nodes, (node.lineno + (node.col_offset + 1) * COLUMN, outcome))

    def _expect(self, node: ast.Lambda) -> None:
        """A function that shares a line with what makes it counts as a line of its own."""
        if node.lineno not in self.lines:
            return
        place = node.lineno + (node.col_offset + 1) * COLUMN
        self._watch([node.body], (place, True))
        if (place, True) in self.branches:
            self.branches.discard((place, True))
            self.lines.add(place)

    def _watch(self, nodes: Sequence[ast.expr | ast.stmt], branch: Branch) -> None:
        """A branch is taken where an instruction of one of these runs."""
        for code in self.codes:
            for number, place in enumerate(code.co_positions()):
                if any(_within(place, one) for one in nodes):
                    self._pieces[code, 2 * number] = branch
                    self.branches.add(branch)

    def _learn(self, node: ast.stmt) -> None:
        if isinstance(node, ast.Raise | ast.Assert):
            self.lines -= set(_span(node))
        if not isinstance(node, ast.If | ast.While) or isinstance(node.test, ast.Constant):
            return
        # where a test has lines of its own, Python decides at that of the statement
        test = range(node.lineno, _span(node.test).stop)
        body = _spans(node.body)
        raising = isinstance(node.body[-1], ast.Raise)
        if raising:
            self.lines -= set(body)
        otherwise = bool(node.orelse) and isinstance(node.orelse[-1], ast.Raise)
        if otherwise:
            self.lines -= set(_spans(node.orelse))
        if body.start in test or not set(test) & self.lines:
            return
        decision = _Decision(test, body)
        self._decisions.update(dict.fromkeys(test, decision))
        if not raising:
            self.branches.add((test.start, True))
        if not otherwise:
            self.branches.add((test.start, False))

    @property
    def complete(self) -> bool:
        """Whether everything that counts has run."""
        return self.lines <= self.seen and self.branches <= self.taken

    @property
    def settled(self) -> bool:
        """Whether everything that counts has run, and often enough."""
        return self.complete and not self.rare

    @property
    def rare(self) -> set[Branch]:
        """Branches that have run in too few examples to tell much."""
        return {branch for branch in self.branches if self.weights[branch] < _USUAL}

    @property
    def extent(self) -> tuple[int, int, int]:
        """How many lines and branches have run, and how many of these seldom."""
        return len(self.seen), len(self.taken), len(self.rare)

    def settle(self, weight: int) -> None:
        """Count what has run since the last time, or forget it.

        Parameters
        ----------
        weight : int
            How much the example proves: nothing for 0.
        """
        lines = {one for one in self._fresh if isinstance(one, int)}
        branches = {one for one in self._fresh if not isinstance(one, int)}
        self._fresh.clear()
        if weight:
            self.seen |= lines
            self.taken |= branches
            self.weights.update(dict.fromkeys(branches, weight))

    @contextlib.contextmanager
    def watching(self) -> Iterator[None]:
        """Trace the function's own frames inside the block."""
        before = sys.gettrace()
        sys.settrace(self._enter)
        try:
            yield
        finally:
            sys.settrace(before)

    def _enter(self, frame: FrameType, event: str, argument: Any) -> Any:
        if frame.f_code not in self.codes:
            return None
        last = 0
        frame.f_trace_opcodes = any(code is frame.f_code for code, _ in self._pieces)

        def trace(frame: FrameType, event: str, argument: Any) -> Any:
            nonlocal last
            if event == "opcode":
                piece = self._pieces.get((frame.f_code, frame.f_lasti))
                if piece is not None:
                    self._fresh.add(piece[0] if piece[0] in self.lines else piece)
            elif event == "line":
                line = frame.f_lineno
                self._fresh.add(line)
                self._decide(last, line)
                last = line
            elif event == "exception":
                last = 0  # a test that raised was not decided
            elif event == "return":
                self._decide(last, 0)
            return trace

        return trace

    def _decide(self, last: int, line: int) -> None:
        decision = self._decisions.get(last)
        if decision is not None and line not in decision.test:
            self._fresh.add((decision.test.start, line in decision.body))


def line_of(place: int) -> int:
    """The line of a place: what shares it with others has its column in the number too."""
    return place % COLUMN


def _conditional(tree: ast.AST) -> Iterator[tuple[ast.expr, bool]]:
    """What runs under a condition without a branch of its own, and for which outcome of that.

    What a comprehension with a filter gives, and the last operand of ``and`` and ``or`` outside
    of tests: what is tested is known to be true and false as a whole.
    """
    tests: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.If | ast.While | ast.IfExp | ast.Assert):
            tests.update(ast.walk(node.test))
        elif isinstance(node, ast.comprehension):
            tests.update(part for test in node.ifs for part in ast.walk(test))
    for node in ast.walk(tree):
        if isinstance(node, ast.BoolOp) and node not in tests:
            yield node.values[-1], isinstance(node.op, ast.And)
        elif isinstance(node, ast.DictComp) and _filters(node.generators):
            yield node.value, True
        elif isinstance(node, _COMPREHENSION) and _filters(node.generators):
            yield node.elt, True


def _filters(generators: list[ast.comprehension]) -> bool:
    return any(part.ifs for part in generators)


def _within(place: tuple[int | None, ...], node: ast.expr | ast.stmt) -> bool:
    line, end_line, column, end_column = place
    if line is None or end_line is None or column is None or end_column is None:
        return False
    if node.end_lineno is None or node.end_col_offset is None:
        return False
    begins = (node.lineno, node.col_offset) <= (line, column)
    return begins and (end_line, end_column) <= (node.end_lineno, node.end_col_offset)


def _span(node: ast.stmt | ast.expr) -> range:
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)


def _spans(body: list[ast.stmt]) -> range:
    return range(body[0].lineno, (body[-1].end_lineno or body[-1].lineno) + 1)


def _nested(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _nested(constant)


def _body_lines(code: CodeType) -> set[int]:
    lines: set[int] = set()
    current: int | None = None
    for instruction in dis.get_instructions(code):
        current = _line_of(instruction) or current
        if current is not None and instruction.opname not in _SILENT:
            lines.add(current)
    return lines - ({code.co_firstlineno} if len(lines) > 1 else set())


def _line_of(instruction: dis.Instruction) -> int | None:
    # Python 3.13 has the number in another attribute
    line = getattr(instruction, "line_number", None) or instruction.starts_line
    return None if isinstance(line, bool) else line
