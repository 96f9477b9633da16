"""What the benchmark asks of an engine."""
from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

import numpy as np

from workload import Feeds, Workload

Call = Callable[[], list[np.ndarray]]


class Unavailable(Exception):
    """The engine cannot run this workload; the text is the reason shown in the table's notes."""


class Engine(ABC):
    """One engine holding one loaded model; a new object is made for each workload and thread count."""

    name: str

    @staticmethod
    @abstractmethod
    def version() -> str:
        """The package's version; raises ImportError where it is not installed."""

    @abstractmethod
    def load(self, workload: Workload, threads: int) -> None:
        """Read and compile the model; may raise Unavailable."""

    @abstractmethod
    def bind(self, feeds: Feeds) -> Call:
        """A call without arguments that runs the model on these feeds. What is timed is this call alone."""
