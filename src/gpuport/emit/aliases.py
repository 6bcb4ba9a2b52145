"""Which names the port uses for CuPy and for the boundary decorator."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from gpuport.rules.libraries import library_of, on_device
from gpuport.rules.tables import ApiTables
from gpuport.source.names import Scope, walk_scopes
from gpuport.source.scoping import always_imported


@dataclass(frozen=True, slots=True)
class Aliases:
    """Names in the ported module.

    Attributes
    ----------
    cupy : str
        ``cp``, or ``cupy`` where ``cp`` already means something else.
    device : str
        ``device``, or another name where that is taken.
    kernel : str
        What stands above functions that are kernels, likewise.
    has_cupy, has_device, has_kernel : bool
        Whether the module imports them already under these names.
    batched, has_batched : str, bool
        Likewise for the runtime's module for stacks.
    stands_for : mapping
        Resolved name of a function of the runtime's that stands for an operation of NumPy's, to
        its name in the module and whether it is imported already.
    modules : mapping
        Module of CuPy's, such as ``cupyx.scipy.special``, to a name for it and whether that is
        imported already.
    moved : frozenset of str
        Names of the module whose imports move to CuPy: what is reached through them stays as it
        is written.
    """

    cupy: str = "cp"
    device: str = "device"
    has_cupy: bool = False
    has_device: bool = False
    modules: Mapping[str, tuple[str, bool]] = field(default_factory=dict)
    moved: frozenset[str] = frozenset()
    kernel: str = "kernel"
    has_kernel: bool = False
    batched: str = "batched"
    has_batched: bool = False
    stands_for: Mapping[str, tuple[str, bool]] = field(default_factory=dict)

    def of_runtime(self, path: str) -> str:
        """The name of what stands for an operation."""
        return self.stands_for[path][0]

    def spelled(self, target: str) -> str:
        """A name of CuPy as the port writes it where it has no name of the user's to follow."""
        owner, _, rest = target.rpartition(".")
        while owner:
            if owner in self.modules:
                return f"{self.modules[owner][0]}.{rest}"
            owner, _, last = owner.rpartition(".")
            rest = f"{last}.{rest}"
        head, _, tail = target.partition(".")
        return f"{self.cupy}.{tail}" if head == "cupy" else target


def choose(root: Scope, stands_for: Iterable[str] = (), before: int | None = None) -> Aliases:
    """Names that are free everywhere in the module, or bound to the right thing already.

    Parameters
    ----------
    root : Scope
    stands_for : iterable of str
        Resolved names of functions that may stand for operations.
    before : int, optional
        First line that runs inserted code: an import below it counts as none.
    """
    names = _Names(root, before)
    cupy, has_cupy = names.pick(("cp", "cupy", "cupy_"), "cupy")
    device, has_device = names.pick(
        ("device", "gpu_device", "gpuport_device"), "gpuport.runtime.device"
    )
    modules: dict[str, tuple[str, bool]] = {}
    for path in sorted({*_followed(names.scopes)}, key=lambda path: (path.count("."), path)):
        taken = {name for name, _ in modules.values()}
        modules[path] = _module_name(names, path, taken)
    kernel, has_kernel = names.pick(
        ("kernel", "gpu_kernel", "gpuport_kernel"), "gpuport.runtime.kernel"
    )
    batched, has_batched = names.pick(("batched", "gpuport_batched"), "gpuport.runtime.batched")
    return Aliases(
        cupy, device, has_cupy, has_device, modules,
        kernel=kernel, has_kernel=has_kernel,
        batched=batched, has_batched=has_batched,
        stands_for={path: _stand_in(names, path) for path in stands_for},
    )  # fmt: skip


class _Names:
    """The names of a module, and what is bound to them wherever its code runs."""

    def __init__(self, root: Scope, before: int | None) -> None:
        self.root = root
        self.scopes = list(walk_scopes(root))
        self.standing = always_imported(root, before)

    def pick(self, candidates: tuple[str, ...], path: str) -> tuple[str, bool]:
        """A name that is bound to the path and to nothing else, or the first that is free.

        With it goes whether the module imports it already, whatever the way through the module:
        an import on a condition, or below the code that needs it, does not count.
        """
        for name in self.root.imports:
            if all(_is_only(scope, name, path) for scope in self.scopes if scope.binds(name)):
                return name, path in self.standing.get(name, ())
        for name in candidates:
            if not any(scope.binds(name) or name in scope.loads for scope in self.scopes):
                return name, False
        return candidates[-1], False


def _is_only(scope: Scope, name: str, path: str) -> bool:
    """Whether a scope binds a name to the path and to nothing else."""
    return scope.imports.get(name) == {path} and name not in scope.bound


def _stand_in(names: _Names, path: str) -> tuple[str, bool]:
    name = path.rpartition(".")[2]
    return names.pick((name, f"gpu_{name}", f"gpuport_{name}"), path)


def _followed(scopes: Iterable[Scope]) -> Iterator[str]:
    """Modules of CuPy beside those of SciPy that are imported by a name of their own."""
    for scope in scopes:
        for paths in scope.imports.values():
            for path in sorted(paths):
                library = library_of(path)
                if library is None or "." not in library.device:
                    continue
                yield on_device(path if _is_module(path) else path.rpartition(".")[0])


def _is_module(path: str) -> bool:
    """Whether an imported name is a module, not something in one."""
    entry = ApiTables.load().entry(path)
    return entry is not None and entry.kind == "module"


def _module_name(names: _Names, path: str, taken: Collection[str]) -> tuple[str, bool]:
    """``cupyx_special``, and more of the path where that is taken."""
    parts = path.split(".")
    wanted = ("_".join(["cupyx", *parts[start:]]) for start in range(len(parts) - 1, 0, -1))
    return names.pick(tuple(name for name in wanted if name not in taken), path)
