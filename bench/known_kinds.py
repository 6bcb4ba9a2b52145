"""What the analysis knows of the results of NumPy calls, over real packages.

    python bench/known_kinds.py [--corpus FOLDER] [--save]

Without ``--corpus`` the packages of tests/corpus/requirements.txt are downloaded into
``build/corpus``. Nothing was written for gpuport there, hardly anything is annotated, and no
recording is used, so that nearly all knowledge comes from the text alone. Counted is each call of
a NumPy function that a report counts as seen, by what the first pass knows of its result:

known
    It is known to be an array, a number, or a tuple, list or other object that is no array.
arrays, dtypes, ranks
    Of the calls: those known to give an array (or a number where an array's last axis goes), and
    those of them whose dtype, and whose number of axes, is known as well.
"""

from __future__ import annotations

import argparse
import ast
import gc
import sys
from collections import Counter
from pathlib import Path

from gpuport.analysis.functions.summaries import Analysed
from gpuport.analysis.project.callgraph import Project
from gpuport.analysis.values.lattice import Array, Either, Unknown, Value
from gpuport.config import Config
from gpuport.emit.aliases import Aliases
from gpuport.passes.outcomes import numpy_calls
from gpuport.passes.port import port_module
from gpuport.source.layout import Files
from gpuport.source.reading import SourceError, parse, read_source
from pipeline import default_corpus, mentions_numpy
from record import Recorder

_NOT_LOOKED_AT = "in code that is not analysed"


class Watcher:
    """Counts what the first pass over a module knows of its NumPy calls."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self._module: str | None = None

    def __call__(
        self,
        project: Project,
        results: dict[int, Analysed],
        aliases: Aliases,
        left: dict[int, str],
    ) -> None:
        """Count the calls of a module, unless this is a later pass over it."""
        if self._module == project.module.path:
            return
        self._module = project.module.path
        flows = _values(results)
        for calls in numpy_calls(project).values():
            for node, _ in calls:
                self._count(flows.get(id(node)))

    def _count(self, value: Value | None) -> None:
        self.counts["seen"] += 1
        if value is None:
            self.counts[_NOT_LOOKED_AT] += 1
        elif not isinstance(value, Unknown):
            self.counts["known"] += 1
        if isinstance(value, (Array, Either)):
            self.counts["arrays"] += 1
            self.counts["dtypes"] += value.dtype is not None
            self.counts["ranks"] += isinstance(value, Array) and value.rank is not None


def _values(results: dict[int, Analysed]) -> dict[int, Value]:
    """What each call gave when it was last looked at, by its node."""
    found: dict[int, Value] = {}
    for analysed in results.values():
        trace = analysed.unit.trace
        for node, flow in trace.flows.values() if trace is not None else ():
            if isinstance(node, ast.Call):
                found[id(node)] = flow.value
    return found


def measure(folder: Path) -> Counter[str]:
    """The counts of a package."""
    watcher = Watcher()
    for path in mentions_numpy(folder):
        try:
            module = parse(str(path), read_source(path).text)
        except SourceError:
            continue
        port_module(module, Config(), watch=watcher, files=Files())
        gc.collect()
    return watcher.counts


def main() -> int:
    """Measure, print and save."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path)
    parser.add_argument("--save", action="store_true", help="write bench/results/")
    arguments = parser.parse_args()
    recorder, total = Recorder("known_kinds", arguments.save), Counter[str]()
    corpus = arguments.corpus or default_corpus()
    for folder in sorted(path for path in corpus.iterdir() if path.is_dir()):
        counts = measure(folder)
        if counts["seen"]:
            total += counts
            recorder.emit("package", name=folder.name, **_row(counts))
    recorder.emit("corpus", **_row(total))
    recorder.close()
    return 0


def _row(counts: Counter[str]) -> dict[str, object]:
    share = {f"{name}_share": round(counts[name] / max(counts["seen"], 1), 3)
             for name in ("known", "arrays", "dtypes", "ranks")}  # fmt: skip
    return {**{name.replace(" ", "_"): n for name, n in sorted(counts.items())}, **share}


if __name__ == "__main__":
    sys.exit(main())
