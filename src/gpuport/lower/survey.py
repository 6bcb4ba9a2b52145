"""One walk over a file before it is lowered: scopes, what blocks do with names, what is not known.

The walk goes in the order in which Python evaluates, so that a block can tell whether a name is
assigned before it is read.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from gpuport._frozen import frozen
from gpuport.lower.blocks import Block
from gpuport.lower.scopes import Kind, Scope
from gpuport.source.syntax import children

#: Nodes below one another, and regions in one another, that lowering and what follows bear.
DEEPEST_NODE, DEEPEST_REGION = 900, 100

Place = tuple[ast.stmt, Scope]
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@frozen
class Mark:
    """Something that is not lowered, and the statements around it, the outermost first."""

    reason: str
    around: tuple[Place, ...]
    whole: bool = False  #: whether names in it are not told apart by function


@frozen
class Reading:
    """A use of a built-in function that sees the frame of its caller."""

    node: ast.Name
    call: ast.Call | None
    scope: Scope
    around: tuple[Place, ...]


class Survey:
    """What is known of a file before it is lowered.

    Attributes
    ----------
    module : Scope
    blocks : dict
        Loops and comprehensions, each with what it does with names.
    frames : list
        The scopes of functions and of the module, with the blocks that they are.
    lazy : list
        Generator expressions that are the only argument of a call: scope, call, scope around.
    readings : list of Reading
    marks : list of Mark
    stars : list of str
        Modules of which everything is imported.
    """

    def __init__(self, tree: ast.Module) -> None:
        self._count = 0
        self.blocks: dict[ast.AST, Block] = {}
        self.frames: list[tuple[Scope, Block]] = []
        self.lazy: list[tuple[Scope, ast.Call, Scope]] = []
        self.readings: list[Reading] = []
        self.marks: list[Mark] = []
        self.stars: list[str] = []
        self.around: list[Place] = []
        self.depth = self.regions = 0
        self.block = Block()
        self.module = self.scope = Scope(Kind.MODULE, tree, None, 0)
        self.frames.append((self.module, self.block))
        self.body(tree.body)

    # -- walking

    def visit(self, node: ast.AST | None) -> None:
        """Visit a node in the order of evaluation."""
        if node is None:
            return
        visitor = VISITORS.get(node.__class__)
        self.depth += 1
        if self.depth > DEEPEST_NODE or self.regions > DEEPEST_REGION:
            self._give_up(node)
        elif visitor is not None:
            visitor(self, node)
        elif node.__class__ in PLAIN:
            self.all(children(node))
        else:
            self.mark(f"{type(node).__name__} is not known")
            self.all(children(node))
        self.depth -= 1

    def all(self, nodes: Iterable[ast.AST | None]) -> None:
        """Visit nodes one after the other."""
        for node in nodes:
            self.visit(node)

    def body(self, statements: list[ast.stmt]) -> None:
        """Visit statements, each known to what is in it."""
        for statement in statements:
            self.around.append((statement, self.scope))
            self.visit(statement)
            self.around.pop()

    def nested(
        self, visit: Callable[[], None], *, block: Block | None = None, is_loop: bool = False
    ) -> Block:
        """Visit what may run or not, as a block of its own."""
        outer, self.block = self.block, block or Block()
        self.regions += 1
        visit()
        self.regions -= 1
        inner, self.block = self.block, outer
        outer.close(inner, is_loop=is_loop)
        return inner

    def _give_up(self, node: ast.AST) -> None:
        """Note the names of what is nested too deeply, without going on."""
        whole = False
        for inner in ast.walk(node):
            if isinstance(inner, ast.Name):
                self.name(inner)
            whole = whole or isinstance(inner, BINDERS)
        self.mark("it is nested too deeply", whole=whole)

    def mark(
        self, reason: str, around: Iterable[Place] | None = None, *, whole: bool = False
    ) -> None:
        """Note that something in the innermost statement is not lowered."""
        self.marks.append(Mark(reason, tuple(self.around if around is None else around), whole))

    # -- scopes

    def enter(self, kind: Kind, node: ast.AST) -> Scope:
        """Make a scope below the current one and go there; the answer is the current one."""
        outer = self.scope
        self._count += 1
        self.scope = outer.children[node] = Scope(kind, node, outer, self._count)
        self.scope.depth = len(self.around)
        return outer

    def frame(self, node: ast.AST, parameters: Iterable[str], visit: Callable[[], None]) -> None:
        """Visit the body of a function."""
        outer, block, regions = self.enter(Kind.FUNCTION, node), self.block, self.regions
        self.block, self.regions = Block(), 0
        self.frames.append((self.scope, self.block))
        for name in parameters:
            self.bind(name)
        visit()
        self.scope, self.block, self.regions = outer, block, regions

    # -- names

    def bind(self, name: str, path: str | None = None, *, surely: bool = True) -> None:
        """Note that a name is bound, to what an import gives or to something else."""
        scope = self.scope
        name = scope.mangled(name)
        if name in scope.globals:
            self.module.paths[name] = None
        else:
            same = scope.paths.get(name, path) == path
            scope.paths[name] = path if same else None
            scope.bound.add(name)
        if scope.kind in (Kind.MODULE, Kind.FUNCTION):
            self.block.store(name, surely=surely)

    def name(self, node: ast.Name) -> None:
        """Note a use of a name."""
        name = self.scope.mangled(node.id)
        if isinstance(node.ctx, ast.Load):
            self.read(name)
        elif isinstance(node.ctx, ast.Store):
            self.bind(node.id)
        else:
            self.bind(node.id)
            self.scope.used.add(name)
            if self.scope.kind in (Kind.MODULE, Kind.FUNCTION):
                self.block.delete(name)

    def read(self, name: str) -> None:
        """Note that a name is read."""
        self.scope.used.add(name)
        self.block.load(name)


#: Nodes that say nothing of names: what is below them is visited in the order of the text.
PLAIN: set[type[ast.AST]] = {
    ast.Constant, ast.UnaryOp, ast.Subscript, ast.Slice, ast.Tuple, ast.List, ast.Set, ast.Dict,
    ast.Starred, ast.JoinedStr, ast.FormattedValue, ast.keyword, ast.Expr, ast.Return, ast.Delete,
    ast.Raise, ast.Assert, ast.Pass, ast.withitem, ast.MatchValue, ast.MatchSingleton,
    ast.MatchSequence, ast.MatchClass, ast.MatchOr,
}  # fmt: skip
#: Nodes that open a scope.
BINDERS = (
    ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda, ast.ListComp, ast.SetComp,
    ast.DictComp, ast.GeneratorExp,
)  # fmt: skip

VISITORS: dict[type[ast.AST], Callable[[Survey, Any], None]] = {}
Node = TypeVar("Node", bound=ast.AST)


def visits(
    *kinds: type[ast.AST],
) -> Callable[[Callable[[Survey, Node], None]], Callable[[Survey, Node], None]]:
    """Register how nodes of these kinds are visited."""

    def register(visitor: Callable[[Survey, Node], None]) -> Callable[[Survey, Node], None]:
        VISITORS.update(dict.fromkeys(kinds, visitor))
        return visitor

    return register


def listed(arguments: ast.arguments) -> list[ast.arg]:
    """The parameters of a function in the order of its frame's slots here."""
    found = [*arguments.posonlyargs, *arguments.args]
    found += [arguments.vararg] if arguments.vararg else []
    return found + arguments.kwonlyargs + ([arguments.kwarg] if arguments.kwarg else [])


def parameters(arguments: ast.arguments) -> list[str]:
    """The names of the parameters of a function."""
    return [argument.arg for argument in listed(arguments)]


def defaults(survey: Survey, arguments: ast.arguments) -> None:
    """Visit what a definition evaluates for its parameters."""
    survey.all(arguments.defaults)
    survey.all(arguments.kw_defaults)
    survey.all([argument.annotation for argument in listed(arguments)])
