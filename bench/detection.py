"""How good is the verifier: porting faults and harmless rewrites planted in ports, and judged.

    python bench/detection.py [--programs DIR ...] [--kinds careless] [--per-function 4]
        [--budget 10] [--minutes N] [--sample SEED] [--keep FILE] [--save]

Programs are ported, in an order shuffled once and for all for each sample. With ``--keep`` what is
finished, function by function, is written to a file, and a later run at the same revision goes on
behind it: as long programs as there may be are measured in pieces. A function
whose port is verified EQUIVALENT gets faults (`faults.py`, `hostile.py`, `misported.py`, `rare.py`,
`careless.py`), one at a time, and the verifier must find each within the seconds that a function
has.

detection
    killed / planted over all faults that were not read and found to be equivalent
    (``detection_equivalent.json``, each with its reason), and false alarms / harmless rewrites.
operator
    The same for each operator.
survivor
    What was not found, with the change.
port
    An unchanged port that does not hold: a fault of the port, or a false alarm.
"""

from __future__ import annotations

import argparse
import ast
import json
import random
import tempfile
import time
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import libcst as cst

from careless import CARELESS
from faults import BENIGN, FAULTS, Mutant, mutants
from gpuport.config import Config
from gpuport.porter import port_text
from gpuport.source.reading import read_source
from gpuport.verify.comparison.script import MODULE
from gpuport.verify.records import FunctionVerdict, Verdict, VerifyOptions
from gpuport.verify.sessions.session import verify_paths
from hostile import HARMLESS, HOSTILE
from kept import Kept
from misported import MISPORTED
from rare import RARE
from record import Recorder

ROOT = Path(__file__).resolve().parents[1]
DEFAULT = (
    ROOT / "fixtures" / "programs",
    ROOT / "fixtures" / "pairs",
    ROOT / "tests/property/programs",
)
FAMILIES = {
    "faults": FAULTS, "hostile": HOSTILE, "misported": MISPORTED, "rare": RARE,
    "careless": CARELESS,
}  # fmt: skip
PLANTED = {name: each for family in FAMILIES.values() for name, each in family.items()}
CONTROLS = BENIGN | HARMLESS
EQUIVALENT = Path(__file__).with_name("detection_equivalent.json")


@dataclass(frozen=True)
class Case:
    """One planted change and what the verifier said."""

    program: str
    benign: bool
    mutant: Mutant
    verdict: Verdict
    reason: str
    seconds: float

    @property
    def found(self) -> bool:
        return self.verdict.failing

    @property
    def key(self) -> str:
        """What names the change in the list of equivalent ones; a port's lines move, others not."""
        m = self.mutant
        return f"{self.program}|{m.function}|{m.operator}|{m.before.strip()[:80]}"


def programs(folders: list[Path]) -> Iterator[tuple[str, Path]]:
    """Python files that are originals: no ports, no tests."""
    for folder in folders:
        for file in sorted(folder.rglob("*.py")):
            parts = set(file.relative_to(folder).parts)
            if not {"ported", "after.py", "conftest.py"} & parts:
                yield f"{folder.name}/{file.relative_to(folder).as_posix()}", file


def verdicts(
    folder: Path, original: Path, text: str, functions: tuple[str, ...], seconds: float = 10.0
) -> dict[str, FunctionVerdict]:
    """Verify a port given as text."""
    work = Path(tempfile.mkdtemp(dir=folder))
    (work / "new").mkdir()
    (work / "old").mkdir()
    (work / "old" / "program.py").write_bytes(original.read_bytes())
    (work / "new" / "program.py").write_text(text, encoding="utf-8")
    options = VerifyOptions(root=work, functions=functions, function_seconds=seconds)
    report = verify_paths([work / "new" / "program.py"], str(work / "old"), options)
    return {function.name: function for function in report.functions()}


def kernels_of(text: str, function: str) -> set[str]:
    """Module-level names that a function uses."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name == function.rpartition(".")[2]:
            return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
    return set()


def callers(text: str, function: str) -> set[str]:
    """Functions of the file that name this one: its fault is theirs too."""
    short, found = function.rpartition(".")[2], set()
    for node in ast.parse(text).body:
        parts = node.body if isinstance(node, ast.ClassDef) else [node]
        owner = f"{node.name}." if isinstance(node, ast.ClassDef) else ""
        for part in parts:
            names = {getattr(n, "id", getattr(n, "attr", "")) for n in ast.walk(part)}
            if isinstance(part, ast.FunctionDef) and short in names:
                found.add(owner + part.name)
    return found - {function}


def planted(
    text: str, function: str, name: str, per_function: int, kinds: str | None = None
) -> list[tuple[bool, Mutant]]:
    """A few faults and harmless rewrites of one function, the same ones each time."""
    chance = random.Random(zlib.crc32(f"{name}|{function}".encode()))

    def pick(places: int) -> list[int]:
        return [chance.randrange(places)] if places else []

    module, kernels = cst.parse_module(text), kernels_of(text, function)
    faults = list(mutants(module, function, kernels, FAMILIES.get(kinds or "", PLANTED), pick))
    benign = list(mutants(module, function, set(), CONTROLS, pick))
    chosen = chance.sample(faults, min(per_function, len(faults)))
    controls = chance.sample(benign, min(max(per_function // 3, 1), len(benign)))
    return [(False, m) for m in chosen] + [(True, m) for m in controls]


def as_json(cases: list[Case]) -> list[object]:
    """Cases without the texts of the changed programs."""
    return [
        {
            **asdict(case),
            "mutant": {**asdict(case.mutant), "text": ""},
            "verdict": case.verdict.name,
        }
        for case in cases
    ]


def from_json(rows: list[Any]) -> list[Case]:
    """What `as_json` made, back."""
    return [
        Case(**{**row, "mutant": Mutant(**row["mutant"]), "verdict": Verdict[row["verdict"]]})
        for row in rows
    ]


@dataclass(frozen=True)
class Run:
    """One run of the bench: how much is planted, and what is finished already."""

    folder: Path
    per_function: int
    budget: float
    kinds: str | None
    kept: Kept
    ends: float

    def program(self, name: str, original: Path) -> tuple[list[Case], dict[str, list[str]]] | None:
        """The planted changes of one program, and verdict and reason of each unchanged function.

        None where not even these are known; when the time has ended, the rest is left out.
        """
        if name not in self.kept.parts and time.monotonic() > self.ends:
            return None
        report = port_text(name, read_source(original), Config())
        if report.after is None or report.error is not None:
            return [], {}
        if name not in self.kept.parts:
            base = verdicts(self.folder, original, report.after, (), self.budget)
            told = {each.name: [each.verdict.name, each.reason] for each in base.values()}
            self.kept.keep(name, told)
        known: dict[str, list[str]] = self.kept.parts[name]
        cases: list[Case] = []
        for function, (verdict, _) in known.items():
            part = f"{name}|{function}"
            if part in self.kept.parts:
                cases += from_json(self.kept.parts[part])
            elif verdict == Verdict.EQUIVALENT.name and time.monotonic() <= self.ends:
                made = self._function(name, original, report.after, function, known)
                self.kept.keep(part, as_json(made))
                cases += made
        return cases, known

    def _function(
        self, name: str, original: Path, text: str, function: str, known: dict[str, list[str]]
    ) -> list[Case]:
        held = {n for n, (verdict, _) in known.items() if not Verdict[verdict].failing}
        reached = (function, *sorted(held & (callers(text, function) | {MODULE})))
        cases = []
        for benign, mutant in planted(text, function, name, self.per_function, self.kinds):
            started = time.perf_counter()
            found = verdicts(self.folder, original, mutant.text, reached, self.budget)
            seconds = time.perf_counter() - started
            worst = max(found.values(), key=lambda v: (v.verdict.failing, v.name == function))
            if worst.verdict is not Verdict.UNCHANGED:
                cases.append(Case(name, benign, mutant, worst.verdict, worst.reason, seconds))
        return cases


def main() -> None:
    """Plant, verify, count."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--programs", type=Path, nargs="*", default=list(DEFAULT))
    parser.add_argument("--kinds", choices=FAMILIES, help="Faults of one file.")
    parser.add_argument("--only", default="", help="Programs whose name holds this.")
    parser.add_argument("--per-function", type=int, default=4)
    parser.add_argument("--budget", type=float, default=10.0, help="Seconds of each function.")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--minutes", type=float, default=1e9, help="Begin no program after these.")
    parser.add_argument("--sample", type=int, default=0, help="Another order of the programs.")
    parser.add_argument("--keep", type=Path, help="Finished programs; a later run goes on.")
    parser.add_argument("--save", action="store_true")
    chosen = parser.parse_args()
    kept = Kept(chosen.keep, chosen.per_function, chosen.budget, chosen.kinds)
    known = json.loads(EQUIVALENT.read_text()) if EQUIVALENT.exists() else {}
    recorder = Recorder("detection", chosen.save)
    found = [p for p in programs(chosen.programs) if chosen.only in p[0]]
    random.Random(chosen.sample).shuffle(found)
    ends = time.monotonic() + 60 * chosen.minutes
    done = 0
    cases: list[Case] = []
    ports: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(chosen.jobs) as pool:
        how = chosen.per_function, chosen.budget, chosen.kinds
        run = Run(Path(scratch), *how, kept, ends)
        jobs = {pool.submit(run.program, *program): program[0] for program in found}
        for job in as_completed(jobs):
            result = job.result()
            if result is None:
                continue
            done += 1
            made, seen = result
            for name, (verdict, reason) in seen.items():
                ports[verdict] += 1
                if Verdict[verdict].failing:
                    whole = f"{jobs[job]}:{name}"
                    recorder.emit("port", function=whole, verdict=verdict, reason=reason[:300])
            for case in made:
                _tell(recorder, case, known)
            cases += made
    _emit(recorder, cases, known, ports, done)
    recorder.close()


def _tell(recorder: Recorder, case: Case, known: dict[str, str]) -> None:
    m = case.mutant
    if case.found is case.benign:
        kind = "false alarm" if case.benign else "survivor"
        recorder.emit(
            kind, key=case.key, line=m.line, before=m.before.strip()[:300],
            after=m.after.strip()[:300], verdict=case.verdict.value, reason=case.reason,
            equivalent=known.get(case.key),
        )  # fmt: skip


def _emit(
    recorder: Recorder, cases: list[Case], known: dict[str, str], ports: Counter[str], files: int
) -> None:
    faults = [c for c in cases if not c.benign and (c.found or c.key not in known)]
    controls = [c for c in cases if c.benign]
    by_operator: dict[str, list[Case]] = defaultdict(list)
    for case in faults:
        by_operator[case.mutant.operator].append(case)
    for name, group in sorted(by_operator.items()):
        killed = sum(c.found for c in group)
        recorder.emit("operator", name=name, planted=len(group), killed=killed)
    seconds = sorted(c.seconds for c in faults) or [0.0]
    killed = sum(c.found for c in faults)
    recorder.emit(
        "detection",
        programs=files,
        ports=dict(ports),
        operators=len(PLANTED),
        operators_used=len(by_operator),
        planted=len(faults),
        killed=killed,
        score=round(killed / max(len(faults), 1), 4),
        equivalent=sum(not c.benign and not c.found and c.key in known for c in cases),
        benign_kinds=len({c.mutant.operator for c in controls}),
        benign=len(controls),
        false_alarms=sum(c.found for c in controls),
        median_seconds=round(seconds[len(seconds) // 2], 2),
        largest_seconds=round(seconds[-1], 2),
    )


if __name__ == "__main__":
    main()
