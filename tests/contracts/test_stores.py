"""What every store promises, on SQLite and on PostgreSQL alike."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, inspect, update
from sqlalchemy.exc import IntegrityError

from assistant.domain.commands import Command, Kind, Status
from assistant.domain.errors import CommandReused, Conflict
from assistant.domain.people import Actor
from assistant.domain.understanding import Polarity, Position, Scope, SeatWish, Strength
from assistant.persistence import commands, documents, questions, signals, threads, transcript, versions, wishes
from assistant.persistence.database import Database, Tx
from assistant.persistence.migrating import migrate, newest_revision, revision_of
from assistant.persistence.tables import commands as rows
from assistant.persistence.tables import schema
from assistant.persistence.versions import Made
from assistant.wording.said import Said

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
TINA = Actor(tenant_id="demo", user_id="tina", name="Tina")


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
async def empty(request: pytest.FixtureRequest, data_dir: Path) -> AsyncIterator[Database]:
    """A database without a table in it."""
    if request.param == "sqlite":
        url = f"sqlite+aiosqlite:///{data_dir / 'layover.db'}"
    else:
        url = request.getfixturevalue("fresh_postgres_url").replace("postgresql://", "postgresql+psycopg://")
    database = Database(url)
    yield database
    await database.close()


@pytest.fixture
async def database(empty: Database) -> Database:
    await migrate(empty)
    return empty


def message(key: str, text: str = "Hello", who: Actor = TINA) -> Command:
    return Command(command_id=key, kind=Kind.SEND_MESSAGE, actor=who, target="chat", payload={"text": text})


async def opened(database: Database, *thread_ids: str) -> None:
    async def work(tx: Tx) -> None:
        for thread_id in thread_ids or ("chat",):
            await threads.open_thread(tx, thread_id, kind="conversation", actor=TINA, at=NOW)

    await database.write(work)


async def queue(database: Database, *keys: str, thread_id: str = "chat") -> None:
    for key in keys:
        command = message(key)

        async def work(tx: Tx, command: Command = command) -> None:
            await commands.insert_new(tx, command, thread_id=thread_id, parent=None, at=NOW)
            await commands.enqueue(tx, command, thread_id=thread_id, payload={"text": "Hello"})

        await database.write(work)


# Schema


async def test_migrations_lead_to_the_schema_of_this_version(empty: Database) -> None:
    assert await revision_of(empty) is None
    await migrate(empty)
    assert await revision_of(empty) == newest_revision()


async def test_the_migrated_schema_is_that_of_the_tables(database: Database) -> None:
    def differences(connection: Connection) -> list[Any]:
        return compare_metadata(MigrationContext.configure(connection), schema)

    async with database.engine.connect() as connection:
        assert await connection.run_sync(differences) == []


async def test_migrating_again_changes_nothing(database: Database) -> None:
    await opened(database)
    await migrate(database)
    assert await database.read(lambda tx: threads.find(tx, "chat")) is not None


async def test_every_table_has_a_primary_key(database: Database) -> None:
    async with database.engine.connect() as connection:
        keys = await connection.run_sync(
            lambda c: {t: inspect(c).get_pk_constraint(t)["constrained_columns"] for t in schema.tables}
        )
    assert all(keys.values()), keys


async def test_a_failed_transaction_leaves_nothing(database: Database) -> None:
    kept: list[str] = []

    async def work(tx: Tx) -> None:
        kept.append(await documents.keep(tx, {"a": 1}, at=NOW))
        raise RuntimeError("half way")

    with pytest.raises(RuntimeError):
        await database.write(work)
    assert await database.read(lambda tx: documents.read(tx, kept[0])) is None


# Commands


async def test_of_many_equal_keys_at_once_one_is_new(database: Database) -> None:
    def insert(tx: Tx) -> Any:
        return commands.insert_new(tx, message("key"), thread_id=None, parent=None, at=NOW)

    new = await asyncio.gather(*(database.write(insert) for _ in range(12)))
    assert sorted(new) == [False] * 11 + [True]


async def test_a_key_again_gets_the_first_receipt_and_with_another_intent_a_refusal(database: Database) -> None:
    await opened(database)
    await queue(database, "key")
    receipt = await database.read(lambda tx: commands.repeated(tx, message("key")))
    assert (receipt.command_id, receipt.status) == ("key", Status.ACCEPTED)
    with pytest.raises(CommandReused):
        await database.read(lambda tx: commands.repeated(tx, message("key", text="Something else")))
    other = Actor(tenant_id="demo", user_id="tom", name="Tom")
    with pytest.raises(CommandReused):
        await database.read(lambda tx: commands.repeated(tx, message("key", who=other)))


async def test_the_same_key_of_another_tenant_is_another_command(database: Database) -> None:
    olga = Actor(tenant_id="other", user_id="olga", name="Olga")

    def insert(tx: Tx, who: Actor) -> Any:
        return commands.insert_new(tx, message("key", who=who), thread_id=None, parent=None, at=NOW)

    new = [await database.write(lambda tx, who=who: insert(tx, who)) for who in (TINA, olga)]
    assert new == [True, True]


async def test_places_in_a_thread_are_given_in_order_under_concurrency(database: Database) -> None:
    await opened(database)
    await asyncio.gather(*(queue(database, f"key {n}") for n in range(10)))
    rows = await database.read(lambda tx: commands.queued(tx, "chat", but=""))
    assert [row.thread_seq for row in rows] == list(range(1, 11))


async def test_only_the_first_open_command_of_each_thread_may_run(database: Database) -> None:
    await opened(database, "chat", "other chat")
    await queue(database, "one", "two")
    await queue(database, "three", thread_id="other chat")
    runnable = await database.read(lambda tx: commands.runnable(tx, now=NOW, skip=set()))
    assert {row.command_id for row in runnable} == {"one", "three"}
    runnable = await database.read(lambda tx: commands.runnable(tx, now=NOW, skip={"chat"}))
    assert {row.command_id for row in runnable} == {"three"}
    assert await database.write(lambda tx: commands.begin(tx, "demo", "two", at=NOW)) is None


async def test_a_later_run_makes_an_earlier_one_stale(database: Database) -> None:
    await opened(database)
    await queue(database, "one")
    first = await database.write(lambda tx: commands.begin(tx, "demo", "one", at=NOW))
    second = await database.write(lambda tx: commands.begin(tx, "demo", "one", at=NOW))
    assert first is not None
    assert second is not None
    assert (first.attempt, second.attempt) == (1, 2)
    with pytest.raises(Conflict):
        await database.write(lambda tx: commands.end(tx, first, Status.SUCCEEDED, at=NOW))
    await database.write(lambda tx: commands.end(tx, second, Status.SUCCEEDED, at=NOW, result={"done": True}))
    row = await database.read(lambda tx: commands.find(tx, "demo", "one"))
    assert (row.status, row.result) == ("succeeded", {"done": True})
    assert await database.write(lambda tx: commands.begin(tx, "demo", "one", at=NOW)) is None


async def test_a_retry_keeps_its_place_and_waits(database: Database) -> None:
    await opened(database)
    await queue(database, "one", "two")
    job = await database.write(lambda tx: commands.begin(tx, "demo", "one", at=NOW))
    assert job is not None
    await database.write(lambda tx: commands.retry(tx, job, error="gone", at=NOW, after=timedelta(seconds=5)))
    assert await database.read(lambda tx: commands.runnable(tx, now=NOW, skip=set())) == []
    due = await database.read(commands.next_due)
    assert due == NOW + timedelta(seconds=5)
    later = await database.read(lambda tx: commands.runnable(tx, now=due, skip=set()))
    assert [row.command_id for row in later] == ["one"]


async def test_what_has_not_begun_can_be_dropped(database: Database) -> None:
    await opened(database)
    await queue(database, "one", "two")
    await database.write(lambda tx: commands.begin(tx, "demo", "one", at=NOW))
    dropped = await database.write(lambda tx: commands.cancel_queued(tx, "chat", kinds=(Kind.SEND_MESSAGE,), at=NOW))
    assert [row.command_id for row in dropped] == ["two"]


async def test_what_is_dropped_comes_back_in_the_order_it_was_said_in(database: Database) -> None:
    await opened(database)
    said = ["nine", "five", "seven", "one"]
    for key in sorted(said):
        command = message(key)
        await database.write(lambda tx, c=command: commands.insert_new(tx, c, thread_id="chat", parent=None, at=NOW))
    for key in said:
        command = message(key)
        await database.write(lambda tx, c=command: commands.enqueue(tx, c, thread_id="chat", payload={"text": "Hello"}))
    dropped = await database.write(lambda tx: commands.cancel_queued(tx, "chat", kinds=(Kind.SEND_MESSAGE,), at=NOW))
    assert [row.command_id for row in dropped] == said


async def test_a_word_of_our_own_that_failed_is_given_anew_after_a_pause_that_doubles(database: Database) -> None:
    async def word(at: datetime) -> str | None:
        return await database.read(lambda tx: commands.next_word(tx, "demo", "moved", "event", now=at))

    await opened(database)
    at = NOW
    for pause in (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 1800, 1800):
        given = await word(at)
        assert given is not None
        await queue(database, given)
        assert await word(at) is None
        over = update(rows).where(rows.c.command_id == given).values(status=Status.FAILED, ended_at=at)
        await database.write(lambda tx, over=over: tx.execute(over))
        assert await word(at + timedelta(seconds=pause - 1)) is None
        at += timedelta(seconds=pause)
    a_day_before = at - timedelta(days=1)  # put off by a clock that was set back since
    assert await word(a_day_before) is not None


# Questions


async def asked(database: Database, question_id: str = "q", **more: Any) -> None:
    row = {
        "question_id": question_id,
        "tenant_id": "demo",
        "thread_id": "chat",
        "branch_id": "main",
        "node": "review",
        "interrupt_id": "i",
        "asks_checkpoint_id": "c",
        "graph_version": "1",
        "digest": "d",
        "body": {},
        "deadline": NOW + timedelta(hours=1),
        "status": "waiting",
        "created_at": NOW,
    }
    await database.write(lambda tx: questions.open_one(tx, row | more))


async def answered(database: Database, command_id: str, word: str = "approve") -> Any:
    return await database.write(lambda tx: questions.answer(tx, "q", command_id=command_id, actor=TINA, word=word, at=NOW))


async def test_of_many_answers_at_once_one_wins(database: Database) -> None:
    await opened(database)
    await asked(database)
    won = [row for row in await asyncio.gather(*(answered(database, f"answer {n}") for n in range(10))) if row is not None]
    assert len(won) == 1
    row = await database.read(lambda tx: questions.find(tx, "q"))
    assert (row.status, row.answered_by, row.answerer["name"]) == ("answered", won[0].answered_by, "Tina")


async def test_a_thread_has_one_waiting_question(database: Database) -> None:
    await opened(database)
    await asked(database)
    with pytest.raises(IntegrityError):
        await asked(database, "another")
    await database.write(lambda tx: questions.supersede(tx, "chat"))
    await asked(database, "another")
    assert (await database.read(lambda tx: questions.waiting(tx, "chat"))).question_id == "another"


async def test_a_question_whose_answer_failed_waits_again_with_a_new_interrupt(database: Database) -> None:
    await opened(database)
    await asked(database)
    await answered(database, "answer")
    reopened = await database.write(lambda tx: questions.reopen(tx, "answer"))
    assert (reopened.status, reopened.answered_by) == ("waiting", None)
    await database.write(lambda tx: questions.reask(tx, "q", interrupt_id="i2", asks_checkpoint_id="c2"))
    assert (await answered(database, "again")).interrupt_id == "i2"


async def test_overdue_is_what_waits_past_its_deadline(database: Database) -> None:
    await opened(database)
    await asked(database)
    assert await database.read(lambda tx: questions.overdue(tx, NOW)) == []
    late = await database.read(lambda tx: questions.overdue(tx, NOW + timedelta(hours=1)))
    assert [row.question_id for row in late] == ["q"]
    await answered(database, "expiry", word="expire")
    assert (await database.read(lambda tx: questions.find(tx, "q"))).status == "expired"
    assert await database.read(lambda tx: questions.overdue(tx, NOW + timedelta(hours=1))) == []


async def test_a_review_is_taken_by_one_and_given_back(database: Database) -> None:
    await opened(database)
    await asked(database)
    taken = await asyncio.gather(*(database.write(lambda tx: questions.claim(tx, "q", actor=TINA, at=NOW)) for _ in range(4)))
    assert sorted(taken) == [False, False, False, True]
    await database.write(lambda tx: questions.release(tx, "q"))
    assert await database.write(lambda tx: questions.claim(tx, "q", actor=TINA, at=NOW))


# Wishes


def wish(position: Position, *, scope: Scope = Scope.ALWAYS, forget: bool = False, whose: str | None = None) -> SeatWish:
    return SeatWish(position=position, polarity=Polarity.WANT, strength=Strength.PREFER, scope=scope, forget=forget, whose=whose)


async def wished(database: Database, command_id: str, *said: SeatWish, chat: str = "chat", branch_id: str | None = None) -> None:
    async def work(tx: Tx) -> None:
        thread = await threads.find(tx, chat)
        assert thread is not None
        where = branch_id or thread.main_branch_id
        await wishes.store(tx, TINA, said, command_id=command_id, conversation_id=chat, trip_id=None, branch_id=where, at=NOW)

    await database.write(work)


async def counting(database: Database, chat: str | None = "chat") -> list[tuple[str, str]]:
    rows = await database.read(lambda tx: wishes.active(tx, tenant_id="demo", owner_id="tina", conversation_id=chat))
    return [(row.position, row.scope) for row in rows]


async def test_the_newer_side_replaces_the_older_one(database: Database) -> None:
    await opened(database)
    await wished(database, "1", wish(Position.WINDOW))
    await wished(database, "2", wish(Position.FRONT))
    await wished(database, "3", wish(Position.AISLE))
    assert await counting(database) == [("front", "always"), ("aisle", "always")]


async def test_what_is_said_together_stays_together(database: Database) -> None:
    await opened(database)
    await wished(database, "1", wish(Position.WINDOW), wish(Position.AISLE))
    assert await counting(database) == [("window", "always"), ("aisle", "always")]


async def test_a_wish_for_this_time_leaves_the_lasting_one_for_other_conversations(database: Database) -> None:
    await opened(database, "chat", "other chat")
    await wished(database, "1", wish(Position.WINDOW))
    await wished(database, "2", wish(Position.AISLE, scope=Scope.TRIP))
    assert await counting(database) == [("window", "always"), ("aisle", "trip")]
    assert await counting(database, "other chat") == [("window", "always")]


async def test_a_wish_of_an_abandoned_branch_no_longer_counts(database: Database) -> None:
    await opened(database)
    await wished(database, "1", wish(Position.WINDOW))
    await database.write(lambda tx: versions.open_branch(tx, "fork", "chat", forked_from=1, reason=None, actor=TINA, at=NOW))
    await wished(database, "2", wish(Position.FRONT), branch_id="fork")
    assert await counting(database) == [("front", "always")]


async def test_a_forgotten_wish_no_longer_counts(database: Database) -> None:
    await opened(database)
    await wished(database, "1", wish(Position.WINDOW))
    await wished(database, "2", wish(Position.WINDOW, forget=True))
    assert await counting(database) == []


async def test_a_wish_for_somebody_else_does_not_replace_ones_own(database: Database) -> None:
    await opened(database)
    await wished(database, "1", wish(Position.WINDOW))
    await wished(database, "2", wish(Position.AISLE, whose="her"))
    assert await counting(database) == [("window", "always"), ("aisle", "trip")]


# Transcript, versions, documents, signals


async def told(database: Database, message_id: str, parent_id: str | None) -> bool:
    return await database.write(
        lambda tx: transcript.append(
            tx, "chat", message_id=message_id, parent_id=parent_id, role="user", body={"text": message_id}, command_id="c", at=NOW
        )
    )


async def test_the_main_line_is_the_walk_from_the_head(database: Database) -> None:
    for message_id, parent_id in (("a", None), ("b", "a"), ("b2", "a"), ("c", "b"), ("c2", "b2")):
        assert await told(database, message_id, parent_id)
    line = await database.read(lambda tx: transcript.main_line(tx, "chat", "c2"))
    assert [row.message_id for row in line] == ["a", "b2", "c2"]
    newest = await database.read(lambda tx: transcript.main_line(tx, "chat", "c", count=2))
    assert [row.message_id for row in newest] == ["b", "c"]
    assert await database.read(lambda tx: transcript.main_line(tx, "chat", None)) == []


async def test_a_message_is_written_once_and_never_changes(database: Database) -> None:
    assert await told(database, "a", None)
    assert not await told(database, "a", "somewhere else")
    row = await database.read(lambda tx: transcript.find(tx, "chat", "a"))
    assert row.parent_id is None


def made(checkpoint_id: str, parent: str | None = None) -> Made:
    title = Said(key="version.choose", params={})
    return Made(checkpoint_id, None, parent, "choose", "asked", title, {"seats": ["14A"]}, NOW)


async def test_versions_are_numbered_from_one_and_name_their_parent(database: Database) -> None:
    await opened(database)

    async def append(tx: Tx, *line: Made) -> int:
        return await versions.append(tx, "chat", list(line), branch_id="main", command_id="c", actor=TINA)

    assert await database.write(lambda tx: append(tx, made("c1"), made("c2", "c1"))) == 2
    assert await database.write(lambda tx: append(tx, made("c3", "c1"))) == 3
    third = await database.read(lambda tx: versions.find(tx, "chat", 3))
    assert (third.checkpoint_id, third.parent_version, third.summary) == ("c3", 1, {"seats": ["14A"]})
    assert await database.read(lambda tx: versions.known(tx, "chat", ["c1", "c9"])) == {"c1"}
    assert await database.read(lambda tx: versions.newest(tx, "chat")) == 3


async def test_opening_a_branch_abandons_the_others(database: Database) -> None:
    await opened(database)
    thread = await database.read(lambda tx: threads.find(tx, "chat"))
    await database.write(lambda tx: versions.open_branch(tx, "fork", "chat", forked_from=1, reason="x", actor=TINA, at=NOW))
    old = await database.read(lambda tx: versions.branch(tx, thread.main_branch_id))
    new = await database.read(lambda tx: versions.branch(tx, "fork"))
    assert (old.status, new.status) == ("abandoned", "main")


async def test_equal_documents_are_one_row(database: Database) -> None:
    keys = await asyncio.gather(*(database.write(lambda tx: documents.keep(tx, {"b": 2, "a": 1}, at=NOW)) for _ in range(5)))
    assert len(set(keys)) == 1
    assert await database.write(lambda tx: documents.keep(tx, {"a": 1, "b": 2}, at=NOW)) == keys[0]
    assert await database.read(lambda tx: documents.read(tx, keys[0])) == {"a": 1, "b": 2}


async def test_counters_only_rise_and_none_is_lost(database: Database) -> None:
    scopes = signals.of_user("tina"), signals.of_inbox("demo")
    await asyncio.gather(*(database.write(lambda tx: signals.bump(tx, *scopes)) for _ in range(8)))
    assert await database.read(lambda tx: signals.counters(tx, *scopes)) == dict.fromkeys(scopes, 8)


async def test_events_are_read_on_from_the_last_one_seen(database: Database) -> None:
    for n in range(3):
        await database.write(lambda tx, n=n: signals.emit(tx, "chat", kind="message", body={"n": n}, at=NOW))
    rows = await database.read(lambda tx: signals.since(tx, "chat", after=0))
    assert [row.body["n"] for row in rows] == [0, 1, 2]
    rest = await database.read(lambda tx: signals.since(tx, "chat", after=rows[1].n))
    assert [row.body["n"] for row in rest] == [2]


async def test_times_come_back_aware_and_a_naive_one_is_refused(database: Database) -> None:
    await opened(database)
    thread = await database.read(lambda tx: threads.find(tx, "chat"))
    assert thread.created_at == NOW
    assert thread.created_at.tzinfo is not None
    naive = NOW.replace(tzinfo=None)
    with pytest.raises(Exception, match="naive"):
        await database.write(lambda tx: documents.keep(tx, {"x": 1}, at=naive))


async def test_a_status_nobody_knows_is_refused_by_the_database(database: Database) -> None:
    await opened(database)
    with pytest.raises(IntegrityError):
        await asked(database, status="perhaps")
