"""Whether a call runs inside the host path of another one, on this thread."""

from __future__ import annotations

import threading


class Hosted(threading.local):
    """How many bodies run with NumPy around the code that asks: boundaries in them stay there."""

    depth = 0


hosted = Hosted()
