"""What a run is made of."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    cells: int = 300
    steps: int = 40
    courant: float = 0.4
    kind: str = "periodic"
