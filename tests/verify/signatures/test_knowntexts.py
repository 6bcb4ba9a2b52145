"""Texts that a function knows of a parameter, however it spells them."""

from __future__ import annotations

import ast

import pytest

from gpuport.verify.signatures.signatures import signatures_of


@pytest.mark.parametrize(
    "body",
    [
        "    kind = mode.lower()\n    if kind == 'fast':\n        return x\n    return -x\n",
        "    return x if mode.upper() == 'fast' else -x\n",
        "    table = {}\n    table['fast'] = 1.0\n    return x * table[mode.lower()]\n",
        "    return x * TABLE.get(mode.strip(), 1.0)\n",
    ],
)
def test_texts_in_another_spelling_are_known(body: str) -> None:
    text = f"TABLE = dict()\nTABLE['fast'] = 2.0\ndef f(x, mode='text'):\n{body}"
    (signature,) = signatures_of(ast.parse(text))
    (mode,) = (p for p in signature.parameters if p.name == "mode")
    assert any("fast" in slot.choices for slot in mode.candidates)
