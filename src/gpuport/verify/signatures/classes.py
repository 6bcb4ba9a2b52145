"""What makes an instance of a class: its constructor, found through bases, and made-up attributes.

A method that is called on an instance that no constructor makes, or that another method was to
complete, reads attributes that are not there. Both versions then get the same ones, drawn like
arguments, by what the methods do with them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import islice
from pathlib import Path

from gpuport.source.annotations import annotation
from gpuport.verify.sides.originals import Located
from gpuport.verify.sides.syntax import attributes_of, compared_texts, is_name
from gpuport.verify.signatures.docstrings import documented_types, slots_from_text
from gpuport.verify.signatures.parameters import Function, Parameter, parameter_of, parameters_of
from gpuport.verify.signatures.usage import guessed
from gpuport.verify.slots import ATTRIBUTE, BARE, Slot

_DEEPEST = 8
_FILES = 60  # beside a file that are searched
_CANDIDATES = 5
_MOST_ATTRIBUTES = 16


@dataclass(frozen=True)
class Class:
    """A class with the file that it stands in."""

    node: ast.ClassDef
    tree: ast.Module
    place: Located | None

    @cached_property
    def line(self) -> tuple[Class, ...]:
        """The class and its bases that can be found, in the order in which they are asked."""
        found: list[Class] = []
        todo = [self]
        while todo and len(found) < _DEEPEST:
            one = todo.pop(0)
            if all(one.node is not known.node for known in found):
                found.append(one)
                todo += [base for b in one.node.bases if (base := one._base(b)) is not None]
        return tuple(found)

    def _base(self, expression: ast.expr) -> Class | None:
        path, _, name = ast.unparse(expression).rpartition(".")
        if path and self.place is not None:
            found = _module_named(path, self.tree, self.place)
            if found is not None:
                return _class_named(name, *found, _DEEPEST)
        return _class_named(name, self.tree, self.place, _DEEPEST)

    def constructor(self) -> tuple[Parameter, ...]:
        """Parameters of ``__init__``, or the fields of a dataclass."""
        return self._taken

    @cached_property
    def _taken(self) -> tuple[Parameter, ...]:
        for one in self.line:
            for node in one.node.body:
                if isinstance(node, ast.FunctionDef) and node.name == "__init__":
                    every = parameters_of(node, True, ast.get_docstring(one.node) or "")
                    return tuple(map(self._as_used, every))
            if any("dataclass" in ast.unparse(d) for d in one.node.decorator_list):
                return tuple(_fields(one.node))
        return ()

    @cached_property
    def open_ends(self) -> int:
        """How many of its methods are left to subclasses: they do nothing but refuse to run."""
        found: dict[str, bool] = {}
        for one in self.line:
            for node in one.node.body:
                if isinstance(node, ast.FunctionDef):
                    found.setdefault(node.name, _is_left_open(node))
        return sum(found.values())

    def methods(self) -> Iterator[ast.FunctionDef]:
        """Those of its own and those that it has from its bases, the ones that are in force."""
        known = set()
        for one in self.line:
            for node in one.node.body:
                if isinstance(node, ast.FunctionDef) and node.name not in known:
                    known.add(node.name)
                    yield node

    @property
    def where(self) -> str:
        """Its place, ``module:name``."""
        module = self.place.module if self.place is not None else "__main__"
        return f"{module}:{self.node.name}"

    @property
    def members(self) -> frozenset[str]:
        """What may be read of an instance: methods, fields, and attributes that methods set."""
        found = {name for one in self.line for name in _class_names(one.node)}
        found |= self.annotations().keys()
        functions = (n for n in self._bodies.body if isinstance(n, ast.FunctionDef))
        return frozenset(found).union(*(_attributes(n, ast.Store) for n in functions))

    @cached_property
    def documented(self) -> dict[str, str]:
        """What docstrings say of the constructor's parameters: of the class and of ``__init__``."""
        makers = (n for n in self.methods() if n.name == "__init__")
        texts = [ast.get_docstring(self.node), *(ast.get_docstring(n) for n in makers)]
        return {k: v for text in texts for k, v in documented_types(text or "").items()}

    def annotations(self) -> dict[str, ast.expr | None]:
        """Of the constructor's parameters, or of the fields of a dataclass."""
        found: dict[str, ast.expr | None] = {}
        for one in reversed(self.line):
            for node in one.node.body:
                if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                    found[node.target.id] = annotation(node)
                elif isinstance(node, ast.FunctionDef) and node.name == "__init__":
                    every = (*node.args.args, *node.args.kwonlyargs)
                    found |= {a.arg: annotation(a) for a in every}
        return found

    @cached_property
    def makers(self) -> dict[str, str]:
        """By name, the method that makes what methods call so: ``name = self.method()``."""
        every = {node.name: node for node in self.methods()}
        found: dict[str, str] = {}
        for part in (part for node in every.values() for part in ast.walk(node)):
            call = part.value if isinstance(part, ast.Assign) else None
            if not isinstance(call, ast.Call) or call.args or call.keywords:
                continue
            target, function = part.targets[0], call.func  # type: ignore[attr-defined]
            if isinstance(function, ast.Attribute) and is_name(function.value, "self"):
                made = every.get(function.attr)
                if isinstance(target, ast.Name) and made is not None and _takes_nothing(made):
                    found.setdefault(target.id, function.attr)
        return found

    def asked_of(self, name: str) -> tuple[str, ...]:
        """Attributes that methods read of a parameter of the constructor, or of what it becomes."""
        makers = ast.Module(list(self._named("__init__")), [])
        own, kept = attributes_of(name, makers), attributes_of(f"self.{name}", self._bodies)
        return tuple(dict.fromkeys((*own, *kept)))

    def _as_used(self, parameter: Parameter) -> Parameter:
        """With the texts that methods compare the attribute of that name with."""
        texts = compared_texts(f"self.{parameter.name}", self._bodies)
        if not texts:
            return parameter
        slots = (
            replace(s, choices=tuple(dict.fromkeys((*s.choices, *texts))))
            for s in parameter.candidates
            if s.kind == "choice"
        )
        known = next(slots, replace(parameter.candidates[0], kind="choice", dims=(), choices=texts))
        others = (s for s in parameter.candidates if s.kind != "choice")
        return replace(parameter, candidates=(known, *others))

    @cached_property
    def _bodies(self) -> ast.Module:
        """All methods of the line, as one scope."""
        every = (node for one in self.line for node in one.node.body)
        return ast.Module([node for node in every if isinstance(node, ast.FunctionDef)], [])

    def attributes(self, method: str, bare: bool) -> tuple[Parameter, ...]:
        """What the method reads of its instance, as parameters of their own.

        Parameters
        ----------
        method : str
        bare : bool
            Those too that the constructor sets, because it is not run.
        """
        read = self._read(method)
        if not bare:
            read = [name for name in read if name not in self._constructed]
        found = [self._attribute(name) for name in read[:_MOST_ATTRIBUTES]]
        if not found:
            return ()
        marker = [Parameter(BARE, (Slot(BARE, "none"),), "guessed")] if bare else []
        return tuple(marker + found)

    def _read(self, method: str) -> list[str]:
        """Attributes read by a method, and by the others that it calls, in order."""
        held = {name for one in self.line for name in _class_names(one.node)}
        found: dict[str, None] = {}
        todo, done = [method], set()
        while todo:
            name = todo.pop(0)
            if name in done:
                continue
            done.add(name)
            # all of this name: a method may ask its base's
            for node in self._named(name):
                for attribute in _attributes(node):
                    todo.append(attribute)
                    if attribute not in held and not attribute.startswith("__"):
                        found[attribute] = None
        return list(found)

    def _named(self, name: str) -> list[ast.FunctionDef]:
        every = (node for one in self.line for node in one.node.body)
        return [n for n in every if isinstance(n, ast.FunctionDef) and n.name == name]

    @cached_property
    def _constructed(self) -> set[str]:
        every = [n for one in self.line for n in one.node.body if isinstance(n, ast.FunctionDef)]
        makers = [node for node in every if node.name in ("__init__", "__post_init__")]
        return {name for node in makers for name in _attributes(node, ast.Store)}

    def _attribute(self, name: str) -> Parameter:
        """What one attribute may hold: as documented, as the constructor takes it, as used."""
        for one in self.line:
            documented = documented_types(ast.get_docstring(one.node) or "", "Attributes")
            slots = slots_from_text(name, documented[name]) if name in documented else []
            if slots:
                return _renamed(Parameter(name, tuple(slots), "documented"))
        for parameter in self.constructor():
            if parameter.name == name:
                return _renamed(replace(parameter, source="guessed"))
        slots = list(islice(guessed(f"self.{name}", self._bodies), _CANDIDATES))
        return _renamed(Parameter(name, tuple(slots), "guessed"))


def _renamed(parameter: Parameter) -> Parameter:
    """With a name that no parameter has, so that it is set and not passed."""
    name = ATTRIBUTE + parameter.name
    slots = (replace(s, name=name, omit=False, keyword=False) for s in parameter.candidates)
    return replace(parameter, name=name, candidates=tuple(slots)[:_CANDIDATES])


def _attributes(node: ast.FunctionDef, context: type[ast.expr_context] = ast.Load) -> list[str]:
    """Attributes of the instance that are read (or stored), by name or by a text beside it."""
    me = node.args.args[0].arg if node.args.args else ""
    found = []
    for part in ast.walk(node):
        if isinstance(part, ast.Attribute) and is_name(part.value, me):
            found += [part.attr] * isinstance(part.ctx, context)
        elif isinstance(part, ast.Call) and part.args and is_name(part.args[0], me):
            # such as `getattr(self, "weights_")`, or a function that wants it to be there
            texts = (a.value for a in part.args[1:] if isinstance(a, ast.Constant))
            found += [t for t in texts if isinstance(t, str) and t.isidentifier()]
    return found


def _class_names(owner: ast.ClassDef) -> Iterator[str]:
    for node in owner.body:
        if isinstance(node, Function | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Assign):
            yield from (target.id for target in node.targets if isinstance(target, ast.Name))
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            yield ast.unparse(node.target)


def _fields(owner: ast.ClassDef) -> Iterator[Parameter]:
    for node in owner.body:
        if not isinstance(node, ast.AnnAssign) or not isinstance(node.target, ast.Name):
            continue
        text = ast.unparse(node)
        if "ClassVar" in text or "init=False" in text:
            continue
        argument = ast.arg(node.target.id, annotation(node))
        yield parameter_of(argument, node.value, False, owner, {})


def _takes_nothing(method: ast.FunctionDef) -> bool:
    return len(method.args.args) == 1 and not method.args.kwonlyargs and not method.decorator_list


def _is_left_open(node: ast.FunctionDef) -> bool:
    decorators = map(ast.unparse, node.decorator_list)
    if any(d.endswith(("abstractmethod", "abstractproperty")) for d in decorators):
        return True
    body = [part for part in node.body if not _says_nothing(part)]
    only = body[0] if len(body) == 1 else None
    return isinstance(only, ast.Raise) and "NotImplementedError" in ast.unparse(only)


def _says_nothing(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _class_named(name: str, tree: ast.Module, place: Located | None, depth: int) -> Class | None:
    """A class of the file, or of the file of the project that this one has it from."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and node.name == name:
            return Class(node, tree, place)
    if place is None or not depth:
        return None
    for node in tree.body:
        for alias in node.names if isinstance(node, ast.ImportFrom) else ():
            found = _module(node, place) if (alias.asname or alias.name) == name else None
            if found is not None:
                return _class_named(alias.name, *found, depth - 1)
    return None


def _module_named(path: str, tree: ast.Module, place: Located) -> tuple[ast.Module, Located] | None:
    """The module of the project that a name of the file stands for: ``from . import shapes``."""
    for node in tree.body:
        for alias in node.names if isinstance(node, ast.Import | ast.ImportFrom) else ():
            if (alias.asname or alias.name) != path:
                continue
            if isinstance(node, ast.Import):
                return _module(ast.ImportFrom(alias.name, [], 0), place)
            parts = (node.module, alias.name) if isinstance(node, ast.ImportFrom) else ()
            module = ".".join(part for part in parts if part)
            return _module(ast.ImportFrom(module, [], getattr(node, "level", 0)), place)
    return None


def _module(node: ast.stmt, place: Located) -> tuple[ast.Module, Located] | None:
    assert isinstance(node, ast.ImportFrom)
    package = place.module.split(".")
    if place.file.name != "__init__.py":
        package = package[:-1]
    if node.level:
        package = package[: len(package) - (node.level - 1)]
    parts = (*(package if node.level else ()), *(node.module or "").split("."))
    module = ".".join(part for part in parts if part)
    base = place.root.joinpath(*module.split("."))
    for file in (base.with_suffix(".py"), base / "__init__.py"):
        tree = parsed(file)
        if tree is not None:
            return tree, Located(place.root, module, file)
    return None


@cache
def parsed(file: Path) -> ast.Module | None:
    """The tree of a file, the same one each time; None where it cannot be read."""
    try:
        return ast.parse(file.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return None


def own_class(name: str, tree: ast.Module, place: Located | None) -> Class | None:
    """The class of this name that the file itself defines."""
    nodes = (n for n in tree.body if isinstance(n, ast.ClassDef) and n.name == name)
    return next((Class(node, tree, place) for node in nodes), None)


def beside(place: Located) -> Iterator[tuple[ast.Module, Located]]:
    """The other files of the folder of a module of a package."""
    package = place.module.rpartition(".")[0]
    for file in sorted(place.file.parent.glob("*.py"))[:_FILES] if package else ():
        if file == place.file or not file.stem.isidentifier() or file.stem == "__init__":
            continue
        tree = parsed(file)
        if tree is not None:
            yield tree, Located(place.root, f"{package}.{file.stem}", file)


def class_named(name: str, tree: ast.Module, place: Located | None) -> Class | None:
    """The class that a name of the file stands for."""
    return _class_named(name, tree, place, _DEEPEST)


def class_of(function: str, tree: ast.Module, place: Located | None) -> Class | None:
    """The module-level class that a qualified name such as ``Model.fit`` is in."""
    owner = function.partition(".")[0] if "." in function else ""
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and node.name == owner:
            return Class(node, tree, place)
    return None
