import numpy as np

data = np.arange(2000.0).reshape(100, 20)
mean = data.mean(axis=0)
std = data.std(axis=0)
names = [f"c{i}" for i in range(20)]
lookup = {name: i for i, name in enumerate(names)}
parts = [data[:50], data[50:]]
first, second = parts
table = np.zeros((3, 20))
row = 0


def normalise(x):
    return (x - mean) / std


def column(name):
    return data[:, lookup[name]]


def write(values):
    global row
    table[row] = values
    row += 1


def change(k):
    first[k] = 0.0


def total():
    return sum(p.sum() for p in parts)


class Scaler:
    factor = std

    def apply(self, x):
        return x / self.factor + mean


def with_class(x):
    return Scaler().apply(x)


def main():
    write(normalise(data[3]))
    write(normalise(first).sum(axis=0))
    change(1)
    write(column("c1")[:20])
    print(table.round(6)[:, :4].tolist(), row)
    print(total(), data[1].sum(), with_class(data[2]).round(6)[:3])
    for name in names[:2]:
        print(name, column(name).sum())


main()
