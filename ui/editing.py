"""What a reviewer has changed and not decided yet. It lives in the page and carries numbers and names of seats only."""

from __future__ import annotations

from pydantic import Field, ValidationError

from assistant.domain.commands import Edits, Seats
from assistant.domain.plans import Choice
from assistant.domain.value import Value
from assistant.views.shapes import OfferView, ReviewView, TripView

from .presses import Press


class Editing(Value):
    """`active` (traveller from 0) and `segment` (flight from 1) say where the next seat click goes."""

    offer: int | None = None
    seats: Seats = {}
    settle: Choice | None = None
    active: int = Field(default=0, ge=0, le=8)
    segment: int = Field(default=1, ge=1, le=9)

    @classmethod
    def read(cls, data: object) -> Editing:
        try:
            return cls.model_validate(data)
        except ValidationError:
            return cls()

    @property
    def changes(self) -> bool:
        return self.offer is not None or bool(self.seats) or self.settle is not None

    @property
    def edits(self) -> Edits:
        return Edits.model_validate(
            {"offer": self.offer, "seats": self.seats or None, "settle": self.settle and self.settle.value}
        )

    def with_seat(self, seats: dict[int, str], designator: str) -> Editing:
        """Moves the active traveller to a seat of the current flight; who sits there gets theirs."""
        segment, before = str(self.segment), seats.get(self.active)
        changed = {p: dict(of) for p, of in self.seats.items()}
        other = next((p for p, seat in seats.items() if seat == designator and p != self.active), None)
        if other is not None and before is not None:
            changed.setdefault(str(other + 1), {})[segment] = before
        changed.setdefault(str(self.active + 1), {})[segment] = designator
        return self.model_copy(update={"seats": changed})


def edited(editing: Editing, press: Press, review: ReviewView) -> Editing:
    """The edits after a press; one that does not fit leaves them as they were."""
    value, number = press.text("value"), press.number("value")
    match press.do:
        case "discard":
            return Editing()
        case "active" if number is not None and 0 <= number <= 8:
            return editing.model_copy(update={"active": number})
        case "segment" if number and 1 <= number <= 9:
            return editing.model_copy(update={"segment": number, "active": 0})
        case "offer" if any(o.n == number for o in review.trip.offers):
            return Editing(offer=None if number == review.selected_offer else number, settle=editing.settle)
        case "settle" if value in set(Choice):
            return editing.model_copy(update={"settle": None if value == review.plan.chosen else Choice(value)})
        case "seat" if seat := press.text("seat"):
            offer = offer_of(review, editing)
            segments = offer.fare.segments if offer else review.trip.chosen.segments if review.trip.chosen else ()
            if not 1 <= editing.segment <= len(segments):
                return editing
            return editing.with_seat(
                seats_of(review.trip, offer, editing, segments[editing.segment - 1].key, editing.segment), seat
            )
        case _:
            return editing


def offer_of(review: ReviewView, editing: Editing) -> OfferView | None:
    number = editing.offer or review.selected_offer
    return next((o for o in review.trip.offers if o.n == number), None)


def seats_of(trip: TripView, offer: OfferView | None, editing: Editing, segment_key: str, segment: int) -> dict[int, str]:
    """Traveller from 0 -> seat: as chosen by the traveller (or proposed, for another option), and the edits over it."""
    if editing.offer is not None and offer is not None:
        seats = {s.position: s.designator for s in offer.seats if s.segment_key == segment_key}
    else:
        seats = {i: p.seats[segment_key] for i, p in enumerate(trip.passengers) if segment_key in p.seats}
    for position, of in editing.seats.items():
        if seat := of.get(str(segment)):
            seats[int(position) - 1] = seat
    return seats
