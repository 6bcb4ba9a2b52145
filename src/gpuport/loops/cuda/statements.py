"""Statements in C++, in the user's order."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field

from gpuport.loops.cuda.element_extremes import element_extreme
from gpuport.loops.cuda.flow import as_load, pairs, range_arguments
from gpuport.loops.cuda.scopes import Scopes, scopes
from gpuport.loops.cuda.storage import refuse_complex, stays
from gpuport.loops.cuda.writer import Writer
from gpuport.loops.names import dotted, is_shape, loaded, stored, walk
from gpuport.loops.reasons import UNSUPPORTED, Refused
from gpuport.parallel.cuda.names import Names
from gpuport.parallel.cuda.rules import functions
from gpuport.parallel.cuda.text import C_TYPES, OR, SUM, UNARY, Text, cast, implicit
from gpuport.parallel.typing import kind

INDENT = "    "
CHECK = "checked("
"""How an index is written that may be out of range."""
WIDTH = 92


@dataclass
class Statements:
    """Writes a body.

    Attributes
    ----------
    writer : Writer
    names : Names
    atomics : frozenset of str
        Arrays to which threads add together.
    scopes : Scopes
        Where names are declared.
    returns : str or None
        Dtype of the result, in a function.
    flags : frozenset of str
        Names that keep only whether they were set.
    stops : bool
        Whether a loop that data may keep going ends where an index was out of range, and nothing
        is stored then.
    """

    writer: Writer
    names: Names
    atomics: frozenset[str] = frozenset()
    scopes: Scopes = field(default_factory=Scopes)
    returns: str | None = None
    flags: frozenset[str] = frozenset()
    stops: bool = False

    def body(self, statements: Sequence[ast.stmt], outside: Sequence[str] = ()) -> list[str]:
        """Lines of a whole body, its declarations included."""
        self.scopes = scopes(statements, outside)
        return self.block(statements)

    def block(self, statements: Sequence[ast.stmt]) -> list[str]:
        """Lines of statements."""
        lines: list[str] = []
        for node in statements:
            lines += self._declared(self.scopes.before.get(node, []))
            lines += getattr(self, f"_{type(node).__name__.lower()}")(node)
        return lines

    def _declared(self, names: list[str]) -> list[str]:
        by_type: dict[str, list[str]] = {}
        for name in names:
            by_type.setdefault(self._c_type(name), []).append(self.names[name])
        return [f"{c_type} {', '.join(listed)};" for c_type, listed in by_type.items()]

    def _c_type(self, name: str) -> str:
        return C_TYPES[self.writer.locals[name]]

    def _pass(self, node: ast.Pass) -> list[str]:
        return []

    def _expr(self, node: ast.Expr) -> list[str]:
        return []

    def _break(self, node: ast.Break) -> list[str]:
        return ["break;"]

    def _continue(self, node: ast.Continue) -> list[str]:
        return ["continue;"]

    def _return(self, node: ast.Return) -> list[str]:
        assert node.value is not None
        assert self.returns is not None
        return [f"return {self.writer.stored(node.value, self.returns).text};"]

    def _assign(self, node: ast.Assign) -> list[str]:
        kept = self._kept(node)
        if kept is not None:
            return [kept]
        assigned = pairs(node)
        lines, values = [], {}
        for k, (target, value) in enumerate(assigned):
            earlier = [t for t, _ in assigned[:k]]
            if _reads_any(target, earlier):
                raise Refused(UNSUPPORTED, node, "a target that depends on another one's new value")
            if _reads_any(value, earlier):
                dtype = self._target_dtype(target)
                held = self.names.fresh(f"{_base(target)}_new")
                lines.append(
                    f"const {C_TYPES[dtype]} {held} = {self._value(target, value, dtype)};"
                )
                values[k] = held
        for k, (target, value) in enumerate(assigned):
            dtype = self._target_dtype(target)
            text = values.get(k) or self._value(target, value, dtype)
            lines.append(self._set(node, target, text))
        return lines

    def _annassign(self, node: ast.AnnAssign) -> list[str]:
        if node.value is None:
            return []
        dtype = self._target_dtype(node.target)
        return [self._set(node, node.target, self._value(node.target, node.value, dtype))]

    def _value(self, target: ast.expr, value: ast.expr, dtype: str) -> str:
        if isinstance(target, ast.Subscript):
            return self.writer.fitting(value, dtype).text
        return self.writer.stored(value, dtype).text

    def _set(self, node: ast.stmt, target: ast.expr, text: str) -> str:
        if isinstance(target, ast.Name):
            if target.id in self.flags:
                return f"{self.names[target.id]} = true;"
            if (node, target.id) in self.scopes.inline:
                fixed = "const " if target.id in self.scopes.constant else ""
                return f"{fixed}{self._c_type(target.id)} {self.names[target.id]} = {text};"
            return f"{self.names[target.id]} = {text};"
        return self._stored(self.writer.write(target).text, text)

    def _stored(self, place: str, text: str) -> str:
        """A store; none where this or something before it was out of range."""
        if self.stops and CHECK in place:
            return f"put_inside({place}, {text}, {self.writer.flag});"
        return f"{place} = {text};"

    def _target_dtype(self, target: ast.expr) -> str:
        if isinstance(target, ast.Name):
            return self.writer.locals[target.id]
        assert isinstance(target, ast.Subscript)
        return self.writer.expressions.symbols.arrays[dotted(target.value) or ""].dtype

    def _augassign(self, node: ast.AugAssign) -> list[str]:
        target = as_load(node.target)
        dtype = self._target_dtype(node.target)
        refuse_complex(node, self.writer.expressions.computed[node, 0].output, dtype)
        if isinstance(node.target, ast.Subscript) and dotted(node.target.value) in self.atomics:
            return [self._atomic(node, dtype)]
        if isinstance(node.target, ast.Name):
            self.writer.expressions.values.setdefault(target, self.writer.expressions.known(node))
        else:
            self.writer.narrowed(node, self.writer.expressions.known(node), dtype)
        joined = self.writer.joined(node, target, dtype)
        left = self.writer.write(target).text
        if joined is not None and not (self.stops and CHECK in left):
            return [f"{left} {joined[0]}= {joined[1]};"]
        if isinstance(node.target, ast.Subscript):
            self.writer.cut(node, self.writer.expressions.known(node), dtype)
        changed = implicit(self.writer.augmented(node, target), dtype).text
        return [self._stored(left, changed)]

    def _atomic(self, node: ast.AugAssign, dtype: str) -> str:
        way = self.writer.expressions.computed[node, 0]
        mixed = kind(way.output) in "fc" and kind(dtype) not in "fc"
        by_parts = dtype in functions().atomic_add_parts
        if not (by_parts or dtype in functions().atomic_add) or mixed:
            name = dotted(node.target.value)  # type: ignore[union-attr]
            raise Refused(
                UNSUPPORTED, node, f"threads cannot add {way.output} to `{name}` ({dtype})"
            )
        self.writer.narrowed(node, self.writer.expressions.known(node), dtype)
        value = cast(self.writer.write(node.value), dtype, exact=True)
        if isinstance(node.op, ast.Sub):
            value = cast(Text(f"-{value.within(UNARY)}", UNARY, dtype), dtype)
        called = "atomic_add_parts" if by_parts else "atomicAdd"
        self.writer.together[ast.unparse(node.target)] = "+", dtype
        return f"{called}(&{self.writer.write(node.target).text}, {value.text});"

    def _kept(self, node: ast.stmt) -> str | None:
        """An extreme that threads keep in an element together."""
        found = element_extreme(node, self.writer.expressions.symbols.path)
        array = None if found is None else dotted(found.target.value)
        if found is None or array not in self.atomics:
            return None
        dtype, shown = self._target_dtype(found.target), ast.unparse(found.target)
        value = found.values[-1]
        if dtype not in functions().atomic_add or not stays(
            self.writer.expressions.known(value), dtype
        ):
            types = sorted(str(t) for t in self.writer.expressions.known(value).types)
            raise Refused(
                UNSUPPORTED,
                node,
                f"threads cannot keep the extreme of {' or '.join(types)} in `{shown}` ({dtype})",
            )
        if not found.first and kind(dtype) == "f" and found.function.startswith("builtins."):
            name, shown = found.function.rpartition(".")[2], ast.unparse(found.target)
            raise Refused(
                UNSUPPORTED,
                node,
                f"which of nan and a number `{name}` gives depends on their order, and so on the "
                f"order of the iterations: with the element first, `{name}({shown}, "
                f"{ast.unparse(value)})`, it does not",
            )
        form = functions().atomic_extremes[found.function]
        self.writer.together[shown] = found.function.rpartition(".")[2], dtype
        text = cast(self.writer.write(value), dtype, exact=True)
        called = form["floating" if kind(dtype) == "f" else "whole"]
        return f"{called}(&{self.writer.write(found.target).text}, {text.text});"

    def _if(self, node: ast.If) -> list[str]:
        kept = self._kept(node)
        if kept is not None:
            return [kept]
        branches: list[tuple[str, list[str]]] = []
        rest: list[ast.stmt] = [node]
        word = "if"
        while (
            len(rest) == 1
            and isinstance(rest[0], ast.If)
            and (word == "if" or rest[0] not in self.scopes.before)
        ):
            test = self.writer.truth(rest[0].test).text
            branches.append((f"{word} ({test})", self.block(rest[0].body)))
            rest, word = rest[0].orelse, "else if"
        if rest:
            branches.append(("else", self.block(rest)))
        if all(
            len(b) == 1 and b[0].endswith(";") and len(h + b[0]) < WIDTH - 8 for h, b in branches
        ):
            return [f"{head} {{ {lines[0]} }}" for head, lines in branches]
        found: list[str] = []
        for k, (head, lines) in enumerate(branches):
            found.append(f"}} {head} {{" if k else f"{head} {{")
            found += _indented(lines)
        return [*found, "}"]

    def _while(self, node: ast.While) -> list[str]:
        if node.orelse:
            raise Refused(UNSUPPORTED, node, "a loop with `else`")
        flagged, self.writer.flagged = self.writer.flagged, False
        test = self.writer.truth(node.test)
        lines = self.block(node.body)
        inside, self.writer.flagged = self.writer.flagged, self.writer.flagged or flagged
        if self.stops and inside:
            # what was read in the place of an element that is not there may never end the loop
            shown = test.text if test.binding > OR else f"({test.text})"
            return [f"while ({shown} && !{self.writer.flag}) {{", *_indented(lines), "}"]
        return [f"while ({test.text}) {{", *_indented(lines), "}"]

    def _for(self, node: ast.For) -> list[str]:
        start, stop, step = range_arguments(node)
        first, last = (self.writer.stored(e, "int64") for e in (start, stop))
        texts = [first.text, last.within(SUM)]
        assert isinstance(node.target, ast.Name)
        name = self.names[node.target.id]
        lines = []
        if _changes(stop, node.body) or (node.target.id in loaded([stop])):
            held = self.names.fresh(f"{name}_stop")
            lines.append(f"const long long {held} = {last.text};")
            texts[1] = held
        forward, change = self._step(node, step)
        counter = name if node in self.scopes.counters else self.names.fresh(f"{name}_next")
        turn = _turn(counter, change, forward)
        relation = "<" if forward else ">"
        head = f"for (long long {counter} = {texts[0]}; {counter} {relation} {texts[1]}; {turn}) {{"
        flagged, self.writer.flagged = self.writer.flagged, False
        inner = self.block(node.body)
        inside, self.writer.flagged = self.writer.flagged, self.writer.flagged or flagged
        if self.stops and inside and open_ended(node):
            head = head.replace(f"{texts[1]}; {turn}", f"{texts[1]} && !{self.writer.flag}; {turn}")
        if counter != name:
            inner = [f"{name} = {counter};", *inner]
        return [*lines, head, *_indented(inner), "}"]

    def _step(self, node: ast.For, step: ast.expr) -> tuple[bool, str]:
        value = self.writer.expressions.known(step)
        text = self.writer.write(step).text
        if value.low is not None and value.low > 0:
            return True, text
        if value.high is not None and value.high < 0:
            return False, str(-int(value.constant)) if value.constant is not None else f"-({text})"  # type: ignore[arg-type]
        raise Refused(UNSUPPORTED, node, f"the sign of the step `{ast.unparse(step)}` is not known")


def open_ended(node: ast.For | ast.While) -> bool:
    """Whether something else than extents and other loops tells how often a loop runs."""
    if isinstance(node, ast.While):
        return True
    return any(_told_by_data(one) for one in range_arguments(node))


def _told_by_data(bound: ast.expr) -> bool:
    if is_shape(bound):
        return False
    if isinstance(bound, ast.Name | ast.Attribute):
        return True
    if isinstance(bound, ast.Call) and dotted(bound.func) == "len":
        return False
    children = [one for one in ast.iter_child_nodes(bound) if isinstance(one, ast.expr)]
    if isinstance(bound, ast.Subscript):
        return not is_shape(bound.value)
    return any(map(_told_by_data, children))


def _turn(counter: str, change: str, forward: bool) -> str:
    if change == "1":
        return f"++{counter}" if forward else f"--{counter}"
    return f"{counter} {'+' if forward else '-'}= {change}"


def _changes(expression: ast.expr, body: Sequence[ast.stmt]) -> bool:
    """Whether a loop's body may change what its bound is made of."""
    if loaded([expression]) & stored(body):
        return True
    subscripts = [n for n in ast.walk(expression) if isinstance(n, ast.Subscript)]
    return any(
        not (isinstance(n.value, ast.Attribute) and n.value.attr == "shape") for n in subscripts
    )


def _reads_any(node: ast.expr, targets: list[ast.expr]) -> bool:
    for target in targets:
        if isinstance(target, ast.Name):
            if target.id in loaded([node]):
                return True
        elif isinstance(target, ast.Subscript):
            array = dotted(target.value)
            reads = [n for n in walk([node]) if isinstance(n, ast.Subscript)]
            if any(dotted(n.value) == array and isinstance(n.ctx, ast.Load) for n in reads):
                return True
    return False


def _base(target: ast.expr) -> str:
    return (
        dotted(target.value) if isinstance(target, ast.Subscript) else dotted(target)
    ) or "value"


def _indented(lines: list[str]) -> list[str]:
    return [INDENT + line for line in lines]


def folded(lines: Sequence[str]) -> list[str]:
    """Lines broken where they are too long, at an operator or a comma as far out as can be."""
    found: list[str] = []
    for line in lines:
        indent = len(line) - len(line.lstrip())
        while len(line) > WIDTH:
            at = _break_at(line, indent)
            if at is None:
                break
            found.append(line[:at].rstrip())
            line = " " * (indent + 4) + line[at:].lstrip()
        found.append(line)
    return found


def _break_at(line: str, indent: int) -> int | None:
    best: tuple[int, int, int] | None = None
    depth = 0
    for k, letter in enumerate(line[:WIDTH]):
        depth += (letter in "([{") - (letter in ")]}")
        if k <= indent + 12 or line[k - 1] != " ":
            continue
        operator = letter in "+-*/&|?" and line[k + 1 : k + 3].strip(letter).startswith(" ")
        if operator or line[k - 2 : k] == ", ":
            key = (-depth, letter in "+-&|?", k)
            if best is None or key > best:
                best = key
    return None if best is None else best[2]
