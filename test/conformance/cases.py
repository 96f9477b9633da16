"""The test cases that ship inside the onnx wheel: models with inputs and expected outputs, in groups."""
from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import onnx

DATA = Path(onnx.__file__).resolve().parent / "backend" / "test" / "data"
LIGHT = "light"  # known networks with weights of one number; a file each, without inputs
GROUPS = ("node", "pytorch-converted", "pytorch-operator", "simple", LIGHT)


@dataclass(frozen=True)
class Case:
    group: str
    name: str

    @property
    def folder(self) -> Path:
        return DATA / self.group / self.name

    @property
    def model(self) -> Path:
        return self.folder.with_suffix(".onnx") if self.group == LIGHT else self.folder / "model.onnx"

    def data_sets(self) -> list[Path]:
        return sorted(self.folder.glob("test_data_set_*"))


def all_cases(words: list[str]) -> list[Case]:
    """Those whose name contains one of the words; all of them without words."""
    found = []
    for group in GROUPS:
        for path in sorted((DATA / group).iterdir()):
            case = Case(group, path.stem if group == LIGHT else path.name)
            known = path == case.model if group == LIGHT else case.model.exists()
            if known and (not words or any(word in case.name for word in words)):
                found.append(case)
    return found
