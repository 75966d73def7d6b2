"""Sixteen numbers at once are worked on as numpy works on sixteen numbers, compiled or not."""

import numpy as np
import pytest

from simulate.jit import kernel
from simulate.lanes import (
    LANE_NUMBERS,
    LANES,
    everywhere,
    largest,
    nibbles,
    plus,
    sixteen,
    smallest,
    times,
    where,
)


@kernel
def fill_all(first, second, start, word, number, out):
    """Write every lane of every result: row by row those of the functions, and in the last row the reductions."""
    zero = np.uint64(0)
    lanes, others = sixteen(first, start), sixteen(second, zero)
    results = (
        lanes,
        nibbles(word),
        everywhere(number),
        where(lanes, number, others, lanes),
        plus(lanes, others),
        times(lanes, others),
    )
    for row in range(6):
        for lane in range(np.uint64(0), np.uint64(LANES)):
            only = where(sixteen(LANE_NUMBERS, zero), lane, results[row], everywhere(zero))
            out[row, lane] = largest(only)
    out[6, 0], out[6, 1] = smallest(lanes), largest(lanes)


@pytest.mark.parametrize("seed", range(20))
def test_every_lane_is_what_numpy_makes_of_it(seed):
    rng = np.random.default_rng(seed)
    first, second = (rng.integers(0, 1 << 16, size, dtype=np.uint16) for size in (40, LANES))
    start, word = int(rng.integers(0, 25)), int(rng.integers(0, 1 << 63)) * 2 + 1
    lanes = first[start : start + LANES]
    number = int(lanes[seed % LANES])
    out = np.zeros((7, LANES), dtype=np.uint64)
    fill_all(first, second, np.uint64(start), np.uint64(word), np.uint64(number), out)
    hexadecimal = [int(digit, 16) for digit in reversed(f"{word:016x}")]
    assert out[0].tolist() == lanes.tolist()
    assert out[1].tolist() == hexadecimal
    assert out[2].tolist() == [number] * LANES
    assert out[3].tolist() == [s if f == number else f for f, s in zip(lanes.tolist(), second.tolist(), strict=True)]
    assert out[4].tolist() == [(f + s) % 65536 for f, s in zip(lanes.tolist(), second.tolist(), strict=True)]
    assert out[5].tolist() == [f * s % 65536 for f, s in zip(lanes.tolist(), second.tolist(), strict=True)]
    assert out[6, :2].tolist() == [min(lanes.tolist()), max(lanes.tolist())]


def test_the_text_that_python_runs_says_the_same():
    lanes, others = np.arange(100, 116, dtype=np.uint16), np.arange(16, dtype=np.uint16)
    assert nibbles(np.uint64(0xFEDCBA9876543210)).tolist() == list(range(16))
    assert sixteen(np.arange(40, dtype=np.uint16), 3).tolist() == list(range(3, 19))
    assert everywhere(7).tolist() == [7] * 16
    assert where(lanes, 104, others, lanes).tolist() == [*range(100, 104), 4, *range(105, 116)]
    assert plus(lanes, others).tolist() == list(range(100, 132, 2))
    assert times(others, others).tolist() == [n * n for n in range(16)]
    assert (smallest(lanes), largest(lanes)) == (100, 115)
