"""The elements that expressions read, and under which conditions."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass

from gpuport.loops.context.purity import check_call
from gpuport.loops.cuda.element_extremes import ElementExtreme
from gpuport.loops.facts import ArrayFact, Fact, FunctionFact, ModuleFact, ScalarFact, UnknownFact
from gpuport.loops.names import dotted, is_shape, subscript_indices
from gpuport.loops.reasons import UNKNOWN_TYPE, UNSUPPORTED, Refused
from gpuport.loops.sets.accesses import Access, Dim, Place, Region
from gpuport.loops.sets.affine import Condition, Whole
from gpuport.loops.sets.reaches import Reach
from gpuport.loops.sets.wholes import Wholes


@dataclass(frozen=True)
class Around:
    """What surrounds a statement."""

    dims: tuple[Dim, ...] = ()
    conditions: tuple[Condition, ...] = ()
    place: Place = ()


def given(here: Around, test: Condition | None) -> Around:
    if test is None:
        return here
    return Around(here.dims, (*here.conditions, test), here.place)


class ElementReads:
    """Records what expressions read.

    Parameters
    ----------
    region : Region
        Where it is recorded.
    wholes : Wholes
    facts : mapping of str to Fact
    assigned : set of str
        Names that the loop binds.
    """

    def __init__(
        self, region: Region, wholes: Wholes, facts: Mapping[str, Fact], assigned: set[str]
    ) -> None:
        self.region = region
        self.wholes = wholes
        self.facts = facts
        self.assigned = assigned

    def indices(self, node: ast.Subscript, here: Around) -> None:
        """What the indices of a subscript read."""
        for index in subscript_indices(node):
            self.reads(index, here)

    def access(self, node: ast.Subscript, here: Around, write: bool, joins: str = "") -> None:
        """Record an element that is read or written."""
        array = dotted(node.value)
        assert array is not None
        written = subscript_indices(node)
        indices = tuple(map(self.wholes.place, written))
        reaches = tuple(map(self.wholes.reach, written))
        indices = tuple(map(self._around_period, indices, reaches))
        names = tuple(item.id if isinstance(item, ast.Name) else None for item in written)
        place = (*here.place, 1 if write else 0)
        alone = indices[0] if len(indices) == 1 else None
        unknown = len(indices) == 1 and (alone is None or alone.vague)
        split = self.wholes.split(node.slice) if unknown else None
        self.region.accesses.append(
            Access(
                array=array,
                node=node,
                indices=indices,
                write=write,
                joins=joins,
                dims=here.dims,
                conditions=here.conditions,
                place=place,
                split=split,
                names=names,
                through=tuple(map(self._through, written)),
                reaches=reaches,
            )
        )

    def _around_period(self, index: Whole | None, reach: Reach | None) -> Whole | None:
        """What is known of an index that is taken modulo something."""
        if index is not None or reach is None or reach.period is None:
            return index
        return self.wholes.within(reach.period, reach.modulo)

    def _through(self, index: ast.expr) -> tuple[str, Whole] | None:
        """The array of different places that an index is taken from, and where."""
        name = dotted(index.value) if isinstance(index, ast.Subscript) else None
        fact = self.facts.get(name or "")
        if not isinstance(fact, ArrayFact) or not fact.distinct or name in self.assigned:
            return None
        assert isinstance(index, ast.Subscript)
        assert name is not None
        which = self.wholes.whole(index.slice)
        return None if which is None else (name, which)

    def extreme(self, found: ElementExtreme, here: Around) -> None:
        """What a statement touches that keeps an extreme in an element."""
        for value in found.values:
            self.reads(value, here)
        for node, write in ((found.read, False), (found.target, True)):
            self.indices(node, here)
            self.access(node, here, write, found.function)

    def reads(self, node: ast.expr, here: Around) -> None:
        """The elements that an expression reads; its branches are taken for evaluated."""
        if isinstance(node, ast.Subscript):
            if not is_shape(node.value):
                self.indices(node, here)
                self.access(node, here, write=False)
        elif isinstance(node, ast.Attribute):
            self._attribute(node, here)
        elif isinstance(node, ast.Name):
            self._bare(node, node.id)
        elif isinstance(node, ast.Call):
            self._call(node, here)
        elif isinstance(node, ast.IfExp):
            self.reads(node.test, here)
            self.reads(node.body, given(here, self.wholes.condition(node.test)))
            self.reads(node.orelse, given(here, self.wholes.condition(node.test, negated=True)))
        elif isinstance(node, ast.BoolOp):
            self._junction(node, here)
        else:
            for child in ast.iter_child_nodes(node):
                if isinstance(child, ast.expr):
                    self.reads(child, here)

    def _junction(self, node: ast.BoolOp, here: Around) -> None:
        """Later operands are read only where the earlier ones did not decide."""
        for item in node.values:
            self.reads(item, here)
            here = given(here, self.wholes.condition(item, isinstance(node.op, ast.Or)))

    def _call(self, node: ast.Call, here: Around) -> None:
        check_call(node, self.facts, self.assigned)
        if isinstance(node.func, ast.Name) and node.func.id == "len":
            if dotted(node.args[0]) is None:
                raise Refused(UNSUPPORTED, node, f"`{ast.unparse(node)}` is not understood")
            return
        for item in node.args:
            self.reads(item, here)
        for keyword in node.keywords:
            self.reads(keyword.value, here)

    def _attribute(self, node: ast.Attribute, here: Around) -> None:
        name = dotted(node)
        if name is None or (node.attr in ("real", "imag") and name not in self.facts):
            if node.attr not in ("real", "imag"):
                raise Refused(UNKNOWN_TYPE, node, f"`{ast.unparse(node)}`: unknown attribute")
            self.reads(node.value, here)
            return
        if isinstance(self.facts.get(name.partition(".")[0]), ModuleFact):
            return
        if node.attr in ("size", "ndim") and dotted(node.value) in self.region.ranks:
            return
        if isinstance(self.facts.get(name), ScalarFact | UnknownFact | ArrayFact):
            self._bare(node, name)
            return
        message = (
            f"what `{name}` is, is not known: give it a name before the loop, "
            f"`{node.attr} = {name}`"
        )
        raise Refused(UNKNOWN_TYPE, node, message)

    def _bare(self, node: ast.expr, name: str) -> None:
        if name in self.region.ranks or isinstance(self.facts.get(name), ArrayFact):
            raise Refused(
                UNSUPPORTED,
                node,
                f"`{name}` is used as a whole in the loop, not element by element",
            )
        if isinstance(self.facts.get(name), FunctionFact | ModuleFact):
            raise Refused(UNSUPPORTED, node, f"`{name}` is used as a value in the loop")
