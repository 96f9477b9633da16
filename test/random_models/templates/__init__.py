"""Templates of nodes, by family."""
from . import contraction, control, elementwise, logic, movement, norm, quantised, recurrent, reduction, scatter, shape, window  # noqa: F401
from .registry import TEMPLATES

__all__ = ["TEMPLATES"]
