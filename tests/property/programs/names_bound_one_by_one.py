"""Types and functions of NumPy that get their names together: hashes of whole numbers that wrap."""

import numpy as np

U32, (U64, F) = np.uint32, (np.uint64, np.float64)
sin, cos = np.sin, np.cos


def rotl(x, r):
    return (x << U32(r)) | (x >> U32(32 - r))


def murmur(keys, seed=0):
    h = np.full(keys.shape, seed, dtype=U32)
    k = keys.astype(U32) * U32(0xCC9E2D51)
    h ^= rotl(k, 15) * U32(0x1B873593)
    h = rotl(h, 13) * U32(5) + U32(0xE6546B64)
    h ^= h >> U32(16)
    return h * U32(0x85EBCA6B)


def popcount(x):
    x = x - ((x >> U64(1)) & U64(0x5555555555555555))
    x = (x & U64(0x3333333333333333)) + ((x >> U64(2)) & U64(0x3333333333333333))
    x = (x + (x >> U64(4))) & U64(0x0F0F0F0F0F0F0F0F)
    return ((x * U64(0x0101010101010101)) >> U64(56)).astype(np.uint8)


def wave(x):
    low, high = x.min(), x.max()
    s, c = sin(x), cos(x)
    s, c = c, s
    return (s - c) * (high - low)


keys = np.arange(1000)
h = murmur(keys)
print(h[:4], h.dtype, int(h.astype(U64).sum()), np.bincount(h % 8))
print(popcount(h.astype(U64))[:10], popcount(np.arange(10, dtype=U64)))
print(murmur(keys, 7)[-3:], wave(h.astype(F) / 2**32).sum().round(8))
