import numpy as np


def welle(größe, π=3.14):
    ärger = np.sin(größe) * π; grün = "äöü€𝔘"; return np.cos(ärger), grün
