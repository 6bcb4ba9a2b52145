"""All the rules that apply: shipped packs, packages, the user's folders; indexed by name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import Generic, TypeVar

from gpuport._data import rules_folder

from .errors import Problem, RuleError
from .model import DiffersRule, EffectRule, HostRule, PatternRule, Rule, SwapRule

ENTRY_POINTS = "gpuport.rules"
_R = TypeVar("_R", bound=Rule)


class RuleSet:
    """Rules by the resolved name they start from.

    A file's cost grows with its own calls and not with the number of rules: every query is a
    dictionary lookup, and one more per dot of the name where only a glob can match.
    """

    def __init__(self, rules: Iterable[Rule]) -> None:
        self._rules = tuple(rules)
        self._host: _Globs[HostRule] = _Globs()
        self._effect: _Globs[EffectRule] = _Globs()
        self._swap: _Globs[SwapRule] = _Globs()
        self._differs: dict[str, tuple[DiffersRule, ...]] = {}
        self._patterns: dict[str, tuple[PatternRule, ...]] = {}
        for rule in self._rules:
            if isinstance(rule, HostRule):
                self._host.add(rule.match, rule)
            elif isinstance(rule, EffectRule):
                self._effect.add(rule.match, rule)
            elif isinstance(rule, SwapRule):
                self._swap.add(rule.match, rule)
            elif isinstance(rule, DiffersRule):
                for name in dict.fromkeys(rule.match):
                    self._differs[name] = (*self._differs.get(name, ()), rule)
            elif isinstance(rule, PatternRule):
                for name in dict.fromkeys(rule.heads):
                    self._patterns[name] = (*self._patterns.get(name, ()), rule)
        named = {rule.instead for rule in self._rules if isinstance(rule, DiffersRule)}
        self.stand_ins = tuple(sorted(name for name in named if name))
        """Resolved names of what is called in the place of operations."""

    @classmethod
    def load(cls, folders: Sequence[Path] = (), disable: Sequence[str] = ()) -> RuleSet:
        """Load the shipped packs, those of installed packages, then the user's.

        Parameters
        ----------
        folders : sequence of Path
            Folders (searched for ``*.yaml`` and ``*.yml``) or single files; later ones win.
        disable : sequence of str
            Ids or names of rules to leave out.

        Returns
        -------
        RuleSet

        Raises
        ------
        RuleError
            With every problem of every file: path, line, column and what is wrong.
        """
        if not folders and not disable:
            return _default()
        rules = {rule.id: rule for rule in _installed()}
        rules |= {rule.id: rule for rule in _read_all(_user_files(folders))}
        return cls(_without(rules, disable))

    def all(self) -> tuple[Rule, ...]:
        """Every rule, in the order in which they were read."""
        return self._rules

    def find(self, word: str) -> Rule | None:
        """The rule with this id, else the first with this name, else None."""
        by_name = None
        for rule in self._rules:
            if rule.id == word:
                return rule
            if rule.name == word and by_name is None:
                by_name = rule
        return by_name

    def host(self, name: str) -> HostRule | None:
        """Rule for a callable that works on the host; the longest matching glob counts."""
        return self._host.of(name)

    def catching(self) -> Iterator[str]:
        """Names of context managers that keep errors to themselves."""
        for rule in self._rules:
            if isinstance(rule, HostRule) and rule.catches:
                yield from rule.match

    def effect(self, name: str) -> EffectRule | None:
        """Rule for what a callable does beyond its result: ``numpy.ndarray.sort``."""
        return self._effect.of(name)

    def swap(self, name: str, *, unsafe: bool = False) -> SwapRule | None:
        """Rule for a call that goes to another name, if it may be applied.

        ``unsafe`` rules only where asked for, ``manual`` ones never: a swap that is not to be
        made is as good as none.
        """
        rule = self._swap.of(name)
        allowed = ("safe", "unsafe") if unsafe else ("safe",)
        return rule if rule is not None and rule.safety in allowed else None

    def differs(self, name: str) -> tuple[DiffersRule, ...]:
        """Rules for what a name means differently in CuPy."""
        return self._differs.get(name, ())

    @cached_property
    def told_once(self) -> frozenset[str]:
        """Rules of which one finding says all for a function."""
        return frozenset(r.id for rules in self._differs.values() for r in rules if r.once)

    @cached_property
    def of_disguised_loops(self) -> frozenset[str]:
        """Rules of calls that call a function for each element, or each vector."""
        hosts = (rule for rule in self._rules if isinstance(rule, HostRule))
        return frozenset(rule.id for rule in hosts if rule.by_elements or rule.by_vectors)

    def patterns(self, name: str) -> tuple[PatternRule, ...]:
        """Rules whose pattern starts from a name (see ``matching.head``)."""
        return self._patterns.get(name, ())


class _Globs(Generic[_R]):
    """Rules of one kind by names and globs, and by the names that were asked for."""

    def __init__(self) -> None:
        self._rules: dict[str, _R] = {}
        self._known: dict[str, _R | None] = {}

    def add(self, match: Iterable[str], rule: _R) -> None:
        """A rule for names and globs; the last one counts."""
        self._rules.update(dict.fromkeys(match, rule))

    def of(self, name: str) -> _R | None:
        """Exact name first, then ``a.b.*``, then ``a.*``."""
        if name not in self._known:
            self._known[name] = self._find(name)
        return self._known[name]

    def _find(self, name: str) -> _R | None:
        rule = self._rules.get(name)
        while rule is None:
            name, dot, _ = name.rpartition(".")
            if not dot:
                return None
            rule = self._rules.get(f"{name}.*")
        return rule


@cache
def _default() -> RuleSet:
    return RuleSet(_installed())


@cache
def _installed() -> tuple[Rule, ...]:
    """Shipped packs and entry points: read once per process."""
    rules = {rule.id: rule for rule in _shipped()}
    rules |= {rule.id: rule for rule in _read_all(_entry_point_files())}
    return tuple(rules.values())


@cache
def _shipped() -> tuple[Rule, ...]:
    """The packs of the project itself."""
    # A pack is a folder; single files beside them are other data (the registry of findings).
    folder = rules_folder()
    packs = sorted(p for p in folder.iterdir() if p.is_dir() and p.name != "api")
    files = [path for pack in packs for path in _yaml_below(pack)]
    return _read_all((p, f"rules/{p.relative_to(folder).as_posix()}") for p in files)


def _yaml_below(folder: Path) -> list[Path]:
    return sorted(p for p in folder.rglob("*.y*ml") if p.suffix in (".yaml", ".yml"))


def _read_all(files: Iterable[tuple[Path, str]]) -> tuple[Rule, ...]:
    """Rules of many files, the path to show beside each; all problems raised together."""
    from .reading import read_rules

    rules: list[Rule] = []
    wrong: list[Problem] = []
    for path, shown in files:
        try:
            text = path.read_text(encoding="utf-8-sig")
        except OSError as error:
            wrong.append(Problem(shown, 1, 1, f"cannot be read: {error.strerror or error}"))
            continue
        except UnicodeDecodeError as error:
            wrong.append(Problem(shown, 1, 1, f"is not UTF-8: {error.reason}"))
            continue
        found, problems = read_rules(text, shown)
        rules.extend(found)
        wrong.extend(problems.found)
    if wrong:
        raise RuleError(tuple(wrong))
    return tuple(rules)


def _user_files(folders: Sequence[Path]) -> list[tuple[Path, str]]:
    """Rule files of the user's folders, in their order, with the path as the user knows it."""
    files: list[tuple[Path, str]] = []
    wrong: list[Problem] = []
    for folder in map(Path, folders):
        found = [folder] if folder.is_file() else _yaml_below(folder) if folder.is_dir() else []
        if not found:
            what = "has no *.yaml file" if folder.is_dir() else "no such file or folder"
            wrong.append(Problem(str(folder), 1, 1, f"rules: {what}"))
        files.extend((path, path.as_posix()) for path in found)
    if wrong:
        raise RuleError(tuple(wrong))
    return files


def _entry_point_files() -> list[tuple[Path, str]]:
    """Rule files of installed packages that expose ``gpuport.rules``; nothing is imported."""
    from importlib.metadata import entry_points

    files: list[tuple[Path, str]] = []
    for point in entry_points(group=ENTRY_POINTS):
        folder = _folder_of(point.value)
        if folder is None:
            message = f"entry point {point.name!r}: {point.value!r} is no folder of a package"
            raise RuleError((Problem(ENTRY_POINTS, 1, 1, message),))
        files.extend(
            (path, f"{point.value}/{path.relative_to(folder).as_posix()}")
            for path in _yaml_below(folder)
        )
    return files


def _folder_of(value: str) -> Path | None:
    """Folder of ``package.rules``, found without importing the package."""
    from importlib.util import find_spec

    top, *inner = value.partition(":")[0].strip().split(".")
    spec = find_spec(top)
    for place in (spec.submodule_search_locations or ()) if spec else ():
        folder = Path(place).joinpath(*inner)
        if folder.is_dir():
            return folder
    return None


def _without(rules: dict[str, Rule], disable: Sequence[str]) -> list[Rule]:
    """Leave out the rules named, by id or by name; a word that names none is an error."""
    from .reading import did_you_mean

    words = {word for rule in rules.values() for word in (rule.id, rule.name)}
    unknown = [word for word in disable if word not in words]
    if unknown:
        raise RuleError(
            tuple(
                Problem("disable", 1, 1, f"unknown rule {word!r}{did_you_mean(word, words)}")
                for word in unknown
            )
        )
    left_out = set(disable)
    return [r for r in rules.values() if r.id not in left_out and r.name not in left_out]
