"""What is known of each value of a program: types, extents and where memory comes from.

A fact is proven, or rests on named assumptions (`gpuport.ir.types.Assumption`).
"""

from gpuport.facts.infer import Facts, infer

__all__ = ["Facts", "infer"]
