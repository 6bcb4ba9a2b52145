"""Two fields, one after the other."""

import sys

import numpy as np

import base as b
import fields
from base import spot as put


def run(field, steps):
    for _ in range(steps):
        field.step(0.5)
    return np.abs(np.fft.fft2(field.u))


def main(path):
    heat = fields.Heat(48)
    put(heat, 24, 24, 100.0)
    b.spot(heat, 3, 4, 7.0)
    decay = fields.Decay(16, tau=3.0)
    spectra = [run(one, 20).sum() for one in (heat, decay)]
    corner = heat.u[:4, :4]
    corner[...] = -1.0
    print(f"{heat.total:.6f} {decay.total:.6f} {len(heat.history)} {heat.history[3]:.6f}")
    np.savez(path, heat=heat.u, decay=decay.u, spectra=np.array(spectra), corner=corner)


if __name__ == "__main__":
    main(sys.argv[1])
