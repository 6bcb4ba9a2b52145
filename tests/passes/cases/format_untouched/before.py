import numpy as np



def wave( x,y ) :   # what a formatter would not write
    '''Wave.

    >>> wave(np.zeros(3), 1)
    '''
    # comment above
    z = np.sin( x ) \
        + np.cos(  x )   # trailing
    #comment between

    s = 'np.sin(x)'; t = "np.cos"
    return (
        z   # inside
        * y)
