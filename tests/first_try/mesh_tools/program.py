# Mesh toolbox for a scanned part: build a triangle mesh of a bumpy sphere, check it,
# smooth it, measure it, and answer distance and containment queries.
import sys
import numpy as np


class TriMesh:
    def __init__(self, vertices, faces):
        self.v = vertices
        self.f = faces
        self.edges = None
        self.normals = None

    def corners(self):
        return self.v[self.f[:, 0]], self.v[self.f[:, 1]], self.v[self.f[:, 2]]

    def face_normals(self):
        a, b, c = self.corners()
        n = np.cross(b - a, c - a)
        length = np.linalg.norm(n, axis=1)
        return n / length[:, None], 0.5 * length

    def vertex_normals(self):
        """Area-weighted mean of the normals of the faces at each vertex."""
        n, area = self.face_normals()
        acc = np.zeros_like(self.v)
        for corner in range(3):
            np.add.at(acc, self.f[:, corner], n * area[:, None])
        self.normals = acc / np.linalg.norm(acc, axis=1, keepdims=True)
        return self.normals

    def unique_edges(self):
        """Sorted vertex pairs, and how many faces share each."""
        e = np.concatenate([self.f[:, [0, 1]], self.f[:, [1, 2]], self.f[:, [2, 0]]])
        e = np.sort(e, axis=1)
        key = e[:, 0] * len(self.v) + e[:, 1]
        uniq, count = np.unique(key, return_counts=True)
        self.edges = np.stack([uniq // len(self.v), uniq % len(self.v)], axis=1)
        return count

    def laplacian_step(self, factor):
        total = np.zeros_like(self.v)
        degree = np.zeros(len(self.v))
        i, j = self.edges[:, 0], self.edges[:, 1]
        np.add.at(total, i, self.v[j])
        np.add.at(total, j, self.v[i])
        np.add.at(degree, i, 1.0)
        np.add.at(degree, j, 1.0)
        self.v += factor * (total / degree[:, None] - self.v)

    def taubin(self, rounds, shrink=0.5, grow=-0.53):
        for _ in range(rounds):
            self.laplacian_step(shrink)
            self.laplacian_step(grow)

    def volume_and_centroid(self):
        a, b, c = self.corners()
        vol = np.einsum("ij,ij->i", a, np.cross(b, c)) / 6.0
        centroid = (vol[:, None] * (a + b + c) / 4.0).sum(axis=0) / vol.sum()
        return vol.sum(), centroid

    def cotangents(self):
        """Cotangent of each corner of each face."""
        out = np.empty((len(self.f), 3))
        for k in range(3):
            p = self.v[self.f[:, k]]
            u = self.v[self.f[:, (k + 1) % 3]] - p
            w = self.v[self.f[:, (k + 2) % 3]] - p
            out[:, k] = (u * w).sum(axis=1) / np.linalg.norm(np.cross(u, w), axis=1)
        return out

    def quality(self):
        """Inradius to circumradius (times two), and longest edge, face by face."""
        ratio = np.zeros(len(self.f))
        longest = np.zeros(len(self.f))
        for t in range(len(self.f)):
            i, j, k = self.f[t]
            la = np.sqrt(((self.v[j] - self.v[k]) ** 2).sum())
            lb = np.sqrt(((self.v[k] - self.v[i]) ** 2).sum())
            lc = np.sqrt(((self.v[i] - self.v[j]) ** 2).sum())
            s = 0.5 * (la + lb + lc)
            ratio[t] = 8.0 * (s - la) * (s - lb) * (s - lc) / (la * lb * lc)
            longest[t] = max(la, lb, lc)
        return ratio, longest


def sphere(rings, around, rng):
    """Poles and rings of vertices, radius with bumps and scanner noise."""
    theta = np.linspace(0.0, np.pi, rings + 2)[1:-1]
    phi = np.arange(around) * 2.0 * np.pi / around
    tt, pp = np.meshgrid(theta, phi, indexing="ij")
    radius = 1.0 + 0.15 * np.sin(3 * tt) * np.cos(2 * pp) + 0.01 * rng.standard_normal(tt.shape)
    ring = np.stack([radius * np.sin(tt) * np.cos(pp), radius * np.sin(tt) * np.sin(pp),
                     radius * np.cos(tt)], axis=-1).reshape(-1, 3)
    vertices = np.vstack([[[0.0, 0.0, 1.0]], ring, [[0.0, 0.0, -1.0]]])
    faces = []
    last = len(vertices) - 1
    for j in range(around):
        k = (j + 1) % around
        faces.append((0, 1 + j, 1 + k))
        for i in range(rings - 1):
            a, b = 1 + i * around + j, 1 + i * around + k
            faces.append((a, a + around, b + around))
            faces.append((a, b + around, b))
        faces.append((1 + (rings - 1) * around + j, last, 1 + (rings - 1) * around + k))
    return TriMesh(vertices, np.array(faces))


def solid_angle(points, mesh):
    """Winding number of the surface about every point (van Oosterom and Strackee)."""
    a, b, c = mesh.corners()
    wind = np.zeros(len(points))
    for n, p in enumerate(points):
        u, v, w = a - p, b - p, c - p
        lu, lv, lw = (np.linalg.norm(x, axis=1) for x in (u, v, w))
        top = np.einsum("ij,ij->i", u, np.cross(v, w))
        bottom = (lu * lv * lw + np.einsum("ij,ij->i", u, v) * lw
                  + np.einsum("ij,ij->i", v, w) * lu + np.einsum("ij,ij->i", w, u) * lv)
        wind[n] = np.arctan2(top, bottom).sum() / (2.0 * np.pi)
    return wind


def nearest_vertex(points, vertices):
    """Index of and distance to the nearest vertex, by a running minimum."""
    where = np.zeros(len(points), dtype=np.int64)
    dist = np.zeros(len(points))
    for n in range(len(points)):
        best, at = np.inf, -1
        for k in range(len(vertices)):
            dx = points[n, 0] - vertices[k, 0]
            dy = points[n, 1] - vertices[k, 1]
            dz = points[n, 2] - vertices[k, 2]
            d = dx * dx + dy * dy + dz * dz
            if d < best:
                best, at = d, k
        where[n], dist[n] = at, np.sqrt(best)
    return where, dist


def hull2d(points):
    """Andrew's monotone chain."""
    order = np.lexsort((points[:, 1], points[:, 0]))

    def half(indices):
        chain = []
        for k in indices:
            while len(chain) > 1:
                o, a, p = points[chain[-2]], points[chain[-1]], points[k]
                if (a[0] - o[0]) * (p[1] - o[1]) - (a[1] - o[1]) * (p[0] - o[0]) > 0:
                    break
                chain.pop()
            chain.append(int(k))
        return chain[:-1]

    return np.array(half(order) + half(order[::-1]))


def shoelace(poly):
    x, y = poly[:, 0], poly[:, 1]
    return 0.5 * (x * np.roll(y, -1) - y * np.roll(x, -1)).sum()


rng = np.random.default_rng(5)
mesh = sphere(17, 30, rng)
shared = mesh.unique_edges()
closed = bool((shared == 2).all())
rough_volume, _ = mesh.volume_and_centroid()
mesh.taubin(8)
volume, centroid = mesh.volume_and_centroid()
normals = mesh.vertex_normals()
_, area = mesh.face_normals()
cot = mesh.cotangents()
ratio, longest = mesh.quality()
inertia = np.cov((mesh.v - centroid).T)
axes = np.linalg.eigvalsh(inertia)

queries = rng.uniform(-1.2, 1.2, (60, 3))
winding = solid_angle(queries, mesh)
inside = winding > 0.5
index, distance = nearest_vertex(queries[:25], mesh.v)
side = ((queries[:25] - mesh.v[index]) * normals[index]).sum(axis=1)
outline = hull2d(mesh.v[:, :2])
shadow = shoelace(mesh.v[outline, :2])

np.savez(sys.argv[1], v=mesh.v, normals=normals, area=area, cot=cot, ratio=ratio, longest=longest,
         winding=winding, index=index, distance=distance, side=side, outline=outline, axes=axes)
print(f"{len(mesh.v)} vertices, {len(mesh.f)} faces, {len(mesh.edges)} edges, closed {closed}")
print(f"volume {rough_volume:.6f} -> {volume:.6f}, surface {area.sum():.6f}")
print(f"worst triangle {ratio.min():.6f}, longest edge {longest.max():.6f}")
print(f"{inside.sum()} of {len(queries)} points inside, shadow {shadow:.6f} with {len(outline)} corners")
