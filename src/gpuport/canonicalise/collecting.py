"""Lists that a loop fills and that become an array: ``out.append(v)``, then ``np.array(out)``.

The loop stores to a fresh array instead. Where an iteration may add nothing, it notes whether it
did, and a ``Compact`` keeps those elements.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from gpuport.canonicalise.arithmetic import callee_path
from gpuport.canonicalise.blocked import Blocked
from gpuport.canonicalise.domains import Domain
from gpuport.canonicalise.elements import Elements
from gpuport.canonicalise.knowledge import element_rules
from gpuport.ir.queries import exits, is_inside, uses
from gpuport.ir.structure import Function, Op, Region, Value
from gpuport.ir.types import Type


@dataclass(frozen=True, slots=True)
class Collected:
    """A list that a loop fills.

    Attributes
    ----------
    made : Op
        The display of the empty list.
    adds : frozenset of Op
        What adds an item.
    call : Op
        What makes an array of it.
    always : bool
        Whether each iteration adds one item.
    """

    made: Op
    adds: frozenset[Op]
    call: Op
    always: bool


class Collecting:
    """The lists that a loop fills, as arrays that a map fills."""

    def __init__(self, elements: Elements, loop: Op) -> None:
        self.elements, self.loop = elements, loop
        self.lists = _lists(elements, loop)
        self._of: dict[Op, tuple[Collected, Value, Value | None]] = {}
        self._position: Value | None = None

    @property
    def replaces(self) -> tuple[Op, ...]:
        """The operations that are not needed any more, beside the loop."""
        return tuple(one.made for one in self.lists)

    @property
    def drops(self) -> tuple[Op, ...]:
        """The calls that make arrays of the lists."""
        return tuple(one.call for one in self.lists)

    def declare(self, domain: Domain) -> None:
        """The arrays, before the map."""
        elements = self.elements
        for one in self.lists:
            if domain.step != 1:
                raise Blocked("a list is filled by a loop that has a step", self.loop.span)
            dtype = elements.dtype_everywhere(one.call.result)
            if dtype is None or elements.type(one.call.result).rank != 1:
                raise Blocked(
                    "nothing tells the dtype of the array that is made of a list (one of no items"
                    " is of floats, whatever they would have been)",
                    one.call.span,
                )
            size = elements.index("-", domain.high, domain.low)
            target = self._array(one, size, dtype)
            target.name = one.call.result.name or one.made.result.name
            keep = None if one.always else self._array(one, size, "bool")
            for op in one.adds:
                self._of[op] = one, target, keep

    def _array(self, one: Collected, size: Value, dtype: str) -> Value:
        like = one.call.result if dtype != "bool" else "bool"
        made = self.elements.value("Alloc", [size], like, one.made.span, dtype=dtype)
        sites = frozenset({made.definition})
        for context in self.elements.contexts:
            context.types[made] = Type("array", dtype, shape=(None,), order="C", sites=sites)
        return made

    def begin(self, index: Value, low: Value) -> None:
        """At the start of an iteration nothing was added."""
        self._position = self.elements.index("-", index, low)
        for keep in dict.fromkeys(keep for _, _, keep in self._of.values() if keep is not None):
            given = [keep, self._position, self.elements.const(False)]
            self.elements.emit("Store", given, (), self.loop.span)

    def take(self, op: Op) -> bool:
        """Store what an operation adds to a list; whether it does."""
        if op not in self._of or self._position is None:
            return False
        elements, (_, target, keep) = self.elements, self._of[op]
        value = elements.number(op.operands[1])
        elements.emit("Store", [target, self._position, value], (), op.span)
        if keep is not None:
            given = [keep, self._position, elements.const(True)]
            elements.emit("Store", given, (), op.span)
        return True

    def finish(self) -> list[tuple[Value, Value]]:
        """Behind the map: the arrays that take the place of those made of the lists."""
        found: dict[Value, Value] = {}
        for one, target, keep in self._of.values():
            if one.call.result in found:
                continue
            found[one.call.result] = target
            if keep is not None:
                kept = self.elements.value("Compact", [target, keep], one.call.result)
                kept.name, found[one.call.result] = target.name, kept
        return list(found.items())


def _lists(elements: Elements, loop: Op) -> list[Collected]:
    """The lists that a loop fills, and that nothing else looks at."""
    home = loop.parent
    candidates = [op for op in home.ops if op.kind == "List" and not op.operands]
    if not candidates:
        return []
    users = uses(elements.function)
    found = [_collected(elements, op, users.get(op.result, []), users, loop) for op in candidates]
    return [one for one in found if one is not None]


Users = list[tuple[Op, int]]


def _collected(
    elements: Elements, made: Op, own: Users, users: dict[Value, Users], loop: Op
) -> Collected | None:
    body, adds, calls = loop.regions[0], set[Op](), list[Op]()
    for user, place in own:
        if is_inside(user, body):
            add = _add(user, place, users)
            if add is None:
                return None
            adds.add(add)
        elif _makes_array(elements, user) and _is_after(user, loop):
            calls.append(user)
        else:
            return None
    if not adds or len(calls) != 1:
        return None
    least, most = _counts(body, adds)
    if most != 1:
        return None
    leaves = any(end is not body.terminator for end in exits(body, ("Continue",)))
    return Collected(made, frozenset(adds), calls[0], least == 1 and not leaves)


def _add(user: Op, place: int, users: dict[Value, Users]) -> Op | None:
    """What adds one item to a list, where an operation does."""
    if user.kind == "Collect" and place == 0 and len(user.operands) == 2:
        return user
    if user.kind != "GetAttr" or user.attributes["name"] != "append":
        return None
    calls = users.get(user.result, [])
    if len(calls) != 1 or calls[0][0].kind != "Call" or calls[0][1] != 0:
        return None
    call = calls[0][0]
    plain = not call.attributes["keywords"] and not any(call.attributes["stars"])
    is_used = users.get(call.result, [])
    return call if plain and len(call.operands) == 2 and not is_used else None


def _makes_array(elements: Elements, op: Op) -> bool:
    if op.kind != "Call" or op.attributes["keywords"] or len(op.operands) != 2:
        return False
    return callee_path(elements, op) in element_rules().same


def _is_after(op: Op, loop: Op) -> bool:
    """Whether an operation stands behind a loop, in its region or inside one of that."""
    home = loop.parent
    here = op
    while here.parent is not home:
        owner = here.parent.owner
        if isinstance(owner, Function):
            return False
        here = owner
    return home.ops.index(here) > home.ops.index(loop)


def _counts(region: Region, adds: Iterable[Op]) -> tuple[int, int]:
    """How many items one run of a region adds: at least, and at most (2 for many)."""
    least = most = 0
    for op in region.ops:
        if op in adds:
            least, most = least + 1, most + 1
        counts = [_counts(inner, adds) for inner in op.regions]
        if not any(high for _, high in counts):
            continue
        least += min(low for low, _ in counts) if op.kind == "If" else 0
        most += max(high for _, high in counts) if op.kind == "If" else 2
    return least, most
