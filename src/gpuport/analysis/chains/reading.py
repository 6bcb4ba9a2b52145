"""What a chain of elementwise statements computes, and what it reads from outside."""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Iterator

from gpuport.analysis.chains.elementwise import (
    Unfit,
    constants,
    elementwise_call,
    elementwise_operator,
    operands,
    operators,
    rules,
    ufunc,
    with_operands,
)
from gpuport.analysis.chains.given import given
from gpuport.analysis.chains.rolls import LAUNCHES, Rolled, rolled
from gpuport.analysis.chains.runs import Leaf, Run, Shifted
from gpuport.analysis.interpretation.rehearsal import Rehearsal
from gpuport.analysis.objects.methodbodies import held_by
from gpuport.analysis.values.lattice import Array, Number, Object, Scalar
from gpuport.loops.cuda.symbols import is_length
from gpuport.loops.names import dotted, loaded
from gpuport.source.numbers import is_element, is_exact, may_raise, owner_of, spoken
from gpuport.source.subscripts import apart, dict_key, suffix
from gpuport.source.syntax import walk


class Reader:
    """Reads one expression: operations stay, what they are applied to becomes names.

    Attributes
    ----------
    behind : set of str
        Arrays that the expression is made of.
    mask : ast.expr or None
        A mask at which all its arrays are read.
    """

    def __init__(self, rehearsal: Rehearsal, run: Run, mask: ast.expr | None = None) -> None:
        self.rehearsal = rehearsal
        self.run = run
        self.behind: set[str] = set()
        self.mask = mask

    def computed(self, node: ast.expr) -> ast.expr:
        """An expression that is an operation of the chain."""
        if self.rehearsal.launches(node) == 0:
            raise Unfit
        return self.read(node)

    def read(self, node: ast.expr) -> ast.expr:
        """An expression as the kernel's statements have it."""
        run = self.run
        if self.mask and self.rehearsal.is_array(node) and not self.rehearsal.launches(node):
            return self._at_mask(node, self.mask)
        if isinstance(node, ast.Name) and node.id in run.bound:
            run.unread.discard(node.id)
            self.behind |= run.bound[node.id]
            return ast.copy_location(ast.Name(node.id, ast.Load()), node)
        if self._constant(node):
            return node
        if not self.rehearsal.is_array(node):
            return self.number(node)
        shifted = rolled(self.rehearsal, node)
        if shifted is not None:
            return self._shifted(node, shifted)
        launches = self.rehearsal.launches(node)
        if launches == 0:
            return self._leaf(node)
        read = [self.read(part) for part in operands(node)]
        run.launches += launches
        run.covered.add(id(node))
        return with_operands(node, read)

    def _at_mask(self, node: ast.expr, mask: ast.expr) -> ast.expr:
        """``y[mask]``, in a statement that stores at this mask: the element of `y` beside it."""
        if isinstance(self.rehearsal.value(node), Number):
            return self._leaf(node) if self.rehearsal.from_device(node) else self.number(node)
        if not isinstance(node, ast.Subscript) or _text(node.slice) != _text(mask):
            raise Unfit
        whole = Reader(self.rehearsal, self.run)
        self.run.mentioned.append(whole.read(node.slice))
        self.run.launches += int(rules()["launches_at_masks"])
        self.run.covered.add(id(node))
        read = whole.read(node.value)
        self.behind |= whole.behind
        return read

    def _shifted(self, node: ast.expr, found: Rolled) -> ast.expr:
        """An array that is shifted around its edges: the kernel reads it beside."""
        run, name = self.run, self._leaf(found.array)
        base = next((leaf for leaf in run.leaves.values() if name in leaf.nodes), None)
        if base is None or not isinstance(name, ast.Name):
            raise Unfit
        run.mentioned.append(name)
        word = base.word + suffix(tuple(-one for one in found.shifts), 1)
        if word not in run.shifted:
            leaf = Leaf(run.fresh(word), word, node, base.owner, base.value, True)
            run.shifted[word] = Shifted(leaf, base, found.shifts, found.flat)
        elif run.shifted[word].array is not base:
            raise Unfit
        run.launches += LAUNCHES
        run.covered.update(map(id, walk(node)))
        return run.shifted[word].leaf.read(node)

    def _leaf(self, node: ast.expr) -> ast.expr:
        """An array, or a view of one."""
        run = self.run
        text, owner = _text(node), owner_of(node)
        unit = self.rehearsal.unit
        called, renamed = unit.graph.called, unit.work.rewrites
        parts = [id(part) for part in walk(node)]
        # What stands behind it is called, or has another name in the port.
        if owner is None or any(p in called or ("named", p) in renamed for p in parts):
            return self._given(node, text)
        names = loaded([node])
        if text in run.written:
            self.behind.add(text)
            return run.written[text].read(node)
        changed = {one for one, leaf in run.written.items() if leaf.owner == owner}
        if names & run.bound.keys() or not all(apart(node, one) for one in changed):
            raise Unfit
        if text not in run.leaves:
            value = self.rehearsal.value(node)
            assert value is not None
            array = self.rehearsal.from_device(node)
            if not array and not isinstance(value, Number):
                raise Unfit
            word = dict_key(node) or owner.rpartition(".")[2]
            run.leaves[text] = Leaf(run.fresh(word), word, node, owner, value, array)
        if run.leaves[text].array:
            self.behind.add(text)
        return run.leaves[text].read(node)

    def _given(self, node: ast.expr, text: str) -> ast.expr:
        """What has no name of its own: a number, or an array that is computed before."""
        if isinstance(self.rehearsal.value(node), Number):
            with contextlib.suppress(Unfit):
                return self.number(node)
        leaf = given(self.rehearsal, self.run, node, text)
        self.behind.add(text)
        return leaf.read(node)

    # ------------------------------------------------------------------ numbers

    def number(self, node: ast.expr) -> ast.expr:
        """A number: constants stay, everything else is computed by Python and passed."""
        if self._constant(node):
            return node
        run, atoms = self.run, list(self._atoms(node))
        changed = {leaf.owner.partition(".")[0] for leaf in run.written.values()}
        if loaded([node]) & (run.bound.keys() | changed):
            raise Unfit
        text, parts = _text(node), list(walk(node))
        if text in run.leaves and any(id(p) in self.rehearsal.unit.graph.called for p in parts):
            raise Unfit  # a property, which may give another number each time
        if run.written and any(may_raise(p) or self._may_compute(p) for p in parts):
            raise Unfit  # after something was written
        if isinstance(node, (ast.BinOp, ast.UnaryOp)) and self._plain(node):
            return with_operands(node, [self.number(part) for part in operands(node)])
        if text not in run.leaves:
            value = self.rehearsal.value(node)
            if not isinstance(value, (Scalar, Number)):
                raise Unfit(f"it is not known whether `{text}` is a number")
            word = spoken(node, atoms)
            name = run.fresh(word)
            constant = name == text and self._of_module(node, value)
            run.leaves[text] = Leaf(name, word, node, "", value, False, constant)
        return run.leaves[text].read(node)

    def _may_compute(self, node: ast.AST) -> bool:
        """Whether it is an attribute that a class may compute of what was written."""
        unit, owner = self.rehearsal.unit, dotted(getattr(node, "value", node))
        if not isinstance(node, ast.Attribute) or owner is None or unit.scope.resolve(node):
            return False
        known = isinstance(held_by(unit, owner), Object | Array | Number)
        return not known or id(node) in unit.graph.called

    def _of_module(self, node: ast.expr, value: Scalar | Number) -> bool:
        """Whether a number of the module, which the kernel's function reads there as well."""
        root = self.rehearsal.unit.project.root
        return (
            isinstance(node, ast.Name)
            and self.rehearsal.unit.scope is not root
            and self.rehearsal.unit.scope.owner(node.id) is root
            and root.bound.get(node.id) == 1
            and isinstance(value, Scalar)
            and value.type in ("int", "float")
        )

    def _atoms(self, node: ast.expr) -> Iterator[ast.expr]:
        """Names, elements and attributes that a number is computed from, by plain arithmetic."""
        if self._constant(node):
            return
        if self._measures(node):
            yield node
        elif isinstance(node, ast.Name) or dotted(node) is not None or is_element(node):
            if self.rehearsal.is_array(node) and self.rehearsal.from_device(node):
                raise Unfit
            if isinstance(node, ast.Subscript) and self.rehearsal.is_array(node.value):
                raise Unfit
            yield node
        elif isinstance(node, (ast.BinOp, ast.UnaryOp)) and elementwise_operator(node):
            if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
                self._check_power(node)
            for part in operands(node):
                yield from self._atoms(part)
        elif isinstance(node, ast.Call) and not node.keywords:
            path = self.rehearsal.path(node)
            pure = path.startswith("math.") or path in rules()["numbers"] or ufunc(path)
            if not pure or self.rehearsal.operation(node) is not None:
                raise Unfit
            for part in node.args:
                yield from self._atoms(part)
        else:
            raise Unfit

    def _measures(self, node: ast.expr) -> bool:
        """Whether it is a length: ``x.size``, ``x.shape[0]``, ``len(x)``."""
        if not is_length(node) and getattr(node, "attr", "") != "ndim":
            return False
        names = [n for n in walk(node) if isinstance(n, ast.Name) and n.id != "len"]
        return all(map(self.rehearsal.is_array, names))

    def _check_power(self, node: ast.BinOp) -> None:
        """A power of numbers must not be complex."""
        exponent = self.rehearsal.value(node.right)
        whole = isinstance(exponent, Scalar) and exponent.type in ("int", "bool")
        if not whole and not isinstance(node.left, ast.Constant):
            raise Unfit

    def _plain(self, node: ast.BinOp | ast.UnaryOp) -> bool:
        """Whether Python's arithmetic is that of the kernel's floats, should ints be passed."""
        value = self.rehearsal.value(node)
        floating = isinstance(value, Scalar) and value.type == "float"
        return floating and is_exact(node, self._reads_module)

    def _reads_module(self, node: ast.expr) -> bool:
        """Whether a number of the module takes part: whole ones are so in the kernel too."""
        scope, root = self.rehearsal.unit.scope, self.rehearsal.unit.project.root
        return any(scope.owner(name) is root for name in loaded([node]))

    def _constant(self, node: ast.expr) -> bool:
        """Whether an expression of literals is computed alike on host and device."""
        if isinstance(node, ast.Constant):
            return type(node.value) in (int, float, bool)
        if isinstance(node, ast.Attribute):
            return (self.rehearsal.unit.scope.resolve(node) or "") in constants()
        if isinstance(node, ast.Call):
            path = self.rehearsal.path(node)
            known = elementwise_call(path, node) and ufunc(path) in rules()["exact"]
        elif elementwise_operator(node) and isinstance(node, (ast.BinOp, ast.UnaryOp)):
            known = operators()[type(node.op).__name__] in rules()["exact"]
        else:
            return False
        return known and all(map(self._constant, operands(node)))


def _text(node: ast.expr) -> str:
    """What expressions have in common that are one thing."""
    return ast.unparse(node)


__all__ = ["Leaf", "Reader", "Run"]
