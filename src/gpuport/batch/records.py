"""What the stages of batching hand to each other."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

Comprehension = ast.ListComp | ast.GeneratorExp | ast.DictComp

Loop = ast.For | ast.While | Comprehension | ast.Call
"""A loop, a comprehension, or a call of ``map``."""

FORM = "GP301"
CARRIED = "GP302"
NO_STACKED_FORM = "GP303"
UNKNOWN_SHAPE = "GP304"
SIDE_EFFECT = "GP305"


class Refused(Exception):
    """Raised where a loop stays one call for each item.

    Parameters
    ----------
    code : str
        The finding's code.
    node : ast.AST
        Where.
    message : str
        Why, in the user's own names.
    """

    def __init__(self, code: str, node: ast.AST, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.node = node
        self.message = message


class RankNeeded(Exception):
    """Raised where the number of axes of something decides and is not known yet."""

    def __init__(self, name: str, node: ast.AST) -> None:
        super().__init__(name)
        self.name = name
        self.node = node


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a name before the loop.

    Attributes
    ----------
    kind : str
        ``array``, ``number``, ``list`` (of arrays or of tuples of them), ``dict`` (of arrays) or
        ``unknown``.
    rank : int or None
        Axes of the array, or of the items of the list or dict.
    items : tuple of Known
        Of a list of tuples: what the tuples hold.
    argument : bool
        Whether it is memory of the caller's.
    proven : bool
        Whether the rank needs no check at run time.
    shown : int or None
        Axes that the function takes the array to have, as where it takes its shape apart: a guess.
    places : int
        Of a tuple with a vector of whole numbers for each axis, as ``np.triu_indices`` gives it:
        how many these are.
    hosted : bool
        Whether the array lies on the host: stacked code has to bring its numbers over.
    """

    kind: str = "unknown"
    rank: int | None = None
    items: tuple[Known, ...] = ()
    argument: bool = False
    proven: bool = False
    shown: int | None = None
    places: int = 0
    hosted: bool = False


@dataclass(frozen=True, slots=True)
class Item:
    """An expression of the loop's body, with the text that computes it for all items at once.

    Attributes
    ----------
    text : str
    rank : int
        Axes of one item's value.
    stacked : bool
        Whether the text gives a stack along a new first axis, rather than one value for all.
    tight : bool
        Whether something may be appended to the text without parentheses.
    results : tuple of Item
        Of a call with several results, these; their texts say nothing.
    views : frozenset of str
        Names whose memory the value may be a part of.
    sizes : bool
        Whether it is the shape of something.
    column : str
        Of a stack of vectors that the text takes out of matrices of one column: these matrices.
    absent : bool
        Whether the stacked code has no such value, so that nothing may read it.
    whole : bool
        Whether its elements are known to be whole numbers.
    factors : (str, str) or None
        Of a stack of outer products: the two stacks of vectors.
    mixed : bool
        Whether it may be one of Python's numbers for some items, as ``max(0.0, x)`` is.
    number : bool
        Whether it is one of Python's whole numbers for each item, whose arithmetic with arrays is
        another one than that of a stack: it may be a place, and no more.
    """

    text: str
    rank: int
    stacked: bool
    tight: bool = False
    results: tuple[Item, ...] = ()
    views: frozenset[str] = frozenset()
    sizes: bool = False
    column: str = ""
    absent: bool = False
    whole: bool = False
    factors: tuple[str, str] | None = None
    number: bool = False
    mixed: bool = False

    def postfixed(self, suffix: str) -> str:
        """The text with an index, an attribute or a call of a method behind it."""
        return (self.text if self.tight else f"({self.text})") + suffix

    def as_column(self) -> str:
        """A stack of vectors as one of matrices of one column."""
        return self.column or self.postfixed("[..., None]")


def own_memory(name: str) -> str:
    """What stands among the names of an item's memory for an array that the body has made."""
    return f"own {name}"


@dataclass(slots=True)
class Guard:
    """What has to hold at run time for the stacked code to compute what the loop does.

    Attributes
    ----------
    stacks : dict of str to int
        Arrays that the loop goes over, or writes, with their number of axes; they have as many
        items each.
    items : dict of str to int or tuple of int
        Lists, with the number of axes of their items; of tuples, of each array in them.
    fixed : dict of str to int
        Values that are the same for all items, with their number of axes.
    bounded : dict of str to int
        Likewise, with the most axes that they may have.
    length : str or None
        How many items that is, where it is not the length of one of the stacks.
    writes : dict
        Those stacks that are written (an ordered set).
    adds : dict
        Arrays that a value of each item is added to (likewise).
    along : dict of str to int
        Those stacks whose items do not lie along the first axis, with the axis that they do.
    floating : dict
        Those of `adds` to which several places of the body add: sums that are cut off to whole
        numbers would be so in another order (an ordered set).
    integers : dict
        Those stacks and lists whose items are indices (an ordered set).
    several : dict
        Those stacks and lists whose items have more than one row, or column, each with that axis
        (an ordered set).
    parts : dict of str to (str, str)
        Those of the stacks that have a name of their own in the stacked code, and what it is bound
        to: of an array of which the loop writes a part only, the part; of numbers that lie on the
        host, their copy on the device.
    presumed : dict
        Those that lie on the host of which nothing tells that their items are numbers (an ordered
        set).
    """

    stacks: dict[str, int] = field(default_factory=dict)
    items: dict[str, int | tuple[int, ...]] = field(default_factory=dict)
    fixed: dict[str, int] = field(default_factory=dict)
    bounded: dict[str, int] = field(default_factory=dict)
    length: str | None = None
    writes: dict[str, None] = field(default_factory=dict)
    adds: dict[str, None] = field(default_factory=dict)
    along: dict[str, int] = field(default_factory=dict)
    floating: dict[str, None] = field(default_factory=dict)
    integers: dict[str, None] = field(default_factory=dict)
    several: dict[tuple[str, int], None] = field(default_factory=dict)
    parts: dict[str, tuple[str, str]] = field(default_factory=dict)
    presumed: dict[str, None] = field(default_factory=dict)

    def called(self, name: str) -> str:
        """What a stack is called in the stacked code."""
        return self.parts[name][0] if name in self.parts else name


@dataclass(frozen=True, slots=True)
class Twin:
    """A function of the module, vectorised over a new first axis of some of its arguments.

    Attributes
    ----------
    function : ast.FunctionDef
        What it was made of.
    signature : str
        Its parameters.
    lines : tuple of str
        Its statements, without indentation.
    key : str
        Which function this is, and what for: the number of axes of each argument's items.
    arrays : tuple of str
        Its parameters that are arrays.
    """

    function: ast.FunctionDef
    signature: str
    lines: tuple[str, ...]
    key: str
    arrays: tuple[str, ...]

    @property
    def of_device(self) -> bool:
        """Whether its text shows that it is for arrays of the device."""
        return any("{cupy}" in line or "{batched}" in line for line in self.lines)

    @property
    def placeholder(self) -> str:
        """What stands for its name in texts."""
        return f"{{stack of {self.key}}}"


@dataclass(frozen=True, slots=True)
class Batch:
    """Stacked code for a loop or a comprehension.

    Attributes
    ----------
    node : Loop
    guard : Guard
    lines : tuple of str
        Statements that take the loop's place, four blanks for each step of indentation; of a
        comprehension, the lines of the one expression. ``{cupy}`` and ``{batched}`` stand for
        the names of these modules.
    retried : bool
        Whether the loop itself has to run where a matrix has no result, for what it does before
        it raises.
    arrays : frozenset of str
        Lists that are one array after the stacked code, as all who read them make one of them.
    helper : bool
        Whether the text is a call of the runtime that needs no guard.
    twins : tuple of Twin
        Functions that the text calls, under their placeholders.
    """

    node: Loop
    guard: Guard
    lines: tuple[str, ...]
    retried: bool = False
    arrays: frozenset[str] = frozenset()
    helper: bool = False
    twins: tuple[Twin, ...] = ()


def element(node: Comprehension) -> ast.expr:
    """What a comprehension makes of each item."""
    return node.value if isinstance(node, ast.DictComp) else node.elt


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a loop stays one call for each item: what stands in the way, and the loop."""

    code: str
    node: ast.AST
    message: str
    loop: Loop
