"""Loops, and what they go over."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable

from gpuport._frozen import frozen
from gpuport.ir import Head, Op, Region, Value
from gpuport.lower.assignments import store
from gpuport.lower.builder import Fill
from gpuport.lower.extraction import loaded_names
from gpuport.lower.knowledge import FORMS, Form
from gpuport.lower.lowering import Loop, Lowering, statement
from gpuport.lower.statements import jump


def _nothing() -> None:
    """What a loop without ``else`` does at its end."""


@frozen
class Plan:
    """What a loop consists of.

    Attributes
    ----------
    node : ast.stmt or ast.expr
    body : callable
        Lowers a round.
    iterable : Value or None
        What a ``For`` goes over.
    bind : callable or None
        Assigns the element of a round.
    test : callable or None
        The test of a ``While``.
    orelse : callable or None
    """

    node: ast.stmt | ast.expr
    body: Fill
    iterable: Value | None = None
    bind: Callable[[Value], None] | None = None
    test: Callable[[], Value] | None = None
    orelse: Fill = _nothing


def loop(at: Lowering, plan: Plan) -> bool:
    """Lower a loop; what is carried are the SSA names that it assigns.

    Its results come from ``else``, which sees what the last round left, or from ``Break``.
    """
    return _Building(at, plan).run()


class _Building:
    def __init__(self, at: Lowering, plan: Plan) -> None:
        self.at, self.plan = at, plan
        stored, deleted = at.shared.known.carried[plan.node]
        self.carried = at.values_of(stored)
        self.inits = [at.current(key, plan.node) for key in self.carried]
        removed = set(at.values_of(deleted))
        #: where a round may begin without a value
        self.open = [
            value in at.unbound or key in removed
            for key, value in zip(self.carried, self.inits, strict=True)
        ]
        self.breaks: list[Op] = []

    def run(self) -> bool:
        at, plan = self.at, self.plan
        regions = [self._body(), self._else()]
        operands = self.inits
        if plan.test is not None:
            regions.insert(0, self._test(plan.test))
        if plan.iterable is not None:
            operands = [plan.iterable, *self.inits]
        kind = "For" if plan.test is None else "While"
        head = _head(at, plan.node) if isinstance(plan.node, ast.For) else None
        op = at.emit(kind, operands, plan.node, self.carried, regions)
        if head is not None:
            at.function.heads[op] = head
        self._results(op)
        falls = bool(self.breaks) or op.regions[-1].terminator.kind == "Yield"
        if not falls:
            at.end("Unreachable", (), plan.node)
        return falls

    def _enter(self, first: int) -> None:
        parameters = self.at.region.parameters[first:]
        for key, value, is_open in zip(self.carried, parameters, self.open, strict=True):
            self.at.versions.set(key, value)
            if is_open:
                self.at.unbound.add(value)

    def _now(self) -> list[Value]:
        return [self.at.current(key, self.plan.node) for key in self.carried]

    def _test(self, test: Callable[[], Value]) -> Region:
        def fill() -> bool:
            self._enter(0)
            outcome = test()
            return self.at.end("Yield", [outcome, *self._now()], self.plan.node)

        return self.at.inside(fill, self.carried).region

    def _body(self) -> Region:
        at, plan = self.at, self.plan
        lead = [""] if plan.bind is not None else []

        def fill() -> bool:
            self._enter(len(lead))
            at.loops.append(Loop(self.carried, self.breaks))
            if plan.bind is not None:
                plan.bind(at.region.parameters[0])
            if plan.body() is not False:
                jump(at, plan.node, "Continue")
            at.loops.pop()
            return False

        return at.inside(fill, [*lead, *self.carried]).region

    def _else(self) -> Region:
        def fill() -> bool:
            self._enter(0)
            falls = self.plan.orelse() is not False
            return falls and self.at.end("Yield", self._now(), self.plan.node)

        return self.at.inside(fill, self.carried).region

    def _results(self, op: Op) -> None:
        last = op.regions[-1].terminator
        ends = [*self.breaks, *([last] if last.kind == "Yield" else [])]
        for place, (key, value) in enumerate(zip(self.carried, op.results, strict=True)):
            self.at.versions.set(key, value)
            if any(end.operands[place] in self.at.unbound for end in ends):
                self.at.unbound.add(value)


def _head(at: Lowering, node: ast.For) -> Head:
    """What is known of names where a loop begins."""
    known = at.shared.known
    words = known.carried[node][0] | known.read[node] | loaded_names(node.iter, at.scope)
    now = at.versions.now().items()
    return Head({key: value for key, value in now if value not in at.unbound}, frozenset(words))


@statement(ast.For)
def _for(at: Lowering, node: ast.For) -> bool:
    iterable = domain(at, node.iter)
    plan = Plan(
        node,
        lambda: at.block(node.body),
        iterable,
        lambda value: store(at, node.target, value),
        orelse=lambda: at.block(node.orelse),
    )
    return loop(at, plan)


@statement(ast.While)
def _while(at: Lowering, node: ast.While) -> bool:
    def never() -> bool:
        return at.end("Unreachable", (), node)

    endless = isinstance(node.test, ast.Constant) and bool(node.test.value)
    plan = Plan(
        node,
        lambda: at.block(node.body),
        test=lambda: at.expr(node.test),
        orelse=never if endless else lambda: at.block(node.orelse),
    )
    return loop(at, plan)


def domain(at: Lowering, node: ast.expr) -> Value:
    """What a loop goes over. Forms are told apart here and nowhere else."""
    form = form_of(at, node)
    if form is None:
        return at.value("Iterate", (at.expr(node),), node, form="elements")
    assert isinstance(node, ast.Call)
    arguments = [
        domain(at, one)
        if (form.nested is None or place in form.nested) and form_of(at, one) is not None
        else at.expr(one)
        for place, one in enumerate(node.args)
    ]
    arguments += [at.expr(keyword.value) for keyword in node.keywords]
    return at.value("Iterate", arguments, node, form=form.name)


def form_of(at: Lowering, node: ast.expr) -> Form | None:
    """The form of an iterable that loops know; None for any other."""
    if not isinstance(node, ast.Call) or not node.args:
        return None
    if any(isinstance(one, ast.Starred) for one in node.args):
        return None
    form = FORMS.get(at.shared.known.paths.of(at.scope, node.func) or "")
    if form is None or not _fits(form, [keyword.arg for keyword in node.keywords]):
        return None
    return form


def _fits(form: Form, keywords: Iterable[str | None]) -> bool:
    return tuple(keywords) in ((), form.keywords)
