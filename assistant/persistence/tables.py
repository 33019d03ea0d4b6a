"""One schema for SQLite and PostgreSQL. Rows a person made are never deleted; what people read is read from here."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Date,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
    text,
)

from ..domain.trips import TripStatus
from .columns import UtcDateTime, document, one_of

schema = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
    }
)

COMMAND_STATUS = ("accepted", "running", "succeeded", "failed", "cancelled")
QUESTION_STATUS = ("waiting", "answered", "expired", "superseded")
OPERATION_STATE = ("planned", "submitting", "unknown", "needs_person", "succeeded", "failed")
ORDER_STATE = ("held", "releasing", "ticketing", "confirmed", "cancelled", "lapsed", "surplus")

# People who sign in, people who fly

users = Table(
    "users", schema,
    Column("user_id", Text, primary_key=True),
    Column("tenant_id", Text, nullable=False),
    Column("name", Text, nullable=False, unique=True),  # what is typed at sign-in
    Column("display_name", Text, nullable=False),
    Column("roles", document(), nullable=False),
    Column("password_hash", Text, nullable=False),
    Column("language", Text),
    Column("timezone", Text),
    Column("created_at", UtcDateTime, nullable=False),
)  # fmt: skip
sign_ins = Table(
    "sign_ins", schema,
    Column("secret_hash", Text, primary_key=True),  # SHA-256 of a cookie's or token's secret
    Column("user_id", Text, ForeignKey("users.user_id"), nullable=False),
    Column("kind", Text, nullable=False),  # cookie | token
    Column("face", Text, nullable=False),  # the mount a cookie is for: desk | review; api for tokens
    Column("created_at", UtcDateTime, nullable=False),
    Column("expires_at", UtcDateTime),
)  # fmt: skip
people = Table(
    "people", schema,
    Column("person_id", Text, primary_key=True),
    Column("tenant_id", Text, nullable=False),
    Column("owner_id", Text, nullable=False),
    Column("passenger_id", Text, nullable=False),
    Column("is_self", Boolean, nullable=False, default=False),
    Column("details", document(), nullable=False),  # PersonDetails
    Column("born_on", Date, nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
    Index("ix_people_tenant_id_owner_id", "tenant_id", "owner_id"),
    Index("ix_people_passenger_id", "tenant_id", "passenger_id"),
)  # fmt: skip

# Commands, runs, threads

threads = Table(
    "threads", schema,
    Column("thread_id", Text, primary_key=True),
    Column("kind", Text, nullable=False),  # conversation | trip
    Column("tenant_id", Text, nullable=False),
    Column("owner_id", Text, nullable=False),
    Column("head_checkpoint_id", Text),
    Column("main_branch_id", Text, nullable=False),
    Column("graph_version", Text, nullable=False),
    Column("fence", Integer, nullable=False, default=0),
    Column("next_seq", Integer, nullable=False, default=0),
    Column("created_at", UtcDateTime, nullable=False),
)  # fmt: skip
commands = Table(
    "commands", schema,
    Column("tenant_id", Text, nullable=False),
    Column("command_id", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("thread_id", Text),
    Column("thread_seq", Integer),
    Column("actor", document(), nullable=False),
    Column("fingerprint", Text, nullable=False),
    Column("payload", document(), nullable=False),
    *one_of("status", COMMAND_STATUS),
    Column("result", document()),
    Column("error", document()),  # {code, ...facts}
    Column("parent_command_id", Text),
    Column("attempts", Integer, nullable=False, default=0),
    Column("not_before", UtcDateTime),
    Column("stop_asked_at", UtcDateTime),  # somebody wants it left: its next run knows, whatever became of this one
    Column("created_at", UtcDateTime, nullable=False),
    Column("ended_at", UtcDateTime),
    PrimaryKeyConstraint("tenant_id", "command_id"),
    UniqueConstraint("thread_id", "thread_seq"),
    Index("ix_commands_parent_command_id", "tenant_id", "parent_command_id"),
    Index("ix_commands_open", "thread_id", "thread_seq", sqlite_where=text("status IN ('accepted','running')"),
          postgresql_where=text("status IN ('accepted','running')")),
)  # fmt: skip
runs = Table(
    "runs", schema,
    Column("run_id", Text, primary_key=True),
    Column("tenant_id", Text, nullable=False),
    Column("command_id", Text, nullable=False),
    Column("thread_id", Text, nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("fence", Integer, nullable=False),
    Column("started_at", UtcDateTime, nullable=False),
    Column("ended_at", UtcDateTime),
    Column("outcome", Text),  # succeeded | failed | retry | stopped; NULL: running or died
    Column("error", Text),
    Index("ix_runs_command_id", "tenant_id", "command_id"),
)  # fmt: skip
questions = Table(
    "questions", schema,
    Column("question_id", Text, primary_key=True),  # a review's id is that of its question
    Column("tenant_id", Text, nullable=False),
    Column("thread_id", Text, ForeignKey("threads.thread_id"), nullable=False),
    Column("branch_id", Text, nullable=False),
    Column("node", Text, nullable=False),  # choose | agree | review | await_outcome
    Column("interrupt_id", Text, nullable=False),
    Column("asks_checkpoint_id", Text, nullable=False),
    Column("graph_version", Text, nullable=False),
    Column("digest", Text),
    Column("body", document(), nullable=False),  # the interrupt's value
    Column("deadline", UtcDateTime),
    *one_of("status", QUESTION_STATUS),
    Column("answered_by", Text),  # command
    Column("answerer", document()),  # actor
    Column("answer", Text),  # approve, reject, ...: one word for lists
    Column("answered_at", UtcDateTime),
    Column("claimed_by", document()),  # actor
    Column("claimed_at", UtcDateTime),
    Column("created_at", UtcDateTime, nullable=False),
    Index("ix_questions_status", "tenant_id", "node", "status"),
    Index("uq_questions_one_waiting", "thread_id", unique=True, sqlite_where=text("status = 'waiting'"),
          postgresql_where=text("status = 'waiting'")),
)  # fmt: skip

# What people read

conversations = Table(
    "conversations", schema,
    Column("conversation_id", Text, ForeignKey("threads.thread_id"), primary_key=True),
    Column("tenant_id", Text, nullable=False),
    Column("owner_id", Text, nullable=False),
    Column("title", Text),
    Column("language", Text, nullable=False, default="en"),
    Column("archived", Boolean, nullable=False, default=False),
    Column("head_message_id", Text),
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
    Index("ix_conversations_owner_id", "tenant_id", "owner_id", "updated_at"),
)  # fmt: skip
messages = Table(
    "messages", schema,
    Column("conversation_id", Text, nullable=False),
    Column("message_id", Text, nullable=False),
    Column("parent_id", Text),
    Column("role", Text, nullable=False),  # user | assistant
    Column("body", document(), nullable=False),  # {text, language, said?, options?, asked?}
    Column("command_id", Text, nullable=False),
    Column("version", Integer),
    Column("seq", BigInteger, nullable=False),  # order of writing within the conversation
    Column("created_at", UtcDateTime, nullable=False),
    PrimaryKeyConstraint("conversation_id", "message_id"),
    UniqueConstraint("conversation_id", "seq"),
)  # fmt: skip
wishes = Table(
    "wishes", schema,
    Column("wish_id", Text, primary_key=True),
    Column("tenant_id", Text, nullable=False),
    Column("owner_id", Text, nullable=False),  # who said it
    Column("person", Text),  # NULL: the speaker; else the words for somebody else, this trip only
    Column("position", Text, nullable=False),
    Column("polarity", Text, nullable=False),
    Column("strength", Text, nullable=False),
    Column("scope", Text, nullable=False),
    Column("forget", Boolean, nullable=False, default=False),
    Column("trip_id", Text),
    Column("conversation_id", Text),
    Column("source_command_id", Text, nullable=False),
    Column("branch_id", Text),
    Column("seq", BigInteger, nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    UniqueConstraint("owner_id", "seq"),
    Index("ix_wishes_owner_id", "tenant_id", "owner_id"),
)  # fmt: skip
trips = Table(
    "trips", schema,
    Column("trip_id", Text, ForeignKey("threads.thread_id"), primary_key=True),
    Column("tenant_id", Text, nullable=False),
    Column("owner_id", Text, nullable=False),
    Column("conversation_id", Text, nullable=False),
    Column("journey_id", Text, nullable=False),
    Column("started_by", Text, nullable=False),  # command
    *one_of("status", TripStatus),
    Column("reason", Text),
    Column("message", Text),  # what a reviewer wrote
    Column("decided_by", Text),
    Column("request", document(), nullable=False),
    Column("person_ids", document(), nullable=False),  # who travels, as far as named
    Column("offers_hash", Text),
    Column("selection", document()),
    Column("chosen", document()),  # Fare of the selection, as last priced
    Column("total", document()),  # Money, with seats
    Column("plan_hash", Text),
    Column("question_id", Text),
    Column("held_until", UtcDateTime),
    Column("create_ids", document(), nullable=False),  # creates its main line wants
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
    Index("ix_trips_conversation_id", "conversation_id"),
    Index("ix_trips_journey_id", "journey_id"),
    Index("ix_trips_owner_id", "tenant_id", "owner_id"),
)  # fmt: skip
documents = Table(
    "documents", schema,
    Column("hash", Text, primary_key=True),  # fingerprint of the body
    Column("body", document(), nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
)  # fmt: skip
versions = Table(
    "versions", schema,
    Column("thread_id", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("checkpoint_id", Text, nullable=False),
    Column("asks_checkpoint_id", Text),
    Column("parent_version", Integer),
    Column("branch_id", Text, nullable=False),
    Column("step", Text, nullable=False),  # the node, or "start"
    Column("kind", Text, nullable=False),  # said | understood | looked_up | asked | touched | told | forked
    Column("title", document(), nullable=False),  # Said
    Column("actor", document(), nullable=False),
    Column("command_id", Text, nullable=False),
    Column("summary", document(), nullable=False),  # domain fields as of this version
    Column("pruned", Boolean, nullable=False, default=False),
    Column("created_at", UtcDateTime, nullable=False),
    PrimaryKeyConstraint("thread_id", "version"),
    UniqueConstraint("thread_id", "checkpoint_id"),
    Index("ix_versions_branch_id", "branch_id", "version"),
    Index("ix_versions_command_id", "thread_id", "command_id", "version"),
)  # fmt: skip
branches = Table(
    "branches", schema,
    Column("branch_id", Text, primary_key=True),
    Column("thread_id", Text, nullable=False),
    Column("forked_from_version", Integer),
    Column("head_version", Integer),
    *one_of("status", ("main", "abandoned")),
    Column("reason", Text),
    Column("remark", document()),  # {text, by, at}: what a reviewer noted on it
    Column("actor", document()),
    Column("created_at", UtcDateTime, nullable=False),
    Index("ix_branches_thread_id", "thread_id"),
)  # fmt: skip
events = Table(
    "events", schema,
    Column("n", Integer, primary_key=True, autoincrement=True),
    Column("conversation_id", Text, nullable=False),
    Column("kind", Text, nullable=False),  # message | trip | command
    Column("body", document(), nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    Index("ix_events_conversation_id", "conversation_id", "n"),
)  # fmt: skip
changes = Table(
    "changes", schema,
    Column("scope", Text, primary_key=True),  # "user:<id>", "inbox:<tenant>"
    Column("counter", Integer, nullable=False),
)  # fmt: skip
switches = Table(
    "switches", schema,
    Column("name", Text, primary_key=True),  # "paused", "restored"
    Column("value", document(), nullable=False),
    Column("changed_at", UtcDateTime, nullable=False),
)  # fmt: skip

# The ledger: where no rewind reaches

orders = Table(
    "orders", schema,
    Column("order_id", Text, primary_key=True),
    Column("tenant_id", Text, nullable=False),
    Column("mode", Text, nullable=False),
    Column("trip_id", Text, nullable=False),
    Column("create_id", Text, nullable=False),
    *one_of("state", ORDER_STATE),
    Column("itinerary", document(), nullable=False),
    Column("fare", document(), nullable=False),  # Fare as bought
    Column("total", document(), nullable=False),  # Money
    Column("booking_reference", Text),
    Column("documents", document(), nullable=False),  # e-ticket numbers
    Column("passengers", document(), nullable=False),  # names and seats, as the airline has them
    Column("pay_by", UtcDateTime),
    Column("price_guaranteed_until", UtcDateTime),
    Column("aside", Boolean, nullable=False, default=False),
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
    Index("ix_orders_trip_id", "trip_id"),
    Index("ix_orders_create_id", "create_id"),
)  # fmt: skip
reminders = Table(
    "reminders", schema,  # live orders that no main line wants
    Column("order_id", Text, primary_key=True),
    Column("tenant_id", Text, nullable=False),
    Column("trip_id", Text, nullable=False),
    Column("since", UtcDateTime, nullable=False),
    Column("told", Integer, nullable=False),
    Column("due", UtcDateTime),  # NULL: not again
    Index("ix_reminders_due", "due"),
    Index("ix_reminders_trip_id", "trip_id"),
)  # fmt: skip
operations = Table(
    "operations", schema,
    Column("operation_id", Text, primary_key=True),
    Column("tenant_id", Text, nullable=False),
    Column("mode", Text, nullable=False),
    Column("trip_id", Text, nullable=False),
    Column("kind", Text, nullable=False),  # hold | book | pay | cancel
    Column("create_id", Text, nullable=False),
    Column("itinerary", document(), nullable=False),
    *one_of("state", OPERATION_STATE),
    Column("reason", Text),
    Column("fence", Integer, nullable=False, default=0),  # one more with each attempt
    Column("looks", Integer, nullable=False, default=0),  # look-ups made while unknown
    Column("look_after", UtcDateTime),
    Column("resolved_by", document()),  # actor and reason, where a person said what became of it
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
    Index("ix_operations_trip_id", "trip_id"),
    Index("ix_operations_state", "state"),
)  # fmt: skip
grants = Table(
    "grants", schema,
    Column("operation_id", Text, nullable=False),
    Column("granted_by", Text, nullable=False),  # command, or "policy:<digest>"
    Column("trip_id", Text, nullable=False),
    Column("digest", Text, nullable=False),
    Column("bound", document(), nullable=False),  # Money: pay at most, or get back at least
    Column("actor", document(), nullable=False),
    *one_of("state", ("unused", "consumed", "void")),
    Column("created_at", UtcDateTime, nullable=False),
    PrimaryKeyConstraint("operation_id", "granted_by"),
    Index("ix_grants_trip_id", "trip_id"),
)  # fmt: skip
attempts = Table(
    "attempts", schema,
    Column("operation_id", Text, nullable=False),
    Column("number", Integer, nullable=False),
    Column("reference", Text, nullable=False),  # offer id of a create, order id of a pay, quote id of a cancel
    Column("request_fingerprint", Text, nullable=False),
    Column("granted_by", Text, nullable=False),
    Column("amount", document()),  # Money sent
    Column("run_id", Text, nullable=False),
    Column("process_id", Text, nullable=False),  # life of the process that sends: another life means it died
    Column("outcome", Text),  # succeeded | refused:<REASON> | unavailable | unknown; NULL: sending, or died
    Column("started_at", UtcDateTime, nullable=False),
    Column("ended_at", UtcDateTime),
    PrimaryKeyConstraint("operation_id", "number"),
)  # fmt: skip
evidence = Table(
    "evidence", schema,
    Column("n", Integer, primary_key=True, autoincrement=True),
    Column("operation_id", Text),
    Column("order_id", Text),
    Column("kind", Text, nullable=False),  # response | look_up | webhook | resolution
    Column("body", document(), nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    Index("ix_evidence_operation_id", "operation_id"),
)  # fmt: skip
words = Table(
    "words", schema,  # operators' last words on operations, as far as they are followed
    Column("operation_id", Text, primary_key=True),
    Column("tries", Integer, nullable=False),  # that led to nothing
    Column("due", UtcDateTime),  # NULL: it has been followed, or cannot be
    Index("ix_words_due", "due"),
)  # fmt: skip
quotes = Table(
    "quotes", schema,
    Column("quote_id", Text, primary_key=True),
    Column("order_id", Text, nullable=False),
    Column("refund", document()),  # Money; NULL: the airline has not said
    Column("kind", Text, nullable=False),
    Column("expires_at", UtcDateTime),
    Column("created_at", UtcDateTime, nullable=False),
    Index("ix_quotes_order_id", "order_id", "created_at"),
)  # fmt: skip
claims = Table(
    "claims", schema,
    Column("tenant_id", Text, nullable=False),
    Column("mode", Text, nullable=False),
    Column("segment_key", Text, nullable=False),
    Column("passenger_id", Text, nullable=False),
    Column("create_id", Text, nullable=False),
    Column("trip_id", Text, nullable=False),
    PrimaryKeyConstraint("tenant_id", "mode", "segment_key", "passenger_id"),
    Index("ix_claims_create_id", "create_id"),
)  # fmt: skip
webhooks = Table(
    "webhooks", schema,
    Column("event_id", Text, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("body", document(), nullable=False),
    Column("received_at", UtcDateTime, nullable=False),
    Column("handled_at", UtcDateTime),  # of a moved flight: its trip has been told
    Index("ix_webhooks_kind", "kind", "handled_at"),
)  # fmt: skip
