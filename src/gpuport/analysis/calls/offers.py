"""An argument of a NumPy call on the way to CuPy: taken as it is, made an array, or kept here."""

from __future__ import annotations

import ast
from dataclasses import replace

from gpuport._frozen import frozen
from gpuport.analysis.calls.arguments import Argument, is_spread, spread_out, takes_any_number
from gpuport.analysis.calls.numpyarguments import as_given, is_device_dtype, takes
from gpuport.analysis.expressions.evaluation import evaluate
from gpuport.analysis.expressions.listedarrays import are_alike, is_display_of_numbers
from gpuport.analysis.expressions.operators import operand
from gpuport.analysis.interpretation.flows import Flow, Rewrite
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.placement.graph import Node, Reason
from gpuport.analysis.values.contents import has_unknown, of_numbers
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
    elements,
    is_container,
    on_device_possible,
)


@frozen
class Offer:
    """An argument that a call offers to one of the parameters of CuPy's function.

    Attributes
    ----------
    unit : Unit
    node : ast.Call
    path : str
        Resolved name of the function or method.
    parameter : str or None
        What the argument lands on, where that is known.
    argument : Argument
    operation : Node
        The call in the data-flow graph.
    """

    unit: Unit
    node: ast.Call
    path: str
    parameter: str | None
    argument: Argument
    operation: Node

    @property
    def _value(self) -> Value:
        return self.argument.flow.value

    def settle(self) -> None:
        """Bring the argument where the call takes it; pin the call where it takes it nowhere."""
        unit, value, flow = self.unit, self._value, self.argument.flow
        if self.parameter == "dtype":
            self._check_dtype()
        numpys = isinstance(value, Either) or (isinstance(value, Number) and value.numpy_scalar)
        python_integer = self.parameter in unit.knowledge.words.python_integers
        if python_integer and numpys and flow.origin is not None:
            self._as_python()
            return
        taken = self._takes(as_given(flow))
        alone = isinstance(value, (Number, Scalar)) and self._takes_arrays_alone()
        if alone and flow.origin is not None and not numpys:  # on the device, unless it is Python's
            self._refuse_number()
        refused = taken is False or (taken is None and value == Scalar() and alone)
        if refused and (flow.origin is None or not on_device_possible(value)):
            self._make_array()
        elif self._belongs_on_host(refused=refused):
            self._to_host()
        elif refused and isinstance(value, Array):
            self._bring_back()
        elif not is_container(value):
            operand(unit, self.node, self.argument.expression, self._crossing(), self.operation)
        elif not taken:
            self._container()

    def demand_no_number(self) -> None:
        """Pin what may be a number where CuPy takes arrays only, and no boundary checks it."""
        value = self._value
        if isinstance(value, Either) and value.python and not value.sources:
            self._refuse_number()

    # -- what CuPy takes -------------------------------------------------------------------

    def _takes(self, value: Value) -> bool | None:
        if self._is_of_runtime():
            return None
        return takes(self.unit, self.path, self.parameter, value)

    def _is_of_runtime(self) -> bool:
        """Whether a function of the runtime's stands for the call, which takes what NumPy does."""
        return ("renamed", id(self.node)) in self.unit.work.rewrites

    def _takes_arrays_alone(self) -> bool:
        """Whether a number would be refused, whichever of Python's it is, and an array is not."""
        if not self._takes(Array()):
            return False
        return not any(self._takes(Scalar(one)) is not False for one in ("int", "float"))

    def _belongs_on_host(self, *, refused: bool) -> bool:
        """Whether this is a value of Python's by the parameter that it is given for."""
        words, value = self.unit.knowledge.words, self._value
        plain = refused or not (isinstance(value, (Array, Either)) or self._is_data())
        lists = self.path in words.joins_lists or self._is_list_of_arrays()
        plain = plain and not (lists and on_device_possible(value))
        return (self.parameter in words.host_parameters and plain) or self._wants_number()

    def _is_list_of_arrays(self) -> bool:
        return self.unit.knowledge.words.array_lists_at.get(self.path) == self.parameter

    def _is_data(self) -> bool:
        """Whether what is not known must be an array: `m` of ``tril``, not that of ``tri``."""
        if not isinstance(self._value, Unknown) or not self._takes(Array()):
            return False
        return not self._takes(Scalar("int"))

    def _wants_number(self) -> bool:
        """Whether what may be an array is a number here: nothing else could be given."""
        if not isinstance(self._value, (Either, Number)):
            return False
        if self.parameter in self.unit.knowledge.words.integer_parameters:
            return True
        if self._takes(Array()) is not False:
            return False
        return any(self._takes(Scalar(kind)) for kind in ("int", "float"))

    # -- where it goes ---------------------------------------------------------------------

    def _pin(self, code: str, message: str, slug: str, *, help: str | None = None) -> None:
        self.unit.pin(self.operation, code, message, self.node, slug, help=help)

    def _unsupported(self, why: str) -> None:
        self._pin("GP103", f"unsupported parameter: {why}", "unsupported-parameter")

    def _crossing(self) -> Flow:
        """What crosses: an array of none for a number of NumPy's where CuPy takes arrays alone."""
        flow, asks = self.argument.flow, self.unit.knowledge.takes
        numbers = self.parameter is None or asks(self.path, self.parameter, "numpy-scalar")
        if numbers is not False or not isinstance(flow.value, Number):
            return flow
        return replace(flow, value=Either(flow.value.dtype, frozenset({""})))

    def _use_in_place(self) -> None:
        """It is read where the call runs, and never moved for it."""
        expression, flow = self.argument.expression, self.argument.flow
        assert flow.origin is not None
        self.unit.graph.use(
            expression, flow.origin, self.operation, flow.value, self.unit.weight, movable=False
        )

    def _refuse_number(self) -> None:
        text = self.unit.module.segment(self.argument.expression)[:60]
        message = f"`{text}` may be an array or a Python number; CuPy takes arrays here"
        advice = f"make it an array with np.asarray({text})"
        self._pin("GP901", f"unknown type: {message}", "unknown-type", help=advice)

    def _check_dtype(self) -> None:
        """A dtype that CuPy has no arrays of, by what it holds or by the order of its bytes."""
        if not is_device_dtype(self._value):
            message = "object-dtype: CuPy has no arrays of this dtype"
            self._pin("GP905", message, "object-dtype")

    def _as_python(self) -> None:
        """An integer of NumPy's where CuPy takes those of Python."""
        expression = self.argument.expression
        fixed = self.unit.frozen_text or self.unit.inseparable
        if fixed or isinstance(self._value, Either):  # perhaps several positions
            text = self.unit.module.segment(expression)[:60]
            self._unsupported(f"CuPy takes no integer of NumPy's here; write `int({text})`")
            return
        self.unit.to_host(expression, self.argument.flow)
        self._rewrite("int")

    def _make_array(self) -> None:
        """A number or a list where CuPy takes arrays only."""
        if not self._takes(Array()):
            self._unsupported(f"`{self.parameter}` takes no such value in CuPy")
            return
        self.unit.graph.use(
            self.argument.expression,
            self.unit.host,
            self.operation,
            Sequence(Scalar()),
            self.unit.weight,
            movable=not self.unit.frozen_text,
        )

    def _to_host(self) -> None:
        if is_container(self._value) and on_device_possible(self._value):
            reason = Reason("GP402", f"`{self.parameter}=` is Python", self.node)
            self.unit.escape(self.argument.expression, self.argument.flow, reason)
        else:
            self.unit.to_host(self.argument.expression, self.argument.flow)

    def _bring_back(self) -> None:
        """An array where CuPy takes none of the device: one of the host, or nothing does."""
        assert self.parameter is not None
        expression, flow = self.argument.expression, self.argument.flow
        if self.unit.knowledge.takes(self.path, self.parameter, "numpy-array"):
            self.unit.to_host(expression, flow)
            return
        operand(self.unit, self.node, expression, flow, self.operation)
        self._unsupported(f"`{self.parameter}` takes no array in CuPy")

    def _rewrite(self, kind: str) -> None:
        """Have the text of the argument written anew."""
        at = self.argument.expression
        self.unit.work.rewrites[kind, id(at)] = Rewrite(kind, at, self.operation)

    # -- containers ------------------------------------------------------------------------

    def _container(self) -> None:
        """A list, a tuple or a dict."""
        unit, words, value = self.unit, self.unit.knowledge.words, self._value
        expression, flow = self.argument.expression, self.argument.flow
        if self.path in words.takes_tuples and _is_index(value):
            if flow.origin is not None and on_device_possible(value):
                self._use_in_place()
        elif has_unknown(value):
            unsure = _unknown_item(unit, expression)
            operand(unit, self.node, unsure, Flow(UNKNOWN), self.operation)
            unit.use(expression, flow, self.operation)  # what is known of it goes there too
        elif on_device_possible(value) and flow.origin is not None:
            self._list_of_arrays(flow.origin)
        elif self._is_of_runtime():
            pass  # numbers of Python's have no dtype of their own
        elif self.path not in words.takes_lists and self.parameter not in words.sequence_parameters:
            operand(unit, self.node, expression, flow, self.operation)
        elif self.path in words.joins_no_numbers and of_numbers(value):
            self._unsupported("CuPy takes arrays alone here, no numbers")

    def _list_of_arrays(self, origin: Node) -> None:
        """Taken by ``stack`` and its kin, and by ``array`` where all items are arrays."""
        words, path = self.unit.knowledge.words, self.path
        reads = self._only_reads()
        on_host = self.operation.root().pinned is not None
        if on_host and reads and self._use_leaves():
            return
        if is_spread(self.argument) and self._is_operands():
            self._gather(origin)
        elif path in words.array_lists or self._is_list_of_arrays():
            self._gather(origin, taken="" if self._is_of_runtime() else "arrays alone")
        elif self._is_taken_as_display(origin):
            self._use_in_place()
            if path in words.takes_elements:
                function = Rewrite("elements", self.node.func, self.operation)
                self.unit.work.rewrites["elements", id(self.node)] = function
            else:
                self._rewrite("displayed")
        elif self.parameter in words.sequence_parameters or path in words.takes_lists:
            alone = path in words.takes_lists or path in words.joins_no_numbers
            self._gather(origin, taken="one or the other" if alone else "")
        elif self._is_joined(origin):
            self._gather(origin)
            self._rewrite("joined")
        else:
            if not (reads and self._use_leaves()):
                self._gather(origin)
            text = self.unit.module.segment(self.argument.expression)[:60]
            message = f"unknown type: `{text}` is a list of arrays that CuPy does not turn into one"
            if path in words.joins_alike:
                message += ": they are not known to have the same dtype, and one axis"
            self._pin("GP901", message, "unknown-type", help="make it one array with np.stack")

    def _is_joined(self, origin: Node) -> bool:
        """Whether an array can be made of the list, with which the call does the same."""
        words = self.unit.knowledge.words
        if origin.holds_numbers():
            return False
        return self.path in words.joins_lists or (
            self.path in words.joins_alike and are_alike(self._value)
        )

    def _use_leaves(self) -> bool:
        """Whether the arrays in it can be brought to the call one by one; then they are."""
        expression, flow = self.argument.expression, self.argument.flow
        return self.unit.use_leaves(expression, flow, self.operation)

    def _gather(self, origin: Node, *, taken: str = "") -> None:
        """Keep the list where the call is; `taken` is said of one that may not hold numbers too."""
        self.unit.graph.gather(origin, self.operation)
        if taken:
            self.unit.graph.keep_together(origin)
        if taken and origin.holds_numbers():
            why = f"the list holds numbers beside arrays; CuPy takes {taken}"
            self._pin("GP901", f"unknown type: {why}", "unknown-type")

    def _only_reads(self) -> bool:
        """Whether the call neither changes nor keeps the arrays in a list that it is given."""
        if self.path in self.unit.knowledge.words.takes_elements:
            return False  # what is made of arrays of unequal lengths holds these themselves
        effect = self.unit.knowledge.rules.effect(self.path)
        if effect is not None and (effect.view or self.parameter in effect.mutates):
            return False
        # One more than a ufunc reads is written to.
        return not is_spread(self.argument) or self._is_operands()

    def _is_operands(self) -> bool:
        """Whether ``*values`` are arrays that a ufunc takes: as good as written one by one.

        Not those of a parameter: another caller may give one more, which is written to.
        """
        value, origin = self._value, self.argument.flow.origin
        if origin is None or origin.root().parameters:
            return False
        if takes_any_number(self.unit, self.path):
            return isinstance(elements(value), Array) and not origin.holds_numbers()
        spread = spread_out(self.unit, self.path, [self.argument])
        arrays = isinstance(value, Tuple) and all(isinstance(item, Array) for item in value.items)
        return spread is not None and arrays and not origin.holds_numbers()

    def _is_taken_as_display(self, origin: Node) -> bool:
        """Whether ``[x.min(), x.max()]`` can be written so that CuPy makes one array of it."""
        words, node = self.unit.knowledge.words, self.node
        plain = len(node.args) == 1 and not node.keywords
        takes_it = self.path in words.joins_lists or (self.path in words.takes_elements and plain)
        return takes_it and is_display_of_numbers(self.unit, self.argument.expression, origin)


def _unknown_item(unit: Unit, expression: ast.expr) -> ast.expr:
    """What in a display it is of which nothing is known; the whole of anything else."""
    for item in getattr(expression, "elts", ()):
        value = evaluate(unit, item).value
        if isinstance(value, Unknown) or has_unknown(value):
            return _unknown_item(unit, item)
    return expression


def _is_index(value: Value) -> bool:
    """Whether a tuple says one position, or array of them, for each axis."""
    known = not has_unknown(value) and isinstance(value, (Tuple, Sequence))
    return known and not (isinstance(value, Sequence) and value.list)


__all__ = ["Offer"]
