"""Parts of an attribute by keys of every kind: elements are copies, slices are views."""

import sys

import numpy as np


class Store:
    def __init__(self, n):
        self.samples = np.linspace(0.0, 1.0, n)

    def __getitem__(self, key):
        return self.samples[key]

    def smooth(self):
        for _ in range(20):
            self.samples = np.sin(self.samples) * np.cos(self.samples) + 0.1


class Record:
    def __init__(self, n):
        self.samples = np.linspace(0.0, 2.0, n)

    def part(self, key):
        return self.samples[key]

    def smooth(self):
        for _ in range(20):
            self.samples = np.sin(self.samples) * np.cos(self.samples) + 0.1


class Table:
    def __init__(self, n):
        self.samples = np.linspace(0.0, 3.0, n)

    def part(self, key):
        return self.samples[key]

    def smooth(self):
        for _ in range(20):
            self.samples = np.sin(self.samples) * np.cos(self.samples) + 0.1


def by_subscript():
    store = Store(5000)
    store.smooth()
    head = store[2:50]
    head[:] = -3.0
    element = store[7]
    store[60:70][...] = 5.0
    print(type(element).__name__, f"{element:.6f}")
    return store.samples, head


def by_method():
    record = Record(5000)
    record.smooth()
    head = record.part(slice(2, 50))
    head[:] = -3.0
    element = record.part(7)
    start = 100
    middle = record.part(slice(start, start + 3))
    middle += 100.0
    print(type(element).__name__, f"{element:.6f}")
    return record.samples, middle


def by_anything():
    table = Table(5000)
    table.smooth()
    head = table.part(slice(2, 50))
    head[:] = -3.0
    chosen = table.part(np.array([5, 6]))
    chosen[:] = 1e3
    whole = table.part(...)
    whole[7] = 12.0
    return table.samples, chosen


def main(path):
    first, head = by_subscript()
    second, middle = by_method()
    third, chosen = by_anything()
    np.savez(
        path, first=first, head=head, second=second, middle=middle, third=third, chosen=chosen
    )


if __name__ == "__main__":
    main(sys.argv[1])
