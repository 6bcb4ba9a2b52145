"""From the statements of a chain to its kernel: types, guard, outputs."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gpuport.analysis.chains.elementwise import Unfit
from gpuport.analysis.chains.reading import Leaf, Run
from gpuport.analysis.interpretation.rehearsal import Rehearsal
from gpuport.analysis.loops.facts import facts_of
from gpuport.analysis.placement.graph import Place
from gpuport.analysis.values.lattice import Array, Number, Scalar
from gpuport.loops.names import kernel_name

if TYPE_CHECKING:
    from gpuport.loops.facts import Fact
    from gpuport.loops.kernels.elementwise import ElementwiseKernel
    from gpuport.loops.typing import Type

_PYTHON = ("int", "float", "bool")


@dataclass(frozen=True, slots=True)
class Input:
    """What a kernel is passed.

    Attributes
    ----------
    name : str
        What the kernel's statements call it.
    expression : ast.expr
        What the launch passes: the user's own expression.
    """

    name: str
    expression: ast.expr


@dataclass(frozen=True, slots=True)
class Chain:
    """Statements that one kernel can replace.

    Attributes
    ----------
    statements : tuple of ast.stmt
        Consecutive ones of a block.
    tail : ast.expr or None
        An expression in `rest`, the statement behind them, that belongs to the chain; it gets the
        name that is `made` first.
    rest : ast.stmt or None
    name : str
        The kernel object's.
    kernel : ElementwiseKernel
    inputs : tuple of Input
        In the order of the kernel's parameters.
    guarded : tuple of (str, str)
        Kind, as the runtime's guard has it, and text of what the launch is guarded by; empty
        where everything is certain.
    written : tuple of str
        Arrays that are changed in place.
    made : tuple of str
        Names that the launch gives, in order.
    returns : bool
        Whether the last statement returns them.
    same_shape : tuple of str
        Arrays that must have one shape, where outputs are made of different ones.
    or_scalar : tuple of str
        Others, which must have that shape or no axes.
    launches : int
        Those that the kernel replaces.
    covered : frozenset of int
        Ids of the operations that it does.
    """

    statements: tuple[ast.stmt, ...]
    tail: ast.expr | None
    rest: ast.stmt | None
    name: str
    kernel: ElementwiseKernel
    inputs: tuple[Input, ...]
    guarded: tuple[tuple[str, str], ...]
    written: tuple[str, ...]
    made: tuple[str, ...]
    returns: bool
    same_shape: tuple[str, ...]
    or_scalar: tuple[str, ...]
    launches: int
    covered: frozenset[int]

    @property
    def first(self) -> ast.stmt:
        """Where the launch stands."""
        found = self.statements[0] if self.statements else self.rest
        assert found is not None
        return found


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
        from gpuport.loops.typing import TypeRefusal

        run, made = self.run, self._made()
        if run.unread - set(made):
            raise Unfit  # what nothing reads might still raise
        if run.written and {leaf.held for leaf in run.leaves.values()} & set(made):
            raise Unfit  # outputs are allocated before the launch, under their names
        for leaf in run.leaves.values():
            if leaf.name in run.bound:
                leaf.rename(run.fresh(f"{leaf.name}_in"))
        dtypes = self._dtypes()
        ordered = sorted(run.leaves.items(), key=lambda one: self._position(one[1].held))
        try:
            given = {leaf.name: self._type(text, leaf, dtypes) for text, leaf in ordered}
            written = {leaf.name: dtypes[text] for text, leaf in run.written.items()}
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
            guarded=() if certain else tuple(self._guarded(dtypes)),
            written=tuple(run.written),
            made=tuple(made),
            returns=run.made is not None and self.tail is None,
            same_shape=same_shape,
            or_scalar=or_scalar,
            launches=run.launches,
            covered=frozenset(run.covered),
        )

    # ------------------------------------------------------------------ outputs

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

    # ------------------------------------------------------------------ types

    def _dtypes(self) -> dict[str, str]:
        """The dtype of each array; where some are known and alike, the others likely are too."""
        leaves = (*self.run.leaves.items(), *self.run.written.items())
        known = {text: getattr(leaf.value, "dtype", None) for text, leaf in leaves if leaf.array}
        common = {dtype for dtype in known.values() if dtype is not None}
        if not common:
            raise Unfit
        assumed = min(common)
        unknown = [text for text, dtype in known.items() if dtype is None]
        if unknown and (len(common) > 1 or not assumed.startswith("float")):
            raise Unfit
        if not self.unit.parameters.nodes.keys() >= set(unknown):
            raise Unfit
        return {text: dtype or assumed for text, dtype in known.items()}

    def _type(self, text: str, leaf: Leaf, dtypes: Mapping[str, str]) -> Type:
        """The type of a kernel's parameter."""
        from gpuport.loops.typing import PYTHON, Type, named

        if leaf.array or isinstance(leaf.value, Number):
            dtype = dtypes[text] if leaf.array else str(getattr(leaf.value, "dtype", None))
            either = isinstance(leaf.value, Number) and not leaf.value.numpy_scalar
            if either and set(dtypes.values()) | {dtype} != {"float64"}:
                raise Unfit  # it matters whether it is one of Python's
            return Type(dtype) if dtype == "bool" else named(dtype)
        python = getattr(leaf.value, "type", None)
        real = self._number_kind(python, dtypes) in ("real", "python_real")
        return PYTHON["float" if real else str(python)]

    def _number_kind(self, python: str | None, dtypes: Mapping[str, str]) -> str:
        """What a number of Python's may be beside these arrays without changing a type."""
        found = set(dtypes.values())
        if python in (None, "assumed", "float", "int"):
            if found == {"float64"}:
                return "real"
            if found <= {"float32", "float64"}:
                return "python_real"
        if python not in _PYTHON:
            raise Unfit
        return str(python)

    # ------------------------------------------------------------------ the guard

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

    def _guarded(self, dtypes: Mapping[str, str]) -> list[tuple[str, str]]:
        found: list[tuple[str, str]] = []
        for text, leaf in self.run.leaves.items():
            if leaf.held:
                found.append((self._kind(text, leaf, dtypes), leaf.held))
        found += self._inner_numbers(dtypes)
        found += [(dtypes[text], text) for text in self.run.written]
        return sorted(dict.fromkeys(found), key=lambda one: self._position(one[1]))

    def _kind(self, text: str, leaf: Leaf, dtypes: Mapping[str, str]) -> str:
        """The word of the runtime's guard for something that is passed."""
        every = [*self.run.leaves.values(), *self.run.written.values()]
        arrays = any(one.array and not isinstance(one.value, Number) for one in every)
        if leaf.array:
            number = isinstance(leaf.value, Number) and text == leaf.held and arrays
            return "number" if number and set(dtypes.values()) == {"float64"} else dtypes[text]
        if isinstance(leaf.value, Number):
            wide = leaf.value.dtype == "float64" and set(dtypes.values()) == {"float64"}
            return "real" if wide else f"{leaf.value.dtype}_scalar"
        return self._number_kind(getattr(leaf.value, "type", None), dtypes)

    def _inner_numbers(self, dtypes: Mapping[str, str]) -> Iterator[tuple[str, str]]:
        """Numbers of which Python computes what is passed."""
        held = {leaf.held for leaf in self.run.leaves.values()}
        for name, node in self.run.numbers.items():
            value = self.rehearsal.value(node)
            if name in held:
                continue
            if isinstance(value, Number):
                yield f"{value.dtype}_scalar", name
            elif isinstance(value, Scalar) and value.type in ("int", "bool"):
                yield value.type, name
            elif isinstance(value, Scalar) and value.type in (None, "assumed", "float"):
                yield self._number_kind(value.type, dtypes), name

    # ------------------------------------------------------------------ names

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


__all__ = ["Chain", "Input", "Maker"]
