"""The shape of what is asked: checked before anything is looked at, so that only plain values reach the records."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StrictInt, ValidationError

from .errors import AirlineError, invalid
from .store import Json

_Text = Annotated[str, Field(max_length=500)]


class _Shape(BaseModel):
    """What is not named here is passed over, as the seller does."""

    model_config = ConfigDict(extra="ignore")


class _Slice(_Shape):
    origin: _Text
    destination: _Text
    departure_date: _Text


class _Traveller(_Shape):
    type: _Text | None = None
    age: StrictInt | None = None


class _Search(_Shape):
    slices: list[_Slice]
    passengers: list[_Traveller]
    cabin_class: _Text | None = None
    max_connections: StrictInt = 1


class _Document(_Shape):
    type: _Text
    unique_identifier: _Text
    issuing_country_code: _Text
    expires_on: _Text


class _Passenger(_Shape):
    id: _Text
    given_name: _Text | None = None
    family_name: _Text | None = None
    born_on: _Text | None = None
    title: _Text | None = None
    gender: _Text | None = None
    email: _Text | None = None
    phone_number: _Text | None = None
    identity_documents: list[_Document] = []


class _Service(_Shape):
    id: _Text
    quantity: StrictInt


class _Payment(_Shape):
    type: _Text
    amount: _Text
    currency: _Text


class _Create(_Shape):
    type: _Text = "instant"
    selected_offers: list[_Text]
    passengers: list[_Passenger]
    services: list[_Service] = []
    payments: list[_Payment] = []
    metadata: dict[_Text, _Text] = {}


class _Pay(_Shape):
    order_id: _Text
    payment: _Payment


class _Quote(_Shape):
    order_id: _Text


_SHAPES: dict[str, type[_Shape]] = {"search": _Search, "create": _Create, "pay": _Pay, "quote": _Quote}


def shaped(op: str, body: Json) -> Json:
    """The body with plain values only; the first thing that does not fit is refused by its name."""
    shape = _SHAPES.get(op)
    if shape is None:
        return {}
    try:
        return shape.model_validate(body).model_dump(mode="json")
    except ValidationError as wrong:
        raise _refusal(wrong) from None


def _refusal(wrong: ValidationError) -> AirlineError:
    first = wrong.errors(include_url=False, include_input=False)[0]
    code = "validation_required" if first["type"] == "missing" else "validation_format"
    return invalid("/".join(map(str, first["loc"])), first["msg"], code)
