"""Calling a function or method of one side: its instance, the calls that come before, arguments."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from gpuport.verify.aftermath.iterators import consumed
from gpuport.verify.aftermath.observed import arrays_held, arrays_kept
from gpuport.verify.execution.devicearrays import Device
from gpuport.verify.execution.following import followed, parted
from gpuport.verify.inputs.drawing import build
from gpuport.verify.inputs.layouts import READ_ONLY, frozen, laid_out, layout_of
from gpuport.verify.inputs.stands import Arguments, Iterated, Own
from gpuport.verify.sides.sides import Side, mangled
from gpuport.verify.sides.states import state_of
from gpuport.verify.signatures.variadic import call
from gpuport.verify.slots import ATTRIBUTE, BARE, OWN, Slot, Trial

_NOTHING = object()
_CHANGED_BETWEEN = 2  # of the examples, by number, modulo four


@dataclass(frozen=True, slots=True)
class Invocation:
    """A call that can be made: of ``target`` itself, or through the instance where there is one.

    ``owner`` is the class that a method is looked up in; ``held`` are arrays that others still
    hold: those that the constructor was given, what earlier calls returned, and public attributes.
    """

    target: Any
    arguments: Arguments
    trial: Trial
    function: str
    owner: Any = None
    instance: Any = _NOTHING
    held: Arguments = field(default_factory=dict)

    @property
    def named(self) -> Arguments:
        """All that goes in, the instance as ``self``."""
        if self.instance is _NOTHING:
            return self.arguments
        return {"self": self.instance, **self.arguments}

    def make(self) -> Any:
        """Call; what is an iterator is consumed here, so that its body runs inside the call."""
        target = self.target
        if self.instance is not _NOTHING:
            name = mangled(self.function.rpartition(".")[2], self.owner)
            held = self.owner.__dict__.get(name)
            if isinstance(held, property) or not callable(target):
                return consumed(getattr(self.instance, name), self._between)
            target = getattr(self.instance, name)
        arguments, later = parted(self.arguments)
        leading = [] if self._by_name(target) else _leading(self.trial, arguments)
        positional = [arguments[s.name] for s in leading]
        named = {s.name for s in leading}
        rest = {k: v for k, v in arguments.items() if k not in named}
        return followed(consumed(call(target, positional, rest), self._between), later)

    def _between(self) -> None:
        """What a caller may do between two items: in some examples arrays are turned round.

        Who has read an argument already when the first item is asked for does not see that.
        """
        if self.trial.device is not None or self.trial.seed[-1] % 4 != _CHANGED_BETWEEN:
            return
        for value in self.arguments.values():
            if type(value) is np.ndarray and value.ndim and value.flags.writeable:
                value[...] = value[::-1].copy()

    def _by_name(self, target: Any) -> bool:
        """Whether the trial gives all arguments by name, and the function can take them so."""
        if any(name.startswith("*") and name[1] != "*" for name in self.arguments):
            return False
        while hasattr(target, "__wrapped__"):
            target = target.__wrapped__
        code = getattr(target, "__code__", None)
        return self.trial.by_name and code is not None and not code.co_posonlyargcount


def prepared(
    side: Side,
    function: str,
    trial: Trial,
    jitter: Callable[[Arguments], Arguments],
    device: Device | None,
) -> Invocation:
    """The call of a trial on one side, its instance made and its earlier calls done.

    `device` is the port's, where the trial hands some arguments over as CuPy arrays.
    """
    arguments = jitter(build(trial.slots, trial, resolve=side.resolve))
    arguments = parted_by_place(arguments, trial.device or ())
    if trial.layout == READ_ONLY:
        arguments = frozen(arguments)
    if device is not None and trial.device:
        arguments = _on_device(device, arguments, trial.device)
    arguments, items = _as_iterators(arguments)
    owner, target = side.owner_and_attribute(function)
    if trial.init is None:
        # of a class that is called without an instance its own functions come before
        held = _lived(side.module if owner is None else owner, side, trial, device, jitter)
        held |= items
        return Invocation(target, arguments, trial, function, held=held)
    # what the constructor is given moves too
    fresh = jitter(build(trial.init, trial, salt=1, resolve=side.resolve))
    fresh, _ = _as_iterators(fresh)
    if device is not None and trial.device:
        own = [name.removeprefix(OWN) for name in trial.device if name.startswith(OWN)]
        fresh = _on_device(device, fresh, own)
    if function.endswith(".__init__") and not trial.has_instance:
        return Invocation(owner, arguments, trial, function)
    instance = fresh["self"] if trial.has_instance else _constructed(owner, fresh)
    given = {} if trial.has_instance else fresh
    held = {f"{k} of the constructor": v for k, v in given.items() if isinstance(v, np.ndarray)}
    held |= _lived(instance, side, trial, device, jitter)
    held |= arrays_kept(instance) | items
    arguments = _own_made(instance, arguments)
    return Invocation(target, arguments, trial, function, owner, instance, held)


def parted_by_place(arguments: Arguments, moved: Collection[str]) -> Arguments:
    """The arguments, those that stay on the host with memory of their own.

    No caller can hold one array on the device and on the host: what is one on the original's side
    would be two on the port's.
    """
    held = [v for k, v in arguments.items() if k in moved and isinstance(v, np.ndarray)]
    return {
        name: laid_out(value, "F" if value.flags.fnc else layout_of(value) or "C")
        if name not in moved
        and isinstance(value, np.ndarray)
        and any(np.may_share_memory(value, one) for one in held)
        else value
        for name, value in arguments.items()
    }


def _on_device(device: Device, arguments: Arguments, names: Collection[str]) -> Arguments:
    """The arguments of these names as CuPy arrays; ``a.b`` is the attribute `b` of `a`."""
    states = {}
    for name in names:
        owner, _, attribute = name.partition(".")
        state = state_of(arguments[owner]) if attribute and owner in arguments else None
        if state is not None:
            states[name] = state, attribute
    given = {k: v for k, v in arguments.items() if k in names}
    moved = device.to_device(given | {name: state[b] for name, (state, b) in states.items()})
    for name, (state, attribute) in states.items():
        state[attribute] = moved[name]
    return {k: moved.get(k, v) for k, v in arguments.items()}


def _as_iterators(arguments: Arguments) -> tuple[Arguments, Arguments]:
    """The arguments, those iterators that are to be, and arrays that these hand out: their caller
    may hold them."""
    once = {name: value for name, value in arguments.items() if isinstance(value, Iterated)}
    held: Arguments = {}
    for name, value in once.items():
        held |= arrays_held(f"item of {name}", value)
    return arguments | {name: iter(value) for name, value in once.items()}, held


def _lived(
    instance: Any,
    side: Side,
    trial: Trial,
    device: Device | None,
    jitter: Callable[[Arguments], Arguments],
) -> Arguments:
    """Call the methods, or functions of a module, that come before the one under test.

    Returns the arrays that these return: their caller may hold them.
    """
    held: Arguments = {}
    for number, (name, slots) in enumerate(trial.before):
        arguments = jitter(earlier_arguments(trial, number, slots, side))  # the state moves too
        if device is not None and trial.device:
            arguments = _on_device(device, arguments, arguments)
        arguments, _ = _as_iterators(arguments)
        result = consumed(call(getattr(instance, name), [], by_name_alone(arguments)))
        held |= arrays_held(f"result {number} of {name}", result)
    return held


def earlier_arguments(
    trial: Trial, number: int, slots: tuple[Slot, ...], side: Side | None
) -> Arguments:
    """What the `number`-th call before the one under test is given."""
    symbols = (s for slot in slots for s in slot.symbols())
    sizes = {**dict.fromkeys(symbols, trial.earlier), **trial.sizes}
    earlier = replace(trial, sizes=sizes)
    resolve = None if side is None else side.resolve
    # the same call again, now and then: what is remembered of it is used
    again = slots == trial.slots and trial.seed[-1] % 2 == 1
    return build(slots, earlier, salt=0 if again else 11 + number, resolve=resolve)


def _own_made(instance: Any, arguments: Arguments) -> Arguments:
    """The arguments, those made that a method of the instance makes."""
    own = {k: getattr(instance, v.method)() for k, v in arguments.items() if isinstance(v, Own)}
    return arguments | own


def _constructed(owner: Any, drawn: Arguments) -> Any:
    """An instance, and attributes that it would not have, or all where no constructor is run."""
    given = {name: value for name, value in drawn.items() if not name.startswith(ATTRIBUTE)}
    instance = owner.__new__(owner) if BARE in drawn else call(owner, [], by_name_alone(given))
    for name, value in drawn.items():
        attribute = name.removeprefix(ATTRIBUTE)
        if name not in given and name != BARE and not hasattr(instance, attribute):
            setattr(instance, attribute, value)
    return instance


def by_name_alone(arguments: Arguments) -> Arguments:
    """Where all are given by name, nothing can follow the positional ones."""
    return {k: v for k, v in arguments.items() if not k.startswith("*") or k.startswith("**")}


def _leading(trial: Trial, arguments: Arguments) -> list[Slot]:
    """Slots that can be passed by position: up to the first omitted or keyword-only one."""
    leading = []
    for slot in trial.parameters:
        if slot.keyword or slot.name.startswith("*") or slot.name not in arguments:
            break
        leading.append(slot)
    return leading
