#!/usr/bin/env python3
"""Checks that the includes under src/ obey src/layers.toml, and that the map in ARCHITECTURE.md shows it.

    scripts/check_layers.py          print every bad include as file:line, fail if there is one or the map is stale
    scripts/check_layers.py --draw   write the map into ARCHITECTURE.md
"""

import argparse
import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCE_SUFFIXES = {".h", ".hpp", ".cpp", ".c", ".def", ".inc"}
INCLUDE = re.compile(r'^\s*#\s*include\s+["<]([^">]+)[">]')
MAP_BEGIN = "<!-- layers: begin (written by scripts/check_layers.py --draw) -->"
MAP_END = "<!-- layers: end -->"


class Law:
    def __init__(self, text):
        data = tomllib.loads(text)
        self.layers = data["layers"]
        self.runtime_library = set(data["runtime_library"]["folders"])
        self.outside = data["outside"]

    def in_runtime_library(self, path):
        """Whether a file, given by its path under src/, is compiled into libhone_runtime."""
        folder = path.parts[0]
        return folder in self.runtime_library or (folder == "capi" and path.name.startswith("runtime_"))

    def complaint(self, path, included):
        """Why the file at `path` (under src/) may not include `included`; None when it may."""
        for prefix, home in self.outside.items():
            if included.startswith(prefix) and not path.is_relative_to(home):
                return f"<{included}> may be included only under src/{home}"
        folder, target = path.parts[0], Path(included).parts[0]
        if target not in self.layers or "/" not in included:
            return None
        if folder != target and self.layers[target] >= self.layers[folder]:
            return f"{folder} (layer {self.layers[folder]}) may not include {target} (layer {self.layers[target]})"
        if self.in_runtime_library(path) and not self.in_runtime_library(Path(included)):
            return f"{folder} is part of libhone_runtime, {included} is not"
        return None


def bad_includes(law, src):
    for path in sorted(p for p in src.rglob("*") if p.suffix in SOURCE_SUFFIXES):
        relative = path.relative_to(src)
        if len(relative.parts) < 2:
            continue
        if relative.parts[0] not in law.layers:
            yield f"src/{relative}:1: folder {relative.parts[0]} is not in src/layers.toml"
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            match = INCLUDE.match(line)
            reason = law.complaint(relative, match[1]) if match else None
            if reason:
                yield f"src/{relative}:{number}: {reason}"


def draw(law):
    rows = ["```text", f" {max(law.layers.values()) + 1}  tools/  python/ (public C header only)"]
    for number in sorted(set(law.layers.values()), reverse=True):
        names = [f"[{n}]" if n in law.runtime_library else n for n, at in law.layers.items() if at == number]
        rows.append(f" {number}  " + "  ".join(names))
    rows += ["```", "Folders in brackets make up `libhone_runtime`; they include only each other."]
    return "\n".join([MAP_BEGIN, *rows, MAP_END])


def with_map(text, drawn):
    start, end = text.find(MAP_BEGIN), text.find(MAP_END)
    if start < 0 or end < start:
        sys.exit(f"ARCHITECTURE.md: the marker lines are missing:\n{MAP_BEGIN}\n{MAP_END}")
    return text[:start] + drawn + text[end + len(MAP_END):]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draw", action="store_true", help="write the map into ARCHITECTURE.md")
    parser.add_argument("--root", type=Path, default=ROOT, help="the tree to check")
    arguments = parser.parse_args()

    law = Law((arguments.root / "src/layers.toml").read_text(encoding="utf-8"))
    page = arguments.root / "ARCHITECTURE.md"
    text = page.read_text(encoding="utf-8")
    wanted = with_map(text, draw(law))
    if arguments.draw:
        page.write_text(wanted, encoding="utf-8")

    problems = list(bad_includes(law, arguments.root / "src"))
    if not arguments.draw and text != wanted:
        problems.append("ARCHITECTURE.md:1: the layer map is stale; run scripts/check_layers.py --draw")
    print("\n".join(problems) if problems else f"layers: {len(law.layers)} folders in order")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
