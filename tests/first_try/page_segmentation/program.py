# Segmentation of a small scanned page: threshold, skew, lines, words and glyphs by projections and
# connected components over run lengths, then reading by template matching.
import sys
from collections import Counter, namedtuple

import numpy as np

FONT = {
    "A": "01110 10001 10001 11111 10001 10001 10001", "C": "01111 10000 10000 10000 10000 10000 01111",
    "D": "11110 10001 10001 10001 10001 10001 11110", "E": "11111 10000 10000 11110 10000 10000 11111",
    "F": "11111 10000 10000 11110 10000 10000 10000", "H": "10001 10001 10001 11111 10001 10001 10001",
    "K": "10001 10010 10100 11000 10100 10010 10001", "L": "10000 10000 10000 10000 10000 10000 11111",
    "N": "10001 11001 11001 10101 10011 10011 10001", "O": "01110 10001 10001 10001 10001 10001 01110",
    "P": "11110 10001 10001 11110 10000 10000 10000", "R": "11110 10001 10001 11110 10100 10010 10001",
    "T": "11111 00100 00100 00100 00100 00100 00100", "U": "10001 10001 10001 10001 10001 10001 01110",
    "V": "10001 10001 10001 10001 10001 01010 00100", "X": "10001 10001 01010 00100 01010 10001 10001",
}
TEXT = ["THE POCKET HARP", "FOUND TEN OAK", "TRUNK NEAR A", "CLEAR LAKE EXTRA", "CARVED ON A DECK"]
Run = namedtuple("Run", "row start stop")
Box = namedtuple("Box", "top left bottom right area")


def glyph(letter, scale=2):
    rows = [[int(c) for c in row] for row in FONT[letter].split()]
    return np.kron(np.array(rows, dtype=float), np.ones((scale, scale)))


def render(lines, rng, height=132, width=236, slope=0.018):
    """Grey page with the text on a slightly rising baseline, uneven light and specks."""
    page = np.zeros((height, width))
    for n, line in enumerate(lines):
        x, y = 12, 14 + 22 * n
        for letter in line:
            if letter != " ":
                g = glyph(letter)
                top = y + int(slope * x)
                part = page[top:top + g.shape[0], x:x + g.shape[1]]
                np.maximum(part, g, out=part)
            x += 13 if letter != " " else 10
    light = 215.0 - 0.12 * np.arange(width)[None, :] - 0.2 * np.arange(height)[:, None]
    grey = light * (1 - 0.75 * page) + rng.normal(0.0, 9.0, page.shape)
    for r, c in zip(rng.integers(0, height, 60), rng.integers(0, width, 60)):
        grey[r, c] -= 120.0
    return np.clip(np.round(grey), 0, 255).astype(np.uint8)


def otsu(grey):
    """Threshold with the largest variance between the classes."""
    hist = np.bincount(grey.ravel(), minlength=256)
    w, m = np.cumsum(hist), np.cumsum(hist * np.arange(256))
    inner = (w > 30) & (w < grey.size - 30)
    between = np.zeros(256)
    between[inner] = (m[-1] * w[inner] - m[inner] * grey.size).astype(float) ** 2 / (w[inner] * (grey.size - w[inner]))
    return int(np.argmax(between))


def skew(ink, slopes):
    """Slope whose sheared row projection is the sharpest."""
    rows, cols = np.nonzero(ink)
    scores = []
    for s in slopes:
        profile = np.bincount(np.maximum(rows - np.floor(s * cols).astype(int), 0), minlength=ink.shape[0])
        scores.append(int((np.diff(profile) ** 2).sum()))
    return slopes[int(np.argmax(scores))], scores


def shear(ink, slope):
    out = np.zeros_like(ink)
    for c in range(ink.shape[1]):
        d = int(np.floor(slope * c))
        out[:ink.shape[0] - d, c] = ink[d:, c]
    return out


def runs_of(ink):
    for r, row in enumerate(ink):
        edge = np.flatnonzero(np.diff(np.concatenate(([0], row.astype(np.int8), [0]))))
        for a, b in zip(edge[::2], edge[1::2]):
            yield Run(r, int(a), int(b))


def components(ink):
    """Boxes of the 8-connected components, by union of overlapping runs."""
    runs = list(runs_of(ink))
    parent = list(range(len(runs)))

    def find(i):
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    by_row = {}
    for i, run in enumerate(runs):
        by_row.setdefault(run.row, []).append(i)
    for i, run in enumerate(runs):
        for j in by_row.get(run.row - 1, []):
            if runs[j].start <= run.stop and run.start <= runs[j].stop:
                parent[find(i)] = find(j)
    boxes = {}
    for i, run in enumerate(runs):
        b = boxes.get(find(i), Box(run.row, run.start, run.row, run.stop, 0))
        boxes[find(i)] = Box(min(b.top, run.row), min(b.left, run.start), max(b.bottom, run.row),
                             max(b.right, run.stop), b.area + run.stop - run.start)
    return sorted(boxes.values())


def intervals(profile, gap):
    """Stretches of ink in a projection, joined over gaps that are shorter than gap."""
    out = []
    for k in np.flatnonzero(profile):
        if out and k - out[-1][1] < gap:
            out[-1][1] = int(k) + 1
        else:
            out.append([int(k), int(k) + 1])
    return [tuple(i) for i in out if i[1] - i[0] > 2]


def normalise(patch, shape=(14, 10)):
    """Nearest-neighbour copy of a patch on the template size, zero mean and unit norm."""
    r = np.minimum((np.arange(shape[0]) + 0.37) * patch.shape[0] / shape[0], patch.shape[0] - 1).astype(int)
    c = np.minimum((np.arange(shape[1]) + 0.37) * patch.shape[1] / shape[1], patch.shape[1] - 1).astype(int)
    p = patch[np.ix_(r, c)].astype(float)
    p -= p.mean()
    return p / (np.linalg.norm(p) + 1e-9)


def read(patch, templates):
    p = normalise(patch)
    scores = {letter: float((p * t).sum()) for letter, t in templates.items()}
    best = max(sorted(scores), key=scores.get)
    return best, scores[best]


def recognise(ink, templates):
    """Text of each line with a space where the gap between glyphs is wide."""
    lines, scores = [], []
    for top, bottom in intervals(ink.sum(axis=1), 3):
        strip = ink[top:bottom]
        text, last = "", None
        for left, right in intervals(strip.sum(axis=0), 1):
            cell = strip[:, left:right]
            rows = np.flatnonzero(cell.any(axis=1))
            letter, score = read(cell[rows[0]:rows[-1] + 1], templates)
            if last is not None and left - last > 7:
                text += " "
            text += letter
            scores.append(score)
            last = right
        lines.append(text)
    return lines, np.array(scores)


def edit_distance(a, b):
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        diagonal, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            diagonal, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, diagonal + (x != y))
    return row[-1]


def main():
    grey = render(TEXT, np.random.default_rng(17))
    level = otsu(grey)
    ink = (grey <= level).astype(np.uint8)
    slope, sharpness = skew(ink, np.linspace(0.0, 0.04, 17) + 0.0007)
    straight = shear(ink, slope)
    boxes = components(straight)
    for b in boxes:
        if b.area < 6:
            straight[b.top:b.bottom + 1, b.left:b.right] = 0
    glyphs = [b for b in boxes if b.area >= 6]
    templates = {letter: normalise(glyph(letter)) for letter in FONT}
    lines, scores = recognise(straight, templates)
    errors = [edit_distance(a, b) for a, b in zip(lines, TEXT)]

    print(f"threshold {level}, slope {slope:.4f}, {len(boxes)} components, {len(glyphs)} glyphs")
    for line, e in zip(lines, errors):
        print(f"  {line}  ({e} errors)")
    print(f"mean score {scores.mean():.4f}, lowest {scores.min():.4f}")
    print("frequent letters: " + ", ".join(f"{k} {v}" for k, v in sorted(Counter("".join(lines)).items())[1:6]))
    np.savez(sys.argv[1], straight=straight, boxes=np.array(glyphs), scores=scores,
             sharpness=np.array(sharpness), errors=np.array(errors))


if __name__ == "__main__":
    main()
