"""From Duffel's JSON to the port's values: pure, and a `ValueError` where the airline's answer makes no sense."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import Literal

from ..domain.flights import Cabin, Condition, Fare, Offer, Seat, SeatMap, SeatMapCabin, SeatRow, SeatService, Segment
from ..domain.money import Money
from .duffel_wire import (
    WireCabin,
    WireCancellation,
    WireCondition,
    WireElement,
    WireOffer,
    WireOrder,
    WireRow,
    WireSeatMap,
    WireSegment,
    WireSlice,
)
from .provider import AirlineOrder, CancellationQuote, OrderPassengerFact, RefundKind

_DURATION = re.compile(r"P(?:(?P<days>\d+)D)?(?:T(?:(?P<hours>\d+)H)?(?:(?P<minutes>\d+)M)?)?")
_REFUND_KINDS = {"airline_credits": RefundKind.AIRLINE_CREDITS, "voucher": RefundKind.VOUCHER}


def offer_of(wire: WireOffer, *, request_id: str = "") -> Offer:
    """`request_id` is what the search knew; a single read of Duffel's does not name it."""
    segments = wire.slices[0].segments
    total = Money(amount=wire.total_amount, currency=wire.total_currency)
    needs = wire.payment_requirements
    holdable = not needs.requires_instant_payment
    fare = Fare(
        segments=_segments(wire.slices),
        cabin=Cabin(segments[0].passengers[0].cabin_class) if segments[0].passengers else Cabin.ECONOMY,
        fare_brand=wire.slices[0].fare_brand_name or "",
        total=total,
        passengers=len(wire.passengers),
        refund=_condition(wire.conditions.refund_before_departure),
        change=_condition(wire.conditions.change_before_departure),
        checked_bags=_checked_bags(segments[0]),
        holdable=holdable,
        seats_on_hold=holdable and "seat" in wire.supported_services_on_hold,
        pay_by=needs.payment_required_by if holdable else None,
        price_guaranteed_until=needs.price_guarantee_expires_at if holdable else None,
    )
    refs = tuple(p.id for p in wire.passengers)
    return Offer(
        offer_id=wire.id,
        request_id=wire.offer_request_id or request_id,
        fare=fare,
        expires_at=wire.expires_at,
        passenger_refs=refs,
    )


def order_of(wire: WireOrder, *, now: datetime) -> AirlineOrder:
    """`now` is the airline's time: it tells a hold from a lapsed one, which look alike on the wire."""
    documents = tuple(d.unique_identifier for d in wire.documents if d.unique_identifier)
    payment = wire.payment_status
    segments = [segment for slice_ in wire.slices for segment in slice_.segments]
    return AirlineOrder(
        order_id=wire.id,
        booking_reference=wire.booking_reference,
        state=_state(wire, documents, now),
        operation_id=wire.metadata.get("operation_id"),
        offer_id=wire.offer_id,
        total=Money(amount=wire.total_amount, currency=wire.total_currency),
        segments=_segments(wire.slices),
        passengers=tuple(
            OrderPassengerFact(
                given_name=p.given_name, family_name=p.family_name, born_on=p.born_on, seats=_seats_of(wire, segments, p.id)
            )
            for p in wire.passengers
        ),
        documents=documents,
        pay_by=payment.payment_required_by,
        price_guaranteed_until=payment.price_guarantee_expires_at,
        made_at=wire.created_at,
    )


def quote_of(wire: WireCancellation) -> CancellationQuote:
    """Credits are counted at their own worth; a refund the airline has not put a number to stays unknown."""
    kind = _REFUND_KINDS.get(wire.refund_to or "", RefundKind.MONEY)
    amount, currency = wire.refund_amount, wire.refund_currency
    worth = [c for c in wire.airline_credits if c.credit_amount is not None and c.credit_currency]
    if kind is not RefundKind.MONEY and worth:
        amount, currency = sum((c.credit_amount or Decimal(0) for c in worth), Decimal(0)), worth[0].credit_currency
    refund = Money(amount=amount, currency=currency) if amount is not None and currency else None
    if refund is None:
        kind = RefundKind.UNKNOWN
    elif refund.amount == 0:
        kind = RefundKind.NONE
    return CancellationQuote(quote_id=wire.id, order_id=wire.order_id, refund=refund, kind=kind, expires_at=wire.expires_at)


def seat_map_of(wire: WireSeatMap, segment_keys: Mapping[str, str]) -> SeatMap:
    """`segment_keys` gives the key for each of the offer's segment ids."""
    return SeatMap(segment_key=segment_keys[wire.segment_id], cabins=tuple(_cabin(c) for c in wire.cabins))


def segment_of(wire: WireSegment) -> Segment:
    return Segment(
        carrier=wire.marketing_carrier.iata_code,
        flight_number=wire.marketing_carrier_flight_number,
        operating_carrier=wire.operating_carrier.iata_code if wire.operating_carrier else None,
        operating_flight_number=wire.operating_carrier_flight_number,
        origin=wire.origin.iata_code,
        destination=wire.destination.iata_code,
        departs=wire.departing_at.replace(tzinfo=None),
        arrives=wire.arriving_at.replace(tzinfo=None),
        minutes=_minutes(wire.duration),
        aircraft=wire.aircraft.name if wire.aircraft else None,
    )


def _segments(slices: list[WireSlice]) -> tuple[Segment, ...]:
    return tuple(segment_of(segment) for slice_ in slices for segment in slice_.segments)


def _state(
    wire: WireOrder, documents: tuple[str, ...], now: datetime
) -> Literal["held", "lapsed", "ticketing", "confirmed", "cancelled"]:
    payment = wire.payment_status
    if wire.cancelled_at:
        return "cancelled"
    if documents:
        return "confirmed"
    if payment.paid_at or payment.payment_required_by is None:
        return "ticketing"
    return "lapsed" if payment.payment_required_by <= now else "held"


def _seats_of(wire: WireOrder, segments: list[WireSegment], passenger_id: str) -> tuple[tuple[str, str], ...]:
    """From the services and from the segments, as airlines fill in one or the other."""
    found: dict[str, str] = {}
    for segment in segments:
        key = segment_of(segment).key
        on_board = next((p for p in segment.passengers if p.passenger_id == passenger_id), None)
        if on_board and on_board.seat:
            found[key] = on_board.seat.designator
        for service in wire.services:
            designator = service.metadata.get("designator")
            if designator and segment.id in service.segment_ids and passenger_id in service.passenger_ids:
                found[key] = str(designator)
    return tuple(found.items())


def _condition(wire: WireCondition | None) -> Condition:
    if wire is None:
        return Condition()
    known = wire.penalty_amount is not None and wire.penalty_currency is not None
    penalty = Money(amount=wire.penalty_amount, currency=wire.penalty_currency) if known else None  # type: ignore[arg-type]
    return Condition(allowed=wire.allowed, penalty=penalty)


def _checked_bags(segment: WireSegment) -> int | None:
    bags = [b for p in segment.passengers[:1] for b in p.baggages]
    return sum(b.quantity for b in bags if b.type == "checked") if bags else None


def _cabin(wire: WireCabin) -> SeatMapCabin:
    exits = {n + 1 for n, row in enumerate(wire.rows) if any(e.type == "exit_row" for s in row.sections for e in s.elements)}
    return SeatMapCabin(
        cabin=Cabin(wire.cabin_class),
        deck=wire.deck,
        wings=(wire.wings.first_row_index, wire.wings.last_row_index) if wire.wings else None,
        rows=tuple(_row(row, at_exit=n in exits) for n, row in enumerate(wire.rows)),
    )


def _row(wire: WireRow, *, at_exit: bool) -> SeatRow:
    """Its number is the one in its seats' designators, 0 for a row without seats."""
    sections = tuple(tuple(_seat(e, at_exit=at_exit) for e in section.elements) for section in wire.sections)
    designators = [seat.designator for section in sections for seat in section if seat.designator]
    return SeatRow(number=int(re.sub(r"\D", "", designators[0]) or 0) if designators else 0, sections=sections)


def _seat(wire: WireElement, *, at_exit: bool) -> Seat:
    if wire.type != "seat" or not wire.designator:
        return Seat(designator=wire.designator or "", available=False, kind=wire.type)
    services = tuple(
        SeatService(service_id=s.id, passenger_ref=s.passenger_id, price=Money(amount=s.total_amount, currency=s.total_currency))
        for s in wire.available_services
    )
    said = " ".join((wire.name or "", *wire.disclosures)).casefold()
    return Seat(
        designator=wire.designator,
        available=bool(services),
        price=services[0].price if services else None,
        disclosures=tuple(wire.disclosures),
        exit_row=at_exit or "exit row" in said,
        extra_legroom="legroom" in said,
        services=services,
    )


def _minutes(duration: str | None) -> int:
    match = _DURATION.fullmatch(duration or "")
    if match is None:
        raise ValueError(f"no duration: {duration}")
    return int(match["days"] or 0) * 1440 + int(match["hours"] or 0) * 60 + int(match["minutes"] or 0)
