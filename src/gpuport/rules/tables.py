"""What CuPy has of NumPy and SciPy, name by name and parameter by parameter.

The tables are generated from real packages (``gpuport.rules.generate``); this module reads them
and answers two questions: what became of a name, and whether a call as written fits.
Standard library only, and each table is read when it is first asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, lru_cache
from pathlib import Path

from gpuport._data import rules_folder

from ._callfit import CallFit, Comparison, Parameter, accepted, compare, fit
from .apifiles import SOURCES, ApiEntry, ApiFiles
from .argumentkinds import ArgumentKinds
from .libraries import library_of, on_device
from .resultkinds import ResultKinds, ResultTable

__all__ = [
    "ApiEntry",
    "ApiTables",
    "CallFit",
    "Counterpart",
    "Fate",
    "Parameter",
    "available_targets",
]

_BY_POSITION = frozenset({"positional_only", "positional_or_keyword"})
_CALLABLE = frozenset({"function", "ufunc", "class", "method", "type"})


class Fate(StrEnum):
    """What becomes of a NumPy or SciPy name, at the level of the name."""

    SAME = "same"
    DIFFERS = "differs"
    MISSING = "missing"
    HOST_ONLY = "host-only"


@dataclass(frozen=True)
class Counterpart:
    """A NumPy or SciPy name and what the target has of it."""

    numpy_name: str
    target_name: str | None
    fate: Fate
    missing_parameters: frozenset[str]
    note: str


class ApiTables:
    """The tables of one target beside those of NumPy and SciPy.

    Parameters
    ----------
    target : str
        Table of the target, ``"cupy-13"`` or ``"cupy-14"``.
    folder : pathlib.Path
        Where the tables lie.
    """

    def __init__(self, target: str, folder: Path) -> None:
        self.target = target
        self.files = ApiFiles(target, folder)
        self._counterparts: dict[str, Counterpart] = {}
        self._fits: dict[tuple[str, int, tuple[str, ...], bool, bool], CallFit] = {}
        self._argument_names: dict[tuple[str, str | int], str | None] = {}

    @classmethod
    def load(cls, target: str = "cupy-14") -> ApiTables:
        """The shipped tables; the same object each time.

        Raises
        ------
        ValueError
            If there is no table of that name.
        """
        return _load(target)

    def entry(self, qualified: str) -> ApiEntry | None:
        """Describe ``numpy.*``, ``scipy.*``, ``cupy.*`` or ``cupyx.*``; None if it is not there."""
        return self.files.entry(qualified)

    def names(self, module: str) -> tuple[str, ...]:
        """Public names of a module or class (without the prefix), sorted."""
        return self.files.members(module.split(".")[0]).get(module, ())

    def modules(self, family: str) -> tuple[str, ...]:
        """Modules and classes with names of their own in ``numpy``, ``scipy`` or ``cupy``."""
        return tuple(sorted(self.files.members(family)))

    def versions(self, family: str) -> Mapping[str, str]:
        """Versions of the packages that a family's table was read off."""
        return self.files.versions(family)

    def counterpart(self, qualified: str) -> Counterpart:
        """What the target has of a NumPy or SciPy name.

        Raises
        ------
        KeyError
            If NumPy or SciPy has no such public name.
        """
        found = self._counterparts.get(qualified)
        if found is None:
            found = self._counterparts[qualified] = self._classify(qualified)
        return found

    def fit_call(
        self,
        qualified: str,
        positional: int,
        keywords: tuple[str, ...],
        *,
        star: bool = False,
        double_star: bool = False,
    ) -> CallFit:
        """Whether a call as written means the same to the target.

        Parameters
        ----------
        qualified : str
            NumPy or SciPy name, ``numpy.ndarray.mean`` for a method, ``numpy.add.reduce`` for a
            ufunc's.
        positional : int
            Number of positional arguments, without the array a method belongs to and without
            starred ones.
        keywords : tuple of str
            Names of the keyword arguments.
        star, double_star : bool
            Whether the call has ``*args``: then what both take by place must be the same; or
            ``**kwargs``: then the signatures must be wholly compatible.

        Returns
        -------
        CallFit
            With the parameters that do not fit, as NumPy calls them, and why.

        Raises
        ------
        KeyError
            If NumPy or SciPy has no such public name.
        """
        call = qualified, positional, keywords, star, double_star
        found = self._fits.get(call)
        if found is None:
            found = self._fits[call] = self._fit(*call)
        return found

    def _fit(
        self,
        qualified: str,
        positional: int,
        keywords: tuple[str, ...],
        star: bool,
        double_star: bool,
    ) -> CallFit:
        counterpart = self.counterpart(qualified)
        if counterpart.target_name is None or counterpart.fate is Fate.HOST_ONLY:
            return CallFit(False, (), f"{qualified}: {counterpart.note}")
        source, target = self._pair(qualified, counterpart.target_name)
        if target.same_as is not None:
            return CallFit(True, (), "")
        if source.kind not in _CALLABLE or target.kind not in _CALLABLE:
            return CallFit(False, (), f"{qualified} is not called")
        if source.parameters is None or target.parameters is None:
            return CallFit(False, (), f"{qualified}: its parameters in CuPy are not known")
        found = fit(
            qualified,
            counterpart.target_name,
            self._comparison(qualified, source, target),
            positional,
            keywords,
            star=star,
            wholly=double_star,
        )
        places = [p.name for p in source.parameters if p.kind in _BY_POSITION][:positional]
        given = {*places, *keywords}
        for name, why in self._unlike(qualified):
            if found.fits and (name in given or star or double_star):
                return CallFit(False, (name,), f"{qualified}: {name}: {why}")
        return found

    def takes(self, path: str, parameter: str | int, kind: str) -> bool | None:
        """Whether the target takes an argument of that kind by that parameter.

        Recorded from the target's own checks (see :mod:`gpuport.rules.argumentkinds`).

        Parameters
        ----------
        path : str
            NumPy's or CuPy's name: ``numpy.digitize``, ``numpy.ndarray.dot``, ``cupy.linalg.norm``.
        parameter : str or int
            NumPy's or CuPy's name of the parameter, or its position in the call (without the
            array that a method belongs to). What ``*args`` takes has the name ``args`` has.
        kind : str
            One of ``argumentkinds.KINDS``, or ``"number"`` for ``int`` and ``float`` together.

        Returns
        -------
        bool or None
            None where it is not known: an unknown or unprobed function, or a kind that NumPy
            itself does not take there. False also where the target answers off the device.

        Raises
        ------
        ValueError
            For a kind that does not exist.
        """
        name = self._argument_name(path, parameter)
        if name is None:
            return None
        return self.argument_kinds.takes(_cupy_name(path), name, kind)

    @cached_property
    def argument_kinds(self) -> ArgumentKinds:
        """The table behind :meth:`takes`, with what is raised."""
        major = self.target.rpartition("-")[2]
        return ArgumentKinds(self.files.folder / f"arguments-{major}.json")

    def results(self, path: str) -> ResultKinds | None:
        """Whether the target's results are of the same kinds; None where that is not known.

        Parameters
        ----------
        path : str
            SciPy's or CuPy's name of a function.
        """
        return self.result_kinds.of(_cupy_name(path))

    def compares_results(self, path: str) -> bool:
        """Whether the results of functions of its module were compared."""
        return self.result_kinds.covers(_cupy_name(path))

    @cached_property
    def result_kinds(self) -> ResultTable:
        """The table behind :meth:`results`."""
        major = self.target.rpartition("-")[2]
        return ResultTable(self.files.folder / f"results-{major}.json")

    def _argument_name(self, path: str, parameter: str | int) -> str | None:
        """The target's name of a parameter that is given by either's name or by position."""
        key = (path, parameter)
        if key not in self._argument_names:
            self._argument_names[key] = self._find_argument(path, parameter)
        return self._argument_names[key]

    def _find_argument(self, path: str, parameter: str | int) -> str | None:
        target = self.entry(_cupy_name(path))
        if target is None or target.parameters is None:
            return None
        places = [p.name for p in target.parameters if p.kind in _BY_POSITION]
        spread = next((p.name for p in target.parameters if p.kind == "var_positional"), None)
        if isinstance(parameter, int):
            return places[parameter] if parameter < len(places) else spread
        if any(p.name == parameter for p in target.parameters):
            return parameter
        renamed: str | None = self.files.policy["renamed"].get(path, {}).get(parameter)
        source = self.entry(path)
        if renamed is not None or source is None or source.parameters is None:
            return renamed
        ours = [p.name for p in source.parameters if p.kind in _BY_POSITION]
        if parameter in ours and ours.index(parameter) < len(places):
            return places[ours.index(parameter)]
        rest = any(p.name == parameter and p.kind == "var_positional" for p in source.parameters)
        return spread if rest else None

    # -- classification --------------------------------------------------------------------

    def _classify(self, qualified: str) -> Counterpart:
        if qualified.split(".")[0] not in SOURCES or self.files.raw(qualified) is None:
            raise KeyError(qualified)
        target_name = on_device(qualified)
        target = self.files.raw(target_name)
        reason = self._host_reason(qualified)
        if reason is not None:
            shown = target_name if target is not None else None
            note = f"host-only: {reason}"
            return Counterpart(qualified, shown, Fate.HOST_ONLY, frozenset(), note)
        note = f"CuPy has no {target_name}"
        if target is not None:
            note = self._unimplemented_method(target_name)
        if target is None or note:
            return Counterpart(qualified, None, Fate.MISSING, frozenset(), note)
        return self._compare(qualified, target_name)

    def _host_reason(self, qualified: str) -> str | None:
        return next((why for glob, why in self.files.host_only if glob.match(qualified)), None)

    def _unimplemented_method(self, target_name: str) -> str:
        """Why a ufunc's method is missing although the class has it; empty if it is not."""
        owner, _, method = target_name.rpartition(".")
        methods = self.files.entries("cupy").get(owner, {}).get("methods")
        if methods is None or method in methods or not self._is_ufunc_method(method):
            return ""
        return f"{target_name} raises NotImplementedError"

    def _is_ufunc_method(self, method: str) -> bool:
        return self.files.entries("cupy").get(f"cupy.ufunc.{method}", {}).get("kind") == "method"

    def _compare(self, qualified: str, target_name: str) -> Counterpart:
        source, target = self._pair(qualified, target_name)
        if target.same_as is not None:
            note = f"{target_name} is {target.same_as} itself"
            return Counterpart(qualified, target_name, Fate.SAME, frozenset(), note)
        if not _same_sort(source.kind, target.kind):
            note = f"a {source.kind} in {_library(qualified)}, a {target.kind} in CuPy"
            return Counterpart(qualified, target_name, Fate.DIFFERS, frozenset(), note)
        if source.kind == "constant" and source.value != target.value:
            note = f"{source.value} in {_library(qualified)}, {target.value} in CuPy"
            return Counterpart(qualified, target_name, Fate.DIFFERS, frozenset(), note)
        if source.kind not in _CALLABLE:
            return Counterpart(qualified, target_name, Fate.SAME, frozenset(), "")
        if source.parameters is None or target.parameters is None:
            note = "parameters not known"
            return Counterpart(qualified, target_name, Fate.DIFFERS, frozenset(), note)
        comparison = self._comparison(qualified, source, target)
        unlike = [f"{name}: {why}" for name, why in self._unlike(qualified)]
        fate = Fate.DIFFERS if unlike or not accepted(comparison) else Fate.SAME
        note = "; ".join((*comparison.notes, *unlike))
        return Counterpart(qualified, target_name, fate, comparison.missing, note)

    def _unlike(self, qualified: str) -> Iterable[tuple[str, str]]:
        """Parameters of the same name that do not mean the same, and why."""
        found: dict[str, str] = self.files.policy["unlike"].get(qualified, {})
        return found.items()

    def _pair(self, qualified: str, target_name: str) -> tuple[ApiEntry, ApiEntry]:
        source, target = self.entry(qualified), self.entry(target_name)
        assert source is not None
        assert target is not None
        return source, target

    def _comparison(self, qualified: str, source: ApiEntry, target: ApiEntry) -> Comparison:
        renamed = self.files.policy["renamed"].get(qualified, {})
        return compare(
            source.parameters or (),
            target.parameters or (),
            renamed,
            self._equal_defaults,
            _library(qualified),
        )

    @cached_property
    def _equal_defaults(self) -> frozenset[tuple[str, str, str]]:
        return frozenset(
            (p, ours, theirs) for p, ours, theirs in self.files.policy["equal_defaults"]
        )


def _library(path: str) -> str:
    library = library_of(path)
    return library.name if library is not None else path


def _cupy_name(path: str) -> str:
    """CuPy's name of what is given by NumPy's or by CuPy's."""
    return path if path.split(".")[0] in {"cupy", "cupyx"} else on_device(path)


def _same_sort(ours: str, theirs: str) -> bool:
    """Whether two kinds are used alike: a function and a ufunc are both called."""
    called = {"function", "ufunc", "method"}
    return ours == theirs or (ours in called and theirs in called)


def available_targets(folder: Path) -> tuple[str, ...]:
    """Names of the CuPy tables in a folder, sorted."""
    return tuple(sorted(path.stem for path in folder.glob("cupy-*.json")))


@lru_cache(maxsize=8)
def _load(target: str) -> ApiTables:
    folder = rules_folder() / "api"
    if target not in available_targets(folder):
        known = ", ".join(available_targets(folder))
        raise ValueError(f"no API table {target!r}; there are {known}")
    return ApiTables(target, folder)
