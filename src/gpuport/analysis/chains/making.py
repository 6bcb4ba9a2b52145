"""From the statements of a chain to its kernel: types, guard, outputs."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING

from gpuport.analysis.chains.elementwise import Unfit
from gpuport.analysis.chains.records import Chain, Input
from gpuport.analysis.chains.runs import Run
from gpuport.analysis.chains.types import Types
from gpuport.analysis.interpretation.rehearsal import Rehearsal
from gpuport.analysis.loops.facts import facts_of
from gpuport.analysis.placement.graph import Place
from gpuport.analysis.values.lattice import Array, Number, Scalar
from gpuport.loops.names import kernel_name

if TYPE_CHECKING:
    from gpuport.loops.facts import Fact


class Maker:
    """Makes the chain of a run.

    Parameters
    ----------
    rehearsal : Rehearsal
    run : Run
    tail, rest
        As in :class:`Chain`.
    """

    def __init__(
        self, rehearsal: Rehearsal, run: Run, tail: ast.expr | None, rest: ast.stmt | None
    ) -> None:
        self.rehearsal = rehearsal
        self.unit = rehearsal.unit
        self.run = run
        self.tail = tail
        self.rest = rest

    def chain(self) -> Chain:
        """The chain.

        Raises
        ------
        Unfit
            Where a type is not known, or kernels have no form for an operation.
        """
        from gpuport.loops.kernels.elementwise import elementwise_kernel
        from gpuport.loops.reasons import Refused
        from gpuport.parallel.typing import TypeRefusal

        run, made = self.run, self._made()
        if run.unread - set(made):
            raise Unfit  # what nothing reads might still raise
        if run.written and {leaf.held for leaf in run.leaves.values()} & set(made):
            raise Unfit  # outputs are allocated before the launch, under their names
        for leaf in run.leaves.values():
            if leaf.name in run.bound:
                leaf.rename(run.fresh(f"{leaf.name}_in"))
        types = Types(self.rehearsal, run)
        ordered = sorted(run.leaves.items(), key=lambda one: self._position(one[1].held))
        try:
            given = {leaf.name: types.of_parameter(text, leaf) for text, leaf in ordered}
            written = {leaf.name: types.dtypes[text] for text, leaf in run.written.items()}
            name, facts = self._name(made), self._facts()
            kernel = elementwise_kernel(name, run.body, given, written, made, facts)
        except (Refused, TypeRefusal) as error:
            raise Unfit from error
        same_shape, or_scalar = self._same_shape(made)
        certain = not run.written and not same_shape and self._certain() and self._bare()
        first = run.statements[0] if run.statements else self.rest
        self.unit.project.remembered.compiled.names[id(first)] = frozenset({name})
        return Chain(
            statements=tuple(run.statements),
            tail=self.tail,
            rest=self.rest,
            name=name,
            kernel=kernel,
            inputs=tuple(Input(leaf.name, leaf.expression) for _, leaf in ordered),
            guarded=() if certain else tuple(self._guarded(types)),
            written=tuple(run.written),
            made=tuple(made),
            returns=run.made is not None and self.tail is None,
            same_shape=same_shape,
            or_scalar=or_scalar,
            launches=run.launches,
            covered=frozenset(run.covered),
        )

    def _made(self) -> list[str]:
        """Names that are read after the chain, or returned."""
        from gpuport.loops.context.scalars import read_after
        from gpuport.loops.names import loaded, stored

        run, node = self.run, self.unit.node
        if run.made is not None and self.tail is None:
            return run.made
        assert not isinstance(node, ast.AsyncFunctionDef)
        if isinstance(node, ast.Module):
            live = set(run.bound)
        elif self.rest is None:
            live = set(read_after(node, run.statements[-1]))
        else:
            bound = set() if isinstance(self.rest, ast.AugAssign) else stored([self.rest])
            live = set(read_after(node, self.rest)) - bound | self._read_beside()
            if isinstance(self.rest, ast.AugAssign):
                live |= loaded([self.rest.target]) | stored([self.rest.target])
        made = [name for name in run.bound if name in live and name not in (run.made or ())]
        if not all(map(self._stays, made)):
            raise Unfit
        return [*(run.made or ()), *made]

    def _read_beside(self) -> set[str]:
        """Names that the statement behind the chain reads outside of what belongs to it."""
        found: set[str] = set()
        todo: list[ast.AST] = [self.rest] if self.rest is not None else []
        while todo:
            node = todo.pop()
            if node is self.tail:
                continue
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                found.add(node.id)
            todo.extend(ast.iter_child_nodes(node))
        return found

    def _stays(self, name: str) -> bool:
        """Whether a name is of the device where the chain binds it."""
        for statement in self.run.statements:
            for node in ast.walk(statement):
                if isinstance(node, ast.Name) and node.id == name:
                    group = self.unit.nodes.get(("name", id(node)))
                    place = self.rehearsal.analysed.placement.of
                    if group is not None and place(group) is not Place.DEVICE:
                        return False
        return True

    def _same_shape(self, made: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Arrays that have to be of one shape, and those that may have no axes instead.

        Outputs of different ones would not be of one shape. Where several statements write in
        place, all of them must be able to: the first would have written where the second raises.
        """
        run = self.run
        arrays = dict.fromkeys([
            *(text for text, leaf in run.leaves.items()
              if leaf.array and not isinstance(leaf.value, Number)),
            *run.written,
        ])  # fmt: skip
        if run.written:
            needed = len(made) + len(run.written) > 1 or len(run.body) > 1
        else:
            needed = len({run.bound[name] for name in made}) > 1
        if needed and len({bool(run.bound[name] & arrays.keys()) for name in made}) > 1:
            raise Unfit  # one of numbers alone would get the shape of the arrays
        if not needed or len(arrays) < 2:
            return (), ()
        if not all(text.isidentifier() for text in arrays):
            raise Unfit  # parts of arrays seldom are of one shape
        ordered = sorted(arrays, key=self._position)
        loose = {text for text in ordered if self._may_be_scalar(text)}
        if any(not run.bound[name] & arrays.keys() - loose for name in made):
            loose = set()  # an output of those alone would get the shape of the others
        if loose == set(ordered):
            loose = set()
        strict = tuple(text for text in ordered if text not in loose)
        if len({rank for rank in map(self._rank, strict) if rank is not None}) > 1:
            raise Unfit  # they never are of one shape
        return strict, tuple(text for text in ordered if text in loose)

    def _rank(self, text: str) -> int | None:
        leaf = self.run.leaves.get(text) or self.run.written[text]
        return leaf.value.rank if isinstance(leaf.value, Array) else None

    def _may_be_scalar(self, text: str) -> bool:
        """Whether an array that is only read may have no axes: a step that a sum gave."""
        if text in self.run.written:
            return False
        value = self.run.leaves[text].value
        return not isinstance(value, Array) or value.rank in (None, 0)

    def _certain(self) -> bool:
        """Whether no guard is needed: types hold whoever calls, and the host never comes here."""
        if self.unit.decorated:
            return False
        for leaf in self.run.leaves.values():
            if leaf.array:
                value = self.rehearsal.certain(leaf.expression)
                if not isinstance(value, (Array, Number)) or value.dtype is None:
                    return False
                if getattr(value, "sources", None) or getattr(value, "optional", False):
                    return False
            elif isinstance(leaf.value, Number):
                if self.rehearsal.certain(leaf.expression) != leaf.value:
                    return False
                if not leaf.value.numpy_scalar or leaf.value.dtype is None:
                    return False
            elif not isinstance(leaf.value, Scalar) or leaf.value.type not in ("int", "float"):
                return False
        args = getattr(self.unit.node, "args", None)
        given = {a.arg for a in ast.walk(args) if isinstance(a, ast.arg)} if args else set()
        return not given & self.run.numbers.keys()

    def _bare(self) -> bool:
        """Whether no comment would be lost with the statements."""
        statements = self.run.statements
        if not statements:
            return True
        lines = range(statements[0].lineno, (statements[-1].end_lineno or 0) + 1)
        return not any("#" in self.unit.module.line_text(line) for line in lines)

    def _guarded(self, types: Types) -> list[tuple[str, str]]:
        found: list[tuple[str, str]] = []
        for text, leaf in self.run.leaves.items():
            if leaf.held:
                found.append((types.guard_word(text, leaf), leaf.held))
        found += types.of_inner_numbers()
        found += [(types.dtypes[text], text) for text in self.run.written]
        return sorted(dict.fromkeys(found), key=lambda one: self._position(one[1]))

    def _position(self, name: str) -> int:
        """Place among the function's own parameters; everything else comes behind them."""
        args = getattr(self.unit.node, "args", None)
        every = [] if args is None else [*args.posonlyargs, *args.args, *args.kwonlyargs]
        names = [a.arg for a in every]
        return names.index(name) if name in names else len(names)

    def _facts(self) -> dict[str, Fact]:
        names = {
            node.id for statement in self.run.body for node in ast.walk(statement)
            if isinstance(node, ast.Name)
        }  # fmt: skip
        return facts_of(self.unit, sorted(names - self.run.names))

    def _name(self, made: Sequence[str]) -> str:
        """A name that the module does not use, the same each time."""
        function = getattr(self.unit.node, "name", "main")
        base = kernel_name(function)
        root, memory = self.unit.project.root, self.unit.project.remembered.compiled
        taken = self.unit.module.names.union(root.bound, root.imports, *memory.names.values())
        result = next(iter((*made, *self.run.written)))
        more = [f"{base}_{result}", *(f"{base}_{result}_{k}" for k in range(2, 100))]
        return next(name for name in (base, *more) if name not in taken)


__all__ = ["Maker"]
