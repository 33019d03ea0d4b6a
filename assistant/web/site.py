"""Where this is served: which names it answers to, what counts as the same origin, whether cookies need https."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit

LOCAL_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})


@dataclass(frozen=True)
class Site:
    """`host` is listened on; `public_url` is what people open when something stands in front."""

    host: str = "127.0.0.1"
    public_url: str | None = None

    @property
    def local(self) -> bool:
        """Only this machine can reach it."""
        return self.public_url is None and _loopback(self.host)

    @property
    def https(self) -> bool:
        return (self.public_url or "").startswith("https://")

    def answers_to(self, host: str | None) -> bool:
        """A name that merely points here is not ours: a page elsewhere could read as if it were this one."""
        name = urlsplit(f"//{host}").hostname if host else None
        if self.public_url:
            return name == urlsplit(self.public_url).hostname or name in LOCAL_NAMES
        return name in LOCAL_NAMES | {self.host} if self.local else name is not None

    def is_own(self, headers: Mapping[str, str]) -> bool:
        """Whether a page of ours sent this; browsers say so by `Origin` or `Sec-Fetch-Site`, and only they hold cookies."""
        origin = headers.get("origin")
        if origin is None:
            return headers.get("sec-fetch-site") == "same-origin"
        if self.public_url and origin == _origin(self.public_url):
            return True
        sent = urlsplit(origin)
        return sent.scheme in ("http", "https") and bool(sent.netloc) and sent.netloc == headers.get("host")


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def _loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
