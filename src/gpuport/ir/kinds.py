"""The closed set of operations, and what each does to the world.

What an operation takes and gives stands in its row, so that the table is the language's reference;
``gpuport.ir.checking`` holds every operation to it.
"""

from __future__ import annotations

from enum import StrEnum

from gpuport._frozen import frozen


class Effect(StrEnum):
    """What an operation does beside giving its results."""

    PURE = "pure"  #: nothing: it may be left out where nothing uses its results
    READ = "read"  #: sees what others write, and may raise; not moved across a write
    WRITE = "write"  #: changes something, or runs code that may
    CONTROL = "control"  #: owns regions, and does what they do
    EXIT = "exit"  #: ends a region


@frozen
class Kind:
    """A row of the table.

    Attributes
    ----------
    effect : Effect
    meaning : str
        Operands and results, in the order in which they stand.
    attributes : tuple of str
        Names of what an operation of the kind says of itself beside its operands.
    regions : int or None
        How many regions it owns; None where an attribute decides.
    """

    effect: Effect
    meaning: str
    attributes: tuple[str, ...] = ()
    regions: int | None = 0


PURE, READ, WRITE, CONTROL, EXIT = Effect

KINDS: dict[str, Kind] = {
    # constants, names and bindings
    "Const": Kind(PURE, "() -> value", ("value",)),
    "Undef": Kind(PURE, "() -> what a name holds before it is assigned", ("name",)),
    "CheckBound": Kind(READ, "(value) -> the value; raises where it is not assigned", ("name",)),
    "LoadGlobal": Kind(READ, "() -> value of the module's dictionary, or a built-in", ("name",)),
    "StoreGlobal": Kind(WRITE, "(value)", ("name",)),
    "DeleteGlobal": Kind(WRITE, "()", ("name", "quiet")),
    "NewCell": Kind(
        WRITE, "(): a fresh variable that functions made from here on share", ("name",)
    ),
    "LoadCell": Kind(READ, "() -> value of a variable that functions share", ("name",)),
    "StoreCell": Kind(WRITE, "(value)", ("name",)),
    "DeleteCell": Kind(WRITE, "()", ("name", "quiet")),
    "LoadName": Kind(READ, "() -> value of the namespace of a class body", ("name",)),
    "StoreName": Kind(WRITE, "(value)", ("name",)),
    "DeleteName": Kind(WRITE, "()", ("name", "quiet")),
    "Import": Kind(
        WRITE, "() -> module; the top one of a dotted name if so asked", ("name", "top")
    ),
    "ImportFrom": Kind(WRITE, "() -> a value for each name", ("module", "names", "level")),
    "ImportStar": Kind(WRITE, "()", ("module", "level")),
    # Python values
    "Tuple": Kind(PURE, "(items) -> tuple", ("stars",)),
    "List": Kind(PURE, "(items) -> new list", ("stars",)),
    "Set": Kind(WRITE, "(items) -> new set; hashes them", ("stars",)),
    "Dict": Kind(WRITE, "(key, value, ...) -> new dict; hashes the keys", ("spread",)),
    "Slice": Kind(PURE, "(start, stop, step) -> slice"),
    "Format": Kind(WRITE, "(text, or value and format, ...) -> text", ("how",)),
    "Unpack": Kind(WRITE, "(iterable) -> its items", ("star",)),
    "Unary": Kind(WRITE, "(value) -> value", ("operator",)),
    "Binary": Kind(WRITE, "(left, right) -> value", ("operator",)),
    "InPlace": Kind(
        WRITE, "(left, right) -> left, changed in place where it can be", ("operator",)
    ),
    "Compare": Kind(WRITE, "(left, right) -> value", ("operator",)),
    "GetAttr": Kind(WRITE, "(object) -> value", ("name",)),
    "SetAttr": Kind(WRITE, "(object, value)", ("name",)),
    "DelAttr": Kind(WRITE, "(object)", ("name",)),
    "GetItem": Kind(WRITE, "(object, index) -> value", ()),
    "SetItem": Kind(WRITE, "(object, index, value)", ()),
    "DelItem": Kind(WRITE, "(object, index)", ()),
    "Collect": Kind(WRITE, "(container, item, or key and value): a comprehension's item", ("how",)),
    "Call": Kind(WRITE, "(callee, arguments, keyword arguments) -> value", ("stars", "keywords")),
    "MakeFunction": Kind(
        PURE,
        "(defaults, keyword defaults, annotations) -> function",
        ("function", "defaults", "keyword", "annotations"),
    ),
    "MakeClass": Kind(
        WRITE,
        "(bases, keyword arguments) -> class; the region is its body",
        ("name", "qualname", "bases", "keywords", "cell", "annotated"),
        1,
    ),
    "Iterate": Kind(WRITE, "(arguments) -> what a loop goes over", ("form",)),
    "GeneratorYield": Kind(WRITE, "(value) -> what is sent back"),
    "GeneratorDelegate": Kind(WRITE, "(iterable) -> what it returns"),
    "Opaque": Kind(
        WRITE,
        "(names read) -> names written, or the value of an expression: run as Python",
        ("reason", "text", "reads", "writes", "expression"),
    ),
    # elements of arrays, once types are known
    "Load": Kind(READ, "(array, index, ...) -> element"),
    "Store": Kind(WRITE, "(array, index, ..., value)"),
    "Extent": Kind(PURE, "(array) -> its size along an axis", ("axis",)),
    "Alloc": Kind(PURE, "(size, ...) -> new array, not filled", ("dtype",)),
    "Cast": Kind(PURE, "(number) -> the same as a number of NumPy's", ("dtype",)),
    "Elementwise": Kind(PURE, "(numbers) -> number, by a function of a library", ("path",)),
    "Update": Kind(
        WRITE, "(array, index, ..., value): puts a value together with an element", ("operator",)
    ),
    "Reduce": Kind(
        CONTROL,
        "(low, high, start or nothing) -> what the region yields for each index, put together",
        ("operator", "step"),
        1,
    ),
    "Map": Kind(
        CONTROL,
        "(low, high, ..., start, ...) -> for each start what the region yields for each point of"
        " the grid, put together; points come in any order",
        ("steps", "needs", "reductions"),
        1,
    ),
    # structured control
    "If": Kind(CONTROL, "(test) -> what the arm that runs yields; regions: then, else", (), 2),
    "For": Kind(
        CONTROL, "(iterable, carried values) -> carried values; regions: body, else", (), 2
    ),
    "While": Kind(CONTROL, "(carried values) -> the same; regions: test, body, else", (), 3),
    "Try": Kind(
        CONTROL,
        "() -> what the arm that ends yields; body, type and block a handler, else, finally",
        ("handlers", "orelse", "final"),
        None,
    ),
    "With": Kind(CONTROL, "(context manager) -> what the body yields", (), 1),
    # terminators
    "Yield": Kind(EXIT, "(values): to the operation that owns the region"),
    "Continue": Kind(EXIT, "(carried values): to the next round of the innermost loop"),
    "Break": Kind(EXIT, "(carried values): out of the innermost loop"),
    "Return": Kind(EXIT, "(value): out of the function"),
    "Raise": Kind(EXIT, "(exception, cause), or nothing: the current exception again"),
    "Unreachable": Kind(EXIT, "(): control never comes here"),
}
