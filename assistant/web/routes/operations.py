"""The ledger, commands, and what the airline sends by itself."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import JSONResponse

from ...domain.commands import Kind, ResolveOperation
from ...domain.errors import Forbidden, Invalid
from ...views import cases, commands, operations
from ...views.shapes import CommandView
from ...wording.problems import error_in_words
from ..bodies import checked_json
from ..callers import Caller
from ..door import Door, Wait, key
from ..problems import Unauthenticated
from ..schemas import CaseList, CommandAnswer, OperationList


def routes(door: Door) -> APIRouter:
    router = APIRouter(tags=["operations"])
    me = Depends(door.callers)

    @router.get("/commands/{command_id}")
    async def command(command_id: str, caller: Caller = me, wait: Wait = 0) -> CommandView:
        """Where a command stands; with `wait` it answers when the command has ended."""
        found = await door.read(caller, lambda tx, reader: commands.command(tx, reader, command_id))
        if wait and found.status in ("accepted", "running"):
            await door.travel.settled(caller.user.tenant_id, command_id, wait=wait)
            found = await door.read(caller, lambda tx, reader: commands.command(tx, reader, command_id))
        return found.model_copy(update={"error": error_in_words(found.error, caller.language)})

    @router.get("/operations")
    async def listed(caller: Caller = me, trip_id: str | None = None, unsettled: bool = False) -> OperationList:
        """Of one trip, or of all one may see; `unsettled`: only those that have not ended."""
        found = await door.read(
            caller, lambda tx, reader: operations.operations_view(tx, reader, trip_id=trip_id, unsettled=unsettled)
        )
        return OperationList(operations=found)

    @router.get("/operations/cases")
    async def waiting(caller: Caller = me) -> CaseList:
        """What needs a person or may surprise one: unknown outcomes, late orders, missing tickets, bookings nobody wants."""
        return CaseList(cases=await door.read(caller, lambda tx, reader: cases.cases(tx, reader, now=door.callers.clock())))

    @router.post("/operations/{operation_id}/resolution", response_model=CommandAnswer)
    async def resolve(
        operation_id: str, body: ResolveOperation, caller: Caller = me, key: str = Depends(key), wait: Wait = 0
    ) -> JSONResponse:
        """What became of an operation the airline never answered for; operators only."""
        return await door.accept(caller, Kind.RESOLVE_OPERATION, operation_id, body, key=key, wait=wait)

    @router.post("/webhooks/duffel", status_code=204)
    async def webhook(request: Request) -> Response:
        """Signed by the airline's side; stored, then looked into."""
        body = await request.body()
        checked_json(body)  # whatever it calls itself
        try:
            await door.travel.webhook(dict(request.headers), body)
        except Forbidden:
            raise Unauthenticated("signature") from None
        except Invalid:
            raise Invalid("json_invalid") from None
        return Response(status_code=204)

    return router
