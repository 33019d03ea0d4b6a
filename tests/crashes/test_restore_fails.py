"""A restore that fails, or dies, takes nothing away: what was there is as it was, or is not mistaken for nothing."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from assistant.backup import back_up, restore
from assistant.settings import SettingsError
from tests.stories.world import opened


def backed_up(data_dir: Path, copy: Path) -> Path:
    """A ledger with nothing of ours in it, and its backup."""
    with closing(sqlite3.connect(data_dir / "layover.db")) as file, file:
        file.execute("CREATE TABLE mine (word TEXT)")
    back_up(data_dir, copy)
    return copy


def test_a_backup_that_lies_inside_the_data_directory_is_not_pulled_from_under_itself(data_dir: Path, tmp_path: Path) -> None:
    inside = backed_up(data_dir, tmp_path / "copy").rename(data_dir / "copy")
    with pytest.raises(SettingsError, match="Move the backup elsewhere first"):
        restore(inside, data_dir, airline_goes_on=False)
    assert sorted(file.name for file in data_dir.iterdir()) == ["copy", "layover.db"]


@pytest.mark.parametrize("missing", ["a file of the backup", "a table to pause in"])
def test_what_was_there_is_where_it_was(missing: str, data_dir: Path, tmp_path: Path) -> None:
    copy, lacks_file = backed_up(data_dir, tmp_path / "copy"), missing == "a file of the backup"
    if lacks_file:
        made = json.loads((copy / "backup.json").read_text())
        (copy / "backup.json").write_text(json.dumps(made | {"files": [*made["files"], "secret-key"]}))
    held = (data_dir / "layover.db").read_bytes()
    with pytest.raises(SettingsError, match=r"nothing was restored: .*What was there is as it was"):
        restore(copy, data_dir, airline_goes_on=not lacks_file)
    assert {file.name for file in data_dir.iterdir()} == {"layover.db", "lock"}
    assert (data_dir / "layover.db").read_bytes() == held
    assert not list(tmp_path.glob("*.before-restore*"))


def dies_half_way(data_dir: Path) -> None:
    """What was there is moved away, nothing is put in its place yet."""
    for file in data_dir.iterdir():
        file.unlink()
    (data_dir / ".restoring").mkdir()


async def test_one_that_died_half_way_is_no_new_installation_and_is_gone_through_with(data_dir: Path, tmp_path: Path) -> None:
    async with opened(data_dir):
        back_up(data_dir, tmp_path / "copy")
    dies_half_way(data_dir)
    with pytest.raises(SettingsError, match=r"has not been finished\. Run layover restore again"):
        async with opened(data_dir):
            pass
    assert not (data_dir / "layover.db").exists()
    restore(tmp_path / "copy", data_dir, airline_goes_on=False)
    async with opened(data_dir) as world:
        assert await world.person("tina")
