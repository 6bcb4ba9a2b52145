"""What random walks look like."""

import sys

import numpy as np

import tracks
from filters import clamp, scaled, smoothed


def main(path):
    paths = tracks.walks(40, 500, 3)
    wide = tracks.spread(paths)
    for _ in range(10):
        wide = smoothed(wide, 0.4)
    unit = scaled(wide, wide.min(), wide.max())
    rough = [tracks.roughness(one) for one in paths[:5]]
    print(clamp(len(rough), 0, 3), f"{float(unit.mean()):.6f}")
    np.savez(path, wide=wide, unit=unit, rough=np.array(rough))


if __name__ == "__main__":
    main(sys.argv[1])
