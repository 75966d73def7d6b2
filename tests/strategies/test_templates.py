"""The stored orders of planned mistakes."""

from __future__ import annotations

import numpy as np
import pytest

from simulate.quickly.burning import SIGMAS, good_rounds
from simulate.quickly.rules import HIGHEST
from strategies.templates import template


@pytest.mark.parametrize("cards", range(2, HIGHEST + 1))
@pytest.mark.parametrize("allowed", [1, 2, 3])
@pytest.mark.parametrize("sigma", [0.0, *SIGMAS, 99.0])
def test_there_is_an_order_for_every_table(cards, allowed, sigma):
    order = template(cards, allowed, sigma)
    assert sorted(order) == list(range(cards))
    assert good_rounds(np.arange(1, cards + 1)[None, :], np.array([order]), allowed)[0] == 1
