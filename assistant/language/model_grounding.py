"""From a model's reading to an `Understanding`: it may add to what the rules read, where the traveller's words bear it out.

The rules decide every yes, no and cancellation, and every slot they see. What only the model saw of places and dates is unsure,
so that it is said back before anything is searched.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import date, time, timedelta
from decimal import Decimal, InvalidOperation
from typing import Any

from ..domain.flights import Cabin
from ..domain.money import Money, payable
from ..domain.understanding import (
    Intent,
    Passengers,
    Place,
    Polarity,
    Position,
    Rank,
    Reference,
    SeatWish,
    Slots,
    TripType,
    Understanding,
    Unsure,
    When,
)
from .interpreter import Heard
from .model_reading import Fact, ReadFact, Reading, ReadReference, ReadWish
from .rules import airlines
from .rules.gazetteer import Known, gazetteer, plain
from .rules.text import fold, read

FARTHEST = timedelta(days=361)  # airlines sell no further ahead
MOST_PEOPLE = 9

# A word that must stand in the quote for it to be about such a thing at all, English and Chinese, folded.
_NUMBER = r"[0-9零一二两俩三四五六七八九十百千]|\b(?:an?|one|two|three|four|five|six|seven|eight|nine|couple|both|us)\b"
_DAY = (
    r"[0-9今明后昨周号日月初底节春夏秋冬元旦除夕假]|\b(?:to(?:day|morrow|night)|day|days|week\w*|fortnight|month\w*|year\w*"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    r"|mon|tue|wed|thu|fri|sat|jan\w*|feb\w*|mar\w*|apr\w*|may|june?|july?|aug\w*|sep\w*|oct\w*|nov\w*|dec\w*|christmas|easter|thanksgiving|holiday\w*|eve)\b"
)
_HOUR = (
    r"[0-9点早晨午晚夜]|\b(?:morning|noon|afternoon|evening|night|midnight|early|late|lunch\w*|breakfast|dinner|dawn|sunrise|sunset"
    r"|work|dark)\b"
)
_BEARS: dict[Fact, re.Pattern[str]] = {
    fact: re.compile(pattern)
    for fact, pattern in {
        Fact.DEPART_DATE: _DAY,
        Fact.RETURN_DATE: _DAY,
        Fact.DEPART_TIME: _HOUR,
        Fact.RETURN_TIME: _HOUR,
        Fact.TRIP_TYPE: r"return|round|back|one[- ]?way|single|there and|往返|来回|单程|回来|多程",
        Fact.ADULTS: _NUMBER + r"|\b(?:me|my|i|we|alone|myself|wife|husband|friends?|parents)\b|我|们|人|大人|成人|夫妻|父母",
        Fact.CHILDREN: r"child|kid|son\b|daughter|boy|girl|year|孩|童|儿子|女儿|岁",
        Fact.INFANTS: r"infant|bab(?:y|ies)|lap|month|婴|宝宝|月",
        Fact.CABIN: r"class|economy|coach|business|first|premium|cabin|舱|座",
        Fact.AIRLINE: r"\w",
        Fact.FLIGHT_NUMBER: r"[0-9]{2,4}",
        Fact.MAX_STOPS: r"stop|direct|layover|connect|chang|transfer|直|经停|中转|转",
        Fact.PRICE_CAP: r"[0-9千百万]|hundred|thousand|grand|\bk\b",
        Fact.RANK: r"cheap|low|budget|afford|fast|quick|short|soon|earl|late|last|best|便宜|低|省|快|短|早|晚|好",
        Fact.REFUNDABLE: r"refund|cancel|money back|flexib|退",
    }.items()
}
_SEAT = re.compile(
    r"seat|sit|window|view|aisle|middle|front|back|rear|exit|leg|row|together|next to|beside"
    r"|座|坐|窗|过道|走道|排|腿|出口|一起|挨"
)
_POINTS = re.compile(
    _NUMBER + r"|first|second|third|fourth|fifth|last|that|this|same|cheap|fast|quick|earl|late|best|这|那|同|便宜|快|早|晚|最"
)
_SEAT_NAME = re.compile(r"[1-9][0-9]?[A-HJ-Z]")
_FREELY_ADDED = frozenset(
    {Intent.ASK_STATUS, Intent.ASK_FACT, Intent.COMPARE, Intent.RECALL_WISH, Intent.ASK_PERSON, Intent.SMALLTALK}
)
_IDLE = frozenset({Intent.OUT_OF_SCOPE, Intent.SMALLTALK})


@dataclass
class _Added:
    """What the model adds to the rules' understanding."""

    slots: dict[str, Any] = field(default_factory=dict[str, Any])
    unsure: list[Unsure] = field(default_factory=list[Unsure])


def grounded(reading: Reading, heard: Heard, base: Understanding) -> Understanding:
    """`base`, what the rules understood, with all that the reading may add to it."""
    words = _squeezed(heard.text)
    facts = [f for f in reading.facts if _quoted(f.quote, words) and _borne(f)] if _about_a_search(reading, heard, base) else []
    added = _added(facts, heard, base)
    wishes = (
        () if base.wishes else tuple(_wish(w) for w in reading.wishes if _quoted(w.quote, words) and _SEAT.search(fold(w.quote)))
    )
    pointed = () if base.references else tuple(r for w in reading.references if _quoted(w.quote, words) and (r := _reference(w)))
    return base.model_copy(
        update={
            "slots": base.slots.model_copy(update=added.slots),
            "unsure": (*base.unsure, *added.unsure),
            "wishes": base.wishes or wishes,
            "references": base.references or pointed,
            "topics": base.topics or reading.topics,
            "intents": _intents(reading, heard, base, added, wishes=bool(wishes), pointed=bool(pointed)),
        }
    )


def _about_a_search(reading: Reading, heard: Heard, base: Understanding) -> bool:
    """Words change a trip on its way at once: then the rules, too, must have heard that one is looked for or changed."""
    if set(reading.intents) <= _IDLE:
        return False
    gathering = heard.draft != Slots() or not heard.trips
    return gathering or bool({Intent.SEARCH, Intent.CHANGE} & set(base.intents))


def _squeezed(text: str) -> str:
    return " ".join(fold(text).split())


def _quoted(quote: str, words: str) -> bool:
    said = _squeezed(quote)
    return bool(said) and said in words


def _borne(fact: ReadFact) -> bool:
    pattern = _BEARS.get(fact.fact)
    return pattern is None or bool(pattern.search(fold(fact.quote)))


# Slots


def _added(facts: list[ReadFact], heard: Heard, base: Understanding) -> _Added:
    added = _Added()
    for fact in facts:
        match fact.fact:
            case Fact.ORIGIN | Fact.DESTINATION:
                _place(added, fact, base)
            case Fact.DEPART_DATE | Fact.RETURN_DATE:
                _day(added, fact, heard, base)
            case Fact.DEPART_TIME | Fact.RETURN_TIME:
                _hours(added, fact, base)
            case Fact.STOPOVER:
                if not base.slots.stopovers and (place := _resolved(fact)).codes:
                    added.slots["stopovers"] = (place,)
            case _:
                _plain(added, fact, base)
    if added.slots.keys() & {"adults", "children", "infants"}:
        party = {name: added.slots.pop(name) for name in ("adults", "children", "infants") if name in added.slots}
        if base.slots.passengers is None:
            added.slots["passengers"] = Passengers(**party)
    return added


def _place(added: _Added, fact: ReadFact, base: Understanding) -> None:
    slot = fact.fact.value
    if getattr(base.slots, slot) is not None:
        return
    place = _resolved(fact)
    if place.codes:
        added.slots[slot] = place
        added.unsure.append(Unsure(slot=slot, reason="ambiguous", text=place.text, candidates=place.codes[:1]))
    elif not base.unsure:
        added.unsure.append(Unsure(slot=slot, reason="unknown_place", text=place.text))


def _resolved(fact: ReadFact) -> Place:
    """By our own gazetteer, from the traveller's words or else the name the model gives; never from a code of the model's."""
    known = _known(fact.quote) or (None if re.fullmatch(r"[A-Z]{3}", fact.value.strip()) else _known(fact.value))
    if known is None or not known.codes:
        return Place(text=fact.quote.strip())
    return Place(text=fact.quote.strip(), kind=known.kind, codes=known.codes, city=known.city)


def _known(name: str) -> Known | None:
    places = gazetteer()
    found = places.english.get(plain(name)) or places.chinese.get(fold(name).strip())
    return found[0] if found else None


def _day(added: _Added, fact: ReadFact, heard: Heard, base: Understanding) -> None:
    slot = "depart" if fact.fact is Fact.DEPART_DATE else "return"
    name = "depart" if slot == "depart" else "return_"
    said: When | None = getattr(base.slots, name)
    if said is not None and said.date_from is not None:
        return
    try:
        first, *rest = (date.fromisoformat(part.strip()) for part in fact.value.split("/"))
    except ValueError:
        return
    last, today = (rest or [first])[0], heard.now.date()
    if last < first or first > today + FARTHEST or last > today + FARTHEST:
        return
    if first < today:
        added.unsure.append(Unsure(slot=slot, reason="past_date", text=fact.quote.strip()))
        return
    before: When = added.slots.get(name) or said or When()
    added.slots[name] = before.model_copy(update={"text": fact.quote.strip(), "date_from": first, "date_to": last})
    added.unsure.append(Unsure(slot=slot, reason="ambiguous", text=fact.quote.strip(), candidates=(first.isoformat(),)))


def _hours(added: _Added, fact: ReadFact, base: Understanding) -> None:
    name = "depart" if fact.fact is Fact.DEPART_TIME else "return_"
    before: When = added.slots.get(name) or getattr(base.slots, name) or When(text=fact.quote.strip())
    if before.time_from is not None or before.time_to is not None:
        return
    try:
        first, last = (time.fromisoformat(part.strip()) for part in fact.value.split("-"))
    except ValueError:
        return
    if first.tzinfo or last.tzinfo or last < first:
        return
    added.slots[name] = before.model_copy(update={"time_from": first, "time_to": last})


def _plain(added: _Added, fact: ReadFact, base: Understanding) -> None:
    name, value = _value(fact)
    if value is not None and getattr(base.slots, name, None) in (None, ()):
        added.slots[name] = value


def _value(fact: ReadFact) -> tuple[str, Any]:
    """The slot's name and its value; None where it is not one."""
    said = fact.value.strip()
    match fact.fact:
        case Fact.ADULTS | Fact.CHILDREN | Fact.INFANTS:
            return fact.fact.value, _count(said, most=MOST_PEOPLE)
        case Fact.MAX_STOPS:
            return "max_stops", _count(said, most=3)
        case Fact.TRIP_TYPE:
            return "trip_type", _of(TripType, said)
        case Fact.CABIN:
            return "cabin", _of(Cabin, said)
        case Fact.RANK:
            return "rank", _of(Rank, said)
        case Fact.REFUNDABLE:
            return "refundable", {"true": True, "false": False}.get(said.lower())
        case Fact.PRICE_CAP:
            return "cap", _cap(fact)
        case Fact.FLIGHT_NUMBER:
            return "flight_number", _flight(fact)
        case _:
            named = airlines.airlines(read(fact.quote), asked=frozenset({"airline"}))
            return "airlines", named.codes or None


def _count(said: str, *, most: int) -> int | None:
    return int(said) if said.isdecimal() and len(said) < 3 and int(said) <= most else None


def _of(kind: Any, said: str) -> Any:
    return kind(said.lower()) if said.lower() in {member.value for member in kind} else None


def _cap(fact: ReadFact) -> Money | None:
    """Digits that were typed must be the amount's own."""
    amount, _, currency = fact.value.strip().partition(" ")
    digits = re.sub(r"\D", "", fold(fact.quote))
    try:
        cap = payable(Money(amount=Decimal(amount), currency=currency.strip()))
    except (InvalidOperation, ValueError):
        return None
    return cap if str(int(cap.amount)).startswith(digits) else None


def _flight(fact: ReadFact) -> str | None:
    said = re.sub(r"\s", "", fact.value.upper())
    typed = re.sub(r"\s", "", fact.quote.upper())
    return said if re.fullmatch(r"(?:[A-Z0-9]{2})?[0-9]{2,4}", said) and said in typed else None


# Wishes, references, intents


def _wish(read_wish: ReadWish) -> SeatWish:
    polarity = Polarity.WANT if read_wish.position is Position.ANY else read_wish.polarity
    return SeatWish(position=read_wish.position, polarity=polarity, strength=read_wish.strength, scope=read_wish.scope)


def _reference(pointed: ReadReference) -> Reference | None:
    if not _POINTS.search(fold(pointed.quote)):
        return None
    trip = None if pointed.trip == "any" else pointed.trip
    match pointed.kind:
        case "number":
            n = _count(pointed.value.strip(), most=99)
            return Reference(trip=trip, n=n) if n else None
        case "rank":
            rank = _of(Rank, pointed.value.strip())
            return Reference(trip=trip, superlative=rank) if rank else None
        case "same":
            return Reference(trip=trip, same=True)
        case "seat":
            seat = pointed.value.strip().upper()
            typed = re.sub(r"\s", "", fold(pointed.quote).upper())
            return Reference(trip=trip, seats=(seat,)) if _SEAT_NAME.fullmatch(seat) and seat in typed else None


def _intents(
    reading: Reading, heard: Heard, base: Understanding, added: _Added, *, wishes: bool, pointed: bool
) -> tuple[Intent, ...]:
    """A yes, a no and a cancellation are the rules' to hear, and so is what changes a trip."""
    more = [i for i in reading.intents if i in _FREELY_ADDED]
    if Intent.SEARCH in reading.intents and (added.slots or added.unsure):
        more.append(Intent.SEARCH)
    if Intent.CHOOSE in reading.intents and pointed and heard.shown:
        more.append(Intent.CHOOSE)
    if wishes:
        more.append(Intent.STATE_WISH)
    substance = set(more) - _IDLE
    kept = [i for i in base.intents if i not in _IDLE or not substance]
    if set(kept) == {Intent.SEARCH} and base.slots == Slots() and reading.intents and set(reading.intents) <= _IDLE:
        kept = [i for i in reading.intents if i in _IDLE]
    if set(kept) - _IDLE:
        more = [i for i in more if i not in _IDLE]
    return tuple(dict.fromkeys([*kept, *more]))
