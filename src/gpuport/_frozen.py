"""Small records that are made by the million."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar, dataclass_transform

Record = TypeVar("Record")


@dataclass_transform(frozen_default=True)
def frozen(cls: type[Record]) -> type[Record]:
    """A dataclass with slots that can be hashed and, to type checkers, not be changed.

    One that refuses changes at run time as well takes more than twice as long to make.
    """
    return dataclass(slots=True, unsafe_hash=True)(cls)
