"""What a numerical analyst would change about linear algebra: said, never done.

Other algorithms give other rounding, so that the port keeps the user's.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from gpuport.analysis.interpretation.unit import Unit
from gpuport.passes.advicepca import Advice, few_values, meaning, principal_components
from gpuport.rules.stacking import stacking
from gpuport.source.syntax import children, inside, walk

_LOOPS = (ast.For, ast.While, ast.ListComp, ast.GeneratorExp, ast.DictComp)


def in_loops(unit: Unit, kinds: dict[int, frozenset[str]]) -> Iterator[Advice]:
    """A decomposition in a loop that changes nothing of what is decomposed."""
    told: set[int] = set()
    for loop in walk(unit.node):
        if not isinstance(loop, _LOOPS):
            continue
        changed: set[str] | None = None
        for node in inside(loop):
            if not isinstance(node, ast.Call) or "decomposition" not in kinds.get(id(node), ()):
                continue
            system = "system" in kinds[id(node)]  # its right sides may differ
            factored = node.args[:1] if system else node.args
            if not factored or not all(isinstance(a, ast.Name) for a in factored):
                continue
            changed = _changed(unit, loop) if changed is None else changed
            given = [*factored, *(k.value for k in node.keywords)]
            if id(node) not in told and not any(_names(one) & changed for one in given):
                told.add(id(node))
                text, line = _text(unit, node), loop.lineno
                yield "GP322", _AGAIN[system].format(text=text, line=line), node


_AGAIN = {
    False: "`{text}` is computed in each iteration of the loop on line {line}, which binds and "
    "writes none of the names in it",
    True: "`{text}` decomposes the same matrix in each iteration of the loop on line {line}: one "
    "call solves for the columns of all right sides",
}


def twice(unit: Unit, kinds: dict[int, frozenset[str]]) -> Iterator[Advice]:
    """The same decomposition of the same arrays, in two places that both run."""
    made: dict[str, list[tuple[ast.Call, frozenset[tuple[int, str]]]]] = {}
    written: set[str] | None = None
    for node, branches in _with_branches(unit.node, frozenset()):
        if not isinstance(node, ast.Call) or "decomposition" not in kinds.get(id(node), ()):
            continue
        names = set().union(*map(_names, [*node.args, *(k.value for k in node.keywords)]))
        if any(unit.scope.bound.get(name, 0) > 1 for name in names):
            continue
        written = _written(unit, unit.node) if written is None else written
        if names & written:
            continue
        earlier = made.setdefault(ast.dump(node), [])
        first = next((one for one, where in earlier if not _exclude(where, branches)), None)
        if first is not None:
            yield (
                "GP325",
                f"`{_text(unit, node)}` has been computed on line {first.lineno} already, of the "
                "same arrays: keep it",
                node,
            )
        earlier.append((node, branches))


def _with_branches(
    node: ast.AST, branches: frozenset[tuple[int, str]]
) -> Iterator[tuple[ast.AST, frozenset[tuple[int, str]]]]:
    """Nodes in the order of the text, with the branches of conditions that they stand in."""
    yield node, branches
    if not isinstance(node, (ast.If, ast.IfExp)):
        for inner in children(node):
            yield from _with_branches(inner, branches)
        return
    yield from _with_branches(node.test, branches)
    for word, parts in (("then", node.body), ("else", node.orelse)):
        for part in parts if isinstance(parts, list) else [parts]:
            yield from _with_branches(part, branches | {(id(node), word)})


def _exclude(first: frozenset[tuple[int, str]], second: frozenset[tuple[int, str]]) -> bool:
    """Whether only one of two places runs, or the first perhaps not."""
    return not first <= second


def _changed(unit: Unit, loop: ast.AST) -> set[str]:
    """Names that a loop binds, stores into, or hands to code that may change their arrays."""
    stored = {
        node.id for node in walk(loop)
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)
    }  # fmt: skip
    return stored | _written(unit, loop)


def _written(unit: Unit, block: ast.AST) -> set[str]:
    """Names of arrays that are stored into, or handed to code that may change them."""
    found: set[str] = set()
    for node in walk(block):
        if isinstance(node, (ast.Subscript, ast.Attribute)):
            found |= set() if isinstance(node.ctx, ast.Load) else _names(node.value)
        elif isinstance(node, ast.keyword):
            found |= _names(node.value) if node.arg == "out" else set()
        elif isinstance(node, ast.Call) and not _leaves_alone(unit, node):
            found |= _handed(unit, node)
    return found


def _handed(unit: Unit, node: ast.AST) -> set[str]:
    """Names of what a call is handed: not those that a decomposition in it makes its result of."""
    found = {node.id} if isinstance(node, ast.Name) else set()
    for part in children(node):
        path = unit.scope.resolve(part.func) or "" if isinstance(part, ast.Call) else ""
        if ".linalg." not in path:
            found |= _handed(unit, part)
    return found


def _leaves_alone(unit: Unit, node: ast.Call) -> bool:
    """Whether a call changes none of the arrays in it: a library's, or ``x.max()``."""
    path = unit.scope.resolve(node.func)
    if path is not None:
        return path.partition(".")[0] in _LIBRARIES
    method = node.func.attr if isinstance(node.func, ast.Attribute) else ""
    return method in stacking().reductions or method in stacking().methods


_LIBRARIES = frozenset({"numpy", "scipy", "builtins", "math"})


def _names(node: ast.AST) -> set[str]:
    return {part.id for part in walk(node) if isinstance(part, ast.Name)}


def _text(unit: Unit, node: ast.AST) -> str:
    return " ".join(unit.module.segment(node).split())[:60]


def advice(unit: Unit, calls: Iterable[tuple[ast.Call, str]]) -> Iterator[Advice]:
    """Findings about the calls of linear algebra of one function.

    Parameters
    ----------
    unit : Unit
    calls : iterable of (ast.Call, str)
        Calls of the function with their dotted paths.
    """
    of_interest = {id(node): path for node, path in calls if ".linalg." in path}
    if not of_interest:
        return
    kinds = stacking().advice
    found = {number: kinds[path] for number, path in of_interest.items() if path in kinds}
    if not found:
        return
    for node in walk(unit.node):
        yield from _inverse_times(unit, node, found)
        yield from _sign(unit, node, found)
        kind = found.get(id(node), frozenset())
        if isinstance(node, ast.Call) and kind & {"components", "centred"}:
            yield from principal_components(unit, node, kind)
        elif isinstance(node, ast.Call) and "few" in kind:
            yield from few_values(unit, node)
    yield from in_loops(unit, found)
    yield from twice(unit, found)


def _inverse_times(unit: Unit, node: ast.AST, kinds: dict[int, frozenset[str]]) -> Iterator[Advice]:
    """``inv(a) @ b``, and ``b @ inv(a)``."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        sides = [node.left, node.right]
    elif isinstance(node, ast.Call) and unit.scope.resolve(node.func) in _PRODUCTS:
        sides = node.args[:2]
    elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "dot" and node.args:
        assert isinstance(node.func, ast.Attribute)
        sides = [node.func.value, node.args[0]]
    else:
        return
    for side in sides:
        if isinstance(side, ast.UnaryOp) and isinstance(side.op, ast.USub):
            side = side.operand
        side = _named_for_this(unit, side)
        if isinstance(side, ast.Call) and "inverse" in kinds.get(id(side), ()):
            text = _text(unit, side)
            yield (
                "GP320",
                f"`solve` takes less work and loses fewer digits than `{text}` here",
                node,
            )


def _named_for_this(unit: Unit, node: ast.expr) -> ast.expr:
    """What a name stands for that is bound once and read here alone, as often as it is bound."""
    if not isinstance(node, ast.Name) or _repeated(unit, node.id):
        return node
    named = unit.module.nodes.below(unit.node, ast.Name)
    reads = [part for part in named if part.id == node.id and isinstance(part.ctx, ast.Load)]
    return meaning(unit, node) if len(reads) == 1 else node


def _repeated(unit: Unit, name: str) -> bool:
    """Whether a loop, or a function that is called, reads a name that it does not bind."""
    nodes = unit.module.nodes
    for block in nodes.below(unit.node, *_REPEATED):
        if block is unit.node:
            continue
        held = [part for part in nodes.below(block, ast.Name) if part.id == name]
        if held and all(isinstance(part.ctx, ast.Load) for part in held):
            return True
    return False


_REPEATED = (
    ast.For, ast.While, ast.Lambda, ast.FunctionDef, ast.AsyncFunctionDef, ast.ListComp,
    ast.SetComp, ast.DictComp, ast.GeneratorExp,
)  # fmt: skip


def _of_which(node: ast.expr) -> ast.expr:
    """``eigvalsh(a)`` of ``eigvalsh(a).min()``, ``min(eigvalsh(a))`` and ``eigvalsh(a)[0]``."""
    if isinstance(node, ast.Subscript):
        return node.value
    if not isinstance(node, ast.Call):
        return node
    name = getattr(node.func, "attr", None) or getattr(node.func, "id", None)
    if name not in _EXTREMES:
        return node
    within = node.args[0] if node.args else getattr(node.func, "value", node)
    return within if isinstance(within, ast.expr) else node


_EXTREMES = frozenset({"min", "max", "amin", "amax"})

_PRODUCTS = frozenset({"numpy.dot", "numpy.matmul"})


def _sign(unit: Unit, node: ast.AST, kinds: dict[int, frozenset[str]]) -> Iterator[Advice]:
    """``det(a) > 0``, ``(eigvalsh(a) > 0).all()``."""
    if not isinstance(node, ast.Compare) or len(node.ops) != 1:
        return
    sides = [node.left, node.comparators[0]]
    zero = any(isinstance(s, ast.Constant) and s.value == 0 for s in sides)
    order = isinstance(node.ops[0], (ast.Gt, ast.GtE, ast.Lt, ast.LtE))
    if not (zero and order):
        return
    # ``det(r) < 0`` asks for a reflection.
    below = ast.Lt if isinstance(sides[1], ast.Constant) else ast.Gt
    turned = isinstance(node.ops[0], below)
    for side in (_of_which(meaning(unit, one)) for one in sides):
        kind = kinds.get(id(side), frozenset())
        if "determinant" in kind and not turned:
            yield (
                "GP321",
                f"the sign of `{_text(unit, side)}` does not tell whether a matrix is positive "
                "definite: `cholesky` raises LinAlgError where it is not",
                node,
            )
        elif "eigenvalues" in kind:
            yield (
                "GP321",
                f"`cholesky` tells whether a matrix is positive definite with less work than "
                f"`{_text(unit, side)}`: it raises LinAlgError where it is not",
                node,
            )
