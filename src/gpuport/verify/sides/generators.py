"""Generators of random numbers that a program keeps: their state read, and set back in place."""

from __future__ import annotations

import hashlib
import random
from typing import Any

import numpy as np

KINDS = (np.random.Generator, np.random.RandomState, random.Random)
_LONG = 400


def is_generator(value: Any) -> bool:
    """Whether a value draws random numbers and can be set back."""
    return isinstance(value, KINDS) and not isinstance(value, random.SystemRandom)


def state_text(generator: Any) -> str:
    """A text that is the same for generators that go on alike."""
    state = repr(_state(generator))
    if len(state) < _LONG:
        return state
    return (
        f"{type(generator).__name__} {hashlib.blake2b(state.encode(), digest_size=8).hexdigest()}"
    )


def set_back(generator: Any, to: Any) -> None:
    """Make a generator go on as another one of its type does."""
    if isinstance(generator, random.Random):
        generator.setstate(to.getstate())
    elif isinstance(generator, np.random.RandomState):
        generator.set_state(to.get_state(legacy=False))
    else:
        generator.bit_generator.state = to.bit_generator.state


def _state(generator: Any) -> Any:
    if isinstance(generator, random.Random):
        return generator.getstate()
    if isinstance(generator, np.random.RandomState):
        kept = generator.get_state(legacy=False)
        return kept["state"]["key"].tobytes(), kept["state"]["pos"], kept["has_gauss"]
    return generator.bit_generator.state
