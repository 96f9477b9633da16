"""Which function draws a node of which operator."""
from __future__ import annotations

from typing import Callable

from builder import Builder

Template = Callable[[Builder, str], None]
TEMPLATES: dict[str, Template] = {}


def template(*names: str) -> Callable[[Template], Template]:
    """Registers a function under operators, or under names of several nodes that belong together."""
    def register(function: Template) -> Template:
        for name in names:
            TEMPLATES[name] = function
        return function
    return register
