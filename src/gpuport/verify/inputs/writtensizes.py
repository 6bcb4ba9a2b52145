"""Sizes that a function's text shows: ``P[:, :3]`` and ``P[:, 3]`` are of matrices of four columns.

What takes arrays of certain sizes alone accepts none of which all dimensions are equal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from gpuport.verify.inputs.lockstep import axis
from gpuport.verify.signatures.templates import Accepts, Template
from gpuport.verify.slots import BASE_SIZE, Trial

_DRAWS = 32
_SMALLEST, _LARGEST = 2, 128
_PLAIN = 9
_RELATED = 0.5


def of_literals(
    templates: Iterable[Template], literals: tuple[float, ...], accepts: Accepts, seed: int
) -> Iterator[tuple[Template, Trial]]:
    """Templates that are accepted with sizes of the function's own numbers, or near them.

    Parameters
    ----------
    templates : iterable of Template
        That no trial was accepted of, the most promising first.
    literals : tuple of float
        Numbers in the function's text.
    accepts : callable
    seed : int

    Yields
    ------
    (Template, Trial)
        The template, and what was accepted.
    """
    whole = sorted({int(x) for x in literals if x == int(x) and 1 <= x <= _LARGEST})
    if not whole:
        return
    for place, template in enumerate(templates):
        axes = {name: axis(name) for name in template.symbols()}
        for draw in range(_DRAWS if axes else 0):
            rng = np.random.default_rng((seed, 11, place, draw))
            some = tuple(dict.fromkeys(axes.values()))
            chosen = dict(zip(some, _chosen(len(some), whole, rng), strict=True))
            sizes = {name: chosen[one] for name, one in axes.items()}
            trial = template.all_given.trial(sizes, (seed, 3, draw), "normal")
            if accepts(trial):
                yield template, trial
                break


def _chosen(count: int, whole: Sequence[int], rng: np.random.Generator) -> list[int]:
    """Sizes of so many axes: each a number of the text or one more, or all related to one."""
    shown = [n for n in whole if n >= _SMALLEST]
    pool = sorted({BASE_SIZE, *(n + more for n in shown if n <= _PLAIN for more in (0, 1))})
    if len(pool) > 1 and rng.random() >= _RELATED:
        return [int(rng.choice(pool)) for _ in range(count)]
    first = int(rng.choice([*(n + more for n in shown for more in (0, 1, max(whole))), 12]))
    near = [by for n in whole if n <= first for by in (first + n, first - n)]
    part = [size for n in shown if n <= _PLAIN for size in (first * n, first // n, first // n + 1)]
    usual = [first] * (len(near) + len(part) + 1)
    sizes = [max(int(rng.choice([*usual, *near, *part])), 1) for _ in range(count)]
    sizes[int(rng.integers(count))] = first
    return sizes


__all__ = ["of_literals"]
