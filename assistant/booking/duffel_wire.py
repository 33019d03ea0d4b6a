"""Duffel's v2 JSON, as much of it as we read: what is not named here is ignored, what is named and missing is unreadable."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field


class Wire(BaseModel):
    """Amounts are decimal strings on the wire; a JSON number would already have lost its exactness."""

    model_config = ConfigDict(extra="ignore", frozen=True)


def _listed(value: object) -> object:
    return [] if value is None else value


def _named(value: object) -> object:
    return {} if value is None else value


def _exact(value: object) -> object:
    if isinstance(value, float):
        raise ValueError("an amount must be a decimal string")
    return value


Amount = Annotated[Decimal, BeforeValidator(_exact)]


class WirePlace(Wire):
    iata_code: str


class WireCarrier(Wire):
    iata_code: str


class WireAircraft(Wire):
    name: str


class WireBaggage(Wire):
    type: str
    quantity: int


class WireSeat(Wire):
    designator: str


class WireSegmentPassenger(Wire):
    passenger_id: str
    cabin_class: str = "economy"
    baggages: Annotated[list[WireBaggage], BeforeValidator(_listed)] = []
    seat: WireSeat | None = None


class WireSegment(Wire):
    id: str
    origin: WirePlace
    destination: WirePlace
    departing_at: datetime
    arriving_at: datetime
    duration: str | None = None
    marketing_carrier: WireCarrier
    marketing_carrier_flight_number: str
    operating_carrier: WireCarrier | None = None
    operating_carrier_flight_number: str | None = None
    aircraft: WireAircraft | None = None
    passengers: Annotated[list[WireSegmentPassenger], BeforeValidator(_listed)] = []


class WireSlice(Wire):
    fare_brand_name: str | None = None
    segments: Annotated[list[WireSegment], Field(min_length=1)]


class WireCondition(Wire):
    allowed: bool
    penalty_amount: Amount | None = None
    penalty_currency: str | None = None


class WireConditions(Wire):
    refund_before_departure: WireCondition | None = None
    change_before_departure: WireCondition | None = None


class WirePaymentRequirements(Wire):
    requires_instant_payment: bool = True
    payment_required_by: datetime | None = None
    price_guarantee_expires_at: datetime | None = None


class WireOfferPassenger(Wire):
    id: str


class WireOffer(Wire):
    """`offer_request_id` and `supported_services_on_hold` are our sandbox's; Duffel names neither: seats are not held."""

    id: str
    total_amount: Amount
    total_currency: str
    slices: Annotated[list[WireSlice], Field(min_length=1)]
    passengers: list[WireOfferPassenger]
    conditions: WireConditions = WireConditions()
    payment_requirements: WirePaymentRequirements = WirePaymentRequirements()
    expires_at: datetime
    offer_request_id: str | None = None
    supported_services_on_hold: Annotated[list[str], BeforeValidator(_listed)] = []


class WirePaymentStatus(Wire):
    payment_required_by: datetime | None = None
    price_guarantee_expires_at: datetime | None = None
    paid_at: datetime | None = None


class WireDocument(Wire):
    type: str
    unique_identifier: str | None = None


class WireOrderPassenger(Wire):
    id: str
    given_name: str
    family_name: str
    born_on: date


class WireService(Wire):
    type: str | None = None
    segment_ids: Annotated[list[str], BeforeValidator(_listed)] = []
    passenger_ids: Annotated[list[str], BeforeValidator(_listed)] = []
    metadata: Annotated[dict[str, Any], BeforeValidator(_named)] = {}


class WireOrder(Wire):
    id: str
    created_at: datetime | None = None
    offer_id: str | None = None
    booking_reference: str | None = None
    metadata: Annotated[dict[str, Any], BeforeValidator(_named)] = {}
    total_amount: Amount
    total_currency: str
    slices: Annotated[list[WireSlice], Field(min_length=1)]
    passengers: list[WireOrderPassenger]
    services: Annotated[list[WireService], BeforeValidator(_listed)] = []
    documents: Annotated[list[WireDocument], BeforeValidator(_listed)] = []
    payment_status: WirePaymentStatus = WirePaymentStatus()
    cancelled_at: datetime | None = None


class WireCredit(Wire):
    credit_amount: Amount | None = None
    credit_currency: str | None = None


class WireCancellation(Wire):
    id: str
    order_id: str
    refund_amount: Amount | None = None
    refund_currency: str | None = None
    refund_to: str | None = None
    airline_credits: Annotated[list[WireCredit], BeforeValidator(_listed)] = []
    expires_at: datetime | None = None
    confirmed_at: datetime | None = None


class WireSeatService(Wire):
    id: str
    passenger_id: str
    total_amount: Amount
    total_currency: str


class WireElement(Wire):
    type: str
    designator: str | None = None
    name: str | None = None
    disclosures: Annotated[list[str], BeforeValidator(_listed)] = []
    available_services: Annotated[list[WireSeatService], BeforeValidator(_listed)] = []


class WireSection(Wire):
    elements: Annotated[list[WireElement], BeforeValidator(_listed)] = []


class WireRow(Wire):
    sections: list[WireSection]


class WireWings(Wire):
    first_row_index: int
    last_row_index: int


class WireCabin(Wire):
    cabin_class: str
    deck: int = 0
    wings: WireWings | None = None
    rows: list[WireRow]


class WireSeatMap(Wire):
    segment_id: str
    cabins: list[WireCabin]


class WireEventMetadata(Wire):
    operation_id: str | None = None


class WireEventObject(Wire):
    """An order, or what became of an attempt to make one."""

    id: str | None = None
    order_id: str | None = None
    offer_id: str | None = None
    reason: str | None = None
    metadata: WireEventMetadata | None = None


class WireEventData(Wire):
    object: WireEventObject | None = None


class WireEvent(Wire):
    id: str
    type: str
    data: WireEventData = WireEventData()
