"""Plain names of a loop: which are assigned before they are read, and which outlive it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile

from gpuport.loops.heads.counting import leaves
from gpuport.loops.names import constant_int, dotted, loaded, stored, walk

SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def free_names(scope: ast.AST) -> frozenset[str]:
    """Names that a function, a lambda or a class reads and does not bind itself.

    Parameters
    ----------
    scope : ast.AST
        One of `SCOPES`. What is evaluated where it is defined, its defaults and decorators, is
        not among its names.
    """
    reads, bound, declared = set[str](), set[str](), set[str]()
    for node in _own(scope):
        if isinstance(node, SCOPES):
            reads |= free_names(node) | loaded(evaluated_with(node))
            bound.add(getattr(node, "name", ""))
        elif isinstance(node, ast.Global | ast.Nonlocal):
            declared.update(node.names)
        elif isinstance(node, _COMPREHENSIONS):
            reads |= loaded([node])  # its variables are its own, and bind nothing here
        elif isinstance(node, ast.AugAssign):
            reads |= loaded([node.target])
        elif isinstance(node, ast.Name):
            (reads if isinstance(node.ctx, ast.Load) else bound).add(node.id)
    if isinstance(scope, ast.ClassDef):
        return frozenset(reads)  # a name that its body has not bound yet is that of the module
    arguments = ast.walk(scope.args)  # type: ignore[attr-defined]
    bound |= {one.arg for one in arguments if isinstance(one, ast.arg)}
    return frozenset(reads - (bound - declared))


def _own(scope: ast.AST) -> Iterator[ast.AST]:
    """What stands in a scope itself, those inside it as they are."""
    body = scope.body if isinstance(scope.body, list) else [scope.body]  # type: ignore[attr-defined]
    waiting: list[ast.AST] = list(body)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, (*SCOPES, *_COMPREHENSIONS)):
            waiting += ast.iter_child_nodes(node)


def evaluated_with(scope: ast.AST) -> Iterator[ast.AST]:
    """What of a definition is evaluated where it stands: decorators, defaults, annotations."""
    inner = scope.body if isinstance(scope.body, list) else [scope.body]  # type: ignore[attr-defined]
    yield from (one for one in ast.iter_child_nodes(scope) if one not in inner)


Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Module


def exposed(body: Sequence[ast.stmt]) -> set[str]:
    """Names that these statements may read before they have assigned them."""
    found: set[str] = set()
    _assigned(body, frozenset(), found)
    return found


def surely_assigned(body: Sequence[ast.stmt]) -> frozenset[str]:
    """Names that these statements have assigned whenever they are done, on each way through."""
    if leaves(body):
        return frozenset()
    return _assigned(body, frozenset(), set()) or frozenset()


def _assigned(
    body: Sequence[ast.stmt], done: frozenset[str], found: set[str]
) -> frozenset[str] | None:
    """Names surely assigned after the statements; None where nothing comes after them."""
    for node in body:
        if isinstance(node, ast.Break | ast.Continue | ast.Return):
            return None
        if isinstance(node, ast.If):
            found |= loaded([node.test]) - done
            first = _assigned(node.body, done, found)
            second = _assigned(node.orelse, done, found)
            if first is None and second is None:
                return None
            branches = [branch for branch in (first, second) if branch is not None]
            done = frozenset.intersection(*branches)
        elif isinstance(node, ast.For):
            found |= loaded([node.iter]) - done
            _assigned(node.body, done | stored([node.target]), found)
            if surely_runs(node.iter):
                once = _assigned(_straight(node.body), done | stored([node.target]), set())
                done = done if once is None else once
        elif isinstance(node, ast.While):
            found |= loaded([node.test]) - done
            _assigned(node.body, done, found)
        else:
            found |= loaded([node]) - done
            done = done | stored([node])
    return done


def surely_runs(iterated: ast.expr) -> bool:
    """Whether this is a ``range`` of literals that is not empty."""
    if not isinstance(iterated, ast.Call) or dotted(iterated.func) != "range":
        return False
    literals = [constant_int(one) for one in iterated.args]
    known = [one for one in literals if one is not None]
    return len(known) == len(literals) and known[2:] != [0] and bool(range(*known))


def _straight(body: Sequence[ast.stmt]) -> list[ast.stmt]:
    """The statements of a loop's body before the first that may leave or end an iteration."""
    return list(takewhile(lambda one: not leaves([one]), body))


def outermost_loops(node: Function | ast.For | ast.While) -> list[ast.For | ast.While]:
    """The outermost loops inside of a function or a loop, in the order of the text.

    Loops of nested functions belong to those.
    """
    found: list[ast.For | ast.While] = []

    def search(parent: ast.AST) -> None:
        for child in ast.iter_child_nodes(parent):
            if isinstance(child, ast.For | ast.While):
                found.append(child)
            elif not isinstance(child, SCOPES):
                search(child)

    search(node)
    return found


def live_after(function: Function, node: ast.For | ast.While) -> frozenset[str]:
    """Names bound in a loop whose values may be read after it.

    Parameters
    ----------
    function : ast.FunctionDef, ast.AsyncFunctionDef or ast.Module
        What encloses the loop; for a module, its functions count as readers.
    node : ast.For or ast.While
        A loop of the function, at any depth.
    """
    return frozenset(stored([node]) & read_after(function, node))


def read_after(function: Function, node: ast.stmt) -> frozenset[str]:
    """Names whose values at the end of a statement of the function may be read after it."""
    return _outliving(function).union(*_after_statements(function).get(id(node), ()))


@lru_cache(maxsize=4)  # asked for each loop of a function
def _after_statements(function: Function) -> Mapping[int, Sequence[frozenset[str]]]:
    """What is live after each statement of a function, by its id, on each way out of it."""
    liveness = _Liveness()
    liveness.block(function.body, _Out(frozenset(), frozenset(), frozenset()))
    return liveness.after


@lru_cache(maxsize=4)
def _outliving(function: Function) -> frozenset[str]:
    """Names that others may read at any time: functions inside, and who shares a global."""
    found: set[str] = set()
    for child in walk([function]):
        if isinstance(child, SCOPES) and child is not function:
            found |= free_names(child)
        elif isinstance(child, ast.Global | ast.Nonlocal):
            found.update(child.names)
    return frozenset(found)


@dataclass(frozen=True)
class _Out:
    """What is live where control may go from a block."""

    next: frozenset[str]
    after_loop: frozenset[str]
    loop_head: frozenset[str]


class _Liveness:
    """Live names, backwards through structured statements."""

    def __init__(self) -> None:
        self.after: dict[int, list[frozenset[str]]] = {}
        self._loaded: dict[int, frozenset[str]] = {}  # bodies of loops are gone through again

    def _reads(self, node: ast.AST) -> frozenset[str]:
        found = self._loaded.get(id(node))
        if found is None:
            found = self._loaded[id(node)] = frozenset(loaded([node]))
        return found

    def block(self, body: Sequence[ast.stmt], out: _Out) -> frozenset[str]:
        """What is live before the statements."""
        live = out.next
        for node in reversed(body):
            live = self._statement(node, _Out(live, out.after_loop, out.loop_head))
        return live

    def _statement(self, node: ast.stmt, out: _Out) -> frozenset[str]:
        self.after.setdefault(id(node), []).append(out.next)
        if isinstance(node, ast.If):
            branches = self.block(node.body, out) | self.block(node.orelse, out)
            return branches | self._reads(node.test)
        if isinstance(node, ast.For | ast.AsyncFor | ast.While):
            return self._loop(node, out)
        if isinstance(node, ast.With | ast.AsyncWith):
            heads = [item.context_expr for item in node.items]
            return self.block(node.body, out) | loaded(heads)
        if isinstance(node, ast.Try | ast.TryStar | ast.Match):
            return self._any_order(node, out)
        if isinstance(node, ast.Return | ast.Raise):
            return self._reads(node)
        if isinstance(node, ast.Break):
            return out.after_loop
        if isinstance(node, ast.Continue):
            return out.loop_head
        if isinstance(node, SCOPES):
            once = [node] if isinstance(node, ast.ClassDef) else evaluated_with(node)
            return out.next | loaded(once)
        return (out.next - self._surely_stored(node)) | self._reads(node)

    def _surely_stored(self, node: ast.stmt) -> set[str]:
        if isinstance(node, ast.Assign):
            targets: Iterable[ast.expr] = node.targets
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            targets = [node.target]
        else:
            return set()
        return stored(targets)

    def _loop(self, node: ast.For | ast.AsyncFor | ast.While, out: _Out) -> frozenset[str]:
        finished = self.block(node.orelse, out)
        if isinstance(node, ast.While):
            tested, bound = self._reads(node.test), set()
        else:
            tested, bound = self._reads(node.iter), stored([node.target])
        head = finished | (tested if isinstance(node, ast.While) else frozenset())
        while True:
            inside = self.block(node.body, _Out(head, out.next, head)) - bound
            grown = head | inside
            if grown == head:
                break
            head = grown
        return head | tested

    def _any_order(self, node: ast.stmt, out: _Out) -> frozenset[str]:
        """Where control may jump: everything that is read anywhere inside is live throughout."""
        everything = self._reads(node) | out.next | out.after_loop | out.loop_head
        inside = _Out(everything, everything, everything)
        for child in walk([node]):
            for _, value in ast.iter_fields(child):
                if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                    self.block(value, inside)
        return everything
