"""Modules that are analysed together, because all code that uses what they define is in them.

A module that anybody may import is a program of its own here: what others do with its functions
and classes is not known.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from gpuport.analysis.differences.awaited import Awaited
from gpuport.analysis.differences.infinities import store_infinity
from gpuport.analysis.functions.recursion import around
from gpuport.analysis.loops.apart import in_the_way, not_the_same, wanted
from gpuport.analysis.objects.following import Following, Together
from gpuport.analysis.placement.graph import Place
from gpuport.analysis.project.modules import Modules
from gpuport.analysis.project.programs import why_open
from gpuport.analysis.values.lattice import Array, Number
from gpuport.source.importers import why_imported
from gpuport.source.names import FunctionNode, Scope
from gpuport.source.remembering import Remembering
from gpuport.source.syntax import together

if TYPE_CHECKING:
    from gpuport.analysis.functions.summaries import Analysed
    from gpuport.analysis.interpretation.flows import Operation
    from gpuport.analysis.project.callgraph import Found, Project

    _Found = tuple[Following, list[tuple[Project, Found]]]

_MOST_ROUNDS = 4
"""Rounds with evidence of call sites, after the first without."""


@dataclass(slots=True, eq=False)
class Program(Modules):
    """The modules, and what is followed through all of them.

    Attributes
    ----------
    outsiders : str, optional
        Why other code may use the names of several modules; None where it is seen that none does.
    following : Following, optional
        The classes and functions that are followed through the modules, once they are known.
    choices : dict of str to bool
        What an earlier pass over the modules chose to follow: this one does not try the other way.
    """

    outsiders: str | None = None
    following: Following | None = None
    choices: dict[str, bool] = field(default_factory=dict)
    placements: Remembering[Together] = field(default_factory=Remembering)
    _known: bool = False
    _awaited: Awaited | None = None
    _infinite: bool | None = None
    _recursions: dict[int, frozenset[int]] = field(default_factory=dict)
    _ordered: set[int] = field(default_factory=set)
    _newly_ordered: bool = False

    @classmethod
    def of(cls, files: Mapping[Path, Project]) -> Program:
        """The program of several modules; each of them is told so."""
        program = cls(tuple(files.values()), files)
        replaced = set().union(*(project.root.replaced for project in program.projects))
        for project in program.projects:
            project.program = program
            project.root.replaced.update(replaced)
        program.outsiders = why_open(program)
        return program

    def let_go(self) -> None:
        """Forget the modules, which refer to it."""
        self.projects, self.files, self.following = (), {}, None
        self._homes.clear()
        self.placements.let_go()

    def analyse(self) -> None:
        """Analyse every function and the code at the top of each module.

        What is found is in `Project.results` of each.
        """
        for project in self.projects:
            project.open()
        chosen = bool(self.choices)
        following = self._round()
        self._rounds(following)
        if not chosen:
            following = self._leave_functions(self._leave_names(following))
        alone = self._gain()
        if following.finds_containers():
            self._rounds(following, again=True)
            if not chosen and self._gain() <= alone:  # boundaries do as well, each by itself
                following.exchanging = None
                self._rounds(following, again=True)
        before = self._count_on_device()
        if following.finds_names():
            self._rounds(following, again=True)
            if not chosen and self._count_on_device() < before:
                following.names = None  # as many will do: the names are moved once
                self._rounds(following, again=True)
        self.choices.update(following.chosen)
        self._set_apart(following)
        self._tell_what_is_known()

    def _set_apart(self, following: Following) -> None:
        """Loops that stay in Python read copies of what kernels work on, where that gains some."""
        results = [done for project in self.projects for done in project.results.values()]
        obstacles = in_the_way(results)
        found = {id(done.unit.node): (done.unit.project, names)
                 for done in results if (names := wanted(done, obstacles))}  # fmt: skip
        if not found:
            return
        before = self._kernels()
        for project, names in found.values():
            project.apart |= names
        while True:
            self._read_again(following, found)
            results = [done for project in self.projects for done in project.results.values()]
            changed = [(done.unit.project, key) for done in results for key in not_the_same(done)]
            if not changed:
                break
            for project, (loop, name) in changed:
                project.apart[loop] -= {name}
        if self._kernels() <= before:
            for project, _ in found.values():
                project.apart.clear()
            self._read_again(following, found)

    def _read_again(self, following: Following, functions: Mapping[int, object]) -> None:
        for project in self.projects:
            for function in functions:
                project.analyses.forget(function)
        self._rounds(following, again=True)

    def _kernels(self) -> tuple[int, int]:
        """How many kernels are to be launched; how little is to cross in loops, copies apart."""
        results = [done for project in self.projects for done in project.results.values()]
        launches = sum(
            done.placement.of(one.graph_node) is Place.DEVICE
            for done in results for one in done.unit.forms.launches.values()
        )  # fmt: skip
        crossing = sum(
            isinstance(use.value, (Number, Array)) and use.weight > 1.0 and use.apart is None
            for done in results for use in done.unit.graph.uses.values()
            if done.placement.of(use.producer) is not done.placement.of(use.consumer)
        )  # fmt: skip
        return launches, -crossing

    def _leave_names(self, following: Following) -> Following:
        """Follow names no longer that were for the sake of others, where little comes of it."""
        gain, on_device = self._gain()
        if not following.names or 2 * on_device >= sum(1 for _ in self._operations()):
            return following
        found = self._found(following)
        following.names = None
        self._rounds(following, again=True)
        return following if self._gain() > (gain, on_device) else self._go_back(found)

    def _leave_functions(self, following: Following) -> Following:
        """Functions that are given arrays keep boundaries of their own, where more comes of it.

        Arrays that cross for one operation more are no gain.
        """
        if not following.joined:
            return following
        together, found = self._gain(), self._found(following)
        following.joins_arrays = False
        self._rounds(following, again=True)
        return following if self._gain() > together else self._go_back(found)

    def _found(self, following: Following) -> _Found:
        """What is found, and followed, now."""
        return following.copied(), [(one, one.found()) for one in self.projects]

    def _go_back(self, found: _Found) -> Following:
        """Let what was found earlier stand again."""
        self.following, projects = found
        for project, one in projects:
            project.go_back(one)
        return self.following

    def _rounds(self, following: Following, *, again: bool = False) -> None:
        """Look until nothing changes in what calls are seen to pass."""
        for _ in range(_MOST_ROUNDS):
            found = again or (bool(following.exchanging) and following.finds_containers())
            found = found or self._newly_ordered
            if not found and not any(project.calls.changed for project in self.projects):
                break
            again = self._newly_ordered = False
            for project in self.projects:
                project.calls.turn()
                project.forget_called()
            self._round()

    def _operations(self) -> Iterator[tuple[Analysed, Operation]]:
        """The operations on arrays of some size."""
        for project in self.projects:
            for done in project.results.values():
                for one in done.unit.work.operations.values():
                    if not one.only_numbers and not one.little:
                        yield done, one

    def _gain(self) -> tuple[float, int]:
        """What a placement is worth: operations on the device less crossings inside functions.

        Of two that are worth the same, that with more on the device is.
        """
        on_device = self._count_on_device()
        return on_device - self._count_crossings(), on_device

    def _count_on_device(self) -> int:
        """How many operations are to run on the device."""
        places = (done.placement.of(one.graph_node) for done, one in self._operations())
        return sum(place is Place.DEVICE for place in places)

    def _count_crossings(self) -> float:
        """How often values are to cross inside of functions, arrays the more the deeper in loops.

        Numbers that come back in loops are what conditions ask for: the arrays they are of stay.
        """
        return sum(
            1.0 if isinstance(use.value, Number) else use.weight
            for project in self.projects for done in project.results.values()
            for use in done.unit.graph.uses.values()
            if done.placement.of(use.producer) is not done.placement.of(use.consumer)
        )  # fmt: skip

    def _tell_what_is_known(self) -> None:
        """Functions that stay on the host say why by all that is known of the instances in them."""
        for unit in self.following.settled if self.following is not None else ():
            results = unit.project.results
            alone = results.get(id(unit.node))
            if alone is not None and alone.unit is not unit and not alone.placement.device:
                results[id(unit.node)] = replace(alone, unit=unit)

    def _round(self) -> Following:
        """The functions that handle instances of the program's classes are placed together."""
        if self.following is None:
            self.following = Following.of(self)
            self.following.choose(self.choices)
        followed = self.following.place()
        for project in self.projects:
            project.look(followed)
        return self.following

    @property
    def awaited(self) -> Awaited:
        """The errors that calls of its functions are guarded against."""
        if self._awaited is None:
            managers = {name for one in self.projects for name in one.knowledge.rules.catching()}
            self._awaited = Awaited(
                together(project.module.kinds for project in self.projects),
                frozenset(name.rpartition(".")[2] for name in managers),
            )
        return self._awaited

    def recursion(self, scope: Scope) -> frozenset[int]:
        """The functions over which a function calls itself, by their ids; or none."""
        key = id(scope.node)
        if key not in self._recursions:
            self._recursions[key] = around(self, scope)
        return self._recursions[key]

    def ask_for_order(self, function: FunctionNode) -> None:
        """What a function gives has to have the order in memory that NumPy gives it."""
        if id(function) not in self._ordered:
            self._ordered.add(id(function))
            self._newly_ordered = True
            for project in self.projects:
                project.analyses.doubt(function)

    @property
    def state(self) -> tuple[object, ...]:
        """What its functions rest on beside answers, where it may change."""
        return self._ordered.copy(), [project.state for project in self.projects]

    def asks_for_order(self, function: ast.AST) -> bool:
        """Whether the order in memory of what a function gives decides what others do."""
        return id(function) in self._ordered

    @property
    def stores_infinity(self) -> bool:
        """Whether infinity is put in an array somewhere."""
        if self._infinite is None:
            self._infinite = store_infinity(project.module.kinds for project in self.projects)
        return self._infinite

    def why_imported(self, project: Project) -> str | None:
        """Why code outside the program may use the names of a module; None where none does."""
        if not self._known and not self.is_joint:
            whole = project.knowledge.whole_program
            self.outsiders = why_imported(project.module, project.root, whole=whole)
            self._known = True
            if self.outsiders is not None and project.outside is not None:
                self.outsiders = project.outside.apart or self.outsiders
        return self.outsiders


__all__ = ["Program"]
