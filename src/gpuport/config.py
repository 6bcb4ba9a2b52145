"""``[tool.gpuport]`` of pyproject.toml and the command line, as one frozen `Config`."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

BOUNDARIES = ("match", "device", "none")
STYLES = ("kernels", "plain")
CUPY_VERSIONS = ("13", "14")
OUTPUT_FORMATS = ("text", "concise", "json", "sarif", "github", "markdown", "html")
COLORS = ("auto", "always", "never")


class ConfigError(Exception):
    """A setting that cannot be used; the message names the file and the key."""


@dataclass(frozen=True, slots=True)
class Config:
    """Everything a run is told.

    Attributes
    ----------
    boundary : str
        What a ported function does with NumPy arguments: ``match``, ``device`` or ``none``.
    style : str
        ``plain`` where no kernels are made of expressions, but of loops alone; else ``kernels``.
    cupy : str
        Major version of the CuPy that the port is for.
    unsafe : bool
        Whether edits that may change results in a documented way are made.
    verify : bool
        Whether each ported function is run beside its original, and taken back where it differs.
    select, ignore : tuple of str
        Finding codes, or the beginnings of codes, that are reported / not reported.
    rules : tuple of str
        Folders of the user's own rules.
    disable : tuple of str
        Ids of rules that are not used.
    exclude : tuple of str
        Patterns, as in ``.gitignore``, of files that are not looked at.
    jobs : int
        Worker processes; 0 means one for each core.
    color : str
        ``auto``, ``always`` or ``never``.
    output_format : str
        One of `OUTPUT_FORMATS`.
    output_file : str or None
        Where the report goes; None for the standard output.
    out_dir : str or None
        Where ported copies go; None for in place.
    vendor_runtime : bool
        Whether ports import the runtime from a copy in the user's own code.
    whole_program : bool
        Whether no code but the files of a run uses the objects of their classes.
    diff : bool
        Whether the report has the unified diff.
    dry_run : bool
        Whether nothing is written.
    exit_zero : bool
        Whether the exit status is 0 whatever is found.
    quiet, verbose : bool
        Whether the summary is left out, and whether findings of what was ported are shown.
    debug : bool
        Whether tracebacks are shown, and every result is ported a second time as a check.
    root : pathlib.Path or None
        Folder of the pyproject.toml that was read; ``exclude`` is relative to it, and so are the
        paths that stand there.
    """

    boundary: str = "match"
    style: str = "kernels"
    cupy: str = "14"
    unsafe: bool = False
    verify: bool = False
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    disable: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    jobs: int = 1
    color: str = "auto"
    output_format: str = "text"
    output_file: str | None = None
    out_dir: str | None = None
    vendor_runtime: bool = False
    whole_program: bool = False
    diff: bool = False
    dry_run: bool = False
    exit_zero: bool = False
    quiet: bool = False
    verbose: bool = False
    debug: bool = False
    root: Path | None = None

    @property
    def fuses(self) -> bool:
        """Whether operations in a row become kernels."""
        return self.style != "plain"

    @property
    def table(self) -> str:
        """Name of the API table that the port is checked against, such as ``cupy-14``."""
        return f"cupy-{self.cupy}"

    def reports(self, code: str) -> bool:
        """Whether findings of this code are reported; the longer match decides, else ``ignore``."""
        selected = _longest_prefix(code, self.select) if self.select else 0
        return selected > _longest_prefix(code, self.ignore)


def load(first_path: str | None, overrides: Mapping[str, object]) -> Config:
    """Read the nearest configuration and lay the command line over it.

    Parameters
    ----------
    first_path : str or None
        First path of the command line; pyproject.toml is looked for above it, or above the
        working folder where it is None or ``-``.
    overrides : mapping
        Field names of `Config` to values; None means "not given on the command line".

    Raises
    ------
    ConfigError
        For an unreadable file, an unknown key, or a value of the wrong kind.
    """
    given = {name: value for name, value in overrides.items() if value is not None}
    start = Path.cwd() if first_path in (None, "-") else Path(first_path or ".")
    file = find_pyproject(start)
    settings = read_pyproject(file) if file is not None else {}
    config = Config(**settings) if file is None else Config(**settings, root=file.parent)
    return replace(config, **given)  # type: ignore[arg-type]


def find_pyproject(start: Path) -> Path | None:
    """Nearest pyproject.toml with a ``[tool.gpuport]`` table, in a folder or above it."""
    absolute = start.absolute()
    for folder in (absolute, *absolute.parents):
        candidate = folder / "pyproject.toml"
        if candidate.is_file() and _has_table(candidate):
            return candidate
    return None


def read_pyproject(file: Path) -> dict[str, Any]:
    """Settings of ``[tool.gpuport]`` as fields of `Config`, paths made absolute.

    A configuration may be a stranger's, who does not get to say which files of this machine are
    read and written: its paths lead to places inside of the project.
    """
    table = _tool_table(file)
    settings: dict[str, Any] = {}
    for key, value in table.items():
        name = key.replace("-", "_")
        if key in _ELSEWHERE:
            continue
        convert = _CONVERTERS.get(name)
        if convert is None or "_" in key:
            raise ConfigError(f"{file}: unknown key '{key}' in [tool.gpuport]{_suggest(key)}")
        try:
            settings[name] = convert(value)
            if name in _PATHS:
                settings[name] = _placed(file.parent, settings[name])
        except (TypeError, ValueError) as error:
            raise ConfigError(f"{file}: [tool.gpuport] {key}: {error}") from None
    return settings


def inside(folder: Path, path: str) -> Path:
    """A path of a configuration, relative to its folder.

    Raises
    ------
    ValueError
        Where it leads out of the folder, links followed, or to what version control keeps there.
    """
    try:
        root, place = folder.resolve(), (folder / path).resolve()
    except (OSError, RuntimeError):  # links in a circle
        raise ValueError(f"{path!r} leads nowhere") from None
    if not place.is_relative_to(root):
        raise ValueError(
            f"{path!r} leads out of {root}: only the command line may name a place elsewhere"
        )
    if _VERSION_CONTROL & set(place.relative_to(root).parts):
        raise ValueError(f"{path!r} is a place of version control")
    return folder / path


def _placed(folder: Path, value: str | tuple[str, ...]) -> str | tuple[str, ...]:
    if isinstance(value, str):
        return str(inside(folder, value))
    return tuple(str(inside(folder, one)) for one in value)


def _has_table(file: Path) -> bool:
    # A pyproject.toml without the word cannot have the table, and need not be valid for us.
    try:
        return b"gpuport" in file.read_bytes() and bool(_tool_table(file))
    except OSError as error:
        raise ConfigError(f"{file}: cannot be read: {error.strerror}") from None


def _tool_table(file: Path) -> dict[str, Any]:
    import tomllib

    try:
        document = tomllib.loads(file.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file}: not valid TOML: {error}") from None
    except RecursionError:
        raise ConfigError(f"{file}: nested too deeply") from None
    table = document.get("tool", {}).get("gpuport", {})
    if not isinstance(table, dict):
        raise ConfigError(f"{file}: tool.gpuport must be a table")
    return table


def _longest_prefix(code: str, prefixes: tuple[str, ...]) -> int:
    return max((len(prefix) for prefix in prefixes if code.startswith(prefix)), default=-1)


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError(f"expected true or false, not {value!r}")
    return value


def _strings(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise TypeError(f"expected a list of strings, not {value!r}")
    return tuple(value)


def _string(value: object) -> str:
    if not isinstance(value, str) or not value or "\0" in value:
        raise TypeError(f"expected the name of a file or folder, not {value!r}")
    return value


def _count(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= _MOST_JOBS:
        raise ValueError(
            f"expected a number of processes up to {_MOST_JOBS} (0: one for each core), "
            f"not {value!r}"
        )
    return value


def _one_of(choices: tuple[str, ...]) -> Callable[[object], str]:
    def convert(value: object) -> str:
        text = str(value) if isinstance(value, (str, int)) else ""
        if text not in choices:
            raise ValueError(f"expected one of {', '.join(choices)}, not {value!r}")
        return text

    return convert


_PATHS = ("rules", "output_file", "out_dir")
_VERSION_CONTROL = frozenset({".git", ".hg", ".svn", ".bzr"})
_MOST_JOBS = 256
# tables that are read where they are used
_ELSEWHERE = frozenset({"inputs"})
_CONVERTERS: dict[str, Callable[[object], Any]] = {
    "boundary": _one_of(BOUNDARIES),
    "style": _one_of(STYLES),
    "cupy": _one_of(CUPY_VERSIONS),
    "unsafe": _flag,
    "select": _strings,
    "ignore": _strings,
    "rules": _strings,
    "disable": _strings,
    "exclude": _strings,
    "jobs": _count,
    "color": _one_of(COLORS),
    "output_format": _one_of(OUTPUT_FORMATS),
    "output_file": _string,
    "out_dir": _string,
    "vendor_runtime": _flag,
    "whole_program": _flag,
    "diff": _flag,
    "dry_run": _flag,
    "exit_zero": _flag,
    "quiet": _flag,
    "verbose": _flag,
}
assert set(_CONVERTERS) <= {field.name for field in fields(Config)}


def _suggest(key: str) -> str:
    known = sorted(name.replace("_", "-") for name in _CONVERTERS)
    close = difflib.get_close_matches(key.replace("_", "-"), known, n=1)
    return f"; did you mean '{close[0]}'?" if close else f"; known keys are {', '.join(known)}"
