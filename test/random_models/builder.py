"""A graph that grows node by node. Every tensor's values are known for every feed, so that templates can keep domains and sizes.

Each tensor that was rounded has a shadow: the same computed from slightly perturbed numbers. How far the shadow strays tells
how much of a difference between two correct implementations to expect.
"""
from __future__ import annotations

import functools
import random
from dataclasses import dataclass
from typing import Callable, Sequence

import numpy as np
import onnx
from onnx import helper, numpy_helper

import element
from evaluate import CannotRun, Functions, NodeRunner, inferred_shapes_agree, needed_by

FEEDS = 2
MOST_ELEMENTS = 30_000
SIZES = (1, 1, 2, 2, 3, 3, 4, 5, 6, 7, 8, 11, 13, 16, 17, 32, 37, 64, 129)
# The judges compute these for doubles no better than for floats, or take a constant such as 1/6 or the default 0.01 as a float.
COARSE = ("Erf", "Gelu", "HardSwish", "HardSigmoid", "LeakyRelu", "Elu", "Celu", "Selu", "DFT", "STFT", "AffineGrid", "HannWindow", "HammingWindow",
          "BlackmanWindow", "GroupNormalization", "RMSNormalization", "FlexAttention", "Resize")
Dims = list[tuple[int, ...]]  # of every dimension its size in each feed


class Rejected(Exception):
    """This draw makes no sense in this graph; another is taken."""


@dataclass(frozen=True, eq=False)
class Value:
    name: str
    arrays: tuple[np.ndarray, ...]
    shadows: tuple[np.ndarray, ...]
    exact: bool
    constant: bool = False
    depth: int = 0

    @property
    def dtype(self) -> np.dtype:
        return self.arrays[0].dtype

    @property
    def shape(self) -> tuple[int, ...]:
        return self.arrays[0].shape

    @property
    def rank(self) -> int:
        return self.arrays[0].ndim

    @property
    def dims(self) -> Dims:
        return list(zip(*(array.shape for array in self.arrays)))

    @property
    def static(self) -> bool:
        return all(array.shape == self.shape for array in self.arrays)

    def every(self, test: Callable[[np.ndarray], object]) -> bool:
        return all(bool(np.all(test(array))) for array in self.arrays)

    def within(self, low: float, high: float) -> bool:
        return self.every(lambda a: (a.astype(np.float64) >= low) & (a.astype(np.float64) <= high))

    @property
    def stray(self) -> float:
        """How far the shadow is from the tensor, at most."""
        pairs = zip(self.arrays, self.shadows)
        return 0.0 if self.exact else max((float(np.max(_distance(a, s), initial=0.0)) for a, s in pairs), default=0.0)


def _distance(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Without bound where only one of them is a number."""
    a, b = a.astype(np.float64), b.astype(np.float64)
    with np.errstate(invalid="ignore"):
        return np.where((a == b) | np.isnan(a) & np.isnan(b), 0.0, np.nan_to_num(np.abs(a - b), nan=np.inf, posinf=np.inf))


class Builder:
    def __init__(self, seed: int, opset: int, symbolic: bool, empty: bool) -> None:
        self.rng, self.numbers, self.noise = random.Random(seed), np.random.default_rng(seed), np.random.default_rng([seed, 1])
        self.opset, self.symbolic, self.empty = opset, symbolic, empty
        self.main_float = self.rng.choices(element.FLOATS, (14, 2, 2, 1))[0]
        self.symbols: dict[tuple[int, ...], str] = {}
        self.nodes: list[onnx.NodeProto] = []
        self.inputs: list[Value] = []
        self.constants: list[Value] = []
        self.pool: list[Value] = []  # what templates may take
        self.known: dict[str, Value] = {}
        self.functions: Functions = {}
        self.judges: set[str] = set()
        self.count = 0

    # Choices.

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability

    def among(self, options: Sequence):
        if not options:
            raise Rejected("nothing to choose from")
        return self.rng.choice(list(options))

    def dtype(self, options: Sequence[np.dtype]) -> np.dtype:
        """The graph's float type half of the time, f32 or i64 often."""
        if self.main_float in options and self.chance(0.6):
            return self.main_float
        common = [t for t in (element.F32, element.I64) if t in options]
        return self.among(common if common and self.chance(0.3) else options)

    def size(self) -> tuple[int, ...]:
        if self.symbolic and self.chance(0.4):
            if self.symbols and self.chance(0.7):
                return self.among(sorted(self.symbols))
            sizes = tuple(0 if self.empty and self.chance(0.1) else size for size in self.rng.sample(SIZES, FEEDS))
            if sizes[0] != sizes[1]:
                self.symbols.setdefault(sizes, f"n{len(self.symbols)}")
            return sizes
        if self.empty and self.chance(0.1):
            return (0,) * FEEDS
        return (self.among(SIZES),) * FEEDS

    def some_dims(self, lowest: int = 0, highest: int = 5) -> Dims:
        rank = self.rng.choices(range(6), (2, 4, 6, 5, 5, 2))[0]
        dims = [self.size() for _ in range(min(max(rank, lowest), highest))]
        if any(np.prod(shape, dtype=float) > MOST_ELEMENTS for shape in zip(*dims)):
            dims = [tuple(min(s, 7) for s in sizes) for sizes in dims]
        return dims

    def axis(self, rank: int) -> int:
        """Of a tensor of this rank, counted from the front or from the back."""
        if rank == 0:
            raise Rejected("a scalar has no axis")
        return self.rng.randrange(-rank, rank)

    def axes(self, rank: int, fewest: int = 0) -> list[int]:
        chosen = self.rng.sample(range(rank), self.rng.randint(min(fewest, rank), rank))
        return [a - rank if self.chance(0.4) else a for a in chosen]

    # Tensors.

    def pick(self, dtypes: Sequence[np.dtype], lowest: int = 0, highest: int = 5, exact: bool = False,
             where: Callable[[Value], bool] = lambda value: True, kind: str = "any") -> Value:
        """A tensor of the graph, or a new one. `where` is asked of tensors that exist, `kind` names the values of a new one."""
        def fits(value: Value) -> bool:
            return (value.dtype in dtypes and lowest <= value.rank <= highest and (value.exact or not exact) and where(value))
        found = [value for value in self.pool if fits(value)]
        if found and self.chance(0.8):
            recent = found[-4:]
            return self.among(recent if self.chance(0.7) else found)
        value = self.new(self.dtype(dtypes), self.some_dims(lowest, highest), kind)
        if not where(value):
            raise Rejected("the new tensor does not fit")
        return value

    def new(self, dtype: np.dtype, dims: Dims, kind: str = "any", constant: bool | None = None) -> Value:
        shapes = [tuple(sizes) for sizes in zip(*dims)] if dims else [()] * FEEDS
        if any(np.prod(shape, dtype=float) > MOST_ELEMENTS for shape in shapes):
            raise Rejected("too large")
        same = all(shape == shapes[0] for shape in shapes)
        if constant is None:
            constant = self.chance(0.35)
        if constant and same:
            return self.constant(element.values(self.numbers, dtype, shapes[0], kind), "w")
        return self.input([element.values(self.numbers, dtype, shape, kind) for shape in shapes])

    def input(self, arrays: Sequence[np.ndarray], pooled: bool = True) -> Value:
        value = Value(self._name("x"), tuple(arrays), tuple(arrays), True)
        for sizes in value.dims:
            if len(set(sizes)) > 1:
                self.symbols.setdefault(tuple(sizes), f"n{len(self.symbols)}")
        self.inputs.append(value)
        return self._know(value, pooled)

    def constant(self, array: np.ndarray, prefix: str = "c") -> Value:
        """An initializer; now and then a Constant node."""
        array = np.asarray(array)
        if self.chance(0.15) and array.dtype != element.BF16:
            tensor = numpy_helper.from_array(array, "")
            (value,) = self.add("Constant", [], value=tensor)
            return value
        value = Value(self._name(prefix), (array,) * FEEDS, (array,) * FEEDS, True, constant=True)
        self.constants.append(value)
        return self._know(value, prefix == "w")

    def numbers_input(self, numbers: Sequence[int], dtype: np.dtype = element.I64) -> Value:
        """Axes, sizes, pads and the like: mostly a constant, seldom an input whose values decide what is computed."""
        array = np.array(numbers, dtype)
        if self.chance(0.03):
            return self.input([array] * FEEDS, pooled=False)
        return self.constant(array)

    def _name(self, prefix: str) -> str:
        self.count += 1
        return f"{prefix}{self.count}"

    def _know(self, value: Value, pooled: bool) -> Value:
        self.known[value.name] = value
        if pooled:
            self.pool.append(value)
        return value

    # Nodes.

    def add(self, op: str, inputs: Sequence[Value | None], outputs: int | Sequence[bool] = 1, rounds: bool = False,
            ring: bool = False, noise: int = 4, pooled: bool = True,
            finite: bool = True, **attributes) -> list[Value]:
        """Adds a node. `rounds`: its floats are rounded; `ring`: exactly representable as long as the numbers are simple.

        `noise`: how many roundings the operands may stand for.
        """
        wanted = [True] * outputs if isinstance(outputs, int) else list(outputs)
        names = [self._name("t") if want else "" for want in wanted]
        while names and not names[-1]:
            names.pop()
        spelled = [value.name if value else "" for value in inputs]
        while spelled and not spelled[-1]:
            spelled.pop()
        node = helper.make_node(op, spelled, names, name=f"{op}_{self.count}", **attributes)
        sources = [self.known[name] for name in needed_by(node)]
        try:
            runner = NodeRunner(node, self.opset, {value.name: value.dtype for value in sources}, self.functions)
            noisy = functools.partial(self._noisy, coarse=op in COARSE or "as f32" in runner.judge, noise=noise * rounds)
            results = [runner({v.name: v.arrays[k] for v in sources}) for k in range(FEEDS)]
            exact = all(value.exact for value in sources) and (not rounds or ring and _simple(sources, results))
            shadows = results if exact else [runner({v.name: noisy(v.shadows[k]) if not _whole(v) else v.arrays[k] for v in sources})
                                             for k in range(FEEDS)]
        except CannotRun as error:
            raise Rejected(f"{op}: {error}") from error
        made = []
        for name in filter(None, names):
            arrays = tuple(result[name] for result in results)
            same = exact or not element.is_float(arrays[0].dtype)
            depth = max((v.depth for v in sources), default=0) + (0 if same else 1)
            value = Value(name, arrays, arrays if same else tuple(noisy(shadow[name]) for shadow in shadows), same, depth=depth)
            _check(op, value, finite)
            made.append(value)
        for k, result in enumerate(results):
            constants = {v.name for v in sources if v.constant}
            if not inferred_shapes_agree(node, self.opset, {v.name: v.arrays[k] for v in sources}, constants, result, self.functions):
                raise Rejected(f"{op}: onnx expects another shape or type")
        self.judges.add(runner.judge)
        self.nodes.append(node)
        return [self._know(value, pooled) for value in made]

    def _noisy(self, array: np.ndarray, coarse: bool, noise: int) -> np.ndarray:
        if not noise or not element.is_float(array.dtype):
            return array
        relative = noise * max(element.EPSILON[array.dtype], element.EPSILON[element.F32] if coarse else 0.0)
        wide = array.astype(np.float64)
        with np.errstate(over="ignore"):
            return np.asarray(wide * (1 + relative * self.noise.uniform(-1, 1, array.shape))).astype(array.dtype)

    # Draws that fail leave no trace.

    def mark(self) -> tuple[int, ...]:
        return len(self.nodes), len(self.inputs), len(self.constants), len(self.pool)

    def restore(self, mark: tuple[int, ...]) -> None:
        for things, length in zip((self.nodes, self.inputs, self.constants, self.pool), mark):
            del things[length:]


def _simple(sources: Sequence[Value], results: Sequence[dict[str, np.ndarray]]) -> bool:
    """Multiples of 1/16 that are small, in f32 and f64: sums and products of a few hundred of them are exact in any order."""
    floats = [value for value in sources if element.is_float(value.dtype)]
    arrays = [array for result in results for array in result.values()]
    return (all(v.dtype in (element.F32, element.F64) and v.within(-64, 64) and v.every(lambda a: a * 16 == np.round(a * 16))
                and max(a.size for a in v.arrays) <= 512 for v in floats)
            and all(np.all(np.abs(array) <= 4096) for array in arrays if element.is_float(array.dtype)))


def _whole(value: Value) -> bool:
    """An exponent of 2 stands for 2: a little more or less and no power of a negative number is left."""
    return value.exact and value.every(lambda a: a.size == 1 and np.all(a == np.round(a)))


def _check(op: str, value: Value, finite: bool) -> None:
    if value.dtype not in element.ALL:
        raise Rejected(f"{op} gives {value.dtype}")
    for array, shadow in zip(value.arrays, value.shadows):
        if array.size > MOST_ELEMENTS or array.ndim > 6:
            raise Rejected(f"{op}: too large")
        if array.dtype in (element.I64, element.I32) and np.any(np.abs(array) > 10**6):
            raise Rejected(f"{op}: too large an integer")
        if not element.is_float(array.dtype) or not finite:
            continue
        largest = float(np.max(np.abs(array.astype(np.float64)), initial=0.0))
        if not largest <= element.LARGEST[array.dtype]:
            raise Rejected(f"{op}: too large a number, or none")
        if array.shape != shadow.shape or np.max(_distance(array, shadow), initial=0.0) > 0.05 * largest + 1e-30:
            raise Rejected(f"{op}: rounding decides the result")
