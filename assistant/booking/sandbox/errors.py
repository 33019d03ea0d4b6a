"""How the airline says no: an HTTP status and Duffel's error body."""

from __future__ import annotations

from typing import Any

_TYPES = {400: "invalid_request_error", 401: "authentication_error", 404: "invalid_request_error", 429: "rate_limit_error"}


class AirlineError(Exception):
    """The airline refuses; `code` is what a client branches on."""

    def __init__(
        self, code: str, message: str, *, status: int = 422, type_: str | None = None, source: str | None = None
    ) -> None:
        super().__init__(code)
        self.code, self.message, self.status, self.source = code, message, status, source
        self.type = type_ or _TYPES.get(status, "invalid_state_error" if status == 422 else "api_error")

    def body(self, request_id: str) -> dict[str, Any]:
        error: dict[str, Any] = {
            "type": self.type,
            "title": self.code.replace("_", " ").capitalize(),
            "message": self.message,
            "code": self.code,
            "documentation_url": "https://duffel.com/docs/api/overview/errors",
        }
        if self.source:
            error["source"] = {"field": self.source.rsplit("/", 1)[-1], "pointer": self.source}
        return {"errors": [error], "meta": {"request_id": request_id, "status": self.status}}


def invalid(field: str, message: str, code: str = "validation_required") -> AirlineError:
    return AirlineError(code, message, type_="validation_error", source=f"/{field}")


def not_found(what: str) -> AirlineError:
    return AirlineError("not_found", f"The {what} you are looking for does not exist", status=404)
