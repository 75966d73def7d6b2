"""Draws are functions of (seed, purpose, deal, index), match published vectors and look uniform."""

import numpy as np
import pytest
from scipy import stats

from simulate.jit import kernel
from simulate.rng import PURPOSE_DECK, PURPOSE_NOISE, below, draw, draw_bits, draws, stream


@kernel
def fill_draws(key, draws):
    for index in range(draws.shape[0]):
        draws[index] = draw_bits(key, np.uint64(index))


@kernel
def fill_below(key, bound, numbers):
    for index in range(numbers.shape[0]):
        numbers[index] = below(draw_bits(key, np.uint64(index)), np.uint64(bound))


def test_splitmix64_matches_its_published_outputs():
    # The first outputs for the state 1234567, as published with the generator on Rosetta Code ("Pseudo-random
    # numbers/Splitmix64").
    published = [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]
    assert [draw(1234567, index) for index in range(5)] == published


def test_compiled_draws_equal_the_plain_ones():
    key = stream(20, PURPOSE_NOISE)
    draws = np.zeros(200, dtype=np.uint64)
    fill_draws(np.uint64(key), draws)
    assert draws.tolist() == [draw(key, index) for index in range(200)]


def test_many_draws_at_once_equal_the_single_ones():
    keys = np.array([0, 1, stream(20, PURPOSE_NOISE), 2**64 - 1], dtype=np.uint64)
    indices = np.array([0, 1, 7, 2**63], dtype=np.uint64)
    table = draws(keys[:, None], indices[None, :])
    assert table.tolist() == [[draw(int(key), int(index)) for index in indices] for key in keys]


def test_seeds_and_purposes_have_streams_of_their_own():
    keys = {stream(seed, purpose) for seed in range(200) for purpose in (PURPOSE_DECK, PURPOSE_NOISE)}
    assert len(keys) == 400


@pytest.mark.parametrize("bound", [2, 3, 7, 13, 100])
def test_bounded_draws_are_uniform(bound):
    numbers = np.zeros(100_000, dtype=np.uint64)
    fill_below(np.uint64(stream(3, PURPOSE_NOISE)), bound, numbers)
    counts = np.bincount(numbers.astype(np.int64), minlength=bound)
    assert len(counts) == bound
    assert stats.chisquare(counts).pvalue > 1e-4
