"""Write the API tables ``rules/api/*.json`` and their page from real installed packages.

``python -m gpuport.rules.generate --cupy 13.6.0 --cupy 14.2.0`` installs those wheels into
throw-away environments; ``--python PATH`` introspects an environment that exists already.
``--from-tables`` changes nothing but what follows from the tables: their formatting, the compiled
``policy.json`` and the page.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from gpuport._data import rules_folder

from .survey import command

Table = Mapping[str, Any]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; 0 if every table was written."""
    options = _parser().parse_args(arguments)
    folder: Path = options.output
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="gpuport-api-") as scratch:
        pythons = list(options.python)
        for version in options.cupy:
            pythons.append(install_wheel(version, Path(scratch) / version, options.variant))
        for python in pythons:
            write_tables(folder, introspect(python))
    if not pythons and not options.from_tables:
        print("nothing to introspect: give --cupy VERSION or --python PATH", file=sys.stderr)
        return 2
    finish(folder, options.page or _page_of(folder))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m gpuport.rules.generate", description=__doc__)
    parser.add_argument("--cupy", action="append", default=[], metavar="VERSION")
    parser.add_argument("--python", action="append", default=[], type=Path, metavar="PATH")
    parser.add_argument("--variant", default="cupy-cuda12x", help="distribution to install")
    parser.add_argument("--from-tables", action="store_true", help="introspect nothing")
    parser.add_argument("--output", type=Path, default=rules_folder() / "api")
    parser.add_argument(
        "--page",
        type=Path,
        help="page of names by fate (default: docs/ beside)",
    )
    return parser


def _page_of(folder: Path) -> Path | None:
    """The documentation's page, where the tables are those of a checkout."""
    docs = folder.resolve().parents[1] / "docs"
    return (
        docs / "api-tables.md"
        if folder.resolve().parent.name == "rules" and docs.is_dir()
        else None
    )


def install_wheel(version: str, folder: Path, variant: str) -> Path:
    """Install one CuPy wheel with the NumPy and SciPy it accepts; the environment's Python."""
    venv.create(folder, with_pip=True)
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    pip = [str(python), "-m", "pip", "install", "--quiet", f"{variant}=={version}", "scipy"]
    subprocess.run(pip, check=True)
    return python


def introspect(python: Path) -> dict[str, Table]:
    """Describe the packages of one environment.

    Parameters
    ----------
    python : pathlib.Path
        Interpreter of the environment.

    Returns
    -------
    dict
        Table name (``cupy-14``, ``numpy-2``, ``scipy-1``, ``arguments-14``, ``results-14``) to
        table. Packages are looked at in separate processes, so that CuPy's import cannot change
        what NumPy shows.
    """
    tables: dict[str, Table] = {}
    for family in ("numpy", "scipy", "cupy"):
        run = subprocess.run(
            command(python, "names", family), capture_output=True, text=True, check=False
        )
        if run.returncode:
            raise SystemExit(f"{python}: cannot introspect {family}:\n{run.stderr}")
        table = json.loads(run.stdout)
        major = table["versions"][family].split(".")[0]
        tables[f"{family}-{major}"] = table
    asked = dict(_arguments(python))
    results = {"versions": asked["versions"], **asked.pop("results")}
    return {**tables, f"arguments-{major}": asked, f"results-{major}": results}


def _arguments(python: Path) -> Table:
    """Which kinds of argument CuPy takes, and of result it gives; this takes some minutes."""
    run = subprocess.run(command(python, "arguments"), capture_output=True, text=True, check=False)
    if run.returncode:
        raise SystemExit(f"{python}: cannot ask CuPy about its arguments:\n{run.stderr}")
    table: Table = json.loads(run.stdout)
    return table


def write_tables(folder: Path, tables: Mapping[str, Table]) -> None:
    """Write each table under its name; what one environment says replaces an earlier one."""
    for name, table in tables.items():
        (folder / f"{name}.json").write_text(render(table), "utf-8")


def render(table: Table) -> str:
    """A table as JSON text: sorted, one entry a line, so that a diff reads name by name."""
    compact = {"ensure_ascii": False, "separators": (",", ":")}
    lines = [
        f"{json.dumps(name)}:{json.dumps(entry, **compact)}"  # type: ignore[arg-type]
        for name, entry in sorted(table["entries"].items())
    ]
    head = {key: table[key] for key in sorted(table) if key != "entries"}
    start = json.dumps(head, sort_keys=True)[:-1]
    return start + ',\n"entries": {\n' + ",\n".join(lines) + "\n}}\n"


def finish(folder: Path, page: Path | None) -> None:
    """Render again what lies in ``folder``, compile the policy, and write the page."""
    for path in table_paths(folder):
        path.write_text(render(json.loads(path.read_text("utf-8"))), "utf-8")
    (folder / "policy.json").write_text(compile_policy(folder), "utf-8")
    if page is not None:
        from .apipage import write_page

        write_page(folder, page)


def compile_policy(folder: Path) -> str:
    """``host-only.yaml`` and ``parameters.yaml`` as the JSON that ``tables`` reads fast.

    YAML costs a tenth of a second of start-up that a list of patterns is not worth.
    """
    import yaml

    host_only = yaml.safe_load((folder / "host-only.yaml").read_text("utf-8"))
    parameters = yaml.safe_load((folder / "parameters.yaml").read_text("utf-8"))
    policy = {
        "host_only": [
            [glob_pattern(glob), group["reason"]] for group in host_only for glob in group["names"]
        ],
        "renamed": parameters["renamed"],
        "unlike": {
            name: group["parameters"] for group in parameters["unlike"] for name in group["names"]
        },
        "equal_defaults": [
            [row["parameter"], row["numpy"], default]
            for row in parameters["equal_defaults"]
            for default in row["cupy"]
        ],
    }
    return json.dumps(policy, indent=0, sort_keys=True) + "\n"


def glob_pattern(glob: str) -> str:
    """A glob over qualified names as a regular expression; ``*`` spans dots too."""
    return re.escape(glob).replace(r"\*", ".*") + r"\Z"


def table_paths(folder: Path) -> Iterable[Path]:
    """The generated API tables of a folder, in order."""
    return sorted(p for p in folder.glob("*-[0-9]*.json"))


if __name__ == "__main__":
    sys.exit(main())
