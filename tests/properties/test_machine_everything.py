"""What the state machine must reach is what the product has: a new fault, state or command is asked for without a word here."""

from __future__ import annotations

from assistant.booking.sandbox import http
from assistant.booking.sandbox.faults import Fault
from assistant.domain.commands import Kind
from assistant.domain.plans import OrderState
from assistant.domain.trips import TripStatus
from assistant.persistence.tables import OPERATION_STATE
from tests.properties.machine_everything import (
    CALLS,
    ENDS,
    ONLY,
    OPERATIONS,
    PAIRS,
    REACHABLE,
    UNREACHABLE,
    everything,
    named,
    unreached,
)
from tests.properties.machine_ground import REACHED
from tests.properties.machine_long import focus_of, not_met, pairs_of
from tests.properties.state_machine import AT_ONCE


def test_every_call_of_the_airline_goes_wrong_in_every_way_it_can() -> None:
    assert set(CALLS) == {call for _, _, call in http._PATHS}
    assert {fault for _, fault in PAIRS} == set(Fault)
    anywhere = set(Fault) - set(ONLY)
    assert {(call, fault) for call in CALLS for fault in anywhere} <= set(PAIRS)


def test_every_state_command_and_answer_is_asked_for() -> None:
    wanted = {*everything(), *UNREACHABLE}
    assert {f"trip {status}" for status in TripStatus} <= wanted
    assert {f"order {state}" for state in OrderState} <= wanted
    assert {f"command {kind}" for kind in Kind} <= wanted
    assert set(OPERATIONS) == {"hold", "book", "pay", "cancel"}
    assert set(ENDS) == set(OPERATION_STATE) - {"planned", "submitting", "unknown"}


def test_what_cannot_be_reached_exists_and_has_a_reason() -> None:
    states = {f"trip {status}" for status in TripStatus} | {f"fault {call}:{fault}" for call, fault in PAIRS}
    assert set(UNREACHABLE) <= states
    assert all(len(reason) > 20 for reason in UNREACHABLE.values())


def test_a_run_that_reached_nothing_is_told_all_of_it() -> None:
    assert unreached({}) == everything()
    assert unreached(dict.fromkeys(everything(), 1)) == []


def test_one_seed_after_the_other_begins_with_every_fault() -> None:
    seeds = range(17, 18 + len(REACHABLE) // AT_ONCE)
    assert {pair for number in seeds for pair in focus_of(number)} == set(REACHABLE)


def test_what_was_not_met_by_chance_is_gone_after_until_nothing_is_left() -> None:
    met = REACHED.copy()
    try:
        REACHED.update({named(pair): 1 for pair in REACHABLE[:-5]})
        for missing in REACHABLE[-5:]:
            REACHED.pop(named(missing), None)
        assert {pair for number in range(17, 19) for pair in not_met(number)} == set(REACHABLE[-5:])
        REACHED.update({named(pair): 1 for pair in REACHABLE[1:]})
        REACHED.pop(named(REACHABLE[0]), None)
        assert not_met(7) == REACHABLE[:1]
        REACHED[named(REACHABLE[0])] = 1
        assert not_met(7) == ()
        assert pairs_of("pay:503,create:slow") == (("pay", Fault.UNAVAILABLE), ("create", Fault.SLOW))
    finally:
        REACHED.clear()
        REACHED.update(met)
