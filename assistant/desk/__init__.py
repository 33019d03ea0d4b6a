"""The desk: the only hand that touches the airline."""

from .booking_desk import BookingDesk
from .errand import FIRST_LOOK, JUST_RESTORED, PAUSED, TICKETS_WITHIN, Errand, Settled, itinerary_of
from .fitting import why_not
from .looking_first import LookingFirst

__all__ = [
    "FIRST_LOOK",
    "JUST_RESTORED",
    "PAUSED",
    "TICKETS_WITHIN",
    "BookingDesk",
    "Errand",
    "LookingFirst",
    "Settled",
    "itinerary_of",
    "why_not",
]
