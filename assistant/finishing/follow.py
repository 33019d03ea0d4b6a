"""Whose thread a run is about, and what is told of it."""

from __future__ import annotations

from typing import Any

from ..domain.commands import Command, Kind
from ..domain.ids import FollowUps
from ..domain.people import Actor
from ..persistence.commands import Job


def owner_of(job: Job) -> Actor:
    """Whose thread it is: a reviewer's correction still acts for the traveller."""
    if job.command.actor.user_id == job.thread.owner_id:
        return job.command.actor
    return Actor(tenant_id=job.thread.tenant_id, user_id=job.thread.owner_id, name="")


def notice(follow_ups: FollowUps, job: Job, index: int | str, conversation_id: str, event: dict[str, Any]) -> Command:
    """What happened to a trip, to be told in its conversation."""
    owner = Actor(tenant_id=job.thread.tenant_id, user_id=job.thread.owner_id, name="")
    command_id = follow_ups(job.command.command_id, f"notify-{index}")
    return Command(command_id=command_id, kind=Kind.NOTIFY, actor=owner, target=conversation_id, payload=event)


FORKS = frozenset({Kind.REWIND, Kind.EDIT_MESSAGE, Kind.REGENERATE, Kind.PROMOTE_BRANCH})
