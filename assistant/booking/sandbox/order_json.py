"""An order as Duffel's JSON shows it, read as of now."""

from __future__ import annotations

from ...places import airline
from . import wire
from .books import Books
from .chance import token
from .order_records import Order, total_of
from .seat_services import seat_of, service_json
from .store import Json, wire_time


def order_json(books: Books, order: Order) -> Json:
    """`awaiting_payment` is false for a lapsed hold as for a paid order: only the other facts tell them apart."""
    offer = order.offer
    total = total_of(books, order)
    unpaid = order.paid_at is None
    return {
        "id": order.order_id,
        "offer_id": offer.offer_id,
        "type": order.body["type"],
        "live_mode": False,
        "created_at": wire_time(order.created_at),
        "synced_at": wire_time(books.now),
        "booking_reference": order.body["booking_reference"],
        "owner": wire.carrier(offer.owner),
        "metadata": order.body["metadata"],
        "total_amount": str(total),
        "total_currency": offer.currency,
        "slices": [_slice(order)],
        "passengers": [{"type": "adult", **p} for p in order.body["passengers"]],
        "services": service_json(order.body["services"], offer),
        "documents": _documents(books, order),
        "conditions": wire.conditions(offer.owner, offer.brand, offer.total, offer.currency),
        "payment_status": {
            "awaiting_payment": unpaid and order.live,
            "payment_required_by": wire_time(order.pay_by) if order.pay_by else None,
            "price_guarantee_expires_at": wire_time(offer.guarantee) if order.pay_by and offer.guarantee else None,
            "paid_at": wire_time(order.paid_at) if order.paid_at else None,
        },
        "cancelled_at": wire_time(order.cancelled_at) if order.cancelled_at else None,
        "available_actions": ["cancel"] if order.live else [],
        "airline_initiated_changes": order.body["changes"],
    }


def _slice(order: Order) -> Json:
    offer, services = order.offer, order.body["services"]
    segments: list[Json] = []
    for index, flight in enumerate(offer.flights):
        people: list[Json] = []
        for traveller in offer.travellers:
            seat = seat_of(services, index, traveller.passenger_id)
            on_board = wire.passenger_on_segment(traveller.passenger_id, offer.brand)
            people.append({**on_board, "seat": {"designator": seat, "name": "", "disclosures": []} if seat else None})
        segments.append(wire.segment(offer.offer_id, index, flight, people))
    return wire.slice_(offer.offer_id, offer.flights, offer.brand, segments)


def _documents(books: Books, order: Order) -> list[Json]:
    """Tickets come some seconds after payment, one for each passenger."""
    if order.paid_at is None or books.now < order.paid_at + books.terms.ticketing:
        return []
    found = airline(order.offer.owner)
    prefix = 100 + int(token("ticket", found.name if found else order.offer.owner)[:6], 16) % 890
    return [
        {
            "type": "electronic_ticket",
            "unique_identifier": f"{prefix}-{int(token(order.order_id, who)[:10], 16) % 10**10:010d}",
            "passenger_ids": [passenger["id"]],
        }
        for who, passenger in enumerate(order.body["passengers"])
    ]
