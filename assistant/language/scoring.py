"""Compares an `Understanding` with a labelled sentence, slot by slot, by normal form: city, ISO day, cabin, number.

The label of a slot is the words of the sentence (`slots`) or a canonical value (`norm`). Words are brought to normal form by the
gazetteer and calendar of the offline interpreter: what is measured is whether a slot was found and given its part, not spelling.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from ..domain.understanding import Place, Rank, Slots, Understanding, Unsure, When
from .rules import airlines, mentions, schedule, times
from .rules.text import fold, read

Labels = dict[str, list[str]]
_DAYS = ("depart_date", "return_date", "depart_when")
_CODED = ("cabin", "passengers", "stops", "trip_type", "refundable")


@dataclass
class Count:
    """True positives, false positives, false negatives of one slot or intent."""

    tp: int = 0
    fp: int = 0
    fn: int = 0

    @property
    def precision(self) -> float:
        return self.tp / (self.tp + self.fp) if self.tp + self.fp else 1.0

    @property
    def recall(self) -> float:
        return self.tp / (self.tp + self.fn) if self.tp + self.fn else 1.0

    @property
    def f1(self) -> float:
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0

    @property
    def seen(self) -> int:
        return self.tp + self.fp + self.fn


@dataclass
class Miss:
    id: str
    slot: str
    text: str
    wanted: list[str]
    got: list[str]


@dataclass
class Score:
    slots: dict[str, Count] = field(default_factory=lambda: defaultdict(Count))
    intents: dict[str, Count] = field(default_factory=lambda: defaultdict(Count))
    misses: list[Miss] = field(default_factory=list[Miss])

    def note(
        self,
        counts: dict[str, Count],
        row: dict[str, Any],
        slot: str,
        *,
        wanted: list[str],
        got: list[str],
        hit: int,
        recall: bool,
    ) -> None:
        """`hit` of the wanted values were found; of what was found the rest is false."""
        count = counts[slot]
        count.tp += hit
        count.fp += max(len(got) - hit, 0)
        count.fn += len(wanted) - hit if recall else 0
        if len(got) > hit or (recall and len(wanted) > hit):
            self.misses.append(Miss(str(row.get("id", "")), slot, str(row.get("text", "")), wanted, got))


def score_slots(score: Score, row: dict[str, Any], said: Understanding, today: date) -> None:
    """All slots of one labelled sentence. `maybe_missing`: such rows count for precision, not for recall."""
    labels: Labels = row.get("slots") or {}
    canonical: dict[str, list[Any]] = row.get("norm") or {}
    norm: Labels = {name: [str(v).lower() for v in values] for name, values in canonical.items()}
    recall, labelled = not row.get("maybe_missing"), row.get("slots") is not None
    for part in ("origin", "destination"):
        if labelled:
            _score_place(score, row, part, labels.get(part, []), said, recall)
    if labelled:
        _score_days(score, row, labels, said, today, recall)
        _score_airline(score, row, labels.get("airline", []), said, recall)
        _score_price(score, row, labels.get("price_pref", []), said, recall)
    for name in _CODED:
        wanted = norm.get(name, [])
        got = coded(said.slots, name)
        if name == "trip_type" and not wanted and row.get("trip_type") and got:
            wanted = [row["trip_type"]]  # known of the whole dialogue: right when said, no miss when not
        if wanted or labelled:
            score.note(score.slots, row, name, wanted=wanted, got=got, hit=len(set(wanted) & set(got)), recall=recall)
    if seats := norm.get("seat"):
        got = [w.position.value for w in said.wishes if not w.forget]
        score.note(score.slots, row, "seat", wanted=seats, got=got, hit=len(set(seats) & set(got)), recall=recall)


def coded(slots: Slots, name: str) -> list[str]:
    """The canonical value of a slot as the data spells it; empty when not said."""
    match name:
        case "cabin":
            return [str(slots.cabin)] if slots.cabin else []
        case "passengers":
            count = slots.passengers.count if slots.passengers else None
            return [str(count)] if count else []
        case "stops":
            if slots.max_stops == 0:
                return ["0"]
            return ["1"] if slots.max_stops or slots.min_stops else []
        case "trip_type":
            return [slots.trip_type.value] if slots.trip_type else []
        case _:
            return ["true"] if slots.refundable else []


def same_place(words: str, place: Place) -> bool:
    """The words name the place: the same words, or an airport in common."""
    a, b = fold(words).strip(" .!?"), fold(place.text).strip(" .!?")
    if a in b or b in a:
        return True
    found = mentions.find(read(words)) or mentions.find(read(words.title()))
    return any(set(k.codes) & set(place.codes) or k.city == place.city for m in found for k in m.known[:2])


def _score_place(score: Score, row: dict[str, Any], part: str, wanted: list[str], said: Understanding, recall: bool) -> None:
    main: Place | None = getattr(said.slots, part)
    got = [main] if main else []
    others = [
        Place(text=w.strip(), codes=(), city=None)
        for u in said.unsure
        if u.slot == part and u.reason == "several"
        for w in u.text.split(",")[1:]
    ]
    if part == "destination":
        others += list(said.slots.stopovers)
    distinct = list(dict.fromkeys(wanted))
    held = [*got, *others]
    hit = sum(any(same_place(w, p) for p in held) for w in distinct)
    extra = [p.text for p in held if not any(same_place(w, p) for w in distinct)]
    score.note(score.slots, row, part, wanted=distinct, got=[*extra, *([""] * hit)] if hit else extra, hit=hit, recall=recall)


def _score_days(score: Score, row: dict[str, Any], labels: Labels, said: Understanding, today: date, recall: bool) -> None:
    chinese = "depart_when" in labels or row.get("lang") == "zh"
    for name, when in (("depart_when" if chinese else "depart_date", said.slots.depart), ("return_date", said.slots.return_)):
        wanted = list(dict.fromkeys(labels.get(name, [])))
        hit = sum(same_day(w, when, said, today) for w in wanted)
        has = bool(when and (when.date_from or (chinese and (when.time_from or when.time_to))))
        got = [when.text if when else "rank"] * max(hit, int(has))
        score.note(score.slots, row, name, wanted=wanted, got=got, hit=hit, recall=recall)
    for name, when in (("depart_time", said.slots.depart), ("return_time", said.slots.return_)):
        arrival = labels.get("arrive_time", []) if name == "depart_time" else list[str]()
        wanted = sorted({*labels.get(name, []), *arrival})
        if wanted:
            hit = sum(same_hours(w, when) or same_hours(w, said.slots.return_) or _ranked(w, said) for w in wanted)
            score.note(score.slots, row, name, wanted=wanted, got=[""] * hit, hit=hit, recall=recall)


def same_day(words: str, when: When | None, said: Understanding, today: date) -> bool:
    """The words' own day or hours, or one of the days the reading holds as possible."""
    days = schedule.days_in(read(words), today)
    named = {d for day in days for d in (day.first, day.last, *day.candidates) if d}
    if when and when.date_from and named:
        anchored = (
            {d.first for d in schedule.days_in(read(words), said.slots.depart.date_from)}
            if said.slots.depart and said.slots.depart.date_from
            else set[date | None]()
        )
        held = {when.date_from, when.date_to, *(c for u in said.unsure for c in _dates(u))}
        return bool(held & (named | anchored))
    if not named and when and fold(words).strip() in fold(when.text):
        return True
    if not named:
        return (
            same_hours(words, when)
            or _ranked(words, said)
            or (bool(when and when.date_from) and any(d.after_departure is not None for d in days))
        )
    return False


def _dates(unsure: Unsure) -> Iterable[date]:
    for c in unsure.candidates:
        try:
            yield date.fromisoformat(c)
        except ValueError:
            continue


def same_hours(words: str, when: When | None) -> bool:
    hours = times.find(read(words))
    if not when or not hours:
        return False
    return any(
        h.first in (when.time_from, when.time_to) or h.last in (when.time_from, when.time_to) for h in hours if h.first or h.last
    )


def _ranked(words: str, said: Understanding) -> bool:
    early = "最早" in words or "earl" in words.lower()
    return (
        said.slots.rank is (Rank.EARLIEST if early else Rank.LATEST if "最晚" in words or "latest" in words.lower() else None)
        and said.slots.rank is not None
    )


def _score_airline(score: Score, row: dict[str, Any], words: list[str], said: Understanding, recall: bool) -> None:
    wanted = [w for w in dict.fromkeys(words) if w != "dontcare"]
    codes = [airlines.airlines(read(w), asked=frozenset({"airline"})).codes for w in wanted]
    hit = sum(bool(set(c) & set(said.slots.airlines)) for c in codes)
    score.note(score.slots, row, "airline", wanted=wanted, got=list(said.slots.airlines), hit=hit, recall=recall)


def _score_price(score: Score, row: dict[str, Any], wanted: list[str], said: Understanding, recall: bool) -> None:
    got = ["cap"] if said.slots.cap else ["rank"] if said.slots.rank is Rank.CHEAPEST else []
    score.note(score.slots, row, "price_pref", wanted=wanted[:1], got=got, hit=min(len(wanted), len(got), 1), recall=recall)
