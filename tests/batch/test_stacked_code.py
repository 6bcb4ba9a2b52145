"""Loops over matrices and the code for their stack, as a reviewer reads it."""

from __future__ import annotations

import textwrap

import numpy as np
import pytest

from gpuport.config import Config
from gpuport.passes.port import port_module
from gpuport.records import FileReport
from gpuport.source.reading import parse

WRITTEN = "out = np.zeros_like(a)\nfor i in range(len(a)):\n{}\nreturn out\n"
COLLECTED = "out = []\nfor m in a:\n{}\nreturn out\n"


def port(text: str) -> FileReport:
    """The port of a text."""
    return port_module(parse("module.py", text), Config())


def function_of(body: str, parameters: str = "a: np.ndarray, b: np.ndarray") -> str:
    """A function with a body, called with arrays."""
    return f"import numpy as np\n\n\ndef f({parameters}):\n{textwrap.indent(body, '    ')}"


def stacked_lines(text: str) -> list[str]:
    """The lines between a guard and its ``else``."""
    lines = text.splitlines()
    start = next(i for i, line in enumerate(lines) if "batched.stackable(" in line)
    end = next(i for i, line in enumerate(lines) if i > start and line.strip() == "else:")
    return [line.strip() for line in lines[start:end]]


def written(*lines: str) -> str:
    return WRITTEN.format("\n".join(f"    {line}" for line in lines))


def collected(*lines: str) -> str:
    return COLLECTED.format("\n".join(f"    {line}" for line in lines))


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (written("out[i] = np.linalg.inv(a[i])"), ["out[:] = batched.linalg.inv(a)"]),
        (
            written("w, v = np.linalg.eigh(a[i])", "out[i] = (v * np.sqrt(w)) @ v.T"),
            [
                "w, v = batched.linalg.eigh(a)",
                "out[:] = (v * cp.sqrt(w)[:, None]) @ v.swapaxes(-1, -2)",
            ],
        ),
        (
            written("out[i] = np.linalg.solve(a[i] @ a[i].T, a[i])"),
            ["out[:] = cp.linalg.solve(a @ a.swapaxes(-1, -2), a)"],
        ),
        (
            collected("q, r = np.linalg.qr(m)", "out.append(q * np.sign(np.diag(r)))"),
            [
                "q, r = cp.linalg.qr(a)",
                "out.extend(q * cp.sign(cp.diagonal(r, axis1=-2, axis2=-1))[:, None])",
            ],
        ),
        (
            collected("w = np.linalg.eigvalsh(m)", "out.append(w - w.mean())"),
            ["w = batched.linalg.eigvalsh(a)", "out.extend(w - w.mean(axis=1)[:, None])"],
        ),
        (
            collected("u, s, vt = np.linalg.svd(m)", "out.append((u[:, :2] * s[:2]) @ vt[:2])"),
            [
                "u, s, vt = batched.linalg.svd(a)",
                "out.extend((u[:, :, :2] * s[:, :2][:, None]) @ vt[:, :2])",
            ],
        ),
        (
            "c = np.zeros_like(a)\nfor k in range(a.shape[2]):\n"
            "    c[:, :, k] = np.linalg.inv(a[:, :, k])\nreturn c\n",
            ["cp.moveaxis(c, 2, 0)[:] = batched.linalg.inv(cp.moveaxis(a, 2, 0))"],
        ),
        (
            written("out[i] = np.linalg.lstsq(a[i], b[i], rcond=None)[0]"),
            ["out[:] = batched.least_squares(a, b, rcond=None)[0]"],
        ),
        (
            collected("n = m.shape[0]", "out.append(np.linalg.inv(m + n * np.eye(n)))"),
            ["n = a.shape[1]", "out.extend(batched.linalg.inv(a + n * cp.eye(n)))"],
        ),
        (
            collected("out.append(np.linalg.inv(m).sum(axis=0, keepdims=True))"),
            ["out.extend(batched.linalg.inv(a).sum(axis=1, keepdims=True))"],
        ),
        (
            written('out[i] = np.einsum("ij,jk->ik", np.linalg.inv(a[i]), np.linalg.pinv(a[i]))'),
            ['out[:] = cp.einsum("...ij,...jk->...ik", batched.linalg.inv(a), cp.linalg.pinv(a))'],
        ),
        (
            collected("v = np.linalg.eigh(m)[1][:, 0]", "out.append(np.outer(v, v))"),
            ["v = batched.linalg.eigh(a)[1][:, :, 0]", "out.extend(v[:, :, None] * v[:, None])"],
        ),
        (
            collected("w, v = np.linalg.eigh(m)", "out.append(v @ np.diag(w) @ v.T)"),
            [
                "w, v = batched.linalg.eigh(a)",
                "out.extend(v @ batched.diag(w) @ v.swapaxes(-1, -2))",
            ],
        ),
        (
            collected("out.append(np.linalg.norm(np.linalg.inv(m)) + np.trace(m))"),
            [
                "out.extend(cp.linalg.norm(batched.linalg.inv(a), axis=(1, 2)) "
                "+ cp.trace(a, axis1=-2, axis2=-1))"
            ],
        ),
    ],
)
def test_the_axis_moves_into_the_calls(body: str, expected: list[str]) -> None:
    after = port(function_of(body)).after
    assert after is not None
    assert stacked_lines(after)[1:] == expected


@pytest.mark.parametrize(
    ("body", "guard"),
    [
        (
            "out = np.zeros(b.shape)\nfor i in range(len(a)):\n"
            "    out[i, :] = np.linalg.solve(a[i], b[i])\nreturn out\n",
            "if batched.stackable({3: a, 2: (b, out)}, writes=out):",
        ),
        (
            "out = np.zeros_like(a)\nfor i in range(len(a)):\n"
            "    out[i] = np.linalg.inv(a[i]) * b\nreturn out\n",
            "if batched.stackable({3: (a, out)}, at_most={2: b}, writes=out):",
        ),
        (
            "n = len(b)\nout = np.zeros(n)\nfor i in range(n):\n"
            "    out[i] = np.linalg.det(a[i])\nreturn out\n",
            "if batched.stackable({3: a, 1: out}, length=n, writes=out):",
        ),
    ],
)
def test_what_is_only_likely_is_asked_at_run_time(body: str, guard: str) -> None:
    after = port(function_of(body)).after
    assert after is not None
    assert stacked_lines(after)[0] == guard


def test_a_number_grows_by_the_sum_of_all_items() -> None:
    body = "total = 0.0\nfor m in a:\n    total += np.linalg.slogdet(m)[1]\nreturn total\n"
    after = port(function_of(body)).after
    assert after is not None
    assert stacked_lines(after)[1:] == [
        "total += cp.asnumpy(batched.total(cp.linalg.slogdet(a)[1], total))[()]"
    ]


def test_an_array_grows_by_the_sum_of_all_items() -> None:
    body = "total = np.zeros((3, 3))\nfor m in a:\n    total += np.linalg.inv(m)\nreturn total\n"
    after = port(function_of(body)).after
    assert after is not None
    assert stacked_lines(after) == [
        "if batched.stackable({3: a}, adds=total):",
        "total += batched.total(batched.linalg.inv(a), total)",
    ]


@pytest.mark.parametrize(
    "body",
    [
        # What grows is read by the next item.
        "total = 0.0\nfor m in a:\n    total += np.linalg.det(m) * total\nreturn total\n",
        "t = 0.0\nfor i in range(len(a)):\n    t += np.linalg.det(a[i])\n    b[i] = t\nreturn b\n",
        # It may be an array that the caller has: it would no longer be changed in place.
        "for m in a:\n    b += np.linalg.det(m)\nreturn b\n",
    ],
)
def test_what_is_not_only_added_to_stays_a_loop(body: str) -> None:
    after = port(function_of(body, "a: np.ndarray, b")).after or ""
    assert "batched." not in after


def test_a_single_call_for_each_needs_no_guard() -> None:
    after = port(function_of("return [np.linalg.svd(m, compute_uv=False) for m in a]\n")).after
    assert after is not None
    assert "return batched.svd(a, compute_uv=False)" in after


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return sum(np.linalg.det(m) for m in a)\n", "return sum(batched.det(a))"),
        ("return tuple(np.linalg.inv(m) for m in a)\n", "return tuple(batched.inv(a))"),
        ("return list(map(np.linalg.inv, a))\n", "return list(batched.inv(a))"),
        (
            "return {i: np.linalg.inv(m) for i, m in enumerate(a)}\n",
            "return dict(enumerate(batched.inv(a)))",
        ),
        (
            "return max(np.linalg.cond(m) for m in a)\n",
            "        cp.asnumpy(cp.linalg.cond(a))\n        if batched.stackable({3: a})\n"
            "        else (cp.asnumpy(cp.linalg.cond(m))[()] for m in a)\n",
        ),
        (
            "return [float(np.linalg.det(m)) for m in a]\n",
            "        list(map(float, cp.asnumpy(cp.linalg.det(a))))\n",
        ),
    ],
)
def test_generators_and_dicts_of_results(body: str, expected: str) -> None:
    after = port(function_of(body, "a: np.ndarray")).after
    assert after is not None
    assert expected in after


def test_the_values_of_a_dict_are_stacked() -> None:
    body = (
        "out = {}\nfor k, m in d.items():\n    w, v = np.linalg.eigh(m)\n    out[k] = v * w\n"
        "return out\n"
    )
    after = port(function_of(body, "d: dict[str, np.ndarray]")).after
    assert after is not None
    assert stacked_lines(after) == [
        "if batched.stackable(items={2: d.values()}):",
        "out_stacks = []",
        "for k_, m in batched.stacks(d.values()):",
        "w, v = batched.linalg.eigh(m)",
        "out_stacks.append((k_, v * w[:, None]))",
        "out.update(zip(d, batched.unstack(out_stacks)))",
    ]


@pytest.mark.parametrize(
    "body",
    [
        "return any(np.linalg.det(m) > 0 for m in a)\n",
        "return next(np.linalg.inv(m) for m in a)\n",
        "list = len\nreturn [np.linalg.inv(m).sum() for m in a]\n",
        "map = len\nreturn [float(np.linalg.det(m)) for m in a]\n",
    ],
)
def test_what_stops_early_or_is_shadowed_stays_a_loop(body: str) -> None:
    assert "batched." not in (port(function_of(body, "a: np.ndarray")).after or "")


def test_results_that_only_become_an_array_are_one() -> None:
    body = collected("w = np.linalg.eigvalsh(m)", "out.append(w.sum())")
    after = port(function_of(body.replace("return out", "return np.stack(out)"))).after
    assert after is not None
    assert "        out = w.sum(axis=1)" in after
    assert "return batched.joined(out)" in after


def test_a_list_that_others_read_stays_one() -> None:
    body = collected("w = np.linalg.eigvalsh(m)", "out.append(w.sum())")
    after = port(function_of(body.replace("return out", "return np.array(out), len(out)"))).after
    assert after is not None
    assert "out.extend(w.sum(axis=1))" in after


@pytest.mark.parametrize(
    ("body", "code", "word"),
    [
        (
            written("if i:", "    out[i] = np.linalg.inv(a[i])"),
            "GP301",
            "the number `i`",
        ),
        (written("b = np.linalg.inv(a[i]) @ b", "out[i] = b"), "GP302", "`b`"),
        (collected("out.append(np.linalg.inv(m) * len(out))"), "GP304", "`out`"),
        (
            collected("out.append(np.linalg.inv(m))", "b.sort()"),
            "GP305",
            "side effect",
        ),
    ],
)
def test_a_refusal_says_what_stands_in_the_way(body: str, code: str, word: str) -> None:
    findings = [f for f in port(function_of(body)).findings if f.code.startswith("GP30")]
    assert [f.code for f in findings] == [code]
    assert word in findings[0].message


def test_the_report_counts_what_is_batched() -> None:
    report = port(function_of(written("out[i] = np.linalg.inv(a[i])")))
    (function,) = [f for f in report.functions if f.name == "f"]
    assert function.batched == 1
    assert [f.span.line for f in report.findings if f.code == "GP310"] == [6]


@pytest.mark.parametrize(
    "body",
    [
        written("out[i] = np.linalg.inv(a[i])"),
        collected("q, r = np.linalg.qr(m)", "out.append(q @ r)"),
        "return np.array([np.linalg.norm(m, axis=0) for m in a])\n",
        "return [np.linalg.det(m) for m in a]\n",
    ],
)
def test_a_port_is_not_ported_again(body: str) -> None:
    after = port(function_of(body)).after
    assert after is not None
    assert not port(after).changed


SINGULAR = np.stack([np.eye(2), 2 * np.eye(2), np.zeros((2, 2)), np.eye(2)])


def test_items_before_a_singular_one_have_been_written(cp, run) -> None:
    body = "for i in range(len(a)):\n    b[i] = np.linalg.inv(a[i])\n"
    text = function_of(body)
    after = port(text).after
    assert after is not None
    assert "except cp.linalg.LinAlgError:" in after
    left = []
    for program in (text, after):
        b = np.full((4, 2, 2), 7.0)
        with pytest.raises(np.linalg.LinAlgError):
            run(program).f(SINGULAR.copy(), b)
        left.append(b)
    np.testing.assert_array_equal(*left)
    assert (left[0][2:] == 7).all()


@pytest.mark.parametrize("shape", [(0, 3, 3), (1, 3, 3), (4, 3, 3), (2, 2, 3, 3), (3, 3)])
@pytest.mark.parametrize("dtype", ["float32", "float64", "complex128", "int64"])
def test_arrays_of_any_shape_give_what_the_loop_gives(cp, run, shape, dtype) -> None:
    body = (
        "out = []\nfor m in a:\n    q, r = np.linalg.qr(m)\n"
        "    out.append((q @ r - m).sum() + np.abs(np.linalg.det(m @ m.T)))\nreturn out\n"
    )
    text = function_of(body, "a: np.ndarray")
    after = port(text).after
    assert after is not None
    values = (np.arange(np.prod(shape)).reshape(shape) % 7).astype(dtype)
    outcomes = []
    for program in (text, after):
        try:
            outcomes.append([np.asarray(one) for one in run(program).f(values)])
        except (np.linalg.LinAlgError, ValueError) as error:
            outcomes.append(type(error))
    expected, found = outcomes
    if not isinstance(expected, list):
        assert found == expected
        return
    assert [one.dtype for one in found] == [one.dtype for one in expected]
    rough = 1e-2 if dtype == "float32" else 1e-8
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=rough, atol=rough)


FUNCTION = """import numpy as np

LEAST = 1e-9


def root(m, floor=LEAST):
    w, v = np.linalg.eigh(m)
    return (v * np.sqrt(np.maximum(w, floor))) @ v.T
"""


def with_callers(*bodies: str) -> str:
    """A module with a function of one matrix, and functions that call it for each."""
    callers = (
        f"def f{k}(a: np.ndarray):\n    return np.array([{body} for m in a])\n"
        for k, body in enumerate(bodies)
    )
    return "\n\n".join([FUNCTION, *callers])


def test_functions_of_the_module_get_a_form_for_stacks() -> None:
    after = port(with_callers("root(m)", "root(m)")).after
    assert after is not None
    assert after.count("def root_stack(") == 1
    twin = after.partition("def root_stack(")[2].splitlines()
    assert twin[:4] == [
        "m, floor=LEAST):",
        '    """`root` of each item of a stack."""',
        "    w, v = batched.linalg.eigh(m)",
        "    return (v * cp.sqrt(cp.maximum(w, floor))[:, None]) @ v.swapaxes(-1, -2)",
    ]
    assert after.count("root_stack(a)") == 2
    assert not port(after).changed


def test_each_way_of_calling_has_a_form_of_its_own() -> None:
    after = port(with_callers("root(m)", "root(m, 1.0)")).after
    assert after is not None
    assert "def root_stack(m, floor=LEAST):" in after
    assert "def root_stack_2(m, floor):" in after
    assert "root_stack_2(a, 1.0)" in after


@pytest.mark.parametrize(
    "taken",
    [
        "root_stack = None",
        "def root_stack():\n    pass",
        "def other(root_stack):\n    return root_stack",
        "from other import root_stack",
        "import other as root_stack",
    ],
)
def test_forms_for_stacks_take_no_name_that_is_taken(taken: str) -> None:
    after = port(with_callers("root(m)") + f"\n\n{taken}\n").after
    assert after is not None
    assert "root_stack_2(a)" in after


@pytest.mark.parametrize(
    "function",
    [
        "def root(m):\n    if m[0, 0] > 0:\n        return m\n    return np.linalg.inv(m)\n",
        "def root(m):\n    m += 1\n    return np.linalg.inv(m)\n",
        "def root(m):\n    print(m)\n    return np.linalg.inv(m)\n",
        "def root(m):\n    yield np.linalg.inv(m)\n",
        "def root(m, *rest):\n    return np.linalg.inv(m)\n",
        "@cached\ndef root(m):\n    return np.linalg.inv(m)\n",
        "def root(m):\n    return np.linalg.inv(m)\n\n\nroot = other(root)\n",
        "def root(m):\n    return np.linalg.inv(np.eye(2))\n",
    ],
)
def test_functions_that_do_more_are_called_for_each_item(function: str) -> None:
    text = f"import numpy as np\nfrom other import cached, other\n\n\n{function}"
    text += "\n\ndef f(a: np.ndarray):\n    return np.array([root(m) for m in a])\n"
    report = port(text)
    assert "_stack" not in (report.after or "")


def test_a_form_that_names_nothing_of_the_device_is_decorated() -> None:
    text = "import numpy as np\n\n\ndef cube(m):\n    return m @ m @ m.T\n"
    text += "\n\ndef f(a: np.ndarray):\n    return np.array([cube(m) for m in a])\n"
    after = port(text).after
    assert after is not None
    assert '@device("m")\ndef cube_stack(m):\n' in after
    assert not port(after).changed


@pytest.mark.parametrize(
    ("stop", "read", "parts", "length"),
    [
        ("len(a) - 1", "a[i] @ a[i + 1]", "(a[:-1], a[1:])", "len(a) - 1"),
        ("a.shape[0] - 2", "a[i + 1] @ a[2 + i]", "(a[1:-1], a[2:])", "a.shape[0] - 2"),
        ("len(a) - 1", "b[i] @ a[i + 1]", "(b[:len(a) - 1], a[1:])", "len(a) - 1"),
        ("n - 1", "a[i] @ b[i + 2]", "(a[:n - 1], b[2:n + 1])", "n - 1"),
        ("n", "a[i] @ a[i + 1]", "(a[:n], a[1:n + 1])", "n"),
    ],
)
def test_items_beside_the_own_ones_are_parts_of_one_length(
    stop: str, read: str, parts: str, length: str
) -> None:
    body = f"return np.array([np.linalg.inv({read}) for i in range({stop})])"
    text = function_of(body, "a: np.ndarray, b: np.ndarray, n: int")
    made = port(text).after
    assert made is not None
    assert f"batched.stackable({{3: {parts}}}, length={length})" in made


def test_what_is_counted_is_named_where_it_is_a_place() -> None:
    body = (
        "out = np.zeros(len(x))\nfor i in range(h, len(x) - h):\n"
        "    out[i] = np.linalg.svd(x[i - h:i + h + 1], compute_uv=False)[0]\nreturn out\n"
    )
    made = port(function_of(body, "x: np.ndarray, h: int")).after
    assert made is not None
    assert "(out_part := out[h:len(x) - h])" in made
    assert "length=(len(x) - h) - h" in made
    assert "            i = cp.arange(h, len(x) - h)\n" in made
    assert "svd(batched.windows(x, (i - h, i + h + 1)), compute_uv=False)[:, 0]" in made


@pytest.mark.parametrize(
    ("stop", "line", "why"),
    [
        ("len(a) - 1", "a[i] = np.linalg.inv(a[i + 1])", "that others write"),
        ("len(a) - 1", "a[i + 1] = a[i] @ np.linalg.inv(b[i])", "that others write"),
        ("1, len(a)", "b[i] = b[i - 1] @ np.linalg.inv(a[i])", "that others write"),
        ("len(a)", "b[i] = np.linalg.inv(a[i - 1])", "is the last item where the loop begins"),
        ("k, len(a)", "a[i] = np.linalg.inv(a[i - k:i].sum(axis=0))", "that others write"),
        ("k, len(a)", "b[i] = b[i - 1] @ np.linalg.inv(a[i])", "that others write"),
    ],
)
def test_items_that_others_write_are_left_to_the_loop(stop: str, line: str, why: str) -> None:
    body = f"for i in range({stop}):\n    {line}\nreturn a, b\n"
    report = port(function_of(body, "a: np.ndarray, b: np.ndarray, k: int"))
    assert "stackable" not in (report.after or "")
    assert any(why in finding.message for finding in report.findings), report.findings


@pytest.mark.parametrize(
    ("value", "stacked"),
    [("np.linalg.det(m) ** 2", True), ("-2 * np.linalg.cond(m) / 3.0", True),
     ("np.linalg.det(m) % 0.1", False), ("np.linalg.matrix_rank(m) ** -1", False),
     ("2 ** np.linalg.matrix_rank(m)", False)],
)  # fmt: skip
def test_a_number_that_is_scaled_leaves_the_loop_with_the_others(value, stacked) -> None:
    text = "import numpy as np\n\n\ndef f(a: np.ndarray):\n    b = np.linalg.inv(a)\n    t = 0.0\n"
    text += f"    for m in b:\n        t += {value}\n    return t\n"
    after = port_module(parse("m.py", text), Config()).after
    assert after is not None
    assert ("batched.total(" in after) == stacked
