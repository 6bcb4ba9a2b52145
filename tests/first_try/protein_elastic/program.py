"""Contact maps and elastic network models of a coarse-grained protein, from an ensemble of conformers.

Gaussian network (Kirchhoff matrix), anisotropic network (Hessian), contact order, native contacts,
superposition, and strain energies of the conformers in the network of the reference structure.
"""
import sys

import numpy as np

SEGMENTS = """
H 22  L 5  E 9  L 4  E 9  L 6  H 18  L 7
E 10  L 3  E 10 L 8  H 26 L 5  E 8   L 6
"""

# rise per residue, radius and turn of the local helix
GEOMETRY = {"H": (1.5, 2.3, 100.0), "E": (3.3, 0.9, 190.0), "L": (2.9, 1.6, 65.0)}
CUTOFF = 8.0
SPRING = 1.0


class Chain:
    """C-alpha trace with its secondary structure string."""

    def __init__(self, xyz, ss):
        self.xyz = xyz
        self.ss = ss

    def __len__(self):
        return len(self.xyz)

    @classmethod
    def fold(cls, text, rng):
        """Segments placed back and forth on a small lattice of parallel axes."""
        tokens = text.split()
        pieces, ss = [], ""
        for k, (kind, length) in enumerate(zip(tokens[::2], map(int, tokens[1::2]))):
            rise, radius, turn = GEOMETRY[kind]
            t = np.arange(length)
            phase = np.deg2rad(turn) * t
            z = rise * (t - 0.5 * (length - 1))
            axis = np.array([9.0 * ((k // 2) % 4), 9.5 * (k // 8), 0.0])
            local = np.stack([radius * np.cos(phase), radius * np.sin(phase), z if k % 4 < 2 else -z], axis=1)
            if kind == "L":
                local[:, 2] = 14.0 * (1 if k % 4 < 2 else -1) + 0.3 * z
                axis[0] += 4.5
            pieces.append(local + axis)
            ss += kind * length
        xyz = np.concatenate(pieces) + rng.normal(0.0, 0.25, (len(ss), 3))
        return cls(xyz - xyz.mean(axis=0), ss)

    def distances(self):
        d = self.xyz[:, None, :] - self.xyz[None, :, :]
        return np.sqrt((d * d).sum(axis=2))

    def contacts(self, cutoff=CUTOFF, separation=3):
        i = np.arange(len(self))
        return (self.distances() < cutoff) & (np.abs(i[:, None] - i[None, :]) >= separation)


def contact_order(chain):
    i, j = np.nonzero(np.triu(chain.contacts()))
    return (j - i).mean() / len(chain)


def kirchhoff(chain, cutoff=CUTOFF):
    near = chain.distances() < cutoff
    k = -near.astype(float)
    np.fill_diagonal(k, 0.0)
    np.fill_diagonal(k, -k.sum(axis=1))
    return k


def hessian(chain, cutoff=13.0):
    """Anisotropic network, 3N x 3N; backbone neighbours are ten times stiffer."""
    n = len(chain)
    h = np.zeros((3 * n, 3 * n))
    for i in range(n):
        for j in range(i + 1, n):
            d = chain.xyz[j] - chain.xyz[i]
            r2 = d @ d
            if r2 > cutoff * cutoff:
                continue
            stiff = 10.0 * SPRING if j == i + 1 else SPRING * 36.0 / r2
            block = -stiff * np.outer(d, d) / r2
            h[3 * i:3 * i + 3, 3 * j:3 * j + 3] = block
            h[3 * j:3 * j + 3, 3 * i:3 * i + 3] = block
            h[3 * i:3 * i + 3, 3 * i:3 * i + 3] -= block
            h[3 * j:3 * j + 3, 3 * j:3 * j + 3] -= block
    return h


def mobility(values, vectors, skip):
    """Diagonal of the pseudo inverse and the covariance itself."""
    kept = vectors[:, skip:]
    cov = (kept / values[skip:]) @ kept.T
    return np.diag(cov).copy(), cov


def cross_correlation(cov):
    """Normalised correlation of residue displacements from a 3N x 3N covariance."""
    n = len(cov) // 3
    c = np.einsum("iaja->ij", cov.reshape(n, 3, n, 3))
    s = np.sqrt(np.diag(c))
    return c / np.outer(s, s)


def conformers(chain, values, vectors, count, rng, temperature=4.0):
    """Thermal displacements along the softest modes, plus local noise and a random rotation."""
    modes = slice(6, 36)
    amp = np.sqrt(temperature / values[modes]) * rng.standard_normal((count, 30))
    moves = (amp @ vectors[:, modes].T).reshape(count, len(chain), 3)
    out = chain.xyz + moves + 0.15 * rng.standard_normal(moves.shape)
    for k, angles in enumerate(rng.uniform(-0.6, 0.6, (count, 3))):
        out[k] = out[k] @ rotation(*angles).T
    return out


def rotation(a, b, c):
    rz = np.array([[np.cos(a), -np.sin(a), 0.0], [np.sin(a), np.cos(a), 0.0], [0.0, 0.0, 1.0]])
    ry = np.array([[np.cos(b), 0.0, np.sin(b)], [0.0, 1.0, 0.0], [-np.sin(b), 0.0, np.cos(b)]])
    rx = np.array([[1.0, 0.0, 0.0], [0.0, np.cos(c), -np.sin(c)], [0.0, np.sin(c), np.cos(c)]])
    return rz @ ry @ rx


def superpose(mobile, target):
    """Kabsch fit of every conformer onto the target; fitted coordinates and rmsd."""
    fitted = np.empty_like(mobile)
    rmsd = np.zeros(len(mobile))
    for k in range(len(mobile)):
        x = mobile[k] - mobile[k].mean(axis=0)
        u, _, vt = np.linalg.svd(x.T @ target)
        flip = np.diag([1.0, 1.0, np.sign(np.linalg.det(u @ vt))])
        fitted[k] = x @ (u @ flip @ vt)
        rmsd[k] = np.sqrt(((fitted[k] - target) ** 2).sum() / len(target))
    return fitted, rmsd


def strain(chain, ensemble, cutoff=10.0):
    """Spring energies of the conformers and their native contact fractions."""
    i, j = np.nonzero(np.triu(chain.distances() < cutoff, 1))
    rest = np.linalg.norm(chain.xyz[i] - chain.xyz[j], axis=1)
    energy = np.zeros(len(ensemble))
    native = np.zeros(len(ensemble))
    share = np.zeros(len(chain))
    for k, xyz in enumerate(ensemble):
        r = np.linalg.norm(xyz[i] - xyz[j], axis=1)
        e = 0.5 * SPRING * (r - rest) ** 2
        energy[k] = e.sum()
        native[k] = (r < 1.2 * rest).mean()
        np.add.at(share, i, 0.5 * e)
        np.add.at(share, j, 0.5 * e)
    return energy, native, share / len(ensemble)


def helices(ss):
    """Start and end of the helical segments."""
    start = None
    for k, c in enumerate(ss + "-"):
        if c == "H" and start is None:
            start = k
        elif c != "H" and start is not None:
            yield start, k
            start = None


def main():
    rng = np.random.default_rng(310)
    chain = Chain.fold(SEGMENTS, rng)
    print(f"{len(chain)} residues, {int(chain.contacts().sum()) // 2} contacts, "
          f"relative contact order {contact_order(chain):.4f}")
    values, vectors = np.linalg.eigh(kirchhoff(chain))
    bgnm, _ = mobility(values, vectors, 1)
    avalues, avectors = np.linalg.eigh(hessian(chain))
    diag, cov = mobility(avalues, avectors, 6)
    banm = diag.reshape(-1, 3).sum(axis=1)
    corr = cross_correlation(cov)
    print(f"softest modes {avalues[6]:.5f} {avalues[7]:.5f}, GNM-ANM agreement {np.corrcoef(bgnm, banm)[0, 1]:.4f}")

    # modes are fixed in sign by their largest component, so the ensemble is reproducible
    top = np.argmax(np.abs(avectors), axis=0)
    avectors = avectors * np.sign(avectors[top, np.arange(len(top))])
    ensemble = conformers(chain, avalues, avectors, 400, rng)
    fitted, rmsd = superpose(ensemble, chain.xyz)
    energy, native, share = strain(chain, fitted)
    rmsf = np.sqrt(((fitted - fitted.mean(axis=0)) ** 2).sum(axis=2).mean(axis=0))
    print(f"rmsd {rmsd.mean():.4f} (max {rmsd.max():.4f}), energy {energy.mean():.4f}, native {native.mean():.5f}")
    for a, b in helices(chain.ss):
        print(f"helix {a:3d}-{b - 1:3d}: fluctuation {rmsf[a:b].mean():.4f}, coupling {corr[a:b, a:b].mean():.4f}")
    np.savez(sys.argv[1], bgnm=bgnm, banm=banm, corr=corr, rmsd=rmsd, energy=energy, native=native,
             share=share, rmsf=rmsf, spectrum=avalues[6:60])


if __name__ == "__main__":
    main()
