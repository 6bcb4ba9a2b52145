import sys

import heat
from heat import np, total
from heat.core import Rod, sqrt

if __name__ == "__main__":
    rod = Rod(300)
    for _ in range(20):
        rod.step(0.2)
    profile = np.sqrt(rod.t) + heat.np.cos(rod.t) * heat.core.sqrt(2.0)
    print(f"{rod.spread():.8f} {total(rod.t):.6f} {float(sqrt(total(profile))):.6f}")
    np.savez(sys.argv[1], profile=profile, t=rod.t)
