"""What a call of NumPy's does besides its work: operands, effects, views, and its result."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import replace

from gpuport._frozen import frozen
from gpuport.analysis.calls.arguments import Argument
from gpuport.analysis.calls.numpyarguments import (
    lies_alike,
    note_layout,
    parameter_name,
    skip_self,
    takes,
)
from gpuport.analysis.calls.offers import Offer
from gpuport.analysis.differences import differing
from gpuport.analysis.differences.foreignmemory import over_buffer
from gpuport.analysis.functions.demands import demand_array
from gpuport.analysis.interpretation.flows import Flow
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.knowledge.probing import probe_call
from gpuport.analysis.knowledge.results import check_result
from gpuport.analysis.placement.graph import Node
from gpuport.analysis.statements.stores import refuse_number, refuse_read_output
from gpuport.analysis.values.lattice import (
    UNKNOWN,
    Array,
    Either,
    Number,
    Scalar,
    Sequence,
    Tuple,
    Unknown,
    Value,
    is_arraylike,
    is_container,
    is_number,
    on_device_possible,
)
from gpuport.probing.library import installed
from gpuport.rules.libraries import library_of
from gpuport.rules.model import EffectRule

_PYTHON_NUMBERS = {"bool": "bool", "int": "int64", "float": "float64", "complex": "complex128"}


@frozen
class Work:
    """A call that works on arrays, on one side or the other.

    Attributes
    ----------
    unit : Unit
    node : ast.Call
    path : str
        Resolved name of the function or method.
    args : list of Argument
        With the array itself as the first one, where a method is called.
    operation : Node
        The call in the data-flow graph.
    value : Value
        What NumPy gives.
    """

    unit: Unit
    node: ast.Call
    path: str
    args: list[Argument]
    operation: Node
    value: Value

    def finish(self) -> Flow:
        """Operands, effects and differences of the call, and its result."""
        self._offer_operands()
        if self.path in self.unit.knowledge.words.compares_memory:
            for origin in (a.flow.origin for a in self.args):
                if origin is not None:
                    self.unit.graph.gather(self.operation, origin)
        values = [a.flow.value for a in self.args]
        first = self.args[0].flow if self.args else None
        differing.check(
            self.unit, self.node, self.path, values, self.operation,
            part=first is not None and first.view,
            strided=first is None or not lies_alike(first),
        )  # fmt: skip
        check_result(self.unit, self.node, self.path, values, self.operation)
        self._read_back()
        effect = self.unit.knowledge.rules.effect(self.path)
        if effect is not None and effect.host:
            self.unit.pin(self.operation, "GP105", f"`{self.path}` works on the host", self.node)
        note_layout(self.unit, self.node, self.path, self.args, self.operation)
        given = self._write(effect)
        if given is not None:
            return Flow(given.value, given.origin, given.view)
        view = self._view(effect)
        return self._new(effect) if view is None else view

    def _read_back(self) -> None:
        """Note that the host waits for the result, where this function is one of those."""
        read = self.unit.knowledge.words.reads_back.get(self.path)
        if read is None:
            return
        named = {self._named(argument) for argument in self.args}
        if (read.given is None or read.given in named) and read.left_out not in named:
            self.unit.work.read_back[id(self.node)] = (self.node, self.operation, read.what)

    def _offer_operands(self) -> None:
        unit, words = self.unit, self.unit.knowledge.words
        entry = unit.knowledge.tables.entry(self.path)
        tolerant = entry is not None and entry.kind == "ufunc"
        method = self.path.startswith("numpy.ndarray.")
        apart = differing.tells_numbers_apart(unit, self.path)
        for index, argument in enumerate(self.args):
            if method and index == 0:
                unit.use(argument.expression, argument.flow, self.operation)
                continue
            shifted = argument
            if argument.position is not None:
                place = argument.position + skip_self(unit, self.path)
                shifted = replace(argument, position=place)
            name = parameter_name(unit, self.path, shifted)
            offer = Offer(unit, self.node, self.path, name, argument, self.operation)
            offer.settle()
            taken = not tolerant and name not in words.host_parameters
            taken = taken and (apart or not takes(unit, self.path, name, Scalar("float")))
            if taken and isinstance(argument.flow.value, (Either, Array)):
                demand_array(unit, argument.expression, argument.flow.value)
                offer.demand_no_number()

    @property
    def _inputs(self) -> int | None:
        """How many arguments of a ufunc are read; None for other functions."""
        entry = self.unit.knowledge.tables.entry(self.path)
        return entry.nin if entry is not None and entry.kind == "ufunc" else None

    def _named(self, argument: Argument) -> str | None:
        return parameter_name(self.unit, self.path, argument)

    def _written(self, effect: EffectRule | None) -> list[Argument]:
        """The arguments that the call writes to."""
        results, inputs = self.unit.knowledge.words.result_parameters, self._inputs
        always: set[str] = set()
        if effect is not None:
            always = set(effect.mutates) - set(effect.mutates_when.values())
        written = []
        for argument in self.args:
            name, position = self._named(argument), argument.position
            late = inputs is not None and position is not None and position >= inputs
            if name in results or name in always or late:
                written.append(argument)
        if effect is not None:
            written += self._written_when(effect.mutates_when)
            if "self" in effect.mutates and self.args:
                written.append(self.args[0])
        return written

    def _written_when(self, conditions: Mapping[str, str]) -> list[Argument]:
        """Arguments that are written only when a flag is given, and not plainly False."""
        named = {self._named(a): a for a in self.args}
        written = []
        for flag, parameter in conditions.items():
            given = named.get(flag)
            if given is None or parameter not in named:
                continue
            value = given.flow.value
            if not (isinstance(value, Scalar) and value.constant is False):
                written.append(named[parameter])
        return written

    def _write(self, effect: EffectRule | None) -> Flow | None:
        """Write to arguments; gives the one that is the result as well, such as ``out``."""
        results = self.unit.knowledge.words.result_parameters
        out: Flow | None = None
        written = self._written(effect)
        if self._inputs is None:
            refuse_read_output(self.unit, self.node, written, self.args, self.operation)
        for argument in written:
            flow = argument.flow
            if flow.origin is None or not on_device_possible(flow.value):
                continue
            self.unit.mutate(flow, self.node)
            self.unit.graph.unite(self.operation, flow.origin)
            refuse_number(self.unit, self.node, argument.expression, flow.value, self.operation)
            name = argument.keyword or self._named(argument)
            out = flow if name in results or self._inputs is not None else out
        return out

    def _view(self, effect: EffectRule | None) -> Flow | None:
        """The result of a call that gives a view of what it is given; None for other calls."""
        if effect is None or not self._may_view(effect):
            return None
        if effect.view_of_one and sum(is_arraylike(a.flow.value) for a in self.args) > 1:
            return None
        given = (a for a in self.args if not effect.view_of or self._named(a) in effect.view_of)
        viewed = next((a.flow for a in given if a.flow.origin is not None), None)
        if viewed is None or viewed.origin is None:
            return None
        if not (is_arraylike(viewed.value) or self._keeps_items(viewed.value)):
            return None
        self.unit.graph.unite(self.operation, viewed.origin)
        made = self._result(view=not viewed.fresh)
        if not effect.by_order or viewed.fresh:
            return made
        if viewed.ordered and not self._has_order():
            return replace(made, ordered=True)
        self.unit.memory.reshaped.append((self.operation, self.node))
        return made

    def _may_view(self, effect: EffectRule) -> bool:
        """Whether the call may give a view: some do only where a flag is given, and not True."""
        if not effect.view or not effect.view_when:
            return effect.view
        flags = [a for a in self.args if a.keyword == "**" or self._named(a) in effect.view_when]
        plain = (a.flow.value for a in flags)
        return not all(isinstance(v, Scalar) and v.constant is True for v in plain)

    def _new(self, effect: EffectRule | None) -> Flow:
        """The result of a call that makes one."""
        made = self._result(view=False)
        values = [a.flow.value for a in self.args]  # an array made of a list is a copy
        viewed = any(not is_container(one) or self._keeps_items(one) for one in values)
        viewed = viewed and effect is not None and self._may_view(effect)
        if viewed and self.operation.root().pinned is not None:
            made = over_buffer(self.unit, self.node, effect, made)
        elementwise = self._inputs is not None and all(
            a.flow.ordered or a.flow.origin is None or is_number(a.flow.value) for a in self.args
        )
        in_c_order = effect is not None and effect.c_order
        in_c_order = in_c_order or getattr(self.value, "rank", None) == 1
        if made.origin is None or not (elementwise or in_c_order) or self._has_order():
            return made
        return replace(made, ordered=True)

    def _keeps_items(self, value: Value) -> bool:
        """Whether views of what a list holds come back; an array made of a list is a copy."""
        return is_container(value) and self.path not in self.unit.knowledge.words.takes_lists

    def _has_order(self) -> bool:
        return any(self._named(a) == "order" for a in self.args)

    def _result(self, *, view: bool) -> Flow:
        unit, value = self.unit, self.value
        if self.path in unit.knowledge.words.plain_results:
            return Flow(value)
        if isinstance(value, Scalar) and value.type in _PYTHON_NUMBERS:
            # NumPy gives a Python number here, CuPy a 0-d array.
            number = Number(_PYTHON_NUMBERS[value.type], numpy_scalar=False)
            return Flow(number, self.operation, fresh=True)
        if isinstance(value, (Tuple, Sequence)) and not on_device_possible(value):
            return Flow(value)
        if value == UNKNOWN:
            text = unit.module.segment(self.node)[:60]
            unit.pin(
                self.operation,
                "GP901",
                f"unknown type: what `{text}` gives back is not known",
                self.node,
                "unknown-type",
                help=_advice(self.path) or self._axes(),
            )
            return Flow(Unknown(f"the result of `{text}`"))
        if not on_device_possible(value):
            return Flow(value)
        return Flow(value, self.operation, view=view, fresh=not view)

    def _axes(self) -> str | None:
        """What would make a result known that rests on how many axes an array has."""
        for one in self.args:
            value = one.flow.value
            if not (isinstance(one.expression, ast.Name) and isinstance(value, Array)):
                continue
            if value.rank is None and self._known_of(one, replace(value, rank=2)):
                name = one.expression.id
                return (
                    f"say how many axes `{name}` has, as in `rows, columns = {name}.shape` or "
                    f"`{name}: np.ndarray[tuple[int, int], np.dtype[np.float64]]`"
                )
        return None

    def _known_of(self, argument: Argument, value: Value) -> bool:
        """Whether the result is known where an argument is this."""
        given = [(a, value if a is argument else a.flow.value) for a in self.args]
        positional = tuple(v for a, v in given if a.position is not None)
        keywords = tuple((a.keyword, v) for a, v in given if a.keyword is not None)
        return probe_call(self.path, positional, keywords) != UNKNOWN


def _advice(path: str) -> str | None:
    """What would make the result of a call known."""
    library = library_of(path)
    if library is None or installed(library.root):
        return None
    return f"install {library.name} beside gpuport: its functions are asked what they return"


__all__ = ["Work"]
