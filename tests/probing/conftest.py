"""A prober whose questions do what libraries do at their worst, and the services that ask it."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gpuport.probing.questions import Prober, Question
from gpuport.probing.service import Service

_UNRULY = """
    import ctypes, os, sys
    armed = []

    def answer(question):
        kind, *rest = question
        with open(rest[-1], "a") as log:
            log.write(kind + "\\n")
        if kind == "dies":
            ctypes.string_at(0)
        if kind == "damages":
            armed.append(kind)
        if kind == "suffers" and armed:
            os._exit(1)
        if kind == "stumbles" and armed:
            raise ValueError("of damaged memory")
        if kind == "prints":
            print("a word of the library's")
            sys.stdout.flush()
            os.system("echo another one; echo and one more >&2")
        if kind == "reads":
            return [sys.stdin.read(), os.read(0, 10).decode()]
        if kind == "leaves":
            sys.exit(3)
        if kind == "fails":
            raise ValueError("a defect")
        return [kind]
"""


class Unruly:
    """Questions to the prober, and what it was asked."""

    prober = Prober("unruly_prober", ())

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._log = folder / "asked"

    def question(self, kind: str) -> Question:
        return Question(self.prober, [kind, str(self._log)])

    @property
    def asked(self) -> list[str]:
        return self._log.read_text().split() if self._log.exists() else []


@pytest.fixture
def unruly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Unruly:
    (tmp_path / "unruly_prober.py").write_text(textwrap.dedent(_UNRULY))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("GPUPORT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv("GPUPORT_NO_CACHE", raising=False)
    return Unruly(tmp_path)


@pytest.fixture
def service(unruly: Unruly) -> Iterator[Callable[[], Service]]:
    """Makes services, each as another run of gpuport has it."""
    made: list[Service] = []

    def begin() -> Service:
        for one in made:
            one.close()
        made.append(Service())
        return made[-1]

    yield begin
    for one in made:
        one.close()
