"""Duffel's webhooks: is it genuine, and what does it tell."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping

from pydantic import ValidationError

from ..domain.errors import Reason, Refused
from .duffel_wire import WireEvent, WireEventObject
from .provider import WebhookEvent

_SIGNATURE = "x-duffel-signature"
_SCHEMES = ("v1", "v2")


def read_webhook(headers: Mapping[str, str], body: bytes, *, secret: str | None) -> WebhookEvent:
    """An event whose signature fits. Its age is not judged: deliveries are retried for days, and event ids tell repeats."""
    given = next((value for name, value in headers.items() if name.casefold() == _SIGNATURE), "")
    if not secret or not _genuine(given, body, secret):
        raise Refused(Reason.AUTH, "webhook signature")
    try:
        event = WireEvent.model_validate_json(body)
    except ValidationError:
        raise Refused(Reason.INVALID_DATA, "webhook body") from None
    about = event.data.object or WireEventObject()
    order_id = about.order_id or (about.id if (about.id or "").startswith("ord_") else None)
    return WebhookEvent(
        event_id=event.id,
        kind=event.type,
        order_id=order_id or None,
        offer_id=about.offer_id or None,
        operation_id=(about.metadata and about.metadata.operation_id) or None,
        reason=about.reason or None,
    )


def _genuine(given: str, body: bytes, secret: str) -> bool:
    """`t=<unix seconds>,v1=<hex HMAC-SHA256 of "t.body">`."""
    pairs = (part.strip().partition("=") for part in given.split(","))
    parts = {name: value for name, _, value in pairs}
    stamp = parts.get("t", "")
    wanted = hmac.new(secret.encode(), f"{stamp}.".encode() + body, hashlib.sha256).hexdigest()
    offered = [parts[scheme].casefold() for scheme in _SCHEMES if scheme in parts]
    return bool(stamp) and any(hmac.compare_digest(wanted.encode(), o.encode()) for o in offered)
