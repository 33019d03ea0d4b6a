"""Sending, once: what was intended is written before, what came of it after."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Row

from .. import ledger
from ..booking.provider import AirlineOrder
from ..crashpoints import point
from ..domain.clock import Clock
from ..domain.errors import OutcomeUnknown, Reason, Refused, Unavailable
from ..domain.flights import Fare
from ..domain.ids import fingerprint, new_id
from ..domain.plans import CREATES, Outcome
from ..ledger import Attempt
from ..persistence import signals
from ..persistence.database import Database, shielded
from .errand import FIRST_LOOK, RECORDED, Errand, Ready


@dataclass
class Sending:
    """Intent committed, one call, outcome committed. `life` is this process's: an attempt of another life died."""

    database: Database
    clock: Clock
    life: str = field(default_factory=new_id)
    _sending: set[str] = field(default_factory=set[str])

    async def look(self, operation_id: str) -> Row[Any]:
        """The operation as it must be read: one whose sender died may have happened, and so has one whose order was announced
        though its answer said that it had not."""
        at = self.clock()

        async def read(tx: ledger.Tx) -> Row[Any]:
            row, attempt = await ledger.operation(tx, operation_id), await ledger.last_attempt(tx, operation_id)
            if row.state != "submitting" or attempt is None or self.is_sending(attempt):
                return row
            if attempt.outcome is None or await ledger.order_told(tx, row) is not None:
                await ledger.unanswered(tx, row, at=at, look_after=at)
                return await ledger.operation(tx, operation_id)
            return row

        return await self.database.write(read)

    def is_sending(self, attempt: Row[Any]) -> bool:
        return attempt.process_id == self.life and attempt.operation_id in self._sending

    async def attempt(self, errand: Errand, row: Row[Any], ready: Ready, *, granted_by: str) -> Outcome:
        """Intent committed, one call, outcome committed; the whole of it goes on when its caller is cancelled."""
        self._sending.add(row.operation_id)
        try:
            return await shielded(self._send(errand, row, ready, granted_by))
        finally:
            self._sending.discard(row.operation_id)

    async def _send(self, errand: Errand, row: Row[Any], ready: Ready, granted_by: str) -> Outcome:
        at = self.clock()

        async def begin(tx: ledger.Tx) -> Attempt | None:
            if await signals.paused(tx) is not None and await ledger.buys(tx, row):
                return None  # since it was read, while prices were
            await ledger.none_announced(tx, row)
            if ready.fare is not None:
                fare = ready.fare.model_dump(mode="json")
                await ledger.note(tx, operation_id=row.operation_id, order_id=None, kind="offer", body=fare, at=at)
            attempt = await ledger.begin(
                tx,
                row,
                reference=ready.reference,
                fingerprint=fingerprint(ready.body),
                granted_by=granted_by,
                amount=ready.amount,
                run_id=errand.run_id,
                process_id=self.life,
                at=at,
            )
            point("send.stored", row.kind)
            return attempt

        attempt = await self.database.write(begin)
        if attempt is None:
            return Outcome.UNGRANTED
        point("send.intended", row.kind)
        try:
            found = await ready.send()
            point("send.received", row.kind)
        except Unavailable:
            await self._end(row, attempt, "unavailable")
            raise
        except Refused as refusal:
            await self._end(row, attempt, f"refused:{refusal.reason}")
            raise
        except OutcomeUnknown as unknown:
            return await self._unknown(row, attempt, str(unknown))
        return await self._succeeded(row, attempt, found, ready.fare)

    async def _end(self, row: Row[Any], attempt: Attempt, outcome: str) -> None:
        at = self.clock()
        await self.database.write(lambda tx: ledger.end_attempt(tx, row.operation_id, attempt.number, outcome, at=at))

    async def _unknown(self, row: Row[Any], attempt: Attempt, hint: str) -> Outcome:
        at = self.clock()

        async def write(tx: ledger.Tx) -> Outcome:
            await ledger.end_attempt(tx, row.operation_id, attempt.number, "unknown", at=at)
            await ledger.note(tx, operation_id=row.operation_id, order_id=None, kind="response", body={"hint": hint}, at=at)
            current = await ledger.operation(tx, row.operation_id)
            if current.state == "submitting" and current.fence == attempt.number:
                await ledger.unanswered(tx, current, at=at, look_after=at + FIRST_LOOK)
            return await _outcome(tx, row)

        outcome = await self.database.write(write)
        point("unknown.committed", row.kind)
        return outcome

    async def _succeeded(self, row: Row[Any], attempt: Attempt, found: AirlineOrder, fare: Fare | None) -> Outcome:
        at = self.clock()

        async def write(tx: ledger.Tx) -> Outcome:
            current = await ledger.operation(tx, row.operation_id)
            was_closed = current.state == "failed" and row.kind in CREATES
            ended = "unknown" if was_closed else "succeeded"  # what was closed stays so, and its order is looked up as a late one
            await ledger.end_attempt(tx, row.operation_id, attempt.number, ended, at=at)
            body = found.model_dump(mode="json", include={"order_id", "state", "booking_reference"})
            await ledger.note(tx, operation_id=row.operation_id, order_id=found.order_id, kind="response", body=body, at=at)
            if was_closed:
                await ledger.look_anew(tx, row.operation_id, at=at)
            if current.fence != attempt.number or current.state not in {"submitting", "unknown", "needs_person"}:
                return await _outcome(tx, row)  # somebody has settled it since; the evidence is kept
            await ledger.succeed(tx, current, found, fare=fare, at=at)
            point("outcome.stored", row.kind)
            return Outcome.SUCCEEDED

        outcome = await self.database.write(write)
        point("outcome.committed", row.kind)
        return outcome

    async def fail(self, row: Row[Any], reason: Reason) -> Outcome:
        at = self.clock()

        async def write(tx: ledger.Tx) -> Outcome:
            current = await ledger.operation(tx, row.operation_id)
            if current.state == "submitting" and await ledger.order_told(tx, current) is not None:
                await ledger.unanswered(tx, current, at=at, look_after=at)
            elif current.state in {"planned", "submitting"}:
                await ledger.fail(tx, current, reason, at=at)
            return await _outcome(tx, row)

        return await self.database.write(write)


async def _outcome(tx: ledger.Tx, row: Row[Any]) -> Outcome:
    """What has become of it by now. In another's hands, it may happen."""
    return RECORDED.get((await ledger.operation(tx, row.operation_id)).state, Outcome.UNKNOWN)
