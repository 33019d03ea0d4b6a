"""Whether a remedy of the doctor's can be followed: it names a command there is, a page by its own name, or an address."""

from __future__ import annotations

import io
import re
from contextlib import redirect_stdout, suppress

from assistant.__main__ import main
from assistant.wording import say

PAGES = frozenset(say(f"page.{name}", "en") for name in ("timeline", "operations"))
ADDRESSES = frozenset({"/api/v1/operations"})


def says_what_to_do(remedy: str) -> bool:
    """Every command, page of /review and address it names is one, and it names at least one."""
    commands = re.findall(r"\blayover ([a-z]+)", remedy)
    pages = re.findall(r"([A-Z][a-z]+) (?:of|in) /review", remedy)
    addresses = re.findall(r"GET (/[a-z0-9/]+)", remedy)
    are = {*commands} <= _commands() and {*pages} <= PAGES and {*addresses} <= ADDRESSES
    return are and bool(commands or addresses or "/review" in remedy)


def _commands() -> set[str]:
    """As the help lists them."""
    said = io.StringIO()
    with redirect_stdout(said), suppress(SystemExit):
        main(["--help"])
    return set(re.findall(r"^    ([a-z]+)  ", said.getvalue(), re.MULTILINE))
