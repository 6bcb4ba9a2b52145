"""Describe the public names of NumPy, SciPy and CuPy as they are installed.

A self-contained script: ``gpuport.rules.generate`` runs it with the interpreter of the environment
that holds the packages (``PYTHON -I introspect.py cupy``) and reads JSON from its standard output.
It imports nothing of gpuport and needs no GPU.
"""

from __future__ import annotations

import ast
import importlib
import importlib.util
import inspect
import json
import re
import sys
import types
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any


def below(package: str, names: str) -> tuple[str, ...]:
    """A package and, by their names in it, some of its modules."""
    return (package, *(f"{package}.{name}" for name in names.split()))


FAMILIES = {
    "numpy": below(
        "numpy",
        "linalg fft random ma polynomial char strings rec testing typing exceptions dtypes lib "
        "lib.stride_tricks lib.scimath polynomial.polynomial polynomial.chebyshev",
    ),
    "scipy": below(
        "scipy",
        "fft fftpack ndimage signal signal.windows special linalg sparse sparse.linalg "
        "sparse.csgraph interpolate stats spatial spatial.distance integrate optimize io "
        "cluster.vq cluster.hierarchy constants",
    ),
    "cupy": (
        *below(
            "cupy",
            "linalg fft random testing typing exceptions lib lib.stride_tricks polynomial "
            "polynomial.polynomial cuda cuda.runtime",
        ),
        *below("cupyx", "profiler"),
        *below(
            "cupyx.scipy",
            "fft fftpack ndimage signal signal.windows special linalg sparse sparse.linalg "
            "sparse.csgraph interpolate stats spatial spatial.distance",
        ),
    ),
}
# Classes whose methods and attributes are asked for by name.
CLASSES = {"ndarray", "ufunc", "Generator", "RandomState", "poly1d"}
# A module without __all__ shows what it imported for its own use as well.
PRIVATE_BY_ORIGIN = {"annotations", "Any", "TYPE_CHECKING", "NamedTuple", "Union", "Callable"}

KIND_CODES = {
    inspect.Parameter.POSITIONAL_ONLY: "p",
    inspect.Parameter.POSITIONAL_OR_KEYWORD: "pk",
    inspect.Parameter.VAR_POSITIONAL: "*",
    inspect.Parameter.KEYWORD_ONLY: "k",
    inspect.Parameter.VAR_KEYWORD: "**",
}
Entry = dict[str, Any]
Parameters = list[list[str]]


def main(arguments: list[str]) -> int:
    """Print the description of the families named on the command line, as one JSON document."""
    warnings.simplefilter("ignore")
    entries: dict[str, Entry] = {}
    modules = [module for family in arguments for module in FAMILIES[family]]
    absent = [module for module in modules if not describe_module(module, entries)]
    versions = {
        package: getattr(sys.modules[package], "__version__", "")
        for package in ("numpy", "scipy", "cupy")
        if package in sys.modules
    }
    document = {"versions": versions, "absent": absent, "entries": entries}
    json.dump(document, sys.stdout)
    return 0


def describe_module(name: str, entries: dict[str, Entry]) -> bool:
    """Add every public name of one module; False if the packages have no such module."""
    try:
        module = importlib.import_module(name)
    except ModuleNotFoundError:
        return False
    except ImportError:  # a CUDA library is absent: what its source says is all there is
        return describe_source(name, entries)
    entries[name] = {"kind": "module"}
    for public in sorted(public_names(module)):
        try:
            value = getattr(module, public)
        except AttributeError:
            continue
        entry = describe_value(value, name)
        entries[f"{name}.{public}"] = entry
        if public in CLASSES and inspect.isclass(value):
            for member, description in describe_members(value):
                entries[f"{name}.{public}.{member}"] = description
    return True


def public_names(module: types.ModuleType) -> set[str]:
    """``__all__`` and what else has no underscore, without modules imported for private use."""
    root = module.__name__.split(".")[0]
    own = {"numpy": ("numpy",), "scipy": ("scipy",)}.get(root, ("cupy", "cupyx"))
    names = set(getattr(module, "__all__", ()))
    for name in dir(module):
        value = getattr(module, name, None)
        if name.startswith("_") or name in PRIVATE_BY_ORIGIN:
            continue
        if isinstance(value, types.ModuleType):
            if value.__name__ == f"{module.__name__}.{name}":
                names.add(name)
        elif hasattr(module, "__all__") and not belongs(value, own):
            continue
        else:
            names.add(name)
    # CuPy provides some names through a module's __getattr__, which dir() does not list.
    twin = model_of(module.__name__)
    if twin is not None:
        names |= {name for name in getattr(twin, "__all__", dir(twin)) if provides(module, name)}
    return names


def model_of(name: str) -> types.ModuleType | None:
    """The NumPy or SciPy module that a CuPy module follows."""
    if not name.startswith(("cupy.", "cupyx.scipy.")) and name != "cupy":
        return None
    stem = "scipy" if name.startswith("cupyx") else "numpy"
    try:
        return importlib.import_module(re.sub(r"^cupyx\.scipy|^cupy", stem, name))
    except ImportError:
        return None


def provides(module: types.ModuleType, name: str) -> bool:
    """Whether a module has a public name that is not a private module of its own."""
    if name.startswith("_"):
        return False
    try:
        value = getattr(module, name)
    except (AttributeError, ImportError):
        return False
    return not isinstance(value, types.ModuleType) or value.__name__.endswith(f".{name}")


def belongs(value: object, packages: tuple[str, ...]) -> bool:
    """Whether a value outside ``__all__`` was defined by the package itself."""
    return str(getattr(value, "__module__", "")).split(".")[0] in packages


def describe_members(owner: type) -> Iterator[tuple[str, Entry]]:
    """Public methods and attributes of a class, in order of their names."""
    for name in sorted(dir(owner)):
        if name.startswith("_"):
            continue
        value = getattr(owner, name, None)
        if callable(value):
            entry: Entry = {"kind": "method", "name": getattr(value, "__name__", name)}
            parameters = signature_of(value)
            entry["parameters"] = parameters and without_self(parameters)
            yield name, entry
        else:
            yield name, {"kind": "attribute"}


def without_self(parameters: Parameters) -> Parameters:
    """Drop the instance from a method's parameters."""
    return parameters[1:] if parameters and parameters[0][0] == "self" else parameters


def describe_value(value: Any, owner: str) -> Entry:
    """Describe one value found under a public name of module ``owner``."""
    if isinstance(value, types.ModuleType) or type(value).__name__ == "_LazyModule":
        return {"kind": "module"}
    entry: Entry = {"kind": kind_of(value)}
    real_name = getattr(value, "__name__", None)
    if isinstance(real_name, str):
        entry["name"] = real_name
    module = getattr(value, "__module__", None)
    if isinstance(module, str) and callable(value):
        entry["module"] = module
    numpy_name = shared_with_numpy(value) if owner.startswith("cupy") else None
    if numpy_name:
        entry["same_as"] = numpy_name
    if entry["kind"] == "constant":
        entry["value"] = plain(value)
    elif entry["kind"] == "ufunc":
        entry.update(describe_ufunc(value))
    elif callable(value):
        entry["parameters"] = signature_of(value)
    return entry


def kind_of(value: Any) -> str:
    """The kind of a public value, in the words of the API tables."""
    if type(value).__name__ in {"ufunc", "_GUFunc"}:
        return "ufunc"
    if inspect.isclass(value):
        import numpy

        return "type" if issubclass(value, numpy.generic | numpy.dtype) else "class"
    if value is None or isinstance(value, bool | int | float | complex | str):
        return "constant"
    if type(value).__name__ in {"bool", "bool_"}:  # numpy.True_
        return "constant"
    return "function" if callable(value) else "object"


def shared_with_numpy(value: Any) -> str | None:
    """The NumPy name of an object that CuPy merely passes on (``cupy.float64``)."""
    import numpy

    module, name = getattr(value, "__module__", None), getattr(value, "__name__", None)
    if not (isinstance(module, str) and isinstance(name, str) and callable(value)):
        return None
    if module.split(".")[0] != "numpy":
        return None
    for place in (numpy, sys.modules.get(module)):
        if place is not None and getattr(place, name, None) is value:
            return f"{place.__name__}.{name}"
    return None


def describe_ufunc(value: Any) -> Entry:
    """Inputs, outputs and call parameters of a NumPy or CuPy ufunc; of CuPy's its loops too."""
    inputs = int(getattr(value, "nin", 0) or getattr(value, "_nin", 1))
    outputs = int(getattr(value, "nout", 0) or getattr(value, "_nout", 1))
    described = signature_of(value) or []
    names = [p[0] for p in described if p[1] == "p"][:inputs]
    if len(names) < inputs:
        names = ["x"] if inputs == 1 else [f"x{i + 1}" for i in range(inputs)]
    parameters: Parameters = [[name, "p"] for name in names]
    if outputs == 1:
        parameters.append(["out", "pk", "None"])
    else:
        parameters += [[f"out{i + 1}", "p", "None"] for i in range(outputs)]
        parameters.append(["out", "k", "None"])
    if type(value).__name__ == "_GUFunc":
        call = [p for p in signature_of(type(value).__call__) or [] if p[1] == "k"]
        parameters += [p for p in call if p[0] != "out"]
    elif type(value).__module__.startswith("cupy"):
        # What ufunc.__call__ pops from its keywords before it refuses the rest.
        parameters += [["casting", "k", "'same_kind'"], ["dtype", "k", "None"]]
    else:
        parameters += [p for p in described if p[1] == "k" and p[0] != "out"]
    entry: Entry = {"nin": inputs, "nout": outputs, "parameters": parameters}
    if type(value).__module__ == "cupy._core._kernel":
        entry["methods"] = supported_methods(value)
        entry["types"] = " ".join(value.types)
    return entry


class _Probe:
    """Stands for an array where a CuPy ufunc method is asked whether it is implemented."""

    def __getattr__(self, name: str) -> Callable[..., None]:
        def reached(*_args: object, **_kwargs: object) -> None:
            raise KeyError(name)

        return reached


def supported_methods(ufunc: Any) -> list[str]:
    """The methods a CuPy ufunc implements: the others raise NotImplementedError at once."""
    arguments: dict[str, tuple[object, ...]] = {
        "accumulate": (_Probe(),),
        "at": (_Probe(), [0], [0]),
        "outer": (_Probe(), [0]),
        "reduce": (_Probe(),),
        "reduceat": (_Probe(), [0]),
    }
    found = []
    for method, values in arguments.items():
        try:
            getattr(ufunc, method)(*values)
        except NotImplementedError:
            continue
        except Exception:  # it went past the check and found no array: implemented
            pass
        found.append(method)
    return found


def signature_of(value: Any) -> Parameters | None:
    """Parameters of a callable: its signature, else the first line of its docstring."""
    documented = from_docstring(getattr(value, "__doc__", None))
    try:
        signature = inspect.signature(value)
    except (ValueError, TypeError):
        return documented
    parameters = []
    for parameter in signature.parameters.values():
        item = [parameter.name, KIND_CODES[parameter.kind]]
        if parameter.default is not parameter.empty:
            item.append(plain(parameter.default))
        parameters.append(item)
    catch_all = any(p[1] == "**" for p in parameters)
    # `mean(self, /, axis=None, **kwargs)` says less than its documentation does.
    if catch_all and documented and not any(p[1] == "**" for p in documented):
        named = [p for p in parameters if p[1] not in {"*", "**"}]
        known = {p[0] for p in named}
        return named + [p for p in documented if p[0] not in known]
    return parameters


def plain(value: Any) -> str:
    """A default or constant as text that does not change from run to run."""
    if inspect.isclass(value):
        prefix = "" if value.__module__ == "builtins" else f"{value.__module__}."
        return f"{prefix}{value.__qualname__}"
    if isinstance(value, types.ModuleType):  # its repr has the path of the environment
        return value.__name__
    if callable(value) and hasattr(value, "__name__"):
        return f"{getattr(value, '__module__', '')}.{value.__name__}"
    return re.sub(r" at 0x[0-9a-f]+", "", repr(value))


def from_docstring(text: object) -> Parameters | None:
    """Parameters from ``name(a, int axis=-1, *, out=None) -> ndarray``, the first line of a doc.

    ``[, out]`` (an optional argument in brackets) counts as one with the default None.
    """
    if not isinstance(text, str) or not text.strip():
        return None
    line = text.strip().split("\n")[0].replace("\\*", "*")
    line = re.sub(r"\bu(?=['\"])", "", line)  # older Cython writes u'C'
    match = re.match(r"[\w.]+\((.*)\)\s*(?:->.*)?$", line)
    if match is None:
        return None
    parameters: Parameters = []
    kind = "pk"
    for part in split_arguments(match[1]):
        if part == "/":
            for earlier in parameters:
                earlier[1] = "p"
        elif part == "*":
            kind = "k"
        elif found := re.fullmatch(r"(\*\*|\*)(\w+)", part):
            parameters.append([found[2], found[1]])
            kind = "k" if found[1] == "*" else kind
        elif found := re.fullmatch(r"(?:[\w.\[\], ]+ )?(\w+)(?:\s*=\s*(.+))?", part):
            parameters.append([found[1], kind, *([found[2]] if found[2] else [])])
        else:
            return None
    return parameters


def split_arguments(text: str) -> list[str]:
    """Split at the commas outside of brackets and quotes; ``[, x]`` becomes ``x=None``."""
    text = re.sub(r"\[, (\w+)=", r", \1=", text)
    text = re.sub(r"^\[(\w+)\]", r"\1=None", text)
    text = re.sub(
        r"\[, ([\w, ]+)\]", lambda m: "".join(f", {n.strip()}=None" for n in m[1].split(",")), text
    )
    # One argument: quoted text, bracketed text or anything but a comma, over and over.
    argument = r"(?:'[^']*'|\"[^\"]*\"|\([^()]*\)|\[[^\[\]]*\]|\{[^{}]*\}|[^,])+"
    parts = (part.strip() for part in re.findall(argument, text))
    return [part if "[" in part else part.rstrip("] ") for part in parts if part]


def describe_source(name: str, entries: dict[str, Entry]) -> bool:
    """Describe a module that cannot be imported here by what its source defines and imports."""
    path = source_path(name)
    if path is None:
        return False
    entries[name] = {"kind": "module", "from": "source"}
    for public in sorted(source_names(path)):
        entry = from_source(name, public)
        if entry is not None:
            entries[f"{name}.{public}"] = {**entry, "from": "source"}
    return True


def source_path(name: str) -> Path | None:
    """File of a module in the wheel, found without importing its package."""
    top, *rest = name.split(".")
    spec = importlib.util.find_spec(top)
    if spec is None or not spec.submodule_search_locations:
        return None
    base = Path(next(iter(spec.submodule_search_locations))).joinpath(*rest)
    for candidate in (base / "__init__.py", base.with_name(base.name + ".py")):
        if candidate.is_file():
            return candidate
    return None


def source_names(path: Path) -> set[str]:
    """Public names that the top level of a file binds."""
    return {name for name in bindings(path) if not name.startswith("_")} - PRIVATE_BY_ORIGIN


_BINDINGS: dict[Path, dict[str, ast.stmt]] = {}


def bindings(path: Path) -> dict[str, ast.stmt]:
    """Top-level names of a file and the statement that binds each (the last one counts)."""
    if path not in _BINDINGS:
        bound: dict[str, ast.stmt] = {}
        for statement in ast.parse(path.read_text("utf-8")).body:
            if isinstance(statement, ast.FunctionDef | ast.ClassDef):
                bound[statement.name] = statement
            elif isinstance(statement, ast.ImportFrom) and statement.module != "__future__":
                for alias in statement.names:
                    bound[alias.asname or alias.name] = statement
            elif isinstance(statement, ast.Assign):
                for target in statement.targets:
                    if isinstance(target, ast.Name):
                        bound[target.id] = statement
        _BINDINGS[path] = bound
    return _BINDINGS[path]


def from_source(module: str, name: str, depth: int = 0) -> Entry | None:
    """Describe ``module.name`` from source, following imports and simple aliases."""
    path = source_path(module)
    statement = bindings(path).get(name) if path and depth < 12 else None
    if isinstance(statement, ast.FunctionDef):
        return {
            "kind": "function",
            "name": name,
            "module": module,
            "parameters": source_parameters(statement),
        }
    if isinstance(statement, ast.ClassDef):
        return {
            "kind": "class",
            "name": name,
            "module": module,
            "parameters": constructor(module, statement, depth),
        }
    if isinstance(statement, ast.ImportFrom):
        return imported(statement, module, path, name, depth)
    if isinstance(statement, ast.Assign):
        value = statement.value
        if isinstance(value, ast.Name):
            return from_source(module, value.id, depth + 1)
        if isinstance(value, ast.Call) and "create_ufunc" in ast.unparse(value.func):
            return {"kind": "ufunc", "name": name, "module": module, "parameters": None}
        if isinstance(value, ast.Constant):
            return {"kind": "constant", "value": repr(value.value)}
        return {"kind": "object"}
    return None


def imported(
    statement: ast.ImportFrom, module: str, path: Path | None, name: str, depth: int
) -> Entry | None:
    """Follow ``from X import name``: into X's source, or its live value where X imports."""
    package = module if path and path.name == "__init__.py" else module.rpartition(".")[0]
    origin = statement.module or ""
    if statement.level:
        stem = package.split(".")[: len(package.split(".")) - statement.level + 1]
        origin = ".".join([*stem, origin] if origin else stem)
    if origin.split(".")[0] not in {"cupy", "cupyx"}:
        return None
    real = next(a.name for a in statement.names if (a.asname or a.name) == name)
    if source_path(f"{origin}.{real}") is not None:
        return {"kind": "module"} if f"{origin}.{real}" == f"{module}.{name}" else None
    try:
        value = getattr(importlib.import_module(origin), real)
    except (ImportError, AttributeError):
        return from_source(origin, real, depth + 1)
    return describe_value(value, origin)


def constructor(module: str, statement: ast.ClassDef, depth: int) -> Parameters | None:
    """Parameters of ``__init__``, the class's own or that of its first known base."""
    for item in statement.body:
        if isinstance(item, ast.FunctionDef) and item.name == "__init__":
            return without_self(source_parameters(item))
    for base in statement.bases:
        entry = from_source(module, ast.unparse(base), depth + 1)
        if entry and entry.get("parameters"):
            parameters: Parameters = entry["parameters"]
            return parameters
    return None


def source_parameters(function: ast.FunctionDef) -> Parameters:
    """Parameters as a ``def`` statement writes them."""
    arguments = function.args
    parameters: Parameters = [[a.arg, "p"] for a in arguments.posonlyargs]
    parameters += [[a.arg, "pk"] for a in arguments.args]
    for parameter, default in zip(reversed(parameters), reversed(arguments.defaults), strict=False):
        parameter.append(ast.unparse(default))
    if arguments.vararg:
        parameters.append([arguments.vararg.arg, "*"])
    for argument, value in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        parameters.append([argument.arg, "k", *([ast.unparse(value)] if value else [])])
    if arguments.kwarg:
        parameters.append([arguments.kwarg.arg, "**"])
    return parameters


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
