"""I6 and I5 as people see them: every live order is shown on its trip, every operation that waits for a person is listed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sqlalchemy import select

from assistant.domain.plans import LIVE, OrderState
from assistant.invariants import Books
from assistant.persistence.tables import users
from tests.crashes.site import PEOPLE, Json, Site


async def unlisted(site: Site, books: Books) -> list[str]:
    """Asked over HTTP, as the traveller whose trip it is and as a reviewer."""
    async with site.database.reading() as tx:
        names = {row.user_id: row.name for row in (await tx.execute(select(users))).all() if row.name in PEOPLE}
    live = {o.trip_id for o in books.orders if OrderState(o.state) in LIVE}
    owners = {trip.trip_id: names[trip.owner_id] for trip in books.trips if trip.trip_id in live}
    shown = [await site.get(who, f"/trips/{trip_id}") for trip_id, who in owners.items()]
    listed = (await site.get("rita", "/operations?unsettled=true"))["operations"]
    return [*hidden(books, shown), *unasked(books, listed)]


def hidden(books: Books, shown: Iterable[Json]) -> Iterator[str]:
    """I6: what is live is shown exactly once, as what the trip wants or as another live booking."""
    seen = [o["order_id"] for trip in shown for o in (*trip["orders"], *trip["other_live_bookings"])]
    for order in (o for o in books.orders if OrderState(o.state) in LIVE):
        if (times := seen.count(order.order_id)) != 1:
            yield f"I6 order {order.order_id} is {order.state} and shown {times} times"


def unasked(books: Books, listed: Iterable[Json]) -> Iterator[str]:
    """I5: operators see what waits for them."""
    seen = {op["operation_id"] for op in listed}
    for op in books.operations:
        if op.state in ("needs_person", "unknown") and op.operation_id not in seen:
            yield f"I5 operation {op.operation_id} is {op.state} and no operator sees it"
