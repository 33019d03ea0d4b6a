"""What an answer of Duffel's means for what happened: a code or status becomes one of the three kinds of failure."""

from __future__ import annotations

from http import HTTPStatus

from pydantic import BaseModel, ConfigDict, ValidationError

from ..domain.errors import LayoverError, OutcomeUnknown, Reason, Refused, Unavailable

# what provably did not happen, and why; a code that is not here leaves an effect's outcome unknown
_REFUSALS = {
    "offer_no_longer_available": Reason.OFFER_GONE,
    "offer_expired": Reason.OFFER_GONE,
    "price_changed": Reason.PRICE_CHANGED,
    "payment_amount_does_not_match_order_amount": Reason.PRICE_CHANGED,
    "payment_currency_does_not_match_order_currency": Reason.PRICE_CHANGED,
    "schedule_changed": Reason.OFFER_GONE,
    "ancillary_service_not_available": Reason.SEAT_TAKEN,
    "requested_ancillaries_not_available": Reason.SEAT_TAKEN,
    "past_payment_required_by_date": Reason.HOLD_EXPIRED,
    "order_cancellation_expired": Reason.QUOTE_STALE,
    "order_cancellation_not_confirmable": Reason.QUOTE_STALE,
    "order_not_cancellable": Reason.NOT_CANCELLABLE,
    "insufficient_balance": Reason.PAYMENT_DECLINED,
    "payment_declined": Reason.PAYMENT_DECLINED,
    "order_type_not_eligible": Reason.INVALID_DATA,
    "order_type_not_eligible_for_payment": Reason.INVALID_DATA,
    "unavailable_feature": Reason.INVALID_DATA,
    "malformed_data_param": Reason.INVALID_DATA,
    "missing_data_param": Reason.INVALID_DATA,
    "bad_request": Reason.INVALID_DATA,
    "duplicate_passenger_name": Reason.DUPLICATE_PASSENGER,
    "order_not_created": Reason.NOT_CREATED,
    "not_found": Reason.NOT_FOUND,
    "unsupported_version": Reason.INVALID_DATA,
    "insufficient_permissions": Reason.AUTH,
    "already_paid": Reason.NOT_ALLOWED,
    "already_cancelled": Reason.NOT_CANCELLABLE,
}
_BEFORE_ANYTHING = frozenset({HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.TOO_MANY_REQUESTS})
_NO_ACCESS = frozenset({HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN})
_CHECKED_BEFORE = ("validation_", "invalid_")  # Duffel's own checks of a request, before any airline is asked


class _Error(BaseModel):
    model_config = ConfigDict(extra="ignore")
    code: str = ""
    message: str = ""


class _ErrorBody(BaseModel):
    model_config = ConfigDict(extra="ignore")
    errors: list[_Error] = []


def code_of(body: bytes) -> tuple[str, str]:
    """The first error's code and message; empty where the body is no error of Duffel's."""
    try:
        errors = _ErrorBody.model_validate_json(body).errors
    except ValidationError:
        return "", ""
    return (errors[0].code, errors[0].message) if errors else ("", "")


def read_failure(status: int, body: bytes) -> LayoverError:
    """A read that failed: nothing was at stake, so all that is not a clear no may be tried again."""
    code, message = code_of(body)
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR or status in _BEFORE_ANYTHING:
        return Unavailable(code or status)
    if reason := _reason(status, code):
        return Refused(reason, message or code)
    return Refused(Reason.INVALID_DATA, message or code or status) if code else Unavailable(status)


def effect_failure(status: int, body: bytes) -> LayoverError:
    """An effect that was answered with no success: what is not known to have come before the effect leaves it open."""
    code, message = code_of(body)
    if status in _BEFORE_ANYTHING:
        return Unavailable(code or status)
    if reason := _reason(status, code):
        return Refused(reason, message or code)
    return OutcomeUnknown(code or status)


def _reason(status: int, code: str) -> Reason | None:
    if status in _NO_ACCESS:
        return Reason.AUTH
    if code in _REFUSALS and (status < HTTPStatus.INTERNAL_SERVER_ERROR or code == "order_not_created"):
        return _REFUSALS[code]
    if code.startswith(_CHECKED_BEFORE) and status in (HTTPStatus.BAD_REQUEST, HTTPStatus.UNPROCESSABLE_ENTITY):
        return Reason.INVALID_DATA
    return None
