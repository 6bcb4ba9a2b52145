"""What goes wrong with one function is that function's alone: it is left as it is, and it is said.

Whatever works on a function does so within `blamed_on`. What is raised there becomes a
`FunctionFailed`, upon which the port begins again without that function.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Protocol

from gpuport._frozen import frozen
from gpuport.probing import NoWorker
from gpuport.source.module import Module
from gpuport.source.names import Scope
from gpuport.source.reading import SourceError


class Project(Protocol):
    """A module, and the names of its functions."""

    module: Module

    def key(self, scope: Scope) -> int:
        """The name of a function, or of the code at the top."""


_MOST_STEPS = 200_000
"""Steps of the analysis of one function in one pass."""


@frozen
class Failure:
    """Why a function is left as it is, although nothing in it forbids its port.

    Attributes
    ----------
    code : str
    message : str
        Says what stays, and why.
    help : str
    """

    code: str
    message: str
    help: str


INTERNAL_ERROR = "GP999"
SLUGS = {"GP916": "too-much", INTERNAL_ERROR: "internal-error"}
TOO_MUCH = Failure(
    "GP916",
    "left alone: there is more in it to analyse than gpuport takes the time for",
    "split it into smaller functions",
)
TOO_DEEP = Failure(
    "GP916",
    "left alone: its expressions or blocks are nested too deeply to be analysed",
    "give parts of them names",
)


TOO_LONG = Failure(
    "GP916",
    "left alone: a number in it has thousands of digits",
    "no array holds such numbers: compute it, or keep it out of array code",
)
_LONG = re.compile("0[xXbBoO][0-9a-fA-F_]{1000}")
"""Python reads no longer numbers that are written in decimal digits."""


def overlong(project: Project, scopes: Iterable[Scope]) -> dict[int, Failure]:
    """The functions with numbers that are too long to be written out, by their keys."""
    if _LONG.search(project.module.text) is None:
        return {}
    keys = [
        project.key(scope) for scope in scopes
        if not isinstance(scope.node, ast.ClassDef)
        and _LONG.search(project.module.segment(scope.node))
    ]  # fmt: skip
    functions = [key for key in keys if key >= 0]
    return dict.fromkeys(functions or keys, TOO_LONG)


class Answer(Exception):
    """What is raised to say something of a function: nothing went wrong."""


class TooMuch(Exception):
    """The steps that the analysis of a function may take are used up."""


class FunctionFailed(Exception):
    """Something went wrong with one function.

    Parameters
    ----------
    project : Project
        Its module.
    scope : Scope
        The function, or the module.
    failure : Failure
    """

    def __init__(self, project: Project, scope: Scope, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure, self.module = failure, project.module
        self.keys = [project.key(one) for one in _around(scope)]
        """The function, and those around it, as `Project.key` names them."""


def _around(scope: Scope) -> Iterator[Scope]:
    current: Scope | None = scope
    while current is not None:
        if not isinstance(current.node, ast.ClassDef):
            yield current
        current = current.parent


@contextmanager
def blamed_on(project: Project, scope: Scope) -> Iterator[None]:
    """Tell of which function it is that something goes wrong.

    Raises
    ------
    FunctionFailed
        For all that is raised and is no answer of the analysis; of functions that are worked on
        within each other, at the innermost.
    """
    try:
        yield
    except (Answer, FunctionFailed, SourceError, NoWorker):
        raise
    except TooMuch as error:
        raise FunctionFailed(project, scope, TOO_MUCH) from error
    except RecursionError as error:
        raise FunctionFailed(project, scope, TOO_DEEP) from error
    except Exception as error:
        failure = Failure(INTERNAL_ERROR, _said(error), "report it, with the function")
        raise FunctionFailed(project, scope, failure) from error


class Budget:
    """The steps that the analysis of each function of a module may take."""

    def __init__(self) -> None:
        self._taken: dict[int, int] = {}

    def take(self, function: int, steps: int = 1) -> None:
        """Take steps for a function, which its id names.

        Raises
        ------
        TooMuch
            Where there are none left.
        """
        taken = self._taken[function] = self._taken.get(function, 0) + steps
        if taken > _MOST_STEPS:
            raise TooMuch


def _said(error: Exception) -> str:
    what = f"{type(error).__name__}: {error}".splitlines()[0]
    return f"left alone: gpuport made a mistake when it looked at this function ({what})"


__all__ = [
    "INTERNAL_ERROR", "SLUGS", "Answer", "Budget", "Failure", "FunctionFailed", "TooMuch",
    "blamed_on", "overlong",
]  # fmt: skip
