"""A failing example made smaller, and plainer, as long as it fails in the same way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from gpuport.verify.slots import Trial
from gpuport.verify.trials.examiner import Answer

_STEPS = 25


def shrunk(
    trial: Trial,
    answer: Answer,
    compare: Callable[[Trial], Answer],
    belongs: Callable[[Trial], bool],
    late: Callable[[], bool] = lambda: False,
) -> tuple[Trial, Answer]:
    """The smallest trial found that fails in the same way.

    Parameters
    ----------
    trial : Trial
    answer : dict
    compare : callable
        Both sides on a trial.
    belongs : callable
        Whether a trial is of kinds that are to be drawn at all.
    late : callable
        Whether it has taken long enough.

    Returns
    -------
    trial, answer
    """
    if answer["status"] == "port-lost":
        return trial, answer  # every further step would cost another hang
    steps = 0
    progress = True
    while progress and steps < _STEPS:
        progress = False
        for simpler in smaller(trial):
            if late():
                return trial, answer
            if not belongs(simpler):
                continue
            steps += 1
            other = compare(simpler)
            if other["status"] == answer["status"]:
                trial, answer, progress = simpler, other, True
                break
            if steps >= _STEPS:
                break
    return trial, answer


def smaller(trial: Trial) -> Iterator[Trial]:
    """Halve all axes together, then one by one; then plain layout, dtype and no aliasing."""
    sizes = dict(trial.sizes)
    if any(size > 1 for size in sizes.values()):
        yield replace(trial, sizes={k: max(v // 2, min(v, 1)) for k, v in sizes.items()})
        for name, size in sizes.items():
            if size > 1:
                yield replace(trial, sizes={**sizes, name: size // 2})
    for name in ("refused", "tied", "apart", "twice"):
        if getattr(trial, name):
            yield replace(trial, **{name: False})  # type: ignore[arg-type]
    plain = {"alias": "", "layout": "C", "dtype": "float64", "family": "normal"}
    for name, value in plain.items():
        if getattr(trial, name) != value:
            yield replace(trial, **{name: value})  # type: ignore[arg-type]
