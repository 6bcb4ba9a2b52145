"""What is asked of NumPy, SciPy and their like: one service, in a process that may die.

Functions of libraries crash, print and hang. They are called in a worker process of their own,
whose streams are apart from the user's; what they gave is kept on disk (`gpuport.probing.cache`).
"""

from __future__ import annotations

from gpuport.probing.questions import NoWorker, Prober, ProbingError, Question
from gpuport.probing.service import ask, ask_all, save

__all__ = ["NoWorker", "Prober", "ProbingError", "Question", "ask", "ask_all", "save"]
