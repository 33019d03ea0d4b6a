"""What every test may use, and the environment all of them run in."""

from __future__ import annotations

import gc
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote
from uuid import uuid4

import psycopg
import pytest
from hypothesis import settings

# The test modules, which import langgraph and gradio, come after this.
for _name in [n for n in os.environ if n.startswith(("LAYOVER_", "OPENAI_", "LANGSMITH_", "LANGCHAIN_"))]:
    del os.environ[_name]  # a developer's own settings are not the tests'
os.environ["LANGGRAPH_STRICT_MSGPACK"] = "true"
os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"
os.environ["LANGSMITH_TRACING"] = "false"

gc.set_threshold(100_000, 50, 100)  # a tenth of the suite's time went into looking through what thousands of tests have loaded

settings.register_profile("layover", deadline=None, print_blob=True)
settings.load_profile("layover")

CI = os.environ.get("CI") == "true"
WAITING = ("tests/crashes/", "tests/ui/", "tests/stories/test_browser_path.py")  # for processes and browsers


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files that wait for long come first, so that no worker is left alone with one at the end."""
    items.sort(key=lambda item: not item.nodeid.startswith(WAITING))


def unavailable(what: str) -> None:
    """Skips, saying what is missing; where everything has to be there it is a failure."""
    if CI:
        pytest.fail(what, pytrace=False)
    pytest.skip(what)


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    """An empty data directory, gone after the test."""
    path = tmp_path / "data"
    path.mkdir(mode=0o700)
    return path


@dataclass(frozen=True)
class PostgresCluster:
    """A throw-away PostgreSQL server, reached by a socket in its own directory."""

    programs: Path
    home: Path
    user: str | None  # whom to run as; None: ourselves

    def url(self, database: str) -> str:
        return f"postgresql://postgres@/{database}?host={quote(str(self.home))}"

    def run(self, program: str, *arguments: str) -> None:
        subprocess.run([self.programs / program, *arguments], check=True, capture_output=True, user=self.user, cwd=self.home)

    def create(self, database: str) -> str:
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{database}"')
        return self.url(database)

    def drop(self, database: str) -> None:
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f'DROP DATABASE "{database}" WITH (FORCE)')


@pytest.fixture(scope="session")
def postgres_cluster() -> Iterator[PostgresCluster]:
    """One server for each test process, without fsync; skipped where PostgreSQL is not installed."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if not found:
        unavailable("PostgreSQL is not installed (apt-get install postgresql): its tests did not run")
    user = _unprivileged()
    home = Path(tempfile.mkdtemp(prefix="layover-pg-"))
    if user is not None:
        shutil.chown(home, user)
    cluster = PostgresCluster(found[-1].parent, home, user)
    options = "-c listen_addresses= -c fsync=off -c synchronous_commit=off -c full_page_writes=off -c shared_buffers=32MB"
    try:
        cluster.run("initdb", "-D", f"{home}/data", "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
        cluster.run("pg_ctl", "-D", f"{home}/data", "-l", f"{home}/log", "-w", "-o", f"{options} -k {home}", "start")
        yield cluster
        cluster.run("pg_ctl", "-D", f"{home}/data", "-m", "immediate", "-w", "stop")
    finally:
        shutil.rmtree(home, ignore_errors=True)


@pytest.fixture(scope="session")
def postgres_url(postgres_cluster: PostgresCluster, worker_id: str) -> str:
    """`postgresql://` address of a database that this test process keeps to the end."""
    return postgres_cluster.create(f"layover_{worker_id}")


@pytest.fixture
def fresh_postgres_url(postgres_cluster: PostgresCluster) -> Iterator[str]:
    """`postgresql://` address of an empty database, dropped after the test."""
    name = f"layover_{uuid4().hex}"
    yield postgres_cluster.create(name)
    postgres_cluster.drop(name)


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """A Chromium to drive; skipped where there is none."""
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    found = next((path for name in names if (path := shutil.which(name))), None)
    if found is None:
        unavailable("no Chromium found (apt-get install chromium): browser tests did not run")
    return str(found)


def _unprivileged() -> str | None:
    """PostgreSQL refuses to run as root; its package brings a user for it."""
    if os.getuid() != 0:
        return None
    try:
        return pwd.getpwnam("postgres").pw_name
    except KeyError:
        return "nobody"
