"""The list of options, and the way from one of them to a submitted trip: seats, then a card to check everything on."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from assistant.domain.flights import Segment
from assistant.domain.money import Money
from assistant.domain.trips import IfGone
from assistant.views.shapes import OfferView, SeatMapView, TripView

from .buttons import button
from .drafts import SORTS, Draft, Sort, all_seats, seat_facts, seats_now, total_of
from .flights import minutes_of, strip, what
from .icons import icon
from .markup import joined, tag
from .pen import Pen
from .seat_map import Taken, seat_map


def options(trip: TripView, draft: Draft, pen: Pen) -> Markup:
    """Up to eight options. Sorting moves them and never renumbers."""
    ordered = _sorted(trip.offers, draft.sort)
    return tag(
        "div", _sorting(trip, draft, pen), tag("ol", (_option(trip, o, pen) for o in ordered), class_="options"), class_="step"
    )


def _sorted(offers: Sequence[OfferView], sort: Sort) -> Sequence[OfferView]:
    match sort:
        case "best":
            return offers
        case "price":
            return sorted(offers, key=lambda o: o.total.amount)
        case "departs":
            return sorted(offers, key=lambda o: o.fare.segments[0].departs)
        case "duration":
            return sorted(offers, key=lambda o: minutes_of(o.fare.segments))


def _sorting(trip: TripView, draft: Draft, pen: Pen) -> Markup:
    chips = (
        button(
            "sort",
            pen(f"ui.sort_{sort}"),
            kind="chip",
            aria_pressed=str(sort == draft.sort).lower(),
            data_trip=trip.trip_id,
            data_value=sort,
        )
        for sort in SORTS
    )
    head = tag("h3", pen("card.options"), " ", tag("span", str(len(trip.offers)), class_="count"))
    return tag("div", head, tag("div", chips, class_="chips", role="group", aria_label=pen("card.sort")), class_="step-head")


def _option(trip: TripView, offer: OfferView, pen: Pen) -> Markup:
    names = " + ".join(s.name for s in offer.fare.segments)
    head = tag(
        "div",
        tag("span", str(offer.n), class_="n", aria_hidden="true"),
        tag("span", f"{names} · {pen.airline(offer.fare.segments[0].carrier)}", class_="who"),
        tag("b", pen.money(offer.total), class_="price num"),
        class_="option-head",
    )
    return tag(
        "li",
        button(
            "pick",
            tag("span", f"{pen('card.option', n=offer.n)}: ", class_="sr"),
            head,
            strip(offer.fare.segments, pen),
            tag("div", _traits(trip, offer, pen), class_="traits"),
            kind="option",
            data_trip=trip.trip_id,
            data_value=offer.n,
        ),
    )


def _traits(trip: TripView, offer: OfferView, pen: Pen) -> Markup:
    seats = list(dict.fromkeys(s.designator for s in offer.seats))
    facts: list[Markup] = []
    if seats:
        reason = next((r for s in offer.seats for r in s.reasons), None)
        facts.append(
            tag(
                "span",
                icon("seat", 15),
                pen("ui.listed", items=seats),
                f" · {reason}" if reason else None,
                class_="trait seats-trait",
            )
        )
    if offer.missed:
        facts.append(tag("span", pen("ui.missed", missed=list(offer.missed)), class_="trait warn"))
    facts.append(tag("span", what(offer.fare, pen), class_="trait"))
    facts.append(tag("span", pen("ui.can_hold" if offer.can_hold else "ui.cannot_hold"), class_="trait"))
    return joined(facts)


def seating(trip: TripView, draft: Draft, offer: OfferView, maps: Sequence[SeatMapView], pen: Pen) -> Markup:
    """Seats of the picked option: who sits where and why, and the map to change it."""
    view = next((m for m in maps if m.segment == draft.segment), maps[0] if maps else None)
    number = view.segment if view else draft.segment
    segment = offer.fare.segments[min(number, len(offer.fare.segments)) - 1]
    seats = seats_now(draft, offer, segment.key, number)
    names = tuple(_name(trip, i, pen) for i in range(len(trip.passengers)))
    taken = Taken(
        seats={d: p for p, d in seats.items()}, active=draft.active, names=names, action="seat", facts={"trip": trip.trip_id}
    )
    return tag(
        "div",
        tag("div", tag("h3", pen("card.seat_map")), _back(trip, "offers", pen), class_="step-head"),
        strip(offer.fare.segments, pen),
        _segments(trip, draft, maps, pen) if len(maps) > 1 else None,
        _travellers(trip, draft, offer, seats, view, names, pen) if view else None,
        seat_map(view, taken, pen) if view else tag("p", pen("card.seat_map_empty"), class_="quiet"),
        _if_gone(trip, draft, pen) if seats else None,
        tag(
            "div",
            tag("span", pen("card.total"), " ", tag("b", pen.money(total_of(draft, offer, maps)), class_="num"), class_="sum"),
            button("stage", pen("card.check_and_submit"), kind="primary", data_trip=trip.trip_id, data_value="check"),
            class_="acts",
        ),
        class_="step",
    )


def _name(trip: TripView, position: int, pen: Pen) -> str:
    return trip.passengers[position].name or pen("card.passenger_n", n=position + 1)


def _back(trip: TripView, stage: str, pen: Pen) -> Markup:
    text = pen("card.options") if stage == "offers" else pen("card.back")
    return button("stage", icon("back", 16), text, kind="plain", data_trip=trip.trip_id, data_value=stage)


def _segments(trip: TripView, draft: Draft, maps: Sequence[SeatMapView], pen: Pen) -> Markup:
    chips = (
        button(
            "segment",
            m.flight,
            kind="chip",
            aria_pressed=str(m.segment == draft.segment).lower(),
            data_trip=trip.trip_id,
            data_value=m.segment,
        )
        for m in maps
    )
    return tag("div", chips, class_="chips", role="group", aria_label=pen("card.flight"))


def _travellers(
    trip: TripView, draft: Draft, offer: OfferView, seats: dict[int, str], view: SeatMapView, names: tuple[str, ...], pen: Pen
) -> Markup:
    def one(position: int) -> Markup:
        seat = seats.get(position)
        return tag(
            "li",
            button(
                "active",
                tag("i", str(position + 1), class_="badge"),
                tag("span", tag("b", names[position]), tag("small", _why(offer, view, position, seat, pen))),
                tag("b", seat or "–", class_="num"),
                kind="seated",
                aria_pressed=str(position == draft.active).lower(),
                aria_label=pen("ui.move_traveller", name=names[position], seat=seat),
                data_trip=trip.trip_id,
                data_value=position,
            ),
        )

    return tag(
        "ul",
        (one(p) for p in range(len(names)) if trip.passengers[p].age is None or (trip.passengers[p].age or 0) >= 2),
        class_="seating",
    )


def _why(offer: OfferView, view: SeatMapView, position: int, seat: str | None, pen: Pen) -> str:
    """The reasons of the proposal while it stands, else what the map says about the seat."""
    if seat is None:
        return ""
    proposed = next(
        (s for s in offer.seats if s.position == position and s.segment_key == view.segment_key and s.designator == seat), None
    )
    facts = seat_facts(view, seat)
    reasons = _telling(proposed.reasons, pen) if proposed else [facts.why] if facts and facts.why else []
    parts = [*reasons, *([pen.signed(facts.price)] if facts and facts.price is not None else [])]
    return pen("ui.strung", items=parts) if parts else ""


def _telling(reasons: Sequence[str], pen: Pen) -> list[str]:
    """The first and the last: what the seat is, and how it lies to the others. The price stands beside them anyway."""
    kept = [r for r in reasons if r != pen("seat_reason.costs_extra")]
    return kept if len(kept) < 3 else [kept[0], kept[-1]]


def _if_gone(trip: TripView, draft: Draft, pen: Pen) -> Markup:
    choices = (
        tag("option", pen(f"ui.if_gone_{choice.value}"), value=choice.value, selected=choice is draft.if_gone)
        for choice in IfGone
    )
    label = tag("span", pen("card.if_gone"))
    return tag("label", label, tag("select", choices, data_change="if_gone", data_trip=trip.trip_id), class_="field inline")


def check(trip: TripView, draft: Draft, offer: OfferView, maps: Sequence[SeatMapView], pen: Pen) -> Markup:
    """Everything that is about to be asked for, on one card, before it is asked for."""
    missing = [p for p in trip.passengers if p.person_id is None or p.missing]
    total = total_of(draft, offer, maps)
    return tag(
        "div",
        tag("div", tag("h3", pen("card.check_and_submit")), _back(trip, "seats", pen), class_="step-head"),
        facts_of(trip, draft, offer, total, pen),
        tag("p", icon("warn", 16), pen("ui.name_first"), class_="note warn") if missing else None,
        tag(
            "div",
            button(
                "choose",
                pen("card.submit"),
                kind="primary",
                keyed=True,
                disabled=bool(missing),
                data_trip=trip.trip_id,
                data_offer=offer.n,
                data_hash=trip.offers_hash,
                data_if_gone=draft.if_gone.value,
            ),
            tag("p", pen("ui.nothing_bought_yet"), class_="quiet small"),
            class_="acts column",
        ),
        class_="step check",
    )


def facts_of(trip: TripView, draft: Draft, offer: OfferView, total: Money, pen: Pen) -> Markup:
    fare = offer.fare
    held = (
        pen("ui.held_as", until=fare.pay_by) if offer.can_hold else pen("ui.not_held" if fare.holdable else "ui.bought_at_once")
    )
    rows: list[tuple[str, object]] = [
        (pen("card.passengers"), tag("ul", (tag("li", p.name or pen("ui.not_named")) for p in trip.passengers), class_="bare")),
        (pen("card.flight"), joined(_flown(s, pen) for s in fare.segments)),
        (pen("card.seat"), _seats_said(trip, draft, offer, pen)),
        (pen("ui.cabin_and_bags"), (what(fare, pen), tag("br"), pen.bags(fare.checked_bags))),
        (pen("card.changes"), pen.rule("change", fare.change)),
        (pen("card.refund"), pen.rule("refund", fare.refund)),
        (
            pen("card.total"),
            (tag("b", pen.money(total), class_="num"), tag("br"), tag("span", pen("ui.payer", count=len(trip.passengers)))),
        ),
        (pen("ui.holding"), held),
        (pen("ui.decides"), pen("ui.reviewer_decides")),
    ]
    return tag("dl", ((tag("dt", name), tag("dd", value)) for name, value in rows), class_="facts")


def _flown(segment: Segment, pen: Pen) -> Markup:
    later = (segment.arrives.date() - segment.departs.date()).days
    plus = tag("sup", pen("flight.plus", count=later)) if later else None
    return tag(
        "div",
        tag("b", segment.name, " · ", pen.day(segment.departs)),
        tag("br"),
        tag("span", f"{segment.departs:%H:%M} ", pen("ui.airport_full", code=segment.origin)),
        tag("br"),
        tag("span", f"{segment.arrives:%H:%M}", plus, " ", pen("ui.airport_full", code=segment.destination)),
        class_="flown",
    )


def _seats_said(trip: TripView, draft: Draft, offer: OfferView, pen: Pen) -> object:
    chosen = all_seats(draft, offer)
    if not chosen:
        return pen("ui.no_seats_chosen")
    lines = (
        tag("li", tag("b", ", ".join(of.values()), class_="num"), " ", _name(trip, int(position) - 1, pen))
        for position, of in sorted(chosen.items())
        if int(position) <= len(trip.passengers)
    )
    return tag("ul", lines, class_="bare"), tag("small", pen(f"if_gone.{draft.if_gone.value}"))
