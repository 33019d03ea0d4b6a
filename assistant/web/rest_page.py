"""The list of the API's operations, as one page with nothing from outside."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from html import escape
from typing import Any

from ..domain.understanding import Language
from ..wording import say
from .early_script import TAGS
from .sign_in_page import asset

METHODS = ("get", "post", "patch", "delete")


def rest_page(openapi: dict[str, Any], language: Language) -> str:
    rows = "".join(
        _row(method.upper(), path, operation)
        for path, operations in openapi["paths"].items()
        for method, operation in operations.items()
        if method in METHODS
    )
    title = escape(say("rest.title", language))
    return (
        f'<!doctype html><html lang="{TAGS[language]}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1"><link rel="icon" href="data:,">'
        f'<title>{title}</title><style>{asset("sign-in.css")}</style></head><body><main class="wide"><h1>{title}</h1>'
        f"<p>{escape(say('rest.lead', language))}</p>"
        f'<p><a href="/api/openapi.json">{escape(say("rest.schema", language))}</a></p>'
        f"<table><tbody>{rows}</tbody></table></main></body></html>"
    )


def _row(method: str, path: str, operation: dict[str, Any]) -> str:
    told = operation.get("description") or operation.get("summary", "")
    return f"<tr><td><code>{method}</code></td><td><code>{escape(path)}</code></td><td>{escape(told)}</td></tr>"


_STYLE = b64encode(sha256(asset("sign-in.css").encode()).digest()).decode()
POLICY = f"default-src 'none'; style-src 'sha256-{_STYLE}'; img-src data:; frame-ancestors 'none'; base-uri 'none'"
