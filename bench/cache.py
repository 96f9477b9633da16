"""Where built and converted models are kept between runs; git ignores the folder."""
from pathlib import Path

CACHE = Path(__file__).resolve().parent / ".cache"
