"""All functions of a module together: who calls whom with what, and what each gives back.

Functions are analysed in rounds: first alone, which records the arguments of every call; then with
what the call sites say of their parameters. A function's summary is made when it is first
asked for; recursion sees an unknown result.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gpuport.analysis.explanation.trace import Trace
from gpuport.analysis.functions.callsites import CallSites
from gpuport.analysis.functions.contexts import Contexts
from gpuport.analysis.functions.interest import of_interest
from gpuport.analysis.functions.moduleuses import ModuleUses
from gpuport.analysis.functions.summaries import Analysed, Summary
from gpuport.analysis.interpretation.functions import (
    analyse_top,
    read_as_called,
    values_of_names,
)
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.knowledge.tables import Knowledge
from gpuport.analysis.objects.namedtuples import made_tuples
from gpuport.analysis.objects.settings import Settings, settings_of
from gpuport.analysis.placement.graph import Reason
from gpuport.analysis.project.analyses import Analyses
from gpuport.analysis.project.failures import Budget, Failure, blamed_on, overlong
from gpuport.analysis.project.handed import hide_builtins, take_in
from gpuport.analysis.project.program import Program
from gpuport.analysis.project.remembered import Remembered
from gpuport.analysis.values.lattice import UNKNOWN, Value
from gpuport.source.changedlists import ChangedLists, changed_lists
from gpuport.source.compilers import given_to_compilers
from gpuport.source.decorated import decorated
from gpuport.source.equivalents import Equivalents
from gpuport.source.module import Module
from gpuport.source.names import FunctionNode, Scope, walk_scopes
from gpuport.source.neighbours import Neighbours
from gpuport.source.replacing import replacements
from gpuport.source.scoping import build_scopes

if TYPE_CHECKING:
    from gpuport.analysis.objects.instances import Objects
    from gpuport.analysis.project.outside import Outside

Found = tuple[CallSites, Analyses, frozenset[int], set[str]]


@dataclass(slots=True, eq=False)
class Project:
    """The functions of one module.

    Attributes
    ----------
    module : Module
    knowledge : Knowledge
    suppressed : callable
        Whether a comment excludes a line.
    only : frozenset of int, optional
        Offsets (see :meth:`key`) of the functions to analyse, with those that they call; all
        where it is None.
    outside : Outside, optional
        What the other modules of the project give.
    by_context : bool
        Whether the functions are read for each kind of call, for callers in other modules.
    tracing : bool
        Whether what is learned of each expression is kept, for whoever asks why.
    root : Scope
        The scope of the module.
    given_to_compilers : frozenset of str
        Functions that are handed to another compiler, which has to find them as they are.
    calls : CallSites
        What the calls of each function pass.
    uses : ModuleUses
        How each function uses its parameters.
    contexts : Contexts
        The functions as calls from other modules find them.
    equivalents : Equivalents
        Calls and tuples that stand for others of the text.
    analyses : Analyses
        What was found out of each function.
    on_cupy : frozenset of int
        Ids of functions that are on CuPy already.
    program : Program
        The modules that it is analysed with; it alone where nobody says so.
    remembered : Remembered
        What does not change while the functions are analysed in rounds.
    apart : dict of int to frozenset of str
        Loops that are to read copies of arrays, by their ids, with the names of these.
    withheld : mapping of int to str
        Loops that no kernel can stand for in the text of the port, by their ids, and why.
    failures : mapping of int to Failure
        The functions with which something went wrong, by their keys: they are left as they are.
    budget : Budget
        What the analysis of each function may take.
    """

    module: Module
    knowledge: Knowledge
    suppressed: Callable[[int], bool] = lambda line: False
    only: frozenset[int] | None = None
    outside: Outside | None = None
    by_context: bool = False
    tracing: bool = False
    root: Scope = field(init=False)
    given_to_compilers: frozenset[str] = field(init=False)
    calls: CallSites = field(init=False)
    uses: ModuleUses = field(init=False)
    contexts: Contexts = field(default_factory=Contexts)
    equivalents: Equivalents = field(default_factory=Equivalents)
    analyses: Analyses = field(init=False)
    on_cupy: frozenset[int] = frozenset()
    program: Program = field(init=False)
    remembered: Remembered = field(default_factory=Remembered)
    apart: dict[int, frozenset[str]] = field(default_factory=dict)
    withheld: Mapping[int, str] = field(default_factory=dict)
    failures: Mapping[int, Failure] = field(default_factory=dict)
    budget: Budget = field(default_factory=Budget)
    _settings: Settings | None = None
    _changed: ChangedLists | None = None
    _neighbours: Neighbours = field(default_factory=Neighbours)
    _constants: dict[str, Value] = field(default_factory=dict)
    _scopes: dict[int, Scope] = field(default_factory=dict)
    _trials: dict[int, dict[int, dict[str, Value]]] = field(default_factory=dict)
    _bound: dict[int, frozenset[str]] = field(default_factory=dict)
    _sealed: bool = False
    _suppressed: frozenset[int] = frozenset()
    _followed: frozenset[int] = frozenset()
    _unfollowing: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.calls, self.uses = CallSites(self.tracing), ModuleUses(self)
        self.analyses = Analyses(self)
        self.program = Program((self,))
        self.root = build_scopes(self.module.tree)
        if self.outside is not None:
            take_in(self.root, self.outside, self.module)
        self.root.replaced.update(path for path, _ in replacements(self.root))
        if self.outside is not None:
            self.root.replaced |= self.outside.replaced
        hide_builtins(self.root, self.knowledge.tables.names)
        self._scopes = {id(s.code): s for s in walk_scopes(self.root)}
        self.failures = {**overlong(self, self._scopes.values()), **self.failures}
        compilers = self.knowledge.words.compilers
        self.given_to_compilers = given_to_compilers(self.root, compilers)

    def leave_alone(self, untouched: frozenset[int]) -> None:
        """Say which functions stay as they are and on the host, by their ids."""
        self._suppressed = untouched

    def forget_called(self) -> None:
        """Doubt all but the functions that call nothing and are called by nobody."""
        following = self.program.following
        by_themselves = following is None or following.is_idle
        self.analyses.forget_called(
            followed=self._followed, again=not self.program.is_joint, by_themselves=by_themselves
        )

    def open(self) -> None:
        """Make its names known without analysing its functions."""
        self.calls.forget()
        self._sealed = True
        try:
            self._constants = values_of_names(self)
        finally:
            self._sealed = False

    def release(self) -> None:
        """Let go of what refers to each other, which would wait for the collector of cycles."""
        for scope in list(walk_scopes(self.root)):
            scope.parent = None
        self.analyses.let_go()
        del self.analyses
        for held in (self._scopes, self._trials):
            held.clear()
        self.uses.let_go()
        del self.uses
        self.program.let_go()

    def key(self, scope: Scope) -> int:
        """Offset of a function in the user's file; -1 for the module-level code."""
        if scope is self.root:
            return -1
        return self.module.original(self.module.extent(scope.node)[0])

    def failure(self, scope: Scope) -> Failure | None:
        """What went wrong with a function earlier, so that it is left as it is."""
        return self.failures.get(self.key(scope)) if self.failures else None

    def connected(self, scopes: Collection[Scope]) -> frozenset[int]:
        """Keys of the functions that some functions call or are called by, over any way.

        What is made of one function is evidence for the functions that it calls, and tells the
        functions that call it what it gives: only within such a group can it matter. Names of the
        module-level code may be read by any function.
        """
        if self.root in scopes:
            reached = self._neighbours.all()
        else:
            reached = self._neighbours.reached([id(scope.node) for scope in scopes])
        return frozenset(self.key(self._scopes[one]) for one in reached)

    def look(self, followed: dict[int, Analysed]) -> None:
        """Analyse what is wanted, on what the calls of the round before were seen to pass.

        Parameters
        ----------
        followed : dict
            The functions of the program that handle instances, by their ids: known already.
        """
        self._trials.clear()
        for key in self._followed:
            self.results.pop(key, None)
        self._followed = frozenset(k for k in followed if followed[k].unit.project is self)
        self.results.update((k, one) for k, one in followed.items() if k in self._followed)
        for scope in walk_scopes(self.root):
            wanted = id(scope.node) not in self._followed and self._wanted(scope)
            if wanted and of_interest(self, scope):
                self.analyses.of(scope)
        if self._wanted(self.root) and id(self.module.tree) not in self._followed:
            with blamed_on(self, self.root):
                self.results[id(self.module.tree)] = analyse_top(self)

    def found(self) -> Found:
        """What is found now, to go back to: the calls, the analyses, and what is followed."""
        return copy(self.calls), self.analyses.copied(), self._followed, set(self.root.values)

    def go_back(self, found: Found) -> None:
        """Let what was found earlier stand again."""
        self.calls, self.analyses, self._followed, values = found
        self.root.values.clear()
        self.root.values.update(values)

    def wanted(self, members: Collection[Scope]) -> bool:
        """Whether some of these functions are to be analysed."""
        return any(map(self._wanted, members))

    def _wanted(self, scope: Scope) -> bool:
        return self.only is None or self.key(scope) in self.only

    def unit(
        self, scope: Scope, *, decorated: bool = False, objects: Objects | None = None
    ) -> Unit:
        """What is learned of a function or of the module-level code: nothing yet.

        Parameters
        ----------
        scope : Scope
        decorated : bool
            Whether a boundary would check what the function is given.
        objects : Objects, optional
            The instances that it handles with other functions.
        """
        assert not isinstance(scope.code, ast.ClassDef)
        name = scope.name or "<module>"
        unit = Unit(
            self, self.module, scope, name, scope.code, decorated=decorated, objects=objects
        )
        if self.tracing or objects is not None:
            unit.trace = Trace()
        return unit

    @property
    def results(self) -> dict[int, Analysed]:
        """What was found out of each function, by its id."""
        return self.analyses.results

    # ------------------------------------------------------------------ asked by the interpreter

    @property
    def settings(self) -> Settings:
        """The classes of the module that hold numbers."""
        if self._settings is None:
            self._settings = settings_of(self.root, self.changed.names)
        return self._settings

    def trial(self, unit: Unit) -> dict[int, dict[str, Value]]:
        """What names would be, by the loop, were the parameters what call sites pass."""
        node = unit.node
        if isinstance(node, ast.Module) or not self.calls.of(node) or unit.objects is not None:
            return {}
        if id(node) not in self._trials:
            # Kept before it is filled: what is read asks for it again.
            found = self._trials[id(node)] = {}
            read_as_called(unit, found)
        return self._trials[id(node)]

    @property
    def changed(self) -> ChangedLists:
        """The lists and dicts of the module that are changed after they were made."""
        if self._changed is None:
            self._changed = changed_lists(self.module.kinds)
        return self._changed

    def bound_in(self, node: ast.stmt) -> frozenset[str]:
        """Names that a statement binds."""
        found = self._bound.get(id(node))
        if found is None:
            found = self._bound[id(node)] = self.module.nodes.bound_in(node)
        return found

    def scope_of(self, node: FunctionNode) -> Scope:
        """The scope of a function of the module."""
        return self._scopes[id(node)]

    def defines(self, node: ast.AST) -> bool:
        """Whether a function or class is of the module."""
        return id(node) in self._scopes

    def definition(self, name: str) -> ast.AST | None:
        """The function, class or named tuple at its top that a name stands for and is bound to."""
        if self.root.bound.get(name) != 1 or name in self.root.imports:
            return None
        node = self.root.functions.get(name) or self.root.classes.get(name)
        if node is not None or name not in self.root.choices:
            return node
        return dict(made_tuples(self.root)).get(name, (None,))[0]

    def constant(self, name: str) -> Value:
        """A name that the module binds once, at its top."""
        return self._constants.get(name, UNKNOWN)

    def own_function(self, unit: Unit, name: str) -> FunctionNode | None:
        """The module's function that a name stands for; None for anything else."""
        if unit.scope.owner(name) is not self.root or self.root.bound.get(name) != 1:
            return None
        return None if self._sealed else self.root.functions.get(name)

    def function_called(self, unit: Unit, name: str) -> Summary | None:
        """Summary of the module's function that a name stands for; None for anything else."""
        node = self.own_function(unit, name)
        return None if node is None else self.summary(unit, node)

    def summary(self, unit: Unit, node: FunctionNode) -> Summary:
        """Summary of a function of the module, which another function calls."""
        self.join_neighbours((id(unit.node), id(node)))
        if unit.objects is not None:
            return self.program.placements.ask(self._asked, node)
        return self.analyses.asked(node)

    def _asked(self, node: FunctionNode) -> Summary:
        return self.analyses.asked(node)

    def told_of(self, scope: Scope) -> tuple[dict[str, Value], ...]:
        """All that calls of a function are seen to pass."""
        return *self.calls.evidence(scope.code), self.calls.likely(scope.code)

    @property
    def state(self) -> tuple[object, ...]:
        """What its functions rest on beside answers, where it may change."""
        return self.apart.copy(), self._unfollowing.copy()

    def state_of(self, scope: Scope) -> object:
        """What a function rests on beside the functions that it calls, where it may change."""
        following = self.program.following
        followed = None if following is None else following.state
        return self.told_of(scope), followed, self.program.state, self.root.values.copy()

    def boundary_of(self, scope: Scope) -> str:
        """What a function takes and gives once ported: what its decorator says, or the policy."""
        said = decorated(scope)
        return self.knowledge.boundary if said is None else said.policy

    def follows(self, unit: Unit) -> bool:
        """Whether calls that always give device arrays are followed in a function."""
        return id(unit.node) not in self._unfollowing

    def gives_up_following(self, unit: Unit) -> bool:
        """Whether a function can do without following calls that always give device arrays."""
        if not unit.calls.ported or not self.follows(unit):
            return False
        self._unfollowing.add(id(unit.node))
        return True

    @property
    def why_imported(self) -> str | None:
        """Why code that is not analysed with the module may use its names; None where none may."""
        return self.program.why_imported(self)

    @property
    def opened_classes(self) -> dict[str, Reason]:
        """Classes of which not every use is seen, and where it is not."""
        following = self.program.following
        return {} if following is None else following.opened_in(self)

    @property
    def members(self) -> list[Unit]:
        """The functions that handle instances of followed classes, moved or not."""
        following = self.program.following
        return [] if following is None else [u for u in following.settled if u.project is self]

    @property
    def beside_cupy(self) -> frozenset[int]:
        """Ids of functions whose objects are on CuPy already: the port of a class is whole."""
        following = self.program.following
        if following is None:
            return frozenset()
        return frozenset(key for key in following.frozen if key in self._scopes)

    @property
    def suppressed_functions(self) -> frozenset[int]:
        """Ids of the functions that a comment leaves as they are."""
        return self._suppressed

    def every_scope(self) -> Iterator[Scope]:
        """The module's own scope and all that are inside it."""
        return walk_scopes(self.root)

    def inner_scopes(self) -> list[Scope]:
        """All scopes but the module's own."""
        return [scope for scope in walk_scopes(self.root) if scope is not self.root]

    def join_neighbours(self, members: Collection[int]) -> None:
        """What is made of one of these functions matters to all of them."""
        self._neighbours.join([member for member in members if member in self._scopes])
