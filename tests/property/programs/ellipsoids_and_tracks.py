"""Vincenty-like distances and coordinate conversions on an ellipsoid."""
from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np


@dataclass(frozen=True)
class Ellipsoid:
    a: float = 6378137.0
    f: float = 1 / 298.257223563

    @property
    def b(self) -> float:
        return self.a * (1 - self.f)

    @cached_property
    def e2(self) -> float:
        return self.f * (2 - self.f)

    def to_ecef(self, lat, lon, h):
        s, c = np.sin(lat), np.cos(lat)
        n = self.a / np.sqrt(1 - self.e2 * s**2)
        return np.stack([(n + h) * c * np.cos(lon), (n + h) * c * np.sin(lon), (n * (1 - self.e2) + h) * s], axis=-1)

    def from_ecef(self, xyz, tol=1e-12, itmax=20):
        x, y, z = np.moveaxis(xyz, -1, 0)
        lon = np.arctan2(y, x)
        p = np.hypot(x, y)
        lat = np.arctan2(z, p * (1 - self.e2))
        for it in range(itmax):
            n = self.a / np.sqrt(1 - self.e2 * np.sin(lat) ** 2)
            h = p / np.cos(lat) - n
            new = np.arctan2(z, p * (1 - self.e2 * n / (n + h)))
            if np.max(np.abs(new - lat)) < tol:
                lat = new
                break
            lat = new
        return lat, lon, h, it


@dataclass
class Track:
    lat: np.ndarray
    lon: np.ndarray
    h: np.ndarray
    ellipsoid: Ellipsoid = field(default_factory=Ellipsoid)

    def __len__(self):
        return len(self.lat)

    def steps(self):
        xyz = self.ellipsoid.to_ecef(self.lat, self.lon, self.h)
        d = np.diff(xyz, axis=0)
        return np.sqrt((d * d).sum(axis=1))

    def length(self):
        return self.steps().sum() / 1000.0


def haversine(lat1, lon1, lat2, lon2, r=6371.0):
    dlat, dlon = lat2 - lat1, lon2 - lon1
    a = np.sin(dlat / 2) ** 2 + np.cos(lat1) * np.cos(lat2) * np.sin(dlon / 2) ** 2
    return 2 * r * np.arcsin(np.sqrt(np.clip(a, 0, 1)))


def bearing_histogram(lat, lon, bins=12):
    dlon = np.diff(lon)
    y = np.sin(dlon) * np.cos(lat[1:])
    x = np.cos(lat[:-1]) * np.sin(lat[1:]) - np.sin(lat[:-1]) * np.cos(lat[1:]) * np.cos(dlon)
    angle = np.degrees(np.arctan2(y, x)) % 360
    counts, edges = np.histogram(angle, bins=bins, range=(0, 360))
    return dict(zip(edges[:-1].astype(int).tolist(), counts.tolist()))


if __name__ == "__main__":
    t = np.linspace(0, 4 * math.pi, 400)
    track = Track(np.radians(47 + 0.4 * np.sin(t)), np.radians(8 + 0.5 * np.cos(0.7 * t)), 400 + 100 * np.cos(t))
    print(f"{len(track)} points, {track.length():.3f} km")
    lat, lon, h, it = track.ellipsoid.from_ecef(track.ellipsoid.to_ecef(track.lat, track.lon, track.h))
    print(it, f"{np.abs(lat - track.lat).max() < 1e-9} {np.abs(h - track.h).max() < 1e-3}")
    d = haversine(track.lat[:-1], track.lon[:-1], track.lat[1:], track.lon[1:])
    print(f"{d.sum():.3f} {d.max():.4f}")
    print(bearing_histogram(track.lat, track.lon))
