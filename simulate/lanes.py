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


# From here on: the same for kernels.

_types: Any = types
_tools: Any = cgutils
_NUMBER: Final[Any] = ir.IntType(16)
_VECTOR: Final[Any] = ir.VectorType(_NUMBER, LANES)
_PLACE: Final[Any] = ir.IntType(32)


class _LanesType(_types.Type):  # type: ignore[misc]
    """The type of lanes in kernels."""

    def __init__(self) -> None:
        super().__init__(name="Lanes")


_LANES: Final[Any] = _LanesType()


@register_model(_LanesType)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, _VECTOR)  # type: ignore[no-untyped-call]


def _places(numbers: list[int]) -> Any:
    return ir.Constant(ir.VectorType(_PLACE, len(numbers)), numbers)


def _in_every_lane(builder: Any, number: Any) -> Any:
    nothing = ir.Constant(_VECTOR, ir.Undefined)
    one = builder.insert_element(nothing, builder.trunc(number, _NUMBER), ir.Constant(_PLACE, 0))
    return builder.shuffle_vector(one, nothing, _places([0] * LANES))


@intrinsic
def _nibbles(typing_context: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        octets = ir.VectorType(ir.IntType(8), LANES // 2)
        pairs = builder.bitcast(arguments[0], octets)
        low = builder.and_(pairs, ir.Constant(octets, [15] * (LANES // 2)))
        high = builder.lshr(pairs, ir.Constant(octets, [_NIBBLE] * (LANES // 2)))
        in_turn = [place + half for place in range(LANES // 2) for half in (0, LANES // 2)]
        return builder.zext(builder.shuffle_vector(low, high, _places(in_turn)), _VECTOR)

    return _LANES(types.uint64), generate


@intrinsic
def _sixteen(typing_context: Any, numbers: Any, first: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        start = builder.gep(data, [arguments[1]])
        return builder.load(builder.bitcast(start, _VECTOR.as_pointer()), align=2)

    return _LANES(numbers, types.uint64), generate


@intrinsic
def _everywhere(typing_context: Any, number: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _in_every_lane(builder, arguments[0])

    return _LANES(types.uint64), generate


@intrinsic
def _where(typing_context: Any, lanes: Any, number: Any, those: Any, others: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        lanes, number, those, others = arguments
        same = builder.icmp_unsigned("==", lanes, _in_every_lane(builder, number))
        return builder.select(same, those, others)

    return _LANES(_LANES, types.uint64, _LANES, _LANES), generate


def _lane_by_lane(operation: str) -> Any:
    @intrinsic
    def combine(typing_context: Any, first: Any, second: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return getattr(builder, operation)(*arguments)

        return _LANES(_LANES, _LANES), generate

    return combine


def _of_all_lanes(operation: str) -> Any:
    @intrinsic
    def reduce(typing_context: Any, lanes: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            kind = ir.FunctionType(_NUMBER, [_VECTOR])
            name = f"llvm.vector.reduce.{operation}.v{LANES}i16"
            function = _tools.get_or_insert_function(builder.module, kind, name)
            return builder.zext(builder.call(function, arguments), ir.IntType(64))

        return types.uint64(_LANES), generate

    return reduce


@overload(nibbles)
def _compiled_nibbles(word: Any) -> Callable[..., Any]:
    emitted: Any = _nibbles

    def compiled(word: Any) -> Any:
        return emitted(word)

    return compiled


@overload(sixteen)
def _compiled_sixteen(numbers: Any, first: Any) -> Callable[..., Any]:
    emitted: Any = _sixteen

    def load(numbers: Any, first: Any) -> Any:
        # Read for the check of bounds alone, where that is on; else the compiler leaves it out.
        numbers[first + _LAST]
        return emitted(numbers, first)

    return load


@overload(everywhere)
def _compiled_everywhere(number: Any) -> Callable[..., Any]:
    emitted: Any = _everywhere

    def compiled(number: Any) -> Any:
        return emitted(number)

    return compiled


@overload(where)
def _compiled_where(lanes: Any, number: Any, those: Any, others: Any) -> Callable[..., Any]:
    emitted: Any = _where

    def compiled(lanes: Any, number: Any, those: Any, others: Any) -> Any:
        return emitted(lanes, number, those, others)

    return compiled


def _compiled_pair(emitted: Any) -> Callable[..., Any]:
    def typed(first: Any, second: Any) -> Callable[..., Any]:
        def compiled(first: Any, second: Any) -> Any:
            return emitted(first, second)

        return compiled

    return typed


def _compiled_whole(emitted: Any) -> Callable[..., Any]:
    def typed(lanes: Any) -> Callable[..., Any]:
        def compiled(lanes: Any) -> Any:
            return emitted(lanes)

        return compiled

    return typed


overload(plus)(_compiled_pair(_lane_by_lane("add")))
overload(times)(_compiled_pair(_lane_by_lane("mul")))
overload(smallest)(_compiled_whole(_of_all_lanes("umin")))
overload(largest)(_compiled_whole(_of_all_lanes("umax")))
