"""What calls of CuPy's functions came to: read off their exceptions, and put together.

An outcome is ``"device"`` (taken), ``"host"`` (CuPy answers with NumPy's result, off the device)
or ``[exception, message]``; in a message ``{class}``, ``{type}`` and ``{name}`` stand for the
type of the argument.
"""

from __future__ import annotations

import faulthandler
import json
import os
import re
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

Outcome = str | list[str]


def stops_at_device(error: BaseException) -> bool:
    """Whether a call went past CuPy's checks and ended for want of a device or its libraries."""
    if type(error).__module__.startswith(("cupy_backends", "cupy.cuda")):
        return True
    if isinstance(error, ImportError):
        return True
    return isinstance(error, RuntimeError | OSError) and any(
        word in str(error) for word in ("CUDA", "libcu", "libnv", "cuda", "cutensor")
    )


_ABOUT_TYPES = (TypeError, AttributeError, NotImplementedError)
_ABOUT_KINDS = re.compile(
    r"supported|only supports|cannot be used for|truth value|Loop size|acceptable|local variable"
)
_ABOUT_VALUES = re.compile(r"all-zero", re.IGNORECASE)


def about_kinds(error: BaseException) -> bool:
    """Whether a complaint is about what an argument is, and not about the values in it."""
    if _ABOUT_VALUES.search(str(error)):
        return False
    return isinstance(error, _ABOUT_TYPES) or bool(_ABOUT_KINDS.search(str(error)))


def of_types(outcome: Outcome | None) -> bool:
    """Whether an outcome is a complaint about the type of an argument."""
    return isinstance(outcome, list) and outcome[0] in {"TypeError", "AttributeError"}


def template(message: str, value: Any) -> str:
    """A message with the type of the argument left open."""
    kind = type(value)
    message = message.replace(str(kind), "{class}")
    whole = kind.__name__
    if kind.__module__ != "builtins" and kind.__name__ != "ndarray":
        whole = f"{kind.__module__}.{kind.__name__}"
    elif kind is np.ndarray:
        whole = "numpy.ndarray"
    for before, after in (("'", "'"), ("got ", ")"), ("got ", "")):
        message = message.replace(f"{before}{whole}{after}", f"{before}{{type}}{after}")
        if whole != kind.__name__:
            message = message.replace(f"{before}{kind.__name__}{after}", f"{before}{{name}}{after}")
    return message


def merged(plain: dict[str, Any], deeper: dict[str, Any], kinds: Iterable[str]) -> dict[str, Any]:
    """What a device that computes nothing adds: complaints about types that come later.

    Parameters
    ----------
    plain, deeper : dict
        What was found without such a device, and with it.
    kinds : iterable of str
        The kinds of argument, in their order.
    """
    entries: dict[str, Any] = {}
    for name in sorted({*plain["entries"], *deeper["entries"]}):
        first = plain["entries"].get(name, {})
        second = deeper["entries"].get(name, {})
        rows = {}
        for parameter in first | second:
            one, other = first.get(parameter, {}), second.get(parameter, {})
            rows[parameter] = {
                kind: decided(one.get(kind), other.get(kind))
                for kind in kinds
                if kind in one or kind in other
            }
        entries[name] = {parameter: grouped(row) for parameter, row in rows.items()}
    unprobed = {k: why for k, why in sorted(plain["unprobed"].items()) if k not in entries}
    return {"versions": plain["versions"], "unprobed": unprobed, "entries": entries}


def decided(plain: Outcome | None, deeper: Outcome | None) -> Outcome:
    """One outcome of two."""
    if plain is None or (plain == "device" and isinstance(deeper, list)):
        assert deeper is not None
        return "device" if deeper == "unknown" else deeper
    return plain


def grouped(kinds: dict[str, Outcome]) -> dict[str, Any]:
    """Outcomes turned round, which is shorter: kinds taken, kinds off the device, rejections."""
    found: dict[str, Any] = {}
    raised: dict[tuple[str, ...], list[str]] = {}
    for kind, outcome in kinds.items():
        if isinstance(outcome, str):
            found.setdefault(outcome, []).append(kind)
        else:
            raised.setdefault(tuple(outcome), []).append(kind)
    if raised:
        found["raises"] = [[*error, which] for error, which in raised.items()]
    return found


def forked(function: Callable[[], Any], crashed: Any) -> Any:
    """Result of a function in a process of its own; `crashed` where that process died."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        faulthandler.disable()  # a crash is an answer here, not news
        try:
            os.close(reader)
            with os.fdopen(writer, "w") as stream:
                json.dump(function(), stream)
        except BaseException:
            os._exit(1)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as stream:
        text = stream.read()
    _, status = os.waitpid(child, 0)
    return json.loads(text) if status == 0 else crashed
