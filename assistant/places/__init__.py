"""Airports, metropolitan areas and airlines with their names in English and Chinese; read on first use, then kept."""

from .airlines import Airline, airline, airlines
from .airports import Airport, airport, airports, codes_for
from .cities import City, cities, city_of, metro, metros

__all__ = [
    "Airline",
    "Airport",
    "City",
    "airline",
    "airlines",
    "airport",
    "airports",
    "cities",
    "city_of",
    "codes_for",
    "metro",
    "metros",
]
