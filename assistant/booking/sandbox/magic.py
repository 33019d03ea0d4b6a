"""Routes that always go wrong in one way, as in Duffel's own test airline, so that anyone can see a fault from the chat."""

from __future__ import annotations

from enum import StrEnum


class Magic(StrEnum):
    NO_OFFERS = "PVD-RAI"
    ONLY_HOLDABLE = "JFK-EWR"
    DEARER_ON_EVERY_READ = "LHR-STN"
    OFFER_GONE = "LGW-LHR"
    NO_BALANCE = "LGW-STN"
    CREATE_FAILS = "LHR-LGW"
    SEARCH_TIMES_OUT = "STN-LHR"
    REFUND_AS_CREDITS = "LTN-SYD"
    FLIGHT_MOVES = "LHR-LTN"


_BY_ROUTE = {str(m): m for m in Magic}


def magic(route: str) -> Magic | None:
    return _BY_ROUTE.get(route)
