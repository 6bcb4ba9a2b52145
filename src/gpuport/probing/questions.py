"""Questions to libraries, and those who know how to ask them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from typing import Any


class ProbingError(Exception):
    """A question could not be asked at all: a defect of gpuport, or of its installation."""


class NoWorker(ProbingError):
    """No worker process starts."""


@dataclass(frozen=True, slots=True)
class Prober:
    """A module that answers questions in the worker process.

    Attributes
    ----------
    module : str
        Its name. It has a function ``answer``, which takes the data of a question and returns data;
        the same for the same question, whatever was asked before. It never returns None.
    sources : tuple of str
        The modules and packages of gpuport whose text decides what it answers: when one of them
        changes, older answers are forgotten.
    """

    module: str
    sources: tuple[str, ...]


@dataclass(frozen=True)
class Question:
    """Something that is asked of a library, as data that JSON has.

    Attributes
    ----------
    prober : Prober
    data : object
        Lists, dicts with texts as keys, texts, numbers, truth values and None.
    """

    prober: Prober
    data: Any

    @cached_property
    def text(self) -> str:
        """The question in one line, the same for equal data."""
        return json.dumps([self.prober.module, self.data], sort_keys=True, separators=(",", ":"))
