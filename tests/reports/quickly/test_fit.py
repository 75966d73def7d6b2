"""The fitted sigma covers the planted one as often as it says."""

from __future__ import annotations

import numpy as np
import pytest

from reports.quickly.fit import fit_data, fit_lines, fit_sigma
from simulate.quickly.engine import Group
from simulate.quickly.exact import sort_success
from simulate.quickly.rules import GroupRules
from strategies.errors import InputError
from strategies.quickly import person


@pytest.mark.parametrize(("players", "planted", "games"), [(5, 1.2, 4), (4, 0.8, 8)])
def test_a_planted_sigma_is_recovered_in_at_least_93_of_100_trials(players, planted, games):
    """Each trial is a group that plays a few games; 100 groups play different deals."""
    rules, plain = GroupRules.printed(players), person("plain")
    played = Group(rules, (plain.with_changes({"sigma": planted}),) * players).play(77, np.arange(100 * games))
    good, bad = (counts.reshape(100, games).sum(axis=1, dtype=int) for counts in (played.good, played.bad))
    found: dict[tuple[int, int], bool] = {}
    for pair in {(int(g), int(b)) for g, b in zip(good, bad, strict=True)}:
        sigma = fit_sigma(rules, plain, *pair).sigma
        assert sigma.low <= sigma.estimate <= sigma.high
        found[pair] = sigma.low <= planted <= sigma.high
    assert sum(found[int(g), int(b)] for g, b in zip(good, bad, strict=True)) >= 93


def test_the_estimate_explains_the_share_of_good_rounds():
    rules, plain = GroupRules.printed(4), person("plain")
    fitted = fit_sigma(rules, plain, 30, 10)
    assert sort_success(rules, plain.with_changes({"sigma": fitted.sigma.estimate})) == pytest.approx(0.75, abs=1e-3)


def test_talking_hides_some_of_the_noise():
    """A group that pools impressions must have been noisier to come to the same result."""
    rules = GroupRules.printed(4)
    alone, talking = (fit_sigma(rules, person(text), 30, 10).sigma for text in ("plain", "plain,talk=3"))
    # Variance of a third of the listeners' half: 1/2 + 1/6 of the whole.
    assert talking.estimate / alone.estimate == pytest.approx((1 / 2 + 1 / 6) ** -0.5, rel=3e-3)


@pytest.mark.parametrize(("good", "bad"), [(0, 0), (-1, 3), (3, -1)])
def test_rounds_that_cannot_be_fitted_are_refused(good, bad):
    with pytest.raises(InputError, match="cannot be fitted"):
        fit_sigma(GroupRules.printed(4), person("plain"), good, bad)


def test_only_bad_rounds_set_no_upper_limit():
    fitted = fit_sigma(GroupRules.printed(4), person("plain"), 0, 1)
    lines = list(fit_lines(fitted))
    assert lines[0].startswith("4 players: ")
    assert "0 good and 1 bad rounds" in lines[1]
    assert "to no limit, 95%)" in lines[3]
    assert "games won per 100 at that rate: 0" in lines
    assert fit_data(fitted)["sigma"]["high"] is None
