"""The reconciler: looks up what may have happened, watches tickets and holds, lets questions expire, wakes what waits."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from pydantic import JsonValue
from sqlalchemy import Row

from . import ledger
from .accepting.ground import confirming
from .booking.provider import AirlineOrder
from .booking.sandbox import SandboxAirline
from .booking.sandbox.events import SignedEvent
from .crashpoints import point
from .desk import FIRST_LOOK, TICKETS_WITHIN, BookingDesk
from .dispatch.rounds import Rounds, Turn
from .domain.clock import Clock, is_due
from .domain.commands import Command, Kind
from .domain.errors import CommandRefused, Reason, Refused, Unavailable
from .domain.ids import derived
from .domain.people import Actor
from .domain.plans import CREATES, OrderState
from .giving_back import GivingBack
from .happening import Happening
from .ledger.leaving import Leaving, leaving
from .persistence import commands, questions, signals, trips
from .persistence.database import Database, Tx
from .reminding import Reminding
from .service import TravelService

log = logging.getLogger(__name__)

SIDE_BY_SIDE = 8  # calls of look-ups that are under way at once
LATE_AFTER = 30.0  # seconds in which a round that waits for nobody outside is over, or something is wrong
LATE = timedelta(days=2)  # how long an order of a closed create is still looked for
RELEASE_AGAIN, RELEASE_AGAIN_AT_LEAST = timedelta(minutes=1), timedelta(minutes=30)
TICKET_LOOK, TICKET_LOOK_AT_LEAST = timedelta(seconds=2), timedelta(minutes=30)


@dataclass
class Reconciler:
    database: Database
    desk: BookingDesk
    service: TravelService
    clock: Clock
    airline: SandboxAirline | None = None  # the embedded one, which has no address to post its events to
    pause: float = 1.0
    side_by_side: int = SIDE_BY_SIDE
    _looked: dict[str, datetime] = field(default_factory=dict[str, datetime])  # when an order was read last, in this life

    def __post_init__(self) -> None:
        self.rounds = Rounds("the reconciler", self.without_the_airline, rest=self._rest, patience=LATE_AFTER)
        looking = partial(self.at_the_airline, until=lambda: self.look_ups.is_ending)
        self.look_ups = Rounds("looking up", looking, rest=self._rest)
        self.giving_back = GivingBack(self.database, self.desk, self.service, self.clock)
        self.happening = Happening(self.database, self.service, self.clock)
        self.reminding = Reminding(self.database, self.service, self.service.policy, self.clock)

    def start(self) -> None:
        self.rounds.start()
        self.look_ups.start()

    async def stop(self) -> None:
        self.look_ups.end()
        await self.rounds.stop()
        await self.look_ups.stop()

    async def _rest(self) -> None:
        await asyncio.sleep(self.pause)

    async def once(self) -> None:
        """One round over everything that is due: what is found out at the airline, then what follows from it."""
        turn = Turn()
        await self._on_time(turn)
        await turn.take(self.at_the_airline())
        await self._what_follows(turn)
        turn.over()

    async def without_the_airline(self) -> None:
        """What waits for nobody outside. What one of them meets is raised when all others had their turn."""
        turn = Turn()
        await self._on_time(turn)
        await self._what_follows(turn)
        turn.over()

    async def _on_time(self, turn: Turn) -> None:
        await turn.take_each(self._events(), self._take)
        await turn.take_each(self._overdue(), self._let_expire)
        await turn.take_each(self._unasked(), self._ask_anew)

    async def _what_follows(self, turn: Turn) -> None:
        await turn.take_each(self._parked(), self._wake)
        await turn.take_each(self._taken_back(), self._give_up_again)
        await turn.take_each(self._moves(), self._tell_of_move)
        await turn.take_each(self.happening.gone(), self.happening.ask_what_now)
        await turn.take_each(self.happening.came_true(), self.happening.tell)
        await turn.take_each(self.reminding.unlisted(), self.reminding.enlist)
        await turn.take_each(self.reminding.due(), self.reminding.remind)

    async def at_the_airline(self, *, until: Callable[[], bool] = lambda: False) -> None:
        """What only the airline can answer, which may be slow or silent: some at a time, and nothing else waits for it."""
        turn, some = Turn(), self.side_by_side
        await turn.take_each(self._submitting(), self._find_dead)
        await turn.take_each(self._to_look_up(), self._look_up, side_by_side=some, until=until)
        await turn.take_each(self.giving_back.words(), self.giving_back.followed, until=until)
        await turn.take_each(self._to_watch(), self._watch, side_by_side=some, until=until)
        turn.over()

    async def _to_look_up(self) -> list[Row[Any]]:
        since, looks = self.clock() - LATE, ledger.LOOKS_BEFORE_A_PERSON
        closed = await self.database.read(lambda tx: ledger.closed_unsure(tx, since=since, looks=looks))
        rows = [*await self.database.read(lambda tx: ledger.in_state(tx, "unknown", "needs_person")), *closed]
        return [row for row in rows if is_due(row.look_after, self.clock(), within=ledger.LONGEST_BACKOFF)]

    # What the airline tells by itself

    async def _events(self) -> list[SignedEvent]:
        return self.airline.pending_events() if self.airline else []

    async def _take(self, event: SignedEvent) -> None:
        try:
            await self.service.webhook(event.headers, event.body)
        except CommandRefused as refusal:
            log.error("an event of the embedded airline cannot be taken: %s", refusal)
        if self.airline:
            self.airline.acknowledge(event)

    async def _moves(self) -> list[Row[Any]]:
        return await self.database.read(ledger.moves_heard)

    async def _tell_of_move(self, event: Row[Any]) -> None:
        """A moved flight becomes a command of its trip, once the trip waits for no word of the airline's."""
        named = "moved", event.event_id
        given = await self.database.read(lambda tx: commands.of_word(tx, event.tenant_id, *named))
        if commands.is_over(given):
            at = self.clock()
            await self.database.write(lambda tx: ledger.told_of_move(tx, event.event_id, at=at))
        elif not await self.database.read(lambda tx: confirming(tx, event.trip_id)):
            told = {"order_id": event.order_id, "event_id": event.event_id}
            await self._say(event.tenant_id, named, Kind.MOVED, event.trip_id, told)

    async def _say(self, tenant_id: str, named: tuple[str, ...], kind: Kind, target: str, payload: dict[str, Any]) -> None:
        """A word of the product's own, until it is done."""
        command_id = await self.database.read(lambda tx: commands.next_word(tx, tenant_id, *named, now=self.clock()))
        if command_id is None:
            return
        actor = Actor(tenant_id=tenant_id, user_id="layover", name="Layover")
        await self.service.accept_own(Command(command_id=command_id, kind=kind, actor=actor, target=target, payload=payload))

    # Questions live by policy

    async def _overdue(self) -> list[Row[Any]]:
        return await self.database.read(lambda tx: questions.overdue(tx, self.clock()))

    async def _let_expire(self, question: Row[Any]) -> None:
        await self._give(question, Kind.EXPIRE)

    async def _give(self, question: Row[Any], kind: Kind) -> None:
        named = kind.value, question.question_id, question.interrupt_id
        await self._say(question.tenant_id, named, kind, question.thread_id, {"question_id": question.question_id})

    async def _unasked(self) -> list[Row[Any]]:
        return await self.database.read(questions.unasked)

    async def _ask_anew(self, question: Row[Any]) -> None:
        """What was given up without a word leaves a question that no answer reaches."""
        named = Kind.ASK_AGAIN.value, question.question_id, question.interrupt_id
        payload = {"question_id": question.question_id, "checkpoint_id": question.asks_checkpoint_id}
        await self._say(question.tenant_id, named, Kind.ASK_AGAIN, question.thread_id, payload)

    # What may have happened

    async def _submitting(self) -> list[Row[Any]]:
        return await self.database.read(lambda tx: ledger.in_state(tx, "submitting"))

    async def _find_dead(self, row: Row[Any]) -> None:
        """An attempt whose sender died may have happened."""
        await self.desk.look(row.operation_id)
        await self.database.write(lambda tx: self._end_the_left(tx, row))

    async def _end_the_left(self, tx: Tx, row: Row[Any]) -> None:
        """Its last attempt surely did nothing, and no run is left that would make another."""
        attempt = await ledger.last_attempt(tx, row.operation_id)
        if attempt is None or not (attempt.outcome or "").startswith(("unavailable", "refused")):
            return
        if self.desk.sending.is_sending(attempt) or await commands.queued(tx, row.trip_id, but=""):
            return
        current = await ledger.operation(tx, row.operation_id)
        if current.state == "submitting" and current.fence == attempt.number:
            await ledger.fail(tx, current, Reason.UNAVAILABLE, at=self.clock())

    async def _look_up(self, row: Row[Any]) -> None:
        attempt = await self.database.read(lambda tx: ledger.last_attempt(tx, row.operation_id))
        if attempt is None:
            return
        try:
            found = await self.desk.looking_up.find(row, attempt)
        except Unavailable:
            found = None
        except Refused as refusal:
            found = None  # the airline does not know it now: no proof that it never will
            log.info("looking for operation %s, the airline refuses: %s", row.operation_id, refusal)
        else:
            if found is None:
                at = self.clock()
                await self.database.write(lambda tx: ledger.found_nothing(tx, attempt, at=at))
        if found is None:
            await self.database.write(lambda tx: self._nothing_yet(tx, row))
            return
        await self.database.write(lambda tx: self._settle(tx, row, attempt.number, found))
        point("look_up.committed", row.kind)
        self.service.dispatcher.wake()

    async def _settle(self, tx: Tx, row: Row[Any], number: int, found: AirlineOrder) -> None:
        """What was found becomes the operation's, and whoever was told otherwise is told: both, or neither."""
        at, current = self.clock(), await ledger.operation(tx, row.operation_id)
        if current.state == "failed" and await ledger.order(tx, found.order_id) is not None:
            return
        body = found.model_dump(mode="json", include={"order_id", "state", "booking_reference"})
        await ledger.note(tx, operation_id=row.operation_id, order_id=found.order_id, kind="look_up", body=body, at=at)
        if current.state == "failed" and row.kind in CREATES:
            await ledger.add_order(tx, current, found, fare=None, state=OrderState.SURPLUS, at=at)
            await ledger.follow_now(tx, row.operation_id, at=at)
            await signals.bump(tx, signals.of_inbox(row.tenant_id))
            await self._tell_of_late_order(tx, row, found)
        if current.state in {"unknown", "needs_person"}:
            await ledger.end_attempt(tx, row.operation_id, number, "succeeded", at=at)
            await ledger.succeed(tx, current, found, fare=None, at=at)
            point("look_up.stored", row.kind)

    async def _tell_of_late_order(self, tx: Tx, row: Row[Any], found: AirlineOrder) -> None:
        """Its traveller was told that nothing was booked."""
        late, trip = await ledger.order(tx, found.order_id), await trips.find(tx, row.trip_id)
        if late is None or late.state != OrderState.SURPLUS or trip is None:
            return
        actor = Actor(tenant_id=trip.tenant_id, user_id=trip.owner_id, name="")
        event: dict[str, JsonValue] = {"trip_id": trip.trip_id, "status": "late_order", "reference": found.booking_reference}
        command_id = derived("late_order", found.order_id)
        told = Command(command_id=command_id, kind=Kind.NOTIFY, actor=actor, target=trip.conversation_id, payload=event)
        await self.service.door.accept_own(tx, told, parent=None)

    async def _nothing_yet(self, tx: Tx, row: Row[Any]) -> None:
        at = self.clock()
        looks = await ledger.looked(tx, row.operation_id, look_after=at + ledger.backoff(row.looks, first=FIRST_LOOK))
        current = await ledger.operation(tx, row.operation_id)
        if looks >= ledger.LOOKS_BEFORE_A_PERSON and current.state == "unknown":
            await ledger.needs_person(tx, current, at=at)

    # Orders that change by themselves

    async def _to_watch(self) -> list[Row[Any]]:
        """Tickets that are to come, holds that ran out, late orders nobody has settled, and what may have changed without us;
        each ever less often."""
        states = (OrderState.TICKETING, OrderState.HELD, OrderState.SURPLUS)
        listed = {row.order_id: row for row in await self.database.read(lambda tx: ledger.orders_in(tx, *states))}
        doubted = {row.order_id: row for row in await self.happening.doubted()}
        self._looked = {id_: self._looked[id_] for id_ in listed | doubted if id_ in self._looked}
        return [row for id_, row in (listed | doubted).items() if self._is_due(row, doubted=id_ in doubted)]

    def _is_due(self, row: Row[Any], *, doubted: bool) -> bool:
        now, last, held = self.clock(), self._looked.get(row.order_id), row.state == OrderState.HELD and not doubted
        since: datetime | None = row.pay_by if held else row.updated_at
        if since is None or (held and now < since):
            return False
        if held and (last is None or last < since):
            return True  # as soon as it has run out
        pause = min(max(TICKET_LOOK, (now - since) / 10), TICKET_LOOK_AT_LEAST)
        return is_due((last or since) + pause, now, within=TICKET_LOOK_AT_LEAST)

    async def _watch(self, row: Row[Any]) -> None:
        self._looked[row.order_id] = self.clock()
        try:
            await self.desk.read_order(row.order_id)
        except (Refused, Unavailable) as trouble:
            log.warning("order %s cannot be read: %s", row.order_id, trouble)

    async def _parked(self) -> list[Row[Any]]:
        return await self.database.read(lambda tx: questions.waiting_at(tx, "await_outcome"))

    async def _wake(self, question: Row[Any]) -> None:
        if await self.database.read(lambda tx: self._is_known(tx, question)):
            await self._give(question, Kind.OUTCOME)

    async def _taken_back(self) -> list[Row[Any]]:
        """Trips withdrawn while the airline was out of reach; each tried again after as long as it has been tried for."""
        return [row for row in await self.database.read(questions.taken_back) if self._is_to_try(row)]

    def _is_to_try(self, question: Row[Any]) -> bool:
        tried = question.created_at - question.withdrawn_at if question.withdrawn_at else RELEASE_AGAIN
        pause = min(max(RELEASE_AGAIN, tried), RELEASE_AGAIN_AT_LEAST)
        return is_due(question.created_at + pause, self.clock(), within=RELEASE_AGAIN_AT_LEAST)

    async def _give_up_again(self, question: Row[Any]) -> None:
        await self._give(question, Kind.OUTCOME)

    async def _is_known(self, tx: Tx, question: Row[Any]) -> bool:
        stopped, operation_id = question.body.get("stopped"), question.body.get("operation_id")
        if create_id := question.body.get("gives_back"):  # another trip's; asked again only when that has come to its end
            made = await ledger.operation(tx, create_id)
            return await leaving(tx, create_id, trip_id=made.trip_id) is not Leaving.UNDER_WAY
        if operation_id is None:  # a ticket is to come; when it is overdue, a person is asked
            page = await ledger.page(tx, self.desk.book(question.tenant_id), question.thread_id)
            late = await ledger.overdue(tx, paid_before=self.clock() - TICKETS_WITHIN, trip_id=question.thread_id)
            waits = any(o.state is OrderState.TICKETING and not o.aside for o in page.orders)
            return not waits or (bool(late) and stopped == "ticketing")
        row = await ledger.operation(tx, operation_id)
        return row.state != stopped and row.state != "submitting"
