"""A vectorised ray tracer with spheres and a plane; writes a PPM."""
import io

import numpy as np

EPS = 1e-6


def normalize(v):
    return v / np.linalg.norm(v, axis=-1, keepdims=True)


class Shape:
    def __init__(self, color, mirror=0.0):
        self.color = np.array(color, dtype=float)
        self.mirror = mirror

    def shade_color(self, p):
        return np.broadcast_to(self.color, p.shape)


class Sphere(Shape):
    def __init__(self, center, r, color, mirror=0.0):
        super().__init__(color, mirror)
        self.c = np.array(center, dtype=float)
        self.r = r

    def intersect(self, o, d):
        oc = o - self.c
        b = (oc * d).sum(-1)
        disc = b * b - ((oc * oc).sum(-1) - self.r**2)
        root = np.sqrt(np.maximum(disc, 0))
        t0, t1 = -b - root, -b + root
        t = np.where(t0 > EPS, t0, t1)
        return np.where((disc > 0) & (t > EPS), t, np.inf)

    def normal(self, p):
        return normalize(p - self.c)


class Plane(Shape):
    def __init__(self, y, a, b):
        super().__init__(a)
        self.y = y
        self.other = np.array(b, dtype=float)

    def intersect(self, o, d):
        with np.errstate(divide="ignore", invalid="ignore"):
            t = (self.y - o[:, 1]) / d[:, 1]
        return np.where(np.abs(d[:, 1]) > EPS, np.where(t > EPS, t, np.inf), np.inf)

    def normal(self, p):
        n = np.zeros_like(p)
        n[:, 1] = 1.0
        return n

    def shade_color(self, p):
        check = (np.floor(p[:, 0]) + np.floor(p[:, 2])).astype(int) & 1
        return np.where(check[:, None] == 1, self.color, self.other)


def trace(scene, light, o, d, depth=2):
    ts = np.stack([s.intersect(o, d) for s in scene])
    nearest = ts.argmin(axis=0)
    t = ts.min(axis=0)
    image = np.zeros_like(o) + np.array([0.5, 0.7, 1.0]) * (0.5 + 0.5 * d[:, 1:2])
    for k, s in enumerate(scene):
        hit = (nearest == k) & np.isfinite(t)
        if not hit.any():
            continue
        p = o[hit] + t[hit, None] * d[hit]
        n = s.normal(p)
        to_light = normalize(light - p)
        origin = p + n * 1e-4
        shadow = np.min([other.intersect(origin, to_light) for other in scene], axis=0) < np.inf
        lambert = np.clip((n * to_light).sum(-1), 0, None) * ~shadow
        c = s.shade_color(p) * (0.1 + 0.9 * lambert[:, None])
        if s.mirror and depth:
            r = d[hit] - 2 * (d[hit] * n).sum(-1, keepdims=True) * n
            c = (1 - s.mirror) * c + s.mirror * trace(scene, light, origin, r, depth - 1)
        image[hit] = c
    return image


def main(w=40, h=30):
    scene = [Sphere((0, 0, 4), 1.0, (1, 0.2, 0.2), 0.4), Sphere((1.5, -0.3, 3), 0.6, (0.2, 0.4, 1.0)), Plane(-1.0, (0.9, 0.9, 0.9), (0.1, 0.1, 0.1))]
    xs, ys = np.linspace(-1, 1, w), np.linspace(0.75, -0.75, h)
    X, Y = np.meshgrid(xs, ys)
    d = normalize(np.stack([X.ravel(), Y.ravel(), np.full(X.size, 1.2)], axis=-1))
    o = np.zeros_like(d)
    img = trace(scene, np.array([3.0, 5.0, -2.0]), o, d).reshape(h, w, 3)
    pix = (np.clip(img, 0, 1) * 255).astype(np.uint8)
    f = io.BytesIO()
    f.write(b"P6 %d %d 255\n" % (w, h))
    f.write(pix.tobytes())
    print(len(f.getvalue()), pix.mean(axis=(0, 1)).round(3), hash(pix.shape) == hash((h, w, 3)))
    print(np.round(img[::10, ::13, 0], 3))


main()
