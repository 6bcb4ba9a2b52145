"""The tokens of a statement: how loosely they hold together, and where parentheses may be shown.

Priorities are those of Black's ``brackets.py``.
"""

from __future__ import annotations

import io
import keyword
import tokenize
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_OPENING, _CLOSING = "([{", ")]}"
_COMPREHENSION, COMMA, _TERNARY, _LOGIC, _COMPARISON, DOT = 20, 18, 16, 14, 10, 1
_ARITHMETIC = {
    "|": 9, "^": 8, "&": 7, "<<": 6, ">>": 6, "+": 5, "-": 5, "*": 4, "/": 4, "//": 4, "%": 4,
    "@": 4, "**": 2,
}  # fmt: skip
_COMPARISONS = ("<", ">", "<=", ">=", "==", "!=", "in", "is", "not in", "is not")
_ASSIGNING = ("=", "+=", "-=", "*=", "/=", "//=", "%=", "@=", "&=", "|=", "^=", ">>=", "<<=", "**=")
_CONDITIONS = ("if", "elif", "while", "return", "assert")
_LEFT_ALONE = (
    "def", "class", "async", "lambda", "del", "yield", "await", ";", ":=", "\\",
)  # fmt: skip
"""What a statement has of which the rules are not all here."""
_QUOTES = "'\""
_MOST_LEAVES = 1000


class Unsure(Exception):
    """A statement of which it is not certain how a formatter lays it out."""


@dataclass(slots=True, eq=False)
class Leaf:
    """A token; brackets know their partners, and ``priority`` is that of a delimiter before it."""

    text: str
    space: bool
    priority: int = 0
    partner: Leaf | None = None
    trailer: bool = False
    invisible: bool = False

    @property
    def opens(self) -> bool:
        return self.partner is not None and self.text in _OPENING

    @property
    def closes(self) -> bool:
        return self.partner is not None and self.text in _CLOSING


def leaves_of(statement: str) -> list[Leaf]:
    """The tokens of a statement, with parentheses that may be shown where one may put some.

    Raises
    ------
    Unsure
    """
    leaves = _leaves(statement)
    if leaves[0].text in ("from", "import"):
        return _imported(leaves)
    if leaves[0].text == "with":
        if COMMA in delimiters(leaves).values() or leaves[1].opens:
            raise Unsure("several things in a `with`")
        return leaves
    return _with_invisible(leaves)


def _leaves(statement: str) -> list[Leaf]:
    """The tokens of a statement, with the spaces that they have on one line."""
    found: list[Leaf] = []
    stack: list[Leaf] = []
    before: tokenize.TokenInfo | None = None
    for token in _tokens(statement):
        leaf = Leaf(token.string, _spaced(before, token))
        if before is not None and before.string[-1] in _QUOTES and leaf.text[-1] in _QUOTES:
            raise Unsure("strings side by side")
        if leaf.text in _OPENING:
            stack.append(leaf)
        elif leaf.text in _CLOSING and stack:
            leaf.partner = stack.pop()
            leaf.partner.partner = leaf
        found.append(leaf)
        before = token
    if not 0 < len(found) <= _MOST_LEAVES:
        raise Unsure("nothing there, or too much")
    _set_priorities(found)
    _hug_powers(found)
    return found


def _tokens(statement: str) -> Iterator[tokenize.TokenInfo]:
    """What a statement is made of, an f-string as one."""
    lines = statement.splitlines()
    opened: list[tokenize.TokenInfo] = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(statement).readline):
            name = tokenize.tok_name[token.type]
            if name in ("COMMENT", "INDENT") or token.string in _LEFT_ALONE:
                raise Unsure(token.string)
            if name == "FSTRING_START":
                opened.append(token)
            elif name == "FSTRING_END":
                first = opened.pop()
                text = lines[first.start[0] - 1][first.start[1] : token.end[1]]
                token = token._replace(string=text, start=first.start)
            if opened or name in ("NEWLINE", "NL", "ENDMARKER", "DEDENT", "FSTRING_START"):
                continue
            if token.start[0] != token.end[0]:
                raise Unsure("a string of several lines")
            yield token
    except (tokenize.TokenError, SyntaxError) as error:
        raise Unsure(str(error)) from None


def _spaced(before: tokenize.TokenInfo | None, token: tokenize.TokenInfo) -> bool:
    if before is None:
        return False
    if before.end[0] == token.start[0]:
        return before.end[1] != token.start[1]
    return before.string not in (*_OPENING, ".") and token.string not in (*_CLOSING, ",", ".", ":")


def _ends_operand(leaf: Leaf) -> bool:
    """Whether what comes after a token may be an operator, or brackets of a call or subscript."""
    if keyword.iskeyword(leaf.text):
        return leaf.text in ("None", "True", "False")
    return leaf.closes or leaf.text[-1].isalnum() or leaf.text[-1] in "_\"'."


def _set_priorities(leaves: Sequence[Leaf]) -> None:
    """Say of each token whether a line may be split before it (after a comma), and how loosely."""
    loops: list[int] = [0]
    for k, leaf in enumerate(leaves):
        before = leaves[k - 1] if k else None
        if leaf.opens:
            loops.append(0)
        elif leaf.closes and len(loops) > 1:
            loops.pop()
        operand = before is not None and _ends_operand(before)
        leaf.trailer = leaf.opens and operand
        if loops[-1] == 1 and leaf.text != "in":
            continue  # the targets of a comprehension stay together
        if leaf.text == ",":
            leaf.priority = COMMA
        elif leaf.text == "for" and len(loops) > 1:
            leaf.priority, loops[-1] = _COMPREHENSION, 1
        elif leaf.text == "if" and loops[-1] and operand:
            leaf.priority = _COMPREHENSION
        elif leaf.text in ("if", "else") and k and operand:
            leaf.priority = _TERNARY
        elif leaf.text in ("and", "or"):
            leaf.priority = _LOGIC
        elif leaf.text == "in" and loops[-1] == 1:
            loops[-1] = 2
        elif (leaf.text in _COMPARISONS or leaf.text == "not") and operand:
            leaf.priority = _COMPARISON
        elif leaf.text in _ARITHMETIC and operand:
            leaf.priority = _ARITHMETIC[leaf.text]
        elif leaf.text == "." and before is not None and before.closes:
            leaf.priority = DOT


def _hug_powers(leaves: Sequence[Leaf]) -> None:
    """No spaces around ``**`` between names and numbers."""
    for k, leaf in enumerate(leaves):
        if leaf.text != "**" or not leaf.priority or k + 1 == len(leaves):
            continue
        signed = leaves[k + 1].text == "-" and k + 2 < len(leaves)
        if _is_simple(leaves, k - 1, -1) and _is_simple(leaves, k + 1 + signed, 1):
            leaf.space = leaves[k + 1].space = False


def _is_simple(leaves: Sequence[Leaf], k: int, step: int) -> bool:
    """Whether an operand is a number, a name or attributes of one."""
    while 0 <= k < len(leaves) and (leaves[k].text[0].isalnum() or leaves[k].text[0] == "_"):
        k += step
        if not 0 <= k < len(leaves) or leaves[k].text != ".":
            return not (0 <= k < len(leaves) and leaves[k].text in "([" and step > 0)
        k += step
    return False


def _imported(leaves: Sequence[Leaf]) -> list[Leaf]:
    """An import with the parentheses that it has, or would have."""
    if leaves[0].text != "from" or leaves[-1].text in ("*", ")"):
        return [*leaves]
    start = next(k for k, leaf in enumerate(leaves) if leaf.text == "import") + 1
    opening, closing = Leaf("(", True, invisible=True), Leaf(")", False, invisible=True)
    opening.partner, closing.partner = closing, opening
    leaves[start].space = False
    return [*leaves[:start], opening, *leaves[start:], closing]


def delimiters(leaves: Sequence[Leaf]) -> dict[int, int]:
    """The places of delimiters outside of all brackets, with their priorities."""
    depth, found = 0, {}
    for k, leaf in enumerate(leaves):
        depth -= leaf.closes
        if not depth and leaf.priority and (k or leaf.text == ","):
            found[k] = leaf.priority
        depth += leaf.opens
    return found


def _with_invisible(leaves: list[Leaf]) -> list[Leaf]:
    """Parentheses that may be shown around what is assigned, asked or returned."""
    start, end = 0, len(leaves)
    if leaves and leaves[-1].text == ":":
        end -= 1
    depth = 0
    for k, leaf in enumerate(leaves):
        depth -= leaf.closes
        if not depth and leaf.text == ":" and k + 1 < len(leaves):
            raise Unsure("an annotation")
        if not depth and (leaf.text in _ASSIGNING or (not k and leaf.text in _CONDITIONS)):
            start = k + 1
        if not depth and not start and leaves[0].text == "for" and leaf.text == "in":
            start = k + 1
        depth += leaf.opens
    if not start or start == end:
        return leaves
    inner = leaves[start:end]
    whole = inner[0].text == "(" and inner[0].partner is inner[-1] and len(inner) > 2
    if whole and not {COMMA, _COMPREHENSION} & {*delimiters(inner[1:-1]).values()}:
        inner[1].space = inner[0].space
        inner = inner[1:-1]
    opening = Leaf("(", inner[0].space, invisible=True)
    closing = Leaf(")", False, invisible=True)
    opening.partner, closing.partner = closing, opening
    inner[0].space = False
    return [*leaves[:start], opening, *inner, closing, *leaves[end:]]
