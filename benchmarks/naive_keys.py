"""Which key keeps a rewind from booking twice? Usual ones on bare LangGraph, and ours, judged by the airline's own journal.

Each trip is booked once and then rewound, by turns to the search and to the approval, with the same decision each time. What the
airline has beyond one booking a trip is a duplicate. Offers live for half an hour, so what is booked is found again before it is
sent; only the airline's own guard, which burns a used offer, is tried with the offer of the state.
"""

from __future__ import annotations

import asyncio
import operator
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import date, timedelta
from pathlib import Path
from typing import Annotated, Any, TypedDict
from uuid import uuid4

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command as Resume
from langgraph.types import interrupt

from assistant.booking.duffel import DuffelProvider
from assistant.booking.provider import Mode, OrderPassenger, OrderRequest, SearchRequest
from assistant.booking.sandbox import SandboxAirline
from assistant.demo import DEMO_USERS
from assistant.domain.commands import Kind
from assistant.domain.errors import LayoverError
from assistant.persistence.tables import questions, trips, versions
from benchmarks.product import Product, product

TRIPS, REWINDS = 10, 10
DAY = date(2026, 12, 11)


class State(TypedDict, total=False):
    day: str
    offer_id: str
    call_id: str
    booked: Annotated[list[str], operator.add]


Key = Callable[[State, RunnableConfig], str | None]

OFFER = "offer id (the airline's own guard)"
KEYS: dict[str, Key] = {
    "no key": lambda state, config: None,
    "thread + call id": lambda state, config: f"{_thread(config)}:{state['call_id']}",
    "checkpoint or task id": lambda state, config: str(config["metadata"]["langgraph_checkpoint_ns"]),
    OFFER: lambda state, config: None,
}


def _thread(config: RunnableConfig) -> str:
    return config["configurable"]["thread_id"]


async def main() -> None:
    for name, key in KEYS.items():
        async with _airline() as (airline, provider):
            rewinds = await _bare(provider, key, fresh=name != OFFER)
            _tell(name, _duplicates(airline, TRIPS), rewinds)
    async with product() as made:
        rewinds = await _ours(made)
        assert made.whole.airline is not None
        _tell("ours (intent, in a ledger no rewind reaches)", _duplicates(made.whole.airline, TRIPS), rewinds)


def _tell(name: str, duplicates: int, rewinds: int) -> None:
    print(f"duplicate bookings per 1,000 rewinds, {name}: {duplicates * 1000 / rewinds:.0f}")


def _duplicates(airline: SandboxAirline, wanted: int) -> int:
    return sum(entry["effect"] in {"book", "hold"} for entry in airline.journal()) - wanted


@asynccontextmanager
async def _airline() -> AsyncIterator[tuple[SandboxAirline, DuffelProvider]]:
    with tempfile.TemporaryDirectory(prefix="layover-bench-") as place:
        airline = SandboxAirline(Path(place) / "airline.db")
        provider = DuffelProvider(airline.client(), mode=Mode.SANDBOX, webhook_secret=None, clock=airline.now)
        try:
            yield airline, provider
        finally:
            await provider.aclose()
            airline.close()


# On bare LangGraph


async def _bare(provider: DuffelProvider, key: Key, *, fresh: bool) -> int:
    graph = _graph(provider, key, fresh=fresh)
    for trip in range(TRIPS):
        here: RunnableConfig = {"configurable": {"thread_id": f"trip-{trip}"}}
        await graph.ainvoke({"day": (DAY + timedelta(days=trip)).isoformat()}, here)
        await graph.ainvoke(Resume(resume="approve"), here)
        points = {state.next[0]: state.config async for state in graph.aget_state_history(here) if state.next}
        for rewind in range(REWINDS):
            await graph.ainvoke(None, points["search" if rewind % 2 else "approve"])
            await graph.ainvoke(Resume(resume="approve"), here)
    return TRIPS * REWINDS


def _graph(provider: DuffelProvider, key: Key, *, fresh: bool) -> Any:
    """Search, let a model call the booking tool, ask a person, book: the usual shape."""
    done: dict[str, str] = {}

    async def found(state: State) -> str:
        offers = await provider.search(SearchRequest(origin="PVG", destination="NRT", depart_on=date.fromisoformat(state["day"])))
        first = min((o for o in offers if not o.fare.stops), key=lambda o: (o.fare.segments[0].departs, o.fare.total.amount))
        return first.offer_id

    async def search(state: State) -> State:
        return {"offer_id": await found(state)}

    def call(state: State) -> State:
        return {"call_id": f"call_{uuid4().hex}"}

    def approve(state: State) -> State:
        interrupt("Book it?")
        return {}

    async def book(state: State, config: RunnableConfig) -> State:
        name = key(state, config)
        if name is not None and name in done:
            return {"booked": [done[name]]}
        try:
            order_id = await _create(provider, await found(state) if fresh else state["offer_id"])
        except LayoverError as refusal:
            return {"booked": [f"refused: {refusal}"]}
        if name is not None:
            done[name] = order_id
        return {"booked": [order_id]}

    graph: StateGraph[Any, Any, Any, Any] = StateGraph(State)
    for node in (search, call, approve, book):
        graph.add_node(node.__name__, node)
    graph.add_edge(START, "search")
    graph.add_edge("search", "call")
    graph.add_edge("call", "approve")
    graph.add_edge("approve", "book")
    graph.add_edge("book", END)
    return graph.compile(checkpointer=InMemorySaver())


async def _create(provider: DuffelProvider, offer_id: str) -> str:
    offer = await provider.get_offer(offer_id)
    request = OrderRequest(
        kind="instant",
        offer_id=offer_id,
        passengers=(OrderPassenger(ref=offer.passenger_refs[0], details=DEMO_USERS[0].profile),),
        total=offer.fare.total,
        operation_id=uuid4().hex,
    )
    return (await provider.create_order(request)).order_id


# Ours


async def _ours(made: Product) -> int:
    for trip in range(TRIPS):
        trip_id = await _booked(made, DAY + timedelta(days=trip))
        choice = await _step(made, trip_id, "choose")
        for rewind in range(REWINDS):
            to = choice if rewind % 2 else await _step(made, trip_id, "review")
            await _back(made, trip_id, to)
    return TRIPS * REWINDS


async def _booked(made: Product, day: date) -> str:
    chat = (await made.does("tina", Kind.CREATE_CONVERSATION, ""))["conversation_id"]
    said = await made.does("tina", Kind.SEND_MESSAGE, chat, text=f"From PVG to NRT on {day.day} {day:%B}")
    trip_id = said["trips"][0]
    await made.does("tina", Kind.CHOOSE, trip_id, offer=1)
    await _approve(made, trip_id)
    await _at_rest(made, trip_id)
    return trip_id


async def _back(made: Product, trip_id: str, to: int) -> None:
    seen = max(row.version for row in await made.rows(versions, thread_id=trip_id))
    await made.does("rita", Kind.REWIND, trip_id, to_version=to, seen_version=seen, reason="bench")
    await _approve(made, trip_id)
    await _at_rest(made, trip_id)


async def _approve(made: Product, trip_id: str) -> None:
    for review in await made.rows(questions, thread_id=trip_id, status="waiting", node="review"):
        await made.does("rita", Kind.DECIDE, review.question_id, type="approve", digest=review.digest)


async def _at_rest(made: Product, trip_id: str) -> None:
    """Until its ticket is there; the airline's clock is moved, nobody waits."""
    for _ in range(50):
        (row,) = await made.rows(trips, trip_id=trip_id)
        if row.status == "booked":
            return
        assert made.whole.airline is not None
        made.whole.airline.advance(2)
        await made.whole.reconciler.once()
        await made.whole.dispatcher.idle()
    raise RuntimeError(f"trip {trip_id} is {row.status}")


async def _step(made: Product, trip_id: str, step: str) -> int:
    return min(row.version for row in await made.rows(versions, thread_id=trip_id, step=step))


if __name__ == "__main__":
    asyncio.run(main())
