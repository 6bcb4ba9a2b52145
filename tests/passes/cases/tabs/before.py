import numpy as np


class Wave:
	"""Indented with tabs."""

	def sin(self, x):
		if len(x) > 3:
			x = np.sqrt(x)
		return np.sin(x)
