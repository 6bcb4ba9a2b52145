"""What is known about NumPy, CuPy and the packages around them, as data: rules and API tables."""

from .errors import Problem, RuleError
from .loading import RuleSet
from .model import DiffersRule, EffectRule, Example, HostRule, PatternRule, Rule, SwapRule

__all__ = [
    "DiffersRule",
    "EffectRule",
    "Example",
    "HostRule",
    "PatternRule",
    "Problem",
    "Rule",
    "RuleError",
    "RuleSet",
    "SwapRule",
]
