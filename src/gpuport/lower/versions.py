"""Which SSA value each name has at the place where lowering stands."""

from __future__ import annotations

from gpuport.ir.structure import Value


class Versions:
    """Names and their values, with a log of changes for each region that is open.

    What a region changed is known without comparing all names, so that lowering takes time by what
    is assigned and not by how many names there are.
    """

    def __init__(self) -> None:
        self._values: dict[str, Value] = {}
        self._before: list[dict[str, Value | None]] = [{}]

    def get(self, key: str) -> Value | None:
        """The value of a name; None where it has none on any way to here."""
        return self._values.get(key)

    def now(self) -> dict[str, Value]:
        """All names that have a value."""
        return dict(self._values)

    def set(self, key: str, value: Value) -> None:
        """Give a name a value."""
        self._before[-1].setdefault(key, self._values.get(key))
        self._values[key] = value

    def clear(self) -> None:
        """Forget the values of all names."""
        for key, value in self._values.items():
            self._before[-1].setdefault(key, value)
        self._values.clear()

    def open(self) -> None:
        """Enter a region."""
        self._before.append({})

    def close(self) -> dict[str, Value]:
        """Leave a region: all names have the values from before it; the answer is what it set."""
        before = self._before.pop()
        changed = {key: self._values[key] for key in before if key in self._values}
        for key, value in before.items():
            if value is None:
                self._values.pop(key, None)
            else:
                self._values[key] = value
        return {key: value for key, value in changed.items() if before[key] is not value}
