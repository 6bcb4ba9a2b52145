"""Lists that a loop fills, one item an iteration, and of which an array is made after it.

``out = []``, ``out.append(f(x))`` in a loop and ``np.array(out)`` behind it: the launch makes an
array with a place for each iteration, and puts that in the list's name. The loop itself, where it
runs, appends to the list.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from gpuport.loops.cuda.symbols import is_length
from gpuport.loops.facts import ArrayFact, Fact, LoopNest
from gpuport.loops.heads.heads import parse, range_arguments
from gpuport.loops.heads.iterables import source
from gpuport.loops.names import (
    Fresh,
    constant_int,
    decided,
    function_path,
    mentions,
    named,
    stored,
    walk,
)
from gpuport.loops.private.workspaces import Loop, Widened
from gpuport.loops.reasons import SIDE_EFFECT, Refused
from gpuport.loops.records import LoopPlan, Workspace
from gpuport.rules.loopfunctions import makers
from gpuport.source import syntax
from gpuport.source.bindings import each_bound, is_empty_list

_SCOPES = (
    ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef,
    ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp,
)  # fmt: skip
_SIMPLE = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr, ast.Return)
_LEAVING = (ast.Break, ast.Continue, ast.Return, ast.Yield, ast.YieldFrom, ast.Await)


@dataclass(frozen=True)
class Collected(Widened):
    """A loop that stores in an array what it appended to a list."""

    def finished(self, plan: LoopPlan) -> LoopPlan | None:
        """The plan in terms of what is there before the launch; None where that cannot be."""
        names = frozenset(one.name for one in self.workspaces)
        if names & (plan.snapshots | plan.atomics | plan.reads):
            return None
        guards = dict.fromkeys(map(self.outside, plan.guards))
        return replace(
            plan,
            writes=plan.writes - names,
            guards=tuple(guards),
            workspaces=self.workspaces,
        )

    def in_own_names(self, refused: Refused) -> Refused:
        """A refusal in the user's own names."""
        message = refused.message
        for one in self.workspaces:
            message = message.replace(f"{one.name}[{one.place}]", f"{one.name}.append(...)")
        made = Refused(refused.code, self.loop, message)
        made.line = refused.line
        return made


@dataclass(frozen=True)
class _Counted:
    """A loop over something whose items have numbers.

    Attributes
    ----------
    target, iter : expr
        The loop's head, with a name for the number of the iteration where it had none.
    place : str
        Python text for that number.
    count : str
        How often the loop runs, where it does.
    size : str
        The same, and 0 where it does not run.
    """

    target: ast.expr
    iter: ast.expr
    place: str
    count: str
    size: str


def collected(nest: LoopNest, node: Loop) -> Collected | None:
    """The loop with arrays in the place of the lists that it fills; None where it fills none.

    Parameters
    ----------
    nest : LoopNest
    node : ast.For or ast.While
        The region's loop.

    Raises
    ------
    Refused
        Where an iteration may append several items, or end the loop.
    """
    if not isinstance(node, ast.For) or node.orelse:
        return None
    names = _filled(node.body)
    if not names or not all(_becomes_array(nest, node, name) for name in names):
        return None
    fresh = Fresh(named(nest.function))
    marks = {name: mark for name in sorted(names) if (mark := _marked(node, name, fresh))}
    head = _counted(node, nest.facts, fresh)
    if head is None:
        return None
    loop = syntax.copied(node)
    assert isinstance(loop, ast.For)
    loop.target, loop.iter = head.target, head.iter
    stores = _Stores(names, head.place, marks)
    loop.body = [stores.marked(mark, False, node) for mark in marks.values()] + [
        one for statement in loop.body for one in _listed(stores.visit(statement))
    ]
    facts: dict[str, Fact] = dict(nest.facts)
    facts |= {name: ArrayFact(None, 1) for name in (*names, *marks.values())}
    whole = Workspace("", "", None, "", (head.size,), 0, head.place, collected=True)
    made = [replace(whole, name=n, of=n, kept=marks.get(n, "")) for n in sorted(names)]
    made += [replace(whole, name=mark, of=n, marks=True) for n, mark in marks.items()]
    return Collected(loop, replace(nest, facts=facts), tuple(made), (head.count,), ())


def _listed(made: ast.AST | list[ast.stmt]) -> list[ast.stmt]:
    return made if isinstance(made, list) else [made]  # type: ignore[list-item]


def _filled(body: Sequence[ast.stmt]) -> frozenset[str]:
    """The names of lists to which statements append, and of which they do no more."""
    found = {name for node in walk(body) if (name := _list_of(node)) is not None}
    appends = [_list_of(node) for node in walk(body)]
    return frozenset(name for name in found if mentions(body, name) == appends.count(name))


def _list_of(node: ast.AST) -> str | None:
    """The name in the statement ``out.append(value)``, of a number as far as the text tells."""
    call = node.value if isinstance(node, ast.Expr) else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return None
    owner, given = call.func.value, call.args
    wide = (ast.Tuple, ast.List, ast.Dict, ast.Starred, ast.Set)
    plain = call.func.attr == "append" and not call.keywords and len(given) == 1
    if not isinstance(owner, ast.Name) or not plain or isinstance(given[0], wide):
        return None
    return owner.id


def _becomes_array(nest: LoopNest, node: ast.For, name: str) -> bool:
    """Whether a name is an empty list before a loop, and after it nothing but an array's items."""
    if any(mentions([one], name) for one in _scopes(nest.function)) or _shared(nest, name):
        return False
    block = next((b for b in _blocks(nest.function) if any(s is node for s in b)), [])
    at = next((k for k, s in enumerate(block) if s is node), 0)
    made = next((s for s in reversed(block[:at]) if mentions([s], name)), None)
    if made is None or not _makes_empty_list(made, name, nest.facts):
        return False
    seen = mentions([made, node], name)
    # ``np.asarray`` makes one of a list each time, and of an array none: it may stand there once
    uses = [one for one in block[at + 1 :] if mentions([one], name)]
    once = mentions(uses, name) == 1 and isinstance(uses[0], _SIMPLE)
    paths = makers().of_items if once else makers().copies_of_items
    for position, statement in enumerate(block[at + 1 :], at + 1):
        used = _made_array(statement, name, nest.facts, paths)
        if used != mentions([statement], name) - _binds(statement, name):
            return False
        seen += used
        if _binds(statement, name):
            # what the name holds from there on is another thing
            behind = mentions(block[position:], name) - used
            return bool(used) and seen + behind == mentions([nest.function], name)
    return seen > mentions([made, node], name) and seen == mentions([nest.function], name)


def _scopes(function: ast.AST) -> list[ast.AST]:
    """What of a function runs at another time, or several times."""
    return [n for n in ast.walk(function) if isinstance(n, _SCOPES) and n is not function]


def _shared(nest: LoopNest, name: str) -> bool:
    """Whether other functions have the name, too."""
    declared = (n for n in ast.walk(nest.function) if isinstance(n, ast.Global | ast.Nonlocal))
    return any(name in one.names for one in declared)


def _blocks(function: ast.AST) -> list[list[ast.stmt]]:
    """The lists of statements of a function."""
    return [
        value
        for node in ast.walk(function)
        for _, value in ast.iter_fields(node)
        if isinstance(value, list) and value and isinstance(value[0], ast.stmt)
    ]


def _makes_empty_list(node: ast.stmt, name: str, facts: Mapping[str, Fact]) -> bool:
    """``out = []``, ``out = list()``, ``out, other = [], []``."""
    value = each_bound(node).get(name)
    if isinstance(value, ast.Call):
        plain = not value.args and not value.keywords
        return plain and function_path(value.func, facts) == "builtins.list"
    return value is not None and is_empty_list(value)


def _made_array(
    statement: ast.stmt, name: str, facts: Mapping[str, Fact], paths: frozenset[str]
) -> int:
    """How often a statement makes an array of the list by one of these functions."""
    return sum(
        isinstance(node, ast.Call)
        and function_path(node.func, facts) in paths
        and len(node.args) == 1
        and isinstance(node.args[0], ast.Name)
        and node.args[0].id == name
        and all(one.arg == "dtype" and _holds_numbers(one.value, facts) for one in node.keywords)
        for node in walk([statement])
    )


def _holds_numbers(node: ast.expr, facts: Mapping[str, Fact]) -> bool:
    """``float``, ``np.float64``, ``bool``: what numbers of a list and of an array become alike."""
    return function_path(node, facts) in makers().any_number


def _binds(statement: ast.stmt, name: str) -> int:
    """1 for ``name = ...``; other ways to bind it do not count."""
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return 0
    target = statement.targets[0]
    return int(isinstance(target, ast.Name) and target.id == name)


def _marked(node: ast.For, name: str, fresh: Fresh) -> str:
    """A name for what marks the iterations that append to a list; empty where each does so once.

    Raises
    ------
    Refused
        Where one may append several items, or end the loop.
    """
    fewest, most = _appends(node.body, name)
    leaving = [type(one) for one in walk(node.body) if isinstance(one, _LEAVING)]
    if (fewest, most) == (1, 1) and not leaving:
        return ""
    if most <= 1 and {*leaving} <= {ast.Continue}:
        return fresh.exactly(f"{name}_marks")
    first = next(n for n in walk(node.body) if _list_of(n) == name)
    raise Refused(
        SIDE_EFFECT,
        first,
        f"`{ast.unparse(first)}` may run several times in an iteration, or others end the loop, so "
        "that where an item stands depends on the iterations before",
    )


def _appends(body: Sequence[ast.stmt], name: str) -> tuple[int, int]:
    """How often statements append to a list: at least, and at most."""
    fewest = most = 0
    for statement in body:
        if isinstance(statement, ast.If):
            ways = [_appends(way, name) for way in (statement.body, statement.orelse)]
            fewest += min(least for least, _ in ways)
            most += max(highest for _, highest in ways)
        elif _list_of(statement) == name:
            fewest, most = fewest + 1, most + 1
        elif mentions([statement], name):
            most += 2  # in a loop, say
    return fewest, most


def _counted(node: ast.For, facts: Mapping[str, Fact], fresh: Fresh) -> _Counted | None:
    """A loop's head with numbers for its iterations; None where they are not known before."""
    call = node.iter
    path = function_path(call.func, facts) if isinstance(call, ast.Call) else None
    if isinstance(call, ast.Call) and path == "builtins.range" and not call.keywords:
        return _range(node, call)
    target, iterated = node.target, call
    index = ""
    if isinstance(call, ast.Call) and path == "builtins.enumerate":
        pair = target.elts if isinstance(target, ast.Tuple) else []
        if len(pair) != 2 or len(call.args) != 1 or call.keywords:
            return None
        first, target = pair
        iterated = call.args[0]
        if not isinstance(first, ast.Name) or first.id in stored([target, *node.body]):
            return None
        index = first.id
    length = _length(iterated, facts)
    if length is None:
        return None
    name = index or fresh.name("i")
    both = ast.Tuple([ast.Name(name, ast.Store()), syntax.copied(target)], ast.Store())
    over = parse(f"enumerate({ast.unparse(iterated)})", call)
    for made in ast.walk(both):
        ast.copy_location(made, node.target)
    return _Counted(both, over, name, length, length)


def _range(node: ast.For, call: ast.Call) -> _Counted | None:
    """``range(a, b)``, steps of 1."""
    start, stop, step = range_arguments(call)
    if constant_int(step) != 1 or not isinstance(node.target, ast.Name):
        return None
    name, first, last = node.target.id, ast.unparse(start), ast.unparse(stop)
    if name in stored(node.body):
        return None
    if constant_int(start) == 0:
        size = last if is_length(stop) else decided(f"max({last}, 0)")
        return _Counted(node.target, call, name, last, size)
    begin = first if isinstance(start, ast.Constant | ast.Name) else f"({first})"
    count = f"{last} - {begin}"
    size = decided(f"max({count}, 0)")
    return _Counted(node.target, call, f"{name} - {begin}", count, size)


def _length(node: ast.expr, facts: Mapping[str, Fact]) -> str | None:
    """How many items a loop goes over."""
    if isinstance(node, ast.Call) and function_path(node.func, facts) == "builtins.zip":
        parts = [_length(one, facts) for one in node.args]
        texts = list(dict.fromkeys(parts))
        if node.keywords or not parts or None in texts:
            return None
        return texts[0] if len(texts) == 1 else f"min({', '.join(map(str, texts))})"
    try:
        return ast.unparse(source(node, facts).length)
    except Refused:
        return None


class _Stores(ast.NodeTransformer):
    """Puts ``out[place] = value`` for ``out.append(value)``."""

    def __init__(self, names: frozenset[str], place: str, marks: Mapping[str, str]) -> None:
        self.names, self.place, self.marks = names, place, marks

    def visit_Expr(self, node: ast.Expr) -> ast.AST | list[ast.stmt]:
        """A statement that appends."""
        name = _list_of(node)
        if name not in self.names:
            return node
        assert isinstance(node.value, ast.Call)
        stored = self._stored(name or "", node.value.args[0], node)
        return [stored, *(self.marked(mark, True, node) for mark in self._mark(name or ""))]

    def marked(self, mark: str, appends: bool, node: ast.stmt) -> ast.stmt:
        """What says whether the iteration appends."""
        return self._stored(mark, ast.copy_location(ast.Constant(appends), node), node)

    def _mark(self, name: str) -> list[str]:
        return [self.marks[name]] if name in self.marks else []

    def _stored(self, name: str, value: ast.expr, node: ast.stmt) -> ast.stmt:
        target = parse(f"{name}[{self.place}]", node)
        assert isinstance(target, ast.Subscript)
        target.ctx = ast.Store()
        return ast.copy_location(ast.Assign([target], value), node)
