"""What lowering knows of the standard library and of NumPy, as tables by library path."""

from __future__ import annotations

from gpuport._frozen import frozen


@frozen
class Form:
    """How one kind of iterable becomes ``Iterate``.

    Attributes
    ----------
    name : str
        The ``form`` of the operation.
    nested : tuple of int or None
        Which arguments are themselves gone over; None for all.
    keywords : tuple of str
        Keywords that may follow the positional arguments, as operands in this order.
    """

    name: str
    nested: tuple[int, ...] | None = ()
    keywords: tuple[str, ...] = ()


#: What a loop goes over; anything else is gone over by its "elements".
FORMS: dict[str, Form] = {
    "builtins.range": Form("range"),
    "builtins.enumerate": Form("enumerate", (0,), ("start",)),
    "builtins.zip": Form("zip", None),
    "builtins.reversed": Form("reversed", (0,)),
    "builtins.map": Form("map"),
    "itertools.product": Form("product"),
    "numpy.ndindex": Form("ndindex"),
}

#: Functions that use up a generator before they return. (`any` and `all` stop early.)
CONSUMERS = frozenset(
    f"builtins.{name}"
    for name in ("sum", "list", "tuple", "set", "frozenset", "sorted", "max", "min", "dict")
)

#: Context managers that let every exception through.
TRANSPARENT = frozenset(
    (
        "builtins.open",
        "builtins.memoryview",
        "concurrent.futures.ProcessPoolExecutor",
        "concurrent.futures.ThreadPoolExecutor",
        "contextlib.chdir",
        "contextlib.closing",
        "contextlib.nullcontext",
        "contextlib.redirect_stderr",
        "contextlib.redirect_stdout",
        "cupy.cuda.Device",
        "cupy.cuda.Stream",
        "decimal.localcontext",
        "gzip.open",
        "h5py.File",
        "io.BytesIO",
        "io.StringIO",
        "io.open",
        "matplotlib.pyplot.rc_context",
        "matplotlib.pyplot.style.context",
        "matplotlib.rc_context",
        "multiprocessing.Pool",
        "netCDF4.Dataset",
        "numpy.errstate",
        "numpy.load",
        "numpy.nditer",
        "numpy.printoptions",
        "PIL.Image.open",
        "tempfile.NamedTemporaryFile",
        "tempfile.TemporaryDirectory",
        "tempfile.TemporaryFile",
        "threading.Lock",
        "threading.RLock",
        "tqdm.auto.tqdm",
        "tqdm.tqdm",
        "warnings.catch_warnings",
        "zipfile.ZipFile",
    )
)

#: Built-in functions that see the names of the frame that calls them, each with the number of
#: arguments from which on it does not.
FRAME_READERS = {"locals": 99, "vars": 1, "dir": 1, "eval": 2, "exec": 2}

#: Attributes and modules through which a program can reach its own namespace by name.
OWN_NAMESPACE = frozenset(("modules", "_getframe", "currentframe", "f_globals", "f_back"))

#: Names that a class body finds in its own namespace without assigning them.
CLASS_NAMES = frozenset(("__module__", "__qualname__", "__annotations__", "__doc__"))

_NUMPY = frozenset(
    (
        "abs", "all", "any", "bool", "bytes", "complex", "divmod", "float", "int", "max", "min",
        "object", "pow", "round", "str", "sum",
    )
)  # fmt: skip

#: Built-in names that `from ... import *` of a module hides, in any version; of modules that are
#: not listed here it may hide any.
STARS: dict[str, frozenset[str]] = {
    **dict.fromkeys(
        (
            "cmath", "collections", "copy", "ctypes", "dataclasses", "datetime", "decimal",
            "fractions", "functools", "itertools", "numpy.fft", "numpy.linalg",
            "numpy.polynomial", "numpy.typing", "os.path", "pathlib", "random", "scipy",
            "scipy.constants", "scipy.fft", "scipy.integrate", "scipy.interpolate",
            "scipy.linalg", "scipy.optimize", "scipy.signal", "scipy.sparse",
            "scipy.sparse.linalg", "scipy.spatial", "statistics", "string", "time", "typing",
        ),
        frozenset(),
    ),
    **dict.fromkeys(("numpy", "numpy.ma", "pylab", "matplotlib.pylab"), _NUMPY),
    "enum": frozenset(("property",)),
    "math": frozenset(("pow",)),
    "numpy.random": frozenset(("bytes",)),
    "operator": frozenset(("abs", "pow")),
    "os": frozenset(("open",)),
    "re": frozenset(("compile",)),
    "scipy.ndimage": frozenset(("sum",)),
    "scipy.special": frozenset(("round",)),
    "scipy.stats": frozenset(("abs",)),
    "sys": frozenset(("copyright", "exit")),
    "threading": frozenset(("enumerate",)),
}  # fmt: skip

#: Classes whose only positional pattern stands for the whole subject (PEP 634).
MATCH_THEMSELVES = frozenset(
    f"builtins.{name}"
    for name in (
        "bool", "bytearray", "bytes", "dict", "float", "frozenset", "int", "list", "set", "str",
        "tuple",
    )
)  # fmt: skip
