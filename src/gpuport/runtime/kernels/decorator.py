"""The decorator of functions that are kernels on the device."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar, cast

from gpuport.runtime.generated import with_parameters_of
from gpuport.runtime.kernels.declared import Declared, declared
from gpuport.runtime.kernels.dispatch import Dispatch
from gpuport.runtime.kernels.guard import guard_of
from gpuport.runtime.kernels.layouts import joint_shape, span_of
from gpuport.runtime.kernels.plaindata import stored_in
from gpuport.runtime.kernels.rooms import rooms
from gpuport.runtime.kernels.snapshots import snapshots
from gpuport.runtime.kernels.waiting import fetched
from gpuport.runtime.kernels.words import WORDS, Along
from gpuport.runtime.lent import lent, refuse_unnamed_writes

P = ParamSpec("P")
R = TypeVar("R")


def kernel(
    inputs: str,
    outputs: str,
    body: str,
    *,
    over: str = "",
    where: str = "",
    returns: str = "",
    preamble: str = "",
    within: str = "",
    then: str = "",
    first: str = "",
    before: str = "",
    work: str = "",
    typed: bool = False,
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Launch a kernel in the place of the decorated function where its arguments fit.

    The function says in Python what the kernel does. It runs as it is for NumPy arrays. For arrays
    of the device that do not fit the signature, it runs on the device where it goes element by
    element, and on copies of the host where it is a loop.

    Parameters
    ----------
    inputs, outputs : str
        As of `cupy.ElementwiseKernel`. ``raw`` arrays are indexed by the text and have as many axes
        as it gives indices. A type of one letter is float32 or float64, the same for all;
        ``float`` and ``int`` are Python's numbers; ``float p.dx`` and ``int shape[0]`` are numbers
        that a parameter of a loop stores; an ``object`` is given to Python alone. Outputs that the
        function has as parameters are written in place, others are made.
    body, preamble : str
        CUDA C++ for one index of the domain, in which numbers of the module keep their names, and
        before the kernel: functions that it calls.
    over : str
        The domain, in the words of the loops: ``"i in range(1, n), j in range(m)"``. Without it
        each element of the arrays is one, with broadcasting.
    where, within : str
        What must hold for the launch, in Python, asked at each call. An array with an index that
        does not follow from `over` has to stand in it, or, where an ``if`` keeps it in bounds, in
        `within`: its indices are right where `where` holds.
    returns, then : str
        Python: what is made of the outputs, ``"value[keep]"``, ``"greatest((terms, i), (best,
        place))"`` (see `gpuport.runtime.kernels.words`), and what is run after `body`.
    first, before : str
        CUDA C++ that is launched first, and Python that makes outputs before `body`:
        ``"total = running_sum(total, begin=start); last = before_each(total, start)"``.
    work : str
        Python that makes raw outputs which the text alone has, and whose indices are not asked
        for: ``"row = room(len(x), n); old = x.copy()"``.
    typed : bool
        Whether `body` says of what type numbers are, as C++ reads it: ``(double)k[i] * 0.5``.
        Else literals take the dtype of what they meet, and whole numbers cannot meet float32.

    Raises
    ------
    TypeError
        At decoration, where the words do not fit each other or the function. A text that does not
        compile raises :class:`KernelError` at the first launch.

    Notes
    -----
    A loop that has to run on the
    host warns once with :class:`FallbackWarning`, or, with ``GPUPORT_FALLBACK=error``, raises
    :class:`FallbackError`.
    """
    texts = (inputs, outputs, body, over, where, returns, preamble, within, then, first, before)
    if not all(isinstance(one, str) for one in (*texts, work)):
        raise TypeError(
            "kernel: inputs, outputs, body and the words over, where, returns, ... are strings"
        )

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        one = declared(function, *texts, work, typed)
        return cast(Callable[P, R], _guarded(one))

    return decorate


def _guarded(one: Declared) -> Any:
    """The function that callers call."""
    dispatch = Dispatch(one)
    given = {
        "_gp_loaded": sys.modules.get, "_gp_state": dispatch.state,
        "_gp_plans": dispatch.state.plans, "_gp_type": type, "_gp_int": int, "_gp_len": len,
        "_gp_range": range, "_gp_min": min, "_gp_max": max, "_gp_error": Exception,
        "_gp_span": span_of, "_gp_joint": joint_shape, "_gp_body": one.function,
        "_gp_name": one.name, "_gp_lent": lent, "_gp_refuse": refuse_unnamed_writes,
        "_gp_hosted": dispatch.counter.count_numpy, "_gp_launched": dispatch.counter.count_device,
        "_gp_other": dispatch.other, "_gp_of_nothing": dispatch.of_nothing,
        "_gp_taken_back": dispatch.taken_back,
        "_gp_snapshots": snapshots, "_gp_stored": stored_in, "_gp_words": WORDS,
        "_gp_along": Along, "_gp_fetched": fetched, "_gp_rooms": rooms,
    }  # fmt: skip
    made = with_parameters_of(one.function, guard_of(one), given)
    functools.update_wrapper(made, one.function)
    dispatch.call = made
    return made
