"""A flight that the airline has moved: what it was, what it is, and whether the rest of the journey still works. Pure."""

from __future__ import annotations

from datetime import timedelta
from itertools import pairwise

from .flights import Fare, Segment
from .plans import Itinerary
from .trips import SeatChoice, Selection
from .value import Value

SHORTEST_CONNECTION = timedelta(minutes=45)
SHORTEST_STAY = timedelta(hours=1)  # between landing and taking off again on another ticket


class Move(Value):
    """One order's flights before and after. `command_id` is the first command that was to tell of it; a later one may have to."""

    command_id: str
    order_id: str
    was: Fare
    now: Fare
    before: Itinerary
    after: Itinerary


def moved(fare: Fare, itinerary: Itinerary, segments: tuple[Segment, ...]) -> tuple[Fare, Itinerary] | None:
    """Fare and itinerary with the airline's flights of now; None where nothing has moved. A seat goes with its flight."""
    if [_times(s) for s in fare.segments] == [_times(s) for s in segments]:
        return None
    same_legs = len(fare.segments) == len(segments)
    keys = {old.key: new.key for old, new in zip(fare.segments, segments, strict=True)} if same_legs else {}
    seats = tuple((keys[key], passenger, seat) for key, passenger, seat in itinerary.seats if key in keys)
    after = itinerary.model_copy(update={"segment_keys": tuple(s.key for s in segments), "seats": seats})
    return fare.model_copy(update={"segments": segments}), after


def selection_after(selection: Selection, move: Move) -> Selection | None:
    """The traveller's choice on the moved flights; None where they had chosen something else."""
    if selection.segment_keys != move.before.segment_keys:
        return None
    seats = tuple(SeatChoice(passenger_id=p, segment_key=key, designator=seat) for key, p, seat in move.after.seats)
    return selection.model_copy(update={"segment_keys": move.after.segment_keys, "seats": seats})


def connection_works(segments: tuple[Segment, ...]) -> bool | None:
    """Whether each connection leaves time to change; None without one. Both times are local to one airport."""
    waits = [after.departs - before.arrives for before, after in pairwise(segments)]
    return all(wait >= SHORTEST_CONNECTION for wait in waits) if waits else None


def other_way_works(outbound: tuple[Segment, ...], back: tuple[Segment, ...]) -> bool:
    """Whether there is time between landing and the flight back."""
    return back[0].departs - outbound[-1].arrives >= SHORTEST_STAY


def _times(segment: Segment) -> tuple[object, ...]:
    return segment.key, segment.departs, segment.arrives
