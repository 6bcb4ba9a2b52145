"""Which names the port uses for CuPy and for the boundary decorator."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from gpuport.rules.libraries import library_of, on_device
from gpuport.source.names import Scope, walk_scopes


@dataclass(frozen=True, slots=True)
class Aliases:
    """Names in the ported module.

    Attributes
    ----------
    cupy : str
        ``cp``, or ``cupy`` where ``cp`` already means something else.
    device : str
        ``device``, or another name where that is taken.
    launchable, on_host : str
        What stands around kernels, likewise.
    has_cupy, has_device, has_launchable, has_on_host : bool
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
    launchable: str = "launchable"
    on_host: str = "on_host"
    has_launchable: bool = False
    has_on_host: bool = False
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


def choose(root: Scope, stands_for: Iterable[str] = ()) -> Aliases:
    """Names that are free everywhere in the module, or bound to the right thing already.

    Parameters
    ----------
    root : Scope
    stands_for : iterable of str
        Resolved names of functions that may stand for operations.
    """
    scopes = list(walk_scopes(root))
    cupy, has_cupy = _pick(root, scopes, ("cp", "cupy", "cupy_"), "cupy")
    device, has_device = _pick(
        root, scopes, ("device", "gpu_device", "gpuport_device"), "gpuport.runtime.device"
    )
    modules: dict[str, tuple[str, bool]] = {}
    for path in sorted({*_followed(scopes)}, key=lambda path: (path.count("."), path)):
        taken = {name for name, _ in modules.values()}
        modules[path] = _module_name(root, scopes, path, taken)
    launchable, has_launchable = _pick(
        root, scopes, ("launchable", "gpuport_launchable"), "gpuport.runtime.launchable"
    )
    on_host, has_on_host = _pick(
        root, scopes, ("on_host", "gpuport_on_host"), "gpuport.runtime.on_host"
    )
    batched, has_batched = _pick(
        root, scopes, ("batched", "gpuport_batched"), "gpuport.runtime.batched"
    )
    return Aliases(
        cupy, device, has_cupy, has_device, modules,
        launchable=launchable, on_host=on_host,
        has_launchable=has_launchable, has_on_host=has_on_host,
        batched=batched, has_batched=has_batched,
        stands_for={path: _stand_in(root, scopes, path) for path in stands_for},
    )  # fmt: skip


def _stand_in(root: Scope, scopes: Iterable[Scope], path: str) -> tuple[str, bool]:
    name = path.rpartition(".")[2]
    return _pick(root, scopes, (name, f"gpu_{name}", f"gpuport_{name}"), path)


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
    from gpuport.rules.tables import ApiTables

    entry = ApiTables.load().entry(path)
    return entry is not None and entry.kind == "module"


def _module_name(
    root: Scope, scopes: Iterable[Scope], path: str, taken: Collection[str]
) -> tuple[str, bool]:
    """``cupyx_special``, and more of the path where that is taken."""
    parts = path.split(".")
    names = ("_".join(["cupyx", *parts[start:]]) for start in range(len(parts) - 1, 0, -1))
    return _pick(root, scopes, tuple(name for name in names if name not in taken), path)


def _pick(
    root: Scope, scopes: Iterable[Scope], candidates: tuple[str, ...], path: str
) -> tuple[str, bool]:
    """A name that is bound to the path, or the first that is free."""
    for name, paths in root.imports.items():
        if paths == {path} and name not in root.bound:
            return name, True
    for name in candidates:
        if not any(scope.binds(name) or name in scope.loads for scope in scopes):
            return name, False
    return candidates[-1], False
