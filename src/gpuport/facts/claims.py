"""Claims of inference, tested on the values of a real run.

A claim that rests on assumptions is tested where these hold.
"""

from __future__ import annotations

import types
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gpuport.facts.contexts import Context
from gpuport.facts.infer import Facts
from gpuport.facts.knowledge import Unresolved, is_of, knowledge, resolve
from gpuport.facts.sampling import stride_orders, type_of
from gpuport.ir.extents import Affine
from gpuport.ir.interpreter import UNASSIGNED, Frame, Interpreter, Watcher, read_extent
from gpuport.ir.queries import walk
from gpuport.ir.structure import Function, Op, Region, Value
from gpuport.ir.types import Assumption, Assumptions, Type, extents_of

#: Tests of one claim; later values of a long loop are sampled.
OFTEN, SAMPLED = 60, 257
PYTHON_TYPES: dict[str, type] = {
    "tuple": tuple,
    "list": list,
    "dict": dict,
    "set": set,
    "string": str,
    "none": type(None),
    "ellipsis": type(Ellipsis),
    "module": types.ModuleType,
}
NUMBERS = (bool, int, float, complex)


def fits(value: Any, t: Type) -> bool:
    """Whether a real value is of a type, as far as the type says; extents are not looked at."""
    if t.kind in PYTHON_TYPES and not isinstance(value, PYTHON_TYPES[t.kind]):
        return False
    special = _FITS.get(t.kind)
    return special is None or special(value, t)


def _array(value: Any, t: Type) -> bool:
    if type(value) is not np.ndarray or t.dtype not in (None, value.dtype.name):
        return False
    ranks = value.ndim > 0 if t.shape is None else value.ndim == len(t.shape)
    return ranks and (t.order is None or t.order in stride_orders(value))


def _scalar(value: Any, t: Type) -> bool:
    return isinstance(value, np.generic) and t.dtype in (None, value.dtype.name)


def _number(value: Any, t: Type) -> bool:
    return type(value) in NUMBERS and t.dtype in (None, type(value).__name__)


def _numeric(value: Any, t: Type) -> bool:
    return any(fits(value, item) for item in t.items or ())


def _tuple(value: Any, t: Type) -> bool:
    return t.items is None or (len(t.items) == len(value) and all(map(fits, value, t.items)))


def _record(value: Any, t: Type) -> bool:
    return type(value).__name__ in {cls.attributes["name"] for cls in t.targets}


def _class(value: Any, t: Type) -> bool:
    return value.__name__ in {cls.attributes["name"] for cls in t.targets}


def _function(value: Any, t: Type) -> bool:
    return getattr(value, "__ir__", None) in t.targets


def _method(value: Any, t: Type) -> bool:
    if not t.targets or not t.items:
        return callable(value)
    function = getattr(value, "__func__", None)
    return getattr(function, "__ir__", None) in t.targets and fits(value.__self__, t.items[0])


def _library(value: Any, t: Type) -> bool:
    path = t.path or ""
    if not is_of(path, (*knowledge().resolved, "builtins")):
        return True  # such a name may mean another object at another time
    try:
        found = resolve(path)
    except Unresolved:
        return True
    return found is value or bool(found == value)


def _instance(value: Any, t: Type) -> bool:
    return type(value).__name__ == (t.path or "").rpartition(".")[2]


_FITS = {
    "array": _array,
    "scalar": _scalar,
    "number": _number,
    "numeric": _numeric,
    "tuple": _tuple,
    "record": _record,
    "class": _class,
    "function": _function,
    "method": _method,
    "library": _library,
    "instance": _instance,
}


@dataclass
class Tally:
    """What testing claims gave.

    Attributes
    ----------
    tested, extents : int
        Claims of types, and of extents in them.
    not_tested : int
        Claims whose assumptions did not hold.
    wrong : list of str
    """

    tested: int = 0
    extents: int = 0
    not_tested: int = 0
    wrong: list[str] = field(default_factory=list)


class ClaimChecker(Watcher):
    """Tests each claim on the values of a run."""

    def __init__(self, facts: Facts) -> None:
        self.facts, self.tally = facts, Tally()
        self._broken: set[Assumption] = set()
        self._seen: dict[Value, int] = defaultdict(int)
        self._made: dict[int, tuple[Op, Any]] = {}  #: who made the containers that there are
        self._owner = {
            value: function for function in facts.contexts for value in _values_of(function)
        }

    def watches(self, function: Function) -> bool:
        """Whether anything is claimed of a function."""
        return bool(self.facts.contexts.get(function))

    def enter(self, function: Function, frame: Frame) -> None:
        """Note in which contexts a call stands."""
        standing = []
        for context in self.facts.contexts.get(function, ()):
            given = [frame[value.index] for value in function.parameters]
            wrong = [
                t
                for value, t in zip(given, context.parameters, strict=True)
                if not (fits(value, t) and self._same(t, value, frame) and self._from(t, value))
            ]
            for t in wrong:
                self._broken |= t.assumed
            if not wrong:
                standing.append(context)
        frame.append(standing)

    def _from(self, t: Type, value: Any) -> bool:
        """Whether a container comes from where a context says that it does."""
        if t.kind in ("list", "dict") and t.sites:
            return id(value) in self._made and self._made[id(value)][0] in t.sites
        if t.kind == "tuple" and t.items is not None:
            return all(map(self._from, t.items, value))
        return True

    def _same(self, t: Type, value: Any, frame: Frame) -> bool:
        """Whether extents and constants are as a type says."""
        if t.constant is not None:
            return bool(t.constant[0] == value) or value != value
        if t.kind == "array" and t.shape is not None:
            sizes = zip(t.shape, value.shape, strict=True)
            return all(self._is(extent, size, frame) for extent, size in sizes)
        if t.integer is not None:
            return self._is(t.integer, value, frame)
        if t.kind == "tuple" and t.items is not None:
            return all(self._same(i, v, frame) for i, v in zip(t.items, value, strict=True))
        return True

    @staticmethod
    def _is(extent: Affine | None, size: int, frame: Frame) -> bool:
        told = None if extent is None else read_extent(extent, frame)
        return told is None or told == size

    def region(self, function: Function, region: Region, frame: Frame) -> None:
        """Test what is claimed of the parameters of a region."""
        for value in region.parameters:
            self._test(function, value, frame, f"in a region of {region.owner}")

    def op(self, function: Function, op: Op, frame: Frame) -> None:
        """Test what is claimed of the results of an operation."""
        for value in op.results:
            real = frame[value.index]
            made = op.kind in ("List", "Dict", "Call") and type(real) in (list, dict)
            if made and id(real) not in self._made:
                self._made[id(real)] = (op, real)
            self._test(function, value, frame, repr(op))

    def _test(self, function: Function, value: Value, frame: Frame, where: str) -> None:
        self._seen[value] += 1
        real = frame[value.index]
        rare = self._seen[value] > OFTEN and self._seen[value] % SAMPLED
        if real is UNASSIGNED or rare:
            return
        contexts: list[Context] = frame[-1]
        for context in contexts:
            t = context.types.get(value)
            if t is None:
                self._wrong(f"{function.qualname} {where}: {value} held unreachable: {real!r:.60}")
            elif t.kind == "unknown":
                continue
            elif not self._hold(t.assumed, frame, function):
                self.tally.not_tested += 1
            else:
                self.tally.tested += 1
                self.tally.extents += len(extents_of(t))
                if not fits(real, t) or not self._same(t, real, frame):
                    told = f"{type(real).__name__} {type_of(real)}"
                    self._wrong(f"{function.qualname} {where}: {value} claimed {t}, is {told}")

    def _hold(self, assumed: Assumptions, frame: Frame, function: Function) -> bool:
        for assumption in assumed:
            if assumption.about != "type" and self._is_here(assumption, function):
                if not _holds(assumption, frame):
                    self._broken.add(assumption)
                    return False
            elif assumption in self._broken:
                return False
        return True

    def _is_here(self, assumption: Assumption, function: Function) -> bool:
        """Whether an assumption about extents is one about values of this function."""
        extents = [part for part in assumption.test if isinstance(part, Affine)]
        return all(self._owner[s.source] is function for e in extents for s in e.symbols)

    def _wrong(self, text: str) -> None:
        self.tally.wrong.append(text)


def _holds(assumption: Assumption, frame: Frame) -> bool:
    extent, *rest = assumption.test
    size = read_extent(extent, frame)
    if size is None:
        return False
    if assumption.about == "equal":
        return size == read_extent(rest[0], frame)
    if assumption.about == "least":
        return bool(size >= rest[0])
    return -(2**63) <= size < 2**63


def _values_of(function: Function) -> list[Value]:
    found = list(function.parameters)
    for op in walk(function.body):
        found += op.results
        for region in op.regions:
            found += region.parameters
    return found


def check_claims(facts: Facts, namespace: dict[str, Any]) -> Tally:
    """Run the only module of a program in a namespace, and test each claim."""
    (module,) = facts.modules
    checker = ClaimChecker(facts)
    Interpreter(module, namespace, checker).run()
    return checker.tally
