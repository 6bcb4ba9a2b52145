"""One value of a package's public interface, described as the API tables have it."""

from __future__ import annotations

import inspect
import sys
import types
from collections.abc import Callable, Iterator
from typing import Any

from .signatures import Parameters, plain, signature_of, without_self

Entry = dict[str, Any]


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
    more: Entry = {}
    if type(value).__name__ == "_GUFunc":
        call = [p for p in signature_of(type(value).__call__) or [] if p[1] == "k"]
        parameters += [p for p in call if p[0] != "out"]
    elif type(value).__module__.startswith("cupy"):
        # What ufunc.__call__ pops from its keywords before it refuses the rest.
        parameters += [["casting", "k", "'same_kind'"], ["dtype", "k", "None"]]
        more = {"methods": supported_methods(value), "types": " ".join(value.types)}
    else:
        parameters += [p for p in described if p[1] == "k" and p[0] != "out"]
    return {"nin": inputs, "nout": outputs, "parameters": parameters, **more}


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
