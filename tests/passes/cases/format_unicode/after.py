import cupy as cp
from gpuport.runtime import device


@device("größe", from_size=1_000_000)
def welle(größe, π=3.14):
    ärger = cp.sin(größe) * π; grün = "äöü€𝔘"; return cp.cos(ärger), grün
