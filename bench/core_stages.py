"""What the stages of the coming core cost and know, beside ``ast.parse`` and LibCST in one run.

    python bench/core_stages.py [PATHS ...] [--save]

PATHS are files or folders; without them the programs of the tests and fixtures. Measured are, in
CPU time of one process:

parse, libcst
    ``ast.parse`` and ``libcst.parse_module``: the yardsticks.
lower, infer, canonicalise
    From text to the program representation (with its own parse), to facts, to maps. NumPy is asked
    in another process, whose time is not counted, and not again for what an earlier run kept;
    ``probes`` counts the questions.
known
    NumPy calls of whose result the kind is known, over contexts.
evaluations
    How often an operation is evaluated, over contexts; the design allows 4.
loops, maps, chains
    ``for`` loops in functions, those among them that became maps with independent iterations, and
    array expressions that did.
"""

from __future__ import annotations

import argparse
import ast
import time
import warnings
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import libcst

from gpuport.canonicalise.rewriting import canonicalise
from gpuport.facts import Facts, infer
from gpuport.facts.probing import Prober
from gpuport.ir import opaque, walk
from gpuport.ir.types import UNKNOWN
from gpuport.lower import lower
from gpuport.parallel.dependence import check_independent
from record import Recorder

ROOT = Path(__file__).resolve().parents[1]
PROGRAMS = (ROOT / "tests" / "property" / "programs", ROOT / "fixtures")


def files(paths: list[Path]) -> list[Path]:
    """The Python files of files and folders."""
    found: list[Path] = []
    for path in paths:
        found += sorted(path.rglob("*.py")) if path.is_dir() else [path]
    return found


class Clock:
    """CPU time by the name of what was done."""

    def __init__(self) -> None:
        self.spent: Counter[str] = Counter()

    def __call__(self, name: str, action: Callable[[], Any]) -> Any:
        start = time.process_time()
        found = action()
        self.spent[name] += time.process_time() - start
        return found


def known_calls(facts: Facts) -> tuple[int, int]:
    """NumPy calls over contexts, and those of whose result the kind is known."""
    calls = known = 0
    for function, contexts in facts.contexts.items():
        for context in contexts:
            for op in walk(function.body):
                callee = context.types.get(op.operands[0]) if op.kind == "Call" else None
                if callee is None or not (callee.path or "").startswith("numpy."):
                    continue
                calls += 1
                known += context.types.get(op.result, UNKNOWN).kind != "unknown"
    return calls, known


def main() -> None:
    """Measure all files, and record the sums."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="*", type=Path)
    parser.add_argument("--save", action="store_true")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    clock, prober, counts = Clock(), Prober(), Counter[str]()
    for file in files(given.paths or list(PROGRAMS)):
        text = file.read_text(encoding="utf-8")
        clock("parse", partial(ast.parse, text))
        clock("libcst", partial(libcst.parse_module, text))
        module = clock("lower", partial(lower, text, file.stem))
        facts = clock("infer", partial(infer, [module], prober))
        calls, known = known_calls(facts)
        counts += Counter(
            files=1,
            lines=text.count("\n"),
            opaque=len(opaque(module)),
            evaluations=facts.evaluations,
            calls=calls,
            known=known,
        )
        for function, contexts in facts.contexts.items():
            inside = list(walk(function.body))
            counts["operations"] += len(inside) * len(contexts)
            counts["loops"] += sum(op.kind == "For" for op in inside)
            made = clock(
                "canonicalise", partial(canonicalise, function, contexts, check_independent)
            )
            nests = sum(region.replaces[0].kind == "For" for region in made.regions)
            counts += Counter(maps=nests, chains=len(made.regions) - nests)
    parse = clock.spent["parse"]
    recorder = Recorder("core_stages", given.save)
    recorder.emit(
        "stages",
        **counts,
        probes=prober.asked,
        known_share=round(counts["known"] / max(counts["calls"], 1), 3),
        evaluations_per_operation=round(counts["evaluations"] / counts["operations"], 2),
        cpu_s={name: round(seconds, 3) for name, seconds in clock.spent.items()},
        over_parse={name: round(seconds / parse, 1) for name, seconds in clock.spent.items()},
    )
    recorder.close()


if __name__ == "__main__":
    main()
