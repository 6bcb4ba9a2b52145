import numpy as np
try:
    from scipy.special import expit as sigmoid
except ImportError:
    sigmoid = lambda t: 1 / (1 + np.exp(-t))
try:
    from bottleneck_missing import nanmean
except ImportError:
    def nanmean(x):
        return np.sum(x[x == x]) / np.sum(x == x)
try:
    from scipy.special import logit
except ImportError:
    def logit(x):
        return np.log(x / (1 - x))

def work():
    a = np.linspace(0.1, 0.9, 50)
    for k in range(20):
        a = np.sin(a) ** 2 + np.cos(a) * 0.5
        a = sigmoid(a) * np.exp(-a)
        a = np.abs(a) / (1 + np.abs(a))
    b = logit(a)
    return a, b, nanmean(b)

r = work()
print(r[0].sum(), r[1].sum(), r[2])
