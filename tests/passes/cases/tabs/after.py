import cupy as cp
from gpuport.runtime import device


class Wave:
	"""Indented with tabs."""

	@device("x", from_size=1_000_000)
	def sin(self, x):
		if len(x) > 3:
			x = cp.sqrt(x)
		return cp.sin(x)
