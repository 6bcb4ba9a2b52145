"""Runs of the wave equation, summed up."""

import sys
from dataclasses import replace

import numpy as np

from settings import Settings
from state import Energy, State
from waves import Solver


def compare(one: State, other: State):
    return np.max(np.abs(one.u - other.u)), one.time - other.time


def main(path):
    settings = Settings(steps=25)
    periodic = Solver(settings).run()
    fixed = Solver(replace(settings, kind="fixed")).run()
    largest, apart = compare(periodic, fixed)
    kinetic, potential = periodic.energy()
    zero = Energy(0.0, 1.0)
    print(f"{largest:.6f} {apart} {kinetic:.6f} {potential:.6f} {zero}")
    print(len(periodic.probe.values), f"{fixed.probe.values[-1]:.6f}")
    np.savez(path, p=periodic.u, f=fixed.u, v=fixed.v, e=np.array(fixed.energy()))


if __name__ == "__main__":
    main(sys.argv[1])
