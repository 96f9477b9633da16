"""The engines by name. Each module is imported only when asked for, because any of the packages may be missing."""
from __future__ import annotations

import importlib

from engines.engine import Engine, Unavailable

REFERENCE = "onnxruntime"
HONE = "hone"
NAMES = (HONE, REFERENCE, "openvino", "torch", "ncnn")
# Timed and shown, but never the best peer: it multiplies less than the others do (Winograd), which Hone does not answer yet.
BESIDE = ("ncnn",)


def engine_class(name: str) -> type[Engine]:
    """Raises Unavailable, with the import's own message, where the package cannot be imported."""
    try:
        module = importlib.import_module(f"engines.{name}_engine")
    except (ImportError, OSError) as error:
        raise Unavailable(f"cannot be imported: {str(error).splitlines()[0]}") from error
    return getattr(module, f"{name.capitalize()}Engine")
