"""Whatever people, the airline, the clock and a dying process do in whatever order, one intent is one booking."""

from __future__ import annotations

from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.properties.state_machine import Trips, totals

SHORT = settings(
    max_examples=4,
    stateful_step_count=12,
    deadline=None,
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
    suppress_health_check=list(HealthCheck),
    print_blob=True,
)


def test_nothing_breaks_whatever_happens_in_whatever_order() -> None:
    run_state_machine_as_test(Trips, settings=SHORT)
    print(totals())
