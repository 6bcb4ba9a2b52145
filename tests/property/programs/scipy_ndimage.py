import sys
import numpy as np
import scipy.ndimage as ndi


def regions(picture, level):
    labels, count = ndi.label(picture > level)
    index = np.arange(1, count + 1)
    means = ndi.mean(picture, labels, index)
    areas = ndi.sum_labels(np.ones_like(picture), labels, index)
    return labels, means, areas


def edges(picture):
    gx = ndi.sobel(picture, axis=0)
    gy = ndi.sobel(picture, axis=1)
    return np.hypot(gx, gy)


def rotated(picture):
    return ndi.rotate(picture, 30.0, reshape=False, order=1), ndi.zoom(picture, (2, 1.5), order=1)


def counted(picture):
    small = picture.astype(np.int32)
    return ndi.median(small, small > 0)


if __name__ == "__main__":
    rng = np.random.default_rng(3)
    picture = ndi.gaussian_filter(rng.random((48, 40)), 2.0)
    labels, means, areas = regions(picture, 0.5)
    turned, grown = rotated(picture)
    centres = ndi.center_of_mass(picture, labels, [1, 2])
    np.savez(sys.argv[1], labels=labels, means=means, areas=areas, edges=edges(picture),
             turned=turned, grown=grown, c=counted(100 * picture), centres=np.array(centres))
