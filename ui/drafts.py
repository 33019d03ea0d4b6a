"""What a traveller has picked on the page and not sent yet. It lives in the browser and carries numbers and seats only."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, cast

from pydantic import Field, ValidationError

from assistant.domain.commands import Seats
from assistant.domain.money import Money
from assistant.domain.trips import IfGone, TripStatus
from assistant.domain.value import Value
from assistant.views.shapes import OfferView, SeatMapView, SeatView, TripView

Sort = Literal["best", "price", "departs", "duration"]
Stage = Literal["offers", "seats", "check"]
SORTS: tuple[Sort, ...] = ("best", "price", "departs", "duration")
STAGES: tuple[Stage, ...] = ("offers", "seats", "check")


class Draft(Value):
    """`seats` holds only what differs from the proposal; `active` is the traveller (from 0) whom the next seat is for."""

    stage: Stage = "offers"
    sort: Sort = "best"
    offer: int | None = None
    offers_hash: str | None = None
    seats: Seats = {}
    if_gone: IfGone = IfGone.NEXT_BEST
    active: int = Field(default=0, ge=0, le=8)
    segment: int = Field(default=1, ge=1, le=9)

    def picked(self, trip: TripView) -> OfferView | None:
        """The option picked, as long as the list is the one it was picked from."""
        if self.offer is None or self.offers_hash != trip.offers_hash:
            return None
        return next((o for o in trip.offers if o.n == self.offer), None)

    def with_seat(self, seats: Mapping[int, str], position: int, designator: str) -> Draft:
        """Moves traveller `position` to a seat of the current segment; who sits there gets theirs. `seats`: as they are now."""
        segment, before = str(self.segment), seats.get(position)
        changed = {p: dict(of) for p, of in self.seats.items()}
        other = next((p for p, seat in seats.items() if seat == designator and p != position), None)
        if other is not None and before is not None:
            changed.setdefault(str(other + 1), {})[segment] = before
        changed.setdefault(str(position + 1), {})[segment] = designator
        return self.model_copy(update={"seats": changed, "active": _next(seats, position)})


def drafts_of(data: object) -> dict[str, Draft]:
    """Drafts by trip as the browser sent them; what does not fit counts as not picked."""
    if not isinstance(data, Mapping):
        return {}
    return {str(trip_id): draft_of(one) for trip_id, one in cast("Mapping[object, object]", data).items()}


def draft_of(data: object) -> Draft:
    try:
        return Draft.model_validate(data)
    except ValidationError:
        return Draft()


def list_is_open(trip: TripView) -> bool:
    """A list to choose from, also where something is chosen already and something else was asked for."""
    question = trip.question
    if question is None or question.node != "choose" or not trip.offers or trip.moved:
        return False
    told = question.reason or question.message or trip.reason
    return not trip.selection or not (told or trip.status is TripStatus.EXPIRED)


def option_shown(trip: TripView, draft: Draft) -> int | None:
    """The number of the option whose seats the card shows: the picked one's, or the chosen one's while it waits."""
    if trip.selection is not None and not list_is_open(trip):
        return next(
            (o.n for o in trip.offers if o.fare.segment_keys == trip.selection.segment_keys and _same_fare(o, trip)), None
        )
    offer = draft.picked(trip)
    return offer.n if offer is not None and draft.stage != "offers" else None


def _same_fare(offer: OfferView, trip: TripView) -> bool:
    selection = trip.selection
    return selection is not None and (offer.fare.cabin, offer.fare.fare_brand) == (selection.cabin, selection.fare_brand)


def seats_now(draft: Draft, offer: OfferView, segment_key: str, segment: int) -> dict[int, str]:
    """Traveller from 0 -> seat on one flight: the proposal, and what was clicked over it."""
    seats = {s.position: s.designator for s in offer.seats if s.segment_key == segment_key}
    for position, of in draft.seats.items():
        if seat := of.get(str(segment)):
            seats[int(position) - 1] = seat
    return seats


def all_seats(draft: Draft, offer: OfferView) -> Seats:
    """Everybody's seats, for the command that chooses: traveller from 1 -> segment from 1 -> seat."""
    found: Seats = {}
    for number, segment in enumerate(offer.fare.segments, start=1):
        for position, seat in seats_now(draft, offer, segment.key, number).items():
            found.setdefault(str(position + 1), {})[str(number)] = seat
    return found


def total_of(draft: Draft, offer: OfferView, maps: Sequence[SeatMapView]) -> Money:
    """Fare and the seats as they are now, for everybody; the seats' prices come from the airline's map."""
    if not draft.seats:
        return offer.total
    total = offer.fare.total
    by_key = {view.segment_key: view for view in maps}
    for number, segment in enumerate(offer.fare.segments, start=1):
        for designator in seats_now(draft, offer, segment.key, number).values():
            price = _price(by_key.get(segment.key), designator)
            total = total + price if price else total
    return total


def every_seat(view: SeatMapView) -> Iterator[SeatView]:
    return (seat for row in view.rows for section in row.sections for seat in section if seat.designator)


def seat_facts(view: SeatMapView | None, designator: str) -> SeatView | None:
    return next((s for s in every_seat(view) if s.designator == designator), None) if view else None


def _price(view: SeatMapView | None, designator: str) -> Money | None:
    seat = seat_facts(view, designator)
    return seat.price if seat else None


def _next(seats: Mapping[int, Any], position: int) -> int:
    """After one traveller's seat the next one's, where there is a next one."""
    later = sorted(p for p in seats if p > position)
    return later[0] if later else position
