"""Follow the instances of a program's classes, and place the functions that handle them."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from copy import copy
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from gpuport.analysis.calls.libraryvalues import library_functions
from gpuport.analysis.calls.partials import partials
from gpuport.analysis.functions.exchanged import exchanging_containers
from gpuport.analysis.functions.functionvalues import (
    FunctionFacts,
    families_of,
    handed_on,
    is_function,
    may_be_handed_on,
)
from gpuport.analysis.functions.summaries import Analysed
from gpuport.analysis.interpretation.modulelevel import pin_shared
from gpuport.analysis.interpretation.settling import settle_elements
from gpuport.analysis.objects.admission import Admission, is_at_top
from gpuport.analysis.objects.candidates import known_classes
from gpuport.analysis.objects.claims import why_host
from gpuport.analysis.objects.classreaders import Readers, class_readers, class_values
from gpuport.analysis.objects.families import Family, families, mixed
from gpuport.analysis.objects.instances import Objects
from gpuport.analysis.objects.namedtuples import made_tuples
from gpuport.analysis.objects.rounds import settle
from gpuport.analysis.placement.bounces import without_bounces
from gpuport.analysis.placement.copies import share
from gpuport.analysis.placement.cut import Placement, Unplaceable, place
from gpuport.analysis.placement.graph import Reason
from gpuport.analysis.project.mentions import Mentions
from gpuport.analysis.project.modulenames import show_values
from gpuport.analysis.project.programnames import (
    ModuleName,
    Name,
    matter_to_followed,
    may_hold_arrays,
    names_read,
)
from gpuport.source.innernames import is_inner
from gpuport.source.names import Scope

if TYPE_CHECKING:
    from gpuport.analysis.functions.callsites import Passed
    from gpuport.analysis.interpretation.unit import Unit
    from gpuport.analysis.project.callgraph import Project
    from gpuport.analysis.project.program import Program


@dataclass(frozen=True, slots=True)
class Together:
    """What came of the members, and what they told of others."""

    found: dict[int, Analysed]
    settled: list[Unit]
    frozen: frozenset[int]
    given_up: dict[int, str]
    passed: Passed
    joined: bool


@dataclass(slots=True, eq=False)
class Following:
    """What is known of the classes of a program; made once.

    Attributes
    ----------
    program : Program
    classes : dict
        The families of the classes that are still followed, by the names of the classes.
    opened : dict
        Why others are not.
    mentions : Mentions
        Where names of the program stand.
    readers : dict
        The functions that read by the names of classes what these bind, by the names.
    frozen : set of int
        Members beside code that is on CuPy already: a port that was made before.
    functions : dict
        The functions that are handed on as values and still followed.
    together : list of frozenset of str
        Those of which it was seen that they arrive at the same places.
    exchanging : dict
        The functions that exchange containers of arrays, by their ids; None where these are not
        followed any more.
    names : dict
        The names of modules that are followed with the functions that read them; None where none
        is followed any more.
    joins_arrays : bool
        Whether functions that members give arrays to are placed with them.
    joined : bool
        Whether there were any.
    left_out : set of int
        Those that cannot be read, so that such containers go out of sight there.
    given_up : dict
        Why other functions are not followed any more, by their ids.
    settled : list of Unit
        The members as they were last looked into, whether anything was moved or not.
    """

    program: Program
    classes: dict[str, Family]
    opened: dict[str, Reason]
    mentions: Mentions = field(default_factory=Mentions)
    readers: Readers = field(default_factory=dict)
    frozen: frozenset[int] = frozenset()
    functions: dict[str, FunctionFacts] = field(default_factory=dict)
    together: list[frozenset[str]] = field(default_factory=list)
    exchanging: dict[int, Scope] | None = field(default_factory=dict)
    names: dict[Name, ModuleName] | None = field(default_factory=dict)
    joins_arrays: bool = True
    joined: bool = False
    left_out: set[int] = field(default_factory=set)
    given_up: dict[int, str] = field(default_factory=dict)
    settled: list[Unit] = field(default_factory=list)

    @classmethod
    def of(cls, program: Program) -> Following:
        """Read the classes of a program."""
        classes, opened, handed = known_classes(program)
        following = cls(program, families(classes), opened)
        following.readers = class_readers(program, classes)
        for family in following.families():
            found = mixed(family)
            if found is not None:
                following.leave(family, _of_another_kind(found))
        library = library_functions(program)
        functions = may_be_handed_on(program)
        if following.classes or functions or library:
            following.mentions = Mentions.of(program)
        if functions:
            following.functions = handed_on(program, following.mentions)
            following.functions |= {one.name: one for one in partials(program)}
        following.functions |= library
        values = class_values(program, classes, handed, following.mentions)
        following.functions |= {one.name: one for one in values}
        if not following.is_idle:
            names = names_read(program, following.mentions)
            known = [one.node for one in following.functions.values()]
            following.names = names if matter_to_followed(program, names, known) else {}
        return following

    def copied(self) -> Following:
        """What is followed now, to go back to."""
        return replace(
            self, classes=dict(self.classes), opened=dict(self.opened),
            functions=dict(self.functions), together=list(self.together),
            exchanging=copy(self.exchanging), names=copy(self.names), left_out=set(self.left_out),
            given_up=dict(self.given_up),
        )  # fmt: skip

    @property
    def chosen(self) -> dict[str, bool]:
        """What is followed beside classes, to be chosen again."""
        names, exchanging = self.names is not None, self.exchanging is not None
        return {"names": names, "exchanging": exchanging, "arrays": self.joins_arrays}

    def choose(self, choices: Mapping[str, bool]) -> None:
        """Follow no more than was chosen before."""
        self.joins_arrays = choices.get("arrays", True)
        self.names = self.names if choices.get("names", True) else None
        self.exchanging = self.exchanging if choices.get("exchanging", True) else None

    def families(self) -> list[Family]:
        """The families that are still followed."""
        return list({id(family): family for family in self.classes.values()}.values())

    def leave(self, family: Family, reason: Reason) -> None:
        """Follow a family no longer."""
        for name in family.classes:
            self.opened[name] = reason
            self.classes.pop(name, None)

    def opened_in(self, project: Project) -> dict[str, Reason]:
        """Why classes of a module are not followed."""
        tuples = {name: call for name, (call, _) in made_tuples(project.root)}
        found = {}
        for name, node in {**tuples, **project.root.classes}.items():
            reason = self.opened.get(name)
            if reason is not None and not self.program.holds(project, reason.node):
                place = self.program.where(project, reason.node)
                reason = replace(reason, node=node, message=f"{reason.message} ({place})")
            if reason is not None:
                found[name] = reason
        return found

    @property
    def is_idle(self) -> bool:
        """Whether nothing is followed, so that functions matter to each other by calls alone."""
        return not (self.classes or self.functions or self.exchanging or self.names)

    @property
    def ever_followed(self) -> bool:
        """Whether anything is followed, or was before it was seen that nothing comes of it."""
        return not self.is_idle or self.names is None or self.exchanging is None

    def place(self) -> dict[int, Analysed]:
        """Analyse the functions that handle instances; those of opened classes are left out."""
        self.settled = []
        show_values(self.program, {})
        while not self.is_idle:
            functions, left_out = families_of(self.values(), self.together), set(self.left_out)
            objects = Objects(self, {**self.classes, **functions})
            Admission(self, objects).begin()
            wanted = any(p.wanted(objects.members.values()) for p in self.program.projects)
            if objects.members and not wanted:
                return {}
            if not objects.opened:
                state = self._state(objects)
                known = self.program.placements.begin(state)
                if known is not None:
                    return self._as_before(known)
                if settle(objects):
                    return self._kept(objects, state)
            self._give_up(objects, more_left_out=self.left_out > left_out)
        return {}

    @property
    def state(self) -> tuple[object, ...]:
        """What is followed, and how."""
        return (
            list(self.classes.items()), list(self.functions.items()), self.together,
            self.opened.copy(), self.given_up.copy(), self.left_out.copy(), self.joins_arrays,
        )  # fmt: skip

    def _state(self, objects: Objects) -> tuple[object, ...]:
        """What the members are looked into with; what they ask meanwhile comes to it."""
        return (
            list(objects.members), objects.optional.copy(), objects.names.copy(), self.state,
            bool(self.exchanging), bool(self.names), self.program.projects[0].calls.by_members(),
            *self.program.state,
        )  # fmt: skip

    def _kept(self, objects: Objects, state: tuple[object, ...]) -> dict[int, Analysed]:
        """The placement of members that were looked into, to be found again."""
        found, (project, *others) = self._placed(objects), self.program.projects
        if not others and not project.tracing and self.program.state[0] == state[-2]:
            for scope in objects.members.values():
                self.program.placements.ask(project.told_of, scope)
            given_up, passed = self.given_up.copy(), project.calls.by_members()
            kept = Together(found, self.settled, self.frozen, given_up, passed, self.joined)
            self.program.placements.keep(state, kept)
        return found

    def _as_before(self, known: Together) -> dict[int, Analysed]:
        """The placement that was found when the members were looked into before."""
        self.settled, self.frozen, self.given_up = known.settled, known.frozen, {**known.given_up}
        self.joined |= known.joined
        self.program.projects[0].calls.go_back(known.passed.copy())
        return known.found

    def values(self) -> list[FunctionFacts]:
        """The functions that are still followed as values, and the followed classes that are."""
        every = self.functions.values()
        return [one for one in every if one.makes is None or one.makes in self.classes]

    def every_call(self, function: ast.AST) -> list[tuple[Scope, ast.Call]]:
        """The calls of a function in the program; none where it is handed on to be called."""
        if self.is_idle and not self.mentions.loads:
            self.mentions = Mentions.of(self.program)
        calls = self.mentions.calls_of(function)
        return calls if self.mentions.loads[id(function)] == len(calls) else []

    def finds_containers(self) -> bool:
        """Whether functions are seen to exchange containers of arrays, which were not seen to
        before: they are followed from now on."""
        found = {id(one.node): one for one in exchanging_containers(self.program)}
        if self.exchanging is None or self.exchanging.keys() >= found.keys():
            return False
        if self.is_idle:
            self.mentions = Mentions.of(self.program)
        self.exchanging |= found
        return True

    def finds_names(self) -> bool:
        """Whether names of modules are seen to hold arrays that functions read: they are followed
        from now on."""
        if self.names is None:
            return False
        if self.is_idle:
            self.mentions = Mentions.of(self.program)
        found = names_read(self.program, self.mentions)
        if self.names.keys() >= found.keys() or not may_hold_arrays(self.program, found):
            return False
        self.names = found
        return True

    def _give_up(self, objects: Objects, *, more_left_out: bool) -> None:
        """Follow less; functions are given up before classes, for the sake of which that may be."""
        if objects.merged and self._join(objects):
            return
        if objects.stopped and more_left_out:
            return  # they are no members any more, where others can do without them
        if self.names and (objects.stopped or not objects.fails):
            self.names = None
            return
        if objects.stopped or not objects.fails:
            self.exchanging = None
            return
        for name in sorted(frozenset().union(*objects.merged)):
            objects.open(name, objects.classes[name].node, "an instance is mixed with other things")
        lost = {
            name for name, family in objects.classes.items()
            if family.name in objects.opened and name in self.functions
        }  # fmt: skip
        for name in sorted(lost):
            why = objects.opened[objects.classes[name].name].message.removeprefix(why_host(""))
            facts = self.functions.pop(name)
            self.given_up[id(facts.node)] = why
            if facts.makes in self.classes:
                found = objects.opened[objects.classes[name].name]
                self.leave(self.classes[facts.makes], found)
        for family in self.families() if not lost else ():
            if family.name in objects.opened:
                self.leave(family, objects.opened[family.name])

    def _join(self, objects: Objects) -> bool:
        """What arrives at one place is of one family; False where that is known already."""
        before = self.together, list(self.classes.values())
        for names in objects.merged:
            if not any(is_function(objects.classes[name]) for name in names):
                self._join_classes(names)
                continue
            joined = frozenset().union(*(objects.classes[name].classes for name in names))
            joined = joined.union(*(group for group in self.together if group & joined))
            if joined not in self.together:
                others = [group for group in self.together if not group & joined]
                self.together = [*others, joined]
        return (self.together, list(self.classes.values())) != before

    def _join_classes(self, names: frozenset[str]) -> None:
        """Classes whose instances stand for each other, though none is made of the other."""
        former = [family for family in self.families() if not names.isdisjoint(family.classes)]
        joined = Family({name: one for family in former for name, one in family.classes.items()})
        found = mixed(joined)
        if found is None:
            self.classes.update(dict.fromkeys(joined.classes, joined))
            return
        for family in former:
            self.leave(family, _of_another_kind(found))

    def is_value(self, node: ast.AST) -> bool:
        """Whether a function is followed as a value."""
        return any(one.node is node for one in self.functions.values())

    def unseen_calls(self, objects: Objects) -> Iterator[tuple[str | None, ast.Call]]:
        """Calls of followed classes and of members in code that was not looked into.

        Of members that others can do without it is enough to know that they are none.
        """
        members = [scope.node for scope in objects.members.values() if is_at_top(scope)]
        classes = [(name, objects.classes[name].classes[name].node) for name in objects.classes]
        for name, node in (*classes, *((None, node) for node in members)):
            unseen = [c for _, c in self.mentions.calls_of(node) if id(c) not in objects.seen]
            if unseen and classes and name is None and id(node) in objects.optional:
                self.left_out.add(id(node))
                self.given_up[id(node)] = "it is called by code that is not looked into"
                objects.stopped = True
                continue
            for call in unseen:
                yield name, call

    def _placed(self, objects: Objects) -> dict[int, Analysed]:
        if any(project.on_cupy.intersection(objects.members) for project in self.program.projects):
            self.frozen = frozenset(objects.members)
            return {}
        units = self.settled = list(objects.units.values())
        for unit in units:
            settle_elements(unit)
            if isinstance(unit.node, ast.Module):
                pin_shared(unit)
        whole = objects.graph()
        try:
            for unit in units:
                share(unit)
            placement = without_bounces(units, whole, place(whole))
        except Unplaceable:
            placement = Placement(frozenset())
        if not placement.device:
            self.given_up.update((id(u.node), _why_on_host(u)) for u in units if is_inner(u.scope))
            return {}
        for project in self.program.projects:
            project.join_neighbours(objects.members)
        return {id(unit.node): Analysed(unit, placement) for unit in units}


def _why_on_host(unit: Unit) -> str:
    """Why the work of a function that was followed is on the host."""
    roots = (one.graph_node.root() for one in unit.work.operations.values())
    reasons = (root.pinned for root in roots if root.pinned is not None)
    reason = next(reasons, None)
    return "nothing would be gained by moving its arrays" if reason is None else reason.message


def _of_another_kind(found: tuple[str, ast.AST]) -> Reason:
    why = why_host(f"`{found[0]}` is of another kind in another class")
    return Reason("GP913", why, found[1], "attributes-on-host")


__all__ = ["Following"]
