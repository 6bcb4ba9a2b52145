"""Describe the public names of NumPy, SciPy and CuPy as they are installed.

Run with the families of packages to describe.
"""

from __future__ import annotations

import importlib
import inspect
import json
import re
import sys
import types
import warnings

from .sources import PRIVATE_BY_ORIGIN, describe_source
from .values import Entry, describe_members, describe_value


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


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
