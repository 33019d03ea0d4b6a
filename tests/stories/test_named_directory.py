"""What an operator says from the shell is said to the server they mean: a mistyped directory is no new installation."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from assistant.__main__ import main
from assistant.domain.commands import Kind
from assistant.operating import pause_now
from tests.stories.world import opened

SAID = [
    ("pause", "--reason", "the card is being replaced"),
    ("resume",),
    ("token", "tina"),
    ("users", "add", "wei", "--tenant", "demo", "--role", "traveller", "--password-stdin"),
    ("prune",),
    ("doctor",),
    ("backup", "copy"),
]


@pytest.fixture
def mistyped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LAYOVER_DATA_DIR", str(tmp_path / "lyaover"))
    monkeypatch.setattr("sys.stdin", io.StringIO("long enough\n"))
    return tmp_path / "lyaover"


@pytest.mark.parametrize("words", SAID, ids=lambda words: words[0])
def test_a_word_to_a_directory_without_an_installation_is_refused_by_its_name_and_makes_nothing(
    words: tuple[str, ...], mistyped: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) != 0
    out, complained = capsys.readouterr()
    assert str(mistyped) in out + complained
    assert "Name the directory of" in (out + complained) or "embedded server" in complained
    assert not mistyped.exists()


@pytest.mark.parametrize("words", SAID[:4], ids=lambda words: words[0])
def test_a_database_in_which_nothing_was_ever_made_is_no_installation_either(
    words: tuple[str, ...], mistyped: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mistyped.mkdir()
    (mistyped / "layover.db").touch()
    assert main(words) == 2
    assert "LAYOVER_DATA_DIR: its database is empty. Name the directory of the server" in capsys.readouterr().err


async def test_a_pause_says_whose_purchases_are_paused_and_whether_a_server_runs_there(data_dir: Path) -> None:
    async with opened(data_dir) as world:
        settings = world.whole.settings
        assert await pause_now(settings, kind=Kind.PAUSE, reason=None) == f"of the server on {data_dir}"
    assert await pause_now(settings, kind=Kind.RESUME, reason=None) == f"where no server runs now, on {data_dir}"


def test_migrate_makes_an_installation_where_one_is_asked_for(mistyped: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["migrate"]) == 0
    assert main(["pause"]) == 0
    assert f"Purchases are paused where no server runs now, on {mistyped}" in capsys.readouterr().out
