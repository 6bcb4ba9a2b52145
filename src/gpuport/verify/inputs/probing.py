"""Other sizes of what was accepted: which dimensions vary, by themselves and together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from gpuport.verify.inputs.grouping import Grouping
from gpuport.verify.inputs.lockstep import fixed, lockstep
from gpuport.verify.signatures.templates import Accepts, Refusal, Template
from gpuport.verify.slots import Trial

RESIZED = 6  # the other size by which it is seen what varies together
_SINGLE = 8  # dimensions that are tried with one element


@dataclass(frozen=True, slots=True)
class Probing:
    """What is asked about sizes, and what was answered last.

    ``accepts`` runs the original on a trial, ``refusal`` tells how far the last one came that was
    not accepted, ``spent`` the share of the function's time that is over.
    """

    accepts: Accepts
    refusal: Callable[[], Refusal]
    spent: Callable[[], float]

    def template(self, template: Template, working: Trial, tries: int) -> Template:
        """The template with what its dimensions were found to do.

        Of what moves together, an axis may still be of one element alone: that is broadcast.

        Parameters
        ----------
        template : Template
        working : Trial
            An example of it that was accepted.
        tries : int
            Trials for what moves with nothing else.
        """

        def moves(names: tuple[str, ...], size: int = RESIZED) -> bool:
            sizes = {name: size + template.offsets.get(name, 0) for name in names}
            if sizes.items() <= working.sizes.items():
                return False  # that is no other size
            return self.accepts(replace(working, sizes={**working.sizes, **sizes}))

        def moves_either(names: tuple[str, ...]) -> bool:
            # numbers are drawn anew for another size: one refusal may be theirs
            return moves(names) or (len(names) == 1 and moves(names, RESIZED + 1))

        grouping = Grouping(moves_either, self.refusal, self.spent)
        grouping.run(template.symbols())
        found = lockstep(grouping.rest, working, self.accepts, tries)
        template = fixed(template, found.fixed)
        together = [name for group in grouping.groups if len(group) > 1 for name in group]
        single = tuple(name for name in together[:_SINGLE] if moves((name,), 1))
        groups = tuple(grouping.groups)
        return replace(template, groups=groups, ladders=found.ladders, single=single)
