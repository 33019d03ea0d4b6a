"""What the airline asks of a passenger before it makes an order."""

from __future__ import annotations

import re
from datetime import date, datetime

from .errors import AirlineError, invalid
from .offers import AirlineOffer
from .store import Json

_NEEDED = ("id", "given_name", "family_name", "born_on", "title", "gender", "email", "phone_number")
_KEPT = (*_NEEDED, "type", "identity_documents")
_NAME = re.compile(r"[A-Za-z][A-Za-z' \-]*")
_PHONE = re.compile(r"\+[1-9][0-9]{6,14}")


def checked_passengers(asked: list[Json], offer: AirlineOffer, now: datetime) -> list[Json]:
    """The passengers as the airline will keep them, or the first thing that is wrong with them."""
    if {p.get("id") for p in asked} != {t.passenger_id for t in offer.travellers} or len(asked) != len(offer.travellers):
        raise invalid("passengers", "must be the passengers of the offer", "invalid_passengers")
    for passenger in asked:
        _check(passenger, now)
    people = {(str(p["given_name"]).casefold(), str(p["family_name"]).casefold(), p["born_on"]) for p in asked}
    if len(people) < len(asked):
        raise invalid("passengers", "two passengers are the same person", "duplicate_passenger_name")
    return [{field: p[field] for field in _KEPT if field in p} for p in asked]


def _check(passenger: Json, now: datetime) -> None:
    for field in _NEEDED:
        if not isinstance(passenger.get(field), str) or not passenger[field]:
            raise invalid(field, "is missing")
    for field in ("given_name", "family_name"):
        if not _NAME.fullmatch(passenger[field]):
            raise AirlineError("invalid_passenger_name", f"{field} must be in Latin letters", type_="validation_error")
    if not _PHONE.fullmatch(passenger["phone_number"]):
        raise invalid("phone_number", "must be in E.164 format", "invalid_phone_number")
    if passenger["gender"] not in ("m", "f") or passenger["title"] not in ("mr", "ms", "mrs", "miss", "dr"):
        raise invalid("title", "title or gender is unknown", "validation_inclusion")
    try:
        born = date.fromisoformat(passenger["born_on"])
    except ValueError:
        raise invalid("born_on", "must be a date", "validation_format") from None
    if not date(1900, 1, 1) <= born <= now.date():
        raise invalid("born_on", "must be in the past", "validation_inclusion")
