"""What all tests share: in CI the properties draw the same examples in every run."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

# machines that are shared are slow at times, which says nothing of the tests
settings.register_profile(
    "ci", derandomize=True, deadline=None, suppress_health_check=(HealthCheck.too_slow,)
)
if os.environ.get("CI"):
    settings.load_profile("ci")
