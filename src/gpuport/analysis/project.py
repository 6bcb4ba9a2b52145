"""All functions of a module together: who calls whom with what, and what each gives back.

Functions are analysed twice: first alone, which records the arguments of every call; then with
what the call sites say of their parameters. A function's summary is made when it is first
asked for; recursion sees an unknown result.
"""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from gpuport.analysis import statements
from gpuport.analysis.bounces import without_bounces
from gpuport.analysis.calls import Argument, has_star
from gpuport.analysis.contexts import Contexts
from gpuport.analysis.copies import share
from gpuport.analysis.drivers import is_driver, only_arithmetic
from gpuport.analysis.evidence import (
    ASSUMED,
    Takes,
    Uses,
    annotated,
    open_uses,
    parameter_values,
)
from gpuport.analysis.facts import likely
from gpuport.analysis.graph import Node, Place, Reason
from gpuport.analysis.interest import (
    given_to_compilers,
    joins_array_work,
    mentions_arrays,
    why_not,
)
from gpuport.analysis.knowledge import Knowledge
from gpuport.analysis.modulelevel import is_simple, pin_shared
from gpuport.analysis.nests import Compiled
from gpuport.analysis.numpynames import positional_name
from gpuport.analysis.placement import Placement, Unplaceable, place
from gpuport.analysis.settings import Settings, annotated_setting, settings_of
from gpuport.analysis.summaries import (
    Analysed,
    Summary,
    has_device_parameter,
    parameter_names,
    summarise,
)
from gpuport.analysis.trace import CallSite, Trace
from gpuport.analysis.unit import Flow, Refused, Unit
from gpuport.analysis.values import (
    UNKNOWN,
    Array,
    Either,
    Instance,
    Mapping,
    Number,
    Scalar,
    Sequence,
    Tuple,
    Unknown,
    Value,
    elements,
    has_unknown,
    is_arraylike,
    is_container,
    join,
    lasting,
    objects_in,
    on_device_possible,
)
from gpuport.source.module import Module
from gpuport.source.names import FunctionNode, Scope, build_scopes, walk_scopes
from gpuport.source.syntax import bound_in, walk

if TYPE_CHECKING:
    from gpuport.analysis.following import Following
    from gpuport.analysis.objects import Objects
    from gpuport.analysis.outside import Outside

_NAMED_TUPLES = frozenset({"collections.namedtuple", "typing.NamedTuple"})

_MOST_PASSES = 4
"""Passes with evidence of call sites, after the first without."""


def name_of_item(place: int) -> str:
    """What the items of the lists that ``map`` goes over are called: no name of Python's."""
    return f"<item {place}>"


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
    """

    module: Module
    knowledge: Knowledge
    suppressed: Callable[[int], bool] = lambda line: False
    only: frozenset[int] | None = None
    outside: Outside | None = None
    by_context: bool = False
    contexts: Contexts = field(init=False)
    root: Scope = field(init=False)
    given_to_compilers: frozenset[str] = field(init=False)
    results: dict[int, Analysed] = field(default_factory=dict)
    _summaries: dict[int, Summary | None] = field(default_factory=dict)
    _active: set[int] = field(default_factory=set)
    _calls: dict[int, dict[str, Value]] = field(default_factory=dict)
    _settings: Settings | None = None
    _neighbours: dict[int, set[int]] = field(default_factory=dict)
    _globals: dict[str, Value] = field(default_factory=dict)
    _doubtful: dict[int, set[str]] = field(default_factory=dict)
    _doubts: dict[int, set[str]] = field(default_factory=dict)
    _uses: dict[int, Uses] = field(default_factory=dict)
    _scopes: dict[int, Scope] = field(default_factory=dict)
    _evidence: dict[int, dict[str, Value]] = field(default_factory=dict)
    compiled: Compiled = field(default_factory=Compiled)
    batchable: dict[int, frozenset[str]] = field(default_factory=dict)
    vectorisable: dict[int, bool] = field(default_factory=dict)
    vectorised: dict[str, str] = field(default_factory=dict)
    class_numbers: dict[int, dict[str, Scalar]] = field(default_factory=dict)
    _mapped: dict[int, ast.Call] = field(default_factory=dict)
    _shortened: dict[int, ast.Tuple] = field(default_factory=dict)
    stackable: dict[tuple[int, str], bool] = field(default_factory=dict)
    _trials: dict[int, dict[int, dict[str, Value]]] = field(default_factory=dict)
    _bound: dict[int, frozenset[str]] = field(default_factory=dict)
    _works: dict[int, bool] = field(default_factory=dict)
    _sealed: bool = False
    tracing: bool = False
    call_sites: dict[tuple[int, str], dict[int, CallSite]] = field(default_factory=dict)
    _suppressed: frozenset[int] = frozenset()
    on_cupy: frozenset[int] = frozenset()
    following: Following | None = None
    _followed: frozenset[int] = frozenset()
    _unfollowing: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.contexts = Contexts()
        self.root = build_scopes(self.module.tree)
        self._scopes = {id(s.node): s for s in walk_scopes(self.root)}
        compilers = self.knowledge.words.compilers
        self.given_to_compilers = given_to_compilers(self.root, compilers)

    def analyse(self, untouched: frozenset[int] = frozenset()) -> dict[int, Analysed]:
        """Analyse every function and the module-level code.

        Parameters
        ----------
        untouched : frozenset of int
            Ids of functions that stay as they are and on the host (suppressed ones). Functions
            that are on CuPy already are read as the NumPy that they were.

        Returns
        -------
        dict
            Id of the function node (or of the tree) to its analysis.
        """
        self._suppressed = untouched
        self._globals = self._global_values()
        results = self._all()
        evidence: dict[int, dict[str, Value]] = {}
        for _ in range(_MOST_PASSES):
            if self._calls == evidence:
                break
            evidence, self._calls = self._calls, {}
            doubtful, self._doubtful = self._doubtful, {}
            self._summaries.clear()
            # What calls nothing and is called by nobody is as it was.
            self.results = {
                key: one for key, one in self.results.items()
                if key not in evidence and not one.unit.calls_project
            }  # fmt: skip
            results = self._all(evidence, doubtful)
        return results

    def open(self) -> None:
        """Make its names known without analysing its functions."""
        self._globals = self._global_values()

    def release(self) -> None:
        """Let go of what refers to each other, which would wait for the collector of cycles."""
        for scope in list(walk_scopes(self.root)):
            scope.parent = None
        for held in (self.results, self._summaries, self._uses, self._scopes, self._trials):
            held.clear()
        self.following = None

    def key(self, scope: Scope) -> int:
        """Offset of a function in the user's file; -1 for the module-level code."""
        if scope is self.root:
            return -1
        return self.module.original(self.module.extent(scope.node)[0])

    def connected(self, scopes: Collection[Scope]) -> frozenset[int]:
        """Keys of the functions that some functions call or are called by, over any way.

        What is made of one function is evidence for the functions that it calls, and tells the
        functions that call it what it gives: only within such a group can it matter. Names of the
        module-level code may be read by any function.
        """
        reached: set[int] = set()
        pending = [id(scope.node) for scope in scopes if id(scope.node) in self._neighbours]
        if self.root in scopes:
            pending = list(self._neighbours)
        while pending:
            node = pending.pop()
            if node not in reached:
                reached.add(node)
                pending.extend(self._neighbours[node])
        return frozenset(self.key(self._scopes[node]) for node in reached)

    def _all(
        self,
        evidence: dict[int, dict[str, Value]] | None = None,
        doubtful: dict[int, set[str]] | None = None,
    ) -> dict[int, Analysed]:
        self._evidence, self._doubts = evidence or {}, doubtful or {}
        self._trials.clear()
        for key in self._followed:
            self.results.pop(key, None)
        followed = self._follow()
        self.results.update(followed)
        self._followed = frozenset(followed)
        for scope in walk_scopes(self.root):
            wanted = id(scope.node) not in followed and self._wanted(scope)
            if wanted and self._of_interest(scope):
                self._analysed(scope)
        if self._wanted(self.root) and id(self.module.tree) not in followed:
            self.results[id(self.module.tree)] = self._module_unit()
        return self.results

    def _follow(self) -> dict[int, Analysed]:
        """The functions that handle instances of the module's classes, placed together."""
        if self.following is None:
            from gpuport.analysis.following import Following

            self.following = Following.of(self)
        return self.following.place() if self.following.classes else {}

    def wanted(self, members: Collection[Scope]) -> bool:
        """Whether some of these functions are to be analysed."""
        return any(map(self._wanted, members))

    def _wanted(self, scope: Scope) -> bool:
        return self.only is None or self.key(scope) in self.only

    def _of_interest(self, scope: Scope) -> bool:
        """Whether a function mentions NumPy, has array annotations, or is given arrays.

        Others are analysed when a function of interest calls them.
        """
        node = scope.node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            return False
        if any(map(on_device_possible, self._evidence.get(id(node), {}).values())):
            return True
        if self.knowledge.boundary != "match" and self._calls_own(scope):
            return True
        args = node.args
        every = (*args.posonlyargs, *args.args, *args.kwonlyargs)
        if any(on_device_possible(annotated(a)) for a in every if a.annotation is not None):
            return True
        return (
            mentions_arrays(scope)
            or (
                bool(scope.counted)
                and any(use.element for use in self.uses_of(scope, node).found.values())
            )
            or joins_array_work(scope, self._works_with_arrays)
        )

    def _works_with_arrays(self, scope: Scope, function: ast.expr) -> bool:
        """Whether a call is of a function that works with arrays, here or in another module."""
        path = scope.resolve(function)
        if path is not None:
            return self.outside is not None and self.outside.is_ported(path)
        if not isinstance(function, ast.Name) or scope.owner(function.id) is not self.root:
            return False
        node = self.root.functions.get(function.id)
        if node is None:
            return False
        known = self._works.get(id(node))
        if known is None:
            self._works[id(node)] = False  # what only calls itself works with nothing
            inner = self._scopes[id(node)]
            known = mentions_arrays(inner) or joins_array_work(inner, self._works_with_arrays)
            self._works[id(node)] = known
        return known

    def _calls_own(self, scope: Scope) -> bool:
        """Whether it calls functions of the module, which may give it device arrays."""
        return any(
            isinstance(call.func, ast.Name) and call.func.id in self.root.functions
            for call in scope.calls
        )

    # ------------------------------------------------------------------ one function

    def _analysed(self, scope: Scope) -> Analysed:
        found = self.results.get(id(scope.node))
        if found is not None:
            return found
        self._active.add(id(scope.node))
        try:
            result = self._analyse_function(scope)
        finally:
            self._active.discard(id(scope.node))
        self.results[id(scope.node)] = result
        return result

    def _analyse_function(self, scope: Scope) -> Analysed:
        reason = why_not(self, scope)
        if reason is not None:
            unit = self._unit(scope, decorated=True)
            unit.refusal = reason
            return Analysed(unit, Placement(frozenset()))
        if not self._may_take_arrays(scope):
            return self._interpret(self._unit(scope, decorated=False))
        analysed = self._interpret(self._unit(scope, decorated=True))
        if only_arithmetic(analysed):
            # Nothing says that its numbers are arrays: it is left as it is.
            analysed.unit.operations.clear()
            return Analysed(analysed.unit, Placement(frozenset()))
        if analysed.unit.refusal is None and not has_device_parameter(analysed):
            analysed = self._without_arrays(scope, analysed)
        return analysed

    def _may_take_arrays(self, scope: Scope) -> bool:
        """Whether a parameter may hold an array, or nothing is known of it but arithmetic."""
        node = scope.node
        assert isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        values = parameter_values(
            scope, node, self._evidence.get(id(node), {}), self.uses_of(scope, node)
        )
        return any(on_device_possible(v) or v == ASSUMED for v in values.values())

    def evidence_of(self, node: FunctionNode) -> dict[str, Value]:
        """What the calls of a function pass, joined, by parameter."""
        return self._evidence.get(id(node), {})

    def uses_of(self, scope: Scope, node: FunctionNode) -> Uses:
        """How the parameters of a function are used in its body."""
        uses = self._uses.get(id(node))
        if uses is None:
            # Kept before it is filled: a function that calls itself asks for it again.
            uses = self._uses[id(node)] = open_uses(scope, node, self._takes, self._called)
            for statement in node.body if uses.names else ():
                uses.collect(statement)
        return uses

    def _called(self, scope: Scope, function: ast.expr) -> tuple[FunctionNode, Uses] | None:
        """The function of the project that a call in a scope means, with its own uses."""
        path = scope.resolve(function)
        found = None if path is None or self.outside is None else self.outside.function(path)
        if found is not None:
            around = found.project.scope_of(found.node)
            return found.node, found.project.uses_of(around, found.node)
        name = function.id if isinstance(function, ast.Name) and path is None else ""
        node = self.root.functions.get(name)
        if node is None or self.root.bound.get(name) != 1 or scope.owner(name) is not self.root:
            return None
        return node, self.uses_of(self._scopes[id(node)], node)

    def _without_arrays(self, scope: Scope, analysed: Analysed) -> Analysed:
        """A function of whose parameters none goes to the device."""
        driver = is_driver(analysed) and not analysed.unit.initial
        if not driver and not analysed.placement.device:
            return analysed  # without a boundary there is more that stays on the host, not less
        unit = self._unit(scope, decorated=False)
        return self._interpret(unit, numbers=driver)

    def _unit(self, scope: Scope, *, decorated: bool) -> Unit:
        assert isinstance(scope.node, (ast.FunctionDef, ast.AsyncFunctionDef))
        unit = Unit(self, self.module, scope, scope.name, scope.node, decorated=decorated)
        if self.tracing:
            unit.trace = Trace()
        return unit

    def _interpret(self, unit: Unit, *, numbers: bool = True) -> Analysed:
        assert isinstance(unit.node, (ast.FunctionDef, ast.AsyncFunctionDef))
        self._enter(unit, unit.node, numbers)
        try:
            statements.run(unit, unit.node.body)
            _settle_elements(unit)
            unit.settle_lent()
            share(unit)
            placement = without_bounces([unit], unit.graph, place(unit.graph))
        except Refused as refused:
            unit.refusal = refused.reason
            return Analysed(unit, Placement(frozenset()))
        except Unplaceable:
            if self._gives_up_following(unit):
                again = self._unit(unit.scope, decorated=unit.decorated)
                return self._interpret(again, numbers=numbers)
            unit.refusal = _contradiction(unit)
            return Analysed(unit, Placement(frozenset()))
        views = unit.returned_views
        if views is not None and unit.decorated:
            on_device = any(
                placement.of(unit.parameters[p]) is Place.DEVICE
                for p in unit.returned_parameters
                if p in unit.parameters
            )
            if on_device:
                unit.refusal = views
                return Analysed(unit, Placement(frozenset()))
        return Analysed(unit, placement)

    @property
    def settings(self) -> Settings:
        """The classes of the module that hold numbers."""
        if self._settings is None:
            self._settings = settings_of(self.root)
        return self._settings

    def _annotated_setting(self, annotation: ast.expr | None) -> Instance | None:
        """What an annotation says that names a class of numbers, of this module or another."""
        named = annotated_setting(annotation, self.settings)
        if named is not None or annotation is None or self.outside is None:
            return named
        if isinstance(annotation, ast.Constant) and str(annotation.value).isidentifier():
            annotation = ast.Name(str(annotation.value), ast.Load())
        path = self.root.resolve(annotation)
        return Instance(path) if path is not None and self.outside.fields(path) else None

    def makes_setting(self, unit: Unit, name: str) -> bool:
        """Whether a call of a name makes an object that holds numbers."""
        return name not in unit.env and bool(
            self.root.classes and unit.scope.owner(name) is self.root and self.settings.get(name)
        )

    def makes_named_tuple(self, unit: Unit, node: ast.Call) -> bool:
        """Whether a call makes a named tuple of the module of the values that it lists."""
        if not isinstance(node.func, ast.Name) or has_star(node):
            return False
        name, root = node.func.id, self.root
        if name in unit.env or unit.scope.owner(name) is not root or root.bound.get(name) != 1:
            return False
        made, defined = root.choices.get(name), root.classes.get(name)
        if defined is not None:
            plain = not defined.decorator_list and not defined.keywords
            return plain and [root.resolve(b) for b in defined.bases] == ["typing.NamedTuple"]
        return isinstance(made, ast.Call) and root.resolve(made.func) in _NAMED_TUPLES

    def enter(self, unit: Unit, node: FunctionNode) -> None:
        """Bind the parameters of a function to what is known of them."""
        self._enter(unit, node, numbers=True)

    def _enter(self, unit: Unit, node: FunctionNode, numbers: bool) -> None:
        seen = self._evidence.get(id(node), {})
        arrays = {name for name, value in seen.items() if on_device_possible(value)}
        doubtful = self._doubts.get(id(node), set())
        if not unit.decorated:  # nothing checks what call sites leave open
            seen = {name: value for name, value in seen.items() if name not in doubtful}
        uses = self.uses_of(unit.scope, node)
        asked = self.settings or self.outside is not None
        args = [a for a in ast.walk(node.args) if isinstance(a, ast.arg)] if asked else []
        annotations = {a.arg: a.annotation for a in args}
        for name, value in parameter_values(unit.scope, node, seen, uses).items():
            if not on_device_possible(value) and annotations.get(name) is not None:
                value = self._annotated_setting(annotations[name]) or value
            if value == ASSUMED and (not numbers or (not unit.decorated and name in arrays)):
                value = Unknown(f"`{name}`")
            elif value == ASSUMED:
                unit.assumed.add(name)
            elif not unit.decorated and isinstance(value, Array) and value.matrices:
                value = replace(value, matrices=frozenset())
            elif not unit.decorated and isinstance(value, Either):
                value = replace(value, sources=frozenset())  # no boundary would check it
            if isinstance(value, Unknown):
                unit.unknown_parameters.add(name)
                if name in uses.found and uses.found[name].may_be_array:
                    unit.host_parameters.add(name)
            if not on_device_possible(value):
                unit.env[name] = Flow(value)
                continue
            group = unit.graph.node(name)
            group.parameters.add(name)
            unit.parameters[name] = group
            if is_container(value):
                held = elements(value)
                group.contents = held
            unit.env[name] = Flow(value, group)
            unit.initial[name] = value
            if not unit.decorated:
                unit.graph.pin(group, Reason("GP407", f"`{name}` comes from the host", node))

    def _takes(self, path: str, position: int | None, keyword: str | None) -> Takes:
        """What a NumPy call takes by a position or keyword."""
        words, tables = self.knowledge.words, self.knowledge.tables
        rules = self.knowledge.rules
        if rules.host(path) is not None and rules.swap(path, unsafe=self.knowledge.unsafe) is None:
            return Takes.ANYTHING
        name = keyword
        entry = tables.entry(path)
        if entry is None:
            return Takes.ANYTHING
        if name is None and entry.parameters and position is not None:
            name = positional_name(entry.parameters, position)
        if entry.kind == "ufunc":
            return Takes.ELEMENTS
        if name in words.host_parameters or name in words.number_parameters:
            return Takes.NUMBER
        if name is None or path in words.takes_lists:
            return Takes.EITHER
        takes = self.knowledge.takes
        needs_array = takes(path, name, "array") and not takes(path, name, "float")
        return Takes.ARRAY if needs_array else Takes.EITHER

    # ------------------------------------------------------------------ module level

    def _global_values(self) -> dict[str, Value]:
        unit = Unit(self, self.module, self.root, "<module>", self.module.tree, decorated=False)
        self._evidence = {}
        self._sealed = True
        try:
            statements.run(unit, [s for s in self.module.tree.body if is_simple(s)])
        except Refused:
            return {}
        finally:
            self._sealed = False
        return {
            name: flow.value
            for name, flow in unit.env.items()
            if self.root.bound.get(name) == 1 and name not in self.root.imports
        }

    def _module_unit(self) -> Analysed:
        unit = self.member_unit(self.root, None)
        try:
            statements.run(unit, self.module.tree.body)
            _settle_elements(unit)
            unit.settle_lent()
            pin_shared(self.root, unit)
            share(unit)
            return Analysed(unit, without_bounces([unit], unit.graph, place(unit.graph)))
        except Refused as refused:
            unit.refusal = refused.reason
        except Unplaceable:
            if self._gives_up_following(unit):
                return self._module_unit()
            unit.refusal = _contradiction(unit)
        return Analysed(unit, Placement(frozenset()))

    def _gives_up_following(self, unit: Unit) -> bool:
        """Whether a function can do without following calls that always give device arrays."""
        if not unit.followed_calls or id(unit.node) in self._unfollowing:
            return False
        self._unfollowing.add(id(unit.node))
        return True

    # ------------------------------------------------------------------ asked by the interpreter

    def trial(self, unit: Unit) -> dict[int, dict[str, Value]]:
        """What names would be, by the loop, were the parameters what call sites pass.

        Call sites are likely, not certain: what is built on them is guarded at run time.
        """
        node = unit.node
        seen = self._evidence.get(id(node), {})
        function = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        if not function or not seen or unit.objects is not None:
            return {}
        assert not isinstance(node, ast.Module)
        if id(node) not in self._trials:
            trial = self._unit(unit.scope, decorated=unit.decorated)
            trial.trace = None
            trial.trial = self._trials[id(node)] = {}
            self._enter(trial, node, numbers=True)
            for name, flow in trial.env.items():
                trial.env[name] = replace(flow, value=likely(flow.value, seen.get(name)))
            with contextlib.suppress(Refused):
                statements.run(trial, node.body)
        return self._trials[id(node)]

    def seen_arguments(self, unit: Unit) -> dict[str, Value]:
        """What call sites pass to a function, by its parameters."""
        return self._evidence.get(id(unit.node), {})

    def call_of_each(self, node: ast.Call) -> ast.Call:
        """The call that ``map(function, items, ...)`` makes for each item, called ``<item>``."""
        found = self._mapped.get(id(node))
        if found is None:
            items: list[ast.expr] = [
                ast.copy_location(ast.Name(name_of_item(k), ast.Load()), one)
                for k, one in enumerate(node.args[1:])
            ]
            found = ast.copy_location(ast.Call(node.args[0], items, []), node)
            self._mapped[id(node)] = found
        return found

    def as_map(self, node: ast.Call) -> ast.Call | None:
        """``starmap(function, zip(a, b))`` as ``map(function, a, b)``: always the same node."""
        pairs = node.args[1] if len(node.args) == 2 and not node.keywords else None
        if not isinstance(pairs, ast.Call) or getattr(pairs.func, "id", "") != "zip":
            return None
        if pairs.keywords or not pairs.args or any(isinstance(a, ast.Starred) for a in pairs.args):
            return None
        found = self._mapped.get(id(node))
        if found is None:
            name = ast.copy_location(ast.Name("map", ast.Load()), node.func)
            made = ast.Call(name, [node.args[0], *pairs.args], [])
            found = self._mapped[id(node)] = ast.copy_location(made, node)
        return found

    def without_rest(self, target: ast.Tuple | ast.List) -> ast.Tuple:
        """The target ``a, *_`` without what it is starred for: always the same node."""
        found = self._shortened.get(id(target))
        if found is None:
            kept = [e for e in target.elts if not isinstance(e, ast.Starred)]
            found = ast.copy_location(ast.Tuple(kept, ast.Store()), target)
            self._shortened[id(target)] = found
        return found

    def bound_in(self, node: ast.stmt) -> frozenset[str]:
        """Names that a statement binds."""
        found = self._bound.get(id(node))
        if found is None:
            found = self._bound[id(node)] = bound_in(node)
        return found

    def scope_of(self, node: FunctionNode) -> Scope:
        """The scope of a function of the module."""
        return self._scopes[id(node)]

    def constant(self, name: str) -> Value:
        """A name that the module binds once, at its top."""
        return self._globals.get(name, UNKNOWN)

    def global_value(self, unit: Unit, name: str) -> Flow:
        """A name that is no local: a function, a module-level constant, or unknown."""
        owner = unit.scope.owner(name)
        if owner is self.root and name in self.root.functions and self.root.bound.get(name) == 1:
            return Flow(Scalar("callable"))
        if owner is not self.root or unit.scope is self.root:
            return Flow(Unknown(f"`{name}`"))
        return module_name(unit, name, self._globals.get(name, UNKNOWN))

    def imported(self, unit: Unit, path: str) -> Flow:
        """A name of another module that is no function of a library."""
        value = self.outside.constant(path) if self.outside is not None else UNKNOWN
        return Flow(value) if value == UNKNOWN else module_name(unit, path, value)

    def fields_of(self, name: str) -> dict[str, Scalar]:
        """Fields of a class, of this module or another one, that are numbers."""
        if name in self.settings or self.outside is None or "." not in name:
            return self.settings.get(name, {})
        return self.outside.fields(name)

    def own_function(self, unit: Unit, name: str) -> FunctionNode | None:
        """The module's function that a name stands for; None for anything else."""
        if unit.scope.owner(name) is not self.root or self.root.bound.get(name) != 1:
            return None
        return None if self._sealed else self.root.functions.get(name)

    def function_called(self, unit: Unit, name: str) -> Summary | None:
        """Summary of the module's function that a name stands for; None for anything else."""
        node = self.own_function(unit, name)
        if node is None:
            return None
        key = id(node)
        self._neighbours.setdefault(key, set()).add(id(unit.node))
        self._neighbours.setdefault(id(unit.node), set()).add(key)
        if key not in self._summaries:
            if key in self._active:
                return Summary(False, 0.0, parameter_names(node), escaped=frozenset(
                    parameter_names(node)))  # fmt: skip
            self._summaries[key] = summarise(
                self._analysed(self._scopes[key]), node, suppressed=key in self._suppressed,
                boundary=self.boundary_of(self._scopes[key]),
            )  # fmt: skip
        return self._summaries[key]

    def boundary_of(self, scope: Scope) -> str:
        """What a function takes and gives once ported: what its decorator says, or the policy."""
        decorators = getattr(scope.node, "decorator_list", ())
        for decorator in decorators if scope.parent is not None else ():
            head = decorator.func if isinstance(decorator, ast.Call) else decorator
            if scope.parent.resolve(head) == "gpuport.runtime.device":  # type: ignore[union-attr]
                given = decorator.keywords if isinstance(decorator, ast.Call) else []
                said = [k.value.value for k in given
                        if k.arg == "boundary" and isinstance(k.value, ast.Constant)]  # fmt: skip
                return str(said[0]) if said else "match"
        return self.knowledge.boundary

    def follows(self, unit: Unit) -> bool:
        """Whether calls that always give device arrays are followed in a function."""
        return id(unit.node) not in self._unfollowing

    def record_call(self, unit: Unit, name: str, node: ast.Call, args: list[Argument]) -> None:
        """Remember with what a function is called."""
        if unit.trial is not None:
            return
        function = self.root.functions[name]
        names = Summary(False, 0.0, parameter_names(function)).names(args)
        unit.calls_project = True
        seen = self._calls.setdefault(id(function), {})
        doubtful = self._doubtful.setdefault(id(function), set())
        for argument, parameter in zip(args, names, strict=True):
            if parameter is None:
                continue
            if self.tracing:
                sites = self.call_sites.setdefault((id(function), parameter), {})
                sites[id(node)] = CallSite(node, argument.flow.value)
            value = lasting(argument.flow.value, reasons=True)
            if argument.flow.element:
                doubtful.add(parameter)
                value = Scalar()
            if has_unknown(value):
                doubtful.add(parameter)
            if parameter in seen and not isinstance(value, Unknown):
                value = _evidence_of(seen[parameter], value)
            if isinstance(value, Unknown):
                # Call sites are likely, not certain: the boundary, where there is one, checks.
                doubtful.add(parameter)
            else:
                seen[parameter] = value

    def member_unit(self, scope: Scope, objects: Objects | None) -> Unit:
        """A unit without a boundary, of a function among others or of the module-level code."""
        assert not isinstance(scope.node, (ast.ClassDef, ast.Lambda))
        unit = Unit(
            self, self.module, scope, scope.name or "<module>", scope.node, decorated=False,
            objects=objects,
        )  # fmt: skip
        if self.tracing:
            unit.trace = Trace()
        return unit

    def calls_so_far(self) -> tuple[dict[int, dict[str, Value]], dict[int, set[str]]]:
        """What is remembered of calls, to go back to with `forget_calls`."""
        calls = {key: dict(seen) for key, seen in self._calls.items()}
        return calls, {key: set(names) for key, names in self._doubtful.items()}

    def forget_calls(self, before: tuple[dict[int, dict[str, Value]], dict[int, set[str]]]) -> None:
        """Go back to what was remembered of calls: what was seen since is seen again."""
        self._calls, self._doubtful = before

    @property
    def opened_classes(self) -> dict[str, Reason]:
        """Classes of which not every use is seen, and where it is not."""
        return self.following.opened if self.following is not None else {}

    @property
    def members(self) -> list[Unit]:
        """The functions that handle instances of followed classes, moved or not."""
        return self.following.settled if self.following is not None else []

    @property
    def beside_cupy(self) -> frozenset[int]:
        """Ids of functions whose objects are on CuPy already: the port of a class is whole."""
        return self.following.frozen if self.following is not None else frozenset()

    @property
    def suppressed_functions(self) -> frozenset[int]:
        """Ids of the functions that a comment leaves as they are."""
        return self._suppressed

    def inner_scopes(self) -> list[Scope]:
        """All scopes but the module's own."""
        return [scope for scope in walk_scopes(self.root) if scope is not self.root]

    def join_neighbours(self, members: Collection[int]) -> None:
        """What is made of one of these functions matters to all of them."""
        for member in members:
            self._neighbours.setdefault(member, set()).update(members)

    def settle_elements(self, unit: Unit) -> None:
        """Decide on the elements that a unit keeps, once it is known what is written."""
        _settle_elements(unit)

    def note_result(self, unit: Unit, node: ast.Call, operation: Node) -> None:
        """A call of a project function whose result has a place."""
        unit.nodes["project", id(node)] = operation

    def capture(self, unit: Unit, node: ast.AST) -> None:
        """Names that inner functions, lambdas and generators read stay on the host."""
        for inner in walk(node):
            if isinstance(inner, ast.Name) and inner.id in unit.env:
                flow = unit.env[inner.id]
                if unit.objects is not None:
                    why = f"`{inner.id}` is used by code that runs later"
                    for owner in objects_in(flow.value):
                        unit.objects.open(owner, inner, why)
                if flow.origin is not None and on_device_possible(flow.value):
                    line = self.module.line(inner)
                    unit.pin(
                        flow.origin,
                        "GP909",
                        f"`{inner.id}` is used by code that runs later, on line {line}",
                        inner,
                        "unsupported-syntax",
                    )


def module_name(unit: Unit, name: str, value: Value) -> Flow:
    """A name of a module as its functions read it: arrays are NumPy's, lists anybody's."""
    if is_container(value) and (on_device_possible(value) or elements(value) in (None, UNKNOWN)):
        return Flow(Unknown(f"`{name}`"))
    if is_arraylike(value):
        return Flow(value, None if isinstance(value, Number) else unit.host)
    plain = isinstance(value, (Scalar, Sequence, Tuple, Mapping))
    return Flow(value if plain else Unknown(f"`{name}`"))


def _evidence_of(seen: Value, value: Value) -> Value:
    """What two calls say; one of whose container nothing is known says nothing."""
    if has_unknown(seen) and not has_unknown(value):
        return value
    if has_unknown(value) and not has_unknown(seen):
        return seen
    return join(seen, value)


def _contradiction(unit: Unit) -> Reason:
    pinned = [n.pinned for n in unit.graph.nodes if n.pinned is not None and n.pinned.slug]
    if pinned:
        return pinned[0]
    return Reason(
        "GP901",
        "unknown type: a container of arrays is needed on the device and on the host",
        unit.node,
        "unknown-type",
    )


def _settle_elements(unit: Unit) -> None:
    """Elements and views that are not sure to be any: harmless unless their array is written."""
    if unit.reshaped:
        from gpuport.analysis.orders import settle

        settle(unit)
    for (kind, _), rewrite in list(unit.rewrites.items()):
        if kind == "shared" and rewrite.graph_node.root().mutated:
            unit.pin(
                rewrite.graph_node,
                "GP907",
                "may alias: an element of the array is kept here and the array is changed; NumPy "
                "copies elements, CuPy does not",
                rewrite.node,
                "may-alias",
                help="copy the element: `x[i].copy()`",
            )
