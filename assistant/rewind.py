"""Going back: what can be corrected at which step, as typed patches. Nothing ever enters a trip after `choose`."""

from __future__ import annotations

import re
from datetime import UTC, datetime, time, tzinfo
from typing import Annotated, Any, Literal
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, Field, JsonValue, ValidationError, create_model
from pydantic_core import PydanticCustomError

from .domain.commands import Seats, Text
from .domain.errors import Invalid
from .domain.flights import Cabin
from .domain.money import Cap, payable
from .domain.shortlist import fits
from .domain.trips import SOLD_AHEAD, ShownFare, TripRequest
from .domain.understanding import Intent, Rank, SeatWish, Slots
from .domain.value import Value
from .places import airport, codes_for
from .wording.problems import of_fields, wrong

AIRLINE, FLIGHT = re.compile(r"[A-Z0-9]{2}"), re.compile(r"([A-Z0-9]{2})?[0-9]{1,4}")
MOST_AIRLINES, MOST_EXCLUDED, LONGEST_KEY = 20, 200, 400
LAST_FIRST, BACKWARDS, WITH_OFFSET = "last_first", "backwards", "with_offset"
Problems = dict[str, dict[str, JsonValue]]  # what is wrong with each field: `Said`, as JSON
WHOLE = ("origin", "destination", "adults", "ages")
CHOOSE_AND_AFTER = frozenset({"choose", "refresh", "plan", "settle", "agree", "review", "await_outcome", "conclude"})


def _local(at: time) -> time:
    if at.tzinfo is not None:
        raise PydanticCustomError("with_offset", "times are local to the airport, without an offset")
    return at


LocalTime = Annotated[time, AfterValidator(_local)]


def _is_backwards(first: time | None, last: time | None) -> bool:
    return first is not None and last is not None and last < first


def _sought(slots: Slots) -> Slots:
    """Days and hours that there are, and money that is paid; places and people are asked about in the chat."""
    for when in (w for w in (slots.depart, slots.return_) if w is not None):
        for at in (at for at in (when.time_from, when.time_to) if at is not None):
            _local(at)
        if _is_backwards(when.time_from, when.time_to):
            raise PydanticCustomError("backwards", "the window ends before it begins")
        if when.date_from and when.date_to and when.date_to < when.date_from:
            raise PydanticCustomError("last_first", "the last day is before the first one")
    return slots.model_copy(update={"cap": slots.cap and payable(slots.cap)})


class MessageCorrection(Value):
    """Another text; without one the answer is written anew."""

    text: Text | None = None


class UnderstandingCorrection(Value):
    """What the traveller really meant: whole values, replacing what was understood."""

    slots: Annotated[Slots, AfterValidator(_sought)] | None = None
    wishes: tuple[SeatWish, ...] | None = None
    intents: tuple[Intent, ...] | None = None


class ListCorrection(Value):
    """Options not to be shown again, fewer stops, another window of local departure time."""

    exclude: tuple[int, ...] = ()
    max_stops: int | None = Field(default=None, ge=0, le=3)
    time_from: LocalTime | None = None
    time_to: LocalTime | None = None


class ChoiceCorrection(Value):
    """Another option or other seats; `ask` the reviewer again with the same, or the traveller anew."""

    offer: int | None = Field(default=None, ge=1, le=99)
    seats: Seats | None = None
    ask: Literal["reviewer", "traveller"] | None = None


RequestCorrection: type[Value] = create_model(
    "RequestCorrection",
    __base__=Value,
    __doc__="What was asked for: any of its fields, the others stay.",
    origin=(str | None, Field(default=None, pattern=r"^[A-Z]{3}$")),
    destination=(str | None, Field(default=None, pattern=r"^[A-Z]{3}$")),
    depart_on=(str | None, Field(default=None, json_schema_extra={"format": "date"})),
    depart_until=(str | None, Field(default=None, json_schema_extra={"format": "date"})),
    time_from=(LocalTime | None, None),
    time_to=(LocalTime | None, None),
    cabin=(Cabin | None, None),
    max_stops=(int | None, Field(default=None, ge=0, le=3)),
    airlines=(tuple[str, ...] | None, None),
    cap=(Cap | None, None),
    rank=(Rank | None, None),
    refundable=(bool | None, None),
    adults=(int | None, Field(default=None, ge=0, le=9)),
    ages=(tuple[int, ...] | None, None),
)


def correctable(kind: str, step: str) -> type[Value] | None:
    """The patch a version made by this step takes; None: nothing can be corrected there."""
    if kind == "conversation":
        return {"start": MessageCorrection, "understand": UnderstandingCorrection}.get(step)
    if step in CHOOSE_AND_AFTER:
        return ChoiceCorrection
    return {"start": RequestCorrection, "shortlist": ListCorrection}.get(step)


def enters_as(kind: str, step: str) -> str | None:
    """The node a correction of such a version enters as; None where nothing can be corrected."""
    if correctable(kind, step) is None:
        return None
    return "START" if step == "start" else "choose" if step in CHOOSE_AND_AFTER else step


def checked_corrections(kind: str, step: str, raw: dict[str, Any] | None) -> Value:
    """Raises Invalid naming each wrong field, before anything is written."""
    model = correctable(kind, step)
    if model is None:
        raise Invalid("not_correctable", step=step)
    try:
        return model.model_validate(raw or {})
    except ValidationError as failure:
        raise _senseless(of_fields(failure, whole="corrections")) from failure


def corrected_request(before: dict[str, Any], patch: dict[str, Any], *, at: datetime) -> TripRequest:
    """The request with the fields of `patch` in it, as of `at` (aware). Raises Invalid naming each field that makes no sense."""
    try:
        request = TripRequest.model_validate(before | patch)
    except ValidationError as failure:
        found = of_fields(failure, whole="")
        raise _senseless({field: each for at, each in found.items() for field in _named(at, patch)}) from failure
    problems = _impossible(request, at) | _unsearchable(request)
    if problems := {field: text for field, text in problems.items() if field in patch}:
        raise _senseless(problems)
    return request.model_copy(update={"cap": payable(request.cap)}) if patch.get("cap") and request.cap else request


def changes_of(patch: Value) -> dict[str, Any]:
    """What a patch says, in a command's words; what it leaves out stays."""
    return patch.model_dump(mode="json", exclude_unset=True)


def _senseless(problems: Problems) -> Invalid:
    return Invalid("invalid", fields=sorted(problems), problems=problems)


def _named(at: str, patch: dict[str, Any]) -> list[str]:
    """What is wrong with the request as a whole is wrong with what was changed of who travels from where to where."""
    return [at] if at else [f for f in WHOLE if f in patch] or ["request"]


def _impossible(request: TripRequest, at: datetime) -> Problems:
    """What the model lets pass and no flight can be found for: places nobody knows, days that are over or years away."""
    places = {"origin": codes_for(request.origin), "destination": codes_for(request.destination)}
    problems = {field: wrong("unknown_place") for field, codes in places.items() if not codes}
    if same := set(places["origin"]) & set(places["destination"]):
        problems |= dict.fromkeys(places, wrong("shared_airport", {"airports": ", ".join(sorted(same))}))
    if request.depart_on < at.astimezone(_zone(places["origin"])).date():
        problems["depart_on"] = wrong("day_over")
    if request.depart_until is not None and request.depart_until < request.depart_on:
        problems |= dict.fromkeys(("depart_on", "depart_until"), wrong(LAST_FIRST))
    for field, day in (("depart_on", request.depart_on), ("depart_until", request.depart_until)):
        if day is not None and day > at.date() + SOLD_AHEAD:
            problems[field] = wrong("far_ahead")
    return problems


def _unsearchable(request: TripRequest) -> Problems:
    """What no airline could be asked: windows no time is in, money nobody pays, names that are none, or too many of them."""
    problems: Problems = {}
    hours = {name: at for name in ("time_from", "time_to") if (at := getattr(request, name)) is not None}
    if zoned := [name for name, at in hours.items() if at.tzinfo is not None]:
        problems |= dict.fromkeys(zoned, wrong(WITH_OFFSET))
    elif _is_backwards(request.time_from, request.time_to):
        problems |= dict.fromkeys(hours, wrong(BACKWARDS))
    if len(request.airlines) > MOST_AIRLINES or not all(AIRLINE.fullmatch(code) for code in request.airlines):
        problems["airlines"] = wrong("airlines", {"most": MOST_AIRLINES})
    if request.flight_number is not None and not FLIGHT.fullmatch(request.flight_number):
        problems["flight_number"] = wrong("flight_number")
    if len(request.excluded) > MOST_EXCLUDED or any(len(flights) > LONGEST_KEY for flights in request.excluded):
        problems["excluded"] = wrong("excluded", {"most": MOST_EXCLUDED})
    return problems | _unpayable(request)


def _unpayable(request: TripRequest) -> Problems:
    try:
        if request.cap is not None:
            payable(request.cap)
    except PydanticCustomError as failure:
        return {"cap": wrong(failure.type, failure.context)}
    return {}


def _zone(airports: tuple[str, ...]) -> tzinfo:
    place = airport(airports[0]) if airports else None
    return ZoneInfo(place.tz) if place else UTC


def relisted(body: dict[str, Any], request: TripRequest, patch: ListCorrection) -> tuple[dict[str, Any], TripRequest]:
    """The list shown then, without what the correction excludes; numbers are given anew. Raises Invalid when nothing is left."""
    shown = [ShownFare.model_validate(f) for f in body["fares"]]
    gone = tuple("+".join(s.fare.segment_keys) for s in shown if s.n in patch.exclude)
    changes = patch.model_dump(exclude_unset=True, exclude={"exclude"})
    narrowed = request.model_copy(update=changes | {"excluded": (*request.excluded, *gone)})
    if problems := {field: text for field, text in _unsearchable(narrowed).items() if field in changes}:
        raise _senseless(problems)
    kept = [s for s in shown if fits(s.fare, narrowed)]
    if not kept:
        raise Invalid("nothing_left")
    fares = [s.model_copy(update={"n": n}).model_dump(mode="json") for n, s in enumerate(kept, start=1)]
    maps = {str(n): body["seat_maps"].get(str(s.n), []) for n, s in enumerate(kept, start=1)}
    return {"fares": fares, "seat_maps": maps}, narrowed


def correction_schema(kind: str, step: str) -> dict[str, Any] | None:
    """The patch as JSON Schema, for forms."""
    model = correctable(kind, step)
    return model.model_json_schema() if model else None


def corrections_of(kind: str, step: str) -> tuple[dict[str, Any] | None, str | None]:
    """Schema and node at once, for whoever shows a version."""
    return correction_schema(kind, step), enters_as(kind, step)
