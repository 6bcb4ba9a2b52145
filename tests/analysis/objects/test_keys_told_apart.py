"""What stands under the keys of a dict may be in different places, unless it is used as a whole."""

from __future__ import annotations

import pytest
from tests.passes.conftest import port

PROGRAM = """\
import numpy as np


def make(rng):
    soil = rng.random((1000, 3))
    return {{
        "names": rng.choice(["a", "b"], 1000),
        "wp": soil * 0.1,
        "fc": soil * 0.4,
    }}


def use(fields, theta):
    theta -= np.minimum(theta, 0.01 * np.exp(fields["fc"] - fields["wp"]))


def named(fields, theta):
    return theta[fields["names"] == "a"].sum()


def main():
    fields = make(np.random.default_rng(1))
    theta = np.zeros((1000, 3)) + 5.0
    for _ in range(50):
        use(fields, theta)
    print(theta.sum(), named(fields, theta))
    {more}


main()
"""


def test_texts_do_not_keep_what_stands_beside_them() -> None:
    made = port(PROGRAM.format(more="pass")).after or ""
    assert "soil = cp.asarray(rng.random((1000, 3)))" in made
    assert '"names": rng.choice(["a", "b"], 1000),' in made
    assert "@device" not in made


@pytest.mark.parametrize(
    "more",
    [
        "print([len(one) for one in fields.values()])",
        "print(sorted(fields.items(), key=str)[0][0])",
        "globals().update(fields)",
        'print(dict(fields, more=1)["names"][0])',
        "for key in fields:\n        print(key, fields[key][0])",
        'other = fields\n    for key in ("wp", "names"):\n        print(other[key][0])',
    ],
)
def test_what_is_used_as_a_whole_is_in_one_place(more: str) -> None:
    made = port(PROGRAM.format(more=more)).after or ""
    assert "soil = rng.random((1000, 3))" in made
    assert "soil = cp" not in made


ALIASES = """\
import numpy as np


def make(n):
    return {"a": np.zeros(n), "b": np.ones(n)}


def grow(state):
    state["b"] = state["a"]
    a = state["a"]
    a += 1.0
    state["b"] *= 2.0
    return np.sqrt(a), np.exp(-state["b"])


def main():
    state = make(4000)
    for _ in range(30):
        p, q = grow(state)
        p -= 0.5
    print(state["a"].sum(), state["b"].sum(), p.sum(), q.sum(), state["a"] is state["b"])


main()
"""


def test_keys_that_hold_one_array_hold_it_still() -> None:
    made = port(ALIASES).after or ""
    assert 'state["b"] = state["a"]' in made
    assert "asnumpy(state" not in made.replace('asnumpy(state["a"].sum', "")
