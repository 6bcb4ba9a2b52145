"""What is said of linear algebra that could be written better; nothing of it is done."""

from __future__ import annotations

import textwrap

import pytest

from gpuport.config import Config
from gpuport.passes.port import port_module
from gpuport.source.reading import parse

ADVICE = frozenset({"GP320", "GP321", "GP322", "GP323", "GP324", "GP325"})


def said(body: str) -> list[str]:
    """Codes of the advice on a function of two matrices and a list."""
    text = "import numpy as np\nimport scipy.linalg\nimport scipy.sparse.linalg\n\n\n"
    text += "def f(a: np.ndarray, b: np.ndarray, xs):\n"
    text += textwrap.indent(textwrap.dedent(body), "    ")
    report = port_module(parse("module.py", text), Config())
    return [f.code for f in report.findings if f.code in ADVICE]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("return np.linalg.inv(a) @ b", "GP320"),
        ("return b @ np.linalg.inv(a)", "GP320"),
        ("return np.dot(np.linalg.inv(a), b)", "GP320"),
        ("return np.linalg.inv(a).dot(b)", "GP320"),
        ("return scipy.linalg.inv(a) @ b", "GP320"),
        ("return -np.linalg.inv(a) @ b", "GP320"),
        ("return np.linalg.det(a) > 0", "GP321"),
        ("return np.linalg.det(a) <= 0", "GP321"),
        ("return 0 < np.linalg.det(a)", "GP321"),
        ("return (np.linalg.eigvalsh(a) > 0).all()", "GP321"),
        ("for x in xs:\n    c = np.linalg.inv(a)\n    b = b + c * x\nreturn b", "GP322"),
        ("return np.linalg.eigvalsh(a) * np.log(np.linalg.eigvalsh(a))", "GP325"),
        ("return [np.linalg.svd(x)[0] @ np.linalg.svd(x)[2] for x in xs]", "GP325"),
        ("c = np.linalg.inv(a)\nif b[0, 0] > 1:\n    c = c + np.linalg.inv(a)\nreturn c", "GP325"),
        ("w, v = np.linalg.eigh(np.cov(a.T))\nreturn v", "GP323"),
        ("c = np.cov(a, rowvar=False)\nreturn np.linalg.eigh(c)[1]", "GP323"),
        ("c = a - a.mean(axis=0)\nreturn np.linalg.svd(c, full_matrices=False)[2]", "GP323"),
        ("c = a - np.mean(a, 0)\nreturn scipy.linalg.eigh(c.T @ c / (len(a) - 1))[1]", "GP323"),
        ("return scipy.sparse.linalg.svds(a, k=2)[1]", "GP324"),
        ("return scipy.sparse.linalg.svds(np.abs(a @ b), 2)[1]", "GP324"),
        ("c = np.linalg.inv(a)\nreturn c @ b", "GP320"),
        ("d = np.linalg.det(a)\nreturn d if d <= 0 else b", "GP321"),
        ("return np.linalg.eigvalsh(a).min() > 0", "GP321"),
        ("return min(np.linalg.eigvalsh(a)) > 0", "GP321"),
        ("return np.linalg.eigvalsh(a)[0] > 0", "GP321"),
        ("return np.linalg.eigvalsh(a).max() / np.linalg.eigvalsh(a).min()", "GP325"),
        ("out = []\nfor x in xs:\n    out.append(np.linalg.solve(a, x))\nreturn out", "GP322"),
        ("return [np.linalg.cholesky(a) * x for x in xs]", "GP322"),
        ("a = a - a.mean(axis=0)\nreturn np.linalg.eigvalsh(np.dot(a.T, a))", "GP323"),
        ("c = a.copy()\nc -= c.mean(axis=0)\nreturn np.linalg.svd(c)[1]", "GP323"),
        ("while b[0, 0] > 1:\n    b = b * np.linalg.det(a)\nreturn b", "GP322"),
    ],
)
def test_better_ways_are_named(body: str, code: str) -> None:
    assert said(body) == [code]


@pytest.mark.parametrize(
    "body",
    [
        "return np.linalg.inv(a)",
        "c = np.linalg.inv(a)\nreturn c @ b, c",
        "c = np.linalg.inv(a)\nreturn xs(lambda p: p @ c)",
        "c = np.linalg.inv(a)\nreturn [c @ x for x in xs]",
        "c = a.copy()\nc -= b.mean(axis=0)\nreturn np.linalg.svd(c)[1]",
        "for x in xs:\n    a = np.linalg.solve(a, x)\nreturn a",
        "for x in xs:\n    xs.append(a)\n    b = np.linalg.inv(a) * x\nreturn b",
        "return np.linalg.inv(a) * b",
        "return np.linalg.solve(a, b)",
        "return np.linalg.det(a) > b[0, 0]",
        "return np.linalg.det(a) == 0",
        "if np.linalg.det(a @ b) < 0:\n    b = -b\nreturn b",
        "return -b if 0 > np.linalg.det(a) else b",
        "return np.linalg.eigh(np.cov(a[0], b[0]))[1]",
        "return np.linalg.eigvalsh(a) > 1",
        "return np.linalg.eigh(a.T @ a)[1]",
        "return np.linalg.svd(a - b)[1]",
        "return np.linalg.svd(a - b.mean(axis=0))[1]",
        "return np.linalg.svd(a - a.mean())[1]",
        "return np.linalg.svd(a - a.mean(axis=1, keepdims=True))[1]",
        "s = scipy.sparse.csr_matrix(a)\nreturn scipy.sparse.linalg.svds(s, 2)[1]",
        "return scipy.sparse.linalg.svds(xs.tocsr(), 2)[1]",
        "s = scipy.sparse.eye(3)\nreturn scipy.sparse.linalg.svds(s * 2, 2)[1]",
        "for x in xs:\n    c = np.linalg.inv(a)\n    a = a + x\nreturn a",
        "for x in xs:\n    c = np.linalg.inv(a)\n    a[0, 0] += x\nreturn a",
        "for x in xs:\n    c = np.linalg.inv(x)\nreturn a",
        "for x in xs:\n    c = np.linalg.inv(a)\n    x.fill(a)\nreturn a",
        "for x in xs:\n    np.add(a, x, out=a)\n    c = np.linalg.inv(a)\nreturn a",
        "for x in xs:\n    c = np.linalg.inv(a + x)\nreturn a",
        "c = np.linalg.det(a)\na += 1\nreturn c + np.linalg.det(a)",
        "c = np.linalg.det(a)\na[0] = 1\nreturn c + np.linalg.det(a)",
        "c = np.linalg.det(a)\na.sort()\nreturn c + np.linalg.det(a)",
        "c = np.linalg.det(a)\na = a + b\nreturn c + np.linalg.det(a)",
        "if b[0, 0] > 1:\n    return np.linalg.det(a)\nreturn np.linalg.det(a)",
        "if b[0, 0] > 1:\n    c = np.linalg.det(a)\nelse:\n    c = -np.linalg.det(a)\nreturn c",
        "return np.linalg.det(a) if b[0, 0] > 1 else -np.linalg.det(a)",
        "return np.linalg.qr(a)[0] + np.linalg.qr(a, mode='complete')[0]",
        "return np.linalg.eigvalsh(a) + np.linalg.eigvalsh(b)",
    ],
)
def test_nothing_is_said_of_what_is_well(body: str) -> None:
    assert said(body) == []
