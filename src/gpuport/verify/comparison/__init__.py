"""Whether two outcomes agree, and what floats may deviate."""
