"""Which loops of a region become dimensions of the grid, and what one thread then does."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gpuport.loops.heads.heads import parse
from gpuport.loops.names import Fresh, constant_int, dotted, is_shape, linear, loaded, stored, walk
from gpuport.loops.records import Axis
from gpuport.source.making import statements


@dataclass(frozen=True)
class Chain:
    """Perfectly nested loops, with the assignments between their heads.

    Attributes
    ----------
    loops : tuple of ast.For
        Outermost first.
    leading : tuple of stmt
        Plain assignments that stood between the heads; each thread repeats them.
    body : tuple of stmt
        The innermost loop's body.
    """

    loops: tuple[ast.For, ...]
    leading: tuple[ast.stmt, ...]
    body: tuple[ast.stmt, ...]

    @property
    def thread(self) -> tuple[ast.stmt, ...]:
        """All that one thread does."""
        return (*self.leading, *self.body)


def chains(loop: ast.For, written: set[str]) -> list[Chain]:
    """Every chain that starts at a loop, the shortest first.

    Parameters
    ----------
    loop : ast.For
        In plain form.
    written : set of str
        Arrays that the region writes: what reads them cannot be repeated.
    """
    found = [Chain((loop,), (), tuple(loop.body))]
    while True:
        longer = _longer(found[-1], written)
        if longer is None:
            return found
        found.append(longer)


def _longer(chain: Chain, written: set[str]) -> Chain | None:
    *leading, last = chain.body
    if not isinstance(last, ast.For) or not isinstance(last.iter, ast.Call):
        return None
    if has_exit(last.body):
        return None
    grid = {loop.target.id for loop in chain.loops if isinstance(loop.target, ast.Name)}
    changing = stored([chain.loops[0]]) - grid
    if loaded(last.iter.args) & changing or stored([last.target]) & grid:
        return None
    if any(
        isinstance(node, ast.Subscript) and not is_shape(node.value)
        for node in walk(last.iter.args)
    ):
        return None
    if not all(_repeatable(statement, written) for statement in leading):
        return None
    set_here = stored([*chain.leading, *leading])
    if set_here & stored([last]) or (stored(leading) & stored(chain.leading)):
        return None
    return Chain((*chain.loops, last), (*chain.leading, *leading), tuple(last.body))


def is_element(node: ast.AST) -> bool:
    """Whether a node is an element of an array (``x.shape[0]`` is none)."""
    return isinstance(node, ast.Subscript) and not is_shape(node.value)


def _repeatable(statement: ast.stmt, written: set[str]) -> bool:
    if not isinstance(statement, ast.Assign):
        return False
    if any(
        isinstance(node, ast.Subscript) for target in statement.targets for node in walk([target])
    ):
        return False
    return not any(
        isinstance(node, ast.Subscript) and dotted(node.value) in written
        for node in walk([statement.value])
    )


@dataclass(frozen=True)
class Layout:
    """The grid's axes and what a thread does.

    Attributes
    ----------
    axes : tuple of Axis
    thread : tuple of stmt
    """

    axes: tuple[Axis, ...]
    thread: tuple[ast.stmt, ...]


def lay_out(chain: Chain, fresh: Fresh) -> Layout | None:
    """The grid of a chain; None where a range's extremes are not evident.

    A loop whose range depends on a loop around it gets the widest range that it can have, and the
    thread asks whether it is inside.
    """
    limits: dict[str, tuple[str, str]] = {}
    axes: list[Axis] = []
    heads: list[ast.stmt] = []
    tests: list[ast.expr] = []
    for loop in chain.loops:
        assert isinstance(loop.target, ast.Name)
        assert isinstance(loop.iter, ast.Call)
        name = loop.target.id
        start, stop, step = loop.iter.args
        low, high = (_limits(item, limits) for item in (start, stop))
        if low is None or high is None:
            return None
        amount = constant_int(step)
        downward = amount is not None and amount < 0
        first, last = (low[1], high[0]) if downward else (low[0], high[1])
        limits[name] = (_moved(last, 1), first) if downward else (first, _moved(last, -1))
        if not loaded([start, stop]) & set(limits):
            axes.append(Axis(name, first, last, ast.unparse(step)))
            continue
        if amount is None:
            return None
        if amount == 1:
            axes.append(Axis(name, first, last, "1"))
            if loaded([start]) & set(limits):
                tests.append(parse(f"{name} >= {ast.unparse(start)}", loop.iter))
        else:
            index = fresh.name(name)
            axes.append(Axis(index, "0", _difference(last, first), str(amount)))
            heads += statements(f"{name} = {ast.unparse(start)} + {index}", loop)
        sign = ">" if downward else "<"
        if amount != 1 or loaded([stop]) & set(limits):
            tests.append(parse(f"{name} {sign} {ast.unparse(stop)}", loop.iter))
    thread: list[ast.stmt] = list(chain.thread)
    if tests:
        test = tests[0] if len(tests) == 1 else ast.BoolOp(ast.And(), tests)
        ast.copy_location(test, chain.loops[-1].iter)
        thread = [ast.copy_location(ast.If(test, thread, []), chain.loops[-1])]
    return Layout(tuple(axes), (*heads, *thread))


def _limits(node: ast.expr, limits: Mapping[str, tuple[str, str]]) -> tuple[str, str] | None:
    """Least and greatest value of an expression over the grid, as Python text."""
    if not loaded([node]) & set(limits):
        return ast.unparse(node), ast.unparse(node)
    if isinstance(node, ast.Name):
        return limits[node.id]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = _limits(node.operand, limits)
        return None if inner is None else (f"-({inner[1]})", f"-({inner[0]})")
    if isinstance(node, ast.Call):
        return _limits_of_call(node, limits)
    if not isinstance(node, ast.BinOp):
        return None
    left, right = _limits(node.left, limits), _limits(node.right, limits)
    factor = constant_int(node.right)
    if isinstance(node.op, ast.Mod) and factor is not None and factor > 0:
        return "0", str(factor - 1)
    if left is None or right is None:
        return None
    if isinstance(node.op, ast.Add):
        return _total(left[0], right[0]), _total(left[1], right[1])
    if isinstance(node.op, ast.Sub):
        return _difference(left[0], right[1]), _difference(left[1], right[0])
    if isinstance(node.op, ast.FloorDiv) and factor is not None and factor > 0:
        return f"({left[0]}) // {factor}", f"({left[1]}) // {factor}"
    if isinstance(node.op, ast.Mult):
        return _limits_of_product(node, left, right)
    return None


def _moved(text: str, amount: int) -> str:
    return _total(text, str(amount))


def _difference(left: str, right: str) -> str:
    return _total(left, f"-({right})")


def _total(left: str, right: str) -> str:
    """A sum as Python text, like terms put together."""
    whole = f"({left}) + ({right})"
    terms = linear(ast.parse(whole, mode="eval").body)
    if terms is None:
        return ast.unparse(ast.parse(whole))
    names = [name for name in sorted(terms) if name and terms[name]]
    parts = [name if terms[name] == 1 else f"{terms[name]} * {name}" for name in names]
    if terms.get("", 0) or not parts:
        parts.append(str(terms.get("", 0)))
    return " + ".join(parts).replace("+ -", "- ")


def _limits_of_product(
    node: ast.BinOp, left: tuple[str, str], right: tuple[str, str]
) -> tuple[str, str] | None:
    factor, other = constant_int(node.left), right
    if factor is None:
        factor, other = constant_int(node.right), left
    if factor is None:
        return None
    ends = (other[0], other[1]) if factor >= 0 else (other[1], other[0])
    return f"{factor} * ({ends[0]})", f"{factor} * ({ends[1]})"


def _limits_of_call(
    node: ast.Call, limits: Mapping[str, tuple[str, str]]
) -> tuple[str, str] | None:
    if not isinstance(node.func, ast.Name) or node.func.id not in ("min", "max"):
        return None
    items = [_limits(item, limits) for item in node.args]
    known = [item for item in items if item is not None]
    if len(known) < max(len(items), 2):
        return None
    least, greatest = (", ".join(item[k] for item in known) for k in (0, 1))
    return f"{node.func.id}({least})", f"{node.func.id}({greatest})"


def has_exit(body: Sequence[ast.stmt]) -> ast.Break | None:
    """A ``break`` of the loop whose body this is."""
    for node in body:
        if isinstance(node, ast.Break):
            return node
        if isinstance(node, ast.If):
            found = has_exit(node.body) or has_exit(node.orelse)
            if found is not None:
                return found
    return None
