import numpy as np

N = 128
DT = 1e-3
x = np.linspace(0, 2 * np.pi, N, endpoint=False)
X, Y = np.meshgrid(x, x, indexing="ij")
k = np.fft.fftfreq(N, 1 / N)
KX, KY = np.meshgrid(k, k, indexing="ij")
K2 = KX ** 2 + KY ** 2
FILTER = np.exp(-36 * (np.sqrt(K2) / K2.max() ** 0.5) ** 36)
