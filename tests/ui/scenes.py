"""A trip in each state a traveller may see it in."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from assistant.domain.flights import Segment
from assistant.domain.trips import Direction, SeatSuggestion, Selection, TripRequest, TripStatus
from assistant.domain.understanding import Language
from assistant.views.shapes import (
    OfferView,
    OrderView,
    QuestionView,
    TravellerOnTrip,
    TripView,
)
from tests.ui.scenery import BACK, DIRECT, FIRST, LATE, NOW, SECOND, cny, fare, segment, text


def offers(language: Language) -> tuple[OfferView, ...]:
    def suggested(*of: Segment, seats: tuple[str, str] = ("14A", "14B")) -> tuple[SeatSuggestion, ...]:
        whys = ((text("window_why", language),), (text("together", language),))
        return tuple(
            SeatSuggestion(position=p, segment_key=s.key, designator=seats[p], price=cny("0"), reasons=whys[p])
            for s in of
            for p in (0, 1)
        )

    return (
        OfferView(n=1, fare=fare(DIRECT, total="2860"), total=cny("2860"), seats=suggested(DIRECT), can_hold=True),
        OfferView(
            n=2, fare=fare(LATE, total="3420"), total=cny("3420"), seats=suggested(LATE, seats=("21A", "21B")), can_hold=True
        ),
        OfferView(
            n=3,
            fare=fare(FIRST, SECOND, total="3980", hold=False),
            total=cny("3980"),
            seats=suggested(FIRST, SECOND),
            missed=(text("wish", language),),
            seats_fit=False,
        ),
        OfferView(
            n=4,
            fare=fare(segment("CA", "919", "PVG", "NRT", "2027-03-12T12:00", "2027-03-12T15:50", 170), total="4310"),
            total=cny("4310"),
            can_hold=False,
        ),
    )


def travellers(named: bool, seats: bool) -> tuple[TravellerOnTrip, ...]:
    names = (("p1", "TING CHEN", "14A"), ("p2", "WEI LI", "14B"))
    return tuple(
        TravellerOnTrip(
            person_id=i if named or i == "p1" else None,
            name=n if named or i == "p1" else None,
            seats={DIRECT.key: s} if seats else {},
        )
        for i, n, s in names
    )


def trips(language: Language, scene: str, *, named: bool) -> tuple[TripView, ...]:
    outbound = trip("t1", language, scene, named=named)
    if scene in {"waiting", "booked", "decided"}:
        return outbound, trip("t2", language, "rejected", named=named)
    return (outbound,)


def trip(trip_id: str, language: Language, scene: str, *, named: bool) -> TripView:
    back = trip_id == "t2"
    request = TripRequest(
        origin="NRT" if back else "SHA",
        destination="SHA" if back else "TYO",
        depart_on=date(2027, 3, 16 if back else 12),
        adults=2,
        direction=Direction.RETURN if back else Direction.OUTBOUND,
    )
    chosen = fare(BACK, total="2510") if back else fare(DIRECT, total="2860")
    common: dict[str, Any] = {
        "trip_id": trip_id,
        "conversation_id": "c1",
        "journey_id": "j1",
        "updated_at": NOW,
        "request": request,
        "passengers": travellers(named, scene != "choosing"),
    }
    selection = Selection(
        segment_keys=chosen.segment_keys,
        cabin=chosen.cabin,
        fare_brand=chosen.fare_brand,
        passenger_ids=("x1", "x2"),
        person_ids=("p1", "p2"),
    )
    held = NOW + timedelta(hours=20)
    match scene:
        case "searching":
            return TripView(status=TripStatus.SEARCHING, status_text=text("searching", language), **common)
        case "choosing":
            return TripView(
                status=TripStatus.CHOOSING,
                status_text=text("choosing", language),
                offers_hash="h1",
                offers=offers(language),
                question=QuestionView(question_id="q1", node="choose"),
                **common,
            )
        case "waiting":
            question = QuestionView(
                question_id="q1",
                node="review",
                since=NOW - timedelta(minutes=4),
                deadline=NOW + timedelta(hours=22),
                on="Rita Wang",
                digest="d1",
            )
            return TripView(
                status=TripStatus.WAITING_REVIEW,
                status_text=text("waiting_review", language),
                selection=selection,
                chosen=chosen,
                total=cny("2860"),
                question=question,
                review_id="r1",
                held_until=held,
                price_guaranteed_until=NOW + timedelta(hours=2, minutes=10),
                **common,
            )
        case "asked":
            question = QuestionView(question_id="q1", node="choose", message=text("later", language), reason=None)
            return TripView(
                status=TripStatus.WAITING_TRAVELLER,
                status_text=text("waiting_traveller", language),
                selection=selection,
                chosen=chosen,
                total=cny("2860"),
                question=question,
                held_until=NOW + timedelta(minutes=9),
                offers_hash="h1",
                offers=offers(language),
                decided_by="Rita Wang",
                **common,
            )
        case "rejected":
            return TripView(
                status=TripStatus.REJECTED,
                status_text=text("rejected", language),
                selection=selection,
                chosen=chosen,
                total=cny("2510"),
                message=text("later", language),
                decided_by="Rita Wang",
                **common,
            )
        case _:
            order = OrderView(
                order_id="ord_1",
                state="confirmed",
                booking_reference="QX7M2K",
                documents=("781-2400511820", "781-2400511821"),
                passengers=("TING CHEN", "WEI LI"),
                seats=("14A", "14B"),
                total=cny("2860"),
                fare=chosen,
                trip_id=trip_id,
            )
            return TripView(
                status=TripStatus.BOOKED,
                status_text=text("booked", language),
                selection=selection,
                chosen=chosen,
                total=cny("2860"),
                orders=(order,),
                **common,
            )
