"""What a loop goes over: arrays item by item, by counting, in step, with a number beside each."""

from __future__ import annotations

import ast
from dataclasses import replace

from gpuport.batch.arguments import array
from gpuport.batch.expressions import translate
from gpuport.batch.guesses import is_stretch
from gpuport.batch.records import FORM, UNKNOWN_SHAPE, Known, Refused
from gpuport.batch.scope import Scope, backwards
from gpuport.batch.windows import Window, as_long_as_each_other, enclosed, less_of
from gpuport.rules.stacking import stacking


def enter(scope: Scope, target: ast.expr, iterable: ast.expr) -> None:
    """Bind what a loop's target stands for.

    Raises
    ------
    Refused
        Where the loop does not go over all items of arrays in order.
    """
    path = scope.source.resolve(iterable.func) if isinstance(iterable, ast.Call) else None
    if isinstance(iterable, ast.Call) and path == "builtins.range":
        _count(scope, target, iterable)
    elif isinstance(iterable, ast.Call) and path == "builtins.enumerate":
        _enumerate(scope, target, iterable)
    elif isinstance(iterable, ast.Call) and path == "builtins.zip":
        _zip(scope, target, iterable)
    elif isinstance(iterable, ast.Call) and path == "builtins.map":
        _map(scope, target, iterable)
    elif path == "builtins.reversed" and isinstance(iterable, ast.Call):
        _reversed(scope, target, iterable)
    elif (condition := _asked(scope, iterable)) is not None:
        _over_places(scope, target, condition)
    elif (values := values_of(scope, iterable)) is not None:
        _over_dict(scope, target, iterable, values)
    elif isinstance(iterable, ast.Name) and _is_dict(scope, iterable):
        _over_keys(scope, target, iterable.id)
    elif (name := scope.outer(iterable)) is not None:
        _over(scope, target, name, iterable)
    elif is_stretch(iterable):
        _over_stretch(scope, target, iterable)
    else:
        raise Refused(FORM, iterable, "unsupported syntax: what the loop goes over is not followed")


def _asked(scope: Scope, iterable: ast.expr) -> ast.expr | None:
    """``good`` of ``np.flatnonzero(good)``, ``np.nonzero(good)[0]``, ``np.where(good)[0]``."""
    first = isinstance(iterable, ast.Subscript) and _is_zero(iterable.slice)
    call = iterable.value if isinstance(iterable, ast.Subscript) and first else iterable
    if not isinstance(call, ast.Call) or len(call.args) != 1 or call.keywords:
        return None
    form = stacking().true_places.get(scope.source.resolve(call.func) or "")
    return call.args[0] if form == ("tuple" if first else "array") else None


def _over_places(scope: Scope, target: ast.expr, condition: ast.expr) -> None:
    """``for k in np.flatnonzero(good)``: some items of arrays as long as `good`."""
    name = scope.outer(condition)
    if scope.grouped or not isinstance(target, ast.Name) or name is None or scope.index:
        raise Refused(FORM, condition, "the places that the loop goes over are not followed")
    known = scope.known.get(name, Known())
    if known.kind not in ("array", "unknown") or known.rank not in (None, 1):
        raise Refused(UNKNOWN_SHAPE, condition, f"`{name}` is not one number for each item")
    scope.index, scope.where = target.id, name
    scope.guard.stacks[name] = 1


def values_of(scope: Scope, iterable: ast.expr) -> str | None:
    """``d.values()`` of that, or of ``d.items()``, where `d` is a dict of arrays."""
    called = isinstance(iterable, ast.Call) and not iterable.args and not iterable.keywords
    function = iterable.func if called and isinstance(iterable, ast.Call) else None
    if (
        not isinstance(function, ast.Attribute)
        or function.attr not in ("items", "values")
        or not isinstance(function.value, ast.Name)
        or scope.known.get(function.value.id, Known()).kind != "dict"
    ):
        return None
    return f"{function.value.id}.values()"


def keyed(scope: Scope, target: ast.expr, iterable: ast.expr) -> tuple[str, str] | None:
    """The name of the key that goes with each item, and the text of all keys; None where none is.

    The numbers of `enumerate` and of `range` are such keys: all of them are the empty text.
    """
    if _from_zero(scope, iterable) and isinstance(target, ast.Name):
        return target.id, ""
    if isinstance(target, ast.Name) and isinstance(iterable, ast.Name):
        return (target.id, iterable.id) if _is_dict(scope, iterable) else None
    pair = target.elts if isinstance(target, ast.Tuple) else []
    if len(pair) != 2 or not isinstance(pair[0], ast.Name) or not isinstance(iterable, ast.Call):
        return None
    values = values_of(scope, iterable)
    if values is not None:
        return pair[0].id, values.removesuffix(".values()")
    plain = len(iterable.args) == 1 and not iterable.keywords
    if plain and scope.source.resolve(iterable.func) == "builtins.enumerate":
        return pair[0].id, ""
    return None


def _from_zero(scope: Scope, iterable: ast.expr) -> bool:
    """``range(n)``."""
    called = isinstance(iterable, ast.Call) and len(iterable.args) == 1 and not iterable.keywords
    return (
        called
        and isinstance(iterable, ast.Call)
        and scope.source.resolve(iterable.func) == "builtins.range"
    )


def with_keys(node: ast.DictComp, key: tuple[str, str] | None, text: str) -> str:
    """A dict of the keys with the items of a list."""
    if key is None or not isinstance(node.key, ast.Name) or node.key.id != key[0]:
        raise Refused(FORM, node.key, "unsupported syntax: the key of a dict is not an item's own")
    return f"dict(zip({key[1]}, {text}))" if key[1] else f"dict(enumerate({text}))"


def _over_dict(scope: Scope, target: ast.expr, iterable: ast.expr, values: str) -> None:
    if isinstance(iterable, ast.Call) and getattr(iterable.func, "attr", "") == "items":
        key = keyed(scope, target, iterable)
        if key is None or not isinstance(target, ast.Tuple) or scope.key is not None:
            raise Refused(FORM, target, "unsupported syntax: items are taken apart")
        scope.key = key
        target = target.elts[1]
    _over_list(scope, target, values)


def _is_dict(scope: Scope, node: ast.Name) -> bool:
    return scope.known.get(node.id, Known()).kind == "dict"


def _over_keys(scope: Scope, target: ast.expr, name: str) -> None:
    """``for key in d``, where `d[key]` is the item."""
    if not isinstance(target, ast.Name) or scope.key is not None:
        raise Refused(FORM, target, "unsupported syntax: items are taken apart")
    scope.key = target.id, name


def _over(scope: Scope, target: ast.expr, array: str, node: ast.expr) -> None:
    if scope.grouped:
        _over_list(scope, target, array)
        return
    item = scope.stack(array, node)
    if isinstance(target, ast.Tuple) and all(isinstance(e, ast.Name) for e in target.elts):
        names = [e.id for e in target.elts if isinstance(e, ast.Name)]
        if not item.rank:
            raise Refused(UNKNOWN_SHAPE, target, "numbers are taken apart")
        scope.opening[", ".join(names)] = item
        scope.bound.update({name: replace(item, text=name, rank=item.rank - 1) for name in names})
        return
    if not isinstance(target, ast.Name):
        raise Refused(FORM, target, "unsupported syntax: items are taken apart")
    scope.bound[target.id] = item


def _over_stretch(scope: Scope, target: ast.expr, part: ast.Subscript) -> None:
    """``for m in mats[1:]``: the part is the stack."""
    assert isinstance(part.value, ast.Name)
    _over_part(scope, target, part.value.id, ast.unparse(part), part)


def _over_part(scope: Scope, target: ast.expr, name: str, text: str, node: ast.expr) -> None:
    if scope.grouped and scope.known.get(name, Known()).kind in ("array", "list"):
        _over_list(scope, target, text)
        return
    if not isinstance(target, ast.Name):
        raise Refused(FORM, target, "unsupported syntax: items are taken apart")
    scope.bound[target.id] = scope.stretch(name, text, node)


def _reversed(scope: Scope, target: ast.expr, call: ast.Call) -> None:
    """``for m in reversed(mats)``: the stack from its end on."""
    array = call.args[0] if len(call.args) == 1 and not call.keywords else None
    if not isinstance(array, ast.Name):
        raise Refused(FORM, call, "unsupported syntax: `reversed` in this form")
    kind = scope.known.get(array.id, Known()).kind
    _over_part(scope, target, array.id, backwards(array.id, kind), call)


def _over_list(scope: Scope, target: ast.expr, name: str) -> None:
    if isinstance(target, ast.Name):
        scope.bound[target.id] = scope.listed(name, target.id, target)
        return
    names = [e.id for e in getattr(target, "elts", []) if isinstance(e, ast.Name)]
    if not isinstance(target, ast.Tuple) or len(names) != len(target.elts):
        raise Refused(FORM, target, "unsupported syntax: items are taken apart")
    for one, item in zip(names, scope.tuples(name, names, target), strict=True):
        scope.bound[one] = item


def _count(scope: Scope, target: ast.expr, call: ast.Call) -> None:
    if not isinstance(target, ast.Name) or call.keywords or len(call.args) not in (1, 2):
        raise Refused(FORM, call, f"unsupported syntax: {_how_it_counts(call)}")
    first = _first(call)
    if scope.index is not None:
        raise Refused(FORM, call, "unsupported syntax: the items are numbered twice")
    scope.index = target.id
    stop = call.args[-1]
    fewer = isinstance(stop, ast.BinOp) and isinstance(stop.op, ast.Sub)
    if first != 0 or fewer or target.id in scope.neighbours:
        _look_beside(scope, stop, call.args[0] if first is None else first)
        return
    counted = _length_of(scope, stop)
    if counted is not None and scope.known.get(counted, Known()).kind == "list":
        scope.guard.items.setdefault(counted, scope.unnamed(counted, counted, stop).rank)
    elif counted is None:
        _as_many_as(scope, stop, scope.source.segment(stop))
        _simple(stop)
    else:
        scope.stack(counted, stop)


def _how_it_counts(call: ast.Call) -> str:
    step = call.args[2] if len(call.args) == 3 else None
    if isinstance(step, ast.UnaryOp) and isinstance(step.op, ast.USub):
        return "the loop counts backwards: where no item needs another one's result, count forwards"
    return "the loop counts in steps: its items may be parts of the stack, one call for each"


def _first(call: ast.Call) -> int | None:
    """The number that a range begins with, where it is written out."""
    written = call.args[0] if len(call.args) == 2 else ast.Constant(0)
    value = written.value if isinstance(written, ast.Constant) else None
    return value if type(value) is int else None


def _look_beside(scope: Scope, stop: ast.expr, first: ast.expr | int) -> None:
    """``for i in range(len(a) - 1)`` that reads ``a[i + 1]`` too; ``for i in range(1, n)``."""
    _simple(stop)
    less = less_of(stop)
    most = stop.left if less and isinstance(stop, ast.BinOp) else stop
    number, start = (first, "") if isinstance(first, int) else (0, scope.source.segment(first))
    if not isinstance(first, int):
        _simple(first)
        array(scope, first, translate(scope, first))
    text, length = scope.source.segment(most), scope.source.segment(stop)
    cut = isinstance(stop, ast.BinOp) and isinstance(stop.op, ast.Sub)
    scope.window = Window(text, less, _length_of(scope, most), number, start, cut)
    if scope.window.later:
        less_than = enclosed(start) if start else str(number)
        length = f"{enclosed(length)} - {less_than}"
    _as_many_as(scope, stop, length)


def _simple(stop: ast.expr) -> None:
    """How many items there are is asked for twice: nothing may happen when it is."""
    for node in ast.walk(stop):
        is_length = isinstance(node, ast.Call) and getattr(node.func, "id", "") == "len"
        if not isinstance(node, _SIMPLE) and not is_length:
            raise Refused(FORM, stop, "how often the loop runs is not followed")


_SIMPLE = (
    ast.Name, ast.Attribute, ast.Subscript, ast.Constant, ast.UnaryOp, ast.BinOp,
    ast.expr_context, ast.unaryop, ast.operator,
)  # fmt: skip


def _length_of(scope: Scope, node: ast.expr) -> str | None:
    """The array whose length an expression is: ``len(a)``, ``a.shape[0]``."""
    if isinstance(node, ast.Call):
        if scope.source.resolve(node.func) == "builtins.len" and len(node.args) == 1:
            return scope.outer(node.args[0])
        return None
    if (
        isinstance(node, ast.Subscript)
        and _is_zero(node.slice)
        and isinstance(node.value, ast.Attribute)
        and node.value.attr == "shape"
    ):
        return scope.outer(node.value.value)
    return None


def _is_zero(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) is int and node.value == 0


def _enumerate(scope: Scope, target: ast.expr, call: ast.Call) -> None:
    pair = target.elts if isinstance(target, ast.Tuple) else []
    first = _numbered_from(call)
    if len(pair) != 2 or first is None or not isinstance(pair[0], ast.Name):
        raise Refused(FORM, call, "unsupported syntax: `enumerate` in this form")
    enter(scope, pair[1], call.args[0])
    if scope.index is not None:
        raise Refused(FORM, call, "unsupported syntax: `enumerate` of numbers")
    scope.index = pair[0].id
    if first:
        arrays = [scope.guard.called(n) for n in scope.guard.stacks if n not in scope.guard.along]
        if scope.grouped or scope.window is not None or not arrays:
            why = "`enumerate` that does not number the items from 0"
            raise Refused(FORM, call, f"unsupported syntax: {why}")
        scope.window = Window(f"len({arrays[0]}) + {first}", first=first)


def _numbered_from(call: ast.Call) -> int | None:
    """The number of the first item, ``1`` of ``enumerate(xs, start=1)``; None of other forms."""
    given = [*call.args[1:], *(k.value for k in call.keywords if k.arg == "start")]
    if not call.args or len(given) > 1 or len(given) < len(call.args[1:]) + len(call.keywords):
        return None
    value = given[0].value if given and isinstance(given[0], ast.Constant) else None
    return 0 if not given else value if type(value) is int and value >= 0 else None


def _zip(scope: Scope, target: ast.expr, call: ast.Call) -> None:
    parts = target.elts if isinstance(target, ast.Tuple) else []
    if len(parts) != len(call.args) or any(k.arg != "strict" for k in call.keywords):
        raise Refused(FORM, call, "unsupported syntax: `zip` in this form")
    arguments = call.args if call.keywords else as_long_as_each_other(call.args)
    for one, argument in zip(parts, arguments, strict=True):
        enter(scope, one, argument)
        if isinstance(argument, ast.Name) and _is_dict(scope, argument):
            _as_many_as(scope, argument, f"len({argument.id})")


def _as_many_as(scope: Scope, node: ast.expr, length: str) -> None:
    """Have it asked that there are so many items, of which nothing else may have been said."""
    if scope.guard.length not in (None, length):
        raise Refused(FORM, node, "how often the loop runs is not followed")
    scope.guard.length = length


def _map(scope: Scope, target: ast.expr, call: ast.Call) -> None:
    """``for d in map(np.linalg.det, matrices)``."""
    from gpuport.batch.products import called

    path = scope.source.resolve(call.args[0]) if call.args else None
    function = stacking().matrices.get(path or "")
    arguments = call.args[1:]
    if (
        function is None
        or not isinstance(target, ast.Name)
        or call.keywords
        or len(arguments) != len(function.takes)
        or len(function.gives) != 1
        or function.adds
    ):
        raise Refused(FORM, call, "unsupported syntax: `map` in this form")
    if scope.grouped:
        raise Refused(FORM, call, "unsupported syntax: `map` over lists in this form")
    items = []
    for argument, rank in zip(arguments, function.takes, strict=True):
        if not isinstance(argument, ast.Name):
            raise Refused(FORM, argument, "unsupported syntax: `map` in this form")
        item = scope.stack(argument.id, argument)
        if item.rank != rank:
            raise Refused(
                UNKNOWN_SHAPE, argument, f"the items of `{argument.id}` have {item.rank} axes"
            )
        items.append(item)
    if function.raises:
        scope.raises.append(call)
        scope.mapped[target.id] = call
    text = f"{called(function, stacked=True)}({', '.join(i.text for i in items)})"
    scope.bound[target.id] = replace(items[0], text=text, rank=function.gives[0], views=frozenset())
