"""A backup is only read: it is put back from a directory in which nothing can be written."""

from __future__ import annotations

import os
from pathlib import Path

from assistant.backup import back_up, restore
from tests.stories.world import opened


def files_of(directory: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in directory.iterdir()}


async def test_nothing_is_written_beside_the_copy(data_dir: Path, tmp_path: Path) -> None:
    async with opened(data_dir) as world:
        await (await world.person("tina")).chat()
    copy = tmp_path / "copy"
    back_up(data_dir, copy)
    before = files_of(copy)
    os.chmod(copy, 0o500)  # who may do everything may write here too, so it is looked at as well
    restore(copy, tmp_path / "again", airline_goes_on=False)
    assert files_of(copy) == before
    assert {"layover.db", "checkpoints.db", "airline.db"} <= set(files_of(tmp_path / "again"))
