"""Chains of elementwise operations on the device: what may run as one kernel.

A chain is a run of consecutive assignments, the last of which may be a ``return``. What they
read is known, or likely, to be arrays of certain dtypes and numbers of certain types; a guard at
run time holds them to it, so that a likely type is as good as a certain one.
"""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from gpuport._data import rules_folder
from gpuport.analysis import statements
from gpuport.analysis.graph import Place, Use
from gpuport.analysis.nests import facts_of, launches_kernel, likely
from gpuport.analysis.summaries import Analysed
from gpuport.analysis.trace import Trace
from gpuport.analysis.unit import Refused, Unit
from gpuport.analysis.values import (
    Array,
    Either,
    Number,
    Scalar,
    Value,
    is_arraylike,
)

if TYPE_CHECKING:
    from gpuport.analysis.project import Project
    from gpuport.loops.elementwise import ElementwiseKernel
    from gpuport.loops.records import Fact
    from gpuport.source.names import Scope

_NUMBERS = ("int", "float", "bool")
_RAISING = (ast.Div, ast.FloorDiv, ast.Mod, ast.Pow)
_ARITHMETIC = (
    ast.BinOp, ast.UnaryOp, ast.Constant, ast.Name, ast.Load, ast.Add, ast.Sub, ast.Mult, ast.USub,
)  # fmt: skip
_SMALL = 2**24
_PURE = frozenset({"len", "max", "min", "abs", "float", "int", "round"})


@dataclass(frozen=True, slots=True)
class Input:
    """What a kernel is passed.

    Attributes
    ----------
    name : str
        What the kernel's statements call it.
    expression : ast.expr
        What the launch passes: the user's own expression.
    held : str
        Text of what the guard looks at: the name behind a view.
    kind : str
        As the runtime's guard has it: a dtype for an array, or what the number may be. Empty for
        a number that is computed from guarded ones.
    array : bool
    """

    name: str
    expression: ast.expr
    held: str
    kind: str
    array: bool


@dataclass(frozen=True, slots=True)
class Chain:
    """Statements that one kernel can replace.

    Attributes
    ----------
    statements : tuple of ast.stmt
        Consecutive ones of a block.
    name : str
        The kernel object's.
    kernel : ElementwiseKernel
    inputs : tuple of Input
        In the order of the kernel's parameters.
    guarded : tuple of (str, str)
        Kind and text of what the launch is guarded by.
    written : tuple of str
        Arrays that are changed in place.
    made : tuple of str
        Names that the launch gives, in order.
    returns : bool
        Whether the last statement returns them.
    same_shape : tuple of str
        Arrays that must have one shape, where outputs are made of different ones.
    launches : int
        Those that the kernel replaces.
    """

    statements: tuple[ast.stmt, ...]
    name: str
    kernel: ElementwiseKernel
    inputs: tuple[Input, ...]
    guarded: tuple[tuple[str, str], ...]
    written: tuple[str, ...]
    made: tuple[str, ...]
    returns: bool
    same_shape: tuple[str, ...]
    launches: int


@cache
def rules() -> Mapping[str, Any]:
    """The data of ``rules/fusion.yaml``, read once."""
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    text = (rules_folder() / "fusion.yaml").read_text(encoding="utf-8")
    found: Mapping[str, Any] = yaml.load(text, Loader=loader)
    return found


def chains(analysed: Analysed) -> tuple[Chain, ...]:
    """The chains of a function that are worth a kernel, in source order."""
    unit = analysed.unit
    if unit.refusal is not None or not analysed.placement.device or unit.objects is not None:
        return ()
    if not _enough(analysed) or not _typed(unit):
        return ()
    return tuple(_Finder(analysed).found())


def _enough(analysed: Analysed) -> bool:
    """Whether there are operations enough for a chain at all."""
    left = int(rules()["least_launches"])
    for operation in analysed.unit.operations.values():
        elementwise = isinstance(operation.node, (ast.BinOp, ast.UnaryOp, ast.Compare, ast.Call))
        elementwise = elementwise or isinstance(operation.node, ast.AugAssign)
        if elementwise and analysed.placement.of(operation.graph_node) is Place.DEVICE:
            left -= 1
            if left == 0:
                return True
    return False


def _typed(unit: Unit) -> bool:
    """Whether anything speaks of a dtype: nothing is made of a function that may take any."""
    seen = [use.value for use in unit.graph.uses.values()]
    if isinstance(unit.node, ast.FunctionDef):
        seen += unit.project.evidence_of(unit.node).values()
    return any(getattr(value, "dtype", None) for value in seen)


def rehearse(unit: Unit) -> Unit:
    """A function read again, as if its parameters were what call sites pass, with a trace."""
    project, node = unit.project, unit.node
    again = Unit(project, unit.module, unit.scope, unit.name, node, decorated=unit.decorated)
    again.trace = Trace()
    again.trial = {}
    if isinstance(node, ast.FunctionDef):
        seen = project.evidence_of(node)
        project._enter(again, node, numbers=True)
        for name, flow in again.env.items():
            again.env[name] = replace(flow, value=likely(flow.value, seen.get(name)))
    with contextlib.suppress(Refused):
        statements.run(again, node.body)
    return again


class _Unfit(Exception):
    """An expression or statement that is no part of a chain."""


@dataclass
class _Leaf:
    """Something that the chain reads."""

    name: str
    expression: ast.expr
    held: str
    value: Value
    array: bool
    nodes: list[ast.Name] = field(default_factory=list)

    def read(self, node: ast.expr) -> ast.Name:
        """The name, in the place of an expression."""
        self.nodes.append(ast.copy_location(ast.Name(self.name, ast.Load()), node))
        return self.nodes[-1]

    def rename(self, name: str) -> None:
        """Give it another name: the user's is bound in the chain."""
        self.name = name
        for node in self.nodes:
            node.id = name


@dataclass
class _Run:
    """Statements read so far, as the kernel will have them."""

    statements: list[ast.stmt] = field(default_factory=list)
    body: list[ast.stmt] = field(default_factory=list)
    leaves: dict[str, _Leaf] = field(default_factory=dict)
    bound: dict[str, frozenset[str]] = field(default_factory=dict)
    written: dict[str, _Leaf] = field(default_factory=dict)
    numbers: dict[str, ast.expr] = field(default_factory=dict)
    unread: set[str] = field(default_factory=set)
    made: list[str] | None = None
    launches: int = 0
    names: set[str] = field(default_factory=set)

    def copy(self) -> _Run:
        """One that can be added to on its own."""
        return _Run(
            list(self.statements), list(self.body), dict(self.leaves), dict(self.bound),
            dict(self.written), dict(self.numbers), set(self.unread), self.made, self.launches,
            set(self.names),
        )  # fmt: skip


class _Finder:
    def __init__(self, analysed: Analysed) -> None:
        self.analysed = analysed
        self.unit = analysed.unit
        self.module = self.unit.module
        self.uses: dict[int, list[Use]] = {}
        for use in self.unit.graph.uses.values():
            self.uses.setdefault(id(use.expression), []).append(use)
        self._rehearsed: tuple[Trace, dict[int, Value]] | None = None
        self.chains: list[Chain] = []

    @property
    def rehearsed(self) -> tuple[Trace, dict[int, Value]]:
        """Values of expressions and of targets that are changed; made when first asked for."""
        if self._rehearsed is None:
            again = rehearse(self.unit)
            assert again.trace is not None
            values = {id(use.expression): use.value for use in again.graph.uses.values()}
            self._rehearsed = again.trace, values
        return self._rehearsed

    def found(self) -> list[Chain]:
        """The chains of the function."""
        self._block(self.unit.node.body)
        return self.chains

    # ------------------------------------------------------------------ blocks

    def _block(self, body: Sequence[ast.stmt]) -> None:
        run = _Run()
        for statement in body:
            after = self._extended(run, statement)
            if after is None and run.statements:
                self._close(run)
                after = self._extended(_Run(), statement)
            run = after or _Run()
            if after is None:
                if isinstance(statement, ast.If) and launches_kernel(self.unit, statement):
                    if not statement.orelse:
                        return  # what follows is what the launch before it stands for
                    continue
                for inner in self._inner(statement):
                    self._block(inner)
            elif run.made is not None:
                break
        if run.statements:
            self._close(run)

    def _inner(self, statement: ast.stmt) -> Iterator[list[ast.stmt]]:
        launch = self.unit.launches.get(id(statement))
        if launch is not None:
            return
        if isinstance(statement, (ast.For, ast.While, ast.If)):
            yield statement.body
            yield statement.orelse
        elif isinstance(statement, ast.With):
            yield statement.body

    def _extended(self, run: _Run, statement: ast.stmt) -> _Run | None:
        """The run with one more statement, or None where that is no part of it."""
        if not isinstance(statement, (ast.Assign, ast.AugAssign, ast.Return)):
            return None
        if not self.module.stands_alone(statement):
            return None
        found = run.copy()
        try:
            self._crossing(statement)
            if isinstance(statement, ast.Assign):
                self._assign(found, statement)
            elif isinstance(statement, ast.AugAssign):
                self._augmented(found, statement)
            else:
                self._return(found, statement)
        except _Unfit:
            return None
        found.statements.append(statement)
        return found

    def _crossing(self, statement: ast.stmt) -> None:
        """Nothing is moved between host and device inside a chain."""
        place = self.analysed.placement.of
        for node in ast.walk(statement):
            for use in self.uses.get(id(node), ()):
                if place(use.producer) is not place(use.consumer) and not use.implicit:
                    raise _Unfit

    # ------------------------------------------------------------------ statements

    def _assign(self, run: _Run, node: ast.Assign) -> None:
        if len(node.targets) != 1:
            raise _Unfit
        (target,) = node.targets
        pairs: list[tuple[ast.expr, ast.expr]] = [(target, node.value)]
        if isinstance(target, ast.Tuple):
            if not isinstance(node.value, ast.Tuple) or len(target.elts) != len(node.value.elts):
                raise _Unfit
            pairs = list(zip(target.elts, node.value.elts, strict=True))
        read = [(t, *self._computed(run, value)) for t, value in pairs]
        for one, value, leaves in read:
            if isinstance(one, ast.Name):
                self._bind(run, node, one.id, value, leaves)
            elif isinstance(one, ast.Subscript) and len(read) == 1 and _whole(one):
                self._store(run, node, one.value, value)
            else:
                raise _Unfit

    def _computed(self, run: _Run, node: ast.expr) -> tuple[ast.expr, frozenset[str]]:
        """An expression that computes something, and the arrays behind it."""
        if not self.is_operation(node):
            raise _Unfit
        reader = _Reader(self, run)
        value = reader.read(node)
        return value, frozenset(reader.behind)

    def _bind(
        self, run: _Run, node: ast.stmt, name: str, value: ast.expr, leaves: frozenset[str]
    ) -> None:
        if name in run.written or name in self.unit.scope.outside or not leaves:
            raise _Unfit
        run.bound[name] = leaves
        run.unread.add(name)
        run.names.add(name)
        run.body.append(_set(name, value, node))

    def _augmented(self, run: _Run, node: ast.AugAssign) -> None:
        if ("rebind", id(node)) in self.unit.rewrites or not self._on_device(node):
            raise _Unfit
        if type(node.op).__name__ not in _operators():
            raise _Unfit
        target = node.target
        if isinstance(target, ast.Subscript):
            raise _Unfit
        name = _dotted(target)
        if name is None:
            raise _Unfit
        reader = _Reader(self, run)
        value = reader.read(node.value) if not self.is_plain(node.value) else reader.leaf(
            node.value
        )  # fmt: skip
        run.launches += 1
        if name in run.bound:
            if not reader.behind <= run.bound[name]:
                raise _Unfit
            run.unread.discard(name)
            run.unread.add(name)
            loaded: ast.expr = ast.Name(name, ast.Load())
        else:
            self._write(run, target, name)
            loaded = ast.Name(run.written[name].name, ast.Load())
        made = ast.copy_location(
            ast.AugAssign(ast.Name(loaded.id, ast.Store()), node.op, value), node
        )
        run.body.append(ast.fix_missing_locations(made))

    def _store(self, run: _Run, node: ast.stmt, target: ast.expr, value: ast.expr) -> None:
        name = _dotted(target)
        if name is None or name in run.bound:
            raise _Unfit
        self._write(run, target, name)
        run.launches += 1
        run.body.append(_set(run.written[name].name, value, node))

    def _write(self, run: _Run, target: ast.expr, name: str) -> None:
        """An array from outside is changed in place."""
        if name in run.written:
            return
        if not isinstance(target, ast.Name):
            raise _Unfit
        known = run.leaves.pop(name, None)
        if known is None:
            value = self.value(target)
            if value is None:
                raise _Unfit
            known = _Leaf(self.fresh(run, name), _load(target), name, value, True)
        if not known.array or not isinstance(known.value, (Array, Either)):
            raise _Unfit
        if any(leaf.held == name for leaf in run.leaves.values()):
            raise _Unfit  # a view of it is read as well
        run.written[name] = known

    def _return(self, run: _Run, node: ast.Return) -> None:
        if node.value is None:
            raise _Unfit
        items = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
        made: list[str] = []
        for position, item in enumerate(items):
            if isinstance(item, ast.Name) and item.id in run.bound:
                made.append(item.id)
                run.unread.discard(item.id)
                continue
            value, leaves = self._computed(run, item)
            name = self.fresh(run, "result" if len(items) == 1 else f"result_{position}")
            self._bind(run, node, name, value, leaves)
            run.unread.discard(name)
            made.append(name)
        if not made or len(set(made)) != len(made) or run.written:
            raise _Unfit
        run.made = made

    def fresh(self, run: _Run, wanted: str) -> str:
        name = wanted
        while name in run.names or (name in run.bound):
            name += "_"
        run.names.add(name)
        return name

    # ------------------------------------------------------------------ expressions

    def value(self, node: ast.expr) -> Value | None:
        """What an expression is."""
        trace, values = self.rehearsed
        found = trace.flows.get(id(node))
        return values.get(id(node)) if found is None else found[1].value

    def is_array(self, node: ast.expr) -> bool:
        """Whether an expression takes part as an array, or as a number of the device."""
        value = self.value(node)
        return value is not None and is_arraylike(value)

    def is_plain(self, node: ast.expr) -> bool:
        return not self.is_operation(node)

    def _on_device(self, node: ast.AST) -> bool:
        operation = self.unit.operations.get(id(node))
        return (
            operation is not None
            and id(node) not in self.unit.replacements
            and self.analysed.placement.of(operation.graph_node) is Place.DEVICE
        )

    def is_operation(self, node: ast.expr) -> bool:
        """Whether an expression is an elementwise operation of the device."""
        if isinstance(node, ast.BinOp):
            return type(node.op).__name__ in _operators() and self._on_device(node)
        if isinstance(node, ast.UnaryOp):
            return type(node.op).__name__ in _operators() and self._on_device(node)
        if isinstance(node, ast.Compare):
            plain = len(node.ops) == 1 and type(node.ops[0]).__name__ in _operators()
            return plain and self._on_device(node)
        if isinstance(node, ast.Call):
            if self._on_device(node) and elementwise_call(self.path(node), node):
                return True
            return self.inlined(node) > 0
        return False

    def inlined(self, node: ast.Call) -> int:
        """Operations of a call of a project's function that a kernel can do itself, or 0."""
        operation = self.unit.nodes.get(("project", id(node)))
        if operation is None or self.analysed.placement.of(operation) is not Place.DEVICE:
            return 0
        if node.keywords or not all(self.is_array(a) for a in node.args):
            return 0
        definition = _definition(self.unit, node.func)
        return 0 if definition is None else _Inline(self.unit.project).launches(definition)

    def path(self, node: ast.Call) -> str:
        """The resolved name of what is called."""
        return self.unit.scope.resolve(node.func) or (
            f"builtins.{node.func.id}"
            if isinstance(node.func, ast.Name) and self.unit.scope.owner(node.func.id) is None
            else ""
        )

    # ------------------------------------------------------------------ the chain

    def _close(self, run: _Run) -> None:
        if run.launches < rules()["least_launches"]:
            return
        with contextlib.suppress(_Unfit):
            self.chains.append(_Maker(self, run).chain())


class _Reader:
    """Reads an expression: operations stay, what they are applied to becomes names."""

    def __init__(self, finder: _Finder, run: _Run) -> None:
        self.finder = finder
        self.run = run
        self.behind: set[str] = set()

    def read(self, node: ast.expr) -> ast.expr:
        """The expression as the kernel's statements have it."""
        if isinstance(node, ast.Name) and node.id in self.run.bound:
            self.run.unread.discard(node.id)
            self.behind |= self.run.bound[node.id]
            return _load(node)
        if self._constant(node):
            return node
        if not self.finder.is_array(node):
            return self.number(node)
        if not self.finder.is_operation(node):
            return self.leaf(node)
        inner = self.finder.inlined(node) if isinstance(node, ast.Call) else 0
        self.run.launches += inner or 1
        found = _shallow(node)
        if isinstance(found, ast.BinOp):
            found.left, found.right = self.read(found.left), self.read(found.right)
        elif isinstance(found, ast.UnaryOp):
            found.operand = self.read(found.operand)
        elif isinstance(found, ast.Compare):
            found.left = self.read(found.left)
            found.comparators = [self.read(c) for c in found.comparators]
        elif isinstance(found, ast.Call):
            found.args = [self.read(a) for a in found.args]
        return found

    def leaf(self, node: ast.expr) -> ast.expr:
        """An array, or a view of one."""
        run = self.run
        if isinstance(node, ast.Name) and node.id in run.bound:
            return self.read(node)
        if not self.finder.is_array(node):
            return self.number(node)
        text, owner = ast.unparse(node), _owner(node)
        if owner is None:
            if isinstance(self.finder.value(node), Number):
                return self.number(node)
            raise _Unfit
        names = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
        if names & run.bound.keys() or (
            not isinstance(node, ast.Name) and names & set(run.written)
        ):
            raise _Unfit
        if text in run.written:
            self.behind.add(text)
            return run.written[text].read(node)
        if text not in run.leaves:
            value = self.finder.value(node)
            assert value is not None
            wanted = text.rpartition(".")[2] if _dotted(node) else owner.rpartition(".")[2]
            on_device = any(
                self.finder.analysed.placement.of(use.producer) is Place.DEVICE
                for use in self.finder.uses.get(id(node), ())
            )
            array = on_device or not isinstance(value, Number)
            name = self.finder.fresh(run, wanted)
            run.leaves[text] = _Leaf(name, node, owner, value, array)
        if run.leaves[text].array:
            self.behind.add(text)
        return run.leaves[text].read(node)

    def number(self, node: ast.expr) -> ast.expr:
        """A number: constants stay, everything else is computed by Python and passed."""
        if self._constant(node):
            return node
        names = _reads(node)
        for inner in ast.walk(node):
            if isinstance(inner, ast.BinOp) and isinstance(inner.op, ast.Pow):
                self._check_power(inner)
            if isinstance(inner, ast.Subscript) and self.finder.is_array(inner.value):
                raise _Unfit
        if names is None or names & (self.run.bound.keys() | self.run.written.keys()):
            raise _Unfit
        if self.run.written and any(
            isinstance(n, ast.Call) or isinstance(getattr(n, "op", None), _RAISING)
            for n in ast.walk(node)
        ):
            raise _Unfit  # it may raise, after something was written
        if self._plain(node):
            return self._parts(node)
        text = ast.unparse(node)
        if text not in self.run.leaves:
            value = self.finder.value(node)
            if not isinstance(value, (Scalar, Number)):
                raise _Unfit
            simple = _dotted(node)
            wanted = simple.rpartition(".")[2] if simple else _spoken(names)
            name = self.finder.fresh(self.run, wanted)
            held = text if simple else ""
            self.run.leaves[text] = _Leaf(name, node, held, value, False)
            for inner in ast.walk(node):
                if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Load):
                    self.run.numbers.setdefault(inner.id, inner)
        return self.run.leaves[text].read(node)

    def _plain(self, node: ast.expr) -> bool:
        """Whether Python's arithmetic is that of the kernel's floats, should ints be passed."""
        if not isinstance(node, (ast.BinOp, ast.UnaryOp)):
            return False
        value = self.finder.value(node)
        parts = list(ast.walk(node))
        whole = [
            n for n in parts
            if isinstance(n, ast.Name) or (isinstance(n, ast.Constant) and type(n.value) is int)
        ]  # fmt: skip
        return (
            isinstance(value, Scalar)
            and value.type == "float"
            and len(whole) <= 2
            and all(isinstance(n, _ARITHMETIC) for n in parts)
            and all(isinstance(n.value, float) or abs(n.value) <= _SMALL
                    for n in parts if isinstance(n, ast.Constant)
                    and isinstance(n.value, int | float))
        )  # fmt: skip

    def _parts(self, node: ast.expr) -> ast.expr:
        if isinstance(node, (ast.Constant, ast.Name)):
            return self.number(node)
        found = _shallow(node)
        if isinstance(found, ast.BinOp):
            found.left, found.right = self._parts(found.left), self._parts(found.right)
        elif isinstance(found, ast.UnaryOp):
            found.operand = self._parts(found.operand)
        return found

    def _check_power(self, node: ast.BinOp) -> None:
        """A power of numbers must not be complex."""
        exponent = self.finder.value(node.right)
        whole = isinstance(exponent, Scalar) and exponent.type in ("int", "bool")
        if not whole and not isinstance(node.left, ast.Constant):
            raise _Unfit

    def _constant(self, node: ast.expr) -> bool:
        """Whether an expression of literals is computed alike on host and device."""
        if isinstance(node, ast.Constant):
            return type(node.value) in (int, float, bool)
        if isinstance(node, ast.Attribute):
            return (self.finder.unit.scope.resolve(node) or "") in _constants()
        exact = rules()["exact"]
        if isinstance(node, (ast.BinOp, ast.UnaryOp)):
            operands = [node.operand] if isinstance(node, ast.UnaryOp) else [node.left, node.right]
            known = _operators().get(type(node.op).__name__) in exact
            return known and all(map(self._constant, operands))
        if isinstance(node, ast.Call) and not node.keywords:
            path = self.finder.path(node)
            known = elementwise_call(path, node) and _ufunc(path) in exact
            return known and all(map(self._constant, node.args))
        return False


class _Maker:
    """Makes a chain of a run: types, guard, kernel."""

    def __init__(self, finder: _Finder, run: _Run) -> None:
        self.finder = finder
        self.unit = finder.unit
        self.run = run

    def chain(self) -> Chain:
        """The chain."""
        from gpuport.loops.elementwise import elementwise_kernel
        from gpuport.loops.reasons import Refused as NoForm
        from gpuport.loops.typing import TypeRefusal

        run = self.run
        for leaf in run.leaves.values():
            if leaf.name in run.bound:
                leaf.rename(self.finder.fresh(run, f"{leaf.name}_in"))
        made = self._made()
        if run.unread - set(made):
            raise _Unfit
        dtypes = self._dtypes()
        inputs, types, guarded = [], {}, []
        try:
            for text, leaf in self._ordered():
                one, type_ = self._input(text, leaf, dtypes)
                inputs.append(one)
                types[leaf.name] = type_
                if one.kind:
                    guarded.append((one.kind, one.held))
            guarded += self._inner_numbers(dtypes)
            written = {leaf.name: dtypes[text] for text, leaf in run.written.items()}
            guarded += [(dtypes[text], text) for text in run.written]
            guarded.sort(key=lambda one: self._position(one[1]))
            name = self._name(made)
            kernel = elementwise_kernel(name, run.body, types, written, made, self._facts())
        except (NoForm, TypeRefusal) as error:
            raise _Unfit from error
        self._take(name)
        return Chain(
            tuple(run.statements), name, kernel, tuple(inputs), tuple(dict.fromkeys(guarded)),
            tuple(run.written), tuple(made), run.made is not None, self._same_shape(made),
            run.launches,
        )  # fmt: skip

    def _ordered(self) -> list[tuple[str, _Leaf]]:
        """What is passed, in the order of the function's own parameters, the rest behind."""
        return sorted(self.run.leaves.items(), key=lambda one: self._position(one[1].held))

    def _position(self, name: str) -> int:
        args = getattr(self.unit.node, "args", None)
        names = [] if args is None else [
            a.arg for a in (*args.posonlyargs, *args.args, *args.kwonlyargs)
        ]  # fmt: skip
        return names.index(name) if name in names else len(names)

    def _made(self) -> list[str]:
        """Names that are read after the chain, or returned."""
        from gpuport.loops.scalars import read_after

        run = self.run
        if run.made is not None:
            return run.made
        if isinstance(self.unit.node, ast.Module):
            return list(run.bound)
        assert not isinstance(self.unit.node, ast.AsyncFunctionDef)
        live = read_after(self.unit.node, run.statements[-1])
        return [name for name in run.bound if name in live]

    def _dtypes(self) -> dict[str, str]:
        """The dtype of each array; where some are known and alike, the others likely are too."""
        arrays = {
            text: leaf.value for text, leaf in (*self.run.leaves.items(), *self.run.written.items())
            if leaf.array
        }  # fmt: skip
        known = {text: getattr(value, "dtype", None) for text, value in arrays.items()}
        common = {dtype for dtype in known.values() if dtype is not None}
        if not common or (None in known.values() and len(common) > 1):
            raise _Unfit
        assumed = min(common)
        if None in known.values() and not assumed.startswith("float"):
            raise _Unfit
        return {text: dtype or assumed for text, dtype in known.items()}

    def _input(self, text: str, leaf: _Leaf, dtypes: Mapping[str, str]) -> tuple[Input, Any]:
        from gpuport.loops.typing import PYTHON, Type, named

        if leaf.array:
            dtype = dtypes[text]
            kind = dtype
            if isinstance(leaf.value, Number) and set(dtypes.values()) == {"float64"}:
                kind = "number"
            type_ = Type(dtype) if dtype == "bool" else named(dtype)
            return Input(leaf.name, leaf.expression, leaf.held, kind, True), type_
        if isinstance(leaf.value, Number) and leaf.value.numpy_scalar:
            dtype = leaf.value.dtype or ""
            kind = self._number_kind("float", dtypes) if dtype == "float64" else f"{dtype}_scalar"
            if kind == "python_real":
                kind = "float64_scalar"
            kind = kind if leaf.held else ""
            return Input(leaf.name, leaf.expression, leaf.held, kind, False), named(dtype)
        python = getattr(leaf.value, "type", None)
        kind = self._number_kind(python, dtypes)
        if kind in ("real", "python_real"):
            python = "float"
        kind = kind if leaf.held else ""
        return Input(leaf.name, leaf.expression, leaf.held, kind, False), PYTHON[str(python)]

    def _number_kind(self, python: str | None, dtypes: Mapping[str, str]) -> str:
        """What a number of Python's may be beside these arrays without changing a type."""
        found = set(dtypes.values())
        real = python in (None, "assumed", "float", "int")
        if real and found == {"float64"}:
            return "real"
        if real and found <= {"float32", "float64"}:
            return "python_real"
        if python not in _NUMBERS:
            raise _Unfit
        return str(python)

    def _inner_numbers(self, dtypes: Mapping[str, str]) -> Iterator[tuple[str, str]]:
        """Numbers of which Python computes what is passed."""
        held = {leaf.held for leaf in self.run.leaves.values()}
        for name, node in self.run.numbers.items():
            value = self.finder.value(node)
            if name in held or not isinstance(value, (Scalar, Number)):
                continue
            if isinstance(value, Scalar) and value.type in ("callable", "module", "None", "str"):
                continue
            if isinstance(value, Number):
                yield f"{value.dtype}_scalar", name
            elif value.type in ("int", "bool"):
                yield value.type, name
            else:
                yield self._number_kind(value.type, dtypes), name

    def _same_shape(self, made: Sequence[str]) -> tuple[str, ...]:
        """Arrays that have to be of one shape: outputs of different ones would not be."""
        run = self.run
        arrays = {
            text for text, leaf in run.leaves.items()
            if leaf.array and not isinstance(leaf.value, Number)
        } | set(run.written)  # fmt: skip
        outputs = len(made) + len(run.written)
        alike = len({run.bound[name] for name in made}) == 1 and not run.written
        return () if outputs == 1 or alike else tuple(sorted(arrays))

    def _facts(self) -> dict[str, Fact]:
        names = {
            node.id for statement in self.run.body for node in ast.walk(statement)
            if isinstance(node, ast.Name)
        }  # fmt: skip
        return facts_of(self.unit, sorted(names - self.run.names))

    def _name(self, made: Sequence[str]) -> str:
        function = getattr(self.unit.node, "name", "main")
        base = f"_{function.lstrip('_')}"
        taken = self._taken()
        result = next(iter((*made, *self.run.written)), "")
        candidates = [base, f"{base}_{result}"]
        candidates += [f"{base}_{result}_{k}" for k in range(2, 100)]
        return next(name for name in candidates if name not in taken)

    def _taken(self) -> set[str]:
        memory = self.unit.project.compiled
        found = {n.id for n in ast.walk(self.unit.module.tree) if isinstance(n, ast.Name)}
        found |= set(self.unit.project.root.bound) | set(self.unit.project.root.imports)
        return found.union(*memory.names.values())

    def _take(self, name: str) -> None:
        memory = self.unit.project.compiled
        memory.names[id(self.run.statements[0])] = frozenset({name})


def _definition(unit: Unit, function: ast.expr) -> ast.FunctionDef | None:
    """The function of the module that a name stands for, where nothing else can be meant."""
    root = unit.project.root
    if not isinstance(function, ast.Name) or unit.scope.owner(function.id) is not root:
        return None
    found = root.functions.get(function.id)
    plain = isinstance(found, ast.FunctionDef) and not found.decorator_list
    return found if plain and root.bound.get(function.id) == 1 else None  # type: ignore[return-value]


class _Inline:
    """Whether functions of the project work element by element, and on nothing else."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.active: set[int] = set()
        self.count = 0

    def launches(self, definition: ast.FunctionDef) -> int:
        """Operations of a function on arrays; 0 for one that is anything but a chain."""
        try:
            self._function(definition)
        except _Unfit:
            return 0
        return self.count

    def _function(self, node: ast.FunctionDef) -> None:
        args = node.args
        unusual = args.vararg or args.kwarg or args.kwonlyargs or args.defaults
        if unusual or id(node) in self.active:
            raise _Unfit
        self.active.add(id(node))
        known = {a.arg for a in (*args.posonlyargs, *args.args)}
        body = node.body
        if isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
            body = body[1:]
        scope = self.project.scope_of(node)
        for statement in body[:-1]:
            if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
                raise _Unfit
            (target,) = statement.targets
            if not isinstance(target, ast.Name) or isinstance(statement.value, ast.Name):
                raise _Unfit
            self._expression(statement.value, scope, known)
            known.add(target.id)
        last = body[-1] if body else None
        if not isinstance(last, ast.Return) or isinstance(last.value, ast.Name | None):
            raise _Unfit
        self._expression(last.value, scope, known)
        self.active.discard(id(node))

    def _expression(self, node: ast.expr, scope: Scope, known: set[str]) -> None:
        children: list[ast.expr] = []
        if isinstance(node, ast.Name):
            if node.id not in known:
                raise _Unfit
        elif isinstance(node, ast.Constant):
            if type(node.value) not in (int, float, bool):
                raise _Unfit
        elif isinstance(node, ast.Attribute):
            if (scope.resolve(node) or "") not in _constants():
                raise _Unfit
        elif isinstance(node, (ast.BinOp, ast.UnaryOp)):
            children = [node.operand] if isinstance(node, ast.UnaryOp) else [node.left, node.right]
            if type(node.op).__name__ not in _operators():
                raise _Unfit
        elif isinstance(node, ast.Compare):
            children = [node.left, *node.comparators]
            if len(node.ops) != 1 or type(node.ops[0]).__name__ not in _operators():
                raise _Unfit
        elif isinstance(node, ast.Call):
            children = self._called(node, scope)
        else:
            raise _Unfit
        if children and not all(isinstance(c, ast.Constant) for c in children):
            self.count += 1
        for child in children:
            self._expression(child, scope, known)

    def _called(self, node: ast.Call, scope: Scope) -> list[ast.expr]:
        if not elementwise_call(scope.resolve(node.func) or "", node):
            raise _Unfit
        return node.args


def elementwise_call(path: str, node: ast.Call) -> bool:
    """Whether a call is of a function that works element by element, as kernels know it."""
    if node.keywords or any(isinstance(a, ast.Starred) for a in node.args):
        return False
    known = rules()["functions"].get(path)
    if known is not None:
        return len(node.args) == int(known)
    head, _, last = path.rpartition(".")
    if head == "builtins":
        return last in rules()["builtins"] and len(node.args) == 1
    return _ufunc(path) is not None


def _ufunc(path: str) -> str | None:
    from gpuport.loops.cuda_rules import functions

    return functions().ufunc(path)


@cache
def _operators() -> Mapping[str, str]:
    from gpuport.loops.cuda_rules import functions

    return functions().operators


@cache
def _constants() -> Mapping[str, float]:
    from gpuport.loops.cuda_rules import functions

    return functions().constants


def _reads(node: ast.expr) -> set[str] | None:
    """Names that a number is computed from; None where that is not plain arithmetic."""
    names: set[str] = set()
    allowed = (
        ast.BinOp, ast.UnaryOp, ast.Constant, ast.Name, ast.operator, ast.unaryop, ast.Attribute,
        ast.expr_context, ast.Call, ast.Subscript,
    )  # fmt: skip
    for inner in ast.walk(node):
        if not isinstance(inner, allowed):
            return None
        if isinstance(inner, ast.Call) and not (
            isinstance(inner.func, ast.Name) and inner.func.id in _PURE
        ):
            return None
        if isinstance(inner, ast.Name):
            names.add(inner.id)
    return names


def _spoken(names: set[str]) -> str:
    """A name for a number that is computed from others."""
    return "_".join(sorted(names)) if len(names) > 1 else f"of_{min(names)}" if names else "number"


def _dotted(node: ast.expr) -> str | None:
    from gpuport.loops.names import dotted

    return dotted(node)


def _owner(node: ast.expr) -> str | None:
    """The array behind a view: ``mass`` for ``mass[None, :].T``."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Subscript):
        plain = not any(isinstance(n, (ast.Call, ast.NamedExpr)) for n in ast.walk(node.slice))
        return _owner(node.value) if plain else None
    if isinstance(node, ast.Attribute) and node.attr == "T":
        return _owner(node.value)
    return None


def _whole(node: ast.Subscript) -> bool:
    return isinstance(node.slice, ast.Constant) and node.slice.value is Ellipsis


def _shallow(node: ast.expr) -> ast.expr:
    """A copy of a node, with the same children."""
    fields = {name: getattr(node, name) for name in node._fields}
    return ast.copy_location(type(node)(**fields), node)


def _load(node: ast.expr) -> ast.Name:
    assert isinstance(node, ast.Name)
    return ast.copy_location(ast.Name(node.id, ast.Load()), node)


def _set(name: str, value: ast.expr, node: ast.stmt) -> ast.Assign:
    made = ast.Assign([ast.Name(name, ast.Store())], value)
    return ast.fix_missing_locations(ast.copy_location(made, node))


__all__ = ["Chain", "Input", "chains", "elementwise_call"]
