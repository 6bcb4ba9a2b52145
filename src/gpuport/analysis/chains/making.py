"""From the statements of a chain to its kernel: types, names, outputs."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from gpuport.analysis.chains.bodies import key_of, name_parameters, python_of, where_of
from gpuport.analysis.chains.elementwise import Unfit
from gpuport.analysis.chains.records import Chain, Given
from gpuport.analysis.chains.rolls import Grid
from gpuport.analysis.chains.runs import Leaf, Run
from gpuport.analysis.chains.types import Types
from gpuport.analysis.interpretation.rehearsal import Rehearsal
from gpuport.analysis.loops.facts import facts_of
from gpuport.analysis.placement.graph import Place
from gpuport.analysis.values.lattice import Array, Number
from gpuport.cost.broadcasting import differ
from gpuport.loops.context.scalars import read_after
from gpuport.loops.kernels.elementwise import ElementwiseText, elementwise_text, generic
from gpuport.loops.names import kernel_name, loaded, stored
from gpuport.loops.reasons import Refused
from gpuport.parallel.cuda.text import C_TYPES
from gpuport.parallel.typing import TypeRefusal
from gpuport.source.excerpts import Body, binds, names_read
from gpuport.source.parameters import names_of
from gpuport.source.subscripts import index_of
from gpuport.source.syntax import walk

if TYPE_CHECKING:
    from gpuport.loops.facts import Fact
    from gpuport.parallel.typing import Type

_LETTERS = "TUVWS"


class Maker:
    """Makes the chain of a run.

    Parameters
    ----------
    rehearsal : Rehearsal
    run : Run
    tails, rest
        As in :class:`Chain`.
    """

    def __init__(
        self, rehearsal: Rehearsal, run: Run, tails: tuple[ast.expr, ...], rest: ast.stmt | None
    ) -> None:
        self.rehearsal = rehearsal
        self.unit = rehearsal.unit
        self.run = run
        self.tails = tails
        self.rest = rest

    def chain(self) -> Chain:
        """The chain.

        Raises
        ------
        Unfit
            Where a type is not known, or kernels have no form for an operation.
        """
        run, made = self.run, self._made()
        if run.unread - set(made):
            raise Unfit  # what nothing reads might still raise
        if run.computed_before and (run.masked or run.shifted):
            raise Unfit  # their shapes are not known to be those of the others
        if run.written and made:
            raise Unfit  # outputs are either all parameters or none
        if len({self._is_of_arrays(name) for name in made}) > 1:
            raise Unfit  # an output of numbers alone would get the shape of the arrays
        returns = run.made is not None and not self.tails
        python = python_of(self.unit, run, self.tails, made, returns=returns)
        reads = names_read(python) - run.bound.keys()
        if not self.unit.decorated and reads & self.unit.project.root.functions.keys():
            raise Unfit  # the function has no boundary in the port, and takes no arrays of NumPy's
        results = self._results(made, python)
        name_parameters(run, {*run.bound, *results, *self._free()})
        types = Types(self.rehearsal, run)
        ordered = self._ordered()
        given = {leaf.name: types.of_parameter(text, leaf) for text, leaf in ordered}
        written = {leaf.name: types.dtypes[text] for text, leaf in run.written.items()}
        read = {one.leaf.name: given[one.array.name] for one in run.shifted.values()}
        text, letter = self._text({**given, **read}, written, results)
        if types.open and not letter:
            raise Unfit("the dtypes of its arrays are not known")
        declared = {name: _declared(type_, letter) for name, type_ in given.items()}
        grid = Grid(run, {*given, *read, *results, *self._free()}) if run.shifted else None
        if grid is not None:
            text = grid.text(text, {n: C_TYPES.get(t, t) for n, t in declared.items()})
        raw = grid.arrays if grid is not None else []
        inputs = tuple(
            Given(leaf.name, leaf.word, declared[leaf.name], leaf.expression, leaf in raw)
            for _, leaf in ordered if not leaf.constant
        )  # fmt: skip
        outputs = [(name, _lettered(dtype, letter)) for name, dtype in text.outputs]
        changed = tuple(
            Given(leaf.name, leaf.word, dtype, leaf.expression)
            for leaf, (_, dtype) in zip(run.written.values(), outputs, strict=False)
        )
        numbers = {one.name: k for k, one in enumerate((*inputs, *changed))}
        where, over = (
            (where_of(self._same_shape(results), numbers), ())
            if grid is None
            else (grid.where(numbers), grid.over(numbers))
        )
        body = tuple(numbers[part.name] if isinstance(part, Leaf) else str(part) for part in python)
        types_made = [type_ for _, type_ in outputs[len(changed) :]]
        key = key_of(body, (where, over), [one.type for one in (*inputs, *changed)], types_made)
        return Chain(
            statements=tuple(run.statements),
            tails=self.tails,
            rest=self.rest,
            name=self._name(made, key),
            text=text,
            python=body,
            reads=reads,
            where=where,
            over=over,
            inputs=inputs,
            written=changed,
            made=tuple(made),
            outputs=tuple(outputs[len(changed) :]),
            given_back=tuple(
                dict.fromkeys(one.leaf.expression for one in run.targets if one.given_back)
            ),
            returns=returns,
            launches=run.launches,
            covered=frozenset(run.covered),
        )

    def _is_of_arrays(self, name: str) -> bool:
        """Whether what is bound to a name is computed of more than numbers."""
        read = {**self.run.leaves, **self.run.written}
        behind = (read[text] for text in self.run.bound[name] if text in read)
        return any(leaf.array and not isinstance(leaf.value, Number) for leaf in behind)

    def _results(self, made: Sequence[str], python: Body) -> list[str]:
        """What the kernel calls what it gives: an array that is read has its name itself."""
        leaves = (*self.run.leaves.values(), *self.run.written.values())
        if len(made) != 1 or made[0] not in {leaf.word for leaf in leaves}:
            return list(made)
        (name,) = made
        targets = [
            node for statement in self.run.body for node in walk(statement)
            if isinstance(node, ast.Name) and node.id == name
            and not any(node is one for leaf in leaves for one in leaf.nodes)
        ]  # fmt: skip
        if len(targets) != 1 or binds(python, name):
            return [name]
        targets[0].id = f"{name}_new"
        self.run.bound[targets[0].id] = self.run.bound.pop(name)
        return [targets[0].id]

    def _text(
        self, given: Mapping[str, Type], written: Mapping[str, str], made: Sequence[str]
    ) -> tuple[ElementwiseText, str]:
        """The kernel's text, and the letter that stands for its type; none where it has but one."""
        body, facts = self.run.body, self._facts()
        try:
            found = generic(body, given, written, made, facts)
            if found is None:
                return elementwise_text(body, given, written, made, facts), ""
        except (Refused, TypeRefusal) as error:
            raise Unfit from error
        words = {leaf.word for leaf in (*self.run.leaves.values(), *self.run.written.values())}
        names = {*given, *written, *made, *self.run.bound, *self._free(), *words}
        letter = next((one for one in _LETTERS if one not in names), "")
        return (found.of_type(letter), letter) if letter else (found, "")

    def _ordered(self) -> list[tuple[str, Leaf]]:
        """What is read: arrays first, then numbers, each in the order in which it is met."""
        leaves = self.run.leaves.items()
        arrays = [one for one in leaves if one[1].array]
        return [*arrays, *(one for one in leaves if not one[1].array)]

    def _made(self) -> list[str]:
        """Names that are read after the chain, or returned."""
        run, node = self.run, self.unit.node
        if run.made is not None and not self.tails:
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
            if any(node is one for one in self.tails):
                continue
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                found.add(node.id)
            todo.extend(ast.iter_child_nodes(node))
        return found

    def _stays(self, name: str) -> bool:
        """Whether a name is of the device where the chain binds it."""
        for statement in self.run.statements:
            for node in walk(statement):
                if isinstance(node, ast.Name) and node.id == name:
                    group = self.unit.nodes.get(("name", id(node)))
                    place = self.rehearsal.analysed.placement.of
                    if group is not None and place(group) is not Place.DEVICE:
                        return False
        return True

    def _same_shape(self, made: Sequence[str]) -> tuple[list[str], list[str]]:
        """Arrays that have to be of one shape, and those that may have no axes instead.

        Outputs of different ones would not be of one shape.
        """
        run = self.run
        if run.masked:
            both = {**run.leaves, **run.written}
            every = {text: leaf for text, leaf in both.items() if leaf.array}
            every = {t: leaf for t, leaf in every.items() if not isinstance(leaf.value, Number)}
            ranks = {getattr(leaf.value, "rank", None) for leaf in every.values()}
            if len(ranks - {None}) > 1:
                raise Unfit  # rows at a mask
            return [leaf.name for leaf in every.values()], []
        arrays = {
            text: leaf.name for text, leaf in run.leaves.items()
            if leaf.array and not isinstance(leaf.value, Number)
        }  # fmt: skip
        if run.written or len({run.bound[name] for name in made}) < 2:
            return [], []
        if len(arrays) < 2:
            return [], []
        if run.computed_before:
            raise Unfit  # nor are they here
        if len({index_of(text) for text in arrays}) > 1:
            raise Unfit  # different parts of arrays seldom are of one shape
        loose = {text for text in arrays if self._may_be_scalar(text)}
        if any(not run.bound[name] & arrays.keys() - loose for name in made):
            loose = set()  # an output of those alone would get the shape of the others
        if loose == set(arrays):
            loose = set()
        strict = [text for text in arrays if text not in loose]
        shapes = self.unit.project.calls.shapes(self.unit.project, self.unit.scope)
        shown = [shapes.of(run.leaves[text].expression) for text in strict]
        if len({rank for rank in map(self._rank, strict) if rank is not None}) > 1 or differ(shown):
            raise Unfit  # they never are of one shape
        return [arrays[text] for text in strict], [arrays[text] for text in arrays if text in loose]

    def _rank(self, text: str) -> int | None:
        value = self.run.leaves[text].value
        return value.rank if isinstance(value, Array) else None

    def _may_be_scalar(self, text: str) -> bool:
        """Whether an array that is only read may have no axes: a step that a sum gave."""
        value = self.run.leaves[text].value
        return not isinstance(value, Array) or value.rank in (None, 0)

    def _free(self) -> set[str]:
        """Names that the function reads where the user's statements stand."""
        leaves = (*self.run.leaves.values(), *self.run.written.values())
        parameters = {leaf.name for leaf in leaves if not leaf.constant}
        parameters |= {one.leaf.name for one in self.run.shifted.values()}
        return (loaded(self.run.body) | stored(self.run.body)) - parameters

    def _facts(self) -> dict[str, Fact]:
        names = loaded(self.run.body) | stored(self.run.body)
        return facts_of(self.unit, sorted(names - self.run.names))

    def _name(self, made: Sequence[str], key: str) -> str:
        """A name that the module does not use, the same each time, and the same for equal ones."""
        memory = self.unit.project.remembered.compiled
        if key not in memory.chains:
            base = kernel_name(getattr(self.unit.node, "name", "main"))
            root = self.unit.project.root
            taken = self.unit.module.names.union(root.bound, root.imports, *memory.names.values())
            taken = taken.union(memory.chains.values())
            result = self._spoken(made)
            more = [f"{base}_{result}"] if result and not base.endswith(f"_{result}") else []
            if not more or self._is_what_it_does(made):
                more = [base, *more]
            more += [f"{more[-1]}_{k}" for k in range(2, 100)]
            memory.chains[key] = next(name for name in more if name not in taken)
        first = self.run.statements[0] if self.run.statements else self.rest
        memory.names[id(first)] = frozenset({memory.chains[key]})
        return memory.chains[key]

    def _spoken(self, made: Sequence[str]) -> str:
        """What the user calls what it gives: the first of several, empty for a part of more."""
        target = self.rest.targets[0] if isinstance(self.rest, ast.Assign) else None
        if isinstance(target, ast.Name) and self.tails == (getattr(self.rest, "value", None),):
            return target.id
        named = [name for name in made if name in self.unit.module.names]
        if not self.tails and made and not named:
            return ""
        written = [leaf.word for leaf in self.run.written.values()]
        return next(iter(named or written), "")

    def _is_what_it_does(self, made: Sequence[str]) -> bool:
        """Whether the function is there for the chain's result: it returns it, or stores it in
        what it was given. The kernel has its name then, and that of the result besides if not."""
        node = self.unit.node
        if isinstance(node, ast.Module):
            return False
        if any(isinstance(one, ast.Return) for one in (self.rest, *self.run.statements)):
            return True
        returned = (one.value for one in walk(node) if isinstance(one, ast.Return))
        parts = (part for one in returned for part in getattr(one, "elts", [one]))
        back = {part.id for part in parts if isinstance(part, ast.Name)}
        written = {leaf.word for leaf in self.run.written.values()}
        return bool(written.intersection(names_of(node)) or back & set(made))


def _declared(type_: Type, letter: str) -> str:
    """A type as a signature has it."""
    return str(type_) if type_.weak else _lettered(type_.dtype, letter)


def _lettered(dtype: str, letter: str) -> str:
    return letter if letter and dtype in ("float32", "float64") else dtype


__all__ = ["Maker"]
