"""Wishes for a seat: which, wanted or not, how strongly, for whom, how long. A complaint about a seat is no wish for it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ...domain.understanding import Polarity, Position, Scope, SeatWish, Strength
from . import seat_words as words
from .text import Text


@dataclass(frozen=True)
class Seats:
    wishes: tuple[SeatWish, ...] = ()
    recalls: bool = False
    forgets: bool = False
    corrected: bool = False


@dataclass(frozen=True)
class _Said:
    start: int
    end: int
    position: Position


def seats(text: Text, *, asked: frozenset[str]) -> Seats:
    """Every wish the message states or takes back; asking what was said before states none."""
    said = _positions(text)
    forgotten = words.FORGET.search(text.low)
    if words.RECALL.search(text.low) and not (forgotten and forgotten.start() < 3):
        return Seats(recalls=True)
    if forgotten:
        return _forgotten(text, said, forgotten)
    if _any(text, said, asked):
        avoided = [w for w in _wishes(text, said).wishes if w.polarity is Polarity.AVOID]
        return Seats((*avoided, SeatWish(position=Position.ANY, scope=_scope(text))))
    return _wishes(text, said)


def _positions(text: Text) -> list[_Said]:
    found: list[_Said] = []
    for position, pattern in words.POSITIONS:
        for m in pattern.finditer(text.low):
            if not any(m.start() < s.end and s.start < m.end() for s in found):
                found.append(_Said(m.start(), m.end(), position))
    return sorted(found, key=lambda s: s.start)[: words.MOST_POSITIONS]


def _any(text: Text, said: list[_Said], asked: frozenset[str]) -> bool:
    if "seat" in asked and words.ANY_ANSWER.search(text.low):
        return True
    if len(said) > 1 and re.match(r"[^,，。.]{0,8}都(?:行|可以|好|没关系|无所谓)", text.after(said[-1].end)):
        return True
    return bool(words.ANY.search(text.low)) and bool(words.SEAT_TALK.search(text.low))


def _forgotten(text: Text, said: list[_Said], forgotten: re.Match[str]) -> Seats:
    inside = [s for s in said if forgotten.start() <= s.start < forgotten.end() + 1]
    positions = tuple(dict.fromkeys(s.position for s in inside)) or (Position.ANY,)
    later = _wishes(text, [s for s in said if s not in inside])
    return Seats((*(SeatWish(position=p, forget=True) for p in positions), *later.wishes), forgets=True)


def _wishes(text: Text, said: list[_Said]) -> Seats:
    wishes: list[tuple[_Said, SeatWish]] = []
    previous: tuple[_Said, Polarity] | None = None
    corrected = False
    for one in said:
        polarity = _polarity(text, one, previous)
        if polarity is None:
            continue
        if previous and polarity is Polarity.WANT and _replaces(text, previous[0], one):
            wishes = [w for w in wishes if w[1].position not in words.EXCLUSIVE or w[1].polarity is Polarity.AVOID]
            corrected = True
        wishes.append((one, _wish(text, one, polarity)))
        previous = one, polarity
    unique = {(w.position, w.whose): w for _, w in wishes}
    takes_back = words.CORRECTS.search(text.low)
    starts_over = bool(said) and takes_back is not None and takes_back.start() < said[0].start
    return Seats(tuple(unique.values()), corrected=bool(unique) and (corrected or starts_over))


def _wish(text: Text, one: _Said, polarity: Polarity) -> SeatWish:
    clause = text.clause(one.start, one.end)
    sentence = text.sentence_at(one.start)
    strength = (
        Strength.MUST
        if words.MUST.search(clause) and not re.search(r"\bif possible\b|尽量|最好", text.low[sentence.start : sentence.end])
        else Strength.PREFER
    )
    return SeatWish(position=one.position, polarity=polarity, strength=strength, scope=_scope(text, one), whose=_whose(text, one))


def _scope(text: Text, one: _Said | None = None) -> Scope:
    sentence = text.sentence_at(one.start if one else 0)
    whole = text.low[sentence.start : sentence.end]
    return Scope.TRIP if words.TRIP.search(whole) and not words.ALWAYS.search(whole) else Scope.ALWAYS


def _whose(text: Text, one: _Said) -> str | None:
    """The words for the other person; None when the speaker is meant, or both."""
    if one.position is Position.TOGETHER:
        return None
    sentence = text.sentence_at(one.start)
    left = text.low[max(sentence.start, one.start - 60) : one.start]
    left = re.split(r"[,，;；]|\bbut\b|\band (?=i\b)", left)[-1]
    if m := _last(words.WHOSE_BEFORE, left):
        return m if not re.search(rf"{re.escape(m)} and i\b|\bi and {re.escape(m)}", text.low) else None
    if m := _last(words.WHOSE_ZH, left):
        return m
    right = text.after(one.end, at_most=30)
    return _last(words.WHOSE_FOR, left) or _last(words.WHOSE_FOR, re.split(r"[,，;；.]", right)[0])


def _last(pattern: re.Pattern[str], words: str) -> str | None:
    return next((m[1] for m in reversed(list(pattern.finditer(words)))), None)


def _replaces(text: Text, earlier: _Said, later: _Said) -> bool:
    return {earlier.position, later.position} <= words.EXCLUSIVE and bool(
        words.CORRECTS.search(text.low[earlier.end : later.end + 12])
    )


def _polarity(text: Text, one: _Said, previous: tuple[_Said, Polarity] | None) -> Polarity | None:
    """Wanted, avoided, or None when the position is only talked about."""
    sentence = text.sentence_at(one.start)
    left, right = (
        text.low[max(sentence.start, one.start - words.REACH) : one.start],
        text.low[one.end : min(sentence.end, one.end + words.REACH)],
    )
    if one.position is Position.TOGETHER and words.APART.search(text.low[one.start : one.end]):
        return Polarity.WANT
    if previous and (words.LINK.fullmatch(text.low[previous[0].end : one.start])):
        return previous[1]
    if (words.THAN.search(left) and previous) or words.FACT.search(left):
        return None
    if words.DONT_MIND.search(left[-30:]) or re.match(
        r"\s*(?:座位?|位置?|seats?)?\s*(?:也行|也可以|也没关系|is (?:fine|ok|okay) too)", right
    ):
        return None
    if _denied(left) or re.match(
        r"\s*(?:的?座?位?(?:就)?(?:算了|不要|不行|免了|我不要|我不坐|绝对不行)|seats? (?:is|are) (?:not|out|a no)"
        r"|(?:seats? )?(?:makes?|give)s? me\b)",
        right,
    ):
        return Polarity.AVOID
    whole = text.low[max(sentence.start, one.start - words.REACH) - 60 if sentence.start > 60 else 0 : one.end + words.REACH]
    if (
        words.COMPLAINT.search(whole)
        and not words.PRAISE.search(left + right)
        and not re.search(r"\b(?:so|now|this time|please|want|can i|could i)\b[^.]*$|这次|所以|想|要", left[-40:])
    ):
        return Polarity.AVOID
    return Polarity.WANT


def _denied(left: str) -> bool:
    """A negation reaches as far as its clause: "not the aisle, a window" denies the aisle only."""
    only = words.BUT_ONLY.search(left)
    if only and not re.search(r"[.;。；]", left[only.end() :]):
        return True
    clause = words.NOT_A_NEGATION.sub(" ", left)
    breaks = list(words.CLAUSE_BREAK.finditer(clause))
    start = breaks[-1].end() if breaks else 0
    while breaks and words.NEGATION.search(breaks[-1].group()):
        breaks.pop()
        start = breaks[-1].end() if breaks else 0
    return bool(words.NEGATION.search(clause[start:]))
