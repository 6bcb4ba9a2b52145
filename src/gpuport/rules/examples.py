"""A rule's examples as its tests: rewritten, rewritten again, and executed on both sides."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import TYPE_CHECKING, Any

from .matching import OPERATORS, dotted, match_rule
from .model import DiffersRule, EffectRule, Example, PatternRule, Rule, SwapRule
from .rewriting import Part, Refusal, render, rewrite, swap_call

if TYPE_CHECKING:
    import numpy as np

_ALIASES = {"np": "numpy", "cp": "cupy"}
_WRITTEN = {"cupy": "cp", "numpy": "np"}
_INPUT = re.compile(
    r"(?P<dtype>[a-z]+\d*)\[(?P<shape>[\d, ]*)\](?: (?P<property>spd|positive|nan))?\Z"
)


def check_rule(rule: Rule, backend: ModuleType | None = None) -> list[str]:
    """Run the examples of a rule.

    Parameters
    ----------
    rule : Rule
    backend : module, optional
        What `cp` stands for where an example is executed; NumPy itself without it.

    Returns
    -------
    list of str
        What is wrong, each with the place of its example; empty where all is well.
    """
    wrong: list[str] = []
    for example in rule.examples:
        try:
            found = _check(rule, example, backend)
        except Exception as error:  # an example is a user's code: whatever it raises is a result
            found = [f"raises {type(error).__name__}: {error}"]
        wrong.extend(f"{rule.path}:{example.line}: {rule.id}: {text}" for text in found)
    return wrong


def _check(rule: Rule, example: Example, backend: ModuleType | None) -> list[str]:
    if isinstance(rule, PatternRule | SwapRule):
        return _check_rewrite(rule, example, backend)
    wrong = [] if _mentions(rule, example) else ["the example does not use what the rule is about"]
    if isinstance(rule, EffectRule) and example.given:
        wrong += _check_effect(rule, example)
    if isinstance(rule, DiffersRule) and example.given:
        wrong += _check_raises(example)
    return wrong


def _check_rewrite(
    rule: PatternRule | SwapRule, example: Example, backend: ModuleType | None
) -> list[str]:
    after = apply_rule(rule, example.before, example.given)
    expected = example.after if example.after is not None else example.before
    if after != expected:
        return [f"gives {after!r}, not {expected!r}"]
    wrong = []
    if apply_rule(rule, after, example.given) != after:
        wrong.append("a second pass changes the result")
    if example.given and example.after is not None:
        wrong += _compare(rule, example, backend)
    return wrong


def apply_rule(rule: PatternRule | SwapRule, code: str, given: Mapping[str, Any]) -> str:
    """Apply one rule to a piece of code, as the examples write it.

    Every match is rewritten, the innermost left alone where one holds another.
    """
    tree = ast.parse(code)
    parents = {id(c): n for n in ast.walk(tree) for c in ast.iter_child_nodes(n)}
    resolve = resolver(tree, given)
    arrays = {name for name, value in given.items() if _is_array(value)}

    def is_kind(node: ast.expr, kind: str) -> bool:
        names = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
        return kind.endswith("array") and bool(names & arrays)

    edits: list[tuple[int, int, str]] = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.expr):
            continue
        parts = _rewritten(rule, node, resolve, is_kind, parents[id(node)])
        if isinstance(parts, tuple):
            start = _offset(code, node.lineno, node.col_offset)
            end = _offset(code, node.end_lineno or 0, node.end_col_offset or 0)
            if not any(s <= start and end <= e for s, e, _ in edits):
                edits.append((start, end, render(parts, code, _WRITTEN)))
    for start, end, text in sorted(edits, reverse=True):
        code = code[:start] + text + code[end:]
    return code


def _rewritten(
    rule: PatternRule | SwapRule,
    node: ast.expr,
    resolve: Callable[[ast.expr], str | None],
    is_kind: Callable[[ast.expr, str], bool],
    parent: ast.AST,
) -> tuple[Part, ...] | Refusal | None:
    if isinstance(rule, SwapRule):
        called = isinstance(node, ast.Call) and resolve(node.func) in rule.match
        return swap_call(rule, node) if called and isinstance(node, ast.Call) else None
    match = match_rule(rule, node, resolve, is_kind)
    return rewrite(rule, match, parent) if match is not None and rule.rewrite else None


def _offset(code: str, line: int, column: int) -> int:
    """Offset in the text of an `ast` position, whose columns count UTF-8 bytes."""
    lines = code.splitlines(keepends=True)
    return sum(map(len, lines[: line - 1])) + len(lines[line - 1].encode()[:column].decode())


def resolver(tree: ast.AST, given: Mapping[str, Any]) -> Callable[[ast.expr], str | None]:
    """Names as an example means them: its imports, `np`, `cp`, and methods of given arrays."""
    names = dict(_ALIASES)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for item in node.names:
                names[item.asname or item.name.partition(".")[0]] = (
                    item.name if item.asname else item.name.partition(".")[0]
                )
        elif isinstance(node, ast.ImportFrom):
            names |= {i.asname or i.name: f"{node.module}.{i.name}" for i in node.names}

    def resolve(node: ast.expr) -> str | None:
        if isinstance(node, ast.Attribute):
            path = dotted(node)
            root, _, rest = path.partition(".") if path else ("", "", "")
            if root in names:
                return f"{names[root]}.{rest}"
            inner = {n.id for n in ast.walk(node.value) if isinstance(n, ast.Name)}
            return f"numpy.ndarray.{node.attr}" if inner & set(given) else None
        if isinstance(node, ast.Name) and node.id not in given:
            return names.get(node.id, f"builtins.{node.id}")
        return None

    return resolve


def _mentions(rule: Rule, example: Example) -> bool:
    """Whether some name, method or operator of an example is one the rule matches."""
    tree = ast.parse(example.before)
    resolve = resolver(tree, example.given)
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute | ast.Name):
            found.add(resolve(node) or "")
        if isinstance(node, ast.Attribute):
            found.add(f".{node.attr}")
        if isinstance(node, ast.BinOp | ast.UnaryOp):
            found.add(f"numpy.ndarray.{OPERATORS.get(type(node.op), '')}")
        if isinstance(node, ast.AugAssign):
            found.add(f"numpy.ndarray.__i{OPERATORS[type(node.op)].removeprefix('__')}")
        if isinstance(node, ast.Subscript):
            stored = isinstance(node.ctx, ast.Store)
            method = "__setitem__" if stored else "__getitem__"
            found |= {f"numpy.ndarray.{method}", f".{method}"}
        if isinstance(node, ast.With):
            found.add(".__enter__")
        if isinstance(node, ast.Call):
            found.add(".__call__")
    return any(_covers(pattern, name) for pattern in rule.match for name in found)


def _covers(pattern: str, name: str) -> bool:
    if pattern.endswith(".*"):
        return name.startswith(pattern[:-1])
    # A method of an object that only inference knows: `np.random.default_rng(0).normal`.
    return name == pattern or (name.startswith(".") and pattern.endswith(name))


def _check_effect(rule: EffectRule, example: Example) -> list[str]:
    import numpy as np

    inputs = make_inputs(example.given)
    inputs = {n: np.asarray(v) if isinstance(v, list) else v for n, v in inputs.items()}
    before = {name: np.array(value) for name, value in inputs.items()}
    space = _run(example.before, inputs, None)
    arrays = [value for value in inputs.values() if isinstance(value, np.ndarray)]
    results = [v for name, v in space.items() if name not in inputs]
    shared = any(np.shares_memory(a, leaf) for a in arrays for v in results for leaf in leaves(v))
    changed = any(not np.array_equal(before[n], v, equal_nan=True) for n, v in inputs.items())
    wrong = []
    if rule.view and not shared:
        wrong.append("the result shares no memory with what was given")
    if rule.mutates and not rule.view and not changed:
        wrong.append("nothing that was given has changed")
    return wrong


def leaves(value: Any) -> list[np.ndarray[Any, Any]]:
    """Arrays in a result: in a tuple, a list, an iterator over an array, or by themselves."""
    import numpy as np

    if isinstance(value, np.ndarray):
        return [value]
    if isinstance(value, tuple | list):
        return [leaf for item in value for leaf in leaves(item)]
    if isinstance(value, memoryview):
        return [np.asarray(value)]
    base = getattr(value, "base", None)
    return [base] if isinstance(base, np.ndarray) else []


def _check_raises(example: Example) -> list[str]:
    try:
        _run(example.before, make_inputs(example.given), None)
    except Exception as error:
        raised = type(error).__name__
        return [] if raised == example.raises else [f"raises {raised}, not {example.raises}"]
    return [f"does not raise {example.raises}"] if example.raises else []


def _compare(
    rule: PatternRule | SwapRule, example: Example, backend: ModuleType | None
) -> list[str]:
    """Execute both sides; a safe rule must give the same bits, another the same to 1e-9.

    SciPy and NumPy call different routines for the same thing: their bits differ as it is.
    """
    import numpy as np

    assert example.after is not None
    old = _run(example.before, make_inputs(example.given), None)
    inputs = make_inputs(example.given)
    if backend is not None:
        inputs = {n: backend.asarray(v) if _is_array(v) else v for n, v in inputs.items()}
    new = _run(example.after, inputs, backend)
    wrong = []
    exact = rule.safety == "safe" and backend is None
    exact = exact and not all(name.startswith("scipy.") for name in rule.match)
    for name in old:
        left = np.asarray(old[name])
        right = np.asarray(backend.asnumpy(new[name]) if backend else new[name])
        same = (
            np.array_equal(left, right, equal_nan=True)
            if exact
            else left.shape == right.shape and np.allclose(left, right, rtol=1e-9, atol=1e-12)
        )
        if not same or left.dtype != right.dtype:
            wrong.append(f"{name!r} differs: {left.dtype}{left.shape}, {right.dtype}{right.shape}")
    return wrong


def _run(code: str, inputs: Mapping[str, Any], backend: ModuleType | None) -> dict[str, Any]:
    """Execute an example, and give back all its variables that are no modules."""
    import warnings

    import numpy as np

    space: dict[str, Any] = {"np": np, "cp": backend or np, **inputs}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(compile(code, "<example>", "exec"), space)
    hidden = {"np", "cp", "__builtins__"}
    return {
        name: value
        for name, value in space.items()
        if name not in hidden and not isinstance(value, ModuleType)
    }


def _is_array(value: Any) -> bool:
    return (isinstance(value, str) and _INPUT.match(value) is not None) or hasattr(value, "dtype")


def make_inputs(given: Mapping[str, Any]) -> dict[str, Any]:
    """Inputs of an example: seeded arrays for ``"float64[4,5]"``, else the value itself."""
    import numpy as np

    random = np.random.default_rng(20)
    inputs: dict[str, Any] = {}
    for name, value in given.items():
        form = _INPUT.match(value) if isinstance(value, str) else None
        if form is None:
            inputs[name] = value
            continue
        shape = tuple(int(n) for n in form["shape"].split(",") if n.strip())
        inputs[name] = _array(random, np.dtype(form["dtype"]), shape, form["property"])
    return inputs


def _array(
    random: np.random.Generator, dtype: np.dtype[Any], shape: tuple[int, ...], wanted: str | None
) -> np.ndarray[Any, Any]:
    import numpy as np

    if dtype.kind == "b":
        return random.random(shape) < 0.5
    if dtype.kind in "iu":
        return random.integers(1, 9, shape).astype(dtype)
    values = random.standard_normal(shape)
    if wanted == "spd":
        values = values @ values.T + len(values) * np.eye(len(values))
    elif wanted == "positive":
        values = np.abs(values) + 0.5
    elif wanted == "nan":
        values.flat[0] = np.nan
    return values.astype(dtype)
