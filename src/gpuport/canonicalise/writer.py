"""Emits operations on elements into a region, and knows what each new value is like."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from gpuport.canonicalise.blocked import Blocked
from gpuport.facts.contexts import Context
from gpuport.ir.operators import BINARY
from gpuport.ir.structure import Function, Op, Region, Value
from gpuport.ir.types import NUMBERS, STRONG, UNKNOWN, Type, join_all, strong_dtype
from gpuport.records import Span

#: What a new value is like: an element of (or the same number as) a value of the program, whose
#: dtype may differ from context to context; or a dtype.
Like = Value | str
INDEX = "int64"


class Writer:
    """Emits operations of one function.

    Parameters
    ----------
    function : Function
    contexts : iterable of Context
        Those for which the result has to hold; a type is what all of them agree on.
    span : Span
        Where in the user's file operations come from that nothing else tells.

    Attributes
    ----------
    like : dict
        What each new value is like.
    """

    def __init__(self, function: Function, contexts: Iterable[Context], span: Span) -> None:
        self.function, self.contexts, self.span = function, tuple(contexts), span
        self.region = Region()
        self.like: dict[Value, Like] = {}
        self._types: dict[Value, Type] = {}

    def type(self, value: Value) -> Type:
        """What is known of a value of the program in all contexts."""
        if value not in self._types:
            known = (context.types.get(value) for context in self.contexts)
            self._types[value] = join_all(t for t in known if t is not None) or UNKNOWN
        return self._types[value]

    def is_number(self, value: Value) -> bool:
        """Whether a value of the program is a number."""
        return self.type(value).kind in NUMBERS

    def dtype(self, value: Value, context: Context) -> str | None:
        """The NumPy dtype of a new value, or of a number of the program, in a context."""
        like = self.like.get(value, value)
        if isinstance(like, str):
            return like
        return strong_dtype(context.types.get(like, UNKNOWN))

    def dtype_everywhere(self, value: Value) -> str | None:
        """The dtype that a value has in all contexts."""
        dtypes = {self.dtype(value, context) for context in self.contexts}
        return dtypes.pop() if len(dtypes) == 1 else None

    def as_in(self, value: Value, result: Value) -> Value:
        """A term as a number of the type that what it is put together into has.

        NumPy adds up truth values as whole numbers, and single precision as it is added to double.
        """
        if self.contexts_agree(value, result):
            return value
        dtype = self.dtype_everywhere(result)
        if dtype is None:
            raise Blocked(f"nothing tells the dtype of `{result.name}`")
        return self.value("Cast", [value], result, dtype=dtype)

    def as_element(self, value: Value, array: Value) -> Value:
        """A number as an element of an array holds it: one of NumPy's, and of its dtype.

        Raises
        ------
        Blocked
            Where NumPy may raise: a complex number among real ones, NaN among whole ones.
        """
        given = self.like.get(value, value)
        kinds = {"number"} if isinstance(given, str) else {self.type(given).kind}
        if kinds <= {"array", "scalar"} and self.contexts_agree(value, array):
            return value
        one, other = self.dtype_everywhere(value), self.dtype_everywhere(array)
        if one is None or other is None:
            raise Blocked(f"nothing tells the dtype of `{array.name}`")
        if not np.can_cast(one, other, "same_kind"):
            raise Blocked(f"`{array.name}` is given numbers of another kind")
        return self.value("Cast", [value], array, dtype=other)

    def contexts_agree(self, one: Value, other: Value) -> bool:
        """Whether two values have the same dtype in each context."""
        return all(self.dtype(one, c) == self.dtype(other, c) is not None for c in self.contexts)

    # -- emitting

    def emit(
        self,
        kind: str,
        operands: Iterable[Value],
        like: Iterable[Like] = (),
        span: Span | None = None,
        regions: tuple[Region, ...] = (),
        **attributes: Any,
    ) -> Op:
        """Append an operation with a result for each entry of ``like``."""
        op = Op(kind, list(operands), attributes, [], list(regions), span or self.span, self.region)
        for one in like:
            result = self.function.fresh("", op)
            self.like[result] = one
            op.results.append(result)
        for region in regions:
            region.owner = op
        self.region.ops.append(op)
        return op

    def value(
        self,
        kind: str,
        operands: Iterable[Value],
        like: Like,
        span: Span | None = None,
        **said: Any,
    ) -> Value:
        """Append an operation, and give its only result."""
        return self.emit(kind, operands, [like], span, **said).result

    def const(self, value: Any) -> Value:
        """A constant."""
        return self.value("Const", (), STRONG[type(value).__name__], value=value)

    def sum(self, left: Value, right: Value) -> Value:
        """The sum of two indices."""
        return self.index("+", left, right)

    def index(self, operator: str, left: Value, right: Value) -> Value:
        """Arithmetic of indices; of two constants it is one, for small arrays are read by these."""
        numbers = [number_of(left), number_of(right)]
        if None not in numbers:
            return self.const(BINARY[operator](*numbers))
        if operator == "+" and 0 in numbers:
            return right if numbers[0] == 0 else left
        if operator == "-" and numbers[1] == 0:
            return left
        return self.value("Binary", (left, right), INDEX, operator=operator)

    @contextmanager
    def inside(self, region: Region) -> Iterator[Region]:
        """Emit into another region for a while."""
        outer, self.region = self.region, region
        try:
            yield region
        finally:
            self.region = outer

    def parameter(self, region: Region, name: str, like: Like) -> Value:
        """A new parameter of a region."""
        made = self.function.fresh(name, region)
        self.like[made] = like
        region.parameters.append(made)
        return made

    def end(self, kind: str, operands: Iterable[Value] = (), span: Span | None = None) -> None:
        """Append a terminator."""
        self.emit(kind, operands, (), span)


def number_of(value: Value) -> int | None:
    """The whole number that a new value is, where it is a constant."""
    made = value.definition
    known = made.attributes["value"] if isinstance(made, Op) and made.kind == "Const" else None
    return known if type(known) is int else None


def constant_of(value: Value) -> Any:
    """The constant that a new value is.

    Raises
    ------
    Blocked
        Where it is none.
    """
    made = value.definition
    if isinstance(made, Op) and made.kind == "Const":
        return made.attributes["value"]
    raise Blocked("a small array is read by an index that is no constant")
