import sys
import numpy as np


class AgeStructuredSEIR:
    """Deterministic SEIR with one-year age groups in a set of districts, explicit Euler steps of a quarter day."""

    def __init__(self, population, contacts, beta, latent_days, infectious_days, ifr):
        self.contacts = contacts
        self.beta = beta
        self.sigma = 1.0 / latent_days
        self.gamma = 1.0 / infectious_days
        self.ifr = ifr
        self.size = population
        self.s = population.copy()
        self.e = np.zeros_like(population)
        self.i = np.zeros_like(population)
        self.r = np.zeros_like(population)
        self.dead = np.zeros_like(population)
        self.history = []

    def seed(self, district, age, count):
        self.s[district, age] -= count
        self.i[district, age] += count

    def force(self):
        prevalence = self.i / self.size
        return self.beta * (prevalence @ self.contacts.T)

    def mix(self, coupling):
        """Exchange of infectious pressure between districts; rows of coupling sum to one."""
        return np.einsum("dk,ka->da", coupling, self.force())

    def step(self, dt, coupling):
        foi = self.mix(coupling)
        new_e = foi * self.s * dt
        new_i = self.sigma * self.e * dt
        out = self.gamma * self.i * dt
        self.s -= new_e
        self.e += new_e - new_i
        self.i += new_i - out
        self.dead += out * self.ifr
        self.r += out * (1.0 - self.ifr)
        self.history.append(new_e.sum(axis=1))

    def run(self, steps, dt, coupling):
        for _ in range(steps):
            self.step(dt, coupling)
        return np.stack(self.history)


class Town:
    """Agents that spend the day at a workplace and the evening at home; state 0 S, 1 I, 2 R."""

    def __init__(self, home, work, age, draws):
        self.home = home
        self.work = work
        self.age = age
        self.draws = draws
        self.n = home.shape[0]
        self.nhome = int(home.max()) + 1
        self.nwork = int(work.max()) + 1
        self.state = np.zeros(self.n, dtype=np.int8)
        self.clock = np.zeros(self.n, dtype=np.int32)
        self.infected_on = np.full(self.n, -1, dtype=np.int32)
        self.susceptibility = np.where(age < 15, 0.6, np.where(age > 65, 1.3, 1.0))

    def infect(self, index, day):
        self.state[index] = 1
        self.infected_on[index] = day

    def pressure(self):
        ill = self.state == 1
        at_home = np.zeros(self.nhome)
        np.add.at(at_home, self.home[ill], 1.0)
        at_work = np.bincount(self.work, weights=ill, minlength=self.nwork)
        headcount = np.bincount(self.work, minlength=self.nwork)
        share = at_work / np.maximum(headcount, 1)
        return 0.035 * at_home[self.home] + 0.30 * share[self.work]

    def day(self, t):
        p = 1.0 - np.exp(-self.pressure() * self.susceptibility)
        caught = (self.state == 0) & (self.draws[t] < p)
        self.clock[self.state == 1] += 1
        healed = (self.state == 1) & (self.clock > 6)
        self.state[healed] = 2
        self.state[caught] = 1
        self.infected_on[caught] = t
        return int(np.count_nonzero(self.state == 1))


def growth_weeks(incidence, window):
    """Ratio of consecutive window sums, for every district."""
    nt, nd = incidence.shape
    ratio = np.zeros((nt, nd))
    for t in range(2 * window, nt):
        for d in range(nd):
            now = 0.0
            before = 0.0
            for k in range(window):
                now += incidence[t - k, d]
                before += incidence[t - window - k, d]
            if before > 1e-6:
                ratio[t, d] = now / before
    return ratio


def attack_by_age(infected_on, age, nage):
    ever = infected_on >= 0
    hit = np.bincount(age[ever], minlength=nage)
    total = np.bincount(age, minlength=nage)
    return hit / np.maximum(total, 1)


def outbreak_label(counts):
    """Text code of the epidemic phase, one letter a day."""
    phase = []
    level = "q"
    for c in counts:
        if level == "q" and c > 60:
            level = "g"
        elif level == "g" and c > 1500:
            level = "e"
        elif level == "e" and c < 1000:
            level = "d"
        phase.append(level)
    return "".join(phase)


rng = np.random.default_rng(20200316)
NAGE, NDIST = 80, 24

ages = np.arange(NAGE)
pyramid = np.exp(-((ages - 38.0) / 34.0) ** 2)
population = rng.uniform(2e4, 2e5, NDIST)[:, None] * pyramid / pyramid.sum()
gap = np.abs(ages[:, None] - ages[None, :])
contacts = 0.9 * np.exp(-gap / 6.0) + 0.35 * np.exp(-((gap - 29.0) / 7.0) ** 2)
where = rng.uniform(0.0, 50.0, (NDIST, 2))
dist = np.sqrt(((where[:, None, :] - where[None, :, :]) ** 2).sum(axis=2))
coupling = np.exp(-dist / 8.0)
coupling /= coupling.sum(axis=1, keepdims=True)
ifr = 1e-5 * np.exp(0.11 * ages)

model = AgeStructuredSEIR(population, contacts, 0.09, 3.0, 5.0, np.minimum(ifr, 0.2))
model.seed(3, 30, 40.0)
incidence = model.run(48, 0.25, coupling)
growth = growth_weeks(incidence, 8)

n_agents = 12000
town = Town(
    rng.integers(0, 4500, n_agents),
    rng.integers(0, 700, n_agents),
    rng.integers(0, NAGE, n_agents),
    rng.random((40, n_agents)),
)
town.infect(rng.choice(n_agents, 25, replace=False), 0)
curve = [town.day(t) for t in range(40)]
attack = attack_by_age(town.infected_on, town.age, NAGE)

print(f"districts: {NDIST}, cases so far {incidence.sum():.4f}, deaths {model.dead.sum():.6f}")
print(f"largest growth factor {growth.max():.6f}")
print(f"town peak {max(curve)} on day {curve.index(max(curve))}, attack rate {attack.mean():.6f}")
print("phases", outbreak_label(curve))

np.savez(
    sys.argv[1],
    s=model.s, e=model.e, i=model.i, r=model.r, dead=model.dead,
    incidence=incidence, growth=growth, curve=np.array(curve),
    state=town.state, infected_on=town.infected_on, attack=attack,
)
