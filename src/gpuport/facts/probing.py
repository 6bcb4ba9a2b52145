"""What operations give: the real NumPy is asked, in a process that may die (`gpuport.probing`)."""

from __future__ import annotations

from collections.abc import Hashable

from gpuport.facts.questions import NotSent, Numbering, heard, sent
from gpuport.facts.sampled import Answer
from gpuport.ir.types import NOTHING, NOWHERE, Type
from gpuport.probing import Prober as Answerer
from gpuport.probing import Question, ask

RANKS = (1, 2, 3)  #: where a rank is not known these are tried
ANSWERER = Answerer(
    "gpuport.facts.answering",
    ("gpuport.facts", "gpuport.ir", "gpuport._frozen"),
)


class Prober:
    """Asks, and remembers the answers."""

    def __init__(self) -> None:
        self._answers: dict[Hashable, Answer | None] = {}
        self.asked = 0

    def ask(
        self, name: str, arguments: list[Type], keywords: tuple[str, ...] = ()
    ) -> Answer | None:
        """What an operation gives; None where that cannot be told.

        Parameters
        ----------
        name : str
            As `gpuport.facts.operations` names operations: a path, or an operator.
        arguments : list of Type
            The last ones go to ``keywords``.
        """
        bare = tuple(t.but(assumed=NOTHING, sites=NOWHERE) for t in arguments)
        key = (name, bare, keywords)
        if key not in self._answers:
            if any(t.kind == "array" and t.shape is None and t.dtype for t in bare):
                self._answers[key] = self._of_any_rank(name, bare, keywords)
            else:
                self._answers[key] = self._asked(name, bare, keywords)
        return self._answers[key]

    def _of_any_rank(
        self, name: str, types: tuple[Type, ...], keywords: tuple[str, ...]
    ) -> Answer | None:
        """What it gives at ranks 1, 2 and 3, where these agree."""
        answers = [self.ask(name, [_with_rank(t, rank) for t in types], keywords) for rank in RANKS]
        known = [answer for answer in answers if answer is not None]
        if len(known) < len(answers) or known[0].type.kind not in ("array", "scalar", "number"):
            return None
        if len({(answer.type.kind, answer.type.dtype) for answer in known}) > 1:
            return None
        shapes = {answer.type.shape for answer in known}
        shares = frozenset[int]().union(*(answer.shares for answer in known))
        shape = known[0].type.shape if len(shapes) == 1 else None
        return Answer(known[0].type.but(shape=shape, order=None), shares)

    def _asked(
        self, name: str, types: tuple[Type, ...], keywords: tuple[str, ...]
    ) -> Answer | None:
        numbering = Numbering()
        try:
            data = [sent(t, numbering) for t in types]
        except NotSent:
            return None
        self.asked += 1
        found = ask(Question(ANSWERER, [name, data, list(keywords)]))
        if not found:
            return None
        told, shares = found
        return Answer(heard(told, numbering), frozenset(shares))


def _with_rank(t: Type, rank: int) -> Type:
    return t.but(shape=(None,) * rank) if t.kind == "array" and t.shape is None else t
