"""Whatever is sent to the sandbox airline, it answers with an error of its own and books nothing."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assistant.booking.sandbox import SandboxAirline

PATHS = (
    "/air/offer_requests",
    "/air/orders",
    "/air/payments",
    "/air/order_cancellations",
    "/air/offers/off_1/actions/price",
    "/air/order_cancellations/ore_1/actions/confirm",
)
FIELDS = (
    "slices",
    "passengers",
    "selected_offers",
    "services",
    "payments",
    "payment",
    "order_id",
    "type",
    "metadata",
    "id",
    "age",
)


def _values() -> st.SearchStrategy[Any]:
    leaf = (
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6) | st.sampled_from(["PVG", "NRT", "\ud800"])
    )
    keys = st.sampled_from(FIELDS) | st.text(max_size=4)
    return st.recursive(leaf, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=4), max_leaves=12)


@pytest.fixture
async def airline(tmp_path: Path) -> AsyncIterator[SandboxAirline]:
    airline = SandboxAirline(tmp_path / "airline.db", admin=True)
    yield airline
    airline.close()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150)
@given(path=st.sampled_from(PATHS), data=st.dictionaries(st.sampled_from(FIELDS), _values(), max_size=6))
async def test_no_body_makes_it_stumble(airline: SandboxAirline, path: str, data: dict[str, Any]) -> None:
    async with airline.client() as client:
        answer = await client.post(path, content=json.dumps({"data": data}), headers={"Duffel-Version": "v2"})
    assert answer.status_code in (400, 404, 422)
    assert answer.json()["errors"][0]["code"]
    assert airline.journal() == []


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"given_name": "李"}, "invalid_passenger_name"),
        ({"phone_number": "12345"}, "invalid_phone_number"),
        ({"born_on": "2999-01-01"}, "validation_inclusion"),
        ({"born_on": "1990-02-30"}, "validation_format"),
        ({"email": None}, "validation_required"),
        ({"title": "lord"}, "validation_inclusion"),
        ({"id": "pas_of_another_offer"}, "invalid_passengers"),
    ],
)
async def test_a_passenger_the_airline_cannot_take_is_refused_by_name(target: Any, change: dict[str, Any], code: str) -> None:
    offer = await target.offer()
    passenger = {
        "id": offer.passenger_refs[0],
        "given_name": "Ada",
        "family_name": "Byron",
        "born_on": "1990-05-17",
        "title": "ms",
        "gender": "f",
        "email": "ada@example.com",
        "phone_number": "+4420794609580",
        **change,
    }
    total = offer.fare.total
    payment = {"type": "balance", "amount": str(total.amount), "currency": total.currency}
    body = {"type": "instant", "selected_offers": [offer.offer_id], "passengers": [passenger], "payments": [payment]}
    answer: httpx.Response = await target.wire.post("/air/orders", json={"data": body})
    assert (answer.status_code, answer.json()["errors"][0]["code"]) == (422, code)
    assert await target.journal() == []


@pytest.mark.parametrize("seat", ["99Z", "0A", "14A'; DROP TABLE orders; --", "14A_1"])
async def test_a_seat_that_does_not_exist_cannot_be_bought(target: Any, seat: str) -> None:
    offer = await target.offer()
    request = target.request(offer)
    services = [{"id": f"ase_{offer.offer_id[4:]}_0_0_{seat}", "quantity": 1}]
    person = request.passengers[0].details
    passenger = {
        "id": offer.passenger_refs[0],
        **person.model_dump(mode="json", include={"given_name", "family_name", "born_on", "title", "gender", "email"}),
        "phone_number": person.phone,
    }
    body = {"type": "hold", "selected_offers": [offer.offer_id], "passengers": [passenger], "services": services}
    answer = await target.wire.post("/air/orders", json={"data": {**body, "type": "instant"}})
    assert answer.status_code in (404, 422)
    assert await target.journal() == []
