"""Templates of nodes, by family."""
from . import contraction, control, elementwise, logic, movement, norm, other_domains, pattern, quantised  # noqa: F401
from . import quantised_microsoft, recent, recurrent, reduction, scatter, sequence, shape, signal, window  # noqa: F401
from .registry import TEMPLATES

__all__ = ["TEMPLATES"]
