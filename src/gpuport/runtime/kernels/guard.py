"""The code that looks at the arguments of a call and launches, written for each signature."""

from __future__ import annotations

from collections.abc import Iterator

from gpuport.runtime.expressions import names_in
from gpuport.runtime.kernels.declared import Declared, parameters_of
from gpuport.runtime.kernels.fitting import LARGEST, SMALL
from gpuport.runtime.kernels.intervals import conditions_of
from gpuport.runtime.kernels.rooms import ROOMS
from gpuport.runtime.kernels.signature import Parameter


def guard_of(one: Declared) -> str:
    """The statements of the function that callers call.

    All that fails ends in ``_gp_other``, which finds out why and runs the body.
    """
    return "\n".join([
        "if _gp_loaded('cupy') is not _gp_state.cupy: _gp_state.renew()",
        "_gp_array = _gp_state.array",
        *_host_call(one),
        *_stored(one),
        "_gp_key = None",
        f"if {_all_arrays(one)}:",
        f"    _gp_key = ({_key(one)})",
        "    _gp_plan = _gp_plans.get(_gp_key)",
        "    if _gp_plan is not None:",
        *_indented(_planned(one), 8),
        f"return _gp_other(({_arguments(one)}), _gp_key)",
    ])  # fmt: skip


def _indented(lines: list[str], by: int) -> list[str]:
    return [" " * by + line for line in lines]


def _arguments(one: Declared) -> str:
    return "".join(f"{name}, " for name in parameters_of(one.function))


def _must_be_array(one: Declared, p: Parameter) -> bool:
    return p.raw or p in one.written


def _may_be_array(one: Declared) -> list[Parameter]:
    return [p for p in one.by_argument if not _must_be_array(one, p)]


def _is_array(name: str) -> str:
    return f"_gp_type({name}) is _gp_array"


def _host_call(one: Declared) -> list[str]:
    """Where nothing is on the device, the body runs, and nothing is to be told."""
    given = [p.name for p in one.by_argument if not p.owner]
    anywhere = " or ".join(map(_is_array, given)) or "False"
    code = one.function.__code__
    names = parameters_of(one.function)
    only = set(names[code.co_argcount :])
    passed = ", ".join(f"{name}={name}" if name in only else name for name in names)
    return [f"if not ({anywhere}):", "    _gp_hosted()", f"    return _gp_body({passed})"]


def _stored(one: Declared) -> Iterator[str]:
    """Numbers that arguments have are read where no code of theirs runs for it."""
    for owner, listed in one.owned.items():
        names = "".join(f"{p.name}, " for p in listed)
        yield f"{names}= _gp_stored({owner}, {tuple(p.path for p in listed)!r})"


def _all_arrays(one: Declared) -> str:
    return (
        " and ".join(_is_array(p.name) for p in one.by_argument if _must_be_array(one, p)) or "True"
    )


def _key(one: Declared) -> str:
    """What decides whether types fit, and which text is made for them."""
    parts = []
    for p in one.by_argument:
        both = f"{p.name}.dtype.char, {p.name}.ndim"
        if _must_be_array(one, p):
            parts.append(both)
        else:
            parts.append(f"({both}) if {_is_array(p.name)} else _gp_type({p.name})")
    parts += [f"_gp_type({name})" for name in one.numbers]
    return "".join(f"{part}, " for part in parts)


def _planned(one: Declared) -> list[str]:
    """What is asked of values once the types fit, and the launch."""
    fits = " and ".join([*_limits(one), *_conditions(one)]) or "True"
    asked = [f"_gp_fits = {fits}"]
    if one.axes:  # no index is asked where there is none
        limits = " and ".join(_limits(one)) or "True"
        inner = " and ".join(_conditions(one)) or "True"
        asked = [*_ranges(one), f"_gp_fits = {limits}"]
        if inner != "True":
            asked += [
                "if _gp_count and _gp_fits:",
                *_indented([*_ends(one), f"_gp_fits = {inner}"], 4),
            ]
    else:
        asked += _shapes(one)
    return [
        "try:", *_indented(asked, 4),
        "except _gp_error:", "    _gp_fits = False",
        *_overlaps(one),
        "if _gp_fits:", *_indented(_launch(one), 4),
    ]  # fmt: skip


def _limits(one: Declared) -> Iterator[str]:
    for p in _may_be_array(one):
        if p.type == "int" or p.type == "int64":
            yield f"(_gp_type({p.name}) is not _gp_int or -{LARGEST} <= {p.name} <= {LARGEST})"
        elif p.generic or p.type.startswith(("float", "complex")):
            yield f"(_gp_type({p.name}) is not _gp_int or -{SMALL} <= {p.name} <= {SMALL})"
    for name in one.numbers:
        yield f"(_gp_type({name}) is not _gp_int or -{LARGEST} <= {name} <= {LARGEST})"


def _conditions(one: Declared) -> list[str]:
    derived = conditions_of(one.bounds)
    return [*derived, f"({one.where})"] if one.where else derived


def _ranges(one: Declared) -> list[str]:
    lines = [f"_gp_range{k} = _gp_range({axis.bounds})" for k, axis in enumerate(one.axes)]
    lines += [f"_gp_length{k} = _gp_len(_gp_range{k})" for k in range(len(one.axes))]
    return [*lines, "_gp_count = " + " * ".join(f"_gp_length{k}" for k in range(len(one.axes)))]


def _ends(one: Declared) -> Iterator[str]:
    for k, axis in enumerate(one.axes if one.bounds else ()):
        ends = f"_gp_range{k}[0], _gp_range{k}[-1]"
        back = "" if axis.upwards else (
            f" if _gp_range{k}.step > 0 else (_gp_range{k}[-1], _gp_range{k}[0])"
        )  # fmt: skip
        yield f"_gp_low{k}, _gp_high{k} = ({ends}){back}"


def _shapes(one: Declared) -> list[str]:
    """Element by element: all of one shape, as far as they have one."""
    arrays = [p for p in one.by_argument if not p.raw and p.type not in ("float", "int")]
    shapes = [
        f"{p.name}.shape" if p in one.written else f"{p.name}.shape if {_is_array(p.name)} else ()"
        for p in arrays
    ]  # fmt: skip
    lines = [
        f"_gp_shape = _gp_joint({', '.join(shapes)})",
        "_gp_fits = _gp_fits and _gp_shape is not None",
    ]
    lines += [f"_gp_fits = _gp_fits and {p.name}.shape == _gp_shape" for p in one.written]
    return lines


def _overlaps(one: Declared) -> list[str]:
    """No written array shares memory with another one, nor with itself; or copies are read."""
    if not one.written:
        return []
    others = [other.name for other in one.by_argument if other not in one.written]
    if not (one.reads_first and others):
        return _shared(one, "_gp_fits = False")
    listed = "".join(f"{name}, " for name in others)
    (p,) = one.written
    copied = f"{listed}= _gp_snapshots(_gp_state.cupy, {p.name}, ({listed}))"
    return [
        "_gp_shared = False",
        *_shared(one, "_gp_shared = True"),
        f"if _gp_shared and _gp_fits: {copied}",
    ]


def _shared(one: Declared, then: str) -> list[str]:
    """What is to be done where a written array shares memory with another one."""
    lines, seen = [], set[str]()
    for p in one.written:
        others = [other for other in one.by_argument if other is not p and other.name not in seen]
        seen.add(p.name)
        lines += [*_span(one, p), f"_gp_fits = _gp_fits and not _gp_inner_{p.name}"]
        for other in others:
            lines += _span(one, other)
            lines += _apart(p, other, _must_be_array(one, other), then)
    unique = list(dict.fromkeys(lines))
    asked = "_gp_fits and _gp_count" if one.axes else "_gp_fits"
    return [f"if {asked}:", *_indented(unique, 4)]


def _span(one: Declared, p: Parameter) -> list[str]:
    line = (
        f"_gp_at_{p.name} = {p.name}.data.ptr; _gp_low_{p.name}, _gp_high_{p.name}, "
        f"_gp_inner_{p.name} = _gp_span({p.name}.shape, {p.name}.strides, {p.name}.itemsize)"
    )
    return [line if _must_be_array(one, p) else f"if {_is_array(p.name)}: {line}"]


def _apart(p: Parameter, other: Parameter, is_array: bool, then: str) -> list[str]:
    a, b = p.name, other.name
    shared = (
        f"_gp_at_{b} + _gp_low_{b} < _gp_at_{a} + _gp_high_{a} and "
        f"_gp_at_{a} + _gp_low_{a} < _gp_at_{b} + _gp_high_{b}"
    )
    if not p.raw and not other.raw:  # each element is read where it is written
        shared += (
            f" and not (_gp_at_{a} == _gp_at_{b} and {a}.shape == {b}.shape "
            f"and {a}.strides == {b}.strides)"
        )
    return [f"if {'' if is_array else _is_array(b) + ' and '}{shared}: {then}"]


def _launch(one: Declared) -> list[str]:
    given = [p.name for p in one.inputs] + one.numbers
    refused = []
    if one.written:
        written = "".join(f"{p.name}, " for p in one.written)
        refused = [f"if _gp_lent.copies: _gp_refuse(_gp_name, ({written}))"]
    if one.axes:
        return _over_domain(one, given, refused)
    lines = ["_gp_launched()", *refused]
    if one.written:
        call = f"_gp_plan[0]({', '.join(given + [p.name for p in one.written])})"
        return [*lines, call, f"return {', '.join(one.given_back) or 'None'}"]
    made = f"_gp_plan[0]({', '.join(given)})"
    if not one.returns:
        return [*lines, f"_gp_result = {made}", "return _gp_result"]
    names = ", ".join(p.name for p in one.returned)
    nothing = f"if 0 in _gp_shape: return _gp_of_nothing(({_arguments(one)}))"
    return [nothing, *lines, f"_gp_result = {made}", f"{names} = _gp_result", _returned(one)]


def _over_domain(one: Declared, given: list[str], refused: list[str]) -> list[str]:
    """The launch of what has a domain of its own."""
    count = range(len(one.axes))
    shape = "".join(f"_gp_length{k}, " for k in count)
    later = one.targets if not one.first else []
    lines = ["_gp_launched()", *refused] + [
        f"{p.name} = _gp_state.cupy.empty(({shape}), _gp_plan[1][{k}])"
        for k, p in enumerate(one.returned)
        if p.name not in later
    ]
    lines += _rooms(one)
    domain = [f"_gp_range{k}.{end}" for k in count for end in ("start", "step")]
    domain += [f"_gp_length{k}" for k in count[1:]]
    domain += [p.name for p in one.outputs]
    if one.may_raise:
        lines.append("_gp_flag = _gp_state.cupy.zeros(1, 'bool')")
        domain.append("_gp_flag")
    arguments = ", ".join(given + domain) + ("" if one.returned else ", size=_gp_count")
    call = f"_gp_plan[0]({arguments})"
    if one.may_raise:
        lines += [f"_gp_old_{p.name} = {p.name}.copy()" for p in one.written]
    asked = [f"{p.name}[...] = _gp_old_{p.name}" for p in one.written]
    asked.append(f"return _gp_taken_back(({_arguments(one)}))")
    back = ["if _gp_flag[0]:", *_indented(asked, 4)] if one.may_raise else []
    if not (one.returned or one.returns):
        back.append(f"return {', '.join(one.given_back) or 'None'}")
        return [*lines, f"if _gp_count: {call}", *back]
    nothing = f"if not _gp_count: return _gp_of_nothing(({_arguments(one)}))"
    if not (one.returns or one.then or one.before):
        made = ", ".join(p.name for p in one.returned)
        return [nothing, *lines, call, *back, f"return {made}"]
    first = [f"_gp_plan[2]({arguments})"] if one.first else []
    before, then = ([text] if text else [] for text in (one.before, one.then))
    lines += [*_words(one), *first, *before, call, *back, *_places(one), *then]
    return [nothing, *lines, _returned(one)]


def _rooms(one: Declared) -> Iterator[str]:
    """What makes the arrays that the text works in."""
    for k, (p, text) in enumerate(one.rooms, len(one.returned)):
        if not {*ROOMS}.isdisjoint(names_in(text)):
            yield f"{', '.join(ROOMS)} = _gp_rooms(_gp_plan[1][{k}])"
        yield f"{p.name} = {text}"


def _words(one: Declared) -> Iterator[str]:
    """The runtime's words that the decorator's Python says."""
    for word in one.words:
        yield f"{word} = _gp_words[{word!r}]"


def _places(one: Declared) -> Iterator[str]:
    """The variables of the domain that `returns` names."""
    for k in one.places:
        inner = " * ".join(f"_gp_length{j}" for j in range(k + 1, len(one.axes))) or "1"
        yield f"{one.axes[k].name} = _gp_along(_gp_range{k}, {inner})"


def _returned(one: Declared) -> str:
    if one.words:
        return f"return _gp_fetched(({one.returns or None}))"
    return f"return ({one.returns or None})"
