"""The right-hand side of the traveller's page: each trip as a document that grows from wish to ticket."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from assistant.domain.trips import TripStatus
from assistant.views.shapes import PersonView, SeatMapView, TripView, WishView

from .booked import ended_order, order_card, stands
from .buttons import button
from .chosen import chosen
from .drafts import Draft, list_is_open
from .flights import route
from .icons import icon
from .markup import NOTHING, joined, tag
from .moved import moved_card
from .offers import check, options, seating
from .other_bookings import other_bookings
from .pen import Pen
from .people_form import who_flies
from .timeline_link import timeline_link

TONES = {
    TripStatus.SEARCHING: "busy",
    TripStatus.CHOOSING: "act",
    TripStatus.WAITING_TRAVELLER: "act",
    TripStatus.WAITING_REVIEW: "wait",
    TripStatus.SETTLING: "busy",
    TripStatus.CHECKING: "wait",
    TripStatus.TICKETING: "busy",
    TripStatus.BOOKED: "ok",
    TripStatus.REJECTED: "stop",
    TripStatus.EXPIRED: "warn",
    TripStatus.CANCELLED: "quiet",
    TripStatus.WITHDRAWN: "quiet",
    TripStatus.NEEDS_PERSON: "warn",
}
OVER = frozenset({TripStatus.CANCELLED, TripStatus.WITHDRAWN})
OPEN = frozenset(
    {TripStatus.SEARCHING, TripStatus.CHOOSING, TripStatus.WAITING_TRAVELLER, TripStatus.EXPIRED, TripStatus.NEEDS_PERSON}
)


def trips_panel(
    trips: Sequence[TripView],
    drafts: Mapping[str, Draft],
    maps: Mapping[str, Sequence[SeatMapView]],
    people: Sequence[PersonView],
    wishes: Sequence[WishView],
    pen: Pen,
) -> Markup:
    """All trips of a conversation, the newest journey first; `maps` by trip, of the option picked in its draft."""
    if not trips:
        return tag("div", _nothing_yet(pen), _wishes(wishes, pen), class_="panel")
    ordered = sorted(trips, key=_over)
    cards = (trip_card(t, drafts.get(t.trip_id, Draft()), maps.get(t.trip_id, ()), people, pen) for t in ordered)
    return tag("div", joined(cards), _wishes(wishes, pen), class_="panel")


def _nothing_yet(pen: Pen) -> Markup:
    return tag("section", icon("ticket", 28), tag("p", pen("ui.no_trips")), class_="empty")


def trip_card(trip: TripView, draft: Draft, maps: Sequence[SeatMapView], people: Sequence[PersonView], pen: Pen) -> Markup:
    over = _over(trip)
    body = joined(
        (_question(trip, pen), _naming(trip, people, pen), _middle(trip, draft, maps, pen), _orders(trip, pen), _ends(trip, pen))
    )
    return tag(
        "article",
        _head(trip, pen),
        tag("div", body, class_="trip-body") if not over or trip.orders else _note(trip.reason, "quiet"),
        class_="trip" + (" over" if over else ""),
        data_trip_card=trip.trip_id,
        data_status=trip.status.value,
        data_draft=draft.model_dump_json(),
        aria_labelledby=f"t-{trip.trip_id}",
    )


def _over(trip: TripView) -> bool:
    """Nothing is left to do in it."""
    return trip.status in OVER and not trip.other_live_bookings


def _head(trip: TripView, pen: Pen) -> Markup:
    request = trip.request
    eyebrow = [pen(f"direction.{request.direction.value}")] if request.direction else []
    eyebrow += [pen.day(request.depart_on), pen("ui.travellers", count=request.passengers)]
    return tag(
        "header",
        tag("p", tag("span", " · ".join(eyebrow)), timeline_link(trip.trip_id, pen), class_="eyebrow with-link"),
        tag("h2", route(request, pen), id=f"t-{trip.trip_id}"),
        status_line(trip, pen),
        class_="trip-head",
    )


def status_line(trip: TripView, pen: Pen) -> Markup:
    """One line: where the trip stands, and the clock that matters now."""
    parts = [pen(f"status.{TripStatus.WAITING_TRAVELLER}") if trip.moved and not trip.asks else trip.status_text]
    question = trip.question
    if question and question.node == "review" and question.since:
        parts.append(pen.since(question.since))
    booked = next((o.booking_reference for o in trip.orders if stands(o)), None)
    if trip.status is TripStatus.BOOKED and booked:
        parts.append(booked)
    tone = TONES[trip.status]
    hold = None
    if trip.held_until and trip.status not in OVER | {TripStatus.BOOKED}:
        hold = tag(
            "span",
            pen("card.held_until", until=trip.held_until),
            class_="hold" + (" hurry" if pen.hurries(trip.held_until) else ""),
            data_deadline=trip.held_until.isoformat(),
        )
    return tag(
        "p",
        tag("span", tag("i", class_="dot"), " · ".join(parts), class_=f"status {tone}"),
        hold,
        class_="status-line",
        role="status",
    )


def _question(trip: TripView, pen: Pen) -> Markup:
    question = trip.question
    if trip.moved is not None:
        return moved_card(trip, pen, answering=True)
    if question is None:
        return _stopped(trip, pen)
    match question.node:
        case "review":
            return _waiting(trip, pen)
        case "agree":
            return _agreeing(trip, pen)
        case "choose":
            return _choosing_again(trip, pen)
        case _:
            if trip.status is TripStatus.NEEDS_PERSON:
                return _note(trip.reason or pen("ui.asks_airline"), "warn", "warn")
            return _note(question.reason or pen("ui.with_airline"), "wait", "clock")


def _waiting(trip: TripView, pen: Pen) -> Markup:
    """A pause is a banner: what waits, on whom, since when, until when, and the way out."""
    question = trip.question
    assert question is not None
    facts: list[tuple[str, str]] = [(pen("ui.waits_for"), question.on or pen("ui.a_reviewer"))]
    if question.since:
        facts.append((pen("ui.since"), pen.moment(question.since)))
    if question.deadline:
        facts.append((pen("ui.until"), pen.deadline(question.deadline)))
    if trip.price_guaranteed_until:
        facts.append((pen("ui.price_until"), pen.deadline(trip.price_guaranteed_until)))
    return tag(
        "section",
        tag("h3", icon("clock", 18), pen("ui.waiting_title")),
        _note(question.reason, "warn", "warn"),
        tag("dl", ((tag("dt", name), tag("dd", value)) for name, value in facts), class_="facts tight"),
        tag("p", pen("ui.waiting_note"), class_="quiet small"),
        _confirmed("withdraw", pen("card.withdraw"), pen("ui.withdraw_note"), trip, pen),
        class_="banner wait",
        data_deadline=question.deadline.isoformat() if question.deadline else None,
    )


def _confirmed(do: str, label: str, note: str, trip: TripView, pen: Pen, order_id: str | None = None) -> Markup:
    """A second press does it; the first says what it means."""
    return tag(
        "details",
        tag("summary", label, class_="plain"),
        tag("p", note, class_="small"),
        button(do, label, kind="danger", keyed=True, data_trip=trip.trip_id, data_order=order_id),
        class_="sure",
        data_keep=f"{do}-{order_id or trip.trip_id}",
    )


def _agreeing(trip: TripView, pen: Pen) -> Markup:
    question = trip.question
    assert question is not None

    def answering(answer: str, label: str, kind: str) -> Markup:
        return button(answer, label, kind=kind, keyed=True, data_trip=trip.trip_id, data_digest=question.digest)

    return tag(
        "section",
        tag("h3", icon("question", 18), pen("ui.agree_title")),
        tag("ul", (tag("li", text) for text in question.differences)) if question.differences else None,
        tag("blockquote", question.message) if question.message else None,
        tag("p", pen("ui.agree_until", until=question.deadline), class_="small") if question.deadline else None,
        tag(
            "div",
            answering("agree", pen("ui.agree"), "primary"),
            answering("decline", pen("ui.decline"), "second"),
            class_="acts",
        ),
        class_="banner act",
    )


def _choosing_again(trip: TripView, pen: Pen) -> Markup:
    """Back at the choice with something to say: a question of the reviewer, a refusal, an expired approval."""
    question = trip.question
    assert question is not None
    reason, message = question.reason or trip.reason, question.message or trip.message
    if not trip.selection:
        return _note(reason, "warn", "warn") if reason else NOTHING
    listed = list_is_open(trip)
    asked = bool(message)
    field = tag("label", tag("span", pen("card.answer")), tag("textarea", name="message", rows=2, maxlength=1000), class_="field")
    return tag(
        "form",
        tag("h3", icon("question" if asked else "warn", 18), reason or pen("ui.your_turn")),
        tag("blockquote", message, tag("cite", trip.decided_by) if trip.decided_by else None) if message else None,
        field if asked else None,
        tag(
            "div",
            button(
                "resubmit",
                pen("card.answer_unchanged" if asked else "ui.resubmit"),
                kind="primary",
                keyed=True,
                data_trip=trip.trip_id,
            ),
            None if listed else button("change", pen("card.change_flight"), kind="second", keyed=True, data_trip=trip.trip_id),
            class_="acts",
        ),
        class_="banner act",
    )


def _stopped(trip: TripView, pen: Pen) -> Markup:
    """Ended without a booking, or in need of somebody: why, and what can be done."""
    if trip.status is TripStatus.REJECTED:
        return tag(
            "section",
            tag("h3", icon("cross", 18), pen("ui.rejected_by", by=trip.decided_by) if trip.decided_by else trip.status_text),
            tag("blockquote", trip.message) if trip.message else None,
            tag(
                "div",
                button("another", pen("ui.another"), kind="primary", keyed=True, data_trip=trip.trip_id),
                button("withdraw", pen("ui.drop"), kind="second", keyed=True, data_trip=trip.trip_id),
                class_="acts",
            ),
            class_="banner stop",
        )
    if trip.status in {TripStatus.NEEDS_PERSON, TripStatus.EXPIRED} or trip.reason:
        return joined((_note(trip.reason or trip.status_text, "warn", "warn"), _said(trip)))
    return NOTHING


def _said(trip: TripView) -> Markup:
    """What the reviewer wrote, and who it was."""
    who = tag("cite", trip.decided_by) if trip.decided_by else None
    return tag("blockquote", trip.message, who) if trip.message and trip.status is TripStatus.BOOKED else NOTHING


def _note(text: str | None, tone: str, mark: str | None = None) -> Markup:
    return tag("p", icon(mark, 16) if mark else None, tag("span", text), class_=f"note {tone}") if text else NOTHING


def _naming(trip: TripView, people: Sequence[PersonView], pen: Pen) -> Markup:
    unnamed = any(p.person_id is None or p.missing for p in trip.passengers)
    return who_flies(trip, people, pen) if unnamed and trip.status in OPEN else NOTHING


def _middle(trip: TripView, draft: Draft, maps: Sequence[SeatMapView], pen: Pen) -> Markup:
    if trip.status is TripStatus.SEARCHING:
        return tag(
            "div", tag("span", pen("ui.searching"), class_="sr"), (tag("i") for _ in range(3)), class_="ghosts", aria_busy="true"
        )
    if list_is_open(trip):
        offer = draft.picked(trip)
        if offer is None or draft.stage == "offers":
            return options(trip, draft, pen)
        return (seating if draft.stage == "seats" else check)(trip, draft, offer, maps, pen)
    if trip.chosen and trip.status not in OVER and not any(stands(o) for o in trip.orders):
        return chosen(trip, trip.chosen, maps, pen)
    return NOTHING


def _orders(trip: TripView, pen: Pen) -> Markup:
    own = [order_card(o, trip, pen) for o in trip.orders if stands(o)]
    ended = [ended_order(o, pen) for o in trip.orders if o.booking_reference and not stands(o)]
    return joined((*own, other_bookings(trip, pen), *ended))


def _ends(trip: TripView, pen: Pen) -> Markup:
    """The way to cancel what is booked, or to drop what is not."""
    if trip.status is TripStatus.BOOKED:
        return tag("footer", _confirmed("cancel", pen("ui.cancel_booking"), pen("ui.cancel_note"), trip, pen), class_="trip-foot")
    if trip.status in {TripStatus.CHOOSING, TripStatus.WAITING_TRAVELLER, TripStatus.EXPIRED}:
        return tag("footer", _confirmed("withdraw", pen("ui.drop"), pen("ui.drop_note"), trip, pen), class_="trip-foot")
    return NOTHING


def _wishes(wishes: Sequence[WishView], pen: Pen) -> Markup:
    if not wishes:
        return NOTHING
    rows = (
        tag(
            "li",
            tag("span", w.text),
            button(
                "forget",
                icon("cross", 14),
                kind="icon-button",
                keyed=True,
                aria_label=pen("ui.forget", wish=w.text),
                data_wish=w.wish_id,
            ),
        )
        for w in wishes
    )
    return tag("section", tag("h3", pen("card.preferences")), tag("ul", rows), class_="wishes")
