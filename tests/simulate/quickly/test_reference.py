"""The compiled engine plays as the slow one does, flip by flip, whatever the rules, the persons and the deal."""

from __future__ import annotations

import random

import pytest

from simulate.jit import numba_config
from tests.simulate.quickly.cases import check_case, random_group

BATCHES = 30
CASES_PER_BATCH = 100 if not numba_config.DISABLE_JIT else 3


@pytest.mark.parametrize("batch", range(BATCHES))
def test_random_cases_are_played_alike_flip_by_flip(batch):
    rng = random.Random(2000 + batch)
    for _ in range(CASES_PER_BATCH):
        check_case(random_group(rng), rng.randrange(1 << 62), rng.randrange(1 << 40))
