"""One walk over a file before it is lowered: scopes, what blocks do with names, what is not known.

The walk goes in the order in which Python evaluates, so that a block can tell whether a name is
assigned before it is read.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from gpuport._frozen import frozen
from gpuport.lower.blocks import Block, Protected
from gpuport.lower.knowledge import FRAME_READERS, OWN_NAMESPACE
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
    protected : list of Protected
        Of the block of each frame.
    loads : dict
        How often each frame reads each name.
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

    @property
    def protected(self) -> list[Protected]:
        """The protected regions of all frames."""
        return [one for _, block in self.frames for one in block.protected]


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


@visits(ast.Name)
def _name(survey: Survey, node: ast.Name) -> None:
    survey.name(node)
    if not isinstance(node.ctx, ast.Load):
        return
    if node.id in FRAME_READERS or node.id == "globals":
        survey.readings.append(Reading(node, None, survey.scope, tuple(survey.around)))
    elif node.id == "super":
        survey.scope.used.add("__class__")


@visits(ast.Attribute)
def _attribute(survey: Survey, node: ast.Attribute) -> None:
    if node.attr in OWN_NAMESPACE:
        survey.module.is_reflective = True
    survey.visit(node.value)


@visits(ast.Call)
def _call(survey: Survey, node: ast.Call) -> None:
    if isinstance(node.func, ast.Name) and (
        node.func.id in FRAME_READERS or node.func.id == "globals"
    ):
        survey.name(node.func)
        survey.readings.append(Reading(node.func, node, survey.scope, tuple(survey.around)))
    else:
        survey.visit(node.func)
    survey.all(node.args)
    survey.all(node.keywords)
    if len(node.args) == 1 and not node.keywords and isinstance(node.args[0], ast.GeneratorExp):
        generator = survey.scope.children.get(node.args[0])
        if generator is not None:
            survey.lazy.append((generator, node, survey.scope))


@visits(ast.BinOp)
def _binary(survey: Survey, node: ast.BinOp) -> None:
    """Long sums are deep on the left; going down there in a loop spares the stack."""
    right: list[ast.expr] = []
    left: ast.expr = node
    while isinstance(left, ast.BinOp):
        right.append(left.right)
        left = left.left
    survey.visit(left)
    survey.all(reversed(right))


@visits(ast.BoolOp)
def _boolean(survey: Survey, node: ast.BoolOp) -> None:
    survey.visit(node.values[0])
    _each_deeper(survey, node.values[1:])


@visits(ast.Compare)
def _compare(survey: Survey, node: ast.Compare) -> None:
    survey.visit(node.left)
    survey.visit(node.comparators[0])
    _each_deeper(survey, node.comparators[1:])


@visits(ast.IfExp)
def _conditional(survey: Survey, node: ast.IfExp) -> None:
    survey.visit(node.test)
    for value in (node.body, node.orelse):
        survey.nested(lambda value=value: survey.visit(value))  # type: ignore[misc]


def _each_deeper(survey: Survey, nodes: list[ast.expr]) -> None:
    """Visit what is only evaluated when all before it let it be."""
    for node in nodes:
        survey.regions += 1
        survey.visit(node)
    survey.regions -= len(nodes)


@visits(ast.NamedExpr)
def _walrus(survey: Survey, node: ast.NamedExpr) -> None:
    survey.visit(node.value)
    inner = survey.scope
    while isinstance(
        survey.scope.node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
    ):
        assert survey.scope.parent is not None
        survey.scope = survey.scope.parent
    survey.bind(node.target.id, surely=False)
    if survey.scope is not inner and survey.scope.kind is Kind.MODULE:
        survey.scope.cells.add(node.target.id)  # a lazy generator may assign it at any time
    survey.scope = inner
    survey.scope.used.add(survey.scope.mangled(node.target.id))


@visits(ast.Yield, ast.YieldFrom, ast.Await)
def _yield(survey: Survey, node: ast.Yield | ast.YieldFrom | ast.Await) -> None:
    survey.scope.activation.is_generator = True
    survey.visit(node.value)


@visits(ast.Lambda)
def _lambda(survey: Survey, node: ast.Lambda) -> None:
    _defaults(survey, node.args)
    survey.frame(node, parameters(node.args), lambda: survey.visit(node.body))


@visits(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
def _comprehension(
    survey: Survey, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
) -> None:
    survey.visit(node.generators[0].iter)
    regions = sum(1 + len(generator.ifs) for generator in node.generators)
    survey.regions += regions

    def visit() -> None:
        outer = survey.enter(Kind.COMPREHENSION, node)
        for place, generator in enumerate(node.generators):
            if generator.is_async:
                survey.mark("it has an asynchronous comprehension")
            if place:
                survey.visit(generator.iter)
            survey.visit(generator.target)
            survey.all(generator.ifs)
        if isinstance(node, ast.DictComp):
            survey.visit(node.key)
            survey.visit(node.value)
        else:
            survey.visit(node.elt)
        survey.scope = outer

    survey.blocks[node] = survey.nested(visit, is_loop=True)
    survey.regions -= regions


def _defaults(survey: Survey, arguments: ast.arguments) -> None:
    survey.all(arguments.defaults)
    survey.all(arguments.kw_defaults)


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
    _defaults(survey, arguments)
    survey.all([argument.annotation for argument in listed(arguments)])
