"""The composition root: from settings to everything that runs. The only place that knows concrete classes."""

from __future__ import annotations

import fcntl
import os
import secrets
import sqlite3
import tomllib
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, closing
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import IO, Any

import aiosqlite
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from pydantic import ValidationError

from graphs.context import ConversationContext, TripContext
from graphs.conversation import build_conversation_graph
from graphs.nodes.choose import chosen
from graphs.trip import build_trip_graph

from .accepting.door import Door
from .backup import refuse_half_restored
from .booking.duffel import DuffelProvider, duffel_client
from .booking.provider import Mode
from .booking.sandbox import SandboxAirline
from .crashpoints import is_armed
from .desk import BookingDesk, Errand
from .dispatch.local import LocalDispatcher
from .domain.clock import Clock, system_clock
from .domain.ids import FollowUps
from .domain.policy import Policy
from .edit_previews import EditPreviews
from .entering import Entering
from .facts import ConversationFacts, TripDocuments
from .finishing import Finishing
from .going_back import GoingBack
from .language.interpreter import Interpreter
from .language.offline_writer import OfflineWriter
from .language.rules.interpreter import RulesInterpreter
from .language.usage import ModelRun
from .language.writer import Writer
from .ledger.moving import release_left
from .persistence.commands import Job
from .persistence.database import Database
from .persistence.migrating import migrate
from .persistence.step_ids import continue_after
from .persistence.storage import RollingBack
from .reconciling import Reconciler
from .recovering import drive_again, kept_in
from .scanning import ask_anew, stranded
from .service import Contexts, Graphs, TravelService
from .settings import ClockKind, InterpreterKind, ProviderKind, Settings, SettingsError
from .streams import Streams

Speaks = Callable[[ModelRun, str], tuple[Interpreter, Writer]]  # of one run, for one reader


@dataclass(frozen=True)
class Layover:
    """Everything that runs, put together."""

    settings: Settings
    database: Database
    service: TravelService
    reconciler: Reconciler
    dispatcher: LocalDispatcher
    desk: BookingDesk
    clock: Clock
    airline: SandboxAirline | None
    secret_key: str


@asynccontextmanager
async def layover(
    settings: Settings,
    *,
    interpreter: Interpreter | None = None,
    desk: type[BookingDesk] = BookingDesk,
    seen_as: Callable[[Clock], Clock] = lambda clock: clock,
) -> AsyncGenerator[Layover]:
    """Open everything, run the dispatcher and the reconciler, and close it in order. One at a time on a data directory.

    `seen_as` makes the product's clock of the one the settings name.
    """
    async with AsyncExitStack() as stack:
        stack.enter_context(locked(settings.data_dir))
        refuse_half_restored(settings.data_dir)
        database = Database(database_url(settings))
        stack.push_async_callback(database.close)
        await migrate(database)
        airline = sandbox(settings)
        if airline is not None:
            stack.callback(airline.close)
        clock = seen_as(airline.now if airline is not None and settings.clock is ClockKind.SANDBOX else system_clock)
        provider = provider_of(settings, airline, clock)
        stack.push_async_callback(provider.aclose)
        saver = await stack.enter_async_context(checkpoints(settings.data_dir / "checkpoints.db"))
        whole = assembled(
            settings,
            database,
            airline,
            provider,
            saver,
            clock=clock,
            desk_of=desk,
            speaks=await stack.enter_async_context(speaking(settings, interpreter or RulesInterpreter())),
        )
        await database.write(release_left)
        await drive_again(database, kept_in(saver), partial(whole.service.door.accept_own, parent=None))
        await ask_anew(whole.service, await stranded(database, saver, frozenset(whole.service.graphs.trip.nodes)))
        await whole.dispatcher.start(whole.service.run)
        stack.push_async_callback(whole.dispatcher.stop)
        whole.reconciler.start()
        stack.push_async_callback(whole.reconciler.stop)
        yield whole


def assembled(
    settings: Settings,
    database: Database,
    airline: SandboxAirline | None,
    provider: DuffelProvider,
    saver: AsyncSqliteSaver,
    *,
    clock: Clock,
    desk_of: type[BookingDesk],
    speaks: Speaks,
) -> Layover:
    secret, policy = secret_key(settings), policy_of(settings)
    follow_ups = FollowUps.of_secret(secret)
    desk, door = desk_of(database, provider, policy, clock), Door(policy, follow_ups, clock)
    dispatcher = LocalDispatcher(database, clock)
    trip_graph, conversation_graph = build_trip_graph(saver).graph, build_conversation_graph(saver)
    going_back = GoingBack(database, desk, policy, clock, follow_ups, trip_graph, conversation_graph, chosen)
    service = TravelService(
        database=database,
        desk=desk,
        policy=policy,
        clock=clock,
        door=door,
        finishing=Finishing(door, policy, follow_ups, clock, desk.mode),
        graphs=Graphs(trip_graph, conversation_graph),
        going_back=going_back,
        entering=Entering(database, desk, clock, going_back, chosen),
        edit_previews=EditPreviews(database, desk, policy, clock, follow_ups),
        contexts=contexts(database, desk, policy, clock, speaks),
        dispatcher=dispatcher,
        streams=Streams(),
    )
    reconciler = Reconciler(database, desk, service, clock, airline)
    return Layover(settings, database, service, reconciler, dispatcher, desk, clock, airline, secret)


@asynccontextmanager
async def speaking(settings: Settings, rules: Interpreter) -> AsyncGenerator[Speaks]:
    """The interpreter and writer of each run: the rules and our own words, or a model's over them."""
    if settings.interpreter is InterpreterKind.OFFLINE:
        yield lambda _run, _reader: (rules, OfflineWriter())
        return
    from .language.model_calls import ModelServer  # a second of import, for those who use a model only
    from .language.openai import ModelLanguage

    key = settings.openai_api_key.get_secret_value() if settings.openai_api_key else None
    base_url = str(settings.openai_base_url).rstrip("/") if settings.openai_base_url else None
    language = ModelLanguage(ModelServer(settings.model, api_key=key, base_url=base_url), rules)
    try:
        yield lambda run, reader: language.of_run(run, reader=reader)
    finally:
        await language.aclose()


def contexts(database: Database, desk: BookingDesk, policy: Policy, clock: Clock, speaks: Speaks) -> Contexts:
    """What a run of either graph may reach."""

    def trip(job: Job, row: Any, errand: Errand) -> TripContext:
        conversation_id = row.conversation_id if row is not None else ""
        reads = TripDocuments(database, clock, errand.trip_id, errand.tenant_id, errand.owner_id, conversation_id)
        return TripContext(
            command_id=job.command.command_id, actor=job.command.actor, errand=errand, desk=desk, reads=reads, policy=policy
        )

    def conversation(job: Job, stream: Callable[[str], Awaitable[None]], run: ModelRun) -> ConversationContext:
        interpreter, writer = speaks(run, job.thread.owner_id)
        reads = ConversationFacts(
            database,
            job.thread.thread_id,
            job.thread.tenant_id,
            job.thread.owner_id,
            before=job.payload.get("message_id"),
            after=job.payload.get("parent_id"),
            fork=job.payload.get("to_version"),
        )
        return ConversationContext(
            command_id=job.command.command_id,
            conversation_id=job.thread.thread_id,
            interpreter=interpreter,
            writer=writer,
            reads=reads,
            stream=stream,
        )

    return Contexts(trip=trip, conversation=conversation)


@asynccontextmanager
async def checkpoints(path: Path) -> AsyncGenerator[AsyncSqliteSaver]:
    """The stock saver, told to survive a power cut: a review row may point at its newest checkpoint."""
    async with aiosqlite.connect(path) as connection:
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=5000"):
            await connection.execute(f"PRAGMA {pragma}")
        saver = saver_class()(connection)
        saver.lock = RollingBack(connection)
        await saver.setup()
        async with connection.execute("SELECT max(checkpoint_id) FROM checkpoints") as newest:
            continue_after(next(iter(await newest.fetchall()))[0])
        yield saver


def saver_class() -> type[AsyncSqliteSaver]:
    """The stock saver; with crash points in it where a test has armed one."""
    if not is_armed():
        return AsyncSqliteSaver
    from .crashing_saver import CrashingSaver

    return CrashingSaver


def provider_of(settings: Settings, airline: SandboxAirline | None, clock: Clock) -> DuffelProvider:
    if airline is not None:
        return DuffelProvider(airline.client(), mode=Mode.SANDBOX, webhook_secret=webhook_secret(settings), clock=clock)
    token = settings.duffel_token.get_secret_value() if settings.duffel_token else ""
    client = duffel_client(str(settings.duffel_url).rstrip("/"), token)
    mode = Mode.LIVE if settings.live else Mode.TEST
    return DuffelProvider(client, mode=mode, webhook_secret=webhook_secret(settings), clock=clock, allow_live=settings.allow_live)


def sandbox(settings: Settings) -> SandboxAirline | None:
    """The embedded airline keeps its own file, which no rewind and no crash of ours touches."""
    if settings.provider is not ProviderKind.SANDBOX:
        return None
    return SandboxAirline(settings.data_dir / "airline.db", webhook_secret=webhook_secret(settings) or "sandbox")


def now_of(settings: Settings) -> datetime:
    """Now, as the server reads it: by the sandbox's clock where the settings say so. Reads only, beside a server or without."""
    now, file = system_clock(), settings.data_dir / "airline.db"
    if settings.clock is not ClockKind.SANDBOX or not file.is_file():
        return now
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True, timeout=10)) as reading:
        moved = reading.execute("SELECT value FROM facts WHERE key = 'offset'").fetchone()
    return now + timedelta(seconds=float(moved[0])) if moved else now


def webhook_secret(settings: Settings) -> str | None:
    secret = settings.duffel_webhook_secret
    return secret.get_secret_value() if secret else ("sandbox" if settings.provider is ProviderKind.SANDBOX else None)


def database_url(settings: Settings) -> str:
    if settings.database_url:
        return "postgresql+psycopg://" + settings.database_url.split("://", 1)[1]
    return f"sqlite+aiosqlite:///{settings.data_dir / 'layover.db'}"


def policy_of(settings: Settings) -> Policy:
    """The policy file, or the default. Raises SettingsError naming what is wrong in it."""
    raw: dict[str, Any] = {}
    if settings.policy is not None:
        try:
            raw = tomllib.loads(settings.policy.read_text("utf-8"))
            Policy.model_validate(raw)
        except (tomllib.TOMLDecodeError, ValidationError) as wrong:
            problem = str(wrong).splitlines()[0] if isinstance(wrong, tomllib.TOMLDecodeError) else _first(wrong)
            raise SettingsError("LAYOVER_POLICY", f"{settings.policy}: {problem}", "See docs/policy.md for the keys") from None
    policy = Policy.model_validate(raw)
    if settings.review_ttl is not None:
        policy = policy.model_copy(update={"review": policy.review.model_copy(update={"ttl": settings.review_ttl})})
    return policy


def _first(wrong: ValidationError) -> str:
    error = wrong.errors(include_url=False)[0]
    return f"{'.'.join(str(part) for part in error['loc'])}: {error['msg']}"


def secret_key(settings: Settings) -> str:
    """Given, or made on the first start and kept in the data directory, readable by its owner only."""
    if settings.secret_key is not None:
        return settings.secret_key.get_secret_value()
    file = settings.data_dir / "secret-key"
    if not file.exists():
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as out:
            out.write(secrets.token_urlsafe(48))
    return file.read_text().strip()


class locked:
    """One server a data directory: a second one is refused with the remedy. The lock goes with the process, however it ends."""

    def __init__(self, data_dir: Path) -> None:
        self.data_dir = data_dir
        self._file: IO[str] | None = None

    def __enter__(self) -> None:
        try:
            self.data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._file = (self.data_dir / "lock").open("w")
        except OSError as trouble:
            remedy = "Name a directory that can be written"
            raise SettingsError("LAYOVER_DATA_DIR", f"{self.data_dir}: {trouble.strerror}", remedy) from None
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._file.close()
            remedy = "Stop that one, or give this one another LAYOVER_DATA_DIR"
            raise SettingsError("LAYOVER_DATA_DIR", f"another server uses {self.data_dir}", remedy) from None

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()
