"""The process dies after the airline was told to give a hold back, before anybody heard that it was: the command goes on."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from uuid import uuid4

import pytest

from assistant.booking.provider import AirlineOrder
from assistant.bootstrap import Layover
from assistant.domain.commands import Command, Kind
from assistant.persistence.tables import commands as commands_table
from tests.stories.dying import Killed, Passing, process_on
from tests.stories.ways_back import TO_TOKYO, said_in, walker
from tests.stories.world import Chat, Json, World, offer, opened


class DiesAfterGivingBack(Passing):
    async def confirm_cancellation(self, quote_id: str) -> AirlineOrder:
        await self.airline.confirm_cancellation(quote_id)
        raise Killed


async def withdrawn(world: World, chat: Chat, trip: Json) -> Command:
    said, tina = (await said_in(chat))[0], await walker(world, "tina")
    payload = {"message_id": said.message_id, "text": "From Shanghai to Osaka on 12 December"}
    return Command(
        command_id=str(uuid4()), kind=Kind.EDIT_MESSAGE, actor=tina.actor, target=chat.conversation_id, payload=payload
    )


async def cancelled(world: World, chat: Chat, trip: Json) -> Command:
    tina = await walker(world, "tina")
    return Command(command_id=str(uuid4()), kind=Kind.CANCEL_TRIP, actor=tina.actor, target=trip["trip_id"], payload={})


async def runs(process: Layover, command: Command) -> None:
    """The command, and what it takes back, one after the other."""
    tenant_id = command.actor.tenant_id
    await process.service.run(tenant_id, command.command_id)
    world = World(process, process.airline, None, None)  # type: ignore[arg-type]
    for row in await world.rows(commands_table, kind=Kind.WITHDRAW):
        await process.service.run(tenant_id, row.command_id)


@pytest.mark.parametrize(("given", "ends"), [(withdrawn, "withdrawn"), (cancelled, "cancelled")])
async def test_a_hold_is_given_back_once_and_its_trip_ends_as_was_asked(
    data_dir: Path, given: Callable[[World, Chat, Json], Awaitable[Command]], ends: str
) -> None:
    async with opened(data_dir) as world:
        tina = await world.person("tina")
        chat = await tina.chat()
        await chat.say(TO_TOKYO)
        trip = await chat.trip()
        trip = await tina.choose(trip["trip_id"], offer(trip, can_hold=True)["n"])
        assert (trip["status"], len(world.orders())) == ("waiting_review", 1)
        command = await given(world, chat, trip)
    async with process_on(data_dir, DiesAfterGivingBack) as process:
        await process.service.accept(command)
        with pytest.raises(Killed):
            await runs(process, command)
    async with opened(data_dir) as world:
        assert world.effects().count("cancel") == 1
        tina = await world.person("tina")
        await world.quiet()
        for _ in range(12):
            await world.later(60)
        told = await Chat(tina, chat.conversation_id).told()
        now = await tina.trip(trip["trip_id"])
        unended = [r.kind for r in await world.rows(commands_table) if r.status != "succeeded"]
        assert (now["status"], world.orders(), unended) == (ends, [], [])
        assert world.effects().count("cancel") == 1
        assert not any("was not taken back" in text for text in told)
