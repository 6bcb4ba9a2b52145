import numpy as np


class Layer:
    def __init__(self, n, m, rng, activation=np.tanh):
        self.w = rng.normal(size=(n, m)) / np.sqrt(n)
        self.activation = activation

    def __call__(self, x, *extra, scale=1.0):
        y = self.activation(x @ self.w)
        for e in extra:
            y = y + scale * e
        return y


class Net:
    def __init__(self, *layers, **options):
        self.layers = layers
        self.options = options

    def forward(self, x, *extra):
        for layer in self.layers:
            x = layer(x, *extra, **self.options)
        return x


def batches(*arrays, size):
    return [tuple(a[k : k + size] for a in arrays) for k in range(0, len(arrays[0]), size)]


def main():
    rng = np.random.default_rng(3)
    x = rng.normal(size=(512, 64))
    t = rng.normal(size=(512, 64))
    net = Net(Layer(64, 64, rng), Layer(64, 64, rng, activation=np.sin), scale=0.1)
    bias = np.linspace(-1.0, 1.0, 64)
    loss = 0.0
    for xb, tb in batches(x, t, size=128):
        loss += ((net.forward(xb, bias) - tb) ** 2).mean()
    print(f"{loss:.8f}")
    bias[0] = 5.0
    print(f"{net.forward(x, bias, bias * 2).sum():.6f}")
    args = (x, bias)
    print(f"{net.forward(*args).sum():.6f}")


main()
