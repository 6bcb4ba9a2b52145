"""What the functions, methods and operators of CuPy are called with, as text."""

from __future__ import annotations

import itertools

ARRAYS = {
    "f": "X.array([1.5, -2.0, 0.25, 3.0])",
    "g": "X.array([2.0, 0.5, -1.0, 3.0])",
    "f32": "X.array([1.5, -2.0, 0.25, 3.0], dtype='f4')",
    "f16": "X.array([1.5, -2.0, 0.25, 3.0], dtype='f2')",
    "i": "X.array([3, -1, 0, 2])",
    "i32": "X.array([3, -1, 0, 2], dtype='i4')",
    "i8": "X.array([100, -128, 0, 2], dtype='i1')",
    "u": "X.array([3, 1, 0, 255], dtype='u1')",
    "u64": "X.array([3, 1, 0, 2], dtype='u8')",
    "b": "X.array([True, False, True, True])",
    "c": "X.array([1 + 2j, -1j, 0.5, -3])",
    "c64": "X.array([1 + 2j, -1j, 0.5, -3], dtype='F')",
    "n": "X.array([np.nan, np.inf, -np.inf, -0.0, 1.0])",
    "e": "X.zeros(0)",
    "ei": "X.zeros(0, dtype=int)",
    "z": "X.array(2.5)",
    "zi": "X.array(2)",
    "m": "X.arange(12.0).reshape(3, 4) - 5",
    "mi": "X.arange(12, dtype='i4').reshape(3, 4) % 5",
    "mf": "X.asfortranarray(X.arange(12.0).reshape(3, 4) - 5)",
    "mt": "(X.arange(12.0).reshape(4, 3) - 5).T",
    "mb": "X.arange(12).reshape(3, 4) % 3 == 0",
    "mn": "X.array([[1.0, np.nan, 2.0], [np.nan, np.nan, 0.5]])",
    "s": "X.array([[4.0, 1.0, 0.5], [1.0, 3.0, 0.25], [0.5, 0.25, 2.0]])",
    "s32": "X.array([[4.0, 1.0, 0.5], [1.0, 3.0, 0.25], [0.5, 0.25, 2.0]], dtype='f4')",
    "sing": "X.array([[1.0, 2.0], [2.0, 4.0]])",
    "t": "X.arange(24.0).reshape(2, 3, 4)",
    "ts": "X.stack([X.eye(2) * 2, X.ones((2, 2)) + X.eye(2)])",
    "em": "X.zeros((0, 3))",
    "st": "X.arange(10.0)[::-3]",
    "o": "X.zeros(4)",
    "h": "np.array([1.5, -2.0, 0.25, 3.0])",
    "q": "X.array([0, 2, 1, 3])",
    "far": "X.array([0, 7, -9, 3])",
    "w": "X.array([0.0, 1.0, 2.0, 4.0])",
    "big": "X.arange(5000.0) % 97",
}
"""Arrays by name, as text that makes them."""

KINDS = (
    "f", "f32", "f16", "i", "i32", "i8", "u", "u64", "b", "c", "c64", "n", "e", "ei", "z", "zi",
    "m", "mi", "mf", "mt", "mb", "mn", "s", "t", "em", "st", "big", "h", "2", "2.5", "True",
    "[1, 2]", "None", "np.float32(2)",
)  # fmt: skip
"""Arguments that a function of one array gets."""

PAIRS = (
    *itertools.product(("f", "i", "f32", "u", "b", "c"), ("g", "i32", "u64", "b", "2", "2.5")),
    ("f", "f32"), ("f16", "f32"), ("f16", "i8"), ("i8", "u"), ("i", "u64"), ("i8", "200"),
    ("u", "-1"), ("2", "i"), ("2.5", "i32"), ("True", "f"), ("m", "f"), ("m", "m"), ("m", "s"),
    ("s", "s"), ("s", "mf[:, :3]"), ("s", "m"), ("t", "m"), ("ts", "ts"), ("n", "n"), ("e", "e"),
    ("e", "f"), ("z", "f"), ("f", "z"), ("f", "h"), ("h", "f"), ("f", "[1, 2, 3, 4]"),
    ("[1, 2, 3, 4]", "f"), ("f", "None"), ("f", "np.float32(2)"), ("np.float64(2)", "f32"),
    ("i", "0"), ("i32", "i32"), ("mt", "mf"), ("t", "t"), ("f", "q"), ("m", "q"), ("m", "0"),
    ("m", "(0, 1)"), ("m", "far"), ("f", "m"), ("1j", "f32"), ("b", "b"), ("m", "mb"), ("t", "2"),
)  # fmt: skip
"""Arguments that a function of two gets."""

TRIPLES = (
    ("f", "g", "f"), ("i", "i32", "i"), ("b", "f", "i"), ("b", "f", "2"), ("b", "1", "2.5"),
    ("f", "0", "1"), ("i", "0", "1"), ("u", "-1", "300"), ("f32", "-0.5", "0.5"), ("f", "w", "g"),
    ("g", "w", "f"), ("m", "0", "1"), ("m", "q", "f"), ("f", "q", "2"), ("i", "q", "9"),
    ("mb", "m", "0"), ("mb", "m", "mf"), ("f", "None", "1"), ("c", "0", "1"), ("n", "0", "1"),
    ("f", "g", "h"), ("f", "1", "[1, 2, 3, 4]"), ("m", "1", "f"), ("t", "0", "2"), ("f", "b", "g"),
    ("0", "5", "4"), ("0.0", "1.0", "5"), ("s", "s", "s"), ("w", "f", "3"), ("f", "f", "2"),
)  # fmt: skip
"""Arguments that a function of three gets."""

OPTIONS: dict[str, tuple[str, ...]] = {
    "axis": ("0", "-1", "1", "None", "(0, 1)", "(0,)", "2", "-3", "0.5", "()"),
    "axes": ("None", "(1, 0)", "0", "1", "((0,), (0,))", "(0, 0)"),
    "keepdims": ("True", "False"),
    "dtype": ("'f4'", "'i4'", "float", "complex", "bool", "'u1'", "'f2'", "object", "'U3'"),
    "out": ("o", "X.zeros(3)", "X.zeros(())", "X.zeros(4, dtype='i4')", "X.zeros((3, 4))", "h"),
    "where": ("True", "b", "mb"),
    "initial": ("0", "10.0"),
    "ddof": ("1", "0", "5"),
    "order": ("'C'", "'F'", "'A'", "'K'", "'Z'", "2", "None", "1"),
    "casting": ("'unsafe'", "'no'", "'same_kind'"),
    "side": ("'left'", "'right'"),
    "mode": (
        "'wrap'",
        "'clip'",
        "'raise'",
        "'full'",
        "'same'",
        "'valid'",
        "'reduced'",
        "'edge'",
        "'reflect'",
        "'constant'",
        "'nearest'",
        "'economic'",
    ),
    "k": ("1", "-1", "0", "2"),
    "n": ("2", "3", "0", "8"),
    "norm": ("'ortho'", "'forward'", "None", "'other'"),
    "ord": ("None", "1", "2", "np.inf", "'fro'", "'nuc'", "-1"),
    "full_matrices": ("True", "False"),
    "compute_uv": ("False",),
    "UPLO": ("'L'", "'U'", "'Q'"),
    "shape": ("3", "(2, 2)", "(-1,)", "(4, 1)", "()"),
    "size": ("3", "(2, 2)", "None"),
    "return_index": ("True",),
    "return_inverse": ("True",),
    "return_counts": ("True",),
    "equal_nan": ("True", "False"),
    "rtol": ("1e-3", "0.5"),
    "atol": ("1e-3", "0.5"),
    "bins": ("3", "w", "[0, 1, 2]"),
    "range": ("(0, 3)", "None"),
    "weights": ("f", "g", "h", "[1, 2, 3, 4]"),
    "density": ("True",),
    "minlength": ("6", "0", "-1"),
    "method": ("'linear'", "'lower'", "'nearest'", "'midpoint'", "'other'"),
    "left": ("-1", "0.5"),
    "right": ("-1", "0.5"),
    "period": ("4", "2.5"),
    "num": ("5", "1", "0"),
    "endpoint": ("False", "True"),
    "retstep": ("True",),
    "base": ("2", "3.0"),
    "copy": ("False", "True", "None"),
    "subok": ("True", "False"),
    "ndmin": ("0", "2"),
    "indexing": ("'ij'", "'xy'"),
    "sparse": ("True",),
    "nan": ("0.5",),
    "posinf": ("9.0",),
    "neginf": ("-9.0",),
    "rowvar": ("False",),
    "bias": ("True",),
    "decimals": ("1", "-1", "2"),
    "kind": ("'stable'", "'quicksort'", "'mergesort'", "'heapsort'"),
    "repeats": ("2", "q", "[0, 1, 2, 3]"),
    "append": ("1", "f"),
    "prepend": ("1", "f"),
    "offset": ("1", "-1"),
    "axis1": ("1",),
    "axis2": ("2",),
    "discont": ("2",),
    "edge_order": ("2", "1"),
    "increasing": ("True",),
    "like": ("f", "h", "None"),
    "invert": ("True",),
    "assume_unique": ("True",),
    "trim": ("'f'", "'b'"),
    "fill_value": ("2", "2.5", "-1", "np.nan", "f"),
    "M": ("4", "None"),
    "sigma": ("1.0", "(1, 0.5)"),
    "output": ("None", "'f4'"),
    "cval": ("1.0",),
    "origin": ("0", "1"),
    "footprint": ("mb", "X.ones((2, 2))"),
    "rcond": ("1e-6", "None"),
    "tol": ("1e-3",),
    "hermitian": ("True",),
    "overwrite_x": ("True",),
    "lower": ("True",),
    "trans": ("1", "'T'"),
    "deg": ("1", "2"),
    "full": ("True",),
    "cov": ("True",),
    "seed": ("0",),
    "replace": ("False",),
    "p": ("None",),
}
"""Values for parameters by their name."""

RAW: dict[str, tuple[str, ...]] = {
    "shape": OPTIONS["shape"], "newshape": OPTIONS["shape"], "dtype": OPTIONS["dtype"],
    "axis": OPTIONS["axis"], "axis1": ("0",), "axis2": ("1", "-1"), "source": ("0", "(0, 1)"),
    "destination": ("-1", "(1, 0)"), "subscripts": ("'ij->ji'", "'ii'", "'i,i'", "'ij,jk'"),
    "reps": ("2", "(2, 1)", "()"), "pad_width": ("1", "((1, 0), (0, 2))"), "shift": ("1", "-5"),
    "repeats": OPTIONS["repeats"], "indices_or_sections": ("2", "[1, 2]", "3"), "N": ("3", "0"),
    "M": ("5", "1", "0"), "k": OPTIONS["k"], "n": OPTIONS["n"],
    "q": ("0.5", "50", "[0.1, 0.9]", "z"),
    "kth": ("1", "(0, 2)"), "deg": ("1", "2"), "bits": ("8",), "size": ("3", "(2, 2)"),
    "tup": ("(f, g)", "[f, i]", "(m, m)", "(f, h)", "f", "()", "(f, m)"),
    "arrays": ("(f, g)", "[f, i]", "(m, m)", "(f, h)", "m", "()", "(z, z)"),
    "from_dtype": ("'f4'",), "to": ("'i4'",), "window": ("'hann'", "('gaussian', 2.0)"),
}  # fmt: skip
"""Values for parameters that must be given and are no arrays."""

FIRST = frozenset((
    "f", "i", "m", "s", "t", "c", "b", "mf", "mn", "n", "ts", "big", "3", "5", "f, g", "m, m",
    "s, s", "f, q", "s, f[:3]", "i, i32", "w, f, g", "f, g, f", "m, 2", "m, 0", "f, 2", "f, 0.5",
    "m, 50", "f, w", "i, 3", "(f, g)", "(m, m)", "m, 1", "m, (2, 2)",
))  # fmt: skip
"""Arguments with which each other parameter is tried."""

ASKED = (
    "-{}", "+{}", "~{}", "abs({})", "float({})", "int({})", "bool({})", "len({})", "complex({})",
    "round({})", "list({})", "{}.T", "{}.real", "{}.imag", "{}.tolist()", "{}.dtype",
    "{}.strides", "{}.flags.c_contiguous", "{}.item()", "repr({})", "str({})", "{}.nbytes",
    "divmod({}, 2)", "{} if {} else 0", "{}[...]", "{}[()]", "range(3)[{}]", "hash({})",
    "np.asarray({})", "np.sin({})", "np.sum({})", "math.sqrt({})", "f'{{{}}}'", "max({})",
    "sum({})", "3 in {}", "f[{}]", "m[{}]", "[1, 2, 3, 4][{}]", "'%s' % {}", "'%.3f' % {}",
    "sorted({})", "isinstance({}, np.ndarray)", "operator.index({})", "copy.copy({})",
)  # fmt: skip
"""What Python and NumPy ask of an array."""

_READ = (
    "0", "-1", "4", "-5", "1:", "::-1", "::2", "1:1", "None", "...", "..., 0", "q", "far", "b",
    "mb", "q[:3]", "[0, 1]", "[0, -1]", "[[0, 1], [1, 0]]", "0, 0", "0, q", "q[:3], q[:3]",
    "q[:3], 0", "q[:3], :", ":, q", ":, [0, 1]", "0, :, q", "q[:2], :, q[:2]", "q[:2], 0, :",
    "0, q[:2]", "None, q", ":, None", "..., q[:2]", "b, 0", "mb[0]", "mb[:, 0]", "True", "False",
    "1.0", "np.int64(1)", "np.array([0, 1])", "np.array(1)", "zi", "z", "'a'", "f", "(0,)",
    "((0, 1),)", "[True, False, True, True]", "X.ix_(q[:2], q[:2])", "0:2, [0, 1]", "i > 0",
    "mb, 0", "[]", "ei", "slice(None), slice(0, 2)", "5:", "-2:", "zi:", "z > 0",
    "np.array([True, False, True, True])", "q.astype('u1')", "[0, 1], [0, 1], [0, 1]",
    "[0, 1], :, [0, 1]", "[0, 1], None, [0, 1]", "0, [0, 1], None, [0, 1]", "X.newaxis, 0, ...",
)  # fmt: skip
"""Keys that are read."""

_WRITTEN = (
    "0", "1:", "::-1", "q[:3]", "far", "b", "mb", "0, 0", "q[:3], q[:3]", "...", ":, 0", "[0, 0]",
    "q[:3], 0", "0, q[:3]", "None", "m > 0", "5", "zi", "X.array([1, 1])", "()", "[]", "0, q, 0",
)  # fmt: skip
"""Keys that are written to."""

_STORED = (
    "7", "2.5", "-1", "f", "f[:3]", "i", "f32", "c", "m", "h", "[1, 2, 3, 4]", "z", "True",
    "np.nan", "300", "None", "X.array([5.0, 6.0])", "1e30", "1j", "e", "np.float64(3.5)",
)  # fmt: skip
"""What is written."""

_IN_PLACE = ("0", "1:", "q[:3]", "X.array([1, 1])", "b", "mb", ":, 0", "[0, 0]")

INDEXING = (
    *(f"{a}[{k}]" for a in ("f", "m", "mf", "mt", "t", "st", "mi", "e", "z", "c") for k in _READ),
    *(
        f"_s('{a}[{k}] = {v}', '{a}')"
        for a in ("f", "m", "mf", "i", "u", "t", "b", "c", "z")
        for k in _WRITTEN
        for v in _STORED
    ),
    *(
        f"_s('{a}[{k}] {s}= {v}', '{a}')"
        for a in "fmiu"
        for s in "+*/-"
        for k in _IN_PLACE
        for v in ("2", "f", "0.5", "z")
    ),
)
"""Reading and writing by every kind of index."""
