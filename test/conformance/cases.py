"""The test cases that ship inside the onnx wheel: models with inputs and expected outputs, in groups."""
from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import onnx

DATA = Path(onnx.__file__).resolve().parent / "backend" / "test" / "data"
GROUPS = ("node", "pytorch-converted", "pytorch-operator", "simple")


@dataclass(frozen=True)
class Case:
    group: str
    name: str

    @property
    def folder(self) -> Path:
        return DATA / self.group / self.name

    @property
    def model(self) -> Path:
        return self.folder / "model.onnx"

    def data_sets(self) -> list[Path]:
        return sorted(self.folder.glob("test_data_set_*"))


def all_cases(words: list[str]) -> list[Case]:
    """Those whose name contains one of the words; all of them without words."""
    found = []
    for group in GROUPS:
        for folder in sorted((DATA / group).iterdir()):
            if (folder / "model.onnx").exists() and (not words or any(word in folder.name for word in words)):
                found.append(Case(group, folder.name))
    return found
