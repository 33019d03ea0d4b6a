"""That this database was put back from a backup, and that the airline may know more than it does. Kept as a switch."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import update

from . import signals
from .database import Tx
from .tables import grants

RESTORED = "restored"
WHAT_TO_DO = "layover doctor lists what the airline has and this ledger lacks, layover settled ends it"


@dataclass(frozen=True)
class Restored:
    """`made_at`: of the backup, all that came later is lost; `at`: of the restore. Both as the product's clock read."""

    made_at: datetime
    at: datetime

    def __str__(self) -> str:
        return f"from a backup of {self.made_at.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


async def restored(tx: Tx) -> Restored | None:
    """None where nothing was put back, or all that was lost with it has been settled."""
    value = await signals.switched(tx, RESTORED)
    if not value or not value.get("on"):
        return None
    return Restored(made_at=datetime.fromisoformat(value["made_at"]), at=datetime.fromisoformat(value["at"]))


async def mark(tx: Tx, *, made_at: datetime, by: str, at: datetime) -> None:
    """Put back by other means than ours. What was not settled of an earlier restore still is not."""
    before = await restored(tx)
    made_at = min(made_at, before.made_at) if before is not None else made_at
    value = {"on": True, "by": by, "made_at": made_at.isoformat(), "at": at.isoformat()}
    await signals.switch(tx, RESTORED, value, at=at)
    restored_from = made_at.astimezone(UTC).isoformat()
    await signals.switch(tx, "paused", {"on": True, "by": by, "restored_from": restored_from}, at=at)
    await tx.execute(update(grants).where(grants.c.state == "unused").values(state="void"))
    await signals.tell_everybody(tx)


async def settled(tx: Tx, *, by: str, at: datetime) -> None:
    """From now on nothing is looked for first. What was marked stays readable."""
    value: dict[str, Any] = await signals.switched(tx, RESTORED) or {}
    await signals.switch(tx, RESTORED, value | {"on": False, "settled_by": by}, at=at)
    await signals.tell_everybody(tx)
