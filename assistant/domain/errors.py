"""Failures, named for whether the thing happened. A class's docstring is its message; the instance keeps the object."""

from __future__ import annotations

from enum import StrEnum


class LayoverError(Exception):
    """Something went wrong."""

    def __init__(self, subject: object = None) -> None:
        super().__init__(subject)
        self.subject = subject

    def __str__(self) -> str:
        return f"{self.__doc__} ({self.subject})" if self.subject is not None else str(self.__doc__)


class Reason(StrEnum):
    """Why an airline, a policy or the desk surely did not do something."""

    OFFER_GONE = "OFFER_GONE"
    PRICE_CHANGED = "PRICE_CHANGED"
    SEAT_TAKEN = "SEAT_TAKEN"
    HOLD_EXPIRED = "HOLD_EXPIRED"
    QUOTE_STALE = "QUOTE_STALE"
    REFUND_CHANGED = "REFUND_CHANGED"
    NOT_CANCELLABLE = "NOT_CANCELLABLE"
    PAYMENT_DECLINED = "PAYMENT_DECLINED"
    INVALID_DATA = "INVALID_DATA"
    DUPLICATE_PASSENGER = "DUPLICATE_PASSENGER"
    AUTH = "AUTH"
    NOT_CREATED = "NOT_CREATED"
    NOT_DONE = "NOT_DONE"
    LATE_ORDER = "LATE_ORDER"
    LOST_ORDER = "LOST_ORDER"
    PASSENGER_CHANGED = "PASSENGER_CHANGED"
    NOT_FOUND = "NOT_FOUND"
    ALREADY_YOURS = "ALREADY_YOURS"
    PASSENGER_HAS_FLIGHT = "PASSENGER_HAS_FLIGHT"
    UNAVAILABLE = "UNAVAILABLE"
    BEING_GIVEN_BACK = "BEING_GIVEN_BACK"
    NOT_GIVEN_BACK = "NOT_GIVEN_BACK"
    NOT_ALLOWED = "NOT_ALLOWED"
    ORDER_LAPSED = "ORDER_LAPSED"


class Refused(LayoverError):
    """It did not happen, and asking again is pointless."""

    def __init__(self, reason: Reason, detail: object = None) -> None:
        super().__init__(detail)
        self.reason = reason

    def __str__(self) -> str:
        return f"{self.reason}: {self.subject}" if self.subject is not None else str(self.reason)


class Unavailable(LayoverError):
    """It did not happen; it may be tried again."""


class OutcomeUnknown(LayoverError):
    """It may have happened: look it up, never resend."""


class CommandRefused(LayoverError):
    """The command cannot be accepted as it is."""

    code = "refused"

    def __init__(self, code: str, **facts: object) -> None:
        super().__init__(facts or None)
        self.code = code
        self.facts = facts


class Invalid(CommandRefused):
    """What was sent does not fit."""


class NotFound(CommandRefused):
    """There is no such thing here for you."""


class Forbidden(CommandRefused):
    """Your role does not allow this."""


class Conflict(CommandRefused):
    """Someone was faster, or the ground has moved."""


class CommandReused(CommandRefused):
    """This key already belongs to another intent."""


class TooMany(CommandRefused):
    """Too much is already queued."""


class Gone(CommandRefused):
    """This has been pruned."""
