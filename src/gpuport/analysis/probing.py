"""What a NumPy or SciPy operation returns: ask NumPy or SciPy.

The real function is called on tiny arrays of the inferred dtypes and ranks and the answer is
read back. Where a dtype or a rank is unknown several stand-ins are tried and the answers are
joined, so that only what all of them agree on is claimed. Only functions that exist on the
device (hence are pure) are probed; answers are cached for the process.
"""

from __future__ import annotations

import ast
import importlib
import operator
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import islice, product
from math import prod
from random import Random
from typing import Any

from gpuport.analysis.values import (
    UNKNOWN,
    Array,
    Either,
    Mapping,
    Number,
    Scalar,
    Sequence,
    Tuple,
    Unknown,
    Value,
    elements,
    join_all,
)
from gpuport.rules.libraries import Library

_DTYPES = ("float64", "int64")
DEVICE_DTYPES = "?bBhHiIlLqQefdFD"
"""Characters of the dtypes that CuPy has arrays of."""

_RANKS = (1, 2, 3)  # y[0, 0] is a number of a matrix and a row of a stack
_MORE_RANKS = (3, 4, 2, 1, 0)
_DOUBTS = (
    ((4,), ("float64",)), ((1, 2), ("float32",)), ((1, 2), ("bool",)), ((1, 2), ("complex64",)),
    ((1, 2), ("uint8",)),
)  # fmt: skip
"""Ranks and dtypes with which a claim about what is not known is put to the test: functions may
refuse the usual stand-ins (``gcd`` takes no floats) or stop at a rank (``atleast_3d``)."""
_SIZE = 3  # square shapes: linear algebra and broadcasting accept them
_LONG = 64  # filters take no signal that is shorter than they are
_MOST_PROBES = 48
_ROUNDS = (
    (_RANKS, _DTYPES, _MOST_PROBES, False),
    (_MORE_RANKS, _DTYPES[:1], 4 * _MOST_PROBES, False),
)
"""Ranks and dtypes to try, how many combinations of them, and whether long arrays as well."""
_LONG_ROUND = ((1, 2), _DTYPES, 2 * _MOST_PROBES, True)
_QUOTED = re.compile(r"""['"]([A-Za-z_][\w-]*)['"]""")
_LANGUAGE = re.compile(r"""['"][\w.,]*->[\w.,]*['"]""")
"""Subscripts such as ``ij,jk->ik``: no list of words is all that can be said."""
_MOST_WORDS = 24
_WITH_WORDS = 512
"""Combinations to try where a word is missing: each word decides."""
_LONGEST = 10_000
"""Elements of a stand-in whose length an argument names."""

_MATRIX = frozenset(("",))
"""Whichever parameter it is that makes it one."""

Ask = Callable[[tuple[Value, ...]], Value]

OPERATORS: dict[str, Callable[..., Any]] = {
    "Add": operator.add,
    "Sub": operator.sub,
    "Mult": operator.mul,
    "Div": operator.truediv,
    "FloorDiv": operator.floordiv,
    "Mod": operator.mod,
    "Pow": operator.pow,
    "MatMult": operator.matmul,
    "LShift": operator.lshift,
    "RShift": operator.rshift,
    "BitAnd": operator.and_,
    "BitOr": operator.or_,
    "BitXor": operator.xor,
    "Eq": operator.eq,
    "NotEq": operator.ne,
    "Lt": operator.lt,
    "LtE": operator.le,
    "Gt": operator.gt,
    "GtE": operator.ge,
    "USub": operator.neg,
    "UAdd": operator.pos,
    "Invert": operator.invert,
}


def probe_operator(name: str, operands: tuple[Value, ...], relied: set[str] | None = None) -> Value:
    """Value of ``operands[0] <name> operands[1]``, or of a unary operator.

    Parameters
    ----------
    name : str
        Class name of the ``ast`` operator, such as ``Add``.
    relied : set of str, optional
        Gets the parameters that have to be matrices for the answer to hold; without it, the
        answer holds whatever they are.
    """
    if any(isinstance(operand, Unknown) for operand in operands):
        return UNKNOWN
    kinds = tuple(Scalar(o.type) if isinstance(o, Scalar) else o for o in operands)
    return _claim(lambda given: _probe(("operator", name), given, ()), kinds, relied)


def probe_call(
    path: str, arguments: tuple[Value, ...], keywords: tuple[tuple[str, Value], ...],
    relied: set[str] | None = None,
) -> Value:  # fmt: skip
    """Value of a call of a function (``numpy.mean``, ``scipy.fft.fft``) or a method.

    For a method (``numpy.ndarray.mean``) the first argument is the array itself. ``relied``: as
    in `probe_operator`.
    """
    names = tuple(name for name, _ in keywords)

    def ask(given: tuple[Value, ...]) -> Value:
        count = len(arguments)
        return _probe(("call", path), given[:count], tuple(zip(names, given[count:], strict=True)))

    return _claim(ask, arguments + tuple(v for _, v in keywords), relied)


def probe_index(
    base: Value, index: tuple[Value | str, ...], relied: set[str] | None = None
) -> Value:
    """Value of ``base[index]``; entries: a `Value`, ``":"``, ``"..."`` or ``"None"``.

    ``relied``: as in `probe_operator`.
    """

    def ask(given: tuple[Value, ...]) -> Value:
        rest = iter(given[1:])
        return _probe_index(given[0], tuple(i if isinstance(i, str) else next(rest) for i in index))

    result = _probe_index(
        _plain(base), tuple(i if isinstance(i, str) else _plain(i) for i in index)
    )
    if isinstance(result, Array) and isinstance(base, Either):
        return replace(result, sources=base.sources)  # a number would not have taken the index
    return _claim(ask, (base, *(i for i in index if not isinstance(i, str))), relied)


def probe_object(path: str, index: ast.expr, kinds: dict[int, str | None]) -> Value:
    """Value of ``np.mgrid[index]``; small numbers stand in for what is no literal.

    ``kinds``: the Python types of the expressions in the index, where they are known.
    """
    found = {_probe_object(path, index, kinds, unknown) for unknown in ("int", "float")}
    return join_all(list(found))


_BOUNDS: dict[str, dict[str, complex]] = {
    "int": {"lower": 0, "upper": 3, "step": 1},
    "float": {"lower": 0.0, "upper": 3.0, "step": 1.0},
    "complex": {"lower": 0.0, "upper": 3.0, "step": 4j},
}


def _probe_object(path: str, index: ast.expr, kinds: dict[int, str | None], unknown: str) -> Value:
    import copy

    import numpy as np

    plain = copy.deepcopy(index)
    for part, original in zip(ast.walk(plain), ast.walk(index), strict=True):
        for name in _BOUNDS["int"] if isinstance(part, ast.Slice) else ():
            given = getattr(part, name)
            if given is not None and not _is_literal(given):
                kind = kinds.get(id(getattr(original, name))) or unknown
                setattr(part, name, ast.Constant(_BOUNDS[kind][name]))
    # Slices in a tuple can be written within brackets alone.
    text = ast.unparse(ast.Subscript(ast.Name("key", ast.Load()), plain, ast.Load()))
    maker = getattr(np, path.partition(".")[2], None)
    try:
        key = eval(text, {"__builtins__": {}, "key": np.s_})
        return _read(maker[key])  # type: ignore[index]
    except Exception:
        return UNKNOWN


def _is_literal(node: ast.expr) -> bool:
    try:
        ast.literal_eval(node)
    except (ValueError, SyntaxError):
        return False
    return True


def _claim(ask: Ask, operands: tuple[Value, ...], relied: set[str] | None) -> Value:
    """Attach to a result the parameters on whose being arrays, or matrices, it rests."""
    needed = frozenset().union(*map(_matrices, operands)) if relied is not None else frozenset()
    plain = tuple(map(_plain, operands))
    if not needed or relied is None:
        return _with_sources(ask, plain, operands)
    of_matrices = tuple(map(_as_matrix, operands))
    value, other = (_with_sources(ask, one, operands) for one in (of_matrices, plain))
    if value != other:
        relied |= needed
    if isinstance(value, Array) and value.rank is None and _gives_matrices(ask, operands):
        return replace(value, matrices=needed)
    return value


def _gives_matrices(ask: Ask, operands: tuple[Value, ...]) -> bool:
    """Whether matrices, and stacks of them, give as many axes or more."""
    for rank in (2, 3):
        given = tuple(_as_matrix(operand, rank) for operand in operands)
        value = ask(given)
        if not isinstance(value, Array) or value.rank is None or value.rank < 2:
            return False
    return True


def _matrices(value: Value) -> frozenset[str]:
    return value.matrices if isinstance(value, Array) else frozenset()


def _as_matrix(value: Value, rank: int | None = None) -> Value:
    """What stands in for an operand that is known to have two axes or more."""
    if isinstance(value, Array) and value.matrices:
        return Array(value.dtype, rank, matrices=_MATRIX if rank is None else frozenset())
    return _plain(value)


def _with_sources(ask: Ask, plain: tuple[Value, ...], operands: tuple[Value, ...]) -> Value:
    result = ask(plain)
    sources: frozenset[str] = frozenset()
    numbers: frozenset[str] = frozenset()
    proven = False
    either = False
    for operand in operands:
        inner = elements(operand) if isinstance(operand, (Sequence, Tuple)) else operand
        if isinstance(inner, Array):
            proven = proven or not inner.sources
            sources |= inner.sources
        elif isinstance(inner, Either):
            either = True
            numbers |= inner.sources
    if isinstance(result, Array):
        if proven:
            return result
        # Where it would be an array of a number too, it rests on nothing.
        return Array(result.dtype, result.rank, sources)
    if isinstance(result, Either):
        # `x @ y` of arrays may be a number all the same.
        rests = either and isinstance(ask(tuple(map(_as_array, plain))), Array)
        return replace(result, sources=sources | numbers if rests else frozenset())
    return result


def _plain(value: Value) -> Value:
    """What the stand-ins of a value depend on: the same question is asked only once."""
    if isinstance(value, Array):
        return Array(value.dtype, value.rank)
    if isinstance(value, Either):
        return Either(value.dtype)
    if isinstance(value, Number):
        return Number(value.dtype)
    if isinstance(value, Sequence):
        return replace(value, of=_plain(value.of))
    if isinstance(value, Tuple):
        return replace(value, items=tuple(map(_plain, value.items)))
    return value


def _as_array(value: Value) -> Value:
    return Array(value.dtype, None, value.sources) if isinstance(value, Either) else value


@lru_cache(maxsize=20000)
def _probe(
    what: tuple[str, str], arguments: tuple[Value, ...], keywords: tuple[tuple[str, Value], ...]
) -> Value:
    function = _function(*what)
    if function is None:
        return UNKNOWN
    names = tuple(k for k, _ in keywords)
    values = arguments + tuple(v for _, v in keywords)
    if any(map(_may_be_word, arguments)) and _LANGUAGE.search(function.__doc__ or ""):
        return UNKNOWN  # what the words say decides

    def run(stand_ins: tuple[Any, ...]) -> Any:
        count = len(arguments)
        return function(*stand_ins[:count], **dict(zip(names, stand_ins[count:], strict=True)))

    # Signals are longer than filters, and `np.partition(x, 7)` takes none of seven elements.
    long = what[1].startswith("scipy.") or any(True for v in values for _ in _sizes(v))
    rounds = (*_ROUNDS, _LONG_ROUND) if long else _ROUNDS
    return _run_all(values, run, rounds=rounds, words=lambda: _quoted(function))


def _quoted(function: Callable[..., Any]) -> tuple[str, ...]:
    """The words that the documentation of a function has in quotes: `mode` takes one of them."""
    found = _QUOTED.findall(getattr(function, "__doc__", None) or "")
    return tuple(dict.fromkeys(found))[:_MOST_WORDS]


@lru_cache(maxsize=20000)
def _probe_index(base: Value, index: tuple[Value | str, ...]) -> Value:
    fixed = {":": slice(None), "...": Ellipsis, "None": None}

    def run(stand_ins: tuple[Any, ...]) -> Any:
        rest = iter(stand_ins[1:])
        key = tuple(fixed[i] if isinstance(i, str) else next(rest) for i in index)
        return stand_ins[0][key if len(key) != 1 else key[0]]

    values = (base, *(i for i in index if not isinstance(i, str)))
    return _run_all(values, run, index=True)


def _run_all(
    values: tuple[Value, ...],
    run: Callable[[tuple[Any, ...]], Any],
    index: bool = False,
    rounds: tuple[tuple[tuple[int, ...], tuple[str, ...], int, bool], ...] = _ROUNDS,
    words: Callable[[], tuple[str, ...]] = tuple,
) -> Value:
    import warnings

    import numpy as np

    answers: list[Value] = []
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for ranks, dtypes, most, long in rounds:
            answers = _answers(values, run, ranks, dtypes, index, most, long=long)
            if not answers and any(map(_may_be_word, values)):
                answers = _answers(
                    values, run, ranks, dtypes, index, _WITH_WORDS, long=long, words=words()
                )
            if answers:
                break
        else:  # `x.reshape(4, 5)` takes nothing but twenty elements
            size = prod(n for v in values for n in _sizes(v))
            dtypes = _DTYPES
            answers = _answers(values, run, _RANKS, dtypes, index, _MOST_PROBES, size)
        result = join_all(answers)
        if answers and any(map(_open, values)) and _says_much(result):
            for other_ranks, others in _DOUBTS:
                answers += _answers(values, run, other_ranks, others, index, _MOST_PROBES // 4)
            result = join_all(answers)
    # The later round tries one dtype for all that are not known: it says nothing of the result's.
    return _forget_dtype(result) if len(dtypes) == 1 else result


def _answers(
    values: tuple[Value, ...], run: Callable[[tuple[Any, ...]], Any], ranks: tuple[int, ...],
    dtypes: tuple[str, ...], index: bool, most: int, size: int | None = None, long: bool = False,
    words: tuple[str, ...] = (),
) -> list[Value]:  # fmt: skip
    """What NumPy gives for stand-ins of these ranks and dtypes, where it takes them."""
    candidates = [
        _stand_ins(v, ranks, ("int64", "bool") if index and position > 0 else dtypes)
        if size is None or not isinstance(v, (Array, Either))
        else list(_of_size(size, v, dtypes))
        for position, v in enumerate(values)
    ]
    if long:
        candidates = [
            [*short, *_long(v, ranks, dtypes)] for short, v in zip(candidates, values, strict=True)
        ]
    if words:
        alone = sum(map(_may_be_word, values)) == 1
        candidates = [
            c if not _may_be_word(v) else [*words, None] if alone else [*words, *c]
            for c, v in zip(candidates, values, strict=True)
        ]
    if any(not c for c in candidates):
        return []
    answers = []
    for stand_ins in _combinations(candidates, most):
        try:
            answers.append(_read(run(stand_ins)))
        except Exception:  # this combination of ranks and dtypes is not one NumPy takes
            continue
    return answers


def _may_be_word(value: Value) -> bool:
    """Whether a value may be one of the words that a parameter takes."""
    if isinstance(value, Scalar):
        return value.constant is None and value.type in (None, "str")
    return isinstance(value, Unknown)


def _sizes(value: Value) -> Iterator[int]:
    """The lengths that an argument names."""
    found: Any = None
    if isinstance(value, (Tuple, Sequence)) and value.literal is not None:
        found = ast.literal_eval(value.literal)
    elif isinstance(value, Tuple):
        found = tuple(i.constant for i in value.items if isinstance(i, Scalar))
    elif isinstance(value, Scalar):
        found = (value.constant,)
    for one in found or ():
        if type(one) is int and 1 < one <= _LONGEST:
            yield one


def _of_size(size: int, value: Array | Either, dtypes: tuple[str, ...]) -> Iterator[Any]:
    """Arrays of so many elements, none of more than one axis that is longer than one."""
    import numpy as np

    rank = value.rank if isinstance(value, Array) else None
    for dtype in (value.dtype,) if value.dtype else dtypes:
        for one in _RANKS if rank is None else (rank,):
            yield np.ones((min(size, _LONGEST), *([1] * (one - 1)))[:one], dtype)


def _long(value: Value, ranks: tuple[int, ...], dtypes: tuple[str, ...]) -> Iterator[Any]:
    """Arrays whose last two axes are longer than most filters; numbers far from one."""
    import numpy as np

    if isinstance(value, Scalar) and value.constant is None:
        numbers: dict[str | None, list[float]] = {"int": [8], "float": [0.25, 1000.0]}
        yield from numbers.get(value.type, [])
    if not isinstance(value, (Array, Either)):
        return
    rank = value.rank if isinstance(value, Array) else None
    for dtype in (value.dtype,) if value.dtype else dtypes:
        for one in ranks if rank is None else (rank,):
            if one == 1 and _matrices(value):
                continue
            yield np.ones((*([2] * (one - 2)), _LONG, _LONG)[-one:] if one else (), dtype)
            if one == 2:
                yield np.ones((2, 6), dtype)  # sections of a filter


def _open(value: Value) -> bool:
    """Whether several ranks or dtypes stand in for a value."""
    if isinstance(value, Either):
        return True
    return isinstance(value, Array) and (value.rank is None or value.dtype is None)


def _says_much(value: Value) -> bool:
    """Whether a rank or a dtype is claimed."""
    if isinstance(value, Tuple):
        return any(map(_says_much, value.items))
    if isinstance(value, Array):
        return value.rank is not None or value.dtype is not None
    return isinstance(value, (Either, Number)) and value.dtype is not None


def _combinations(candidates: list[list[Any]], most: int) -> Iterator[tuple[Any, ...]]:
    """All combinations, or as many spread over all of them, the same ones every time."""
    total = prod(len(c) for c in candidates)
    if total <= most:
        yield from product(*candidates)
        return
    for index in sorted(Random(0).sample(range(total), most)):
        chosen: list[Any] = []
        for options in reversed(candidates):
            index, position = divmod(index, len(options))
            chosen.append(options[position])
        yield tuple(reversed(chosen))


def _forget_dtype(value: Value) -> Value:
    if isinstance(value, (Array, Either, Number)) and value.dtype not in ("bool", "int64"):
        return replace(value, dtype=None)
    if isinstance(value, Tuple):
        return Tuple(tuple(_forget_dtype(item) for item in value.items))
    if isinstance(value, Sequence):
        return replace(value, of=_forget_dtype(value.of))
    return value


def _function(kind: str, name: str) -> Callable[..., Any] | None:
    if kind == "operator":
        return OPERATORS.get(name)
    root, *parts = name.split(".")
    if parts[:1] == ["random"]:
        return _draw(parts[1:])
    if parts[:1] == ["ndarray"] and len(parts) > 1:
        method = parts[1]
        return lambda array, *args, **kwargs: getattr(array, method)(*args, **kwargs)
    found = _imported(root)
    for position, part in enumerate(parts, 1):
        owner = ".".join([root, *parts[:position]])
        found = getattr(found, part, None) or _imported(owner)
        if found is None:
            return None
    return found if callable(found) else None


def function_of(path: str) -> Callable[..., Any] | None:
    """The real function behind a resolved name; for a method, one that takes the array first."""
    return _function("call", path)


def _imported(module: str) -> Any:
    """A module of an installed library, loaded when something of it is first asked."""
    try:
        return importlib.import_module(module)
    except ImportError:
        return None


def is_installed(library: Library) -> bool:
    """Whether a library can be asked at all."""
    return _imported(library.root) is not None


def _draw(parts: list[str]) -> Callable[..., Any] | None:
    """A method of a random generator of our own: nobody's stream is touched."""
    import numpy as np

    own: Any = np.random.default_rng(0) if parts[0] == "Generator" else np.random.RandomState(0)
    found = getattr(own, parts[-1], None)
    return found if callable(found) else None


def _stand_ins(
    value: Value, all_ranks: tuple[int, ...] = _RANKS, all_dtypes: tuple[str, ...] = _DTYPES
) -> list[Any]:
    import numpy as np

    if isinstance(value, Unknown):
        return [*_scalar_stand_ins(Scalar()), *(e for r in _RANKS for e in _examples(r, "int64"))]
    if isinstance(value, Scalar):
        return _scalar_stand_ins(value)
    if isinstance(value, Number):
        kinds = (value.dtype,) if value.dtype else ("float64", "int64", "float32")
        return [np.ones((), dtype)[()] for dtype in kinds]
    if isinstance(value, (Array, Either)):
        rank = value.rank if isinstance(value, Array) else None
        dtypes = (value.dtype,) if value.dtype else all_dtypes
        ranks = all_ranks if rank is None else (rank,)
        if _matrices(value):
            ranks = tuple(r for r in ranks if r > 1) or (2, 3)
        arrays = [e for r in ranks for d in dtypes for e in _examples(r, d)]
        numbers = [np.ones((), d)[()] for d in dtypes] if isinstance(value, Either) else []
        return arrays + numbers
    if isinstance(value, (Tuple, Sequence)) and value.literal is not None:
        return [ast.literal_eval(value.literal)]
    if isinstance(value, Tuple):
        if value.items and all(i == Scalar("int") for i in value.items):
            rest = len(value.items) - 1  # a shape, perhaps for what has other sizes
            return [(s,) * (rest + 1) for s in (1, 2, _SIZE)] + [(-1,) + (1,) * rest]
        choices = [_spread(_stand_ins(i, all_ranks, all_dtypes), 2) for i in value.items]
        return [tuple(c) for c in islice(product(*choices), 4)] if all(choices) else []
    if isinstance(value, Sequence):
        inner = _stand_ins(value.of, all_ranks, all_dtypes)
        make: Callable[[Any], Any] = list if value.list else tuple
        found = [make([item] * length) for length in (3, 1, 2) for item in _spread(inner, 6)]
        if value.of == Scalar("int"):
            found += [make([-1, *([1] * length)]) for length in (0, 1, 2)]
        return found
    return []


def _spread(options: list[Any], most: int) -> list[Any]:
    """At most so many, from all along a list."""
    if len(options) <= most:
        return options
    return [options[k * (len(options) - 1) // (most - 1)] for k in range(most)]


def _examples(rank: int, dtype: str) -> Iterator[Any]:
    """Arrays of a rank and dtype that most functions accept, and that differ in what decides."""
    import numpy as np

    if rank == 1:
        yield np.ones(_SIZE, dtype)
        if dtype == "int64":
            yield np.ones(1, dtype)  # a shape: its length is a rank
        if dtype in ("int64", "float64"):
            yield np.ones(2, dtype)  # the cross product in the plane is a number
        if dtype == "float64":
            yield np.array([1.0, -3.0, 2.0])  # a polynomial of real roots
    elif rank == 2 and dtype == "float64":
        yield np.eye(_SIZE)
        yield np.eye(_SIZE)[[1, 2, 0]]  # a rotation: its eigenvalues are complex
    elif rank >= 2:
        # Identity matrices: linear algebra accepts them, indices stay in range.
        yield np.broadcast_to(np.eye(_SIZE, dtype=dtype), (_SIZE,) * rank).copy()
    else:
        yield np.ones((), dtype)


def _scalar_stand_ins(value: Scalar) -> list[Any]:
    if value.constant is not None:
        return [value.constant]
    import numpy as np

    stand_ins: dict[str | None, list[Any]] = {
        None: [0, 1, None, 1.0, (1,), (1, 1), np.float32, np.float64, "F"],
        "str": ["C", "ij"],
        "dtype": [np.float64, np.int64, np.float32, np.bool_],
        "slice": [slice(None)],
        "int": [1, 0, 2, -1, _SIZE],
        "float": [1.0],
        "bool": [False, True],
        "complex": [1j],
        "None": [None],
    }
    return stand_ins.get(value.type, [])


def _read(answer: Any) -> Value:
    import numpy as np

    if isinstance(answer, (np.ndarray, np.generic)) and answer.dtype.char not in DEVICE_DTYPES:
        return UNKNOWN
    if isinstance(answer, np.ndarray):
        return Array(answer.dtype.name, answer.ndim) if type(answer) is np.ndarray else UNKNOWN
    if isinstance(answer, np.generic):
        return Number(answer.dtype.name)
    if answer is None:
        return Scalar("None")
    if isinstance(answer, (bool, int, float, complex, str)):
        return Scalar(type(answer).__name__)
    if isinstance(answer, tuple):
        return Tuple(tuple(_read(item) for item in answer))
    if isinstance(answer, list):
        return Sequence(join_all([_read(item) for item in answer]))
    if isinstance(answer, dict) and all(isinstance(key, str) for key in answer):
        return Mapping(join_all([_read(item) for item in answer.values()]))
    if isinstance(answer, (np.finfo, np.iinfo, np.dtype)):
        return Scalar("object")
    return UNKNOWN
