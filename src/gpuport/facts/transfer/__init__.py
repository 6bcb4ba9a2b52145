"""What each kind of operation makes of the types of its operands."""

from gpuport.facts.transfer import calls, containers, control, definitions, names

__all__ = ["calls", "containers", "control", "definitions", "names"]
