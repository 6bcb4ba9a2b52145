import numpy as np

N = 500
u = np.sin(np.linspace(0, 6, N))
old = u
t = 0.0
log = []
best = None
kind = "first"


def advance(dt):
    global u, t, best, kind
    u = u + dt * np.roll(u, 1)
    t += dt
    if best is None or u.max() > best[0]:
        best = (u.max(), u.copy())
    kind = "next"


def peek():
    return u[:3], t


def swap():
    global u, old
    u, old = old, u


def grow():
    global u
    u *= 1.5
    u[0] = -1.0


def report(name):
    print(name, kind, round(t, 6), float(np.sum(u)), old is u, None if best is None else round(float(best[0]), 9))


report("start")
for k in range(4):
    advance(0.1)
    log.append(u[k])
    report(f"advance {k}")
swap()
report("swapped")
grow()
report("grown")
first, when = peek()
print(first, when)
alias = u
u[1] = 7.0
print(alias[:3], np.array(log))

report_complex = np.abs(u).sum()
print(round(float(report_complex), 8))
