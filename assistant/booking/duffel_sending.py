"""From the port's requests to Duffel's JSON."""

from __future__ import annotations

from typing import Any

from .provider import OrderPassenger, OrderRequest, SearchRequest

_Json = dict[str, Any]


def search_body(request: SearchRequest) -> _Json:
    """One slice, its passengers in the request's order."""
    body: _Json = {
        "slices": [
            {"origin": request.origin, "destination": request.destination, "departure_date": request.depart_on.isoformat()}
        ],
        "passengers": [{"type": "adult"} if age is None else {"age": age} for age in request.ages],
    }
    if request.cabin:
        body["cabin_class"] = str(request.cabin)
    if request.max_stops is not None:
        body["max_connections"] = request.max_stops
    return body


def order_body(request: OrderRequest) -> _Json:
    """A hold carries no payment, so its total is checked by whoever reads the order; an instant order pays exactly `total`."""
    body: _Json = {
        "type": request.kind,
        "selected_offers": [request.offer_id],
        "passengers": [_passenger(p) for p in request.passengers],
        "metadata": {"operation_id": request.operation_id},
    }
    if request.seats:
        body["services"] = [{"id": seat.service_id, "quantity": 1} for seat in request.seats]
    if request.kind == "instant":
        amount = str(request.total.amount)
        body["payments"] = [{"type": "balance", "amount": amount, "currency": request.total.currency}]
    return body


def _passenger(passenger: OrderPassenger) -> _Json:
    person = passenger.details
    body: _Json = {
        "id": passenger.ref,
        "title": str(person.title),
        "gender": str(person.gender),
        "given_name": person.given_name,
        "family_name": person.family_name,
        "born_on": person.born_on.isoformat(),
        "email": person.email,
        "phone_number": person.phone,
    }
    passports = [d for d in person.documents if d.kind == "passport"]
    if passports:
        passport = passports[0]
        body["identity_documents"] = [
            {
                "type": "passport",
                "unique_identifier": passport.number,
                "issuing_country_code": passport.country,
                "expires_on": passport.expires_on.isoformat(),
            }
        ]
    return body
