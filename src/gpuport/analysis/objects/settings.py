"""Objects that hold the numbers of a program: dataclasses whose fields are annotated as numbers.

Such an annotation is believed as that of a parameter is: ``case.dx`` is a float where ``case`` is a
``Case`` and its field says so. Fields that the module writes to, or changes, are left out. A
property that is annotated as a number is read as a field is, and so are options of a command line.

What a program's command line gives it: the options that ``argparse`` is told of.

``parser.add_argument("--steps", type=int, default=10)`` says that ``args.steps`` is an integer. An
option is a Python value wherever it is made by a type of Python's; of others nothing is said.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection
from functools import partial
from typing import TYPE_CHECKING

from gpuport.analysis.functions.annotations import annotation_of
from gpuport.analysis.interpretation.flows import Flow
from gpuport.analysis.placement.graph import Reason
from gpuport.analysis.values.contents import has_unknown, is_undecided, objects_in
from gpuport.analysis.values.lattice import (
    NONE,
    Array,
    Instance,
    Mapping,
    Scalar,
    Sequence,
    Tuple,
    Unknown,
    Value,
    is_container,
    join_all,
)
from gpuport.source.annotations import annotated_in, what_is_said
from gpuport.source.names import FunctionNode, overloads
from gpuport.source.parameters import defaults_of
from gpuport.source.recordfields import annotated_fields, fields_written
from gpuport.source.syntax import walk

if TYPE_CHECKING:
    from gpuport.analysis.interpretation.unit import Unit
    from gpuport.analysis.project.callgraph import Project
    from gpuport.source.names import Scope

NAMESPACE = "argparse.Namespace"

_TYPES = frozenset({"int", "float", "str", "bool", "complex"})
_FLAGS = frozenset({"store_true", "store_false"})


def options_of(root: Scope) -> dict[str, Scalar]:
    """The options that a module defines, by the attribute that holds their value."""
    if not any(path.partition(".")[0] == "argparse" for p in root.imports.values() for path in p):
        return {}
    found: dict[str, Scalar | None] = {}
    for node in walk(root.node):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        if node.func.attr == "set_defaults":
            found.update(dict.fromkeys((k.arg for k in node.keywords if k.arg), None))
        elif node.func.attr == "add_argument":
            name, value = _destination(node), _value(node)
            if name is not None:
                found[name] = value if name not in found or found[name] == value else None
    return {name: value for name, value in found.items() if value is not None}


def _destination(node: ast.Call) -> str | None:
    """The attribute: what ``dest`` says, the first long flag, or the first name."""
    told = next((k.value for k in node.keywords if k.arg == "dest"), None)
    names = [told] if told is not None else node.args
    texts = [n.value for n in names if isinstance(n, ast.Constant) and isinstance(n.value, str)]
    if not texts:
        return None
    chosen = next((t for t in texts if t.startswith("--")), texts[0])
    return chosen.lstrip("-").replace("-", "_")


def _value(node: ast.Call) -> Scalar | None:
    """The value of an option; None where it may be anything."""
    words = {k.arg: k.value for k in node.keywords}
    action = words.get("action")
    if isinstance(action, ast.Constant) and action.value in _FLAGS:
        return Scalar("bool")
    if not {None, "nargs", "action"}.isdisjoint(words):
        return None
    kind = words.get("type")
    if kind is not None and not (isinstance(kind, ast.Name) and kind.id in _TYPES):
        return None
    made = kind.id if isinstance(kind, ast.Name) else "str"
    first = node.args[0] if node.args else None
    flag = isinstance(first, ast.Constant) and str(first.value).startswith("-")
    default = words.get("default")
    if default is None:
        required = words.get("required")
        given = isinstance(required, ast.Constant) and required.value is True
        return Scalar(made) if given or not flag else Scalar()
    if isinstance(default, ast.UnaryOp):
        default = default.operand
    if not isinstance(default, ast.Constant):
        return None
    # Text that stands for the default is converted as what a user writes is.
    same = isinstance(default.value, str) or type(default.value).__name__ == made
    return Scalar(made) if same else Scalar()


_PLAIN = frozenset({"int", "float", "bool", "complex", "str"})

Settings = dict[str, dict[str, Value]]
"""By the name of the class: its fields that are numbers or texts, or hold such."""


def settings_of(root: Scope, changed: Collection[str] = ()) -> Settings:
    """The classes of a module that hold numbers, with those of their fields.

    ``changed``: names of lists and dicts that the module changes.
    """
    records = annotated_fields(root)
    told = {
        name: {field: _said(one, partial(_leaf, records)) for field, one in fields.items()}
        for name, fields in records.items()
    }
    found: Settings = {
        name: {
            field: value for field, value in fields.items()
            if value is not None and not (field in changed and is_container(value))
        }
        for name, fields in told.items()
    }  # fmt: skip
    options = options_of(root)
    if options:
        found[NAMESPACE] = {**options}
    written = fields_written(root, found) if any(found.values()) else set()
    return {
        name: {field: value for field, value in fields.items() if field not in written}
        for name, fields in found.items()
    }


def _leaf(records: Collection[str], written: ast.expr) -> Value | None:
    """A number, a text or None, or an instance of one of these classes."""
    word = getattr(written, "id", None)
    if isinstance(word, str) and word in records:
        return Instance(word)
    return _plain(written)


def _plain(written: ast.expr) -> Value | None:
    if isinstance(written, ast.Constant) and written.value is None:
        return NONE
    return Scalar(written.id) if isinstance(written, ast.Name) and written.id in _PLAIN else None


def _made(kind: str, parts: list[Value]) -> Value:
    """What holds values, as an annotation says."""
    if kind == "tuple":
        return Tuple(tuple(parts))
    if kind == "union":
        return join_all(parts)
    return Mapping(parts[0]) if kind == "dict" else Sequence(parts[0], list=kind == "list")


def _said(written: ast.expr | None, leaf: Callable[[ast.expr], Value | None]) -> Value | None:
    """What an annotation says of numbers, and of what holds them alone."""
    value = what_is_said(written, leaf, _made)
    return None if isinstance(value, Unknown) else value


def annotated_setting(project: Project, name: str, annotation: ast.expr | None) -> Value | None:
    """What ``case: Case`` says, where ``Case`` is a class of this module or of another one.

    ``rng: np.random.Generator`` and ``ax: plt.Axes`` name classes that the rules know. A list or
    dict of numbers or of these, ``rates: dict[str, float]``, is one as long as no list or dict of
    this name is changed.
    """
    value = _said(annotation, lambda written: _plain(written) or _instance(project, written))
    changed = value is not None and is_container(value) and name in project.changed.names
    return None if changed else value


def annotated_as(
    project: Project, name: str, annotation: ast.expr | None, given: Value | None
) -> Value | None:
    """What a name is given: by its annotation where nothing tells what that is."""
    if given is not None and (not has_unknown(given) or objects_in(given)):
        return given
    said = annotated_setting(project, name, annotation)
    apart = isinstance(given, Mapping) != isinstance(said, Mapping)
    return given if said is None or (apart and not isinstance(given, Unknown | None)) else said


def given_as_annotated(
    unit: Unit, expression: ast.expr, function: FunctionNode, name: str, flow: Flow
) -> Flow:
    """An argument as an array of the host, as the annotation says, where nothing else tells.

    What the function keeps or changes stays on the host then, as it is shared; for others it is
    moved for the call.
    """
    if not is_undecided(flow.value) or flow.origin is not None:
        return flow
    said = annotation_of(name, annotated_in(function, name), name in defaults_of(function))
    if not isinstance(said, Array) or said.optional:
        return flow
    given = unit.node_for("annotated", expression, name)
    unit.graph.pin(given, Reason("GP404", f"`{name}` is given an array of NumPy", expression))
    return Flow(Array(said.dtype, said.rank), given)


def _instance(project: Project, annotation: ast.expr) -> Instance | None:
    if isinstance(annotation, ast.Name) and annotation.id in project.settings:
        return Instance(annotation.id)
    path = project.root.resolve(annotation)
    if path is None:
        return None
    rule = project.knowledge.rules.host(path)
    made = rule.returns if rule is not None and rule.returns is not None else ""
    if made.startswith("instance:"):
        return Instance(made.removeprefix("instance:"))
    known = project.outside is not None and bool(project.outside.fields(path))
    return Instance(path) if known else None


def fields_of(project: Project, name: str) -> dict[str, Value]:
    """Fields of a class, of this module or another one, that are numbers."""
    if name in project.settings or project.outside is None or "." not in name:
        return project.settings.get(name, {})
    return project.outside.fields(name)


def makes_setting(unit: Unit, name: str) -> bool:
    """Whether a call of a name makes an object that holds numbers, or has operators."""
    project = unit.project
    if name in unit.env or name not in project.root.classes:
        return False
    own = unit.scope.owner(name) is project.root
    return own and (bool(project.settings.get(name)) or overloads(project.root, name))


__all__ = [
    "Settings",
    "annotated_as",
    "annotated_setting",
    "fields_of",
    "given_as_annotated",
    "makes_setting",
    "settings_of",
]
