import cupy as cp
import numpy as np
from gpuport.runtime import device



@device("x", "y", from_size=1_000_000)
def wave( x,y ) :   # what a formatter would not write
    '''Wave.

    >>> wave(np.zeros(3), 1)
    '''
    # comment above
    z = cp.sin( x ) \
        + cp.cos(  x )   # trailing
    #comment between

    s = 'np.sin(x)'; t = "np.cos"
    return (
        z   # inside
        * y)
