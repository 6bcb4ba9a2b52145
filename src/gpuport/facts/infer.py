"""Facts of a program: the entry of the room."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from gpuport.facts import transfer  # noqa: F401  (how each kind of operation is evaluated)
from gpuport.facts.contexts import Context
from gpuport.facts.evidence import enter_assumed
from gpuport.facts.inference import Inference
from gpuport.facts.listening import tell_listened
from gpuport.facts.probing import Prober
from gpuport.facts.scoping import SMALL_SIZE
from gpuport.ir.structure import Function, Module


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of the values of a program.

    Attributes
    ----------
    contexts : mapping
        For each function what holds for the types of arguments that calls hand in. A function that
        nothing calls has one, in which its parameters have likely types.
    evaluations : int
        How often operations were evaluated, over all contexts.
    probes : int
        How often NumPy was called to find out what an operation gives.
    """

    modules: tuple[Module, ...]
    contexts: Mapping[Function, tuple[Context, ...]]
    evaluations: int
    probes: int


def infer(
    modules: Iterable[Module],
    prober: Prober | None = None,
    told: int = SMALL_SIZE,
    *,
    uncalled: bool = True,
) -> Facts:
    """Find the facts of the files of a program.

    Parameters
    ----------
    modules : iterable of Module
        Their names are what they import each other by.
    prober : Prober, optional
        Answers that are already there.
    told : int, optional
        Sizes and whole numbers up to this are known in a function that is called with them.
    uncalled : bool, optional
        Whether to find the facts of functions that nothing calls, too.
    """
    inference = Inference(modules, prober or Prober(), told)
    for module in inference.modules.values():
        inference.context(module.body, ())
    inference.drain()
    for function in list(inference.index.module) if uncalled else ():
        if not inference.contexts[function]:
            enter_assumed(inference, function)
            inference.drain()
    tell_listened(one for known in inference.contexts.values() for one in known.values())
    return Facts(
        tuple(inference.modules.values()),
        {function: tuple(known.values()) for function, known in inference.contexts.items()},
        inference.evaluations,
        inference.prober.asked,
    )
