"""Cases as operators see them, from real words of the catalogue; all of them invented."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from assistant.domain.understanding import Language
from assistant.views.case_shapes import CaseAction, CaseFact, CaseKind, CaseView
from assistant.views.shapes import OrderView
from assistant.wording import say
from tests.ui.scenery import BACK, DIRECT, NOW, cny, fare, text

REASON = {"zh": "航司电话里说没有这张订单", "en": "Their desk says there is no such booking"}


def cases(language: Language) -> list[CaseView]:
    """One that nobody could find out, one late order, one moved flight, one that is being looked up."""

    def words(key: str, **facts: Any) -> str:
        return say(key, language, timezone="UTC", now=NOW, **facts)

    def action(word: Any, about: str) -> CaseAction:
        label, consequence = words(f"case.do_{word}_{about}"), words(f"case.will_{word}_{about}")
        return CaseAction(resolution=word, label=label, consequence=consequence, needs_order=(word, about) == ("adopt", "create"))

    def case(case_id: str, kind: CaseKind, why: str, minutes: int, **more: Any) -> CaseView:
        common: dict[str, Any] = {"what": text("what", language), "who": "Tina Chen", "trip_id": "t1", "conversation_id": "c1"}
        return CaseView(case_id=case_id, kind=kind, why=words(why), since=NOW - timedelta(minutes=minutes), **common | more)

    sent = (
        CaseFact(text=words("case.allowed_book", by="Raj Patel", money=cny("2860")), at=NOW - timedelta(minutes=32)),
        CaseFact(text=words("case.sent_unknown"), at=NOW - timedelta(minutes=31)),
    )
    looked = CaseFact(text=words("case.looks", count=8, next=NOW + timedelta(minutes=6)))
    before = CaseFact(text=words("case.said_not_booked", by="Raj Patel", reason=REASON[language]), at=NOW - timedelta(minutes=65))
    late = OrderView(
        order_id="ord_0000AcmeLate",
        state="surplus",
        booking_reference="QX7M2K",
        documents=("781-2400511820",),
        passengers=("TING CHEN", "WEI LI"),
        seats=("14A", "14B"),
        total=cny("2860"),
        fare=fare(DIRECT, total="2860"),
    )
    every = tuple(action(word, "create") for word in ("adopt", "not_booked", "cancel"))
    return [
        case("op1", CaseKind.UNSURE, "case.unsure_create", 25, facts=(*sent, looked), actions=every),
        case(
            "op2",
            CaseKind.LATE,
            "case.late",
            4,
            facts=(*sent, CaseFact(text=words("case.found", order=late.order_id, reference="QX7M2K"), at=NOW)),
            said=(before,),
            order=late,
            order_state=words("order_state.surplus"),
            actions=(action("adopt", "late"), action("cancel", "late")),
        ),
        case("t3", CaseKind.MOVED, "case.moved", 90, what=f"{BACK.name} NRT-PVG"),
        case(
            "op4",
            CaseKind.LOOKING,
            "case.looking_pay",
            1,
            facts=sent,
            actions=tuple(action(w, "pay") for w in ("adopt", "not_booked")),
        ),
    ]
