"""What the analysis knows about NumPy, CuPy and the host's libraries: tables and rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path
from typing import Any

from gpuport._data import rules_folder
from gpuport.analysis.values.lattice import Instance
from gpuport.rules import RuleSet
from gpuport.rules.tables import ApiTables


@dataclass(frozen=True, slots=True)
class ReadBack:
    """What a call reads back from the device by itself.

    ``what`` is ``size`` or ``values``; ``given`` and ``left_out`` are a parameter that the call
    must give, or leave out, for it to do so.
    """

    what: str
    given: str | None = None
    left_out: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class PlacementWords:
    """The word lists of ``rules/placement.yaml``."""

    heavy: frozenset[str]
    plain: frozenset[str]
    of_vectors: frozenset[str]
    searches: frozenset[str]
    light: frozenset[str]
    of_their_size: frozenset[str]
    host_parameters: frozenset[str]
    integer_parameters: frozenset[str]
    python_integers: frozenset[str]
    number_parameters: frozenset[str]
    type_parameters: frozenset[str]
    sequence_parameters: frozenset[str]
    result_parameters: frozenset[str]
    takes_lists: frozenset[str]
    goes_over_arrays: frozenset[str]
    takes_elements: frozenset[str]
    joins_arrays: frozenset[str]
    joins_no_numbers: frozenset[str]
    joins_lists: frozenset[str]
    joins_alike: frozenset[str]
    takes_parts: frozenset[str]
    takes_text: frozenset[str]
    choices: Mapping[str, Mapping[str, frozenset[str]]]
    takes_tuples: frozenset[str]
    joins_parts: frozenset[str]
    joins_columns: frozenset[str]
    makes_indices: frozenset[str]
    makes_index_tuples: frozenset[str]
    array_lists: Mapping[str, str]
    array_lists_at: Mapping[str, str]
    written_instead: Mapping[str, str]
    asks_type: frozenset[str]
    asks_only: frozenset[str]
    brings_back: frozenset[str]
    of_variables: frozenset[str]
    unprobed: frozenset[str]
    gives_nothing: frozenset[str]
    plain_results: frozenset[str]
    compares_memory: frozenset[str]
    reads_back: dict[str, ReadBack]
    pure_methods: frozenset[str]
    compilers: frozenset[str]
    transparent_decorators: frozenset[str]
    caching_decorators: frozenset[str]
    alike_in_parts: frozenset[str]
    distinct_indices: Mapping[str, frozenset[str]]
    shown_lengths: Mapping[str, frozenset[str]]
    print_numbers_otherwise: frozenset[str]
    infinity: Mapping[str, frozenset[str]]
    listens_to_warnings: Mapping[str, frozenset[str]]
    asks_for_masks: frozenset[str]
    gives_places: frozenset[str]
    standing_apart: frozenset[str]
    reaching_in: frozenset[str]
    runs_generators: frozenset[str]
    makes_when_asked: frozenset[str]

    @property
    def index_arrays(self) -> frozenset[str]:
        """What always makes arrays of indices, or tuples of them."""
        kinds = self.distinct_indices
        return frozenset().union(*(kinds[k] for k in kinds if k not in ("draws", "chosen")))

    def part(self, whole: object) -> Instance | None:
        """What an item of an object of a library is, where that is known."""
        known = isinstance(whole, Instance) and whole.path in self.alike_in_parts
        return whole if known else None  # type: ignore[return-value]

    def is_without_result(self, path: str) -> bool:
        """Whether a function gives nothing, whatever it is called with."""
        return any(fnmatchcase(path, pattern) for pattern in self.gives_nothing)


@dataclass(frozen=True, slots=True, eq=False)
class Knowledge:
    """Everything that is data."""

    tables: ApiTables
    rules: RuleSet
    words: PlacementWords
    unsafe: bool = False
    boundary: str = "match"
    whole_program: bool = False
    """Whether the user says that no code but what is analysed uses the objects of its classes."""

    def takes(self, path: str, parameter: str | int, kind: str) -> bool | None:
        """Whether the device's function takes such an argument; None where that is not known.

        Of a call that a rule writes under another name, that name is asked.
        """
        swap = self.rules.swap(path, unsafe=self.unsafe)
        if swap is not None and isinstance(parameter, str):
            return self.tables.takes(swap.to, swap.rename.get(parameter, parameter), kind)
        return self.tables.takes(path, parameter, kind)

    def works_on(self, path: str, parameter: str) -> bool:
        """Whether a parameter is the array that a function works on.

        That comes first, whatever its name: the ``m`` of ``tril``, not that of ``tril_indices``.
        """
        entry = self.tables.entry(path)
        if entry is None or not entry.parameters or entry.parameters[0].name != parameter:
            return False
        numbers = (self.takes(path, parameter, kind) for kind in ("int", "float"))
        return bool(self.takes(path, parameter, "array")) and not any(numbers)


@lru_cache(maxsize=8)
def knowledge(
    table: str = "cupy-14",
    folders: tuple[str, ...] = (),
    disable: tuple[str, ...] = (),
    unsafe: bool = False,
    boundary: str = "match",
    whole_program: bool = False,
) -> Knowledge:
    """Load tables, rules and word lists once per process and configuration.

    Raises
    ------
    gpuport.rules.RuleError
        If a rule file has errors.
    """
    paths: Sequence[Path] = [Path(folder) for folder in folders]
    rules = RuleSet.load(paths, disable)
    return Knowledge(
        ApiTables.load(table), rules, placement_words(), unsafe, boundary, whole_program
    )


def _reads_back(data: Mapping[str, Mapping[str, Mapping[str, str]]]) -> dict[str, ReadBack]:
    return {
        name: ReadBack(what, when.get("with"), when.get("without"))
        for what, functions in data.items()
        for name, when in functions.items()
    }


@lru_cache(maxsize=1)
def placement_words() -> PlacementWords:
    """The word lists, read once per process."""
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    text = (rules_folder() / "placement.yaml").read_text(encoding="utf-8")
    data = yaml.load(text, Loader=loader)
    given = {**data["work"], **data, "reads_back": _reads_back(data["reads_back"])}
    return PlacementWords(**{one.name: _frozen(given[one.name]) for one in fields(PlacementWords)})


def _frozen(words: Any) -> Any:
    """Lists of words as sets, also those that stand under a word."""
    if isinstance(words, dict):
        return {word: _frozen(others) for word, others in words.items()}
    return frozenset(words) if isinstance(words, list) else words
