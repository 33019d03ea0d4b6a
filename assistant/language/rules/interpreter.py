"""The offline interpreter: English and Chinese by rule, no key, no network, the same answer every time."""

from __future__ import annotations

from datetime import date
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from ...domain.understanding import Intent, Language, Passengers, Place, Reference, Slots, TripType, Understanding, Unsure
from ..interpreter import Heard
from . import (
    airlines,
    cabins,
    conditions,
    intents,
    mentions,
    money,
    passengers,
    questions,
    references,
    routes,
    schedule,
    scope,
    seats,
    staying,
    times,
)
from .gazetteer import Known, gazetteer
from .mentions import Mention
from .text import Text, read

_NAMESAKE_SHARE = 0.3  # of the people of the best known place: as many live in a namesake worth asking about


class RulesInterpreter:
    """Implements the interpreter's port. Holds no state of any conversation, so that one serves them all."""

    def __init__(self) -> None:
        gazetteer()  # built here, not while the first traveller waits

    async def interpret(self, heard: Heard) -> Understanding:
        return understood(heard)


def understood(heard: Heard) -> Understanding:
    """What one message says, given the one before it. Pure: the same words give the same understanding."""
    text = read(heard.text)
    asked = questions.asked_before(heard)
    reading = _Reading(text, heard, asked)
    return reading.understanding()


def _today(heard: Heard) -> date:
    try:
        return heard.now.astimezone(ZoneInfo(heard.timezone)).date()
    except (ZoneInfoNotFoundError, ValueError):
        return heard.now.date()


class _Reading:
    """The message while it is read: each reader sees what the ones before it took."""

    def __init__(self, text: Text, heard: Heard, asked: frozenset[str]) -> None:
        self.text, self.heard, self.asked = text, heard, asked
        self.outside = [s for s in text.sentences if scope.outside(text, s)]
        self.only_outside = bool(self.outside) and all(
            s in self.outside or not scope.flying(read(text.raw[s.start : s.end])) for s in text.sentences
        )
        self.trains = scope.trains(text)
        self.unsure: list[Unsure] = []
        self.airlines = airlines.airlines(text, asked=asked)
        self.hours = times.find(text)

    def understanding(self) -> Understanding:
        slots = self._slots()
        wishes = seats.seats(self.text, asked=self.asked) if not self.only_outside or self.trains else seats.Seats()
        pointed = references.references(self.text, self.heard, hours=self.hours, airlines=self.airlines, asked=self.asked)
        if any(r.n for r in pointed) and slots.depart and not slots.depart.date_from and any(not h.part for h in self.hours):
            slots = slots.model_copy(update={"depart": None})  # "the 7:10 one" names an option, not a wish
        topics = questions.topics(self.text) if not wishes.recalls else ()
        given_up = conditions.given_up(self.text) if not self.only_outside and self._talking() else ()
        evidence = intents.Evidence(
            text=self.text,
            asked=self.asked,
            slots=slots,
            seats=wishes,
            references=pointed,
            topics=topics,
            outside=bool(self.outside) or self.trains,
            inside=not self.only_outside and not self.trains and scope.flying(self.text),
            talking=self._talking(),
            picks_time=any(not h.part for h in self.hours),
            given_up=bool(given_up),
            gathering=any((self.heard.draft.origin, self.heard.draft.destination, self.heard.draft.depart)),
        )
        meant = intents.intents(evidence)
        if (
            Intent.COMPARE in meant
            and not pointed
            and slots.rank is None
            and (asked_for := conditions.rank(self.text, asked_for=True))
        ):
            pointed = (Reference(superlative=asked_for),)
        if Intent.ASK_FACT in meant and not pointed:
            pointed = references.way_named(self.text)
        return Understanding(
            language=self._language(),
            intents=meant,
            slots=slots,
            wishes=wishes.wishes,
            references=pointed,
            topics=topics if Intent.ASK_FACT in meant or Intent.ASK_STATUS in meant else (),
            corrected=self._corrected(slots, wishes.corrected),
            given_up=given_up,
            unsure=tuple(self.unsure),
        )

    def _talking(self) -> bool:
        h = self.heard
        return bool(h.recent or h.shown or h.trips or self.asked or h.draft != Slots())

    def _language(self) -> Language:
        """A message without words ("2", "JFK") keeps the language of the one before it."""
        if any(c.isalpha() for c in self.text.raw) and (self.text.has_han or len(self.text.raw.strip()) > 4):
            return self.text.language
        last = next((m for m in reversed(self.heard.recent) if any(c.isalpha() for c in m.text)), None)
        return read(last.text).language if last else self.text.language

    def _slots(self) -> Slots:
        text, asked = self.text, self.asked
        if self.only_outside and not self.trains:
            return Slots()
        trip_type = conditions.trip_type(text)
        table = schedule.timetable(
            text,
            _today(self.heard),
            asked=asked,
            draft=self.heard.draft,
            round_trip=schedule.is_round(trip_type, self.heard.draft),
        )
        route = self._route(table.spans)
        if not self._in_scope(route, bool(table.depart or table.return_)):
            return Slots()
        if self.trains:
            return Slots(origin=self._place("origin", route.origin), destination=self._place("destination", route.destination))
        self.unsure += table.unsure or []
        origin, destination = self._place("origin", route.origin), self._place("destination", route.destination)
        if routes.swaps(text) and not origin and not destination:
            origin, destination = self.heard.draft.destination, self.heard.draft.origin
        stops = conditions.stops(text, asked=asked)
        return Slots(
            trip_type=trip_type or (TripType.MULTI_CITY if len(route.stopover) > 1 else None),
            origin=origin,
            destination=destination,
            stopovers=tuple(_place_of(m) for m in route.stopover),
            depart=table.depart,
            return_=table.return_,
            passengers=self._passengers(table.spans),
            cabin=cabins.cabin(text, asked=asked),
            airlines=self.airlines.codes,
            airline_names=self.airlines.names,
            flight_number=airlines.flight_number(text, asked=asked, taken=table.spans),
            max_stops=stops.most,
            min_stops=stops.least,
            cap=money.cap(text, asked=asked, taken=table.spans),
            rank=conditions.rank(text),
            refundable=conditions.refundable(text),
        )

    def _passengers(self, dates: tuple[tuple[int, int], ...]) -> Passengers | None:
        """ "Keep both tickets", 两张都保留, counts what there is, and nobody who travels."""
        if self._talking() and staying.keeps(self.text):
            return None
        return passengers.passengers(self.text, asked=self.asked, taken=dates, before=self.heard.draft.passengers)

    def _route(self, dates: tuple[tuple[int, int], ...]) -> routes.Route:
        away = [(s.start, s.end) for s in self.outside] if not self.trains else []
        taken = [*dates, *self.airlines.spans, *away]
        found = [m for m in mentions.find(self.text) if not any(m.start < e and s < m.end for s, e in taken)]
        extra = routes.unknown(
            self.text, [*taken, *((m.start, m.end) for m in found if m.strong or not m.word)], asked=self.asked
        )
        found = [m for m in found if not any(m.start < x.end and x.start < m.end for x in extra)]
        return routes.route(self.text, sorted([*found, *extra], key=lambda m: m.start), asked=self.asked, draft=self.heard.draft)

    def _in_scope(self, route: routes.Route, dated: bool) -> bool:
        """Slots count where flying or travelling is talked about, or a conversation is going on."""
        if self._talking() or scope.flying(self.text) or self.trains:
            return True
        return bool(route.placed and (dated or scope.travelling(self.text))) or bool(route.origin and route.destination)

    def _place(self, slot: str, named: list[Mention]) -> Place | None:
        if not named:
            return None
        first = named[0]
        if len(named) > 1:
            self.unsure.append(
                Unsure(
                    slot=slot,
                    reason="several",
                    text=", ".join(m.text for m in named),
                    candidates=tuple(_candidate(m) for m in named),
                )
            )
        elif first.misspelt:
            self.unsure.append(
                Unsure(
                    slot=slot,
                    reason="misspelt",
                    text=first.text,
                    candidates=tuple(k.codes[0] for k in first.known[:1] if k.codes),
                )
            )
        elif not first.known:
            self.unsure.append(Unsure(slot=slot, reason="unknown_place", text=first.text))
        elif not first.known[0].codes:
            self.unsure.append(Unsure(slot=slot, reason="no_airport", text=first.text, candidates=first.known[0].near))
        elif first.known[0].kind in ("country", "region") and len(first.known[0].codes) != 1:
            self.unsure.append(Unsure(slot=slot, reason="ambiguous", text=first.text, candidates=first.known[0].codes))
        elif rivals := _namesakes(first.known):
            self.unsure.append(Unsure(slot=slot, reason="ambiguous", text=first.text, candidates=rivals))
        return _place_of(first)

    def _corrected(self, slots: Slots, seat: bool) -> tuple[str, ...]:
        """Slots said anew although they were said before, or with words that take something back."""
        takes_back = routes.corrects(self.text)
        names = [
            n
            for n in Slots.model_fields
            if getattr(slots, n) not in (None, ()) and getattr(self.heard.draft, n) not in (None, ())
        ]
        changed = [n for n in names if takes_back or getattr(slots, n) != getattr(self.heard.draft, n)]
        return (*changed, *(("seat",) if seat else ()))


def _candidate(mention: Mention) -> str:
    return mention.known[0].codes[0] if mention.known and mention.known[0].codes else mention.text


def _namesakes(known: tuple[Known, ...]) -> tuple[str, ...]:
    best = known[0]
    rivals = [
        k
        for k in known[1:]
        if k.codes
        and not set(k.codes) & set(best.codes)
        and k.kind in ("city", "metro")
        and k.weight >= _NAMESAKE_SHARE * best.weight
    ]
    return (best.codes[0], *(k.codes[0] for k in rivals)) if rivals and best.kind in ("city", "metro") else ()


def _place_of(mention: Mention) -> Place:
    if not mention.known:
        return Place(text=mention.text)
    known = mention.known[0]
    return Place(text=mention.text, kind=known.kind, codes=known.codes, city=known.city)
