# Baseline image codec study: colour transform, 8x8 DCT, quantisation, zigzag, run-length statistics,
# Huffman code lengths, reconstruction and quality measures over a range of quality settings.
import heapq
import sys
from collections import Counter

import numpy as np

N = 8
LUMA = np.array([
    [16, 11, 10, 16, 24, 40, 51, 61], [12, 12, 14, 19, 26, 58, 60, 55],
    [14, 13, 16, 24, 40, 57, 69, 56], [14, 17, 22, 29, 51, 87, 80, 62],
    [18, 22, 37, 56, 68, 109, 103, 77], [24, 35, 55, 64, 81, 104, 113, 92],
    [49, 64, 78, 87, 103, 121, 120, 101], [72, 92, 95, 98, 112, 100, 103, 99]], dtype=float)
CHROMA = np.full((N, N), 99.0)
CHROMA[:4, :4] = [[17, 18, 24, 47], [18, 21, 26, 66], [24, 26, 56, 99], [47, 66, 99, 99]]


def dct_matrix(n=N):
    k = np.arange(n)[:, None]
    m = np.sqrt(2.0 / n) * np.cos(np.pi * (2 * np.arange(n)[None, :] + 1) * k / (2 * n))
    m[0] /= np.sqrt(2.0)
    return m


def zigzag_order(n=N):
    cells = [(r, c) for r in range(n) for c in range(n)]
    cells.sort(key=lambda rc: (rc[0] + rc[1], rc[0] if (rc[0] + rc[1]) % 2 else rc[1]))
    return np.array([r * n + c for r, c in cells])


def quant_table(base, quality):
    scale = 5000.0 / quality if quality < 50 else 200.0 - 2.0 * quality
    return np.clip(np.floor((base * scale + 50.0) / 100.0), 1.0, 255.0)


def test_scene(h, w, rng):
    """RGB picture with gradients, edges, texture and grain."""
    y, x = np.meshgrid(np.linspace(0, 1, h), np.linspace(0, 1, w), indexing="ij")
    rgb = np.stack([120 + 90 * x, 90 + 80 * y + 20 * np.sin(9 * x), 150 - 70 * x * y], axis=-1)
    disc = (x - 0.35) ** 2 + (y - 0.55) ** 2 < 0.06
    rgb[disc] = rgb[disc] * 0.5 + np.array([80.0, 20.0, 10.0])
    stripes = (np.floor(24 * (x + 0.4 * y) + 0.017) % 2 == 0) & (x > 0.6)
    rgb[stripes] += 35.0
    rgb += rng.normal(0.0, 4.0, rgb.shape)
    return np.clip(rgb, 0.0, 255.0)


def to_ycc(rgb):
    m = np.array([[0.299, 0.587, 0.114], [-0.168736, -0.331264, 0.5], [0.5, -0.418688, -0.081312]])
    ycc = np.einsum("ij,hwj->hwi", m, rgb)
    ycc[..., 1:] += 128.0
    return ycc


def halve(plane):
    h, w = plane.shape
    return plane.reshape(h // 2, 2, w // 2, 2).mean(axis=(1, 3))


def double(plane):
    """Triangle upsampling (3/4, 1/4) as in the usual decoders."""
    p = np.pad(plane, 1, mode="edge")
    out = np.empty((2 * plane.shape[0], 2 * plane.shape[1]))
    for dy in (0, 1):
        for dx in (0, 1):
            a = p[1:-1, 1:-1]
            b = p[2 * dy:2 * dy + plane.shape[0], 1:-1]
            c = p[1:-1, 2 * dx:2 * dx + plane.shape[1]]
            d = p[2 * dy:2 * dy + plane.shape[0], 2 * dx:2 * dx + plane.shape[1]]
            out[dy::2, dx::2] = (9 * a + 3 * b + 3 * c + d) / 16
    return out


def forward(plane, d, table):
    """Quantised coefficients, one row of 64 per block."""
    bh, bw = plane.shape[0] // N, plane.shape[1] // N
    coded = np.zeros((bh * bw, N * N), dtype=np.int64)
    for by in range(bh):
        for bx in range(bw):
            block = plane[by * N:(by + 1) * N, bx * N:(bx + 1) * N] - 127.8125
            coef = d @ block @ d.T
            coded[by * bw + bx] = np.round(coef / table).ravel().astype(np.int64)
    return coded


def inverse(coded, d, table, shape):
    bw = shape[1] // N
    plane = np.zeros(shape)
    for k in range(len(coded)):
        coef = coded[k].reshape(N, N) * table
        by, bx = divmod(k, bw)
        plane[by * N:(by + 1) * N, bx * N:(bx + 1) * N] = d.T @ coef @ d + 127.8125
    return np.clip(plane, 0.0, 255.0)


def run_lengths(scanned):
    """(run, size) symbols of the AC part of all blocks, with end-of-block and ZRL."""
    symbols = Counter()
    bits = 0
    for row in scanned.tolist():
        run = 0
        for value in row[1:]:
            if value == 0:
                run += 1
                continue
            while run > 15:
                symbols[(15, 0)] += 1
                run -= 16
            size = abs(value).bit_length()
            symbols[(run, size)] += 1
            bits += size
            run = 0
        if run:
            symbols[(0, 0)] += 1
    return symbols, bits


def huffman_bits(symbols):
    """Total length of the stream under an optimal prefix code."""
    heap = sorted(symbols.values())
    heapq.heapify(heap)
    total = 0
    while len(heap) > 1:
        joined = heapq.heappop(heap) + heapq.heappop(heap)
        total += joined
        heapq.heappush(heap, joined)
    return total


def dc_entropy(coded):
    """Empirical entropy of the DC differences, bits per block."""
    diff = np.diff(coded[:, 0], prepend=0)
    counts = np.bincount(diff - diff.min())
    p = counts[counts > 0] / len(diff)
    return -(p * np.log2(p)).sum()


def deblock(plane, strength=6.0):
    """Softens small steps over vertical and horizontal block edges, in place."""
    for axis in range(2):
        view = plane if axis == 1 else plane.T
        for e in range(N, view.shape[1], N):
            step = view[:, e] - view[:, e - 1]
            fix = np.where(np.abs(step) < strength, 0.25 * step, 0.0)
            view[:, e] -= fix
            view[:, e - 1] += fix
    return plane


def ssim(a, b, win=8):
    """Mean structural similarity with a uniform window, from integral images."""
    def box(f):
        s = np.zeros((f.shape[0] + 1, f.shape[1] + 1))
        s[1:, 1:] = np.cumsum(np.cumsum(f, axis=0), axis=1)
        return (s[win:, win:] - s[:-win, win:] - s[win:, :-win] + s[:-win, :-win]) / win**2

    ma, mb = box(a), box(b)
    va, vb, cov = box(a * a) - ma**2, box(b * b) - mb**2, box(a * b) - ma * mb
    c1, c2 = (0.01 * 255) ** 2, (0.03 * 255) ** 2
    s = (2 * ma * mb + c1) * (2 * cov + c2) / ((ma**2 + mb**2 + c1) * (va + vb + c2))
    return s.mean()


def psnr(a, b):
    return 10.0 * np.log10(255.0**2 / np.mean((a - b) ** 2))


d = dct_matrix()
order = zigzag_order()
rgb = test_scene(96, 128, np.random.default_rng(8))
ycc = to_ycc(rgb)
luma = np.ascontiguousarray(ycc[..., 0])
cb, cr = halve(ycc[..., 1]), halve(ycc[..., 2])

settings = [15, 45, 80]
rows, planes = [], []
for quality in settings:
    tl, tc = quant_table(LUMA, quality), quant_table(CHROMA, quality)
    coded = [forward(luma, d, tl), forward(cb, d, tc), forward(cr, d, tc)]
    total = 0.0
    for c in coded:
        symbols, extra = run_lengths(c[:, order])
        total += extra + huffman_bits(symbols) + dc_entropy(c) * len(c)
    back = deblock(inverse(coded[0], d, tl, luma.shape))
    chroma = [double(inverse(c, d, tc, cb.shape)) for c in coded[1:]]
    rows.append((total / luma.size, psnr(luma, back), ssim(luma, back),
                 np.mean([psnr(ycc[..., i + 1], chroma[i]) for i in range(2)])))
    planes.append(back)

nonzero = np.count_nonzero(coded[0], axis=0)[order]
table = np.array(rows)
for quality, r in zip(settings, rows):
    print(f"quality {quality:3d}: {r[0]:.4f} bit/pixel, PSNR {r[1]:.3f} dB, SSIM {r[2]:.5f}, chroma {r[3]:.3f} dB")
print(f"coefficients kept at quality {settings[-1]}: {nonzero.sum()} of {coded[0].size}")
np.savez(sys.argv[1], table=table, luma=luma, cb=cb, cr=cr, coded=coded[0], nonzero=nonzero,
         planes=np.stack(planes), chroma=np.stack(chroma))
