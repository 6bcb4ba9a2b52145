"""Pack of lithium-ion cells over some weeks of driving and charging: every cell is an object with its own
electrical, thermal and ageing state; the pack shares the current between parallel cells and cools them."""
import sys
from dataclasses import dataclass, field

import numpy as np

OCV_SOC = np.array([0.0, 0.05, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.97, 1.0])
OCV = np.array([2.95, 3.28, 3.42, 3.53, 3.61, 3.68, 3.79, 3.93, 4.04, 4.13, 4.19])
GAS = 8.314


@dataclass
class Cell:
    capacity: float                 # Ah
    resistance: float               # ohm
    leak: float                     # Ah per day
    soc: float = 0.9
    temp: float = 25.0
    rc: np.ndarray = field(default_factory=lambda: np.zeros(2))
    loss_calendar: float = 0.0
    loss_cycle: float = 0.0
    throughput: float = 0.0

    R_RC = np.array([0.0045, 0.0062])
    TAU = np.array([18.0, 240.0])
    HEAT = 62.0                     # J/K

    @property
    def ocv(self):
        return float(np.interp(self.soc, OCV_SOC, OCV))

    @property
    def health(self):
        return 1.0 - self.loss_calendar - self.loss_cycle

    def ohmic(self):
        cold = np.exp(1800.0 * (1.0 / (self.temp + 273.15) - 1.0 / 298.15))
        return self.resistance * cold * (1.0 + 1.6 * (1.0 - self.health))

    def source(self):
        """Voltage behind the ohmic resistance."""
        return self.ocv - self.rc.sum()

    def step(self, current, ambient, conductance, dt):
        """Positive current discharges; returns the heat that was produced."""
        decay = np.exp(-dt / self.TAU)
        self.rc = self.rc * decay + self.R_RC * (1 - decay) * current
        heat = current**2 * self.ohmic() + (self.rc**2 / self.R_RC).sum()
        self.temp += dt * (heat - conductance * (self.temp - ambient)) / self.HEAT
        self.soc -= current * dt / 3600.0 / (self.capacity * self.health)
        self.soc = min(max(self.soc, 0.0), 1.0)
        self.throughput += abs(current) * dt / 3600.0
        return heat

    def age(self, days, moved):
        """Square-root calendar law in incremental form, cycle law linear in the charge moved."""
        kelvin = self.temp + 273.15
        rate = 0.0012 * np.exp(-24500.0 / GAS * (1 / kelvin - 1 / 298.15)) * np.exp(0.9 * (self.soc - 0.5))
        self.loss_calendar = float(np.sqrt(self.loss_calendar**2 + rate**2 * days))
        stress = 1.0 + 0.03 * (self.temp - 25.0) ** 2 / 25.0
        self.loss_cycle += 2.6e-5 * stress * moved / self.capacity
        self.soc = max(0.0, self.soc - self.leak * days / self.capacity)


class Pack:
    """series groups of parallel cells; air passes the groups one after the other."""

    def __init__(self, series, parallel, rng):
        self.groups = [[Cell(5.0 * (1 + 0.015 * rng.normal()), 0.021 * (1 + 0.06 * rng.normal()),
                             0.0021 * rng.exponential())
                        for _ in range(parallel)] for _ in range(series)]
        self.heat = 0.0
        self.balancing = 0.0

    def __iter__(self):
        for group in self.groups:
            yield from group

    def share(self, group, current):
        """Currents of parallel cells at the common terminal voltage."""
        conduct = np.array([1.0 / c.ohmic() for c in group])
        source = np.array([c.source() for c in group])
        voltage = (conduct @ source - current) / conduct.sum()
        return (source - voltage) * conduct, voltage

    def step(self, current, inlet, dt):
        air = inlet
        voltage = 0.0
        for group in self.groups:
            currents, v = self.share(group, current)
            warmed = 0.0
            for cell, i in zip(group, currents):
                self.heat += dt * cell.step(float(i), air, 0.16, dt) / 3.6e6
                warmed += 0.16 * (cell.temp - air)
            air += warmed / 7.0
            voltage += v
        return voltage

    def balance(self, tolerance=0.00137):
        """Bleeds groups whose mean charge is above the lowest group."""
        mean = [np.mean([c.soc for c in g]) for g in self.groups]
        low = min(mean)
        for group, m in zip(self.groups, mean):
            if m - low > tolerance:
                for cell in group:
                    self.balancing += 0.5 * (m - low) * cell.capacity
                    cell.soc -= 0.5 * (m - low)

    def limits(self):
        socs = [c.soc for c in self]
        temps = [c.temp for c in self]
        return min(socs), max(socs), max(temps)


def trip(rng, minutes, parallel):
    """Speed-like random drive as current steps of ten seconds."""
    level = 0.0
    for _ in range(int(minutes * 6)):
        level = 0.85 * level + rng.normal(0.9, 1.6)
        yield parallel * float(np.clip(level, -3.0, 9.0))


def drive(pack, rng, minutes, ambient, parallel, trace):
    for current in trip(rng, minutes, parallel):
        lo, hi, _ = pack.limits()
        if lo < 0.08 and current > 0:
            current *= 0.2
        if hi > 0.985 and current < 0:
            current = 0.0
        trace.append(pack.step(current, ambient, 10.0))


def charge(pack, ambient, parallel, target=0.9):
    """Constant current, reduced near the target; returns the hours."""
    steps = 0
    while pack.limits()[1] < target and steps < 400:
        rate = 2.2 if pack.limits()[1] < target - 0.08 else 0.9
        pack.step(-rate * parallel, ambient, 60.0)
        steps += 1
    return steps / 60.0


def main():
    rng = np.random.default_rng(64)
    series, parallel = 8, 3
    pack = Pack(series, parallel, rng)
    trace, table = [], []
    for day in range(24):
        ambient = 18.0 + 9.0 * np.sin(2 * np.pi * day / 24.0)
        moved = [c.throughput for c in pack]
        for minutes in (13, 16):
            drive(pack, rng, minutes, ambient, parallel, trace)
        hottest = pack.limits()[2]
        hours = charge(pack, ambient, parallel) if pack.limits()[0] < 0.7 else 0.0
        pack.balance()
        for cell, before in zip(pack, moved):
            cell.age(4.0, 4.0 * (cell.throughput - before))
            cell.temp = ambient
            cell.rc[:] = 0.0
        health = np.array([c.health for c in pack])
        table.append((ambient, hottest, hours, health.mean(), health.min(), pack.limits()[0]))

    table = np.array(table)
    voltage = np.array(trace)
    cells = np.array([(c.capacity, c.resistance, c.soc, c.health, c.throughput) for c in pack])
    worst = int(np.argmin(cells[:, 3]))
    print(f"pack voltage {voltage.min():.3f} to {voltage.max():.3f} V, mean {voltage.mean():.3f} V")
    print(f"hottest cell {table[:, 1].max():.2f} C, heat {pack.heat:.4f} kWh, balanced {pack.balancing:.4f} Ah")
    print(f"health after {4 * len(table)} days: mean {cells[:, 3].mean():.5f}, worst {cells[worst, 3]:.5f} (cell {worst})")
    print(f"health against resistance: {np.corrcoef(cells[:, 1], cells[:, 3])[0, 1]:.4f}")
    np.savez(sys.argv[1], table=table, voltage=voltage, cells=cells)


if __name__ == "__main__":
    main()
