"""Loops over operations on vectors, as loops over the elements that repeat all of them.

``for t in ...: x = a * x + z[t]`` is, where each operation computes each element by itself,
``for i in ...: for t in ...: x[i] = a * x[i] + z[t, i]``: a thread for each element. This is loop
interchange, after the vector operations have been written as loops (Wolfe, "High Performance
Compilers for Parallel Computing", 1996, 9.1 and 9.3); whether the elements are independent in
memory is for the dependence test to say.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from gpuport.parallel.across.known import Known, Turned
from gpuport.parallel.across.vectors import Element, Tied, Vectors
from gpuport.source.making import assigned, counted, placed, read, stored, where_true
from gpuport.source.syntax import copied, dotted, walk


def turned(loop: ast.For | ast.While, known: Known) -> Turned | None:
    """The loop over the elements; None where an operation is none of each by itself."""
    if not isinstance(loop, ast.For) or loop.orelse:
        return None
    try:
        return _Turning(loop, known).turned()
    except Tied:
        return None


@dataclass(slots=True)
class _Turning:
    """One loop.

    Attributes
    ----------
    rebound : set of str
        Arrays that are there before the loop and whose names it gives to new ones.
    changed : set of str
        Texts of what is stored to, or changed in place.
    shared : set of str
        Names that stand for parts of arrays, or for what other names do, with these.
    begun : dict of str to ast.stmt
        What an element of those rebound is before the first iteration.
    numbers : set of str
        Names that hold numbers, the same for all elements.
    """

    loop: ast.For
    known: Known
    vectors: Vectors = field(init=False)
    rebound: set[str] = field(init=False)
    changed: set[str] = field(default_factory=set)
    shared: set[str] = field(default_factory=set)
    begun: dict[str, ast.stmt] = field(default_factory=dict)
    numbers: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.vectors = Vectors(self.known.arrays, self.known.resolve, lambda: self.known.fresh("i"))
        self.rebound = {
            target.id
            for node in walk(self.loop)
            for target in (node.targets if isinstance(node, ast.Assign) else ())
            if isinstance(target, ast.Name) and target.id in self.known.arrays
        }

    def turned(self) -> Turned:
        """The loop over the elements.

        Raises
        ------
        Tied
        """
        self._see_names()
        made = copied(self.loop)
        made.iter = self.vectors.number(self.loop.iter)
        for name in sorted(self.rebound):
            element = self.vectors.taken(read(name), name, [])
            own = self.known.fresh(name)
            self.begun[name] = assigned(own, element.text, self.loop)
            self.vectors.local[name] = Element(read(own), element.axes)
        made.body = list(self._block(self.loop.body))
        left = tuple(sorted(self.rebound & self.known.live))
        self.changed.update(left)
        if not self.changed or not self.vectors.places:
            raise Tied
        if self.changed & self.shared:
            raise Tied  # one of them would be seen to change
        return self._nest(made, left)

    def _see_names(self) -> None:
        """See that nothing but numbers of the loop's own, and arrays, has a name afterwards."""
        for node in walk(self.loop):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                in_place = node.id in self.known.arrays and node.id not in self.rebound
                own = node.id in self.known.owned & self.known.floating
                if node.id in self.known.live and not in_place and not own:
                    raise Tied
            bound = node.targets if isinstance(node, ast.Assign) else ()
            if any(isinstance(one, ast.Attribute) for one in bound):
                raise Tied
            if isinstance(node, ast.For) and dotted(node.target) in self.known.arrays:
                raise Tied

    def _nest(self, inner: ast.For, left: tuple[str, ...]) -> Turned:
        """The loops over the elements around all iterations."""
        wholes: dict[int, str] = {}
        equal = []
        for extent, axis in self.vectors.extents.items():
            first = wholes.setdefault(axis, extent)
            if extent != first:
                equal.append(f"{extent} == {first}")
        body: list[ast.stmt] = [*self.begun.values(), inner]
        for name in left:
            place = _place_of(self.vectors.taken(read(name), name, []))
            body.append(stored(place, self.vectors.local[name].text, self.loop))
        for axis, variable in reversed(list(enumerate(self.vectors.places))):
            body = [counted(variable, wholes[axis], body, self.loop)]
        assert isinstance(body[0], ast.For)
        return Turned(body[0], tuple(equal), left, tuple(self.vectors.places))

    # -- statements

    def _block(self, block: Collection[ast.stmt]) -> Iterator[ast.stmt]:
        for one in block:
            yield from self._statement(one)

    def _statement(self, node: ast.stmt) -> Iterator[ast.stmt]:
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            yield self._assigned(node, node.targets[0])
        elif isinstance(node, ast.AugAssign):
            yield self._added(node)
        elif isinstance(node, ast.If):
            made = copied(node)
            made.test = self.vectors.number(node.test)
            made.body, made.orelse = (list(self._block(b)) for b in (node.body, node.orelse))
            yield made
        elif isinstance(node, ast.For) and not node.orelse:
            made_loop = copied(node)
            made_loop.iter = self.vectors.number(node.iter)
            made_loop.body = list(self._block(node.body))
            yield made_loop
        elif isinstance(node, (ast.Continue, ast.Break, ast.Pass)):
            yield copied(node)
        else:
            raise Tied

    def _assigned(self, node: ast.Assign, target: ast.expr) -> ast.stmt:
        if isinstance(target, ast.Subscript):
            return self._stored(node, target)
        if not isinstance(target, ast.Name):
            raise Tied
        value = self.vectors.element(node.value)
        before = self.vectors.local.get(target.id)
        known = target.id in self.numbers or before is not None
        if known and (before.axes if before is not None else 0) != value.axes:
            raise Tied
        if not value.axes:
            self.numbers.add(target.id)
            return assigned(target.id, value.text, node)
        if before is None and target.id in self.known.arrays:
            raise Tied
        if value.of:
            if target.id in self.rebound:
                raise Tied
            self.shared |= {target.id, *value.of}
        own = before.text if before is not None else read(target.id)
        assert isinstance(own, ast.Name)
        mask = value.mask and (before is None or before.mask)
        self.vectors.local[target.id] = Element(own, value.axes, mask)
        return assigned(own.id, value.text, node)

    def _stored(self, node: ast.Assign, target: ast.Subscript) -> ast.stmt:
        """``x[:, t] = v``, ``v[v > 1.0] = 0.0``."""
        value = self.vectors.element(node.value)
        chosen = self._chosen(target)
        if chosen is not None:
            place, test = chosen
            return where_true(test, stored(place, value.text, node), node)
        return stored(self._place(target), value.text, node)

    def _added(self, node: ast.AugAssign) -> ast.stmt:
        """``v += ...``, ``x[t] *= ...``, ``u[fired] -= ...``."""
        value = self.vectors.element(node.value)
        target = node.target
        if isinstance(target, ast.Name) and target.id not in self.known.arrays:
            if target.id in self.vectors.local or value.axes:
                raise Tied
            self.numbers.add(target.id)
            return copied(node)
        if dotted(_base(_base(target))) not in self.known.floating or isinstance(
            node.op, ast.MatMult
        ):
            raise Tied
        chosen = self._chosen(target) if isinstance(target, ast.Subscript) else None
        place = self._place(target) if chosen is None else chosen[0]
        made = placed(ast.AugAssign(place, node.op, value.text), node)
        return made if chosen is None else where_true(chosen[1], made, node)

    def _place(self, target: ast.expr) -> ast.Subscript | ast.Name:
        """Where an element is stored.

        Raises
        ------
        Tied
            Where the place is no vector's.
        """
        text = dotted(target.value if isinstance(target, ast.Subscript) else target) or ""
        if text in self.vectors.local:
            return self._own(text, target)
        found = self.vectors.element(target)
        if not found.axes or text not in self.known.arrays:
            raise Tied
        self.changed.add(text)
        return _place_of(found)

    def _own(self, name: str, target: ast.expr) -> ast.Name:
        """An element of what the loop itself has made: of an array that it has given a new one."""
        element = self.vectors.local[name]
        whole = isinstance(target, ast.Name)
        first = next(iter(self._changes(name)), None)
        fits = name in self.rebound and name in self.known.floating
        if not fits or not whole or not isinstance(first, ast.Assign):
            raise Tied
        self.changed.add(name)
        assert isinstance(element.text, ast.Name)
        return ast.Name(element.text.id, ast.Store())

    def _changes(self, name: str) -> Iterator[ast.stmt | None]:
        """What gives a name a value, or changes what it holds; None but for whole statements."""
        for one in self.loop.body:
            for node in walk(one):
                targets = node.targets if isinstance(node, ast.Assign) else ()
                if isinstance(node, ast.AugAssign):
                    targets = [node.target]
                if any(dotted(_base(target)) == name for target in targets):
                    whole = node is one and isinstance(_only(targets), ast.Name)
                    yield one if whole else None

    def _chosen(self, target: ast.Subscript) -> tuple[ast.Subscript | ast.Name, ast.expr] | None:
        """The place of an element that a mask chooses, and the test; None for another index."""
        if isinstance(target.slice, (ast.Tuple, ast.Slice, ast.Constant)):
            return None
        try:
            test = self.vectors.element(target.slice)
        except Tied:
            return None
        if not test.axes:
            return None
        if not test.mask:
            raise Tied
        whole = copied(target.value)
        return self._place(whole), test.text


def _place_of(element: Element) -> ast.Subscript:
    """An element, to be stored to."""
    assert isinstance(element.text, ast.Subscript)
    element.text.ctx = ast.Store()
    return element.text


def _base(target: ast.expr) -> ast.expr:
    return target.value if isinstance(target, ast.Subscript) else target


def _only(targets: Collection[ast.expr]) -> ast.expr | None:
    return next(iter(targets)) if len(targets) == 1 else None


__all__ = ["turned"]
