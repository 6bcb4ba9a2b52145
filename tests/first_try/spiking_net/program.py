"""Leaky integrate-and-fire network with synaptic currents and spike-timing dependent plasticity."""
import sys
from dataclasses import dataclass, field

import numpy as np


@dataclass
class NeuronParams:
    tau_m: float = 20.0
    tau_s: float = 5.0
    v_rest: float = -65.0
    v_thresh: float = -50.0
    v_reset: float = -65.0
    refractory: int = 4


@dataclass
class PlasticityParams:
    a_plus: float = 0.01
    a_minus: float = 0.012
    tau: float = 20.0
    w_max: float = 2.0


@dataclass
class Recorder:
    rates: list = field(default_factory=list)
    spikes: list = field(default_factory=list)

    def store(self, fired, v):
        self.rates.append(fired.sum())
        self.spikes.append(fired.copy())


class Network:
    def __init__(self, n, params, plasticity, seed):
        rng = np.random.default_rng(seed)
        self.p = params
        self.s = plasticity
        self.n = n
        self.v = params.v_rest + 15.0 * rng.random(n)
        self.current = np.zeros(n)
        self.wait = np.zeros(n, dtype=np.int64)
        self.w = rng.random((n, n)) * (rng.random((n, n)) < 0.1)
        self.inhibitory = np.arange(n) >= int(0.8 * n)
        self.w[self.inhibitory] *= -2.0
        np.fill_diagonal(self.w, 0.0)
        self.trace_pre = np.zeros(n)
        self.trace_post = np.zeros(n)

    def step(self, drive, dt):
        """One Euler step; returns the neurons that fired."""
        p = self.p
        fired = np.zeros(self.n, dtype=bool)
        for i in range(self.n):
            if self.wait[i] > 0:
                self.wait[i] -= 1
                continue
            dv = (p.v_rest - self.v[i] + 6.0 * self.current[i] + drive[i]) / p.tau_m
            self.v[i] += dt * dv
            if self.v[i] >= p.v_thresh:
                self.v[i] = p.v_reset
                self.wait[i] = p.refractory
                fired[i] = True
        return fired

    def synapses(self, fired, dt):
        self.current *= np.exp(-dt / self.p.tau_s)
        self.current += fired.astype(float) @ self.w

    def learn(self, fired, dt):
        """Pair-based STDP of the excitatory connections."""
        s = self.s
        decay = np.exp(-dt / s.tau)
        self.trace_pre *= decay
        self.trace_post *= decay
        change = (s.a_plus * np.outer(self.trace_pre, fired)
                  - s.a_minus * np.outer(fired, self.trace_post))
        plastic = (self.w > 0.0) & ~self.inhibitory[:, None]
        self.w = np.where(plastic, np.clip(self.w + change, 1e-3, s.w_max), self.w)
        self.trace_pre[fired] += 1.0
        self.trace_post[fired] += 1.0


def poisson_drive(seed, steps, n):
    rng = np.random.default_rng(seed)
    return 22.0 + 8.0 * rng.standard_normal((steps, n))


def intervals(spikes):
    """All interspike intervals, neuron by neuron."""
    out = []
    for train in spikes.T:
        times = np.flatnonzero(train)
        if times.size > 1:
            out.append(np.diff(times))
    return np.concatenate(out) if out else np.zeros(0, dtype=np.int64)


def filtered_rate(rate, tau):
    y = np.zeros(rate.size)
    for t in range(1, rate.size):
        y[t] = y[t - 1] + (rate[t] - y[t - 1]) / tau
    return y


def correlations(spikes, width):
    n = len(spikes) // width
    binned = spikes[:n * width].reshape(n, width, -1).sum(axis=1).astype(float)
    binned -= binned.mean(axis=0)
    norm = np.sqrt((binned ** 2).sum(axis=0)) + 1e-9
    return (binned.T @ binned) / norm[:, None] / norm[None, :]


def simulate(net, drive, dt, recorder):
    for row in drive:
        fired = net.step(row, dt)
        net.synapses(fired, dt)
        net.learn(fired, dt)
        recorder.store(fired, net.v)


def main(out):
    steps, n = 50, 150
    net = Network(n, NeuronParams(), PlasticityParams(), 17)
    recorder = Recorder()
    simulate(net, poisson_drive(4, steps, n), 1.0, recorder)
    spikes = np.array(recorder.spikes)
    rate = np.array(recorder.rates)
    isi = intervals(spikes)
    corr = correlations(spikes, 5)
    slow = filtered_rate(rate.astype(float), 8.0)
    print(f"spikes {int(rate.sum())}, busiest step {int(rate.argmax())}, intervals {isi.size}")
    print(f"mean weight {net.w[net.w > 0].mean():.6f}, mean potential {net.v.mean():.5f}")
    np.savez(out, spikes=spikes, rate=rate, isi=isi, corr=corr, slow=slow, w=net.w, v=net.v)


if __name__ == "__main__":
    main(sys.argv[1])
