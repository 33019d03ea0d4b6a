"""The world every story plays in."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.stories.world import Person, World, opened


@pytest.fixture
async def world(data_dir: Path) -> AsyncIterator[World]:
    async with opened(data_dir) as made:
        yield made


@pytest.fixture
async def tina(world: World) -> Person:
    return await world.person("tina")


@pytest.fixture
async def rita(world: World) -> Person:
    """Reviews for the tenant of tina and tom."""
    return await world.person("rita")
