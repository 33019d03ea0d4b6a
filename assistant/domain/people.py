"""People: who signs in, and who flies."""

from __future__ import annotations

import unicodedata
from datetime import date
from enum import StrEnum
from typing import Annotated, Protocol

from pydantic import AfterValidator, EmailStr, Field, StringConstraints, field_validator
from pydantic_core import PydanticCustomError

from .ids import derived
from .value import Value
from .written import Day, one_line


class Role(StrEnum):
    TRAVELLER = "traveller"
    REVIEWER = "reviewer"
    ADMIN = "admin"


class Title(StrEnum):
    MR = "mr"
    MS = "ms"
    MRS = "mrs"
    MISS = "miss"
    DR = "dr"


class Gender(StrEnum):
    MALE = "m"
    FEMALE = "f"


class Actor(Value):
    """Who does something: a signed-in person with their roles, or the product itself (`LAYOVER`)."""

    tenant_id: str
    user_id: str
    name: str
    roles: tuple[Role, ...] = ()

    def can(self, role: Role) -> bool:
        return role in self.roles or (role is Role.REVIEWER and Role.ADMIN in self.roles)


MOST_DOCUMENTS = 5
LATIN_NAME = r"^[A-Za-z][A-Za-z' \-]{0,38}$"
LatinName = Annotated[str, StringConstraints(strip_whitespace=True, pattern=LATIN_NAME)]
Phone = Annotated[str, StringConstraints(strip_whitespace=True, pattern=r"^\+[1-9][0-9]{6,14}$")]


class TravelDocument(Value):
    """A passport or identity card; optional, some airlines ask for it."""

    kind: str = Field(pattern=r"^(passport|identity_card)$")
    number: str = Field(min_length=3, max_length=20, pattern=r"^[A-Za-z0-9]+$")
    country: str = Field(pattern=r"^[A-Z]{2}$")
    expires_on: Day


NativeName = Annotated[str, StringConstraints(strip_whitespace=True, max_length=60), AfterValidator(one_line)]
Documents = Annotated[tuple[TravelDocument, ...], Field(max_length=MOST_DOCUMENTS)]


class PersonDetails(Value):
    """What an order needs of a passenger. Names are in Latin letters as in the passport."""

    given_name: LatinName
    family_name: LatinName
    native_name: Annotated[str, StringConstraints(strip_whitespace=True, max_length=60)] | None = None
    title: Title
    gender: Gender
    born_on: date
    email: EmailStr
    phone: Phone
    documents: tuple[TravelDocument, ...] = ()

    @field_validator("born_on")
    @classmethod
    def _plausible(cls, born_on: date) -> date:
        if born_on.year < 1900:
            raise PydanticCustomError("born_long_ago", "a birth date after 1900 is needed")
        return born_on

    @property
    def full_name(self) -> str:
        return f"{self.given_name} {self.family_name}"

    def age_on(self, day: date) -> int:
        return day.year - self.born_on.year - ((day.month, day.day) < (self.born_on.month, self.born_on.day))


class GivenDetails(PersonDetails):
    """As a person writes them in: narrower than what may be read back of older days."""

    native_name: NativeName | None = None
    born_on: Day
    documents: Documents = ()


class Person(PersonDetails):
    """A passenger in a tenant's directory."""

    person_id: str
    owner_id: str
    is_self: bool = False


class Named(Protocol):
    """What tells two passengers apart."""

    @property
    def given_name(self) -> str: ...

    @property
    def family_name(self) -> str: ...

    @property
    def born_on(self) -> date: ...


def passenger_id(tenant_id: str, person: Named) -> str:
    """Who flies, whatever profile names them: tenant, normalised names and birth date."""
    return derived("passenger", tenant_id, _plain(person.given_name), _plain(person.family_name), person.born_on.isoformat())


def _plain(name: str) -> str:
    letters = unicodedata.normalize("NFKD", name).casefold()
    return "".join(c for c in letters if c.isalnum())
