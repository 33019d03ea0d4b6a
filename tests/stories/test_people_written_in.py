"""Who flies is written in by people and by programs: what cannot be shown, or is no day, is refused at both doors."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest

from tests.stories.world import Person

MEI: dict[str, Any] = {
    "given_name": "Mei", "family_name": "Wang", "native_name": "王梅", "title": "ms", "gender": "f", "born_on": "1992-05-06",
    "email": "mei.wang@example.com", "phone": "+8613800000199",
}  # fmt: skip
PASSPORT = {"kind": "passport", "number": "E12345678", "country": "CN", "expires_on": "2031-01-01"}
WRONG: list[tuple[str, Any]] = [
    ("native_name", "王\u202e梅"),
    ("native_name", "王\u0000梅"),
    ("native_name", "王\n梅"),
    ("native_name", "梅" * 61),
    ("born_on", 0),
    ("born_on", 700000000.0),
    ("born_on", "700000000"),
    ("born_on", True),
    ("documents", [PASSPORT] * 6),
    ("documents", [PASSPORT | {"expires_on": 0}]),
]


@pytest.mark.parametrize(("field", "value"), WRONG, ids=lambda value: ascii(value)[:24])
async def test_what_cannot_be_shown_or_is_no_day_is_refused(field: str, value: Any, tina: Person) -> None:
    before = await tina.get("/people")
    added = await tina.post("/people", MEI | {field: value})
    changed = await tina.client.patch(
        f"/api/v1/people/{await tina.me()}", json={field: value}, headers={"idempotency-key": str(uuid4())}
    )
    for answer in (added, changed):
        assert answer.status_code in (400, 422), answer.text
    assert await tina.get("/people") == before


async def test_names_in_any_script_days_and_a_few_documents_are_taken(tina: Person) -> None:
    person = (await tina.does("/people", MEI | {"native_name": "王 梅 (Méi)", "documents": [PASSPORT] * 5}))["person_id"]
    kept = await tina.get(f"/people/{person}")
    assert (kept["native_name"], kept["born_on"]) == ("王 梅 (Méi)", "1992-05-06")
