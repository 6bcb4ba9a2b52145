"""Processes that CuPy's tests start have the host backend as well: this folder is on their path."""

import gpuport.host.preload  # noqa: F401
