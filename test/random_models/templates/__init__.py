"""Templates of nodes, by family."""
from . import contraction, control, elementwise, logic, movement, norm, pattern, quantised  # noqa: F401
from . import recurrent, reduction, scatter, shape, signal, window  # noqa: F401
from .registry import TEMPLATES

__all__ = ["TEMPLATES"]
