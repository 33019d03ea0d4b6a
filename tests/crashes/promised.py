"""What the product promises whoever makes a journey, and which answers may be got on the way. Everything else is broken.

Where the airline does nothing wrong a journey ends as it was meant to. Only where a server died in it may it end with a person
who is asked: what was about to be sent then is not sent again.
"""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]

ENDS: dict[str, str] = {
    "book": "booked",
    "pay": "booked",
    "release": "rejected",
    "calls_off": "cancelled",
    "cancel": "cancelled",
    "keeps": "booked",
    "other_seat": "booked",
    "other_date": "booked",
    "promotes": "booked",
    "rewords": "booked",
    "expires": "booked",
}
ASKED = "needs_person"
AT_A_FAULTY_AIRLINE = frozenset({"booked", "rejected", "cancelled", "choosing", "waiting_review", ASKED})

NOT_NOW = frozenset({"busy", "version_moved", "confirming"})  # a moment later it is possible
TAKEN = frozenset({"seat_taken"})  # by another journey
OVERTAKEN = frozenset(  # the ground moved while it was asked
    {"already_decided", "answer_too_late", "list_changed", "not_waiting", "stale_digest"}
)


def wrong_end(kind: str, end: str, *, calm: bool, died: bool) -> str | None:
    """What is to be said of a journey that came to this; None where it may."""
    if not calm:
        return None if end in AT_A_FAULTY_AIRLINE else f"a {kind} journey ended {end}"
    if end == ENDS[kind] or (died and end == ASKED):
        return None
    return f"a {kind} journey with nothing wrong at the airline ended {end}{' after a death' if died else ''}, not {ENDS[kind]}"


def wrong_answer(path: str, status: int, answer: Json, *, moving: bool) -> str | None:
    """None for the receipt of what has succeeded and for a refusal that was to be expected.

    `moving`: the ground may move under whoever asks, by faults of the airline or because a day passes.
    """
    expected = NOT_NOW | TAKEN | (OVERTAKEN if moving else frozenset())
    if status == 200:
        if answer.get("status") == "succeeded" or (answer.get("error") or {}).get("code") in expected:
            return None
    elif status == 409 and answer.get("code") in expected:
        return None
    return f"{path} was answered {status}: {answer}"
