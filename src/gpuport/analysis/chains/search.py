"""Chains of elementwise operations on the device: what may run as one kernel.

A chain is a run of consecutive assignments, the last of which may be a ``return``; behind them an
expression inside the next statement may belong to it. What they read is known, or likely, to be
arrays of certain dtypes and numbers of certain types; the runtime asks at each call, so that a
likely type is as good as a certain one.
"""

from __future__ import annotations

import ast
import contextlib
from collections import Counter
from collections.abc import Iterator, Sequence

from gpuport.analysis.chains.elementwise import Unfit, operators, rules
from gpuport.analysis.chains.making import Maker
from gpuport.analysis.chains.reading import Reader
from gpuport.analysis.chains.records import Chain, least_launches
from gpuport.analysis.chains.runs import Run
from gpuport.analysis.chains.tails import together, with_tails
from gpuport.analysis.functions.summaries import Analysed
from gpuport.analysis.interpretation.rehearsal import Rehearsal
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.placement.graph import Place
from gpuport.analysis.values.lattice import Number, Scalar
from gpuport.source.numbers import owner_of
from gpuport.source.subscripts import index_entries, is_part, is_whole, stores
from gpuport.source.syntax import bound_in, dotted, walk
from gpuport.source.trips import is_short

SIMPLE = (ast.Assign, ast.AugAssign, ast.Return, ast.Expr)
"""Statements that may belong to a chain."""
_WORK = (ast.BinOp, ast.UnaryOp, ast.Compare, ast.Call, ast.AugAssign, ast.Subscript)


def chains(analysed: Analysed) -> tuple[Chain, ...]:
    """The chains of a function that are worth a kernel, in source order."""
    unit = analysed.unit
    if unit.refusal is not None or not analysed.placement.device or not _enough(analysed):
        return ()
    return tuple(_Finder(analysed).found())


def _enough(analysed: Analysed) -> bool:
    """Whether there are operations enough for a chain at all."""
    left = least_launches(analysed.unit, repeated=True)
    if any(what == "size" for _, _, what in analysed.unit.work.read_back.values()):
        return True  # what is read at a mask takes several
    for operation in analysed.unit.work.operations.values():
        if isinstance(operation.node, _WORK):
            left -= analysed.placement.of(operation.graph_node) is Place.DEVICE
    return left <= 0


class _Finder:
    """Goes through the blocks of a function."""

    def __init__(self, analysed: Analysed) -> None:
        self.analysed = analysed
        self.unit = analysed.unit
        self.rehearsal = Rehearsal(analysed)
        self.chains: list[Chain] = []
        self.counts: dict[int, int] = {}
        self.loops = 0  #: around the block; one of many trips counts twice
        self.counted = _counted(analysed.unit)

    def found(self) -> list[Chain]:
        """The chains of the function."""
        self._block(self.unit.node.body)
        return self.chains

    def _block(self, body: Sequence[ast.stmt]) -> None:
        position = 0
        while position < len(body):
            statement = body[position]
            taken = self._longest(body[position:])
            if not taken:
                self._inside(statement)
            position += taken or 1

    def _longest(self, body: Sequence[ast.stmt]) -> int:
        """Make a kernel of the statements at the beginning, and tell of how many."""
        if not self._promising(body):
            return 0
        runs = [Run()]
        for statement in body:
            after = self._extended(runs[-1], statement)
            if after is None:
                if self._with_tail(runs[-1], statement):
                    return len(runs)
                break
            runs.append(after)
        while len(runs) > 1:
            if self._close(runs[-1]):
                return len(runs) - 1
            runs.pop()
            if self._with_tail(runs[-1], body[len(runs) - 1]):
                return len(runs)
        return 0

    def _promising(self, body: Sequence[ast.stmt]) -> bool:
        """Whether there are operations enough, before anything is asked of them."""
        left = self._least()
        for statement in body:
            if not isinstance(statement, SIMPLE):
                return False
            left -= self._launches(statement)
            if left <= 0:
                return True
        return False

    def _launches(self, statement: ast.stmt) -> int:
        """Operations in a statement; each block asks again for each of its statements."""
        if id(statement) not in self.counts:
            nodes = [node for node in walk(statement) if isinstance(node, ast.expr)]
            read = [one for one in nodes if isinstance(one, ast.Subscript)]
            if isinstance(statement, ast.Assign):
                read = [one for one in read if one not in statement.targets]
            self.counts[id(statement)] = (
                stores(statement)
                + int(rules()["launches_at_masks"]) * sum(map(self._is_mask, read))
                + sum(map(self.rehearsal.launches, nodes))
            )
        return self.counts[id(statement)]

    def _least(self, *, numbers: bool = False) -> int:
        return least_launches(self.unit, repeated=self.loops > 1, numbers=numbers)

    def _inside(self, statement: ast.stmt) -> None:
        if id(statement) in self.unit.forms.launches:
            return
        loops = self.loops
        if isinstance(statement, (ast.For, ast.While)):
            short = isinstance(statement, ast.For) and is_short(statement.iter, {})
            self.loops += 1 if short else 2
        for block in _blocks(statement):
            self._block(block)
        self.loops = loops

    def _close(
        self, run: Run, tails: tuple[ast.expr, ...] = (), rest: ast.stmt | None = None
    ) -> bool:
        """Make a kernel of a run, if it is worth one."""
        if run.launches < self._least(numbers=run.of_numbers):
            return False
        with contextlib.suppress(Unfit):
            self.chains.append(Maker(self.rehearsal, run, tails, rest).chain())
            return True
        return False

    # ------------------------------------------------------------------ statements

    def _extended(self, run: Run, statement: ast.stmt) -> Run | None:
        """The run with one more statement, or None where that is no part of it."""
        handler = {
            ast.Assign: self._assign, ast.AugAssign: self._augmented, ast.Return: self._return,
            ast.Expr: self._called,
        }.get(type(statement))  # fmt: skip
        if handler is None or not self.unit.module.stands_alone(statement):
            return None
        found = run.copy()
        try:
            if any(map(self.rehearsal.crosses, ast.walk(statement))):
                return None
            handler(found, statement)  # type: ignore[operator]
        except Unfit:
            return None
        found.statements.append(statement)
        return found

    def _assign(self, run: Run, node: ast.Assign) -> None:
        if len(node.targets) != 1:
            raise Unfit
        target, value = node.targets[0], node.value
        if isinstance(target, ast.Subscript):
            self._store(run, node, target)
            return
        pairs = [(target, value)]
        if isinstance(target, ast.Tuple):
            if not isinstance(value, ast.Tuple) or len(target.elts) != len(value.elts):
                raise Unfit
            pairs = list(zip(target.elts, value.elts, strict=True))
            names = {n.id for n in ast.walk(value) if isinstance(n, ast.Name)}
            if bound_in(node) & names & run.bound.keys() or len(bound_in(node)) < len(pairs):
                raise Unfit  # they are set at once, not one after the other
        found: list[tuple[str, ast.expr, frozenset[str]]] = []
        for one, expression in pairs:
            if not isinstance(one, ast.Name) or one.id in self.unit.scope.outside:
                raise Unfit
            reader = Reader(self.rehearsal, run)
            read = reader.computed(expression)
            if any(leaf.owner == one.id for leaf in run.written.values()) or not reader.behind:
                raise Unfit
            found.append((one.id, read, frozenset(reader.behind)))
        for name, read, behind in found:
            run.bind(node, name, read, behind)

    def _store(self, run: Run, node: ast.Assign, target: ast.Subscript) -> None:
        """``x[...] = value``, ``x[1:-1] = value``, ``x[mask] = value``."""
        if self._is_mask(target):
            self._store_at_mask(run, node, target, None)
            return
        whole = is_whole(target.slice)
        known = whole or is_part(target.slice, self.counted)
        if self.rehearsal.operation(target) is None or not known:
            raise Unfit
        read = Reader(self.rehearsal, run).computed(node.value)
        part = target.value if whole else target
        leaf = run.write(self.rehearsal, part, target.value)
        run.store(node, run.target(leaf, target, "[...]"), read)
        run.launches += 1

    def _is_mask(self, part: ast.Subscript) -> bool:
        """Whether a part of an array that has a name is the elements at a mask."""
        if isinstance(part.slice, ast.Slice | ast.Constant | ast.Tuple):
            return False
        base = part.value
        found = dotted(base) is not None or self._is_row(base)
        known = self.rehearsal.value(part.slice) if found else None
        return getattr(known, "dtype", None) == "bool" and not isinstance(known, Scalar | Number)

    def _is_row(self, part: ast.expr) -> bool:
        """Whether it is what numbers take out of an array that has a name: ``x[k]``."""
        if not isinstance(part, ast.Subscript) or dotted(part.value) is None:
            return False
        places = map(self.rehearsal.value, index_entries(part.slice))
        numbers = all(isinstance(one, Scalar) and one.type == "int" for one in places)
        return numbers and owner_of(part) is not None

    def _store_at_mask(
        self, run: Run, node: ast.Assign | ast.AugAssign, target: ast.Subscript,
        operator: ast.operator | None,
    ) -> None:  # fmt: skip
        """``x[mask] = 2.0 * x[mask]``: elements that are kept where the mask is false."""
        if self.rehearsal.operation(target) is None:
            raise Unfit
        reader = Reader(self.rehearsal, run, target.slice)
        value, beside = reader.read(node.value), Reader(self.rehearsal, run)
        mask, array = beside.read(target.slice), target.value
        behind = reader.behind | beside.behind
        if isinstance(array, ast.Name) and array.id in run.bound:
            if not behind <= run.bound[array.id]:
                raise Unfit  # it would have to grow
            stored, read = (ast.Name(array.id, c) for c in (ast.Store(), ast.Load()))
            run.unread.add(array.id)
        else:
            owner = array.value if isinstance(array, ast.Subscript) else array
            leaf = run.write(self.rehearsal, array, owner)
            leaf.value = self.rehearsal.value(array) or leaf.value  # a row has an axis less
            stored, read = run.target(leaf, array), leaf.read(array)
        if operator is not None:
            value = ast.BinOp(read, operator, value)
            run.launches += int(rules()["launches_at_masks"]) + 1
        run.store(node, stored, ast.IfExp(mask, value, read))
        run.masked = True
        run.launches += 1
        run.covered |= {id(node), id(target)}

    def _called(self, run: Run, node: ast.Expr) -> None:
        """``np.add(x, y, out=z)``."""
        call = node.value
        if not isinstance(call, ast.Call) or [k.arg for k in call.keywords] != ["out"]:
            raise Unfit
        made = ast.copy_location(ast.Call(call.func, call.args, []), call)
        given = self.rehearsal.operation(call)
        if given is None or not self.rehearsal.is_elementwise_call(made):
            raise Unfit
        reader = Reader(self.rehearsal, run)
        made.args = [reader.read(a) for a in call.args]
        out = call.keywords[0].value
        if dotted(out) is None:
            raise Unfit
        run.store(node, run.target(run.write(self.rehearsal, out, out), out), made)
        run.launches += 1
        run.covered.add(id(call))

    def _augmented(self, run: Run, node: ast.AugAssign) -> None:
        known = type(node.op).__name__ in operators()
        if not known or ("rebind", id(node)) in self.unit.work.rewrites:
            raise Unfit
        if self.rehearsal.operation(node) is None and (
            self.rehearsal.operation(node.target) is None
        ):
            raise Unfit
        if isinstance(node.target, ast.Subscript) and self._is_mask(node.target):
            self._store_at_mask(run, node, node.target, node.op)
            return
        reader = Reader(self.rehearsal, run)
        value = reader.read(node.value)
        name = self._changed(run, node.target, reader)
        run.add(node, ast.AugAssign(name, node.op, value))
        run.launches += 1
        run.covered.add(id(node))

    def _changed(self, run: Run, target: ast.expr, reader: Reader) -> ast.Name:
        """The target of an augmented assignment, as the kernel has it."""
        if isinstance(target, ast.Name) and target.id in run.bound:
            if not reader.behind <= run.bound[target.id]:
                raise Unfit  # it would have to grow
            run.unread.add(target.id)
            return ast.Name(target.id, ast.Store())
        if isinstance(target, ast.Subscript):
            if not is_part(target.slice, self.counted):
                raise Unfit
            return run.target(run.write(self.rehearsal, target, target.value), target)
        leaf = run.write(self.rehearsal, target, target)
        return run.target(leaf, target, given_back=True)

    def _return(self, run: Run, node: ast.Return) -> None:
        if node.value is None or run.written:
            raise Unfit
        items = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
        made: list[str] = []
        for position, item in enumerate(items):
            if isinstance(item, ast.Name) and item.id in run.bound:
                made.append(item.id)
                continue
            reader = Reader(self.rehearsal, run)
            read = reader.computed(item)
            if not reader.behind:
                raise Unfit
            made.append(run.fresh("result" if len(items) == 1 else f"result_{position}"))
            run.bind(node, made[-1], read, frozenset(reader.behind))
        if not made or len(set(made)) != len(made):
            raise Unfit
        run.unread -= set(made)
        run.made = made

    # ------------------------------------------------------------------ inside a statement

    def _with_tail(self, run: Run, statement: ast.stmt) -> bool:
        """Make a kernel of a run and of what comes next inside a statement.

        ``np.exp(-x * x).sum()``: the sum is another launch, what it sums is computed before it.
        """
        if not isinstance(statement, SIMPLE):
            return False
        if not self.unit.module.stands_alone(statement) or statement.value is None:
            return False
        best: Run | None = None
        chosen: tuple[ast.expr, ...] = ()
        for nodes in together(self.rehearsal, statement.value):
            found, read = with_tails(self.rehearsal, run, nodes, statement)
            enough = read and found.launches - run.launches > 1
            if enough and (best is None or found.launches > best.launches):
                best, chosen = found, read
        return best is not None and self._close(best, chosen, statement)


def _counted(unit: Unit) -> frozenset[str]:
    """Names that stand for whole numbers: loops over ``range`` bind them, and nothing else."""
    loops = unit.module.nodes.inside(unit.node, ast.For)
    names = Counter(
        node.target.id for node in loops
        if isinstance(node.target, ast.Name) and dotted(getattr(node.iter, "func", node)) == "range"
    )  # fmt: skip
    known = (name for name in unit.scope.counted if names[name] == unit.scope.bound.get(name))
    return frozenset(known) - unit.scope.outside


def _blocks(statement: ast.stmt) -> Iterator[list[ast.stmt]]:
    if isinstance(statement, (ast.For, ast.While, ast.If)):
        yield statement.body
        yield statement.orelse
    elif isinstance(statement, ast.With):
        yield statement.body


__all__ = ["SIMPLE", "Chain", "chains"]
