"""The desk: the only hand that touches the airline."""

from .booking_desk import BookingDesk
from .errand import FIRST_LOOK, TICKETS_WITHIN, Errand, Settled, itinerary_of
from .fitting import why_not

__all__ = ["FIRST_LOOK", "TICKETS_WITHIN", "BookingDesk", "Errand", "Settled", "itinerary_of", "why_not"]
