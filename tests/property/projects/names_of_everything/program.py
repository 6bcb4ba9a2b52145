import sys

from fields import *


def energy(field):
    slope = np.gradient(field.u, field.x)
    return float(np.sum(slope * slope) / COUNT)


if __name__ == "__main__":
    field = Field(COUNT)
    field.smooth(5)
    print(f"{energy(field):.6f} {field.size():.6f} {norm(field.x[:3]):.6f}")
    np.savez(sys.argv[1], u=field.u, x=field.x)
