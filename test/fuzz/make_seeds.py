"""Makes the inputs that fuzzing starts from: `make_seeds.py HONE FOLDER` fills FOLDER/{import,text,cache,artefact}.

Seeds are what the repository and its tools hold already: the models of the onnx wheel, the examples, and what HONE (the
program) makes of some of those models: texts after every pass, entries of the cache, libraries. Beside each folder lies a
dictionary, FOLDER/<name>.dict, where words are worth more than bytes.
"""
from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

import onnx

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "test" / "conformance"))

from cases import all_cases  # noqa: E402

MOST_BYTES = 1 << 15
EVERY = 40  # of the models, one in so many is compiled
KEYWORDS = ("program", "graph", "kernel", "plan", "function")


def small_models() -> list[Path]:
    return [case.model for case in all_cases([]) if case.model.stat().st_size <= MOST_BYTES]


def put(folder: Path, name: str, content: bytes) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    if 0 < len(content) <= MOST_BYTES:
        (folder / name).write_bytes(content)


def documents(text: str) -> list[str]:
    """A dump may hold several texts one after the other; each starts a line with its keyword. A plan stays with its graph."""
    starts = [match.start() for match in re.finditer(rf"^({'|'.join(KEYWORDS)}) ", text, re.MULTILINE)]
    ends = starts[1:] + [len(text)]
    return [text[begin:end] for begin, end in zip(starts, ends)]


def compiled(program: str, model: Path, name: str, seeds: Path) -> None:
    """What one compilation leaves: library, cache entry, texts. A model that Hone refuses leaves nothing."""
    with tempfile.TemporaryDirectory() as room:
        folder = Path(room)
        quiet = {"capture_output": True, "check": False}
        subprocess.run([program, "compile", model, "--isa", "x86-64", "-o", folder / "m.so", "--dump", folder / "dump"], **quiet)
        subprocess.run([program, "compile", model, "--isa", "x86-64", "-o", folder / "again.so"], **quiet,
                       env={**os.environ, "HONE_CACHE_DIR": str(folder / "cache")})
        if (folder / "m.so").exists():
            put(seeds / "artefact", name, (folder / "m.so").read_bytes())
        for entry in (folder / "cache").glob("*"):
            put(seeds / "cache", name, entry.read_bytes())
        for dump in (folder / "dump").rglob("*"):
            if dump.is_file():
                for number, text in enumerate(documents(dump.read_text(errors="replace"))):
                    put(seeds / "text", f"{name}-{dump.stem}-{number}", text.encode())


def write_dictionary(path: Path, words: Iterable[str]) -> None:
    path.write_text("".join(f'"{word}"\n' for word in sorted(set(words))))


def main(program: str, seeds: Path) -> None:
    shutil.rmtree(seeds, ignore_errors=True)
    models = small_models()
    for number, model in enumerate(models):
        put(seeds / "import", model.parent.name, model.read_bytes())
        if number % EVERY == 0:
            compiled(program, model, model.parent.name, seeds)
    for example in (ROOT / "examples").rglob("*.hone"):
        put(seeds / "text", example.stem, example.read_bytes())
    texts = [path.read_text() for path in (seeds / "text").iterdir()]
    write_dictionary(seeds / "text.dict", (word for text in texts for word in re.findall(r"[a-z_]{2,20}", text)))
    write_dictionary(seeds / "import.dict", (schema.name for schema in onnx.defs.get_all_schemas()))
    for folder in sorted(path for path in seeds.iterdir() if path.is_dir()):
        print(f"{folder.name:9} {len(list(folder.iterdir())):5} seeds")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
