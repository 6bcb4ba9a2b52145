"""Which lines of a file its port keeps: what a diff is made of.

`difflib.SequenceMatcher` takes the lines that a long file repeats, blank ones above all, for no
lines to hold on to, and replaces them by themselves; without that it is slow. Lines that both texts
have once are matched first, and what is between them by `SequenceMatcher`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import Match, SequenceMatcher


class LineMatcher(SequenceMatcher[str]):
    """A `SequenceMatcher` that holds on to lines which both sides have once."""

    def __init__(self, before: Sequence[str], after: Sequence[str]) -> None:
        super().__init__(None, "", "", autojunk=False)
        self.a, self.b = before, after
        self.matching_blocks: list[Match] | None = None

    def get_matching_blocks(self) -> list[Match]:
        """Runs of equal lines, in order, the last one empty, as those of `SequenceMatcher`."""
        if self.matching_blocks is None:
            pairs = _pairs(self.a, self.b, 0, 0)
            self.matching_blocks = [*_joined(pairs), Match(len(self.a), len(self.b), 0)]
        return self.matching_blocks


def _joined(pairs: Iterator[tuple[int, int]]) -> Iterator[Match]:
    """Runs of pairs that follow each other on both sides."""
    run = Match(0, 0, 0)
    for i, j in pairs:
        if run.size and (i, j) == (run.a + run.size, run.b + run.size):
            run = run._replace(size=run.size + 1)
            continue
        if run.size:
            yield run
        run = Match(i, j, 1)
    if run.size:
        yield run


def _pairs(
    before: Sequence[str], after: Sequence[str], i: int, j: int
) -> Iterator[tuple[int, int]]:
    """Places of equal lines in two texts that begin at lines ``i`` and ``j``, in order."""
    shorter = min(len(before), len(after))
    head = next((k for k in range(shorter) if before[k] != after[k]), shorter)
    most = shorter - head
    tail = next((k for k in range(most) if before[-1 - k] != after[-1 - k]), most)
    yield from ((i + k, j + k) for k in range(head))
    ends = len(before) - tail, len(after) - tail
    yield from _between(before[head : ends[0]], after[head : ends[1]], i + head, j + head)
    yield from ((i + ends[0] + k, j + ends[1] + k) for k in range(tail))


def _between(
    before: Sequence[str], after: Sequence[str], i: int, j: int
) -> Iterator[tuple[int, int]]:
    """Places of equal lines in two texts, neither the first nor the last of which are equal."""
    if not before or not after:
        return
    anchors = _anchors(before, after)
    if not anchors:
        blocks = SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks()
        for block in blocks:
            yield from ((i + block.a + k, j + block.b + k) for k in range(block.size))
        return
    p = q = 0
    for at, there in [*anchors, (len(before), len(after))]:
        yield from _pairs(before[p:at], after[q:there], i + p, j + q)
        if at < len(before):
            yield i + at, j + there
        p, q = at + 1, there + 1


def _anchors(before: Sequence[str], after: Sequence[str]) -> list[tuple[int, int]]:
    """The most lines, in order, that are there once in each of two texts."""
    counts, others = Counter(before), Counter(after)
    there = {line: q for q, line in enumerate(after) if others[line] == 1}
    ends: list[int] = []  # the least place in `after` at which a sequence of each length ends
    last: list[int] = []  # and which candidate that is
    found: list[tuple[int, int, int]] = []  # each candidate and the one before it
    for p, line in enumerate(before):
        if counts[line] != 1 or line not in there:
            continue
        length = bisect_left(ends, there[line])
        found.append((p, there[line], last[length - 1] if length else -1))
        ends[length : length + 1] = [there[line]]
        last[length : length + 1] = [len(found) - 1]
    chosen, k = [], last[-1] if last else -1
    while k >= 0:
        p, q, k = found[k]
        chosen.append((p, q))
    return chosen[::-1]
