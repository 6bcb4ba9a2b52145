"""How ports read: lines, statements that stand twice, kernels with one text, numbers fetched.

    python bench/diffs.py [FILE_OR_FOLDER ...] [--save]

Without paths it takes the programs of ``fixtures`` and ``tests/property/programs``. Where a folder
holds ``hand.py``, that port of ``original.py`` beside it, or of the fixture of the folder's name,
is measured beside the tool's.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path

from gpuport.config import Config
from gpuport.porter import port_text
from gpuport.source.reading import read_source
from record import Recorder

ROOT = Path(__file__).parents[1]
PROGRAMS = (ROOT / "fixtures" / "programs", ROOT / "tests" / "property" / "programs")
SHORTEST = 12  #: letters of a statement that is looked for a second time


@dataclass
class Diff:
    """What a diff asks of who reads it.

    Attributes
    ----------
    added, removed, moved : int
        Lines that are not blank; moved ones, which only change their place or indentation, apart.
    twice : int
        Statements of the user's that stand more often than before.
    kernels, alike, texts : int
        Kernels, those of them whose text another one has, and the lines of the texts.
    fetched : int
        ``asnumpy(...)[()]`` and the like.
    launches : int
        Places that launch a kernel.
    """

    added: int = 0
    removed: int = 0
    moved: int = 0
    twice: int = 0
    kernels: int = 0
    alike: int = 0
    texts: int = 0
    fetched: int = 0
    launches: int = 0

    def __iadd__(self, other: Diff) -> Diff:
        for one in fields(self):
            setattr(self, one.name, getattr(self, one.name) + getattr(other, one.name))
        return self


def measured(before: str, after: str) -> Diff:
    """The figures of one diff."""
    lines = list(difflib.ndiff(before.splitlines(), after.splitlines()))
    added = Counter(line[2:].strip() for line in lines if line[0] == "+" and line[2:].strip())
    removed = Counter(line[2:].strip() for line in lines if line[0] == "-" and line[2:].strip())
    moved = (added & removed).total()
    tree = ast.parse(after)
    texts = Counter(_kernels(tree))
    return Diff(
        added=added.total() - moved,
        removed=removed.total() - moved,
        moved=moved,
        twice=(_statements(tree) - _statements(ast.parse(before))).total(),
        kernels=texts.total(),
        alike=sum(number - 1 for number in texts.values()),
        texts=sum(len([one for one in text.split("\\n") if one.strip("'\" ")]) for text in texts),
        fetched=len(re.findall(r"\)\[\(\)\]", after)),
        launches=_launches(tree),
    )


def _statements(tree: ast.Module) -> Counter[str]:
    """Statements of one line, whatever the names of copies; of those in the user's text alone."""
    found: Counter[str] = Counter()
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign | ast.AugAssign):
            text = re.sub(r"_host\b", "", ast.unparse(node))
            if len(text) >= SHORTEST:
                found[text] += 1
    return Counter({text: number for text, number in found.items() if number > 1})


def _kernels(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        name = ast.unparse(node.func).rpartition(".")[2] if isinstance(node, ast.Call) else ""
        if name in ("ElementwiseKernel", "kernel") and len(node.args) > 2:  # type: ignore[attr-defined]
            yield ast.unparse(node.args[2])  # type: ignore[attr-defined]


def _launches(tree: ast.Module) -> int:
    names = {
        node.targets[0].id
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
        if "ElementwiseKernel(" in ast.unparse(node.value)
    }
    names |= {
        node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
        and any("kernel(" in ast.unparse(one) for one in node.decorator_list)
    }
    calls = (n for n in ast.walk(tree) if isinstance(n, ast.Call))
    return sum(isinstance(n.func, ast.Name) and n.func.id in names for n in calls)


def _original(hand: Path) -> Path:
    """What was ported by hand: the program beside it, or the one of ``fixtures`` of its name."""
    beside, name = hand.with_name("original.py"), hand.parent.name
    return beside if beside.exists() else ROOT / "fixtures" / "programs" / name / f"{name}.py"


def main() -> None:
    """Measure what the command line names."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("paths", nargs="*", type=Path, default=list(PROGRAMS))
    parser.add_argument("--save", action="store_true")
    options = parser.parse_args()
    recorder = Recorder("diffs", options.save)
    for path in options.paths:
        found = [path] if path.is_file() else sorted(path.rglob("*.py"))
        files = [one for one in found if one.name not in ("hand.py", "tool.py", "after.py")]
        hands = {_original(one): one for one in found if one.name == "hand.py"}
        files += [one for one in hands if one not in files]
        whole, by_hand, ported = Diff(), Diff(), 0
        for file in files:
            source = read_source(file)
            after = port_text(str(file), source, Config()).after or source.text
            ported += after != source.text
            whole += measured(source.text, after)
            if file in hands:
                by_hand += measured(source.text, hands[file].read_text())
        shown = path.resolve()
        name = str(shown.relative_to(ROOT)) if shown.is_relative_to(ROOT) else shown.name
        recorder.emit("ports", of=name, files=len(files), ported=ported, **vars(whole))
        if by_hand.added:
            recorder.emit("ports by hand", of=name, **vars(by_hand))
    recorder.close()


if __name__ == "__main__":
    main()
