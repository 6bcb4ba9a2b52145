"""The records that every stage hands on: findings, function reports, file reports, run reports.

Reports are rendered from these and from nothing else; exit statuses too.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from gpuport._frozen import frozen


class Severity(StrEnum):
    """How much a finding asks of the reader."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class Status(StrEnum):
    """What became of a function (see docs/json.md)."""

    PORTED = "ported"
    PARTIAL = "partial"
    REFUSED = "refused"
    UNCHANGED = "unchanged"


@frozen
class Span:
    """A place in a source file: 1-based lines and columns, the end column exclusive.

    Columns count characters of the decoded text, as editors do.
    """

    line: int
    column: int
    end_line: int
    end_column: int


@frozen
class Finding:
    """One decision: what was seen, where, and why it was or was not ported.

    Attributes
    ----------
    code : str
        Stable code, such as ``GP102``; its page is printed by ``gpuport explain GP102``.
    severity : Severity
    span : Span
    message : str
        One sentence in the user's own names and line numbers.
    function : str
        Qualified name without ``<locals>``; ``<module>`` for module-level code.
    reason : str or None
        Stable slug of a refusal (``missing-in-cupy``, ``unknown-type``, ...), else None.
    rule : str or None
        Id or name of the rule that decided, where one did.
    help : str or None
        What the user can do about it.
    often : str
        How often it runs each time that its function runs, as in `Crossing`.
    weight : int
        The same as a number, to put findings in an order by; of an annotation that would settle
        calls, how many.
    """

    code: str
    severity: Severity
    span: Span
    message: str
    function: str = "<module>"
    reason: str | None = None
    rule: str | None = None
    help: str | None = None
    often: str = "1"
    weight: int = 1


@dataclass(frozen=True, slots=True)
class FunctionReport:
    """What became of one function (or of module-level code, named ``<module>``)."""

    name: str
    line: int
    status: Status
    reasons: tuple[str, ...] = ()
    kernels: int = 0
    batched: int = 0
    swapped: int = 0
    verdict: str | None = None
    boundary: bool = False


@dataclass(frozen=True, slots=True)
class CallCounts:
    """NumPy calls and attributes seen; ``seen == ported + host`` always holds."""

    seen: int = 0
    ported: int = 0
    host: int = 0

    def __add__(self, other: CallCounts) -> CallCounts:
        return CallCounts(
            self.seen + other.seen, self.ported + other.ported, self.host + other.host
        )


@dataclass(frozen=True, slots=True)
class Fact:
    """One ground for what is known of a value.

    Attributes
    ----------
    source : str
        ``annotation``, ``call-site``, ``default``, ``use``, ``probe``, ``rule``, ``function``,
        ``binding``, ``join``, ``literal``, ``language`` or ``unknown``.
    message : str
    line : int or None
        Where it stands in the user's file.
    """

    source: str
    message: str
    line: int | None = None


@dataclass(frozen=True, slots=True)
class KnownValue:
    """What is known of one expression, and why.

    Attributes
    ----------
    text : str
        The expression as written.
    span : Span
    kind : str
        ``array``, ``array-or-number``, ``number``, ``python``, ``list``, ``tuple``, ``dict``,
        ``object`` or ``unknown``.
    description : str
        The claim in words.
    dtype : str or None
    rank : int or None
    place : str
        ``device`` or ``host``: where the port has it.
    free : bool
        Whether it could be on either side; the cheaper was taken.
    because : str
        What decided about its place.
    facts : tuple of Fact
    effects : tuple of str
        What a call does beyond giving its result.
    settle : str or None
        Of an unknown value: the one thing to write down that would make it known.
    """

    text: str
    span: Span
    kind: str
    description: str
    dtype: str | None
    rank: int | None
    place: str
    free: bool
    because: str
    facts: tuple[Fact, ...] = ()
    effects: tuple[str, ...] = ()
    settle: str | None = None


@dataclass(frozen=True, slots=True)
class LineReport:
    """What is known at one line; ``reason`` says why nothing is, where that is so."""

    path: str
    line: int
    function: str
    values: tuple[KnownValue, ...] = ()
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Crossing:
    """Something that goes between host and device, or that the host waits for.

    Attributes
    ----------
    direction : str
        ``h2d``, ``d2h``, or ``sync`` for a number that the host waits for.
    what : str
        The value as written.
    span : Span
    function : str
    boundary : bool
        Whether the function's boundary moves it, for callers with NumPy arrays alone.
    depth : int
        Loops around it in its function.
    often : str
        How often it crosses each time the function runs: ``1``, ``3 x steps``.
    count : int or None
        The same as a number, where it is one.
    size : str or None
        Type and shape, ``float64[n, 20]``.
    bytes : int or None
        Each time, where the shape is known as numbers.
    repeats : bool
        Whether loops of the program call the function.
    """

    direction: str
    what: str
    span: Span
    function: str
    boundary: bool
    depth: int
    often: str
    count: int | None
    size: str | None = None
    bytes: int | None = None
    repeats: bool = False


@dataclass(frozen=True, slots=True)
class Transfers:
    """What a port moves, and what it would move were each call to move what it takes and gives.

    ``call_by_call`` holds how often, as text, and how many arrays that often.
    """

    crossings: tuple[Crossing, ...] = ()
    call_by_call: tuple[tuple[str, int], ...] = ()

    def __add__(self, other: Transfers) -> Transfers:
        counts = dict(self.call_by_call)
        for often, count in other.call_by_call:
            counts[often] = counts.get(often, 0) + count
        return Transfers(self.crossings + other.crossings, tuple(sorted(counts.items())))


@dataclass(frozen=True, slots=True)
class FileError:
    """Why a file could not be handled: the run's exit status becomes 2."""

    message: str
    line: int | None = None
    column: int | None = None


@dataclass(frozen=True, slots=True)
class FileReport:
    """Everything known about one file after the pipeline.

    ``before`` and ``after`` hold the decoded text (line endings as in the file); ``after`` is
    None where nothing changes or the file failed. ``encoding`` and ``bom`` say how the file's
    bytes hold that text. ``transfers`` is None where nobody asked for it. ``runtime`` is the copy
    of the runtime that is written for the port. ``remarks`` are what of the file could not be kept
    when it was written.
    """

    path: str
    findings: tuple[Finding, ...] = ()
    functions: tuple[FunctionReport, ...] = ()
    calls: CallCounts = field(default_factory=CallCounts)
    before: str | None = None
    after: str | None = None
    error: FileError | None = None
    encoding: str = "utf-8"
    bom: bool = False
    transfers: Transfers | None = None
    runtime: str | None = None
    remarks: tuple[str, ...] = ()

    @property
    def changed(self) -> bool:
        """Whether the port differs from the original."""
        return self.after is not None and self.after != self.before


@dataclass(frozen=True, slots=True)
class RunReport:
    """All files of one run, in the order in which they were found."""

    files: tuple[FileReport, ...]
    target: str = "cupy-14"
    errors: tuple[str, ...] = ()

    @property
    def calls(self) -> CallCounts:
        """Sum of the files' call counts."""
        return sum((f.calls for f in self.files), CallCounts())

    def functions(self) -> Iterable[FunctionReport]:
        """Every function of every file."""
        return (function for file in self.files for function in file.functions)

    @property
    def failed(self) -> bool:
        """Whether some input could not be handled (exit status 2)."""
        return bool(self.errors) or any(f.error is not None for f in self.files)
