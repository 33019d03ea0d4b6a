"""What the stage is made of: people, flights, fares, a cabin, and the words in both languages. All of it is invented."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal

from assistant.domain.flights import Cabin, Condition, Fare, Segment
from assistant.domain.money import Money
from assistant.domain.people import Actor, Role
from assistant.domain.understanding import Language
from assistant.views.shapes import (
    SeatMapView,
    SeatRowView,
    SeatView,
)

NOW = datetime(2027, 3, 2, 6, 0, tzinfo=UTC)
TINA = Actor(tenant_id="demo", user_id="tina", name="Tina Chen", roles=(Role.TRAVELLER,))
RITA = Actor(tenant_id="demo", user_id="rita", name="Rita Wang", roles=(Role.REVIEWER,))
TEXTS: dict[str, tuple[str, str]] = {
    "ask": ("下周五从上海去东京，两个人，我想坐靠窗的位置", "Shanghai to Tokyo next Friday, two of us. I would like the window."),
    "found": (
        "找到4个方案，最便宜的是方案1：MU523直飞，两人合计¥2,860.00。右边可以选航班和座位。",
        "I found 4 options. The cheapest is option 1: MU523, nonstop, 2,860.00 CNY for both. Pick flight and seats on the right.",
    ),
    "recall": ("我刚才说想坐哪里？", "Where did I say I want to sit?"),
    "window": ("您说过想坐靠窗。", "By the window."),
    "submit": ("提交方案1去审批", "Submit option 1 for approval"),
    "others": ("看其他航班", "Show other flights"),
    "title": ("上海到东京", "Shanghai to Tokyo"),
    "window_why": ("靠窗", "window"),
    "together": ("座位相邻", "next to each other"),
    "wish": ("靠窗", "a window seat"),
    "choosing": ("待选择", "choosing"),
    "waiting_review": ("等待审批", "waiting for approval"),
    "booked": ("已预订", "booked"),
    "rejected": ("已驳回", "rejected"),
    "searching": ("正在查找航班", "searching"),
    "expired": ("审批已过期", "approval expired"),
    "waiting_traveller": ("等您答复", "waiting for you"),
    "later": ("那天有例会，请改订下午的航班。", "There is a meeting that morning, please take an afternoon flight."),
    "sentence": (
        "Tina Chen要订3月12日上海到东京的航班（2人），¥2,860.00",
        "Tina Chen wants Shanghai to Tokyo on Fri 12 Mar for two, 2,860.00 CNY",
    ),
    "what": ("上海到东京（3月12日）", "Shanghai to Tokyo, 12 Mar"),
    "hold": ("为MU523留位，座位14A、14B，暂不付款", "Hold MU523, seats 14A and 14B, nothing paid yet"),
    "pay": ("支付MU523，最多¥2,860.00", "Pay for MU523, at most 2,860.00 CNY"),
    "within": ("总价¥2,860.00，在限额¥6,000.00以内", "Total 2,860.00 CNY, within the limit of 6,000.00 CNY"),
    "norefund": ("不可退票", "Not refundable"),
    "met": ("座位符合偏好", "The seats meet the preference"),
}


def cny(amount: str) -> Money:
    return Money(amount=Decimal(amount), currency="CNY")


def segment(carrier: str, number: str, origin: str, destination: str, departs: str, arrives: str, minutes: int) -> Segment:
    return Segment(
        carrier=carrier,
        flight_number=number,
        origin=origin,
        destination=destination,
        departs=datetime.fromisoformat(departs),
        arrives=datetime.fromisoformat(arrives),
        minutes=minutes,
        aircraft="Airbus A321neo",
    )


DIRECT = segment("MU", "523", "PVG", "NRT", "2027-03-12T09:20", "2027-03-12T13:05", 165)
LATE = segment("NH", "972", "PVG", "HND", "2027-03-12T19:45", "2027-03-13T00:10", 205)
FIRST = segment("KE", "894", "PVG", "ICN", "2027-03-12T08:15", "2027-03-12T11:15", 120)
SECOND = segment("KE", "703", "ICN", "NRT", "2027-03-12T13:40", "2027-03-12T16:10", 150)
BACK = segment("JL", "873", "NRT", "PVG", "2027-03-16T18:35", "2027-03-16T21:20", 225)


def fare(*segments: Segment, total: str, hold: bool = True) -> Fare:
    return Fare(
        segments=segments,
        cabin=Cabin.ECONOMY,
        fare_brand="Flex" if hold else "Basic",
        total=cny(total),
        passengers=2,
        refund=Condition(allowed=False),
        change=Condition(allowed=True, penalty=cny("300")),
        checked_bags=1,
        holdable=hold,
        seats_on_hold=hold,
        pay_by=NOW + timedelta(hours=20) if hold else None,
        price_guaranteed_until=NOW + timedelta(hours=2, minutes=10) if hold else None,
    )


def seat_map_of(view_segment: Segment, number: int, proposed: tuple[str, ...]) -> SeatMapView:
    def seat(row: int, letter: str) -> SeatView:
        taken = (row * 7 + ord(letter)) % 5 in {0, 3} and f"{row}{letter}" not in proposed
        price = cny("180") if row < 13 else cny("0")
        roomy = row == 12
        return SeatView(
            designator=f"{row}{letter}", kind="seat", available=not taken, price=price, extra_legroom=roomy, exit_row=row == 18
        )

    rows = tuple(
        SeatRowView(number=r, sections=(tuple(seat(r, c) for c in "ABC"), tuple(seat(r, c) for c in "DEF")))
        for r in range(10, 26)
    )
    return SeatMapView(
        segment_key=view_segment.key,
        segment=number,
        flight=view_segment.name,
        aircraft="Airbus A321neo",
        cabin="economy",
        rows=rows,
        proposed=proposed,
    )


def text(key: str, language: Language) -> str:
    zh, en = TEXTS[key]
    return zh if language == "zh" else en
