"""Sixteen small numbers side by side, worked on at once: one lane for every nibble of a hand.

A processor adds, compares and picks sixteen 16-bit numbers in one instruction, but a compiler seldom finds that in a
loop. These few functions say it outright. In Python they work on numpy arrays of sixteen numbers, which is what they
mean; kernels get one or two instructions of whatever processor there is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic, models, overload, register_model
from numpy.typing import NDArray

LANES: Final = 16

Lanes: TypeAlias = NDArray[np.uint16]
"""Sixteen numbers; in kernels a vector of the processor."""

Number: TypeAlias = int | np.uint64

LANE_NUMBERS: Final[Lanes] = np.arange(LANES, dtype=np.uint16)

_NIBBLE: Final = 4
_LAST = np.uint64(LANES - 1)


def nibbles(word: np.uint64) -> Lanes:
    """Return the nibbles of a 64-bit word, the lowest first."""
    return np.array([(int(word) >> (_NIBBLE * lane)) & 15 for lane in range(LANES)], dtype=np.uint16)


def sixteen(numbers: NDArray[np.uint16], first: Number) -> Lanes:
    """Return sixteen consecutive numbers of an array."""
    return numbers[int(first) : int(first) + LANES]


def everywhere(number: Number) -> Lanes:
    """Return the same number in every lane."""
    return np.full(LANES, number, dtype=np.uint16)


def where(lanes: Lanes, number: Number, those: Lanes, others: Lanes) -> Lanes:
    """Return `those` in the lanes that hold a number, and `others` in all others."""
    return np.where(lanes == number, those, others)


def plus(first: Lanes, second: Lanes) -> Lanes:
    """Add lane by lane."""
    return first + second


def times(first: Lanes, second: Lanes) -> Lanes:
    """Multiply lane by lane."""
    return first * second


def smallest(lanes: Lanes) -> np.uint64:
    """Return the smallest number."""
    return np.uint64(lanes.min())


def largest(lanes: Lanes) -> np.uint64:
    """Return the largest number."""
    return np.uint64(lanes.max())


# From here on: the same for kernels. Neither numba nor llvmlite has types to speak of: what they hand over stays Any.

_types: Any = types
_tools: Any = cgutils
_NUMBER: Final[Any] = ir.IntType(16)
_VECTOR: Final[Any] = ir.VectorType(_NUMBER, LANES)
_PLACE: Final[Any] = ir.IntType(32)

Emit: TypeAlias = Callable[..., ir.Value]
"""Writes the instructions of a function, and returns the value of the result."""


class _LanesType(_types.Type):  # type: ignore[misc]
    """The type of lanes in kernels."""

    def __init__(self) -> None:
        super().__init__(name="Lanes")


_LANES: Final[Any] = _LanesType()


@register_model(_LanesType)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager: object, kind: object) -> None:
        super().__init__(manager, kind, _VECTOR)  # type: ignore[no-untyped-call]


def _emitting(emit: Emit) -> Callable[..., ir.Value]:
    """Return what numba calls to generate code."""
    return lambda context, builder, signature, arguments: emit(builder, *arguments)


def _of_one(function: Callable[..., object], operand: object, result: Any, emit: Emit) -> None:
    """Let kernels have a function of one operand."""

    @intrinsic
    def emitting(typing_context: object, first: object) -> tuple[object, Emit]:
        return result(operand), _emitting(emit)

    emitted: Any = emitting

    @overload(function)
    def typed(first: object) -> Callable[..., object]:
        def compiled(first: object) -> object:
            return emitted(first)

        return compiled


def _of_two(function: Callable[..., object], emit: Emit) -> None:
    """Let kernels have a function that makes lanes of two lanes."""

    @intrinsic
    def emitting(typing_context: object, first: object, second: object) -> tuple[object, Emit]:
        return _LANES(_LANES, _LANES), _emitting(emit)

    emitted: Any = emitting

    @overload(function)
    def typed(first: object, second: object) -> Callable[..., object]:
        def compiled(first: object, second: object) -> object:
            return emitted(first, second)

        return compiled


def _places(numbers: list[int]) -> ir.Constant:
    return ir.Constant(ir.VectorType(_PLACE, len(numbers)), numbers)


def _in_every_lane(builder: ir.IRBuilder, number: ir.Value) -> ir.Value:
    nothing = ir.Constant(_VECTOR, ir.Undefined)
    lane = builder.insert_element(nothing, builder.trunc(number, _NUMBER), ir.Constant(_PLACE, 0))
    return builder.shuffle_vector(lane, nothing, _places([0] * LANES))


def _nibbles(builder: ir.IRBuilder, word: ir.Value) -> ir.Value:
    octets = ir.VectorType(ir.IntType(8), LANES // 2)
    pairs = builder.bitcast(word, octets)
    low = builder.and_(pairs, ir.Constant(octets, [15] * (LANES // 2)))
    high = builder.lshr(pairs, ir.Constant(octets, [_NIBBLE] * (LANES // 2)))
    in_turn = [place + half for place in range(LANES // 2) for half in (0, LANES // 2)]
    return builder.zext(builder.shuffle_vector(low, high, _places(in_turn)), _VECTOR)


def _reduced(operation: str) -> Emit:
    def emit(builder: ir.IRBuilder, lanes: ir.Value) -> ir.Value:
        kind = ir.FunctionType(_NUMBER, [_VECTOR])
        function = _tools.get_or_insert_function(builder.module, kind, f"llvm.vector.reduce.{operation}.v{LANES}i16")
        return builder.zext(builder.call(function, [lanes]), ir.IntType(64))

    return emit


@intrinsic
def _sixteen(typing_context: object, numbers: object, first: object) -> tuple[object, Emit]:
    def generate(context: Any, builder: ir.IRBuilder, signature: Any, arguments: list[ir.Value]) -> ir.Value:
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        start = builder.gep(data, [arguments[1]])
        return builder.load(builder.bitcast(start, _VECTOR.as_pointer()), align=2)

    return _LANES(numbers, types.uint64), generate


@overload(sixteen)
def _compiled_sixteen(numbers: NDArray[np.uint16], first: np.uint64) -> Callable[..., object]:
    emitted: Any = _sixteen

    def load(numbers: NDArray[np.uint16], first: np.uint64) -> object:
        # Read for the check of bounds alone, where that is on; else the compiler leaves it out.
        numbers[first + _LAST]
        return emitted(numbers, first)

    return load


@intrinsic
def _where(typing_context: object, lanes: object, number: object, those: object, others: object) -> tuple[object, Emit]:
    def emit(builder: ir.IRBuilder, lanes: ir.Value, number: ir.Value, those: ir.Value, others: ir.Value) -> ir.Value:
        return builder.select(builder.icmp_unsigned("==", lanes, _in_every_lane(builder, number)), those, others)

    return _LANES(_LANES, types.uint64, _LANES, _LANES), _emitting(emit)


@overload(where)
def _compiled_where(lanes: object, number: object, those: object, others: object) -> Callable[..., object]:
    emitted: Any = _where

    def compiled(lanes: object, number: object, those: object, others: object) -> object:
        return emitted(lanes, number, those, others)

    return compiled


_of_one(nibbles, types.uint64, _LANES, _nibbles)
_of_one(everywhere, types.uint64, _LANES, _in_every_lane)
_of_one(smallest, _LANES, types.uint64, _reduced("umin"))
_of_one(largest, _LANES, types.uint64, _reduced("umax"))
_of_two(plus, lambda builder, first, second: builder.add(first, second))
_of_two(times, lambda builder, first, second: builder.mul(first, second))
