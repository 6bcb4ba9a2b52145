import sys

from numpy import *

x = sin(arange(4.0)) + pi
savez(sys.argv[1], x=x, s=sum(x), m=max(x))
