"""Which functions changed between two versions of a file, callees included."""

from __future__ import annotations

import ast
import re
import symtable
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from gpuport.verify.sides.blocklengths import block_lengths
from gpuport.verify.sides.circumstances import STACKS
from gpuport.verify.sides.literals import literals_of, module_constants
from gpuport.verify.sides.originals import Located
from gpuport.verify.sides.programs import is_of_program

RANK, ITEMS = "rank ", "items of rank "
"""What a guard of stacks wants: an array with so many axes, a list of such."""

_DEVICE_WORDS = re.compile(r"\bcp\b|\bcupyx?\b|@device\b|@runtime\.device\b|@\w*kernel\(")


class Version:
    """One version of a file, by definition: source text and names used."""

    def __init__(self, text: str, place: Located) -> None:
        self.text = text
        self.place = place
        self.tree = ast.parse(text)
        self.nodes: dict[str, ast.AST] = {}
        self.globals: dict[str, list[str]] = {}
        self.classes: set[str] = set()
        for node in self.tree.body:
            self._define(node)

    def _define(self, node: ast.stmt) -> None:
        segment = self._segment(node)
        for name in _bound(node):
            self.globals.setdefault(name, []).append(segment)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            self.nodes[node.name] = node
        elif isinstance(node, ast.ClassDef):
            self.classes.add(node.name)
            for item in node.body:
                if isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef):
                    self.nodes[f"{node.name}.{item.name}"] = item

    def _segment(self, node: ast.AST) -> str:
        # unparsed: decorators are in, and comments and blank lines make no change
        return ast.unparse(node)

    def source(self, function: str) -> str:
        """A function's own text."""
        return self._segment(self.nodes[function])

    def reach(self, function: str) -> dict[str, tuple[str, ...]]:
        """Text of every module-level definition that the function can reach in this file."""
        found: dict[str, tuple[str, ...]] = {function: (self.source(function),)}
        owner = function.partition(".")[0]
        todo = {*_names(self.source(function)), *((owner,) if "." in function else ())}
        while todo:
            name = todo.pop()
            if name in found or name not in self.globals:
                continue
            found[name] = tuple(self.globals[name])
            todo |= {used for text in found[name] for used in _names(text)}
        return found


@lru_cache(maxsize=4096)
def _names(text: str) -> frozenset[str]:
    """What a definition asks its module for: a parameter or variable of such a name is another."""
    try:
        tables = [symtable.symtable(text, "<text>", "exec")]
    except SyntaxError:  # a statement that stands alone only for the parser
        return frozenset(n.id for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Name))
    found: set[str] = set()
    while tables:
        table = tables.pop()
        tables += table.get_children()
        top = table.get_type() == "module"
        found |= {s.get_name() for s in table.get_symbols() if top or s.is_global()}
    return frozenset(found)


def _bound(node: ast.stmt) -> set[str]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {node.name}
    if isinstance(node, ast.Import | ast.ImportFrom):
        return {alias.asname or alias.name.partition(".")[0] for alias in node.names}
    stored = {
        part.id
        for part in ast.walk(node)
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
    }
    for part in ast.walk(node):
        if part is not node and isinstance(part, ast.stmt) and isinstance(node, ast.If | ast.Try):
            stored |= _bound(part)
    return stored


def unchanged(original: Version, port: Version, function: str) -> bool:
    """Whether neither the function nor anything it reaches differs, siblings included."""
    if function not in port.nodes:
        return False
    if original.reach(function) != port.reach(function):
        return False
    return not _siblings_differ(original, function, port)


def _siblings_differ(original: Version, function: str, port: Version) -> bool:
    """Whether another file differs that the function's text imports, or that these import."""
    first, second = original.place.root, port.place.root
    texts = (text for texts in original.reach(function).values() for text in texts)
    own = original.place
    package = own.file.name == "__init__.py"
    todo = [path for text in texts for path in _imported(text, own.module, package)]
    seen: set[Path] = set()
    while todo:
        relative = todo.pop()
        if relative in seen:
            continue
        seen.add(relative)
        old = _read(first / relative)
        if old != _read(second / relative):
            return True
        if old is not None:
            todo += _imported(old, _module_of(relative), relative.name == "__init__.py")
    return False


def _module_of(relative: Path) -> str:
    parts = relative.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@lru_cache(maxsize=512)
def _imported(text: str | bytes, module: str, package: bool) -> tuple[Path, ...]:
    """Files, seen from the root, that the imports in a text may mean; nothing of a broken one."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return ()
    names = [name for node in ast.walk(tree) for name in _modules(node, module, package)]
    files = [Path(*name.split(".")) for name in names if name]
    return tuple(p for f in files for p in (f.with_suffix(".py"), f / "__init__.py"))


def _modules(node: ast.AST, module: str, package: bool) -> list[str]:
    """Modules that one import means."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if not isinstance(node, ast.ImportFrom):
        return []
    parts = module.split(".")
    levels = node.level - package  # a package is the place of its own ``__init__``
    inside = parts[: len(parts) - levels] if node.level else []
    base = ".".join([*inside, *([node.module] if node.module else [])])
    return [base, *(f"{base}.{alias.name}".lstrip(".") for alias in node.names)]


def _read(file: Path) -> bytes | None:
    return file.read_bytes() if file.is_file() else None


def parameters_differ(original: ast.AST, port: ast.AST) -> str | None:
    """How a function's parameters became others: names, order, kinds, or literal defaults."""
    first, second = _parameters(original), _parameters(port)
    if len(first) == len(second) and all(map(_same_parameter, first, second)):
        return None
    return f"its parameters ({_shown(first)}) became ({_shown(second)})"


_ParameterText = tuple[str, str, ast.expr | None]


def _parameters(node: ast.AST) -> list[_ParameterText]:
    """Kind, name and default of each."""
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return []
    given = node.args
    plain = [("positional", a.arg) for a in given.posonlyargs] + [("", a.arg) for a in given.args]
    gap = len(plain) - len(given.defaults)
    defaults: list[ast.expr | None] = [*([None] * gap), *given.defaults]
    found = [(kind, name, d) for (kind, name), d in zip(plain, defaults, strict=True)]
    found += [("*", given.vararg.arg, None)] if given.vararg else []
    pairs = zip(given.kwonlyargs, given.kw_defaults, strict=True)
    found += [("keyword", a.arg, d) for a, d in pairs]
    return found + ([("**", given.kwarg.arg, None)] if given.kwarg else [])


def _same_parameter(first: _ParameterText, second: _ParameterText) -> bool:
    if first[:2] != second[:2] or (first[2] is None) != (second[2] is None):
        return False
    literal = isinstance(first[2], ast.Constant) and isinstance(second[2], ast.Constant)
    return not literal or ast.dump(first[2]) == ast.dump(second[2])  # type: ignore[arg-type]


def _shown(parameters: list[_ParameterText]) -> str:
    return ", ".join(
        name + ("" if default is None else f"={ast.unparse(default)}")
        for _, name, default in parameters
    )


@dataclass(frozen=True, slots=True)
class PortFacts:
    """What the port's text says about a function.

    ``device_code``: it names CuPy or a kernel, or has a boundary, so that some examples must reach
    the device; ``reaches_device``: it does, or what it calls. ``bounded``: it has a boundary.
    ``internal``: it has none, and its callers may hold device arrays: it is private, or part of a
    program that is run, called from elsewhere in it or a method. ``device_result``: its boundary
    always answers with CuPy. ``arrays`` are the parameters that the boundary names: those that are
    tried as arrays first.
    ``guarded``: something of the file stands beside a kernel, for where it may not be launched.
    ``guards``: which parameters the function's own kernels want as what. ``blocks``: numbers that
    it may cut long arrays into. ``literals``: numbers that its text holds.
    """

    device_code: bool = False
    reaches_device: bool = False
    bounded: bool = False
    internal: bool = False
    device_result: bool = False
    arrays: tuple[str, ...] = ()
    guarded: bool = False
    guards: tuple[Mapping[str, str], ...] = ()
    blocks: tuple[int, ...] = ()
    literals: tuple[float, ...] = ()


def facts_of(port: Version, function: str) -> PortFacts:
    """What the port's text says about how a function is called."""
    node = port.nodes[function]
    decorators = [ast.unparse(d) for d in getattr(node, "decorator_list", [])]
    boundary = next((d for d in decorators if re.match(r"(\w+\.)*device\b", d)), None)
    short = function.rpartition(".")[2]
    uses = sum(
        (isinstance(part, ast.Name) and part.id == short and isinstance(part.ctx, ast.Load))
        or (isinstance(part, ast.Attribute) and part.attr == short and "." in function)
        for part in ast.walk(port.tree)
    )
    joint = is_of_program(port.place.file, port.place.root)
    called = joint or (is_program(port) and (uses > 0 or "." in function))
    return PortFacts(
        bounded=boundary is not None,
        device_code=bool(boundary) or _of_device(_own(port, function)),
        reaches_device=_of_device(t for texts in port.reach(function).values() for t in texts),
        internal=boundary is None and (called or short.startswith("_")),
        device_result=boundary is not None and re.search(r"boundary=.device", boundary) is not None,
        arrays=_named(boundary),
        guarded=f"{STACKS}(" in port.text,
        guards=(*_guards(node), *_wanted(node, port)),
        blocks=block_lengths(node, port.tree),
        literals=literals_of(node, module_constants(port.tree)),
    )


def _of_device(texts: Iterable[str]) -> bool:
    return any(_DEVICE_WORDS.search(text) for text in texts)


def _own(port: Version, function: str) -> list[str]:
    """The texts of a function, and of kernels and other values of the module that it names."""
    source = port.source(function)
    values = (name for name in _names(source) if name in port.globals and name not in port.classes)
    kept = (name for name in values if name not in port.nodes or kernel_of(port.nodes[name]))
    held = (text for name in kept for text in port.globals[name])
    return [source, *(text for text in held if not text.startswith(("import ", "from ")))]


def _guards(node: ast.AST) -> Iterator[dict[str, str]]:
    """Of each guard in a function: the parameter's name, and the number of axes that it wants.

    That is of the array, or of the items of a list.
    """
    for part in ast.walk(node):
        if isinstance(part, ast.Call) and ast.unparse(part.func).endswith(STACKS):
            yield dict(_axes(part))


def _wanted(node: ast.AST, port: Version) -> Iterator[dict[str, str]]:
    """The same of each call of a function with a kernel above it."""
    for part in ast.walk(node):
        if not isinstance(part, ast.Call) or not isinstance(part.func, ast.Name):
            continue
        function = port.nodes.get(part.func.id)
        decorator = kernel_of(function)
        if decorator is None or not isinstance(function, ast.FunctionDef):
            continue
        types = dict(_declared(decorator))
        names = [a.arg for a in (*function.args.posonlyargs, *function.args.args)]
        pairs = (
            (_root(given), types.get(name, ""))
            for name, given in zip(names, part.args, strict=False)
        )
        yield {root: kind for root, kind in pairs if root}


def kernel_of(node: ast.AST | None) -> ast.Call | None:
    """The decorator that makes a kernel of a function."""
    for decorator in getattr(node, "decorator_list", ()):
        if isinstance(decorator, ast.Call) and ast.unparse(decorator.func).endswith("kernel"):
            return decorator
    return None


def _declared(decorator: ast.Call) -> Iterator[tuple[str, str]]:
    """The parameters of a kernel, with the kinds of what fits."""
    for side in decorator.args[:2]:
        text = side.value if isinstance(side, ast.Constant) else ""
        for declared in str(text).split(","):
            words = declared.split()
            if len(words) > 1:
                kind = "float64" if len(words[-2]) == 1 else words[-2]
                yield words[-1], kind


def _root(node: ast.expr) -> str:
    """The name of what is passed whole or in part."""
    while isinstance(node, ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _axes(guard: ast.Call) -> Iterator[tuple[str, str]]:
    by_rank = [(RANK, one) for one in guard.args]
    kinds = {"fixed": RANK, "at_most": RANK, "items": ITEMS}
    by_rank += [(kinds[k.arg], k.value) for k in guard.keywords if k.arg in kinds]
    for kind, given in by_rank:
        pairs = zip(given.keys, given.values, strict=True) if isinstance(given, ast.Dict) else ()
        for rank, named in pairs:
            names = named.elts if isinstance(named, ast.Tuple) else [named]
            for name in names:
                value = rank.value if isinstance(rank, ast.Constant) else None
                if isinstance(name, ast.Name) and isinstance(value, int):
                    yield name.id, f"{kind}{value}"


def is_program(version: Version) -> bool:
    """Whether a file is run, not imported: its functions may then take what its calls give."""
    if "." in version.place.module or "__all__" in version.globals:
        return False
    return any(_runs(node, version) for node in version.tree.body)


def _runs(node: ast.stmt, version: Version) -> bool:
    """Whether a module-level statement makes a program of the file: it calls what stands in it."""
    if isinstance(node, ast.If) and "__name__" in ast.unparse(node.test):
        return True
    if isinstance(node, ast.If | ast.Try):
        return any(_runs(part, version) for part in node.body)
    if not isinstance(node, ast.Expr | ast.Assign | ast.For | ast.While | ast.With):
        return False
    called = {
        part.func.id for part in ast.walk(node)
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Name)
    }  # fmt: skip
    return any(name.partition(".")[0] in called for name in version.nodes)


def _named(boundary: str | None) -> tuple[str, ...]:
    """The parameters that a ``@device("x", "y", ...)`` line names."""
    call = ast.parse(boundary, mode="eval").body if boundary else None
    if not isinstance(call, ast.Call):
        return ()
    return tuple(str(a.value) for a in call.args if isinstance(a, ast.Constant))
