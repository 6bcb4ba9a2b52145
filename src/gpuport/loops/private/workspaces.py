"""Arrays that each iteration makes to work in, as one array with a place for every iteration.

``row = np.zeros(m)`` inside ``for i in range(n)`` becomes ``row_work[:, i]`` of an array that is
made before the launch. What iterations do to it then touches cells of their own, which the
dependence test proves like anything else.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from gpuport.loops.context.given import given_once
from gpuport.loops.context.ranks import ranks_of
from gpuport.loops.context.scalars import exposed
from gpuport.loops.facts import ArrayFact, Fact, LoopNest
from gpuport.loops.heads.heads import parse
from gpuport.loops.names import Fresh, decided, function_path, loaded, named, stored, walk
from gpuport.loops.private.workspace_checks import root, usable
from gpuport.loops.private.workspace_makers import Made, Makers
from gpuport.loops.private.workspace_uses import Room, Uses
from gpuport.loops.reasons import Refused
from gpuport.loops.records import LoopPlan, Workspace
from gpuport.loops.sets.affine import Whole
from gpuport.loops.sets.wholes import Wholes
from gpuport.rules.loopfunctions import makers
from gpuport.source import syntax
from gpuport.source.scratch import scratch_of

Loop = ast.For | ast.While

MOST = 2**28
"""Elements of a workspace; where it would have more, the loop itself runs."""


@dataclass(frozen=True)
class Widened:
    """A loop whose iterations have their workspaces in common arrays.

    Attributes
    ----------
    loop : ast.For
    nest : LoopNest
        With the facts of those arrays.
    workspaces : tuple of Workspace
    counts : tuple of str
        How often the loops of the grid run, where they do: the last extents of the arrays.
    equal : tuple of str
        Conditions under which arrays that change places are equally long.
    places : frozenset of str
        Variables of loops that stand for operations on the workspaces.
    """

    loop: ast.For
    nest: LoopNest
    workspaces: tuple[Workspace, ...]
    counts: tuple[str, ...]
    equal: tuple[str, ...]
    places: frozenset[str] = frozenset()

    def equal_extents(self, wholes: Wholes) -> list[tuple[Whole, Whole]]:
        """What is known of the extents of the arrays, wherever the loop runs at all."""
        found = []
        for one in self.workspaces:
            texts = (*one.extents[: one.axes], *self.counts)
            for axis, text in enumerate(texts):
                known = wholes.whole(parse(text, self.loop))
                if known is not None:
                    found.append((Whole(wholes.symbols.extent(one.name, axis)), known))
        return found

    def finished(self, plan: LoopPlan) -> LoopPlan | None:
        """The plan in terms of what is there before the launch; None where that cannot be."""
        names = frozenset(one.name for one in self.workspaces)
        if names & (plan.snapshots | plan.atomics):
            return None
        guards = [*self._guards(), *map(self.outside, plan.guards)]
        return replace(
            plan,
            reads=plan.reads - names | {one.of for one in self.workspaces if one.lent},
            writes=plan.writes - names,
            guards=tuple(dict.fromkeys(guard for guard in guards if decided(guard) != "True")),
            workspaces=self.workspaces,
        )

    def in_own_names(self, refused: Refused) -> Refused:
        """A refusal in the user's own names."""
        message = refused.message
        for one in self.workspaces:
            pattern = rf"{re.escape(one.name)}\[(.*?), {re.escape(one.place)}\]"
            whole = ", ".join(f"0:{text}" for text in one.extents[: one.axes])
            message = re.sub(pattern, rf"{one.of}[\1]", message).replace(one.name, one.of)
            message = message.replace(f"{one.of}[{whole}]", one.of)
            if message.startswith(f"`{one.of}` is a part of an array"):
                message = f"`{one.of}` is used as a whole in the loop, not element by element"
        made = Refused(refused.code, self.loop, message)
        made.line = refused.line
        return made

    def outside(self, guard: str) -> str:
        """A guard in terms of what is there before the workspaces are."""
        return without(self.workspaces, guard)

    def _guards(self) -> Iterator[str]:
        """Conditions under which the workspaces can be made, and are not too large."""
        yield from self.equal
        for one in self.workspaces:
            own = one.extents[: one.axes]
            yield from (f"{text} >= 0" for text in own if not _is_length(text))
            yield f"{' * '.join(map(factor, one.extents))} <= {MOST}"


def without(workspaces: Sequence[Workspace], guard: str) -> str:
    """A guard that does not speak of workspaces, but of their extents."""
    for one in workspaces:
        for axis, text in enumerate(one.extents):
            guard = guard.replace(f"{one.name}.shape[{axis}]", factor(text))
        size = " * ".join(map(factor, one.extents))
        guard = guard.replace(f"{one.name}.size", f"({size})")
    return guard


def widened(nest: LoopNest, node: Loop, shared: Loop | None = None) -> Widened | None:
    """The loop with workspaces; None where its iterations make no arrays, or do more with them.

    Parameters
    ----------
    nest : LoopNest
    node : ast.For or ast.While
        The region's loop, functions written out in it.
    shared : ast.For or ast.While, optional
        The loop as it stands in its function, where arrays made before it count as well.
    """
    chain = _chain(node)
    if not chain:
        return None
    body = chain[-1].body
    ranks = ranks_of(nest.function, nest.facts)
    understands = Makers(nest.facts, ranks, frozenset(stored([node])), given_once(node))
    made = understands.of(body)
    outlive = exposed(body) | nest.live_after
    made = {name: one for name, one in made.items() if name not in outlive}
    made |= {} if shared is None else _scratch(nest, shared, understands)
    made = usable(body, made)
    if not made:
        return None
    return _widened(nest, chain, made)


def _scratch(nest: LoopNest, loop: Loop, understands: Makers) -> dict[str, Made]:
    """Arrays of float64 that are made before the loop for its iterations to work in."""
    empty = partial(_is_empty, facts=nest.facts)
    found = {
        n: understands.made(call) for n, call in scratch_of(nest.function, loop, empty).items()
    }
    added = [n.target for n in walk([loop]) if isinstance(n, ast.AugAssign)]
    changed = {root(one)[0] for one in added}
    return {
        name: Made(
            tuple(f"{name}.shape[{k}]" for k in range(len(one.extents))), one.dtype, lent=True
        )
        for name, one in found.items()
        if one is not None and one.dtype == "float64" and name not in changed
    }


def _is_empty(call: ast.Call, facts: Mapping[str, Fact]) -> bool:
    known = makers()
    path = function_path(call.func, facts) or ""
    return path in known.filled and known.filled[path] is None


def _chain(node: Loop) -> list[ast.For]:
    """The loops from the region's on that hold nothing but the next one: those of the grid."""
    found: list[ast.For] = []
    while _counts(node) and isinstance(node, ast.For):
        assigned = stored([loop.target for loop in found]) | stored(node.body)
        if loaded([node.iter]) & assigned - {"range", "len"}:
            break
        found.append(node)
        inner = node.body[0]
        if len(node.body) != 1 or not isinstance(inner, ast.For | ast.While):
            break
        node = inner
    return found


def _counts(node: Loop) -> bool:
    """``for i in range(n)``, ``for i in range(a, b)``."""
    if not isinstance(node, ast.For) or node.orelse or not isinstance(node.target, ast.Name):
        return False
    call = node.iter
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.keywords:
        return False
    plain = call.func.id == "range" and 1 <= len(call.args) <= 2
    return plain and node.target.id not in stored(node.body)


def _widened(nest: LoopNest, chain: Sequence[ast.For], made: dict[str, Made]) -> Widened:
    fresh = Fresh(named(nest.function) | named(chain[0]))
    counts, plain, places = zip(*map(_place, chain), strict=True)
    rooms: dict[str, Room] = {}
    workspaces: list[Workspace] = []
    facts: dict[str, Fact] = dict(nest.facts)
    for name, one in made.items():
        work = fresh.exactly(f"{name}_work")
        rooms[name] = Room(work, one.extents, places)
        extents = (*one.extents, *counts)
        facts[work] = ArrayFact(one.dtype, len(extents))
        shown = ", ".join(places)
        workspaces.append(
            Workspace(
                work, name, one.dtype, one.like, extents, len(one.extents), shown, lent=one.lent
            )
        )
    loop = syntax.copied(chain[0])
    assert isinstance(loop, ast.For)
    inner = loop
    for _ in chain[1:]:
        inner = inner.body[0]  # type: ignore[assignment]
    pairs = sorted(frozenset[tuple[str, str]]().union(*(one.equal for one in made.values())))
    equal = tuple(f"{a} == {b}" for a, b in pairs)
    inner.body = Uses(rooms, Makers(nest.facts, {}, frozenset()), fresh).block(inner.body)
    places_within = frozenset(fresh.places)
    own = replace(nest, facts=facts)
    return Widened(loop, own, tuple(workspaces), plain, equal, places_within)


def _place(loop: ast.For) -> tuple[str, str, str]:
    """How often a loop runs, also where it does, and the place of an iteration among all."""
    assert isinstance(loop.target, ast.Name)
    assert isinstance(loop.iter, ast.Call)
    arguments = [ast.unparse(one) for one in loop.iter.args]
    start, stop = ("0", arguments[0]) if len(arguments) == 1 else arguments
    if start == "0":
        return (stop if _is_length(stop) else f"max({stop}, 0)"), stop, loop.target.id
    count = f"{stop} - {factor(start)}"
    return f"max({count}, 0)", count, f"{loop.target.id} - {factor(start)}"


def factor(text: str) -> str:
    """A number as a factor."""
    node = parse(text, ast.Pass())
    return (
        text
        if isinstance(node, ast.Name | ast.Constant | ast.Call | ast.Subscript | ast.Attribute)
        else f"({text})"
    )


def _is_length(text: str) -> bool:
    """A length of an array, or a number written out: never less than 0."""
    node = parse(text, ast.Pass())
    if isinstance(node, ast.Constant):
        return True
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id == "len"
    return isinstance(node, ast.Subscript)
