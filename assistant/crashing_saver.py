"""The checkpointer with crash points around each of its two kinds of write; used only where a crash point is armed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from .crashpoints import point


class CrashingSaver(AsyncSqliteSaver):
    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        point("checkpoint.before_writes")
        await super().aput_writes(config, writes, task_id, task_path)
        point("checkpoint.writes_stored")

    async def aput(
        self, config: RunnableConfig, checkpoint: Checkpoint, metadata: CheckpointMetadata, new_versions: ChannelVersions
    ) -> RunnableConfig:
        source = metadata.get("source", "")  # loop, input, fork; update where the graph is entered as if a node had returned
        point("checkpoint.before_put", source)
        stored = await super().aput(config, checkpoint, metadata, new_versions)
        point("checkpoint.put", source)
        return stored
