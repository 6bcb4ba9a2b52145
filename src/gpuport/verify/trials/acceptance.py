"""Which inputs the original accepts: recorded ones, then what a search finds."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from gpuport.recording.calls import Call
from gpuport.verify.inputs.recorded import templates_of
from gpuport.verify.inputs.schedule import State
from gpuport.verify.inputs.search import search
from gpuport.verify.sides.changes import PortFacts
from gpuport.verify.signatures.callers import Caller
from gpuport.verify.signatures.kinds import Given
from gpuport.verify.signatures.preparing import NOTHING, Preparing, left_open
from gpuport.verify.signatures.signatures import Parameter, Signature
from gpuport.verify.signatures.subclasses import subclass_of
from gpuport.verify.signatures.templates import Refusal, Template
from gpuport.verify.slots import ATTRIBUTE, BARE, OWN_MADE, Trial
from gpuport.verify.trials.examiner import Examiner

_REFUSALS = 4
_PREPARING = 4
# refusals that have nothing to do with the arguments: of all, and one after another
_ENOUGH, _MOSTLY, _IN_SUCCESSION = 30, 0.9, 60
# shares of the time after which states that other methods leave are tried, and then callers,
_ALONE, _ON_SUBCLASSES, _AFTER_ANOTHER = 0.3, 0.5, 0.5
_OF_CALLERS = 0.25  # and the share of these
_BESIDE_RECORDED = 0.2  # of what nobody happened to call, where calls are recorded
_OF_STATES = 0.2  # of methods that may come before, where their arguments must be found
_CALLS = 12  # of different shapes that are seen inside a caller
_NOTHING, _OWN = "'NoneType'", "self."


@dataclass(frozen=True, slots=True)
class Sources:
    """Where inputs may come from beside the function's own parameters.

    ``calls`` are recorded ones, ``siblings`` methods that change the instance, ``preparing`` all
    that may have to be called before, ``otherwise`` the same method on instances of subclasses,
    then with attributes of its instance made up. ``callers`` are functions that lead to calls of
    it. ``given``: what the calls inside a program
    have for arguments, where nothing else is to be drawn.
    """

    calls: Sequence[Call] = ()
    siblings: Sequence[Signature] = ()
    preparing: Preparing = NOTHING
    otherwise: Iterable[Signature] = ()
    callers: Sequence[Caller] = ()
    given: Given | None = None


class Acceptance:
    """The search for inputs of one function, and what came out of it.

    ``states`` are methods that may be called on the instance first, ``needed`` those that must be;
    ``seen_in`` is the function in whose calls the inputs were seen;
    ``made_up`` names attributes that no constructor sets; ``refused`` are inputs that the original
    refuses by its own statements, by what it says of them.
    """

    def __init__(
        self, examiner: Examiner, signature: Signature, facts: PortFacts, sources: Sources
    ) -> None:
        self.states: list[State] = []
        self.needed: tuple[State, ...] = ()
        self.made_up: tuple[str, ...] = ()
        self.recorded = 0
        self.seen_in = ""
        self.refused: dict[str, Trial] = {}
        self._examiner = examiner
        self._signature = signature
        self._facts = facts
        self._sources = sources
        self._seed = examiner.options.seed
        self._refusal = Refusal()
        self._instead: Signature | None = None
        self._refusals = self._of_state = self._in_succession = 0
        self._states_known = False
        self._callers = list(sources.callers)
        self._until = 1.0
        self._said = ""
        self._otherwise = iter(sources.otherwise)

    @property
    def subclass(self) -> str:
        """The class whose instances are called, where those of the method's own are not."""
        return subclass_of(self._instead) if self._instead is not None else ""

    def templates(self) -> list[Template]:
        """Ways of filling the parameters that the original accepts.

        From recorded calls first; the cold start adds what nobody happened to call.

        Returns
        -------
        list of Template
        """
        found = self.recorded_templates()
        self.recorded = len(found)
        abstract = self._sources.preparing.is_abstract
        if found:
            self._until = self._examiner.spent + _BESIDE_RECORDED
        elif self._callers:
            self._until = _ON_SUBCLASSES if abstract else _ALONE
        if not found and abstract:
            found = self._made_up(on_subclasses=True) or self._inside_callers()
            if found:
                return found
        found += self._searched(self._signature)
        if self.recorded:
            self._until = 1.0
        if not found and self._callers:
            found = self._of_callers()
        if found:
            return found
        plain = _without_own_made(self._signature)
        found = self._searched(plain) if plain != self._signature else []
        if found:
            return found
        if left_open(text for text, _ in self._commonest):
            return self._made_up() or self._after_another_method()
        return self._after_another_method() or self._made_up()

    def recorded_templates(self) -> list[Template]:
        """Those that recorded calls give."""
        return templates_of(self._sources.calls, self._signature, self._accepts, self._seed)

    def _of_callers(self) -> list[Template]:
        """In a state that another method leaves, where one is missed, or as callers call it."""
        found: list[Template] = []
        if self._is_hopeless:
            self._until = _AFTER_ANOTHER
            found = self._after_another_method()
        return found or self._inside_callers()

    def _inside_callers(self) -> list[Template]:
        """As functions call it that lead to its call, each with inputs found as for itself."""
        callers, self._callers = self._callers, []
        end = self._examiner.spent + _OF_CALLERS
        for number, made in enumerate(callers):
            spent = self._examiner.spent
            caller = made() if spent < end else None
            self._until = spent + (end - spent) / (len(callers) - number)
            found = self._inside(caller) if caller is not None else []
            if caller is not None and found:
                self.seen_in = caller.name
                return found
        self._until = 1.0
        return []

    def _inside(self, caller: Signature) -> list[Template]:
        found: list[Template] = []
        known: set[str] = set()

        def accepts(trial: Trial) -> bool:
            if found or self._is_over or self._is_hopeless or len(known) > _CALLS:
                return False
            answer = self._examiner.inside(trial, caller.name)
            calls = [Call(**call) for call in answer["calls"]] if answer is not None else []
            new = [call for call in calls if call.shape() not in known]
            known.update(call.shape() for call in new)
            found.extend(templates_of(new, self._signature, self._accepts, self._seed))
            self._refusal = Refusal()
            if answer is not None and answer["raised"] is not None:
                self._refusal = Refusal(answer["line"], answer["text"], answer["message"])
            return bool(found)

        self._begin()
        over = lambda: bool(found) or self._is_over or len(known) > _CALLS  # noqa: E731
        search(
            caller, accepts, self._seed, first=1, refusal=lambda: self._refusal,
            complete=False, over=over,
        )  # fmt: skip
        return found

    @property
    def _commonest(self) -> list[tuple[str, int]]:
        return self._examiner.tally.rejections.most_common(_REFUSALS)

    def _after_another_method(self, signature: Signature | None = None) -> list[Template]:
        """A method may need another one to have been called before: `fit` before `transform`.

        Where a refusal names it, that one.
        """
        for state in self._states(self._preparing()):
            self.needed = (state,)
            found = self._searched(signature or self._signature)
            if found:
                self.states = [state]
                return found
        self.needed = ()
        return []

    def _preparing(self) -> Iterator[Signature]:
        """What may have to be called before, each time by what has been refused until then."""
        done: set[str] = set()
        while len(done) < _PREPARING:
            said = [text for text, _ in self._commonest]
            ordered = self._sources.preparing.ordered([self._said, *said])
            following = (one for one in ordered if one.name not in done)
            chosen = next(following, None)
            if chosen is None:
                break
            done.add(chosen.name)
            yield chosen
        yield from (one for one in self._sources.siblings if one.name not in done)

    def _made_up(self, on_subclasses: bool = False) -> list[Template]:
        """On other instances: of subclasses, and where these do not do, with attributes made up."""
        for signature in self._otherwise:
            if on_subclasses and not subclass_of(signature):
                self._otherwise = itertools.chain([signature], self._otherwise)
                return []
            found = self._searched(signature) or self._after_another_of(signature)
            if found:
                self._instead = signature
                names = (p.name for p in signature.init or ())
                self.made_up = tuple(n[1:] for n in names if n.startswith(ATTRIBUTE) and n != BARE)
                return found
        return []

    def _after_another_of(self, signature: Signature) -> list[Template]:
        """The same on an instance of a subclass, which `fit` of the class itself prepares."""
        if not subclass_of(signature):
            return []
        self._instead, self.states = signature, []
        found = self._after_another_method(signature)
        if not found:
            self._instead, self.states = None, []
        return found

    def find_states(self) -> None:
        """Methods that change the instance, each with arguments that the original accepts."""
        if not self._states_known:
            self._states_known = True
            known = {name for name, _ in self.states}
            self._until = self._examiner.spent + _OF_STATES
            more = self._states(self._sources.siblings)
            self.states += [state for state in more if state[0] not in known]
            self._until = 1.0

    def _states(self, siblings: Iterable[Signature]) -> Iterator[State]:
        for sibling in siblings:
            if self.subclass and self._instead is not None:
                sibling = replace(sibling, init=self._instead.init)

            def accepts(trial: Trial, name: str = sibling.name) -> bool:
                return self._accepts(trial, name)

            self._begin()
            for template in search(
                sibling, accepts, self._seed, first=1, refusal=lambda: self._refusal,
                complete=False, over=lambda: self._is_over,
            ):  # fmt: skip
                yield sibling.name.rpartition(".")[2], template.slots

    def _begin(self) -> None:
        """A search for arguments of another method, or on another instance."""
        self._refusals = self._of_state = self._in_succession = 0

    def _searched(self, signature: Signature) -> list[Template]:
        self._begin()
        return search(
            signature,
            self._accepts,
            self._seed,
            self._facts.arrays,
            refusal=lambda: self._refusal,
            guards=self._facts.guards,
            written=not self.recorded,  # sizes that somebody uses are better than guessed ones
            over=lambda: self._is_over,
            spent=lambda: self._examiner.spent,
        )

    def _accepts(self, trial: Trial, function: str | None = None) -> bool:
        if function is None:
            trial = replace(trial, before=self.needed)
        if self._is_hopeless or self._is_over:
            return False
        answer = self._examiner.accepts(trial, function)
        if answer is None:
            return False
        if answer["raised"] is not None:
            self._said = f"{answer['raised']}: {answer['message']}"
            self._refusals += 1
            unmade = not answer["line"] and any(slot.kind == OWN_MADE for slot in trial.slots)
            self._refusal = Refusal(answer["line"], answer["text"], answer["message"])
            of_state = unmade or self._sources.preparing.asked_for(self._said)
            of_state = of_state or _of_what_is_not_set(self._refusal, trial)
            self._of_state += of_state
            self._in_succession = (self._in_succession + 1) * of_state
        if answer["raised"] is not None and function is None:
            text = self._examiner.tally.reject(answer)
            if answer["explicit"] and len(self.refused) < _REFUSALS:
                self.refused.setdefault(text, trial)
        return bool(answer["raised"] is None)

    @property
    def _is_over(self) -> bool:
        """Whether what is tried now has had its share of the time."""
        return self._examiner.exhausted or self._examiner.spent > self._until

    @property
    def _is_hopeless(self) -> bool:
        """Whether other arguments will not do, since the instance is at fault."""
        many = self._of_state >= _ENOUGH
        mostly = many and self._of_state >= _MOSTLY * self._refusals
        return mostly or self._in_succession >= _IN_SUCCESSION


def _of_what_is_not_set(refusal: Refusal, trial: Trial) -> bool:
    """Whether an attribute that is None yet was used, beside no argument."""
    if trial.init is None or _NOTHING not in refusal.message or _OWN not in refusal.text:
        return False
    return not any(refusal.names(slot.name) for slot in trial.slots)


def _without_own_made(signature: Signature) -> Signature:
    """The same with nothing that a method of the instance has to make."""

    def plain(parameter: Parameter) -> Parameter:
        others = tuple(s for s in parameter.candidates if s.kind != OWN_MADE)
        return replace(parameter, candidates=others or parameter.candidates)

    return replace(signature, parameters=tuple(map(plain, signature.parameters)))
