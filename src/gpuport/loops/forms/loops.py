"""Loops in plain form: over ``range``, or as long as a condition holds."""

from __future__ import annotations

import ast
from collections import Counter as Counts
from typing import TYPE_CHECKING

from gpuport.loops.context.definitions import last_literal
from gpuport.loops.heads.counting import counted_name, counting, leaves, nonempty
from gpuport.loops.heads.heads import Head, parse
from gpuport.loops.heads.literals import as_range, literal_items, without_continue
from gpuport.loops.names import decided, loaded
from gpuport.loops.reasons import UNSUPPORTED, Refused
from gpuport.source import syntax

if TYPE_CHECKING:
    from gpuport.loops.forms.plain import Plainer

_UNROLLED = 9
"""Values in the head of a loop whose body is written out for each of them."""


class PlainLoops:
    """Brings loops into plain form.

    Parameters
    ----------
    plainer : Plainer
        What is known of the loops around, and the plain form of what is inside.
    """

    def __init__(self, plainer: Plainer) -> None:
        self.plainer = plainer

    def counted(self, node: ast.For) -> list[ast.stmt]:
        """A ``for`` as one over ``range``, or several of them."""
        if node.orelse:
            raise Refused(
                UNSUPPORTED, node.orelse[0], "`else` of a loop is not turned into a kernel"
            )
        items = literal_items(node.iter, self.plainer.heads.facts)
        if items is not None:
            counted = as_range(node, items)
            if counted is None:
                return self._unrolled(node, items)
            node.iter = counted
        head = self.plainer.heads.read(node)
        for name, count in head.replaced.items():
            if name in self.plainer.live or self.plainer.reads[name] != count:
                message = f"`{name}` is read outside of the loop that counts with it"
                raise Refused(UNSUPPORTED, node, message)
        shadowed = set(head.rows) & set(self.plainer.rows)
        if shadowed:
            raise Refused(UNSUPPORTED, node, f"`{shadowed.pop()}` names a row twice")
        if len(head.ranges) > 1 and leaves(node.body, (ast.Break,)):
            raise Refused(UNSUPPORTED, node, "`break` out of several index ranges at once")
        for name, arguments in head.ranges:
            head_names = loaded(arguments)
            if name in head_names:
                raise Refused(
                    UNSUPPORTED, node, f"`{name}` is both the loop's variable and in its range"
                )
        first = self._kept_after(node, head)
        self.plainer.rows |= head.rows
        self.plainer.gone_through |= head.rows
        self.plainer.slices.around += head.ranges
        body = self.plainer.block(list(head.bindings)) + self.plainer.block(node.body)
        for name in head.rows:
            del self.plainer.rows[name]
        del self.plainer.slices.around[len(self.plainer.slices.around) - len(head.ranges) :]
        self.plainer.guards += head.guards
        if len(head.ranges) > 1:
            self.plainer.joint |= {name for name, _ in head.ranges}
        for name, arguments in reversed(head.ranges):
            made = self._ranged(node, name, arguments, body)
            body = [made]
        return [*first, *body]

    def _kept_after(self, node: ast.For, head: Head) -> list[ast.stmt]:
        """``for n in range(m)`` whose variable is read after it: it has to run at least once."""
        name, arguments = head.ranges[0]
        target = node.target
        if len(head.ranges) > 1 or not isinstance(target, ast.Name) or target.id != name:
            return []
        within = node is not self.plainer.outermost and name in self.plainer.exposed
        if not within or loaded(arguments) & self.plainer.stored:
            return []
        call = ast.Call(ast.Name("range", ast.Load()), arguments, [])
        guard = nonempty(ast.For(target, call, [], []))
        if not loaded(arguments):
            guard = decided(guard)
            if guard == "False":
                return []
        index = self.plainer.fresh.name(name)
        head.ranges[0] = (index, arguments)
        value = ast.copy_location(ast.Name(index, ast.Load()), node)
        head.bindings.insert(0, _bound(name, value, node))
        head.guards.append(guard)
        return [_bound(name, syntax.copied(arguments[0]), node)]

    def _ranged(
        self, node: ast.For, name: str, arguments: list[ast.expr], body: list[ast.stmt]
    ) -> ast.For:
        plain = [self.plainer.expression(item) for item in arguments]
        call = ast.Call(ast.Name("range", ast.Load()), plain, [])
        made = ast.For(
            ast.Name(name, ast.Store()), call, body or [ast.copy_location(ast.Pass(), node)], []
        )
        ast.copy_location(made.target, node.target)
        ast.copy_location(call, node.iter)
        ast.copy_location(call.func, node.iter)
        return ast.copy_location(made, node)

    def _unrolled(self, node: ast.For, items: list[ast.expr]) -> list[ast.stmt]:
        body = without_continue(node.body)
        goes_on = leaves(body, (ast.Continue,))
        if goes_on or len(items) > _UNROLLED:
            shown = ast.unparse(node.iter)
            why = "it is long" if len(items) > _UNROLLED else "`continue` stands deep inside it"
            raise Refused(UNSUPPORTED, node, f"the loop over `{shown}` is not written out: {why}")
        made: list[ast.stmt] = []
        for item in items:
            made += [ast.copy_location(one, node) for one in _assigned(node.target, item)]
            made += [syntax.copied(one) for one in body]
        if leaves(body):
            made = [self._once(node, made)]
        return self.plainer.block(made)

    def _once(self, node: ast.For, body: list[ast.stmt]) -> ast.For:
        """A loop that runs once: what ``break`` leaves where there is no other one any more."""
        target = ast.Name(self.plainer.fresh.name("once"), ast.Store())
        made = ast.For(target, parse("range(1)", node.iter), body, [])
        return ast.copy_location(ast.fix_missing_locations(ast.copy_location(made, node)), node)

    def conditional(self, node: ast.While) -> list[ast.stmt]:
        """A ``while`` that does not count."""
        if node.orelse:
            raise Refused(
                UNSUPPORTED, node.orelse[0], "`else` of a loop is not turned into a kernel"
            )
        waiting = len(self.plainer.slices.made)
        node.test = self.plainer.expression(node.test)
        if len(self.plainer.slices.made) > waiting:
            self.plainer.nothing_before(node)
        node.body = self.plainer.block(node.body) or [ast.copy_location(ast.Pass(), node)]
        return [node]

    def _only_inside(self, node: ast.While, name: str) -> bool:
        return self.plainer.reads[name] == reads_in(node)[name]

    def inner_while(self, node: ast.While, before: list[ast.stmt]) -> list[ast.stmt]:
        """A counting ``while`` whose variable nothing else reads is a ``for``."""
        name = counted_name(node)
        start = last_literal(before, name) if name is not None else None
        counted = counting(node, start, self.plainer.fresh) if start is not None else None
        if counted is None or not self._only_inside(node, counted[1].variable):
            return self.conditional(node)
        return self.plainer.statement(counted[0])


def reads_in(node: ast.AST) -> Counts[str]:
    """How often each plain name is read."""
    names = [child for child in syntax.walk(node) if isinstance(child, ast.Name)]
    return Counts(name.id for name in names if isinstance(name.ctx, ast.Load))


def _bound(name: str, value: ast.expr, where: ast.For) -> ast.stmt:
    made = ast.Assign([ast.copy_location(_store(name), where.target)], value)
    return ast.copy_location(made, where)


def _assigned(target: ast.expr, item: ast.expr) -> list[ast.stmt]:
    """Assignments of an item of numbers: of ``k, (dx, dy)``, one for each part."""
    parts = getattr(target, "elts", [])
    nested = any(isinstance(part, ast.Tuple | ast.List) for part in parts)
    if nested and isinstance(item, ast.Tuple) and len(parts) == len(item.elts):
        pairs = zip(parts, item.elts, strict=True)
        return [made for part, value in pairs for made in _assigned(part, value)]
    return [ast.Assign([syntax.copied(target)], item)]


def _store(name: str) -> ast.Name:
    return ast.Name(name, ast.Store())
