"""Hone compiles tensor programs and runs them.

    import hone
    session = hone.Session("model.onnx")
    outputs = session.run(None, {"x": x})

Sessions have the calls of onnxruntime's InferenceSession that programs use most, so that one may stand for the other.
"""

from ._native import Error, InternalError
from ._session import NodeArg, Session, SessionOptions, compile
from ._native import version as _version

__version__ = _version()
__all__ = ["Error", "InternalError", "NodeArg", "Session", "SessionOptions", "compile"]
