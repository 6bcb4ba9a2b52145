"""Texts with numbers: which deviate as values may, and which are others."""

from __future__ import annotations

import pytest

from gpuport.verify.comparison.printed import compare_texts


@pytest.mark.parametrize(
    ("original", "port"),
    [
        ("sum 1.2346", "sum 1.2345"),
        ("[5589.9414 5590.458 ]", "[5589.9414 5590.4579]"),
        ("1.000000000000001", "1.0"),
        ("2.5e-03 m", "2.6e-03 m"),
        ("[0.5 1.25]", "[0.49999999 1.25      ]"),
        ("3", "2.99999"),
        ("[1. 2.]", "[1.00000001 2.        ]"),
        ("inf", "inf"),
    ],
)
def test_a_last_digit_may_deviate(original: str, port: str) -> None:
    assert compare_texts(original, port, (), 10.0).difference is None


@pytest.mark.parametrize(
    ("original", "port"),
    [
        ("3 values", "4 values"),
        ("3 values", "3 items"),
        ("1.25", "1.35"),
        ("nan", "0.0"),
        ("1.0 2.0", "1.0"),
        ("ab", "a b"),
        ("0.123457", "0.1234564"),
        ("0.5", "0.58"),
        ("3", "3.0"),
        ("3", "3.5"),
        ("12", "13"),
    ],
)
def test_other_numbers_and_words_differ(original: str, port: str) -> None:
    assert compare_texts(original, port, (), 10.0).difference is not None


def test_a_number_may_deviate_by_what_it_moves() -> None:
    assert compare_texts("1.00", "1.05", ["1.02"], 10.0).difference is None
    assert compare_texts("1.00", "1.25", ["1.02"], 10.0).difference is not None
