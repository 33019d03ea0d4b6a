"""The whole product as an operator starts it with a model: by the environment."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

from tests.stories.world import World, opened


@asynccontextmanager
async def with_model(data_dir: Path, url: str, *, model: str = "a-model") -> AsyncIterator[World]:
    async with AsyncExitStack() as stack:
        with pytest.MonkeyPatch.context() as environment:
            for name, value in {"LAYOVER_INTERPRETER": "openai", "LAYOVER_MODEL": model, "OPENAI_BASE_URL": url}.items():
                environment.setenv(name, value)
            world = await stack.enter_async_context(opened(data_dir))
        yield world
