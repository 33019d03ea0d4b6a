"""The one place that drives a graph: enter a thread as a command says, run on to rest, survive being killed anywhere."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

from langgraph.graph.state import CompiledStateGraph  # pyright: ignore[reportMissingTypeStubs]
from langgraph.types import Command as Resume
from langgraph.types import StateSnapshot

from .domain.errors import Conflict

Graph = CompiledStateGraph[Any, Any, Any, Any]
RECURSION_LIMIT = 100
DOES = "settle"  # the one step that acts at the airline


@dataclass(frozen=True)
class Begin:
    """A new turn, with input; `head` is where the thread's main line ends."""

    values: dict[str, Any]
    head: str | None = None


@dataclass(frozen=True)
class Answer:
    """The answer to the question that waits at a checkpoint."""

    checkpoint_id: str
    interrupt_id: str
    value: dict[str, Any]


@dataclass(frozen=True)
class Enter:
    """A correction: go on from a checkpoint as if `node` had just returned these values."""

    checkpoint_id: str
    node: str
    values: dict[str, Any] | None


@dataclass(frozen=True)
class AskAgain:
    """Run the question of this checkpoint once more: it gets a new interrupt, and no old answer can be replayed."""

    checkpoint_id: str


@dataclass(frozen=True)
class Rest:
    """Nothing is run: the thread comes to rest at this checkpoint, or (None) stays where it is."""

    checkpoint_id: str | None = None


Entry = Begin | Answer | Enter | AskAgain | Rest


@dataclass(frozen=True)
class Drive:
    """One command on one thread. `actor` is written into each checkpoint's metadata, as an index only.

    `check` is asked after each step, until the desk may have done something, and raises where the run was stopped; None where
    nothing may stop it, or an earlier run has done something already.
    """

    graph: Graph
    thread_id: str
    command_id: str
    actor: str
    context: object
    check: Callable[[], None] | None = None

    async def to_rest(self, entry_of: Callable[[], Awaitable[Entry]]) -> StateSnapshot | None:
        """Enter, unless a run that died has entered already; then run on until nothing is next or a question waits.

        Where to enter is decided once: what that run has done since would lead a second decision astray.
        """
        newest = await self.graph.aget_state(self._config())
        if not self._made(newest):
            entry = await entry_of()
            if isinstance(entry, Rest):
                return await self.graph.aget_state(self._config(entry.checkpoint_id)) if entry.checkpoint_id else None
            await self._enter(entry, newest)
        elif not at_rest(newest):
            await self._invoke(None)
        elif self.check is not None:
            self.check()
        rest = await self.graph.aget_state(self._config())
        concluded: dict[str, Any] = rest.values.get("concluded") or {}
        if not rest.interrupts and concluded.get("command_id") != self.command_id:
            raise Conflict("graph_changed", checkpoint_id=checkpoint_of(rest))  # it ended where no node of ours ends
        return rest

    async def _enter(self, entry: Entry, newest: StateSnapshot) -> None:
        match entry:
            case Begin(values, head):
                behind = head is not None and checkpoint_of(newest) != head
                await self._invoke(values, head if behind else None)
            case Answer(checkpoint_id, interrupt_id, value):
                await self._answer(newest, checkpoint_id, interrupt_id, value)
            case Enter(checkpoint_id, node, values):
                await self.graph.aupdate_state(self._config(checkpoint_id, entered_as=node), values, as_node=node)
                await self._invoke(None)
            case AskAgain(checkpoint_id):
                await self._invoke(None, checkpoint_id)
            case Rest():
                return

    async def _answer(self, newest: StateSnapshot, asked_at: str, interrupt_id: str, value: dict[str, Any]) -> None:
        if checkpoint_of(newest) != asked_at:
            raise Conflict("question_moved", asked_at=asked_at)
        if interrupt_id in {i.id for i in newest.interrupts}:
            await self._invoke(Resume(resume={interrupt_id: value}))
        elif any(task.result for task in newest.tasks):  # killed between the answer's writes and its checkpoint
            await self._invoke(None)
        else:
            raise Conflict("question_gone", asked_at=asked_at)

    async def _invoke(self, value: Any, checkpoint_id: str | None = None) -> None:
        config = self._config(checkpoint_id)
        if self.check is None:
            await self.graph.ainvoke(value, config, context=self.context, durability="sync")  # pyright: ignore[reportUnknownMemberType]
            return
        settling = False
        modes: Any = ["updates", "values"]  # "values" come once a step, when its checkpoint is written
        steps: Any = self.graph.astream(value, config, context=self.context, durability="sync", stream_mode=modes)  # pyright: ignore[reportUnknownMemberType]
        async with aclosing(steps) as running:
            async for mode, seen in running:
                settling = settling or (mode == "updates" and DOES in seen)
                if mode == "values" and not settling:
                    self.check()

    def _made(self, snapshot: StateSnapshot) -> bool:
        return (snapshot.metadata or {}).get("command_id") == self.command_id

    def _config(self, checkpoint_id: str | None = None, **metadata: str) -> Any:
        at = {"checkpoint_id": checkpoint_id} if checkpoint_id else {}
        return {
            "configurable": {"thread_id": self.thread_id, "checkpoint_ns": "", "__pregel_strict_resume": True} | at,
            "metadata": {"command_id": self.command_id, "actor": self.actor} | metadata,
            "recursion_limit": RECURSION_LIMIT,
        }


def at_rest(snapshot: StateSnapshot) -> bool:
    return bool(snapshot.interrupts) or not (snapshot.next or snapshot.tasks)


def checkpoint_of(snapshot: StateSnapshot) -> str | None:
    return (snapshot.config.get("configurable") or {}).get("checkpoint_id")
