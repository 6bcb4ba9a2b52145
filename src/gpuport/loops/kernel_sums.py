"""Numbers that all iterations make together: each thread's share, and how shares are combined.

A thread keeps its share in a variable of the user's name, which starts at what changes nothing
(0 for a sum). The shares are stored, and combined by CuPy with the value from before the loop.
Sums of floating numbers are added in another order than the loop's.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from .cuda_flow import Flow, State
from .cuda_names import Names
from .cuda_symbols import Symbols, scalar_value
from .cuda_text import C_TYPES, literal
from .cuda_values import Number, Value, dtype_bounds, join
from .kernel_symbols import Breadth, accepted, broadened
from .names import constant_int, stored
from .reasons import UNKNOWN_TYPE, UNSUPPORTED, Refused
from .records import Fact, LoopPlan, ScalarFact
from .typing import PYTHON, Type, kind

_REDUCTIONS = {"+": "sum", "*": "prod", "min": "min", "max": "max", "any": "any"}


@dataclass
class Sums:
    """The accumulations of a plan.

    Attributes
    ----------
    dtypes : dict of str to str
        Dtype of the share of each number.
    flags : frozenset of str
        Numbers of which a thread keeps only whether it set them.
    types : dict of str to Type
        Types that the loop gives the numbers.
    given : dict of str to frozenset of Type
        Types of what iterations add to the numbers.
    operators : dict of str to str
    statements : dict of str to list of ast.stmt
        What sets a number.
    needs_threads : bool
        Without any iteration there is nothing to combine.
    constants : dict of str to str
        What ``any`` sets, as Python text.
    bests : dict of str to str
        The extreme that belongs to a position.
    later_wins : frozenset of str
        Extremes of which the last of equals counts.
    counted : dict of str to str
        Positions that are the loop's variable itself: the range that it runs over.
    marks : dict of str to str
        The number that tells whether anything was added to a number.
    assumed : dict of str to str
        What numbers of unknown type are before the loop, for ``types`` to be right: as
        ``kernel_symbols.accepted`` says it.
    """

    dtypes: dict[str, str] = field(default_factory=dict)
    types: dict[str, Type] = field(default_factory=dict)
    given: dict[str, frozenset[Type]] = field(default_factory=dict)
    operators: dict[str, str] = field(default_factory=dict)
    statements: dict[str, list[ast.stmt]] = field(default_factory=dict)
    flags: frozenset[str] = frozenset()
    needs_threads: bool = False
    constants: dict[str, str] = field(default_factory=dict)
    bests: dict[str, str] = field(default_factory=dict)
    later_wins: frozenset[str] = frozenset()
    counted: dict[str, str] = field(default_factory=dict)
    marks: dict[str, str] = field(default_factory=dict)
    assumed: dict[str, str] = field(default_factory=dict)

    def around(
        self,
        lines: list[str],
        body: Sequence[ast.stmt],
        names: Names,
        partial: Mapping[str, str],
        single: bool,
        dtypes: Mapping[str, str],
    ) -> list[str]:
        """The body's lines with the shares' first values before and their stores after them."""
        if not self.dtypes:
            return lines
        before, after = [], []
        for name, dtype in self.dtypes.items():
            start = literal(_identity(self.operators[name], dtype), dtype).text
            declared = "" if single else f"{C_TYPES[dtype]} "
            only = self._whole(name, body) and len(self.dtypes) == 1
            if only and lines[-1].startswith(f"{names[name]} += "):
                target = names[name] if single else f"{partial[name]}[i]"
                share = lines[-1].removeprefix(f"{names[name]} += ")
                lines = [*lines[:-1], f"{target} = {share}"]
                continue
            before.append(f"{declared}{names[name]} = {start};")
            if not single:
                after.append(f"{partial[name]}[i] = {names[name]};")
        if after and ends_early(body):
            lines = within_once(lines)
        return [*before, *lines, *after]

    def _whole(self, name: str, body: Sequence[ast.stmt]) -> bool:
        """Whether the last statement of the body is the only one that makes the number."""
        found = self.statements[name]
        return (
            len(found) == 1
            and body[-1] is found[0]
            and isinstance(found[0], ast.AugAssign)
            and self.operators[name] == "+"
            and not ends_early(body)
        )

    def after(self, terms: Mapping[str, str], size: str) -> list[str]:
        """Python statements that combine the shares."""
        found: list[str] = []
        plain = [n for n in self.operators if self._is_plain(n)]
        together = len(plain) > 1 and len({self.dtypes[n] for n in plain}) == 1
        if together:
            listed = ", ".join(self._reduced(n, terms[n]) for n in plain)
            names = ", ".join(f"{n}_found" for n in plain)
            found.append(f"{names} = {{cupy}}.asnumpy({{cupy}}.stack([{listed}]))")
        marked: dict[str, list[str]] = {}
        for name, operator in self.operators.items():
            if name in self.marks:
                line = self._combined(name, terms[name], operator, together)
                marked.setdefault(self.marks[name], []).append(f"    {line}")
                continue
            if name in self.marks.values():
                continue
            best = next((b for b, of in self.bests.items() if of == name), None)
            if best is not None:
                found += self._extreme(name, best, terms, operator)
            elif operator == "last":
                value = scalar_text(f"{terms[name]}[-1]", self.types[name])
                found.append(f"{name} = {value}")
            elif operator == "any":
                found.append(f"if {terms[name]}.any():\n    {name} = {self.constants[name]}")
            elif name in plain:
                found.append(self._combined(name, terms[name], operator, together))
        for mark, lines in marked.items():
            found.append("\n".join([f"if {terms[mark]}.any():", *lines]))
        return found

    def _is_plain(self, name: str) -> bool:
        """Whether one reduction of the shares gives the number."""
        return self.operators[name] in ("+", "*", "min", "max") and name not in self.bests.values()

    def _reduced(self, name: str, terms: str) -> str:
        operator, type_ = self.operators[name], self.types[name]
        narrow = operator in "+*" and type_.kind in "iu" and not type_.weak
        dtype = f"dtype={{cupy}}.{type_.dtype}" if narrow else ""
        return f"{terms}.{_REDUCTIONS[operator]}({dtype})"

    def _combined(self, name: str, terms: str, operator: str, fetched: bool) -> str:
        type_ = self.types[name]
        value = scalar_text(self._reduced(name, terms), type_)
        if fetched:
            value = f"{type_}({name}_found)" if type_.weak else f"{name}_found"
        if operator in "+*":
            return f"{name} = {name} {operator} {value}"
        return f"{name} = {operator}({name}, {value})"

    def _extreme(self, name: str, best: str, terms: Mapping[str, str], operator: str) -> list[str]:
        """The extreme and its position: read back once each, and only where one was found."""
        found, shares = f"{name}_found", terms[name]
        lines = [f"{found} = {scalar_text(f'{shares}.{operator}()', self.types[name])}"]
        sign = {"min": "<", "max": ">"}[operator]
        if name in self.later_wins:
            last = f"{best}_found"
            where = f"{{cupy}}.where({shares} == {found}, {terms[best]}, -1)"
            return [
                *lines,
                f"if {found} {sign}= {name}:\n    {last} = int({where}.max())\n"
                f"    if {last} >= 0:\n        {name} = {found}\n        {best} = {last}",
            ]
        position = f"{shares}.arg{operator}()"
        if best in self.counted:
            position = f"{self.counted[best]}[int({position})]"
        else:
            position = scalar_text(f"{terms[best]}[{position}]", self.types[best])
        test = f"if {found} {sign} {name}:"
        return [*lines, f"{test}\n    {name} = {found}\n    {best} = {position}"]

    def without_counted(self, body: Sequence[ast.stmt]) -> list[ast.stmt]:
        """The body without the positions that Python works out."""
        kept: list[ast.stmt] = []
        for node in body:
            if isinstance(node, ast.If):
                node = copy.copy(node)
                node.body = self.without_counted(node.body)
                node.orelse = self.without_counted(node.orelse)
            if not (isinstance(node, ast.Assign) and stored([node]) & set(self.counted)):
                kept.append(node)
        return kept


def scalar_text(device: str, type_: Type) -> str:
    """A device value as the number that the loop would have left."""
    if type_.weak:
        return f"{type_}({device})"
    return f"{{cupy}}.asnumpy({device})[()]"


def sums(
    plan: LoopPlan,
    body: Sequence[ast.stmt],
    flow: Flow,
    symbols: Symbols,
    *,
    breadth: Breadth = Breadth.NARROW,
) -> Sums:
    """Types of a body, and of what its iterations make together.

    Parameters
    ----------
    plan : LoopPlan
    body : sequence of ast.stmt
    flow : Flow
        Goes through the body here.
    symbols : Symbols
    breadth : Breadth
        For how many types of numbers from outside the result has to be right.

    Raises
    ------
    Refused
        For a form of which the parallel one would differ.
    """
    found = Sums()
    for accumulation in plan.accumulations:
        name = accumulation.variable
        found.operators[name] = accumulation.operator
        found.statements[name] = _setting(body, name)
    state = _first_state(plan, found, symbols, breadth)
    broad = breadth is not Breadth.NARROW
    counters = {axis.variable: symbols.scalars[axis.variable] for axis in plan.grid}
    for _ in range(8):
        end = flow.run_thread(body, {**counters, **state})
        after = {name: join(state[name], end.get(name, state[name])) for name in state}
        if after == state:
            break
        state = after
    for axis in plan.grid:
        flow.locals.pop(axis.variable, None)
    for name, operator in found.operators.items():
        if operator == "last":
            _last(found, name, end or {}, flow)
        else:
            _typed(found, name, flow, body, broad)
    _pairs(found, plan, body)
    found.needs_threads = any(o not in ("+", "*", "any") for o in found.operators.values())
    return found


def unasked(guards: Sequence[str], assumed: Mapping[str, str]) -> list[str]:
    """Guards without the questions whether names hold numbers of which the types are asked for."""
    return [
        guard
        for guard in guards
        if not any(guard.startswith(f"(isinstance({name}, ") for name in assumed)
    ]


def _setting(body: Sequence[ast.stmt], name: str) -> list[ast.stmt]:
    """The assignments of a body that set a number; the ``if`` around those that set others too."""
    found: list[ast.stmt] = []
    for node in body:
        if isinstance(node, ast.If):
            inner = [*_setting(node.body, name), *_setting(node.orelse, name)]
            found += [node] if inner and len(stored(node.body)) > 1 else inner
        elif isinstance(node, ast.For | ast.While):
            found += _setting(node.body, name)
        elif name in stored([node]):
            found.append(node)
    return found


def _first_state(plan: LoopPlan, found: Sums, symbols: Symbols, breadth: Breadth) -> State:
    state = {}
    for name, operator in found.operators.items():
        if operator == "last":
            continue
        whole = operator in ("argmin", "argmax")
        assumed = PYTHON["int"] if whole else PYTHON["float"]
        fact = plan.nest.facts.get(name)
        state[name] = scalar_value(fact, assumed, symbols.magnitudes, plan.region)
        if operator in ("+", "*") and not _is_known(fact):
            # What a sum becomes depends on what it was: an extreme is one of the terms.
            state[name] = broadened(state[name], breadth)
            found.assumed[name] = accepted(state[name])
    return state


def _is_known(fact: Fact | None) -> bool:
    return isinstance(fact, ScalarFact) and (fact.type is not None or fact.value is not None)


def _typed(found: Sums, name: str, flow: Flow, body: Sequence[ast.stmt], broad: bool) -> None:
    """The type of what the iterations give for a number."""
    statements = found.statements[name]
    values = [v for s in statements for v in _given(s, name, flow)]
    if not values:
        raise Refused(UNSUPPORTED, statements[0], f"it is not clear what `{name}` is given")
    types = {t for v in values for t in v.types}
    found.given[name] = frozenset(types)
    if found.operators[name] == "any":
        found.flags |= {name}
        found.dtypes[name] = "bool"
        constant = next(_constants(statements[0], name), None)
        if constant is None:
            raise Refused(UNSUPPORTED, statements[0], f"`{name}` is set to several things")
        found.constants[name] = ast.unparse(constant)
        return
    mixed = broad and len({t.weak for t in types}) > 1
    if len({t.dtype for t in types}) != 1 or mixed:
        shown = " or ".join(sorted(map(str, types)))
        raise Refused(UNKNOWN_TYPE, statements[0], f"`{name}` becomes {shown}")
    type_ = min(types)  # NumPy's before Python's: that is what some path makes it
    if type_.kind not in "iuf" and not (type_.kind == "c" and found.operators[name] in "+*"):
        raise Refused(UNKNOWN_TYPE, statements[0], f"`{name}` is {type_}")
    found.types[name] = type_
    found.dtypes[name] = type_.dtype


def _last(found: Sums, name: str, end: State, flow: Flow) -> None:
    """The type of what an iteration leaves in a name."""
    types = end[name].types | flow.locals[name].types if name in end else frozenset()
    if len(types) != 1:
        shown = " or ".join(sorted(map(str, types))) or "nothing"
        raise Refused(UNKNOWN_TYPE, found.statements[name][0], f"`{name}` becomes {shown}")
    (type_,) = types
    found.types[name], found.dtypes[name] = type_, type_.dtype


def _given(statement: ast.stmt, name: str, flow: Flow) -> list[Value]:
    found = []
    for node in ast.walk(statement):
        if isinstance(node, ast.AugAssign) and _names(node.target, name):
            found.append(flow.expressions.known(node))
        elif isinstance(node, ast.Assign):
            targets = node.targets[0]
            listed = targets.elts if isinstance(targets, ast.Tuple) else [targets]
            values = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
            for target, value in zip(listed, values, strict=False):
                if _names(target, name):
                    found += _contributed(value, name, flow)
    return found


def _contributed(value: ast.expr, name: str, flow: Flow) -> list[Value]:
    """Values that may become the number's, itself left out of ``max(name, x)``."""
    if isinstance(value, ast.Call) and any(_names(a, name) for a in value.args):
        shown = ast.unparse(value.func)
        others = [a for a in value.args if not _names(a, name)]
        if shown in ("min", "max") and not _names(value.args[0], name):
            raise Refused(
                UNSUPPORTED,
                value,
                f"`{ast.unparse(value)}` depends on the order where it meets NaN",
            )
        if shown in ("min", "max"):
            return [flow.expressions.known(a) for a in others]
        raise Refused(UNSUPPORTED, value, f"`{ast.unparse(value)}` as a reduction")
    return [flow.expressions.known(value)]


def _constants(statement: ast.stmt, name: str) -> Iterator[ast.expr]:
    for node in ast.walk(statement):
        if isinstance(node, ast.Assign) and _names(node.targets[0], name):
            yield node.value


def _names(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _pairs(found: Sums, plan: LoopPlan, body: Sequence[ast.stmt]) -> None:
    """Which position belongs to which extreme: those set in the same ``if``."""
    for name, operator in found.operators.items():
        if operator not in ("argmin", "argmax"):
            continue
        wanted = operator.removeprefix("arg")
        statements = set(found.statements[name])
        partners = [
            other
            for other, o in found.operators.items()
            if o == wanted and statements & set(found.statements[other])
        ]
        if len(partners) != 1 or partners[0] in found.bests.values():
            raise Refused(UNSUPPORTED, found.statements[name][0], f"`{name}` without its extreme")
        found.bests[name] = partners[0]
        counts = _counts(found.statements[name], name, plan)
        if not _keeps_last(found.statements[name][0], partners[0]):
            if counts is not None:
                found.counted[name] = counts
                del found.dtypes[name]
        elif counts is None or found.dtypes[name] != "int64":
            raise Refused(
                UNSUPPORTED,
                found.statements[name][0],
                f"the last position of an extreme, where `{name}` is not the loop's variable",
            )
        else:
            found.later_wins |= {partners[0]}


def _counts(statements: list[ast.stmt], name: str, plan: LoopPlan) -> str | None:
    """The range of the loop, where a position is its variable, which only grows from 0 on."""
    axis = plan.grid[0]
    start, step = (constant_int(ast.parse(t, mode="eval").body) for t in (axis.start, axis.step))
    if len(plan.grid) != 1 or start is None or start < 0 or step is None or step < 1:
        return None
    values = [v for s in statements for v in _constants(s, name)]
    if len(values) != 1 or not _names(values[0], axis.variable):
        return None
    shown = f"{axis.start}, {axis.stop}, {axis.step}" if step != 1 else f"{axis.start}, {axis.stop}"
    return f"range({shown})" if (start, step) != (0, 1) else f"range({axis.stop})"


def _keeps_last(statement: ast.stmt, extreme: str) -> bool:
    tests = [n for n in ast.walk(statement) if isinstance(n, ast.Compare)]
    for test in tests:
        sides = [test.left, *test.comparators]
        if any(_names(side, extreme) for side in sides):
            return isinstance(test.ops[0], ast.LtE | ast.GtE)
    raise Refused(UNSUPPORTED, statement, f"the comparison with `{extreme}` is not found")


def _identity(operator: str, dtype: str) -> Number:
    if operator in ("any", "last"):
        return False if dtype == "bool" else 0
    if operator in ("argmin", "argmax"):
        return -1
    if operator in ("min", "max"):
        if kind(dtype) == "f":
            return float("inf") if operator == "min" else float("-inf")
        return dtype_bounds(dtype)[1 if operator == "min" else 0]
    return 1 if operator == "*" else 0


def within_once(lines: list[str]) -> list[str]:
    """Lines whose ``continue`` goes on after them."""
    return ["do {", *(f"    {line}" for line in lines), "} while (false);"]


def ends_early(body: Sequence[ast.stmt]) -> bool:
    """Whether a ``continue`` ends the thread."""
    for node in body:
        if isinstance(node, ast.Continue):
            return True
        if isinstance(node, ast.If) and (ends_early(node.body) or ends_early(node.orelse)):
            return True
    return False
