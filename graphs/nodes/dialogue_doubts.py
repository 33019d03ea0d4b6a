"""What may have been misread: how it is said back, and what it could have meant."""

from __future__ import annotations

import re
from datetime import date
from typing import Any

from assistant import places
from assistant.domain.understanding import Place, Slots, Unsure, When
from assistant.wording import Said, saying
from graphs.nodes.dialogue_turn import Option

MOST_CANDIDATES = 4
ASKED_FOR = {"depart_date": "depart", "return_date": "return", "return_": "return", "depart_time": "depart"}


def slot_of(unsure: Unsure) -> str:
    """The name a question about it has."""
    return ASKED_FOR.get(unsure.slot, unsure.slot)


def doubts(all_open: tuple[Unsure, ...], draft: Slots, to_tell: tuple[Unsure, ...]) -> tuple[Said, ...]:
    """One sentence for each doubt of `to_tell` that is still open."""
    return tuple(_told(u, draft) for u in to_tell if u in all_open)


def options_for(unsure: tuple[Unsure, ...], slot: str) -> tuple[Option, ...]:
    """At most two of what it could have meant, as buttons."""
    found = next((u for u in unsure if slot_of(u) == slot and len(u.candidates) > 1), None)
    if found is None:
        return ()
    named = _candidates(found.candidates[:2])
    return tuple(Option(saying("button.candidate", candidate=c), saying("says.candidate", candidate=c)) for c in named)


def otherwise(unsure: tuple[Unsure, ...], draft: Slots) -> tuple[Option, ...]:
    """What the first doubt could have meant instead, as a button."""
    found = next(iter(unsure), None)
    named = _candidates(found.candidates) if found else []
    other = next((c for c in named if found and c != _meant(found, draft)), None)
    return (Option(saying("button.candidate", candidate=other), saying("says.candidate", candidate=other)),) if other else ()


def _told(unsure: Unsure, draft: Slots) -> Said:
    meant = _meant(unsure, draft)
    candidates = _candidates(unsure.candidates[:MOST_CANDIDATES]) or None
    if meant is not None:
        return saying("unsure.took", text=unsure.text, meant=[meant])
    if unsure.reason in ("ambiguous", "several", "misspelt") and not candidates:
        return saying("unsure.not_clear", text=unsure.text)
    if unsure.reason == "misspelt":
        return saying("unsure.unknown_place", text=unsure.text, candidates=candidates)
    return saying(f"unsure.{unsure.reason}", text=unsure.text, candidates=candidates)


def _meant(unsure: Unsure, draft: Slots) -> Said | None:
    slot = slot_of(unsure)
    value: Any = getattr(draft, "return_" if slot == "return" else slot, None)
    match value:
        case Place() if value.codes:
            return _candidate(value.codes[0])
        case When() if value.date_from:
            return saying("word.day", day=value.date_from)
        case _:
            return None


def _candidates(texts: tuple[str, ...]) -> list[Said]:
    """Airports of one city are told apart by their own names."""
    cities = [city.code for text in texts if _is_place(text) and (city := places.city_of(text))]
    one_city = len(cities) != len(set(cities))
    return [saying("word.airport", place=t) if one_city and places.airport(t) else _candidate(t) for t in texts]


def _is_place(text: str) -> bool:
    return bool(re.fullmatch(r"[A-Z]{3}", text) and (places.metro(text) or places.airport(text)))


def _candidate(text: str) -> Said:
    """Interpreters name candidates by code, by ISO date or in words."""
    if _is_place(text):
        return saying("word.place", place=text)
    try:
        return saying("word.day", day=date.fromisoformat(text))
    except ValueError:
        return saying("word.text", text=text)
