"""What a call leaves beside its result: random state, warnings, shared memory, an exception."""

from __future__ import annotations

import contextlib
import io
import random
import re
import traceback
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from gpuport.verify.observe import Observation

MOST_PRINTED = 20_000
_ITEMS = 50
_NUMBERS = re.compile(r"[-+]?\d+\.?\d*(?:[eE][-+]?\d+)?|\bnan\b|\binf\b")


@contextlib.contextmanager
def quiet(printed: io.StringIO) -> Iterator[list[warnings.WarningMessage]]:
    """Inside the block output goes to `printed`; gives the list of the program's warnings."""
    with (
        contextlib.redirect_stdout(printed),
        contextlib.redirect_stderr(io.StringIO()),
        warnings.catch_warnings(record=True) as told,
    ):
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", UserWarning)
        # a discarded imaginary part says that complex input is outside the function's domain
        warnings.simplefilter("error", np.exceptions.ComplexWarning)
        yield told


def begin_randomly(seed: int) -> None:
    """Seed the generators of NumPy and of Python that everybody shares."""
    random.seed(seed)
    np.random.seed(seed)


def random_state() -> str:
    """How far the shared generators have come since `begin_randomly`; moves them on.

    Their next numbers tell: two of each, and a normal one, as that may be kept from an earlier
    pair. The whole state would take longer to read than most functions to run.
    """
    uniform = np.random.random_sample(2).tobytes().hex(), np.random.standard_normal()
    kept = getattr(getattr(random, "_inst", None), "gauss_next", None)
    return f"{uniform} {random.random()} {random.random()} {kept}"


def warned(told: list[warnings.WarningMessage]) -> str:
    """The program's own warnings, without their numbers; NumPy's are of other categories."""
    texts = {f"{w.category.__name__}: {_NUMBERS.sub('#', str(w.message))}" for w in told}
    return "; ".join(sorted(texts))[:MOST_PRINTED]


def raised(error: BaseException, own: Path, printed: io.StringIO, seconds: float) -> Observation:
    """The observation of a call that raised; `own` is the file under test."""
    frames = traceback.extract_tb(error.__traceback__)
    last = frames[-1] if frames else None
    explicit = (
        last is not None
        and last.filename == str(own)
        and (last.line or "").startswith(("raise", "assert"))
    )
    return Observation(
        raised=type(error).__name__,
        message=str(error)[:300],
        explicit=explicit,
        printed=printed.getvalue()[:MOST_PRINTED],
        seconds=seconds,
    )


def relations(result: Any, arguments: Mapping[str, Any]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Which results are an argument itself, and which are views of one."""
    parts: dict[str, Any] = {"result": result}
    if isinstance(result, list | tuple):
        parts |= {f"result[{i}]": item for i, item in enumerate(result[:_ITEMS])}
    elif isinstance(result, dict):
        parts |= {f"result[{key!r}]": item for key, item in result.items()}
    identity, views = [], []
    for place, part in parts.items():
        for name, value in arguments.items():
            if part is value and not _plain(part):
                identity.append(f"{place} is {name}")
            elif _share_memory(part, value):
                views.append(f"{place} of {name}")
    return tuple(identity), tuple(views)


def _share_memory(first: Any, second: Any) -> bool:
    both = isinstance(first, np.ndarray) and isinstance(second, np.ndarray)
    return both and bool(np.may_share_memory(first, second))


def _plain(value: Any) -> bool:
    return value is None or isinstance(value, str | bytes | bool | int | float | complex)
