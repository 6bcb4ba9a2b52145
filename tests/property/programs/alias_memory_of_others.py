"""Arrays over memory of others, mapped files and buffers: what is stored arrives there."""

import array
import os
import tempfile
from multiprocessing import shared_memory

import numpy as np


def buffers(n):
    raw = bytearray(8 * n)
    v = np.frombuffer(raw, dtype=np.float64)
    v[:] = np.sin(np.arange(n)) + 1
    print(sum(raw) > 0, np.exp(v).sum().round(6))
    return bytes(raw)


def arr(n):
    a = array.array("d", [0.0] * n)
    v = np.asarray(a)
    v[:] = np.cos(np.arange(n)) ** 2
    v += np.sqrt(np.arange(n))
    return a.tolist()


def arr2(n):
    a = array.array("d", [0.0] * n)
    v = np.frombuffer(a)
    np.add(np.sin(np.arange(n)), 1.0, out=v)
    return a.tolist()


def shm(n):
    s = shared_memory.SharedMemory(create=True, size=8 * n)
    try:
        v = np.ndarray((n,), dtype=np.float64, buffer=s.buf)
        v[:] = np.sqrt(np.arange(n))
        v *= np.exp(-np.arange(n))
        w = np.frombuffer(s.buf, dtype=np.float64, count=n)
        print(w.round(5))
        del v, w
    finally:
        s.close()
        s.unlink()


def mm(path, n):
    m = np.load(path, mmap_mode="r+")
    m[:] = np.sin(m) + np.arange(n)
    m.flush()
    return np.load(path)


class Store:
    def __init__(self, path, n):
        self.data = np.memmap(path, dtype=float, mode="w+", shape=(n,))

    def update(self, x):
        self.data[:] = np.exp(x) + np.sin(x)
        self.data += np.sqrt(np.abs(x))


def helper(n):
    return np.memmap(P + "h", dtype=float, mode="w+", shape=(n,))


def fillin(out, x):
    out[:] = np.sin(x) * np.cos(x)
    out += np.exp(x)


P = os.path.join(tempfile.mkdtemp(), "a.npy")
np.save(P, np.arange(4.0))
print(len(buffers(3)), np.round(arr(4), 5), np.round(arr2(4), 5))
shm(4)
print(mm(P, 4).round(5))
s = Store(P + "s", 4)
s.update(np.arange(4.0))
print(np.fromfile(P + "s").round(5))
h = helper(5)
fillin(h, np.linspace(0, 1, 5))
print(np.fromfile(P + "h").round(5))


class Ring:
    def __init__(self, raw):
        self.v = np.frombuffer(raw, dtype=np.float64)

    def put(self, x):
        self.v[:] = np.sin(x) + np.cos(x) * np.exp(x)
        self.v *= np.sqrt(np.abs(x))


def view_of(raw):
    return np.frombuffer(raw)


class Shm:
    def __init__(self, raw, n):
        self.v = np.ndarray((n,), np.float64, buffer=raw)

    def put(self, x):
        self.v[:] = np.sin(x) + np.cos(x) * np.exp(x)
        self.v *= np.sqrt(np.abs(x))


raw = bytearray(32)
Ring(raw).put(np.arange(4.0))
print(np.frombuffer(bytes(raw)).round(5))
w = view_of(raw)
w[:] = np.sqrt(np.linspace(0, 1, 4))
w += np.exp(np.linspace(0, 1, 4))
print(np.frombuffer(bytes(raw)).round(5))
Shm(raw, 4).put(np.arange(4.0) + 2)
print(np.frombuffer(bytes(raw)).round(5))
pcm = np.frombuffer(bytes(range(64)), dtype="<i2")
x = pcm.astype(np.float64) / 32768
print(np.abs(np.fft.rfft(x)).round(6)[:4], np.sqrt((x**2).mean()).round(8))


def reads(path):
    m = np.memmap(path, dtype=np.float64, mode="r")
    return np.sqrt(np.exp(np.sin(m)) + np.cos(m) ** 2).sum()


print(round(float(reads(P + "s")), 8))
